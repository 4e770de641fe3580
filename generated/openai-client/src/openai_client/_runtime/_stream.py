"""Streams: the items of an answer, one by one, as the server sends them."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Generator, Iterator
from types import TracebackType
from typing import Any, Generic, Self, cast

import anyio
import httpx2
from typing_extensions import TypeVar

from ._answer import connection_error
from ._events import EventReader
from ._interrupts import raised_by_caller
from ._limit import LimitedBody, limitable
from ._pieces import Pieces
from ._sse import Event
from ._watch import UNWATCHED, Watch, told, told_async

__all__ = ["AsyncStream", "Stream"]

T = TypeVar("T")
W = TypeVar("W", default=Any)

# Most servers close the body right after the end mark. Reading that far keeps the
# connection for the next call; for those that do not, it is not worth waiting long.
DRAIN_SECONDS = 0.5
DRAIN_BYTES = 64 * 1024


class Stream(Generic[T, W]):
    """The items of an answer, to be iterated over while they arrive.

    Iterating raises APIError when the server reports an error, APIConnectionError when
    the connection breaks, APITimeoutError when the server falls silent, and
    APIResponseValidationError for an item that cannot be read. After that, and after
    its end, a stream has no more items; who goes on after waiting was interrupted gets
    an APIError. Leaving its ``with`` block, closing it or forgetting it ends the
    connection, if the stream has not been read to its end.
    """

    response: httpx2.Response
    """The answer; its body belongs to the stream."""

    def __init__(
        self,
        response: httpx2.Response,
        reader: EventReader[T, W],
        *,
        ends: float | None = None,
        watch: Watch = UNWATCHED,
    ) -> None:
        """Take over a response; by the monotonic time ``ends`` it must be read.

        ``watch`` is told if that fails.
        """
        self.response = response
        self._reader = reader
        self._items = _items(response, reader, ends)
        if watch is not UNWATCHED:
            self._items = _watched(self._items, watch)
        next(self._items)
        self._whole: list[W] = []

    @property
    def complete(self) -> bool:
        """Whether the end mark of the stream has come; without one, its end."""
        return self._reader.complete

    @property
    def last_event(self) -> Event | None:
        """What the last item came as: its data, and the event's name and id if any."""
        return self._reader.last

    def __iter__(self) -> Iterator[T]:
        """Go on with the items that have not been taken yet."""
        if self._reader.abandoned:
            raise self._reader.lost()
        return self._items

    def __next__(self) -> T:
        """Wait for the next item."""
        return next(iter(self))

    def final(self) -> W:
        """Read to the end, and give the object that all the items add up to.

        Raises as iterating does, TypeError for a stream whose items do not add up to
        anything, and APIError for one that was closed too early or held no item.
        """
        if not self._whole:
            for _ in self._items:
                pass
            self._whole.append(self._reader.whole())
        return self._whole[0]

    def close(self) -> None:
        """End the connection, if the stream has not been read to its end."""
        try:
            self._items.close()
        except ValueError:
            pass  # Another thread waits for the next item; it gets an error instead.
        self.response.close()

    def __enter__(self) -> Self:
        """Close the stream at the end of a block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the stream."""
        self.close()


def _items(
    response: httpx2.Response, reader: EventReader[T, W], ends: float | None
) -> Generator[T]:
    # Not a method: a frame that held the stream would keep a forgotten one alive.
    body = limitable(response)
    if body is not None and ends is not None:
        body.limit(max(ends - time.monotonic(), 0))
    pieces = response.iter_bytes()
    try:
        # Up to here it runs at once: only a generator that has begun closes its
        # response when it is forgotten. What it yields here is not an item.
        yield cast("T", None)
        for piece in pieces:
            yield from reader.feed(piece)
            if reader.complete:
                _drain(pieces, body)
                return
        if body is not None and body.expired:
            raise reader.overdue()
        yield from reader.finish()
    except httpx2.RequestError as cause:
        if (own := raised_by_caller(cause)) is not None:
            reader.abandoned = True
            raise own from None
        reader.failure = (
            reader.overdue()
            if body is not None and body.expired
            else connection_error(cause, response.request)
        )
        raise reader.failure from cause
    except Exception as error:
        reader.failure = error
        raise
    except GeneratorExit:  # closed, or forgotten
        raise
    except BaseException:
        reader.abandoned = True
        raise
    finally:
        response.close()


def _watched(items: Generator[T], watch: Watch) -> Generator[T]:
    """Give the same items, and tell of what breaks the stream."""
    try:
        yield from items
    except GeneratorExit:  # which is the caller's way of ending it
        raise
    except BaseException as error:
        told(watch.failed(error))
        raise


def _drain(pieces: Iterator[bytes], body: LimitedBody | None) -> None:
    """Read what follows the end mark, but not for long and not much."""
    if body is None:
        return
    try:
        body.limit(DRAIN_SECONDS)
    except RuntimeError:
        return  # No more threads, so nothing would bound the wait.
    left = DRAIN_BYTES
    try:
        for piece in pieces:
            left -= len(piece)
            if left < 0:
                break
    except httpx2.RequestError:
        pass  # All items have come; the connection is lost, that is all.


class AsyncStream(Generic[T, W]):
    """The items of an answer, to be iterated over while they arrive.

    Iterating raises APIError when the server reports an error, APIConnectionError when
    the connection breaks, APITimeoutError when the server falls silent, and
    APIResponseValidationError for an item that cannot be read. After that, and after
    its end, a stream has no more items; who goes on after waiting was cancelled gets an
    APIError. Leaving its ``async with`` block or closing it ends the connection, if the
    stream has not been read to its end.
    """

    response: httpx2.Response
    """The answer; its body belongs to the stream."""

    def __init__(
        self,
        response: httpx2.Response,
        reader: EventReader[T, W],
        *,
        ends: float | None = None,
        watch: Watch = UNWATCHED,
    ) -> None:
        """Take over a response; by the monotonic time ``ends`` it must be read.

        ``watch`` is told if that fails.
        """
        self.response = response
        self._reader = reader
        self._ends = ends
        self._pieces = Pieces(response)
        self._ready: Iterator[T] = iter(())
        self._watch = watch
        self._closed = False
        self._whole: list[W] = []

    @property
    def complete(self) -> bool:
        """Whether the end mark of the stream has come; without one, its end."""
        return self._reader.complete

    @property
    def last_event(self) -> Event | None:
        """What the last item came as: its data, and the event's name and id if any."""
        return self._reader.last

    def __aiter__(self) -> AsyncIterator[T]:
        """Go on with the items that have not been taken yet."""
        return self

    async def __anext__(self) -> T:
        """Wait for the next item."""
        try:
            while True:
                for item in self._ready:
                    return item
                if self._closed:
                    break
                await self._more()
        except httpx2.RequestError as cause:
            failure = connection_error(cause, self.response.request)
            self._reader.failure = failure
            await self._fail(failure)
            raise failure from cause
        except Exception as error:
            self._reader.failure = error
            await self._fail(error)
            raise
        except BaseException as error:
            self._reader.abandoned = True
            await self._fail(error)
            raise
        if self._reader.abandoned:
            raise self._reader.lost()
        raise StopAsyncIteration

    async def _fail(self, error: BaseException) -> None:
        await self.close()
        await told_async(self._watch.failed(error))

    async def _more(self) -> None:
        """Read on, until there may be an item or the stream is closed."""
        if self._reader.complete:
            await self._drain()
            await self.close()
        elif (piece := await self._piece()) is not None:
            self._ready = self._reader.feed(piece)
        else:
            await self._pieces.aclose()
            self._ready = self._reader.finish()
            self._closed = True

    async def _piece(self) -> bytes | None:
        if self._ends is None:
            return await self._pieces.next()
        try:
            with anyio.fail_after(max(self._ends - time.monotonic(), 0)):
                return await self._pieces.next()
        except TimeoutError as error:
            raise self._reader.overdue() from error

    async def _drain(self) -> None:
        """Read what follows the end mark, but not for long and not much."""
        left = DRAIN_BYTES
        with anyio.move_on_after(DRAIN_SECONDS):
            try:
                while left > 0 and (piece := await self._pieces.next()) is not None:
                    left -= len(piece)
            except httpx2.RequestError:
                pass  # All items have come; the connection is lost, that is all.

    async def final(self) -> W:
        """Read to the end, and give the object that all the items add up to.

        Raises as iterating does, TypeError for a stream whose items do not add up to
        anything, and APIError for one that was closed too early or held no item.
        """
        if not self._whole:
            async for _ in self:
                pass
            self._whole.append(self._reader.whole())
        return self._whole[0]

    async def close(self) -> None:
        """End the connection, if the stream has not been read to its end."""
        self._closed = True
        self._ready = iter(())
        await self._pieces.aclose()

    async def aclose(self) -> None:
        """Do as :meth:`close` does."""
        await self.close()

    async def __aenter__(self) -> Self:
        """Close the stream at the end of a block."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the stream."""
        await self.close()
