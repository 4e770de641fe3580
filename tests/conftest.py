"""Fixtures and options that every kind of test may use."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that ``make snapshots`` uses."""
    parser.addoption("--update", action="store_true", help="rewrite the goldens of tests/cases")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of documents that are too large, or not ours, to lie in the project."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip(f"needs the collection of real descriptions, which is not at {folder}")
    return folder
