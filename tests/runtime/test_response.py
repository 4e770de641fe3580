"""Answers as they came, and the values in them."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, cast

import anyio
import httpx2
import pytest

from runtime import (
    APIConnectionError,
    APIResponse,
    AsyncAPIResponse,
    RequestOptions,
    async_raw,
    async_streamed,
    raw,
    streamed,
)

REQUEST = httpx2.Request("GET", "http://h/x?a=1")
CONTENT = '{"a":"ü"}\nnext'.encode()


class Body(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A body that comes in two pieces, or breaks off after the first."""

    def __init__(self, *, breaks: bool = False) -> None:
        self.breaks = breaks

    def __iter__(self) -> Iterator[bytes]:
        yield CONTENT[:4]
        if self.breaks:
            raise httpx2.ReadError("broke")
        yield CONTENT[4:]

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece


def response(*, breaks: bool = False) -> httpx2.Response:
    headers = {"content-type": "application/json", "X-Thing": "1"}
    return httpx2.Response(201, headers=headers, stream=Body(breaks=breaks), request=REQUEST)


def wrapped(parse: Callable[[], int] = lambda: 7, **more: Any) -> APIResponse[int]:
    return APIResponse(response(**more), parse, retries_taken=2, request_id="req-1", reads=True)


def test_tells_everything_about_the_answer() -> None:
    answer = wrapped()
    assert answer.status_code == 201
    assert answer.headers["x-thing"] == "1"
    assert answer.retries_taken == 2
    assert answer.request_id == "req-1"
    assert answer.method == "GET"
    assert str(answer.url) == "http://h/x?a=1"
    assert answer.http_request is REQUEST
    assert answer.http_response.status_code == 201
    assert repr(answer) == "<APIResponse [201] application/json>"
    assert not answer.is_closed
    assert answer.read() == CONTENT
    assert answer.is_closed


def test_reads_in_every_way() -> None:
    assert wrapped().text() == CONTENT.decode()
    assert b"".join(wrapped().iter_bytes(3)) == CONTENT
    assert "".join(wrapped().iter_text()) == CONTENT.decode()
    assert list(wrapped().iter_lines()) == ['{"a":"ü"}', "next"]
    with pytest.raises(ValueError, match="Extra data"):
        wrapped().json()


def test_parses_once() -> None:
    seen: list[int] = []

    def parse() -> int:
        seen.append(1)
        return len(seen)

    answer = wrapped(parse)
    assert (answer.parse(), answer.parse()) == (1, 1)
    assert answer.http_response.content == CONTENT


def test_a_broken_connection_is_an_error_of_the_client() -> None:
    reads: list[Callable[[APIResponse[int]], object]] = [
        lambda answer: answer.read(),
        lambda answer: answer.text(),
        lambda answer: answer.parse(),
        lambda answer: list(answer.iter_lines()),
    ]
    for read in reads:
        with pytest.raises(APIConnectionError) as caught:
            read(wrapped(breaks=True))
        assert isinstance(caught.value.__cause__, httpx2.ReadError)


def test_can_be_closed_at_any_time() -> None:
    answer = wrapped()
    answer.close()
    answer.close()
    assert answer.is_closed


def test_asynchronously_it_is_the_same() -> None:
    def make(**more: Any) -> AsyncAPIResponse[int]:
        return AsyncAPIResponse(
            response(**more), lambda: 7, retries_taken=0, request_id=None, reads=True
        )

    async def main() -> None:
        answer = make()
        assert await answer.parse() == await answer.parse() == 7
        assert await answer.read() == CONTENT
        assert await make().text() == CONTENT.decode()
        assert b"".join([piece async for piece in make().iter_bytes()]) == CONTENT
        assert "".join([piece async for piece in make().iter_text()]) == CONTENT.decode()
        assert [line async for line in make().iter_lines()] == ['{"a":"ü"}', "next"]
        with pytest.raises(ValueError, match="Extra data"):
            await make().json()
        with pytest.raises(APIConnectionError):
            await make(breaks=True).read()
        closed = make()
        await closed.close()
        await closed.aclose()
        assert closed.is_closed

    anyio.run(main)


class Pets:
    """A resource as generated code has them."""

    def __init__(self) -> None:
        self.asked: list[RequestOptions | None] = []
        self.answer = wrapped()

    def get(self, name: str, *, options: RequestOptions | None = None) -> int:
        """Get a pet."""
        self.asked.append(options)
        return cast("int", self.answer)

    async def get_async(self, name: str, *, options: RequestOptions | None = None) -> int:
        """Get a pet."""
        self.asked.append(options)
        parts = AsyncAPIResponse(
            response(), lambda: 7, retries_taken=0, request_id=None, reads=True
        )
        return cast("int", self.answer if options and options.mode == "raw" else parts)


def test_wrapped_methods_look_like_the_methods() -> None:
    pets = Pets()
    wrapped_methods: list[Callable[..., object]] = [
        raw(pets.get),
        streamed(pets.get),
        async_raw(pets.get_async),
        async_streamed(pets.get_async),
    ]
    for method in wrapped_methods:
        assert inspect.signature(method) == inspect.signature(pets.get)
        assert method.__doc__ == "Get a pet."
    assert inspect.iscoroutinefunction(async_raw(pets.get_async))


def test_raw_asks_for_the_answer() -> None:
    pets = Pets()
    assert raw(pets.get)("a").parse() == 7
    assert raw(pets.get)("a", options=RequestOptions(max_retries=5)).parse() == 7
    assert pets.asked == [
        RequestOptions(mode="raw"),
        RequestOptions(mode="raw", max_retries=5),
    ]


def test_streamed_sends_on_entry_and_closes_on_exit() -> None:
    pets = Pets()
    context = streamed(pets.get)("a")
    assert pets.asked == []
    with context as answer:
        assert pets.asked == [RequestOptions(mode="streamed")]
        assert not answer.is_closed
    assert answer.is_closed
    with pytest.raises(ZeroDivisionError), streamed(Pets().get)("a") as answer:
        _ = 1 / 0
    assert answer.is_closed


def test_the_asynchronous_wrappers_do_the_same() -> None:
    pets = Pets()

    async def main() -> None:
        got: Awaitable[APIResponse[int]] = async_raw(pets.get_async)("a")
        assert (await got).parse() == 7
        context = async_streamed(pets.get_async)("a")
        assert len(pets.asked) == 1
        async with context as answer:
            assert await answer.parse() == 7
            assert [o.mode for o in pets.asked if o] == ["raw", "streamed"]
        assert answer.is_closed

    anyio.run(main)
