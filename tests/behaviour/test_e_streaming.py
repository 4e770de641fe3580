"""E. Streams: chunks, ends, and what happens to the connection (behaviours 45, 54 to 60)."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from openai_client import APIConnectionError, APITimeoutError
from openai_client.models import ChatCompletionChunk, Completion

from .callers import Connect, trio_too
from .payloads import (
    PROMPT,
    TEXT,
    USAGE,
    WORDS,
    chunk,
    chunk_of,
    completion,
    spoken,
    text_completion,
)
from .server import (
    DONE,
    Server,
    Step,
    answer,
    close,
    frame,
    hold,
    http_chunk,
    pause,
    reset,
    stream,
    until,
)


@trio_too
def test_b45_chunks_usage_and_end(connect: Connect, server: Server) -> None:
    usage = chunk_of(usage=USAGE)
    pieces = [frame(chunk(word)) for word in WORDS]
    server.plays(stream(*pieces, frame(chunk(finish="stop")), frame(usage), DONE))

    chunks = connect().stream(stream_options={"include_usage": True})

    assert all(isinstance(one, ChatCompletionChunk) for one in chunks)
    assert spoken(chunks) == TEXT
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].choices == []
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.total_tokens == 13
    assert len(chunks) == len(WORDS) + 2
    assert server.request.json()["stream"] is True
    assert server.request.json()["stream_options"] == {"include_usage": True}


def test_b45_completions_endpoint(connect: Connect, server: Server) -> None:
    server.plays(stream(*[frame(text_completion(word)) for word in WORDS], DONE))

    told = list(connect().open_completion())

    assert all(isinstance(one, Completion) for one in told)
    assert "".join(one.choices[0].text for one in told) == TEXT
    assert server.request.json() == {**PROMPT, "stream": True}


@trio_too
@pytest.mark.parametrize("end", [close, reset], ids=["close", "reset"])
def test_b54_disconnect(connect: Connect, server: Server, end: Step) -> None:
    heard = threading.Event()
    server.plays(stream(frame(chunk("Hi")), until(heard), end))
    events = connect().open()
    assert next(events).choices[0].delta.content == "Hi"
    heard.set()

    with pytest.raises(APIConnectionError) as raised:
        next(events)

    assert raised.value.__cause__ is not None
    assert not isinstance(raised.value, APITimeoutError)
    assert len(server.requests) == 1


@trio_too
def test_b55_silence(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")), hold))
    events = connect().open(timeout=0.3)
    assert next(events).choices[0].delta.content == "Hi"
    start = time.monotonic()

    with pytest.raises(APITimeoutError):
        next(events)

    assert 0.2 <= time.monotonic() - start < 5
    assert len(server.requests) == 1
    assert server.connections[0].closed_by_client.wait(5)


@trio_too
def test_b56_connection_is_reused(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")), DONE, pause(0.02)))
    client = connect()

    for _ in range(5):
        assert spoken(client.stream()) == "Hi"

    assert [request.connection for request in server.requests] == [0] * 5


def test_b56_connection_is_reused_after_other_calls(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")), DONE), answer(completion()))
    client = connect()

    with client.open() as events:
        list(events)
    client.create()

    assert [request.connection for request in server.requests] == [0, 0]


@trio_too
def test_b57_server_that_does_not_end(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")), DONE, hold), answer(completion("Next.")))
    client = connect()
    events = client.open()
    assert next(events).choices[0].delta.content == "Hi"
    start = time.monotonic()

    assert list(events) == []

    assert time.monotonic() - start < 1.5
    assert server.connections[0].closed_by_client.wait(5)
    assert client.create().choices[0].message.content == "Next."


def test_b57_server_that_talks_on(connect: Connect, server: Server) -> None:
    def talk(exchange: Any) -> None:
        while not exchange.stopped:
            exchange.send(http_chunk(b": and on\n\n"))
            time.sleep(0.02)

    server.plays(stream(frame(chunk("Hi")), DONE, talk), answer(completion("Next.")))
    client = connect()
    start = time.monotonic()

    assert spoken(client.stream()) == "Hi"

    assert time.monotonic() - start < 1.5
    assert client.create().choices[0].message.content == "Next."


@trio_too
def test_b58_chunks_are_delivered_as_they_come(connect: Connect, server: Server) -> None:
    heard = threading.Event()
    server.plays(stream(frame(chunk("first")), until(heard), frame(chunk("second")), DONE))
    events = connect().open(timeout=10)

    assert next(events).choices[0].delta.content == "first"
    heard.set()
    assert next(events).choices[0].delta.content == "second"


@trio_too
def test_b59_leaving_early_closes_the_socket(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")), frame(chunk("ho")), hold), answer(completion("Next.")))
    client = connect()

    with client.open() as events:
        assert next(events).choices[0].delta.content == "Hi"

    assert server.connections[0].closed_by_client.wait(5)
    assert client.create().choices[0].message.content == "Next."
    assert server.requests[1].connection == 1


def test_b59_closing_before_the_first_chunk(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")), hold))
    events = connect().open()

    events.close()

    assert server.connections[0].closed_by_client.wait(5)
    assert list(events) == []


def test_b59_an_exception_closes_the_socket(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")), hold))

    with pytest.raises(ZeroDivisionError), connect().open() as events:
        next(events)
        raise ZeroDivisionError

    assert server.connections[0].closed_by_client.wait(5)


@trio_too
def test_b60_the_end_is_the_end(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")), DONE, frame(chunk("late")), b"data: {\n\n"))
    events = connect().open()

    assert spoken(list(events)) == "Hi"
    assert list(events) == []
    assert list(events) == []
    events.close()
    events.close()
    assert list(events) == []


def test_b60_data_after_the_end_in_the_same_piece(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")) + DONE + frame(chunk("late")) + frame({"error": {}})))

    assert spoken(connect().stream()) == "Hi"


def test_b60_closed_before_the_end(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")) + frame(chunk("ho")), hold))
    events = connect().open()
    next(events)

    events.close()
    events.close()

    assert server.connections[0].closed_by_client.wait(5)
