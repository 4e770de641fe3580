"""The folder that the tests of loading write descriptions to."""

from __future__ import annotations

from pathlib import Path

import pytest

from .desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """An empty folder to load descriptions from."""
    return Desk(tmp_path)
