"""The tests beside each client pass: those of the cases, and those of the committed clients."""

from __future__ import annotations

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


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile the templates once, and let nobody validate: both take longer than these clients."""
    compiled = render.environment()

    def environment(*_: object) -> object:
        return compiled

    monkeypatch.setattr(render, "environment", environment)
    monkeypatch.setattr(Run, "validation", nullcontext)


@pytest.mark.usefixtures("quick")
def test_those_of_the_cases_pass(tmp_path: Path) -> None:
    for case in ALL:
        lay_out(case, tmp_path)
    places = f"{tmp_path / 'src'}:{TEMPLATES}"
    finished = subprocess.run(
        [sys.executable, *_PYTEST, "-c", os.devnull, f"--rootdir={tmp_path}", str(tmp_path)],
        env={**os.environ, "PYTHONPATH": places},
        cwd=tmp_path,
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
