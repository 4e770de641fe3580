"""G. The deadline of a call, whatever the server takes its time with (behaviour 81).

Each of these servers sends something again and again, so that no single step takes long; without
the deadline, the calls would not end before the server does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from openai_client import APIStatusError, APITimeoutError, NotFoundError, RequestOptions

from .callers import Connect, Response, trio_too
from .payloads import completion
from .server import Exchange, Server, Step, answer, head, http_chunk, sends

IN_CHUNKS = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}


def soon() -> dict[str, Any]:
    """Arguments of a call whose only limit is its deadline."""
    return {"options": RequestOptions(deadline=0.4, max_retries=9, timeout=30)}


def again(piece: bytes) -> Step:
    """Sends the same bytes again and again, until the client closes the connection."""

    def step(exchange: Exchange) -> None:
        exchange.over = True
        while not exchange.stopped:
            exchange.send(piece)
            time.sleep(0.02)

    return step


BLANKS = again(http_chunk(b" "))


@trio_too
@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    "slowly",
    [
        sends(b"HTTP/1.1 200 OK\r\n", again(b"X-More: and more\r\n")),
        again(head(103, {"Link": "</style.css>"})),
        again(head(102, {})),
        sends(head(307, {"Location": "/v1", "Transfer-Encoding": "chunked"}), BLANKS),
    ],
    ids=["head", "hints", "processing", "redirect"],
)
def test_b81_deadline_of_what_comes_before_the_answer(
    connect: Connect, server: Server, slowly: Step, streamed: bool
) -> None:
    server.plays(slowly)
    client = connect()

    with pytest.raises(APITimeoutError):
        (client.stream if streamed else client.create)(**soon())


@trio_too
def test_b81_deadline_of_a_head_on_a_used_connection(connect: Connect, server: Server) -> None:
    server.plays(answer(completion()), again(head(102, {})))
    client = connect()
    client.create()

    with pytest.raises(APITimeoutError):
        client.create(**soon())

    assert len(server.connections) == 1


@trio_too
def test_b81_a_deadline_is_that_of_its_call_alone(connect: Connect, server: Server) -> None:
    server.plays(answer(completion()))
    client = connect()
    client.create(**soon())
    time.sleep(0.5)

    client.create()

    assert len(server.connections) == 1


@trio_too
def test_b81_deadline_of_the_body_of_an_error(connect: Connect, server: Server) -> None:
    """The error is more than that it took long; what has not come of its body is not waited for."""
    server.plays(sends(head(404, IN_CHUNKS), BLANKS))

    with pytest.raises(NotFoundError) as caught:
        connect().stream(**soon())

    assert isinstance(caught.value, APIStatusError)
    assert caught.value.body is None


READINGS: dict[str, Callable[[Response], object]] = {
    "parse": lambda response: response.parse(),
    "read": lambda response: response.get("read"),
    "text": lambda response: response.get("text"),
    "iter_bytes": lambda response: response.all("iter_bytes"),
    "iter_text": lambda response: response.all("iter_text"),
    "iter_lines": lambda response: response.all("iter_lines"),
}


@trio_too
@pytest.mark.parametrize("reading", READINGS)
def test_b81_deadline_of_a_response_that_is_read_as_it_arrives(
    connect: Connect, server: Server, reading: str
) -> None:
    server.plays(sends(head(200, IN_CHUNKS), BLANKS))
    client = connect()

    with client.streaming(**soon()) as response, pytest.raises(APITimeoutError):
        READINGS[reading](Response(client, response))


@trio_too
def test_b81_deadline_of_a_body_without_a_length(connect: Connect, server: Server) -> None:
    """Where the end of the connection is that of the body, being cut off is no end."""
    server.plays(sends(head(200, {"Content-Type": "application/json"}), again(b" ")))
    client = connect()

    with client.streaming(**soon()) as response, pytest.raises(APITimeoutError):
        Response(client, response).get("read")
