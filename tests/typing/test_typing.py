"""What type checkers say about programs that use the client (behaviours S1 and S2)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, TypeAlias

import pytest

HERE = Path(__file__).parent
PROGRAMS = ("ordinary_use.py", "mistakes.py", "depot_use.py", "depot_mistakes.py")
CLIENTS = HERE.parents[1] / "generated"
PACKAGES = [str(CLIENTS / name / "src") for name in ("openai-client", "depot-client")]

Place: TypeAlias = tuple[str, int]
"""A file and a line, from 1."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The programs in a folder of their own, where no setting of this project reaches them."""
    for name in PROGRAMS:
        shutil.copy(HERE / name, tmp_path)
    return tmp_path


def test_mypy_finds_each_mistake_and_nothing_else(project: Path) -> None:
    command = ["mypy", "--strict", "--output=json", f"--cache-dir={project / 'cache'}", *PROGRAMS]
    found: dict[Place, list[str]] = {}
    for line in run(command, project).splitlines():
        one = json.loads(line)
        if one["severity"] == "error":
            found.setdefault((one["file"], one["line"]), []).append(one["message"])
    assert_marked(found)


def test_pyright_finds_each_mistake_and_nothing_else(project: Path) -> None:
    settings = {
        "include": list(PROGRAMS),
        "extraPaths": PACKAGES,
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
    }
    (project / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = ["pyright", "--outputjson", "--pythonpath", sys.executable]
    found: dict[Place, list[str]] = {}
    diagnostics: list[dict[str, Any]] = json.loads(run(command, project))["generalDiagnostics"]
    for one in diagnostics:
        place = Path(one["file"]).name, one["range"]["start"]["line"] + 1
        found.setdefault(place, []).append(one["message"])
    assert_marked(found)


def run(command: list[str], project: Path) -> str:
    """Runs a checker in the folder; it finds something there."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=project,
        env={**os.environ, "MYPYPATH": os.pathsep.join(PACKAGES)},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def assert_marked(found: dict[Place, list[str]]) -> None:
    """Checks that there is something on each line that is marked, and only there."""
    marked = {
        (name, number)
        for name in PROGRAMS
        for number, line in enumerate((HERE / name).read_text(encoding="utf-8").splitlines(), 1)
        if line.endswith("# error")
    }
    false_alarms = {place: found[place] for place in found.keys() - marked}
    assert not false_alarms
    overlooked = marked - found.keys()
    assert not overlooked
