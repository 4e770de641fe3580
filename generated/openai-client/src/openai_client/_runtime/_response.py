"""Answers of the server as they came: status, headers, content, and the value in it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import anyio
import anyio.to_thread
import httpx2

from ._answer import connection_error
from ._errors import APIError, APITimeoutError
from ._interrupts import raised_by_caller
from ._limit import ends_of, is_overdue
from ._models import BaseModel

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from ._downloads import Progress

__all__ = ["APIResponse", "AsyncAPIResponse", "rest", "rest_async"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
M = TypeVar("M", bound=BaseModel)


class _Head(Generic[T_co]):
    """What is known of an answer before its content arrives."""

    def __init__(
        self,
        response: httpx2.Response,
        parse: Callable[[], T_co],
        *,
        retries_taken: int,
        request_id: str | None,
        reads: bool,
    ) -> None:
        """Wrap a response; ``parse`` makes its value, from the content if ``reads``."""
        self.http_response = response
        """The answer as httpx2 has it."""
        self.retries_taken = retries_taken
        """How many attempts failed before this answer came."""
        self.request_id = request_id
        """What the server calls the request, if it said."""
        self._parse = parse
        self._reads = reads
        self._value: list[T_co] = []

    @property
    def headers(self) -> httpx2.Headers:
        """The headers of the answer; names match in any case."""
        return self.http_response.headers

    def parse_headers(self, model: type[M]) -> M:
        """Read the headers as a model, as tolerantly as content is read.

        The models of headers are in ``models``; the documentation of a method names
        the one that its answers have.
        """
        from ._headers import read_headers  # rarely needed

        return read_headers(self.headers, model)

    @property
    def status_code(self) -> int:
        """The status of the answer."""
        return self.http_response.status_code

    @property
    def http_request(self) -> httpx2.Request:
        """The request as it was sent; its headers hold the credential."""
        return self.http_response.request

    @property
    def url(self) -> httpx2.URL:
        """Where the answer comes from, after redirects."""
        return self.http_response.url

    @property
    def method(self) -> str:
        """The HTTP method of the request."""
        return self.http_request.method

    @property
    def http_version(self) -> str:
        """The version of HTTP that the server speaks, such as ``HTTP/1.1``."""
        return self.http_response.http_version

    @property
    def elapsed(self) -> timedelta:
        """How long it took from the request to the end of the answer."""
        return self.http_response.elapsed

    @property
    def is_closed(self) -> bool:
        """Whether the answer has been read to its end, or given up."""
        return self.http_response.is_closed

    def __repr__(self) -> str:
        """Show the status and the type of the content."""
        media = self.headers.get("content-type")
        return f"<{type(self).__name__} [{self.status_code}] {media}>"


class APIResponse(_Head[T_co]):
    """An answer, read at once or as it arrives, and the value in it.

    Reading raises APIConnectionError when the connection breaks, APITimeoutError when
    the server falls silent, and APIError when there is nothing left to read.
    """

    def parse(self) -> T_co:
        """Make the value, as the plain method would have; made once, then kept."""
        if not self._value:
            if self._reads:
                self.read()
            self._value.append(self._parse())
        return self._value[0]

    def read(self) -> bytes:
        """Read the whole content."""
        with _reading(self.http_response):
            return self.http_response.read()

    def text(self) -> str:
        """Read the whole content as text."""
        self.read()
        return _readable(self.http_response).text

    def json(self) -> Any:
        """Read the whole content as JSON; raises ValueError when it is not."""
        self.read()
        return self.http_response.json()

    def iter_bytes(self, chunk_size: int | None = None) -> Iterator[bytes]:
        """Read the content piece by piece, decompressed."""
        with _reading(self.http_response):
            yield from self.http_response.iter_bytes(chunk_size)

    def iter_text(self, chunk_size: int | None = None) -> Iterator[str]:
        """Read the content piece by piece, as text."""
        with _reading(self.http_response):
            yield from _readable(self.http_response).iter_text(chunk_size)

    def iter_lines(self) -> Iterator[str]:
        """Read the content line by line, without the line ends."""
        with _reading(self.http_response):
            yield from _readable(self.http_response).iter_lines()

    def write_to(
        self, path: str | os.PathLike[str], *, progress: Progress | None = None
    ) -> Path:
        """Write the content to a file as it arrives, and give its path.

        The file appears when it is complete: what breaks off leaves nothing, and what
        was there before. ``progress`` is called with the number of bytes that have come
        and the number that there will be, None if the server did not say. Raises
        OSError for a file that cannot be written.
        """
        from ._downloads import Download  # rarely needed

        with Download(path, self.http_response, progress) as download:
            for piece in self.iter_bytes():
                download.write(piece)
                download.told()
        return download.path

    def close(self) -> None:
        """Give up what has not been read; safe to call at any time."""
        _close(self.http_response)


class AsyncAPIResponse(_Head[T_co]):
    """An answer read as it arrives, and the value in it.

    Reading raises APIConnectionError when the connection breaks, APITimeoutError when
    the server falls silent, and APIError when there is nothing left to read.
    """

    async def parse(self) -> T_co:
        """Make the value, as the plain method would have; made once, then kept."""
        if not self._value:
            if self._reads:
                await self.read()
            self._value.append(self._parse())
        return self._value[0]

    async def read(self) -> bytes:
        """Read the whole content."""
        return await _in_time(self.http_response, self.http_response.aread())

    async def text(self) -> str:
        """Read the whole content as text."""
        await self.read()
        return _readable(self.http_response).text

    async def json(self) -> Any:
        """Read the whole content as JSON; raises ValueError when it is not."""
        await self.read()
        return self.http_response.json()

    async def iter_bytes(self, chunk_size: int | None = None) -> AsyncIterator[bytes]:
        """Read the content piece by piece, decompressed."""
        pieces = self.http_response.aiter_bytes(chunk_size)
        async for piece in _each_in_time(self.http_response, pieces):
            yield piece

    async def iter_text(self, chunk_size: int | None = None) -> AsyncIterator[str]:
        """Read the content piece by piece, as text."""
        pieces = _readable(self.http_response).aiter_text(chunk_size)
        async for piece in _each_in_time(self.http_response, pieces):
            yield piece

    async def iter_lines(self) -> AsyncIterator[str]:
        """Read the content line by line, without the line ends."""
        lines = _readable(self.http_response).aiter_lines()
        async for line in _each_in_time(self.http_response, lines):
            yield line

    async def write_to(
        self, path: str | os.PathLike[str], *, progress: Progress | None = None
    ) -> Path:
        """Write the content to a file as it arrives, and give its path.

        The file appears when it is complete: what breaks off leaves nothing, and what
        was there before. ``progress`` is called with the number of bytes that have come
        and the number that there will be, None if the server did not say. Raises
        OSError for a file that cannot be written.
        """
        from ._downloads import Download  # rarely needed

        with Download(path, self.http_response, progress) as download:
            async for piece in self.iter_bytes():
                await anyio.to_thread.run_sync(download.write, piece)
                told = download.told()
                if isinstance(told, Awaitable):
                    await told
        return download.path

    async def close(self) -> None:
        """Give up what has not been read; safe to call at any time."""
        await self.http_response.aclose()

    async def aclose(self) -> None:
        """Do as :meth:`close` does."""
        await self.close()


def rest(response: httpx2.Response) -> bytes:
    """Read the body of an answer that failed, as far as it comes."""
    try:
        return response.read()
    except httpx2.RequestError:
        return b""


async def rest_async(response: httpx2.Response, seconds: float | None) -> bytes:
    """Do as :func:`rest` does, and wait no longer than so many ``seconds``."""
    with anyio.move_on_after(None if seconds is None else max(seconds, 0)):
        try:
            return await response.aread()
        except httpx2.RequestError:
            return b""
    await response.aclose()
    return b""


def _readable(response: httpx2.Response) -> httpx2.Response:
    """Have text read as UTF-8 that claims a charset that is none, such as ``hex``."""
    try:
        b"\xff".decode(response.encoding or "utf-8", "replace")
    except (LookupError, UnicodeError):
        response.encoding = "utf-8"
    return response


@contextmanager
def _reading(response: httpx2.Response) -> Generator[None]:
    try:
        yield
    except httpx2.StreamError as error:
        message = "The content was read already, or given up."
        raise APIError(message, response.request) from error
    except httpx2.RequestError as error:
        if is_overdue(response):
            raise _overdue(response) from error
        if (own := raised_by_caller(error)) is not None:
            raise own from None
        raise connection_error(error, response.request) from error
    if is_overdue(response):
        raise _overdue(response)


async def _in_time(response: httpx2.Response, waiting: Awaitable[T]) -> T:
    """Wait for something of a response, as long as its call may take."""
    ends = ends_of(response.request)
    with _reading(response):
        if ends is None:
            return await waiting
        with anyio.move_on_after(max(ends - time.monotonic(), 0)):
            return await waiting
    await response.aclose()
    raise _overdue(response)


async def _each_in_time(
    response: httpx2.Response, pieces: AsyncIterator[T]
) -> AsyncIterator[T]:
    while True:
        try:
            piece = await _in_time(response, anext(pieces))
        except StopAsyncIteration:
            return
        yield piece


def _overdue(response: httpx2.Response) -> APITimeoutError:
    message = "The answer did not end before the deadline of the call."
    return APITimeoutError(response.request, message=message)


def _close(response: httpx2.Response) -> None:
    # The raw answer of an asynchronous client has been read, hence closed, by then.
    if not response.is_closed:
        response.close()
