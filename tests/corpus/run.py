"""``make corpus``: every real description into a client; imported, type-checked, compared.

Prints a Markdown table and fails when something that must hold does not.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from specloom import files
from specloom.diagnostics import Stop
from specloom.summary import untyped_leaves

from .clients import Entry, entries, make, models, modules

ROOT = Path(__file__).resolve().parents[2]
_CHECKERS = {
    "mypy": ["mypy", "--strict", "--no-error-summary", "--cache-dir", ".mypy_cache"],
    "pyright": ["pyright", "--project"],
}
_HEAD = (
    "| description | seconds | operations | schemas | untyped leaves | files | lines | models "
    "| mypy | pyright |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)


def main(chosen: list[str]) -> int:
    """Run over the collection, or over the descriptions that are named; return the status."""
    shared = ROOT.parent / "shared"
    if not shared.is_dir():
        print(f"there is no collection of real descriptions at {shared}", file=sys.stderr)
        return 2
    print(_HEAD, flush=True)
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        for entry in entries(shared):
            if not chosen or entry.name in chosen:
                failures += _one(entry, Path(scratch) / entry.name)
    print(f"\n{failures} failures", file=sys.stderr)
    return 1 if failures else 0


def _one(entry: Entry, folder: Path) -> int:
    """Print the row of one description; return how many things did not hold."""
    try:
        run, client = make(entry, folder)
    except Stop as stop:
        print(f"| {entry.name} | {stop} |", flush=True)
        return 1
    built = 0
    for module in modules(folder, client.package.import_name):
        for model in models(module):
            model.model_validate({})
            built += 1
    changed = list(files.compare(make(entry, folder.with_suffix(".again"))[1].files, folder))
    errors = {name: _errors(name, folder) for name in _CHECKERS}
    operations, schemas = len(client.api.operations), client.api.schemas
    texts = client.files.values()
    row = [
        entry.name,
        f"{sum(run.seconds.values()):.1f}",
        operations,
        schemas,
        untyped_leaves(client.api),
        len(texts),
        sum(text.count("\n") for text in texts),
        built,
        *errors.values(),
    ]
    print(f"| {' | '.join(str(cell) for cell in row)} |", flush=True)
    return sum(errors.values()) + len(changed)


def _errors(checker: str, folder: Path) -> int:
    """Return how many errors a type checker finds in a client."""
    configuration = folder / "pyrightconfig.json"
    configuration.write_text(
        '{"include": ["src"], "typeCheckingMode": "strict", "pythonVersion": "3.11", '
        f'"venvPath": "{ROOT}", "venv": ".venv"}}'
    )
    command = [str(ROOT / ".venv/bin" / _CHECKERS[checker][0]), *_CHECKERS[checker][1:]]
    command.append(str(configuration) if checker == "pyright" else str(folder / "src"))
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    return sum(": error:" in line or " - error: " in line for line in done.stdout.splitlines())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
