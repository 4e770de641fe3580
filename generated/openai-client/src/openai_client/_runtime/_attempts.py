"""The attempts of one call: how many were made, and what follows a failed one.

The drivers share this; here are the clock, the dice and the log that the pure parts do
without.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Generator
from contextlib import contextmanager

import anyio
import httpx2

from ._bodies import Content
from ._errors import APITimeoutError
from ._limit import Shrinking
from ._request import Limits, bounded
from ._retry import delay
from ._watch import UNWATCHED, Watch

__all__ = ["Attempts"]

# The runtime is part of the client's package: the log should carry the client's name.
logger = logging.getLogger(__name__.rpartition("._runtime")[0] or __name__)


class Attempts:
    """Counts the attempts of one call and decides whether another follows."""

    def __init__(
        self,
        operation: str,
        limit: int,
        deadline: float | None,
        content: Content = None,
        watch: Watch = UNWATCHED,
    ) -> None:
        """Begin a call that may be tried ``limit`` more times in ``deadline`` s.

        It is not tried again when its ``content`` can only be sent once and was.
        ``watch`` is told how it goes.
        """
        self.operation = operation
        self.limit = limit
        self.made = 0
        self.content = content
        self.watch = watch
        # One that has passed already is no mistake: the call is merely too late.
        seconds = bounded(None if deadline is None else max(deadline, 0.0))
        self.ends = None if seconds is None else time.monotonic() + seconds

    @property
    def seconds_left(self) -> float | None:
        """How long the call may still take, or None if nobody cares."""
        return None if self.ends is None else self.ends - time.monotonic()

    @property
    def can_repeat(self) -> bool:
        """Whether the content can be sent again, should that be of use."""
        return isinstance(self.content, bytes | None) or not self.content.spent

    def limits(self, limits: Limits) -> Limits:
        """Shorten the timeouts of the next attempt to what the call has left.

        Raises APITimeoutError when that is nothing.
        """
        if self.ends is None:
            return limits
        if self.ends <= time.monotonic():
            raise self.overdue(None)
        return Shrinking(limits, self.ends)

    @contextmanager
    def in_time(self, request: httpx2.Request) -> Generator[None]:
        """Bound what is awaited in here by what the call has left.

        Raises APITimeoutError when that was not enough.
        """
        left = self.seconds_left
        if left is None:
            yield
            return
        with anyio.move_on_after(max(left, 0)) as scope:
            yield
        if scope.cancelled_caught:
            raise self.overdue(request)

    def overdue(self, request: httpx2.Request | None) -> APITimeoutError:
        """Make the error of a call that has used up its time."""
        return APITimeoutError(
            request, message=f"{self.operation} did not end before its deadline."
        )

    def pause(self, outcome: httpx2.Response | httpx2.RequestError) -> float | None:
        """Say how many seconds to wait before the next attempt; None: there is none.

        Counts the attempt that ended with ``outcome``.
        """
        now, jitter = time.time(), random.random()
        if isinstance(outcome, httpx2.Response):
            what = str(outcome.status_code)
            pause = delay(
                self.made,
                self.limit,
                status=outcome.status_code,
                headers=outcome.headers,
                now=now,
                jitter=jitter,
            )
        elif _is_lasting(outcome):
            what, pause = type(outcome).__name__, None
        else:
            what = type(outcome).__name__
            dropped = not isinstance(
                outcome, httpx2.TimeoutException | httpx2.ConnectError
            )
            pause = delay(
                self.made, self.limit, dropped=dropped, now=now, jitter=jitter
            )
        left = self.seconds_left
        if pause is not None and left is not None and pause >= left:
            pause = None
        if not self.can_repeat:
            pause = None
        self._log(what, pause)
        self.made += 1
        return pause

    def succeeded(self, response: httpx2.Response) -> None:
        """Note that an attempt brought an answer."""
        self._log(response.status_code, None)

    def _log(self, what: object, pause: float | None) -> None:
        if not logger.isEnabledFor(logging.DEBUG):
            return
        # Never more than this: URLs, headers and bodies hold secrets.
        then = "" if pause is None else f"; trying again in {pause:.3f} s"
        place = f"attempt {self.made + 1} of {self.limit + 1}"
        logger.debug("%s: %s at %s%s", self.operation, what, place, then)


def _is_lasting(error: httpx2.RequestError) -> bool:
    """Whether the same request would fail the same way again."""
    return not isinstance(error, httpx2.TransportError) or isinstance(
        error, httpx2.LocalProtocolError | httpx2.UnsupportedProtocol
    )
