"""What the two drivers tell of a call while it is made. It awaits nothing itself."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import isawaitable, iscoroutine
from types import TracebackType

import httpx2

from ._errors import APIConnectionError

__all__ = [
    "UNWATCHED",
    "Watch",
    "told",
    "told_answer",
    "told_answer_async",
    "told_async",
]


class Watch:
    """A call that nobody watches, and the base of those that somebody does.

    Each method gives what the watchers return, one after another: :func:`told` runs
    through that, and :func:`told_async` also awaits it. As a context manager it tells
    of whatever the call ends with, unless that is a value.
    """

    def requested(self, request: httpx2.Request) -> Iterable[object]:
        """Tell of a request that is about to be sent."""
        return ()

    def answered(self, response: httpx2.Response) -> Iterable[object]:
        """Tell of the answer to it."""
        return ()

    def retried(
        self, reason: int | APIConnectionError, delay: float
    ) -> Iterable[object]:
        """Tell that it failed for a ``reason`` and is tried again in ``delay`` s."""
        return ()

    def failed(self, error: BaseException) -> Iterable[object]:
        """Tell that the call ends with an ``error``."""
        return ()

    def __enter__(self) -> None:
        """Watch what ends the block."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Tell of an error."""
        if error is not None:
            told(self.failed(error))

    async def __aenter__(self) -> None:
        """Watch what ends the block."""

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Tell of an error."""
        if error is not None:
            await told_async(self.failed(error))


UNWATCHED = Watch()


def told(outcomes: Iterable[object]) -> None:
    """Call hooks; raises TypeError for one that would have to be awaited."""
    for outcome in outcomes:
        if isawaitable(outcome):
            if iscoroutine(outcome):
                outcome.close()  # or Python complains that nobody awaited it
            raise TypeError("a hook of a synchronous client must not be asynchronous")


async def told_async(outcomes: Iterable[object]) -> None:
    """Call hooks, and await those that are asynchronous."""
    for outcome in outcomes:
        if isawaitable(outcome):
            await outcome


def told_answer(watch: Watch, response: httpx2.Response) -> None:
    """Tell of an answer, and close it if a hook puts an end to the call."""
    try:
        told(watch.answered(response))
    except BaseException:
        response.close()
        raise


async def told_answer_async(watch: Watch, response: httpx2.Response) -> None:
    """Do as :func:`told_answer` does."""
    try:
        await told_async(watch.answered(response))
    except BaseException:
        await response.aclose()
        raise
