"""G. What other clients do not do (behaviours 75 to 81 and 85)."""

from __future__ import annotations

import json
import os
import socket
import stat
import sys
import time
from typing import Any

import pytest
from openai_client import APIError, APITimeoutError, RequestOptions

from .callers import ClientLog, Connect, only_async, trio_too
from .payloads import KEY, chunk, completion, error
from .server import AT_ONCE, DONE, Exchange, Server, answer, frame, hold, http_chunk, stream


def test_b75_stream_without_its_end_mark(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi"))), stream(frame(chunk("Hi")), DONE))
    client = connect()
    cut, whole = client.open(), client.open()

    assert [len(list(events)) for events in (cut, whole)] == [1, 1]

    assert cut.stream.complete is False
    assert whole.stream.complete is True


def test_b75_end_mark_can_be_required(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi"))), stream(frame(chunk("Hi")), DONE))
    client = connect()
    options = RequestOptions(require_end=True)
    cut = client.open(options=options)

    assert next(cut).choices[0].delta.content == "Hi"
    with pytest.raises(APIError):
        next(cut)

    assert len(client.stream(options=options)) == 1


@pytest.mark.parametrize("status", [200, 202])
def test_b76_stream_answered_by_an_error(connect: Connect, server: Server, status: int) -> None:
    server.plays(answer(error("No thread on the loom.", code="no_thread"), status))

    with pytest.raises(APIError) as raised:
        connect().stream()

    assert raised.value.message == "No thread on the loom."
    assert raised.value.code == "no_thread"
    assert len(server.requests) == 1


@pytest.mark.parametrize("indent", [None, 2])
def test_b76_stream_answered_by_the_whole_object(
    connect: Connect, server: Server, indent: int | None
) -> None:
    body = completion("Good morning.")
    server.plays(answer(json.dumps(body, indent=indent)))

    (event,) = connect().stream()

    assert event.to_dict() == body


def test_b77_cookies_are_not_replayed(connect: Connect, server: Server) -> None:
    server.plays(answer(completion(), headers={"Set-Cookie": "session=1; Path=/"}))
    client = connect()

    client.create()
    client.create()
    client.with_options(timeout=5).create()

    assert [request.header("Cookie") for request in server.requests] == [None] * 3


def test_b78_empty_key_is_no_key(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")

    with pytest.raises(Exception, match="OPENAI_API_KEY"):
        connect(api_key=None)


def test_b78_empty_address_is_no_address(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "")

    assert str(connect(base_url=None).client.base_url).rstrip("/") == "https://api.openai.com/v1"


@only_async
@pytest.mark.parametrize("method", ["close", "aclose"])
def test_b79_async_stream_closes_under_both_names(
    connect: Connect, server: Server, method: str
) -> None:
    server.plays(stream(frame(chunk("Hi")), hold))
    client = connect()

    events = client.open()
    next(events)

    client.run(lambda _: getattr(events.stream, method)())

    assert server.connections[-1].closed_by_client.wait(5)
    client.run(lambda _: events.stream.close())
    client.run(lambda _: events.stream.aclose())


def client_socket(port: int) -> socket.socket:
    """A duplicate of the socket of this process that is bound to this port and connected."""
    for descriptor in range(3, 1024):
        try:
            if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                continue
        except OSError:
            continue
        candidate = socket.socket(fileno=os.dup(descriptor))
        try:
            if candidate.getsockname()[1] == port and candidate.getpeername():
                return candidate
        except (OSError, IndexError):
            pass
        candidate.close()
    raise AssertionError(f"no socket on port {port}")


def deadline(seconds: float) -> dict[str, Any]:
    """Arguments of a call that would try for long, if it were not for its deadline."""
    return {"options": RequestOptions(deadline=seconds, max_retries=9, timeout=30)}


@pytest.mark.skipif(sys.platform != "linux", reason="names of the options differ elsewhere")
@pytest.mark.parametrize("proxy", [False, True], ids=["direct", "proxy"])
def test_b80_keep_alive_and_proxy(
    connect: Connect, server: Server, monkeypatch: pytest.MonkeyPatch, proxy: bool
) -> None:
    server.plays(answer(completion()))
    base = server.url
    if proxy:
        base = "http://api.example.test/v1"
        monkeypatch.setenv("HTTP_PROXY", server.origin)
        monkeypatch.setenv("http_proxy", server.origin)

    connect(base_url=base).create()

    expected = "http://api.example.test/v1/chat/completions" if proxy else "/v1/chat/completions"
    assert server.request.target == expected
    with client_socket(server.connections[0].port) as used:
        assert used.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert used.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 60
        assert used.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL) == 60
        assert used.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT) == 5


@trio_too
def test_b81_deadline_of_a_silent_server(connect: Connect, server: Server) -> None:
    server.plays(hold)
    start = time.monotonic()

    with pytest.raises(APITimeoutError):
        connect().create(**deadline(0.4))

    assert 0.3 <= time.monotonic() - start < 5


@trio_too
@pytest.mark.parametrize("streamed", [False, True])
def test_b81_deadline_of_a_server_that_trickles(
    connect: Connect, server: Server, streamed: bool
) -> None:
    """Each read succeeds in time; only all of them together take too long."""

    def trickle(exchange: Exchange) -> None:
        while not exchange.stopped:
            exchange.send(http_chunk(frame(chunk("x")) if streamed else b" "))
            time.sleep(0.02)

    server.plays(stream(trickle))
    start = time.monotonic()

    with pytest.raises(APITimeoutError):
        if streamed:
            connect().stream(**deadline(0.4))
        else:
            connect().create(**deadline(0.4))

    assert 0.3 <= time.monotonic() - start < 5
    assert len(server.requests) == 1


def test_b81_deadline_includes_the_delays(connect: Connect, server: Server) -> None:
    server.plays(answer(error(), 503, headers={"Retry-After": "60"}))
    start = time.monotonic()

    with pytest.raises(APIError):
        connect().create(**deadline(0.4))

    assert time.monotonic() - start < 5
    assert len(server.requests) == 1


def test_b81_deadline_counts_all_attempts(connect: Connect, server: Server) -> None:
    def late(exchange: Exchange) -> None:
        time.sleep(0.15)
        answer(error(), 503, headers=AT_ONCE)(exchange)

    server.plays(late)
    start = time.monotonic()

    with pytest.raises(APIError):
        connect().create(**deadline(0.5))

    assert time.monotonic() - start < 1.2  # ten attempts would take 1.5 s and more
    assert 2 <= len(server.requests) <= 5


def secrets_of(text: str) -> list[str]:
    """Which of the secrets of the next test a text gives away."""
    told = ["error-words", "answer-words", "chunk-words", "question-words", "bad-words"]
    told += ["request-header", "response-header", "query-words", KEY]
    return [secret for secret in told if secret in text]


def test_b85_nothing_secret_in_logs_and_repr(
    connect: Connect, server: Server, client_log: ClientLog
) -> None:
    headers = {"X-Floor": "response-header"}
    server.plays(
        answer(error("error-words"), 429, headers={**AT_ONCE, **headers}),
        answer(completion("answer-words"), headers=headers),
        answer(error("error-words"), 400, headers=headers),
        answer("bad-words", headers=headers),
        stream(frame(chunk("chunk-words")), frame({"error": {"message": "error-words"}})),
    )
    client = connect(
        default_headers={"X-Team": "request-header"}, default_query={"q": "query-words"}
    )
    words = [{"role": "user", "content": "question-words"}]

    client.create(messages=words)
    for call in (client.create, client.create, client.stream):
        with pytest.raises(APIError):
            call(messages=words)

    assert len(server.requests) == 5
    assert client_log()
    assert secrets_of(client_log()) == []
    assert secrets_of(repr(client.client) + str(client.client)) == []
    assert secrets_of(repr(client.with_options(timeout=3).client)) == []
    assert secrets_of(repr(client.client.chat.completions)) == []
