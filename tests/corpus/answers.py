"""What a server answers to an operation, drawn from what it declares; and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, cast

import httpx2

from specloom.description.values import is_mapping

from .callers import Answer, Callers
from .described import Content, Operation
from .draws import ABSENT, Side, base, is_json
from .wire import exact

SSE = "text/event-stream"
_LINES = frozenset(
    {
        "application/jsonl",
        "application/x-ndjson",
        "application/x-jsonl",
        "application/ndjson",
        "application/jsonlines",
        "application/x-jsonlines",
        "application/stream+json",
    }
)
_SEQUENCE = "application/json-seq"
_ITEMS = 3


@dataclass(frozen=True)
class Reply:
    """An answer, and the value that it holds."""

    answer: Answer
    kind: str
    """``json``, ``stream``, ``raw`` for text and bytes, or ``none``."""
    value: object = None


@dataclass(frozen=True)
class Replies:
    """Draws answers."""

    received: Side
    random: Random

    def draw(self, operation: Operation, request: httpx2.Request | None = None) -> Reply:
        """Return an answer in the first form that is declared of the first success.

        Of the forms, the request's ``Accept`` chooses where it asks for a stream. Raises
        ``Impossible`` where no value is found.
        """
        status, contents = _success(operation)
        if operation.method == "HEAD" or not contents:
            return Reply(Answer(status, {}, b""), "none")
        accepted = "" if request is None else request.headers.get("Accept", "")
        content = _chosen(contents, accepted)
        return self._reply(status, content, accepted)

    def _reply(self, status: int, content: Content, accepted: str) -> Reply:
        name = base(content.media_type)
        headers = {"Content-Type": _concrete(content.media_type)}
        if name == SSE or name in _LINES or name == _SEQUENCE:
            return self._stream(status, content, name)
        if SSE in accepted and is_json(name):
            return self._stream(status, content, SSE)
        upload = self.received.is_upload(content.schema)
        if (is_json(name) and not upload) or (name in ("*/*", "*") and content.schema is not None):
            headers = {"Content-Type": "application/json" if "*" in name else content.media_type}
            value = self.received.draw(content.schema, self.random)
            return Reply(Answer(status, headers, json.dumps(value).encode()), "json", value)
        text = self.random.choice(["loom", "two words", "naïve ✓ 糸"])
        return Reply(Answer(status, headers, text.encode()), "raw", text)

    def _stream(self, status: int, content: Content, name: str) -> Reply:
        drawn = (self._item(content) for _ in range(4 * _ITEMS))
        items = list(islice((one for one in drawn if not _is_end(one)), _ITEMS))
        body = b"".join(_framed(name, item, bool(content.items)) for item in items)
        return Reply(Answer(status, {"Content-Type": name}, body), "stream", items)

    def _item(self, content: Content) -> object:
        if not content.items:
            return self.received.draw(content.schema, self.random)
        kind = self.random.choice(content.items)
        item = self.received.draw(kind.schema, self.random)
        if kind.data is None or not is_mapping(item):
            return item
        return {**item, "data": json.dumps(self.received.draw(kind.data, self.random))}


def _is_end(item: object) -> bool:
    """Whether an event is the one that ends a stream."""
    return item == "[DONE]" or (is_mapping(item) and "[DONE]" in item.values())


def _framed(name: str, item: object, enveloped: bool) -> bytes:
    """Return one item of a stream in its framing; an envelope is an event with its fields."""
    text = json.dumps(item)
    if name == _SEQUENCE:
        return b"\x1e" + text.encode() + b"\n"
    if name in _LINES:
        return text.encode() + b"\n"
    if is_mapping(item):
        known = {"data", "event", "id", "retry"}
        if enveloped or ("data" in item and item.keys() <= known):
            return b"".join(_lines(item))
    return f"data: {text}\n\n".encode()


def _lines(fields: Mapping[str, object]) -> Iterator[bytes]:
    for key, value in fields.items():
        text = value if isinstance(value, str) else json.dumps(value)
        for line in text.split("\n"):
            yield f"{key}: {line}\n".encode()
    yield b"\n"


def _success(operation: Operation) -> tuple[int, tuple[Content, ...]]:
    """Return the status of the first success that is declared, and its forms."""
    for status, contents in operation.responses.items():
        if status.startswith("2"):
            return int(status.upper().replace("X", "0")), contents
    if "default" in operation.responses:
        return 200, operation.responses["default"]
    return 200, ()


def _chosen(contents: tuple[Content, ...], accepted: str) -> Content:
    for name in map(base, accepted.split(",")):
        for content in contents:
            if base(content.media_type) == name:
                return content
    return next((one for one in contents if is_json(one.media_type)), contents[0])


def _concrete(media_type: str) -> str:
    return media_type.replace("*/*", "application/octet-stream").replace("/*", "/png")


def faults(reply: Reply, result: object, callers: Callers) -> Iterator[str]:
    """Yield what is wrong with what a client made of an answer."""
    name = type(result).__name__
    match reply.kind:
        case "none":
            if result is not None:
                yield f"the result is a {name}, and there was no content"
        case "raw":
            text = reply.value
            if result != text and result != str(text).encode():
                yield f"the result is {result!r}, not {text!r}"
        case "stream":
            listed = cast("list[object]", reply.value)
            read = list(cast(Any, result))
            if len(read) != len(listed):
                yield f"the stream has {len(read)} items, not {len(listed)}"
            else:
                for one, sent in zip(read, listed, strict=True):
                    if (dumped := _dumped(one, callers)) not in (exact(sent), _data_of(sent)):
                        yield f"an item of the stream is {dumped}, not {exact(sent)}"
        case _:
            body: object = cast(Any, result).body if name == "Page" else result
            if (dumped := _dumped(body, callers)) != exact(reply.value):
                yield f"the result is {dumped}, not {exact(reply.value)}"


def _data_of(item: object) -> str | None:
    """Return the data of an event, which may be all that a client gives."""
    data = item.get("data", ABSENT) if is_mapping(item) else ABSENT
    if isinstance(data, str):
        try:
            return exact(json.loads(data))
        except ValueError:
            return exact(data)
    return None if data is ABSENT else exact(data)


def _dumped(value: object, callers: Callers) -> str:
    return exact(json.loads(callers.dumped(value)))
