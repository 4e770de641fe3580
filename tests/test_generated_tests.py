"""The tests beside each client pass, and pass type checkers: of the cases, and of ``generated``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

import runtime
from specloom import render
from specloom.diagnostics import Stop
from specloom.generate import Run, generate
from test_cases import ALL, Case

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "templates"
CLIENTS = sorted((ROOT / "generated").iterdir())
_PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib"]


def lay_out(case: Case, root: Path) -> None:
    """Write the client of a case with its tests, over a runtime that hands on the real one."""
    try:
        files = generate(Run(case.target())).files
    except Stop:
        return
    for path, text in files.items():
        if "_runtime" not in path.parts:
            inside = path if path.parts[0] == "src" else Path(case.folder.name, path)
            target = root / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
    (source,) = {Path(*path.parts[:2]) for path in files if path.parts[0] == "src"}
    handed_on = "".join(f"from runtime import {name} as {name}\n" for name in runtime.__all__)
    (root / source / "_runtime").mkdir()
    (root / source / "_runtime" / "__init__.py").write_text(handed_on)


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the clients of all cases: packages in ``src``, tests below their names.

    The templates are compiled once, and nobody validates: both take longer than these clients.
    """
    compiled = render.environment()

    def environment(*_: object) -> object:
        return compiled

    root = tmp_path_factory.mktemp("cases")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "environment", environment)
        patch.setattr(Run, "validation", nullcontext)
        for case in ALL:
            lay_out(case, root)
    return root


def test_those_of_the_cases_pass(cases: Path) -> None:
    finished = subprocess.run(
        [sys.executable, *_PYTEST, "-c", os.devnull, f"--rootdir={cases}", str(cases)],
        env={**os.environ, "PYTHONPATH": f"{cases / 'src'}:{TEMPLATES}"},
        cwd=cases,
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_those_of_the_cases_pass_mypy(cases: Path, pytestconfig: pytest.Config) -> None:
    cache = pytestconfig.cache
    assert cache is not None
    command = "-m mypy --strict --python-version 3.11 --follow-imports silent --config-file="
    places = ["--explicit-package-bases", "--exclude=^src/", "."]
    finished = subprocess.run(
        [sys.executable, *command.split(), f"--cache-dir={cache.mkdir('mypy_tests')}", *places],
        env={"MYPYPATH": f"{cases / 'src'}:{TEMPLATES}"},
        cwd=cases,
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_those_of_the_cases_pass_pyright(cases: Path) -> None:
    settings = {
        "include": ["."],
        "exclude": ["src"],
        "extraPaths": ["src", str(TEMPLATES)],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
    }
    (cases / "pyrightconfig.json").write_text(json.dumps(settings))
    finished = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "-p", str(cases)],
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr


@pytest.mark.parametrize("client", CLIENTS, ids=[client.name for client in CLIENTS])
def test_those_of_a_committed_client_pass(client: Path) -> None:
    finished = subprocess.run(
        [sys.executable, *_PYTEST], cwd=client, capture_output=True, text=True
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
