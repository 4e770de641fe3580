"""Fixtures and options that every kind of test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that ``make snapshots`` uses."""
    parser.addoption("--update", action="store_true", help="rewrite the goldens of tests/cases")


# How fast a machine is must not decide whether a test passes, nor chance whether CI does.
settings.register_profile(
    "project",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("project")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of documents that are too large, or not ours, to lie in the project."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip(f"needs the collection of real descriptions, which is not at {folder}")
    return folder
