"""Recorded traffic of real servers: every answer and every stream decodes, and nothing is lost."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

import httpx2
import jsonschema_rs
import pytest
import yaml
from openai_client import APIStatusError, AsyncOpenAI, AsyncStream, Deviation, OpenAI, Stream
from openai_client.models import ChatCompletion, ChatCompletionChunk, Completion
from openai_client.params import ChatCompletionMessageParam

from .payloads import KEY

PROVIDERS = ("openai", "mistral", "together", "ollama")
RESOURCES = {"/v1/chat/completions": "chat.completions", "/v1/completions": "completions"}
MODEL = "any"
QUESTION: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Hello?"}]
PROMPT = "Once upon a time"
PACKET = 1_021
"""How many bytes of a stream arrive at once: no divisor of anything."""

Whole: TypeAlias = ChatCompletion | Completion
Chunk: TypeAlias = ChatCompletionChunk | Completion


@dataclass(frozen=True)
class Row:
    """One recorded answer to one of the two operations."""

    place: str
    path: str
    status: int
    content_type: str
    content: bytes
    is_chat: bool

    @property
    def streams(self) -> bool:
        """Whether the answer is a stream of events."""
        return self.content_type.startswith("text/event-stream")

    @property
    def json(self) -> Any:
        """The answer as a JSON value."""
        return json.loads(self.content)

    @property
    def events(self) -> list[Any]:
        """The data of each event as a JSON value, without the end mark."""
        blocks = self.content.decode().strip().split("\n\n")
        data = [block.removeprefix("data: ") for block in blocks]
        assert data[-1] == "[DONE]"
        return [json.loads(one) for one in data[:-1]]


def rows(folder: Path, provider: str) -> list[Row]:
    """The recorded answers of one provider that the client has an operation for."""
    found: list[Row] = []
    with (folder / f"{provider}.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            row = json.loads(line)
            if row["path"] not in RESOURCES:
                continue
            text = row["text"] if "text" in row else json.dumps(row["json"])
            found.append(
                Row(
                    place=f"{provider}.jsonl:{number}",
                    path=row["path"],
                    status=row["status"],
                    content_type=row["content_type"],
                    content=text.encode(),
                    is_chat=row["path"] == "/v1/chat/completions",
                )
            )
    return found


@pytest.fixture(params=PROVIDERS)
def recorded(shared: Path, request: pytest.FixtureRequest) -> list[Row]:
    """All the recorded answers of one provider; there is at least one."""
    found = rows(shared / "payloads", request.param)
    assert found
    return found


def exact(value: object) -> str:
    """A JSON value as text that tells 1, 1.0 and true apart; the order of keys has no meaning."""
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize("driver", ["sync", "async"])
def test_answers_decode_and_dump_what_came_in(recorded: list[Row], driver: str) -> None:
    answer = ask if driver == "sync" else ask_async
    for row in recorded:
        if row.streams or row.status != 200:
            continue
        value = answer(row)
        assert isinstance(value, ChatCompletion if row.is_chat else Completion), row.place
        assert exact(value.to_dict()) == exact(row.json), row.place
        assert exact(json.loads(value.to_json())) == exact(row.json), row.place
        choice = row.json["choices"][0]
        text = choice["message"]["content"] if row.is_chat else choice["text"]
        assert text_of(value) == text, row.place
        assert value.usage is not None, row.place
        assert value.usage.total_tokens == row.json["usage"]["total_tokens"], row.place


@pytest.mark.parametrize("driver", ["sync", "async"])
def test_streams_decode_and_dump_what_came_in(recorded: list[Row], driver: str) -> None:
    read = read_stream if driver == "sync" else read_stream_async
    for row in recorded:
        if not row.streams:
            continue
        chunks, final = read(row)
        assert len(chunks) == len(row.events), row.place
        for chunk, event in zip(chunks, row.events, strict=True):
            assert isinstance(chunk, ChatCompletionChunk if row.is_chat else Completion), row.place
            assert exact(chunk.to_dict()) == exact(event), row.place
            assert exact(json.loads(chunk.to_json())) == exact(event), row.place
        assert_adds_up(final, row)


def test_errors_raise_with_their_body(recorded: list[Row]) -> None:
    for row in recorded:
        if row.status == 200:
            continue
        with pytest.raises(APIStatusError) as caught:
            ask(row)
        assert caught.value.status_code == row.status, row.place
        assert caught.value.body == row.json["error"], row.place
        assert row.json["error"]["message"] in caught.value.message, row.place
        assert caught.value.code == row.json["error"]["code"], row.place


def judge(specs: Path, document: str, name: str) -> Any:
    """Return a validator of a component schema that knows nothing of ours."""
    text = (specs / document).read_text("utf-8")
    components = json.loads(json.dumps(yaml.safe_load(text)))["components"]
    schema = {"$ref": f"#/components/schemas/{name}", "components": components}
    return jsonschema_rs.Draft202012Validator(_modern(schema))


def _modern(schema: object) -> Any:
    """Write ``nullable`` of OpenAPI 3.0 as a choice that JSON Schema has."""
    if isinstance(schema, list):
        return [_modern(one) for one in cast(list[object], schema)]
    if not isinstance(schema, dict):
        return schema
    inner = {key: _modern(value) for key, value in cast(dict[str, object], schema).items()}
    return {"anyOf": [inner, {"type": "null"}]} if inner.get("nullable") is True else inner


def test_an_answer_departs_where_an_independent_judge_says_so(shared: Path) -> None:
    specs = Path(__file__).resolve().parents[2] / "specs" / "openai"
    chat = judge(specs, "chat.yaml", "CreateChatCompletionResponse")
    text = judge(specs, "completions.yaml", "CreateCompletionResponse")
    judged = 0
    for provider in PROVIDERS:
        for row in rows(shared / "payloads", provider):
            if row.status == 200 and not row.streams:
                found: list[Deviation] = []
                ask(row, on_deviation=found.append)
                fits = (chat if row.is_chat else text).is_valid(row.json)
                assert fits is not bool(found), (row.place, found)
                judged += 1
    assert judged > 100


def test_departures_from_the_description_are_reported_and_do_no_harm(shared: Path) -> None:
    seen: Counter[str] = Counter()
    departing: Counter[str] = Counter()
    found: list[Deviation] = []
    for provider in PROVIDERS:
        for row in rows(shared / "payloads", provider):
            if row.status != 200:
                continue
            kind = "streams" if row.streams else "answers"
            before = len(found)
            if row.streams:
                read_stream(row, on_deviation=found.append)
            else:
                ask(row, on_deviation=found.append)
            seen[kind] += 1
            departing[kind] += len(found) > before
    for kind, count in seen.items():
        print(f"{departing[kind]} of {count} recorded {kind} depart from the description")
    places = Counter((one.operation, one.path, one.message) for one in found)
    for (operation, path, message), count in places.most_common(20):
        print(f"{count:6} {operation} {path}: {message}")
    assert departing["answers"] > 0
    assert departing["streams"] > 0
    # A server may leave out what it does not have, and most do.
    assert ("POST /chat/completions", "$.choices[0].message.refusal") in {
        (operation, path) for operation, path, _ in places
    }


# What a stream adds up to ------------------------------------------------------------------------


def assert_adds_up(final: Whole, row: Row) -> None:
    """Checks the whole object against the events, joined here by hand."""
    assert isinstance(final, ChatCompletion if row.is_chat else Completion), row.place
    events = row.events
    assert final.id == events[0]["id"], row.place
    pieces: dict[int, list[Any]] = {}
    for event in events:
        for choice in event["choices"]:
            pieces.setdefault(choice["index"], []).append(choice)
    assert [choice.index for choice in final.choices] == sorted(pieces), row.place
    for choice in final.to_dict()["choices"]:
        parts = pieces[choice["index"]]
        assert choice["finish_reason"] == last(part.get("finish_reason") for part in parts)
        if row.is_chat:
            deltas = [part["delta"] for part in parts]
            assert_message(choice["message"], deltas, row)
        else:
            assert choice["text"] == "".join(part["text"] for part in parts), row.place
    usage = last(event.get("usage") for event in events)
    assert final.to_dict().get("usage") == usage, row.place


def assert_message(message: dict[str, Any], deltas: Sequence[dict[str, Any]], row: Row) -> None:
    """Checks the message of one choice against its deltas."""
    # One provider sends its reasoning as arrays where the text should be; the strings are the text.
    said = [delta["content"] for delta in deltas if isinstance(delta.get("content"), str)]
    assert message.get("content") == ("".join(said) if said else None), row.place
    assert message["role"] == "assistant", row.place
    arguments: dict[int, str] = {}
    names: dict[int, str] = {}
    for delta in deltas:
        for call in calls_in(delta):
            index, function = call["index"], call["function"]
            arguments[index] = arguments.get(index, "") + function.get("arguments", "")
            names[index] = names.get(index, "") + function.get("name", "")
    calls = [one["function"] for one in calls_in(message)]
    assert [one["arguments"] for one in calls] == list(arguments.values()), row.place
    assert [one["name"] for one in calls] == list(names.values()), row.place


def calls_in(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The tool calls of a message or delta; servers write none in three ways."""
    return message.get("tool_calls") or []


def last(values: Iterator[Any]) -> Any:
    """The last value that is not null, if any."""
    return next(reversed([value for value in values if value is not None]), None)


def text_of(value: Whole) -> str | None:
    """The text of the first choice."""
    match value:
        case ChatCompletion():
            return value.choices[0].message.content
        case Completion():
            return value.choices[0].text


# Calling the client ------------------------------------------------------------------------------


class Packets(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A body that arrives in small packets, which take no heed of where events end."""

    def __init__(self, content: bytes) -> None:
        self._packets = [content[i : i + PACKET] for i in range(0, len(content), PACKET)]

    def __iter__(self) -> Iterator[bytes]:
        yield from self._packets

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for packet in self._packets:
            yield packet


def transport(row: Row) -> httpx2.MockTransport:
    """Answers with the recording, if it is asked where the recording was made."""

    def respond(request: httpx2.Request) -> httpx2.Response:
        assert (request.method, request.url.path) == ("POST", row.path)
        headers = {"content-type": row.content_type}
        return httpx2.Response(row.status, headers=headers, stream=Packets(row.content))

    return httpx2.MockTransport(respond)


def ask(row: Row, on_deviation: Callable[[Deviation], None] | None = None) -> Whole:
    """Makes the call that the row answers."""
    http_client = httpx2.Client(transport=transport(row))
    with OpenAI(api_key=KEY, http_client=http_client, on_deviation=on_deviation) as client:
        if row.is_chat:
            return client.chat.completions.create(model=MODEL, messages=QUESTION)
        return client.completions.create(model=MODEL, prompt=PROMPT)


def ask_async(row: Row) -> Whole:
    """Does as :func:`ask` does, with the asynchronous client."""

    async def call() -> Whole:
        http_client = httpx2.AsyncClient(transport=transport(row))
        async with AsyncOpenAI(api_key=KEY, http_client=http_client) as client:
            if row.is_chat:
                return await client.chat.completions.create(model=MODEL, messages=QUESTION)
            return await client.completions.create(model=MODEL, prompt=PROMPT)

    return asyncio.run(call())


def read_stream(
    row: Row, on_deviation: Callable[[Deviation], None] | None = None
) -> tuple[list[Chunk], Whole]:
    """Makes the streaming call that the row answers; gives the chunks and the whole."""
    http_client = httpx2.Client(transport=transport(row))
    with OpenAI(api_key=KEY, http_client=http_client, on_deviation=on_deviation) as client:
        stream: Stream[ChatCompletionChunk, ChatCompletion] | Stream[Completion, Completion]
        if row.is_chat:
            stream = client.chat.completions.create(model=MODEL, messages=QUESTION, stream=True)
        else:
            stream = client.completions.create(model=MODEL, prompt=PROMPT, stream=True)
        chunks: list[Chunk] = list(stream)
        assert stream.complete
        return chunks, stream.final()


def read_stream_async(row: Row) -> tuple[list[Chunk], Whole]:
    """Does as :func:`read_stream` does, with the asynchronous client."""

    async def call() -> tuple[list[Chunk], Whole]:
        http_client = httpx2.AsyncClient(transport=transport(row))
        async with AsyncOpenAI(api_key=KEY, http_client=http_client) as client:
            stream: (
                AsyncStream[ChatCompletionChunk, ChatCompletion]
                | AsyncStream[Completion, Completion]
            )
            if row.is_chat:
                stream = await client.chat.completions.create(
                    model=MODEL, messages=QUESTION, stream=True
                )
            else:
                stream = await client.completions.create(model=MODEL, prompt=PROMPT, stream=True)
            chunks: list[Chunk] = [chunk async for chunk in stream]
            assert stream.complete
            return chunks, await stream.final()

    return asyncio.run(call())
