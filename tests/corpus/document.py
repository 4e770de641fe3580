"""One real description: its client, made by the command as a user would, and what holds of it."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .clients import Entry

ROOT = Path(__file__).resolve().parents[2]

_CHECKERS = {
    "mypy": ["-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", ".mypy_cache", "src"],
    "pyright": ["-m", "pyright", "--project", "pyrightconfig.json"],
}
_PYRIGHT = {"include": ["src"], "typeCheckingMode": "strict", "pythonVersion": "3.11"}
_CODE = re.compile(r"^\S.*: (?:warning|error)\[([a-z0-9-]+)\]: ", re.MULTILINE)

_IMPORT = """
import importlib, inspect, pkgutil, sys
from pathlib import Path
from pydantic import BaseModel

source = Path(sys.argv[1], "src")
sys.path.insert(0, str(source))
(package,) = (path.name for path in source.iterdir())
modules = built = 0
inside = pkgutil.walk_packages([str(source / package)], f"{package}.")
for found in [package, *(module.name for module in inside)]:
    module = importlib.import_module(found)
    modules += 1
    for value in list(vars(module).values()):
        if isinstance(value, type) and issubclass(value, BaseModel):
            if value.__module__ == found and "._runtime" not in found:
                value.model_validate({})
                built += 1
print(modules, built)
"""
"""Imports every module of a client, and builds every model."""


@dataclass(frozen=True)
class Measure:
    """What a process cost."""

    status: int
    seconds: float
    megabytes: float
    """The most memory that it had at once."""
    said: str


@dataclass
class Findings:
    """What is known of one description and its client."""

    name: str
    described: tuple[int, int]
    """Operations and component schemas, as the collection's index counts them."""
    covered: tuple[int, int] = (0, 0)
    """Operations and component schemas in the client."""
    untyped: int = 0
    seconds: float = 0
    megabytes: float = 0
    files: int = 0
    lines: int = 0
    longest_file: int = 0
    longest_name: int = 0
    modules: int = 0
    models: int = 0
    errors: dict[str, int] = field(default_factory=dict[str, int])
    """How many errors each type checker finds."""
    shortfalls: Counter[str] = field(default_factory=Counter[str])
    """The diagnostics of the run, by code."""
    failures: list[str] = field(default_factory=list[str])


def examine(entry: Entry, folder: Path) -> Findings:
    """Make the client of a description in a folder, and look at it from all sides."""
    found = Findings(entry.name, (entry.operations, entry.schemas))
    report = folder / "report.json"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "client"
    command = ["-m", "specloom", "generate", str(entry.path), "-o", str(target)]
    made = _measured([*command, "--report", str(report)], ROOT)
    found.seconds, found.megabytes = made.seconds, made.megabytes
    found.shortfalls.update(_CODE.findall(made.said))
    if made.status:
        found.failures.append(f"generate ended with {made.status}: {made.said[-2000:]}")
        return found
    (summary,) = json.loads(report.read_text("utf-8"))["clients"]
    found.covered = (summary["operations"]["emitted"], summary["schemas"]["emitted"])
    found.untyped = summary["untyped_leaves"]
    found.files, found.lines = summary["files"], summary["lines"]
    if found.covered[0] < found.described[0] or found.covered[1] < found.described[1]:
        found.failures.append(f"{found.covered} of {found.described} are in the client")
    again = _measured([*command, "--check"], ROOT)
    if again.status:
        found.failures.append("a second run changes what the first has made")
    _read(found, target)
    _import(found, target)
    _check(found, target)
    return found


def _read(found: Findings, client: Path) -> None:
    """Note the longest file and the longest name of what was made for this description."""
    for path in sorted((client / "src").rglob("*.py")):
        if "_runtime" not in path.parts:
            text = path.read_text("utf-8")
            found.longest_file = max(found.longest_file, text.count("\n"))
            found.longest_name = max([found.longest_name, *map(len, _names(ast.parse(text)))])
    if found.longest_name > 100:
        found.failures.append(f"a name has {found.longest_name} characters")


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case _:
                pass


def _import(found: Findings, client: Path) -> None:
    done = _measured(["-c", _IMPORT, str(client)], client)
    if done.status:
        found.failures.append(f"a module cannot be imported: {done.said[-500:]}")
    else:
        found.modules, found.models = map(int, done.said.split())


def _check(found: Findings, client: Path) -> None:
    venv = Path(sys.prefix)
    stated = {**_PYRIGHT, "venvPath": str(venv.parent), "venv": venv.name}
    (client / "pyrightconfig.json").write_text(json.dumps(stated), "utf-8")
    for checker, command in _CHECKERS.items():
        said = _measured(command, client).said
        lines = [one for one in said.splitlines() if re.search(r": error:| - error: ", one)]
        found.errors[checker] = len(lines)
        if lines:
            found.failures.append(f"{checker}: {lines[0]}")


def _measured(arguments: Sequence[str], folder: Path) -> Measure:
    """Run Python with arguments in a folder; return what that took, and all that it printed."""
    start = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    return Measure(process.returncode, seconds, used.ru_maxrss / 1024, said)
