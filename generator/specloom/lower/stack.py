"""Room for schemas inside schemas: a level takes more calls than Python allows by default."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

_CALLS: Final = 5_000
"""Enough for what documents nest at most, some 200 levels, and little for the machine's stack."""


@contextmanager
def room() -> Generator[None]:
    """Let the body nest its calls deeper than Python's default."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _CALLS))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
