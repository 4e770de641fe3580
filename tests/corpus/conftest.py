"""Every description of the collection, for tests that go through all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from .clients import entries


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each test that asks for a ``description`` the name of each of them in turn."""
    if "description" in metafunc.fixturenames:
        shared = Path(__file__).resolve().parents[3] / "shared"
        names = [entry.name for entry in entries(shared)] if shared.is_dir() else []
        metafunc.parametrize("description", names)
