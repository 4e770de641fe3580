"""Streams, from the bytes of a body to items and to the whole."""

from __future__ import annotations

import gc
import json
import pickle
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

import anyio
import httpx2
import pytest

from runtime import (
    APIConnectionError,
    APIError,
    APIResponseValidationError,
    AsyncStream,
    BaseModel,
    Deviation,
    Events,
    Fold,
    Profile,
    Stream,
)
from runtime._answer import Reader
from runtime._events import EventReader

PROFILE = Profile(title="Test", package="test", version="1", error_envelope="error")
REQUEST = httpx2.Request("POST", "http://h/x", headers={"Authorization": "Bearer sk-secret"})


class Delta(BaseModel):
    index: int
    text: str


class Chunk(BaseModel):
    id: str
    parts: list[Delta]


class Whole(BaseModel):
    id: str
    parts: list[Delta]


EVENTS = Events(Chunk, final=Fold(Whole), end="[DONE]")
DONE = b"data: [DONE]\n\n"
WIDE = "\N{LATIN SMALL LETTER U WITH DIAERESIS}\N{GRINNING FACE}"


def event(text: str) -> bytes:
    value = {"id": "c", "parts": [{"index": 0, "text": text}]}
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


class Body(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A body in given pieces; an exception among them is raised in its turn."""

    def __init__(self, pieces: Sequence[bytes | Exception]) -> None:
        self.pieces = pieces
        self.read = 0
        self.closed = False

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            self.read += 1
            if isinstance(piece, Exception):
                raise piece
            yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece

    def close(self) -> None:
        self.closed = True

    async def aclose(self) -> None:
        self.closed = True


def reading(
    body: Body, events: Events[Any, Any] = EVENTS, reader: Reader | None = None, **more: Any
) -> tuple[httpx2.Response, EventReader[Any, Any]]:
    response = httpx2.Response(200, headers={"x-request-id": "req-1"}, stream=body, request=REQUEST)
    return response, EventReader(response, events, reader or Reader(PROFILE), "POST /x", **more)


def stream(*pieces: bytes | Exception, **more: Any) -> Stream[Chunk, Whole]:
    return Stream(*reading(Body(pieces), **more))


def texts(items: Iterator[Chunk]) -> list[str]:
    return [part.text for item in items for part in item.parts]


# What the bytes of a stream mean, however they are cut.


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_items_do_not_depend_on_how_the_body_is_cut(size: int) -> None:
    body = b"\xef\xbb\xbf" + event(WIDE) + b": ping\r\n\r\n" + event("b") + DONE
    pieces = [body[i : i + size] for i in range(0, len(body), size)]
    got = stream(*pieces)
    assert texts(got) == [WIDE, "b"]
    assert got.complete


def test_the_first_item_is_there_before_the_second_is_read() -> None:
    body = Body([event("a"), event("b"), DONE])
    got = Stream(*reading(body))
    assert next(got).id == "c"
    assert body.read == 1


def test_nothing_comes_after_the_end_mark() -> None:
    got = stream(event("a") + b"data:  [DONE] \n\n" + event("b"), event("c"))
    assert texts(got) == ["a"]
    assert got.complete
    assert next(got, None) is None


def test_the_end_mark_may_miss_its_blank_line() -> None:
    got = stream(event("a"), b"data: [DONE]")
    assert texts(got) == ["a"]
    assert got.complete


def test_a_stream_without_its_end_mark_is_incomplete() -> None:
    got = stream(event("a"))
    assert texts(got) == ["a"]
    assert not got.complete
    required = stream(event("a"), require_end=True)
    assert next(required).id == "c"
    with pytest.raises(APIConnectionError, match="end mark"):
        next(required)
    assert texts(stream(event("a"), DONE, require_end=True)) == ["a"]


def test_without_a_declared_mark_the_end_is_the_end() -> None:
    got = stream(event("a"), events=Events(Chunk))
    assert texts(got) == ["a"]
    assert got.complete


@pytest.mark.parametrize("name", [b"", b"event: error\n"])
def test_an_error_event_ends_the_stream(name: bytes) -> None:
    error = b'{ "error": {"message": "sk-secret is out", "code": "over", "type": "t"}}'
    got = stream(event("a"), name + b"data: " + error + b"\n\n", event("b"))
    assert next(got).id == "c"
    with pytest.raises(APIError, match=r"^\[secret\] is out$") as caught:
        next(got)
    assert type(caught.value) is APIError
    assert (caught.value.code, caught.value.type) == ("over", "t")
    assert caught.value.body == {"message": "sk-secret is out", "code": "over", "type": "t"}
    assert caught.value.request_id == "req-1"
    assert list(got) == []


def test_an_event_named_error_is_one_whatever_it_holds() -> None:
    got = stream(b"event: error\ndata: out of luck\n\n")
    with pytest.raises(APIError, match="out of luck"):
        next(got)


def test_the_word_error_alone_is_no_error() -> None:
    got = stream(event('"error"'), b'data: {"id":"d","parts":[],"error":null}\n\n', DONE)
    assert [item.id for item in got] == ["c", "d"]


def test_an_item_that_cannot_be_read_ends_the_stream() -> None:
    got = stream(event("a"), b'data: {"id":\n\n', event("b"))
    assert next(got).id == "c"
    with pytest.raises(APIResponseValidationError, match="not the JSON") as caught:
        next(got)
    assert caught.value.body == '{"id":'
    assert pickle.loads(pickle.dumps(caught.value)).body == '{"id":'
    assert list(got) == []


@pytest.mark.parametrize("start", [b"", b"\n", b"\xef\xbb\xbf "])
def test_a_whole_document_is_one_item(start: bytes) -> None:
    got = stream(start, b'{"id": "c",', b' "parts": []}\n')
    assert [item.id for item in got] == ["c"]
    assert got.complete


def test_a_document_may_report_an_error() -> None:
    with pytest.raises(APIError, match="no") as caught:
        next(stream(b'{"error": {"message": "no"}}'))
    assert type(caught.value) is APIError


def test_a_page_for_people_is_no_stream() -> None:
    with pytest.raises(APIResponseValidationError, match="<html>"):
        next(stream(b"<html>"))


def test_departures_are_reported_or_refused() -> None:
    seen: list[Deviation] = []
    loose = Reader(PROFILE, on_deviation=seen.append)
    assert len(list(stream(b'data: {"id":1,"parts":[]}\n\n', DONE, reader=loose))) == 1
    assert [(d.path, d.operation, d.request_id) for d in seen] == [("$.id", "POST /x", "req-1")]
    strict = stream(b'data: {"id":1,"parts":[]}\n\n', reader=Reader(PROFILE, strict=True))
    with pytest.raises(APIResponseValidationError, match=r"\$\.id"):
        next(strict)


# How a stream fails and ends, in both flavours.


def test_a_broken_connection_is_an_error_of_the_client() -> None:
    got = stream(event("a"), httpx2.ReadError("broke"))
    assert next(got).id == "c"
    with pytest.raises(APIConnectionError) as caught:
        next(got)
    assert isinstance(caught.value.__cause__, httpx2.ReadError)
    assert list(got) == []
    with pytest.raises(APIConnectionError):
        got.final()


def test_other_exceptions_pass_through() -> None:
    with pytest.raises(ZeroDivisionError):
        next(stream(ZeroDivisionError("mine")))


@pytest.mark.parametrize("taken", [0, 1])
def test_a_forgotten_stream_closes_its_response(taken: int) -> None:
    body = Body([event("a"), event("b"), DONE])
    got = Stream(*reading(body))
    for _ in range(taken):
        next(got)
    assert not body.closed
    del got
    gc.collect()
    assert body.closed


def test_a_block_closes_its_stream_and_closing_twice_is_safe() -> None:
    body = Body([event("a"), event("b")])
    with Stream(*reading(body)) as got:
        next(got)
    assert body.closed
    got.close()
    assert list(got) == []
    with pytest.raises(APIError, match="closed before its end"):
        got.final()


def test_final_adds_up_what_was_and_what_was_not_taken() -> None:
    for taken in range(3):
        got = stream(event("a"), event("b"), DONE)
        for _ in range(taken):
            next(got)
        whole: Any = got.final()
        assert whole == Whole(id="c", parts=[Delta(index=0, text="ab")])
        assert whole._request_id == "req-1"  # what users write, too
        assert got.final() is whole


def test_final_needs_items_that_add_up() -> None:
    with pytest.raises(APIError, match="held no event"):
        stream(DONE).final()
    with pytest.raises(TypeError, match="do not add up"):
        stream(event("a"), events=Events(Chunk)).final()


Check = Callable[[AsyncStream[Chunk, Whole], Body], Any]


def asynchronously(check: Check, *pieces: bytes | Exception) -> None:
    async def main() -> None:
        body = Body(pieces)
        await check(AsyncStream(*reading(body)), body)

    for backend in ("asyncio", "trio"):
        anyio.run(main, backend=backend)


def test_asynchronously_items_come_as_well() -> None:
    async def check(got: AsyncStream[Chunk, Whole], body: Body) -> None:
        assert [part.text async for item in got for part in item.parts] == ["a", "b"]
        assert got.complete
        assert body.closed
        assert [item async for item in got] == []
        assert (await got.final()).parts[0].text == "ab"
        await got.close()
        await got.aclose()

    asynchronously(check, event("a"), event("b") + DONE)


def test_asynchronously_errors_come_as_well() -> None:
    async def check(got: AsyncStream[Chunk, Whole], body: Body) -> None:
        assert (await anext(got)).id == "c"
        with pytest.raises(APIError) as caught:
            await anext(got)
        assert type(caught.value) in (APIConnectionError, APIError, APIResponseValidationError)
        assert body.closed
        assert [item async for item in got] == []
        with pytest.raises(type(caught.value)):
            await got.final()

    asynchronously(check, event("a"), httpx2.ReadError("broke"))
    asynchronously(check, event("a"), b'data: {"error":{"message":"no"}}\n\n')
    asynchronously(check, event("a"), b"data: {\n\n")


def test_asynchronously_other_exceptions_pass_through() -> None:
    async def check(got: AsyncStream[Chunk, Whole], body: Body) -> None:
        with pytest.raises(ZeroDivisionError):
            await anext(got)
        assert body.closed

    asynchronously(check, ZeroDivisionError("mine"))


def test_asynchronously_a_block_closes_its_stream() -> None:
    async def check(got: AsyncStream[Chunk, Whole], body: Body) -> None:
        async with got:
            assert (await anext(got)).id == "c"
            assert body.read == 1
        assert body.closed
        assert [item async for item in got] == []
        with pytest.raises(APIError, match="closed before its end"):
            await got.final()

    asynchronously(check, event("a"), event("b"))


def test_a_forgotten_asynchronous_stream_closes_its_response() -> None:
    async def main() -> None:
        for taken in range(2):
            body = Body([event("a"), event("b")])
            got: AsyncStream[Any, Any] = AsyncStream(*reading(body))
            for _ in range(taken):
                await anext(got)
            del got
            gc.collect()
            await anyio.sleep(0.01)
            assert body.closed

    anyio.run(main)
