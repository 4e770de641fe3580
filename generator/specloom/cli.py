"""The command ``specloom``."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer

from . import files, formats, inspection, lock, proposals
from .config import FILE
from .description.load import Access
from .description.remote import Remote, user_caches
from .diagnostics import Origin, Report, Stop
from .generate import Client, generate
from .models.styles import Style
from .reading import Reading, read
from .run import Run
from .summary import located, printed, summary
from .validation import inspect

app = typer.Typer(
    help="Typed Python clients from OpenAPI descriptions.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


_AllowOutside = Annotated[
    bool, typer.Option("--allow-outside", help="Follow references to files in other folders.")
]
_AllowRemote = Annotated[
    bool, typer.Option("--allow-remote", help="Fetch documents that references lead to.")
]
_AllowPrivate = Annotated[
    bool, typer.Option("--allow-private", help="Fetch them from private addresses too.")
]


_SPEC = "A description, or a folder with a specloom.toml."
_Spec = Annotated[Path, typer.Argument(metavar="SPEC", help=_SPEC)]
_File = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Default: standard output."),
]


def _end(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"specloom {metadata.version('specloom')}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Typed Python clients from OpenAPI descriptions."""
    # As an exception it lets every file be as it was; by default the process would just end.
    signal.signal(signal.SIGTERM, _end)


@app.command("generate")
def generate_command(
    targets: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[TARGET]...",
            help="A folder with a specloom.toml, or a description. Default: every specs/*/.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            help="The client's folder; with several targets, the folder above theirs. "
            "Default: generated/<name>.",
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; print a diff and exit 1 on drift.")
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write the numbers of the run as JSON."),
    ] = None,
    allow_outside: _AllowOutside = False,
    allow_remote: _AllowRemote = False,
    allow_private: _AllowPrivate = False,
) -> None:
    """Generate the clients of descriptions."""
    chosen = targets or sorted(path.parent for path in Path("specs").glob("*/specloom.toml"))
    if not chosen:
        raise typer.BadParameter("there is no specs/*/specloom.toml here; name a TARGET")
    access = _access(allow_outside, allow_remote, allow_private)
    folder = _Folder(output, len(chosen) > 1)
    outcomes = [_one(Run(_target(one), access), folder, check) for one in chosen]
    if report is not None:
        text = json.dumps({"clients": [numbers for _, numbers in outcomes]}, indent=2)
        found = Report()
        try:
            files.write_file(f"{text}\n", report, '{\n  "clients": [', found)
        except Stop:
            print(f"{report}: {found.diagnostics[0].message}", file=sys.stderr)
            raise typer.Exit(1) from None
    if not all(fine for fine, _ in outcomes):
        raise typer.Exit(1)


@app.command("validate")
def validate_command(
    spec: _Spec,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 on warnings too.")] = False,
    style: Annotated[formats.Format, typer.Option("--format", help="How findings are written.")] = (
        "text"
    ),
    allow_outside: _AllowOutside = False,
    allow_remote: _AllowRemote = False,
    allow_private: _AllowPrivate = False,
) -> None:
    """Say what is wrong with a description, and where."""
    run = Run(_target(spec), _access(allow_outside, allow_remote, allow_private))
    strict = inspect(run) or strict
    found = sorted(located(run), key=lambda one: one.position)
    for line in formats.write(found, str(spec), style):
        print(line)
    if run.report.failed or (strict and run.report.diagnostics):
        raise typer.Exit(1)


@app.command("models")
def models_command(
    spec: _Spec,
    style: Annotated[Style, typer.Option("--style", help="What the models are made of.")] = (
        "pydantic"
    ),
    output: _File = None,
    allow_outside: _AllowOutside = False,
    allow_remote: _AllowRemote = False,
    allow_private: _AllowPrivate = False,
) -> None:
    """Write the types of a description alone, as one module."""
    from .models.make import HEADER, models

    def make(reading: Reading, report: Report) -> str:
        return models(reading.api, reading.config, reading.lock, style, report)

    run = Run(_target(spec), _access(allow_outside, allow_remote, allow_private))
    _deliver(run, output, HEADER, make)


@app.command("inspect")
def inspect_command(
    spec: Annotated[Path | None, typer.Argument(metavar="SPEC", help=_SPEC)] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of the format instead.")
    ] = False,
    pagination: Annotated[
        bool, typer.Option("--pagination", help="Propose which lists come in pages, as TOML.")
    ] = False,
    output: _File = None,
    allow_outside: _AllowOutside = False,
    allow_remote: _AllowRemote = False,
    allow_private: _AllowPrivate = False,
) -> None:
    """Write what a description says as JSON, for other programs."""
    if schema:
        if spec is not None or output is not None or pagination:
            raise typer.BadParameter("--schema stands alone: it is the same for all descriptions")
        typer.echo(inspection.printed(inspection.schema()), nl=False)
        return
    if spec is None:
        raise typer.BadParameter("name a SPEC")

    def make(reading: Reading, report: Report) -> str:
        if pagination:
            return proposals.proposals(reading.api)
        return inspection.printed(inspection.inspection(reading.api))

    run = Run(_target(spec), _access(allow_outside, allow_remote, allow_private))
    _deliver(run, output, proposals.MARK if pagination else inspection.MARK, make)


def _deliver(
    run: Run, output: Path | None, mark: str, make: Callable[[Reading, Report], str]
) -> None:
    """Write what is made of a target, to a file or to standard output; exit 1 if nothing is."""
    state = "failed"
    try:
        reading = read(run)
        if reading.config.strict:
            run.refuse_warnings()
        with run.stage("make"):
            text = make(reading, run.report)
        if output is None:
            typer.echo(text.encode(), nl=False)
            state = "printed"
        else:
            changed = files.write_file(text, output, mark, run.report)
            state = "generated" if changed else "unchanged"
    except Stop:
        pass
    for line in printed(run):
        print(line, file=sys.stderr)
    severities = [one.diagnostic.severity for one in located(run)]
    found = f"errors {severities.count('error')}, warnings {severities.count('warning')}"
    print(f"{output or run.target}: {state} ({found})", file=sys.stderr)
    if state == "failed":
        raise typer.Exit(1)


def _access(outside: bool, remote: bool, private: bool) -> Access:
    """Return what references may reach; ``private`` alone reaches nothing."""
    if not remote:
        return Access(outside)
    return Access(outside, Remote(user_caches() / "remote", private))


def _target(path: Path) -> Path:
    """Return what a path means: a configuration stands for its folder."""
    return path.parent if path.name == FILE else path


@dataclass(slots=True)
class _Folder:
    """Where clients go: each into a folder of its own."""

    output: Path | None
    several: bool
    taken: dict[Path, Path] = field(default_factory=dict[Path, Path])

    def of(self, run: Run, name: str) -> Path:
        """Return the folder of a client; raises ``Stop`` if another target's client has it."""
        root = Path("generated") / name
        if self.output is not None:
            root = self.output / name if self.several else self.output
        first = self.taken.setdefault(root.absolute(), run.target)
        if first != run.target:
            message = f"the client of {first} goes to the same folder; give one another 'name'"
            raise run.report.fatal("same-folder", message, Origin(root.absolute().as_uri()))
        return root


def _one(run: Run, folder: _Folder, check: bool) -> tuple[bool, dict[str, Any]]:
    """Generate one client; return whether all went well, and the numbers."""
    client: Client | None = None
    state, renamed = "failed", list[lock.Renaming]()
    try:
        client = generate(run)
        root = folder.of(run, client.package.name)
        if check:
            state = "up to date"
            for line in _differences(run, client, root):
                state = "differs"
                sys.stdout.write(line)
        else:
            with run.stage("write"):
                changed = files.write(client.files, root, run.report)
                if run.target.is_dir():
                    renamed = [*lock.renamings(client.lock, client.package.names)]
                    lock.write_lock(run.target, client.package.names, run.report)
            state = "generated" if changed else "unchanged"
    except Stop:
        pass
    for line in printed(run):
        print(line, file=sys.stderr)
    for renaming in renamed:
        print(f"renamed: {renaming}", file=sys.stderr)
    numbers = summary(run, client)
    print(_line(numbers, state), file=sys.stderr)
    return state not in ("failed", "differs"), numbers


def _differences(run: Run, client: Client, root: Path) -> Iterator[str]:
    """Yield a diff from what is on the disk to what a client consists of."""
    yield from files.compare(client.files, root)
    if run.target.is_dir():
        yield from lock.compare_lock(run.target, client.package.names)


def _line(numbers: dict[str, Any], state: str) -> str:
    """Return the last line about a client: what is in it, and what was found."""
    found = numbers["diagnostics"]
    parts = [
        f"operations {numbers['operations']['emitted']}/{numbers['operations']['total']}",
        f"schemas {numbers['schemas']['emitted']}/{numbers['schemas']['total']}",
        f"untyped leaves {numbers['untyped_leaves']}",
        f"errors {found['error']}",
        f"warnings {found['warning']}",
    ]
    return f"{numbers['name']}: {state} ({', '.join(parts)})"
