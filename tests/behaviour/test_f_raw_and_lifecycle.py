"""F. Raw access, lifecycle, concurrency, introspection (behaviours 63 to 69, 71 and 74)."""

from __future__ import annotations

import asyncio
import inspect
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import pytest
from openai_client import APIStatusError, AsyncOpenAI, AsyncStream, OpenAI, Stream
from openai_client.models import ChatCompletion
from openai_client.params import ChatCompletionMessageParam

from .callers import (
    ClientLog,
    Connect,
    Flavour,
    OpenStream,
    Response,
    http_client,
    only_async,
    request_id,
    trio_too,
)
from .payloads import KEY, chunk, completion, error
from .server import (
    AT_ONCE,
    DONE,
    Request,
    Server,
    Step,
    answer,
    encoded,
    frame,
    head,
    hold,
    stream,
    until,
)


@trio_too
def test_b63_raw_response(connect: Connect, server: Server) -> None:
    body = completion("Good morning.")
    again = answer(error(), 500, headers=AT_ONCE)
    server.plays(again, again, answer(body, 201, headers={"X-Floor": "2", "X-Request-Id": "r"}))

    raw = connect().raw()

    assert raw.status_code == 201
    assert raw.headers["x-floor"] == "2"
    assert raw.retries_taken == 2
    assert raw.response.http_response.status_code == 201
    said = raw.parse()
    assert isinstance(said, ChatCompletion)
    assert said.choices[0].message.content == "Good morning."
    assert request_id(said) == "r"
    assert raw.parse() is said
    assert raw.get("json") == body
    assert raw.get("text") == encoded(body).decode()
    assert raw.get("read") == encoded(body)


def test_b63_raw_response_of_a_failure(connect: Connect, server: Server) -> None:
    server.plays(answer(error(), 404))

    with pytest.raises(APIStatusError):
        connect().raw()


def test_b63_raw_response_keeps_what_parse_refuses(connect: Connect, server: Server) -> None:
    server.plays(answer("<html>", content_type="text/html"))

    raw = connect().raw()

    assert raw.get("text") == "<html>"


@trio_too
def test_b64_raw_stream(connect: Connect, server: Server) -> None:
    seen = threading.Event()
    server.plays(stream(until(seen), frame(chunk("Hi")), DONE, headers={"X-Floor": "2"}))
    client = connect(timeout=10)

    raw = client.raw(stream=True)

    assert raw.status_code == 200
    assert raw.headers["X-Floor"] == "2"
    seen.set()
    events = raw.parse()
    assert isinstance(events, Stream | AsyncStream)
    assert raw.parse() is events
    assert [one.choices[0].delta.content for one in OpenStream(client, events)] == ["Hi"]


@trio_too
def test_b65_streaming_response(connect: Connect, server: Server) -> None:
    entered = threading.Event()
    lines = '{"a": "é",\n"b": "糸",\r\n"c": 3}'
    data = lines.encode()
    top = head(200, {"Content-Type": "application/json", "Content-Length": str(len(data))})

    def slow(exchange: Any) -> None:
        exchange.send(top)
        exchange.wait(entered)
        exchange.send(data)

    server.plays(slow)
    client = connect(timeout=10)

    manager = client.streaming()
    assert server.requests == []
    with manager as inner:
        response = Response(client, inner)
        assert response.status_code == 200
        assert response.headers["Content-Length"] == str(len(data))
        assert response.retries_taken == 0
        assert inner.is_closed is False
        entered.set()
        assert response.all("iter_lines") == ['{"a": "é",', '"b": "糸",', '"c": 3}']
    assert inner.is_closed is True


def test_b65_streaming_response_gives_bytes(connect: Connect, server: Server) -> None:
    server.plays(answer(completion("糸" * 5000)))
    client = connect()

    with client.streaming() as inner:
        pieces = Response(client, inner).all("iter_bytes")

    assert b"".join(pieces) == encoded(completion("糸" * 5000))


def test_b65_streaming_response_parses(connect: Connect, server: Server) -> None:
    server.plays(answer(completion("Hi")))
    client = connect()

    with client.streaming() as inner:
        response = Response(client, inner)
        assert response.parse().choices[0].message.content == "Hi"
        assert response.parse() is response.parse()
        assert response.get("json") == completion("Hi")


@trio_too
def test_b65_leaving_closes_the_connection(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")), hold), answer(completion("Next.")))
    client = connect()

    with client.streaming(stream=True) as inner:
        events = OpenStream(client, Response(client, inner).parse())
        assert next(events).choices[0].delta.content == "Hi"

    assert server.connections[0].closed_by_client.wait(5)
    assert client.create().choices[0].message.content == "Next."


def test_b65_failure_raises_on_enter(connect: Connect, server: Server) -> None:
    server.plays(answer(error("Not here."), 404))

    with pytest.raises(APIStatusError, match="Not here"), connect().streaming():
        pass


@trio_too
def test_b66_closed_client(connect: Connect, server: Server) -> None:
    server.plays(answer(completion()))
    client = connect()

    with client.context(client.client) as inside:
        assert inside is client.client
        client.create()
        assert client.client.is_closed() is False

    assert client.client.is_closed() is True
    assert server.connections[0].closed_by_client.wait(5)
    with pytest.raises(RuntimeError):
        client.create()
    assert len(server.requests) == 1
    client.close()


def test_b66_copies_share_one_pool(connect: Connect, server: Server) -> None:
    server.plays(answer(completion()))
    parent = connect()
    child = parent.with_options(timeout=5)

    parent.create()
    child.create()
    child.close()

    assert [request.connection for request in server.requests] == [0, 0]
    assert parent.client.is_closed() is True


def test_b66_client_of_the_caller_is_used(
    connect: Connect, server: Server, flavour: Flavour
) -> None:
    server.plays(answer(completion()))

    connect(http_client=http_client(flavour, headers={"X-Mine": "yes"})).create()

    assert server.request.header("X-Mine") == "yes"
    assert server.request.header("Authorization") == f"Bearer {KEY}"


def echo(request: Request) -> Step:
    """Answers with the question, streamed when asked to."""
    body = request.json()
    words = body["messages"][0]["content"]
    if not body.get("stream"):
        return answer(completion(words))
    return stream(frame(chunk(words)), frame(chunk(words)), DONE)


def asking(number: int) -> list[ChatCompletionMessageParam]:
    """Messages that ask about a number."""
    return [{"role": "user", "content": f"question {number}"}]


def test_b67_many_threads(server: Server) -> None:
    server.chooses(echo)

    def ask(number: int) -> list[str | None]:
        chat = client.chat.completions
        said = chat.create(model="m", messages=asking(number))
        events = chat.create(model="m", messages=asking(number), stream=True)
        streamed = "".join(event.choices[0].delta.content or "" for event in events)
        return [said.choices[0].message.content, streamed]

    with OpenAI(api_key=KEY, base_url=server.url) as client, ThreadPoolExecutor(32) as threads:
        heard = list(threads.map(ask, range(200)))

    assert heard == [[f"question {n}", f"question {n}" * 2] for n in range(200)]
    assert len(server.requests) == 400
    assert len(server.connections) <= 64


@only_async
def test_b67_many_tasks(connect: Connect, server: Server) -> None:
    server.chooses(echo)
    heard: dict[int, list[str | None]] = {}

    async def ask(client: AsyncOpenAI, number: int) -> None:
        chat = client.chat.completions
        said = await chat.create(model="m", messages=asking(number))
        events = await chat.create(model="m", messages=asking(number), stream=True)
        streamed = "".join([event.choices[0].delta.content or "" async for event in events])
        heard[number] = [said.choices[0].message.content, streamed]

    async def all_at_once(client: AsyncOpenAI) -> None:
        async with anyio.create_task_group() as group:
            for number in range(200):
                group.start_soon(ask, client, number)

    connect().run(all_at_once)

    assert heard == {n: [f"question {n}", f"question {n}" * 2] for n in range(200)}


def test_b68_successive_event_loops(server: Server) -> None:
    server.chooses(echo)
    client = AsyncOpenAI(api_key=KEY, base_url=server.url, max_retries=0)

    async def ask(number: int) -> list[str | None]:
        chat = client.chat.completions
        said = await chat.create(model="m", messages=asking(number))
        events = await chat.create(model="m", messages=asking(number), stream=True)
        streamed = [event.choices[0].delta.content async for event in events]
        return [said.choices[0].message.content, *streamed]

    for number in range(3):
        assert asyncio.run(ask(number)) == [f"question {number}"] * 3
    assert anyio.run(ask, 3, backend="trio") == ["question 3"] * 3
    asyncio.run(client.close())


def test_b69_trio(server: Server) -> None:
    again = answer(error(), 500)  # without a delay of its own: the client sleeps as usual
    server.plays(again, stream(frame(chunk("Hi")), frame(chunk(" there")), DONE))

    async def main() -> list[str | None]:
        async with AsyncOpenAI(api_key=KEY, base_url=server.url) as client:
            chat = client.chat.completions
            events = await chat.create(model="m", messages=asking(1), stream=True)
            return [event.choices[0].delta.content async for event in events]

    assert anyio.run(main, backend="trio") == ["Hi", " there"]
    assert len(server.requests) == 2


def test_b71_debug_log_tells_of_retries_and_no_secrets(
    connect: Connect, server: Server, client_log: ClientLog
) -> None:
    failing = answer(error("error-words"), 503, headers={**AT_ONCE, "X-Floor": "response-header"})
    server.plays(failing, answer(completion("answer-words"), headers={"X-Floor": "second-floor"}))

    connect(default_headers={"X-Team": "request-header"}).create(
        messages=[{"role": "user", "content": "question-words"}], extra_query={"q": "1"}
    )

    log = client_log()
    assert re.search(r"/chat/completions.* 503 .*(again|retry)", log)
    secrets = ["error-words", "answer-words", "question-words"]
    secrets += ["request-header", "response-header", "second-floor", KEY]
    assert [secret for secret in secrets if secret in log] == []


@pytest.mark.parametrize("name", ["chat.completions", "completions"])
@pytest.mark.parametrize("of", [OpenAI, AsyncOpenAI])
def test_b74_signature_and_documentation(of: type[OpenAI | AsyncOpenAI], name: str) -> None:
    resource: Any = of(api_key=KEY)
    for part in name.split("."):
        resource = getattr(resource, part)

    parameters = inspect.signature(resource.create).parameters

    kinds = {parameter.kind for parameter in parameters.values()}
    assert kinds == {inspect.Parameter.KEYWORD_ONLY}
    common = {"model", "stream", "stream_options", "temperature", "max_tokens", "seed", "stop", "n"}
    own = {"messages", "tools", "tool_choice", "response_format", "max_completion_tokens"}
    expected = common | (own if name == "chat.completions" else {"prompt", "suffix", "best_of"})
    trailing = {"extra_headers", "extra_query", "extra_body", "timeout", "options"}
    assert expected | trailing <= set(parameters)
    documented = re.findall(r"^ *(\w+):(?: |$)", resource.create.__doc__ or "", re.MULTILINE)
    assert set(parameters) <= set(documented)
