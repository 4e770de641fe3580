"""G. What other clients do not do (behaviours 75 to 85)."""

from __future__ import annotations

import json
import os
import socket
import stat
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from openai_client import APIError, APITimeoutError
from openai_client._runtime import Model, RequestOptions
from openai_client.models import ChatCompletion
from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema

from .callers import ClientLog, Connect, only_async, trio_too
from .payloads import KEY, USAGE, chunk, chunk_of, completion, error
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


class Counted(str):
    """Text whose schema counts how often it is built."""

    built = 0

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        cls.built += 1
        return core_schema.str_schema()


class Leaf(Model):
    """A model with a counted field."""

    name: Counted


class Tree(Model):
    """A model that contains another."""

    leaves: list[Leaf]


def test_b82_first_use_from_many_threads() -> None:
    barrier = threading.Barrier(32)

    def decode(number: int) -> str:
        barrier.wait(20)
        tree = Tree.model_validate_json(f'{{"leaves": [{{"name": "{number}"}}]}}')
        assert type(tree.leaves[0]) is Leaf
        return tree.leaves[0].name

    with ThreadPoolExecutor(32) as threads:
        names = list(threads.map(decode, range(32)))

    assert names == [str(number) for number in range(32)]
    assert Counted.built == 1


def whole_with_tools() -> dict[str, Any]:
    """A chat completion of two choices: words, and two tool calls."""
    calls = [
        {
            "id": "call_a",
            "type": "function",
            "function": {"name": "spin", "arguments": '{"n": 1}'},
        },
        {"id": "call_b", "type": "function", "function": {"name": "dye", "arguments": "{}"}},
    ]
    words = {"role": "assistant", "content": "Já, 糸.", "refusal": None}
    tools = {"role": "assistant", "content": None, "tool_calls": calls}
    return completion(
        choices=[
            {"index": 0, "message": words, "logprobs": None, "finish_reason": "stop"},
            {"index": 1, "message": tools, "logprobs": None, "finish_reason": "tool_calls"},
        ],
        system_fingerprint="fp_1",
    )


def part(index: int, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    """One choice of a chunk."""
    return {"index": index, "delta": delta, "logprobs": None, "finish_reason": finish}


def call(index: int, arguments: str, **first: Any) -> dict[str, Any]:
    """A fragment of a tool call; the first one of a call carries more."""
    name = {"name": first.pop("name")} if "name" in first else {}
    return {"index": index, **first, "function": {**name, "arguments": arguments}}


def parts_with_tools() -> list[dict[str, Any]]:
    """The same completion as a server would stream it, its choices and calls interleaved."""
    spin = call(0, "", id="call_a", type="function", name="spin")
    dye = call(1, "{", id="call_b", type="function", name="dye")
    choices = [
        [part(1, role="assistant", content=None, tool_calls=[spin])],
        [part(0, role="assistant", content="", refusal=None)],
        [part(0, content="Já"), part(1, tool_calls=[call(0, '{"n"')])],
        [part(1, tool_calls=[dye, call(0, ": 1")])],
        [part(0, content=", 糸"), part(1, tool_calls=[call(0, "}"), call(1, "}")])],
        [part(0, content=".")],
        [part(1, finish="tool_calls"), part(0, finish="stop")],
    ]
    same = {"system_fingerprint": "fp_1"}
    chunks = [chunk_of(*some, usage=None, **same) for some in choices]
    return [*chunks, chunk_of(usage=USAGE, **same)]


def test_b83_final_is_the_whole_object(connect: Connect, server: Server) -> None:
    whole = whole_with_tools()
    server.plays(stream(*[frame(one) for one in parts_with_tools()], DONE), answer(whole))
    client = connect()
    events = client.open()

    final = events.final()

    assert isinstance(final, ChatCompletion)
    assert final.to_dict() == whole
    assert final == client.create()
    assert final.choices[0].message.content == "Já, 糸."
    assert final.choices[1].message.tool_calls is not None
    assert final.choices[1].message.tool_calls[0].function.arguments == '{"n": 1}'
    assert final.choices[1].finish_reason == "tool_calls"
    assert final.usage is not None
    assert final.usage.total_tokens == 13


@pytest.mark.parametrize("read", [0, 3, 99], ids=["before", "in the middle", "after"])
def test_b83_final_at_any_time(connect: Connect, server: Server, read: int) -> None:
    server.plays(stream(*[frame(one) for one in parts_with_tools()], DONE))
    events = connect().open()
    for _, _one in zip(range(read), events, strict=False):
        pass

    final = events.final()

    assert final.to_dict() == whole_with_tools()
    assert events.final() is final
    assert list(events) == []


def test_b83_final_keeps_unknown_properties(connect: Connect, server: Server) -> None:
    deltas = [{"role": "assistant", "reasoning_content": "Let me"}, {"reasoning_content": " see."}]
    chunks = [chunk(**delta) for delta in deltas] + [chunk("Yes.", finish="stop")]
    server.plays(stream(*[frame({**one, "provider": "loom"}) for one in chunks], DONE))

    final: Any = connect().open().final()

    assert final.provider == "loom"
    assert final.choices[0].message.reasoning_content == "Let me see."
    assert final.choices[0].message.content == "Yes."


def test_b84_deviations_are_reported(connect: Connect, server: Server) -> None:
    body = completion(created="soon", service_tier="gold")
    del body["choices"][0]["logprobs"], body["usage"]["total_tokens"]
    body["choices"].append({"index": 1, "message": {"role": "assistant", "content": 5}})
    server.plays(answer(body, headers={"X-Request-Id": "req_84"}))
    seen: list[Any] = []

    said = connect(on_deviation=seen.append).create()

    assert said.to_dict() == body
    assert {deviation.path for deviation in seen} == {
        "$.created",
        "$.service_tier",
        "$.choices[0].logprobs",
        "$.choices[1].logprobs",
        "$.choices[1].finish_reason",
        "$.choices[1].message.content",
        "$.choices[1].message.refusal",
        "$.usage.total_tokens",
    }
    by_path = {deviation.path: deviation for deviation in seen}
    assert by_path["$.created"].value == "soon"
    assert by_path["$.created"].message
    assert {deviation.request_id for deviation in seen} == {"req_84"}
    assert {deviation.operation for deviation in seen} == {"POST /chat/completions"}


def test_b84_nothing_to_report(connect: Connect, server: Server) -> None:
    server.plays(answer(completion(vendor_extension={"a": 1})))
    seen: list[Any] = []

    connect(on_deviation=seen.append).create()

    assert seen == []


def test_b84_deviations_of_a_stream(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")), frame({**chunk("ho"), "model": 5}), DONE))
    seen: list[Any] = []

    chunks = connect(on_deviation=seen.append).stream()

    assert [one.choices[0].delta.content for one in chunks] == ["Hi", "ho"]
    assert [deviation.path for deviation in seen] == ["$.model"]


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
