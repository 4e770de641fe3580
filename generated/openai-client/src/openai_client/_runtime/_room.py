"""Room for types inside of types: pydantic calls itself for each level of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

_CALLS: Final = 20_000
"""Enough for some 700 levels, of which a description seldom has ten."""


def with_room(build: Callable[[], T]) -> T:
    """Call ``build``; should it nest its calls too deep for Python, once more with room."""
    try:
        return build()
    except RecursionError:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(before, _CALLS))
        try:
            return build()
        finally:
            sys.setrecursionlimit(before)
