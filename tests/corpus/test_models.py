"""``specloom models`` of real descriptions: every style imports, and each model can be used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from specloom.diagnostics import Report
from specloom.models.make import models
from specloom.reading import read
from specloom.run import Run
from unit.models import STYLES, imported, used

from .clients import entries

SAMPLE = ["museum", "prometheus-3.2"]


def check(name: str, shared: Path, folder: Path) -> None:
    """Make the models of a description in every style, use them, and let mypy read them."""
    entry = next(e for e in entries(shared) if e.name == name)
    reading = read(Run(entry.path))
    for style in STYLES:
        report = Report()
        text = models(reading.api, reading.config, reading.lock, style, report)
        assert not report.failed
        assert "models" not in {d.code for d in report.diagnostics}
        assert list(used(imported(text), style))
        (folder / f"of_{style}.py").write_text(text, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--python-version=3.11"]
    finished = subprocess.run(
        [*command, f"--cache-dir={folder / 'cache'}", str(folder)],
        capture_output=True,
        text=True,
        cwd=folder,
    )
    assert finished.returncode == 0, finished.stdout


@pytest.mark.parametrize("name", SAMPLE)
def test_models_of_a_sample_work(name: str, shared: Path, tmp_path: Path) -> None:
    check(name, shared, tmp_path)


@pytest.mark.corpus
def test_models_work(shared: Path, tmp_path: Path, description: str) -> None:
    check(description, shared, tmp_path)
