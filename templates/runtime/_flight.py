"""A lock that threads and tasks share: one of them goes, and the others wait."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from copy import copy

import anyio

__all__ = ["Flight"]

POLL = 0.005


class Flight:
    """Lets one at a time do what needs doing once.

    Who waited is told of a failure of the one before, instead of failing again.
    """

    def __init__(self) -> None:
        """Begin with nobody on the way."""
        self._lock = threading.Lock()
        self._failures = 0
        self._failure: Exception | None = None

    @contextmanager
    def alone(self, seconds: float | None) -> Generator[bool]:
        """Wait for those before; False if that took more than so many ``seconds``."""
        seen = self._failures
        got = self._lock.acquire(timeout=-1 if seconds is None else max(seconds, 0))
        if not got:
            yield False
            return
        with self._held(seen):
            yield True

    @asynccontextmanager
    async def alone_async(self, seconds: float | None) -> AsyncGenerator[bool]:
        """Do as :meth:`alone` does.

        A thread that waits for a lock stops its event loop, and with it the task that
        holds the lock, perhaps. So a task looks again and again.
        """
        seen = self._failures
        ends = None if seconds is None else time.monotonic() + seconds
        while not self._lock.acquire(blocking=False):
            if ends is not None and time.monotonic() >= ends:
                yield False
                return
            await anyio.sleep(POLL)
        with self._held(seen):
            yield True

    @contextmanager
    def _held(self, seen: int) -> Generator[None]:
        try:
            if self._failure is not None and self._failures != seen:
                raise copy(self._failure) from self._failure.__cause__
            yield
        finally:
            self._lock.release()

    def failed(self, error: Exception) -> None:
        """Tell those who wait now of a failure; whoever comes later tries again."""
        self._failures += 1
        self._failure = copy(error)  # without the way that it took
        self._failure.__cause__ = error.__cause__
