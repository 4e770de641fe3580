"""Connections that look at the clock, and notice answers that nobody has asked for.

A timeout bounds how long the next bytes may take; but the head of an answer can come in
many pieces, with any number of interim answers before it, and httpx2 waits for each of
them equally long. What a server sends beyond the end of an answer, httpx2 takes for the
answer to the next request on that connection, which may be somebody else's.

The connections of an HTTP client that the caller has made do neither.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import httpx2

from ._limit import ends_of

__all__ = ["early", "head_in_time", "is_early", "prepare", "prepare_async"]


class _Due(threading.local):
    ends: float | None = None


_due = _Due()


@contextmanager
def head_in_time(request: httpx2.Request) -> Generator[None]:
    """Bound what this thread reads in here by the deadline of a request, if any."""
    _due.ends = ends_of(request)
    try:
        yield
    finally:
        _due.ends = None


class _Line:
    """What goes over a connection."""

    def __init__(self, connection: Any) -> None:
        self.kind: Any = type(connection)
        # The connection holds this: the other way round, none would ever be forgotten.
        self.itself: Any = weakref.proxy(connection)
        self.has_heard = True
        """Whether something has come since something was last sent."""


class _SyncLine(_Line):
    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if (ends := _due.ends) is not None:
            left = ends - time.monotonic()
            if left <= 0:
                raise httpx2.ReadTimeout("The answer did not begin in time.")
            timeout = left if timeout is None else min(timeout, left)
        received: bytes = self.kind.read(self.itself, max_bytes, timeout)
        self.has_heard = True
        return received

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.has_heard = False
        self.kind.write(self.itself, buffer, timeout)


class _AsyncLine(_Line):
    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        received: bytes = await self.kind.read(self.itself, max_bytes, timeout)
        self.has_heard = True
        return received

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.has_heard = False
        await self.kind.write(self.itself, buffer, timeout)


def prepare(connection: Any) -> None:
    """Have a connection, which was just opened, go by :func:`head_in_time`."""
    line = _SyncLine(connection)
    connection.read, connection.write = line.read, line.write


def prepare_async(connection: Any) -> None:
    """Have a connection of an event loop, which was just opened, know what it does."""
    line = _AsyncLine(connection)
    connection.read, connection.write = line.read, line.write


def is_early(response: httpx2.Response) -> bool:
    """Whether an answer was there before its request."""
    connection = response.extensions.get("network_stream")
    line = getattr(getattr(connection, "read", None), "__self__", None)
    return isinstance(line, _Line) and not line.has_heard


def early(request: httpx2.Request) -> httpx2.RemoteProtocolError:
    """Make the error that such an answer to a ``request`` stands for."""
    message = "The server sent more than the answer to an earlier request."
    return httpx2.RemoteProtocolError(message, request=request)
