"""Room for types inside of types: pydantic calls itself for each level of them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

_CALLS: Final = 10_000
"""Enough for 300 levels of types, which take some 25 calls each."""

_STACK: Final = 64 * 2**20
"""Bytes, of which so many calls take a fraction; too few would end the process."""

_turn = threading.Lock()


def with_room(build: Callable[[], T]) -> T:
    """Call ``build``; should it nest its calls too deep for Python, again with room.

    Raises RecursionError when that is not enough either.
    """
    try:
        return build()
    except RecursionError:
        with _turn:
            return _apart(build)


def _apart(build: Callable[[], T]) -> T:
    """Call in a thread of its own: the stack of this one is as large as it is."""
    built: list[T] = []
    failed: list[BaseException] = []

    def call() -> None:
        try:
            built.append(build())
        except BaseException as error:
            failed.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK)
    sys.setrecursionlimit(max(limit, _CALLS))
    try:
        thread = threading.Thread(target=call)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    if failed:
        raise failed[0]
    return built[0]
