"""Time limits on what the network takes, without asyncio.

httpx2 settles how long to wait for the next bytes of a body when it sends a request. To
stop earlier, another thread has to shut down the socket under the one that waits.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import timedelta

import httpx2

__all__ = [
    "LimitedBody",
    "Shrinking",
    "ends_of",
    "is_overdue",
    "limit",
    "limitable",
    "read_by",
]


class Shrinking(Mapping[str, float | None]):
    """Timeouts that a deadline shortens; httpx2 looks each up when its step begins."""

    def __init__(self, limits: Mapping[str, float | None], ends: float) -> None:
        """Shorten ``limits`` to what is left until the monotonic time ``ends``."""
        self.ends = ends
        self._limits = limits

    def __getitem__(self, step: str) -> float | None:
        left = max(self.ends - time.monotonic(), 0.001)
        limit = self._limits[step]
        return left if limit is None else min(limit, left)

    def __iter__(self) -> Iterator[str]:
        return iter(self._limits)

    def __len__(self) -> int:
        return len(self._limits)


def ends_of(request: httpx2.Request) -> float | None:
    """Return the monotonic time by which a request has to be answered, if any."""
    limits = request.extensions.get("timeout")
    return limits.ends if isinstance(limits, Shrinking) else None


class LimitedBody(httpx2.SyncByteStream):
    """The body of a response, on which a time limit can be set while it is read."""

    def __init__(self, body: httpx2.SyncByteStream, connection: socket.socket) -> None:
        """Wrap a body that comes over ``connection``."""
        self.expired = False
        """Whether the limit was reached before the body was closed."""
        self._body = body
        self._connection = connection
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._closed = False

    @property
    def elapsed(self) -> timedelta | None:
        """The time from request to end, which httpx2 looks for here."""
        elapsed: timedelta | None = getattr(self._body, "elapsed", None)
        return elapsed

    def limit(self, seconds: float) -> None:
        """Give the rest of the body this long, instead of any limit set before."""
        self._cancel()
        timer = threading.Timer(seconds, self._expire)
        timer.daemon = True
        self._timer = timer
        timer.start()

    def __iter__(self) -> Iterator[bytes]:
        """Read the body."""
        return iter(self._body)

    def close(self) -> None:
        """Lift the limit, then close the body.

        In this order: closing hands the connection back for others to use, and from
        then on nobody here may touch it.
        """
        with self._lock:
            self._closed = True
        self._cancel()
        self._body.close()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expire(self) -> None:
        with self._lock:
            if self._closed:
                return
            self.expired = True
            try:
                # Not the method of a TLS socket: it takes the TLS away, too, from
                # under the thread that is about to read.
                socket.socket.shutdown(self._connection, socket.SHUT_RDWR)
            except OSError:
                pass  # The other side was faster.


def limitable(response: httpx2.Response) -> LimitedBody | None:
    """Make it possible to limit the reading of a response.

    It is not, and None is returned, where a connection carries more than one response
    (HTTP/2) or where there is no connection (a mock).
    """
    body = response.stream
    if isinstance(body, LimitedBody):
        return body
    network = response.extensions.get("network_stream")
    if (
        network is None
        or response.http_version not in ("HTTP/1.0", "HTTP/1.1")
        or not isinstance(body, httpx2.SyncByteStream)
    ):
        return None
    connection = network.get_extra_info("socket")
    if not isinstance(connection, socket.socket):
        return None
    limited = LimitedBody(body, connection)
    response.stream = limited
    return limited


def is_overdue(response: httpx2.Response) -> bool:
    """Whether the body of a response was cut off by the limit that it had."""
    body = response.stream
    return isinstance(body, LimitedBody) and body.expired


def read_by(
    response: httpx2.Response, ends: float, overdue: Callable[[], Exception]
) -> None:
    """Read a response to its end, and close it.

    Raises what ``overdue`` makes when it is not there by the monotonic time ``ends``:
    timeouts bound each step, but not how many steps a body takes.
    """
    with closing(response):
        limit(response, ends)
        try:
            response.read()
        except httpx2.RequestError as error:
            if is_overdue(response):
                raise overdue() from error
            raise
        if is_overdue(response):
            raise overdue()


def limit(response: httpx2.Response, ends: float) -> None:
    """Give a response until the monotonic time ``ends`` to come to its end."""
    body = limitable(response)
    if body is not None:
        body.limit(max(ends - time.monotonic(), 0))
