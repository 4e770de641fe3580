"""The answer to a call as bytes, whole and good; what goes wrong with it is in ``faults``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

CALL = "x-call"
"""The header that says which call a request belongs to."""

DONE = b"data: [DONE]\n\n"
LAST_CHUNK = b"0\r\n\r\n"
EVENT_STREAM: Mapping[str, str] = {
    "Content-Type": "text/event-stream",
    "Transfer-Encoding": "chunked",
}


def text_for(call: int) -> str:
    """The text that the server answers a call with: no two calls have the same."""
    return f"The answer to call {call} is 糸 {call * call}."


@dataclass(frozen=True)
class Asked:
    """What a call has asked for."""

    call: int
    streams: bool

    def content(self) -> bytes:
        """The completion as JSON."""
        return _encoded(_completion(self.call))

    def events(self) -> list[bytes]:
        """The chunks of the completion as server-sent events, without the end mark."""
        words = text_for(self.call).split(" ")
        pieces = [words[0], *(f" {word}" for word in words[1:])]
        deltas = [{"content": piece} for piece in pieces]
        chunks = [_chunk(self.call, delta, None) for delta in deltas]
        return [event(one) for one in (*chunks, _chunk(self.call, {}, "stop"))]

    def answer(self) -> bytes:
        """The whole answer: a document with its length, or a stream in chunks."""
        if not self.streams:
            return document(self.content())
        body = b"".join(chunk(one) for one in (*self.events(), DONE))
        return head(200, EVENT_STREAM) + body + LAST_CHUNK


def head(status: int, headers: Mapping[str, str]) -> bytes:
    """The status line, the header lines, and the empty line after them."""
    lines = [f"HTTP/1.1 {status} Whatever", *(f"{key}: {one}" for key, one in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def document(content: bytes, status: int = 200, **headers: str) -> bytes:
    """A whole answer of JSON; in the names of headers ``_`` stands for ``-``."""
    more = {key.replace("_", "-"): value for key, value in headers.items()}
    length = str(len(content))
    stated = {"Content-Type": "application/json", "Content-Length": length, **more}
    return head(status, stated) + content


def chunk(data: bytes) -> bytes:
    """One chunk of a body that is sent in chunks."""
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def event(value: object) -> bytes:
    """One server-sent event with this value as its data."""
    return b"data: " + _encoded(value) + b"\n\n"


def _encoded(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _completion(call: int) -> object:
    message = {"role": "assistant", "content": text_for(call), "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
    common = {"id": f"c-{call}", "created": 1750000000, "model": "m"}
    return {**common, "object": "chat.completion", "choices": [choice], "usage": usage}


def _chunk(call: int, delta: object, finish: str | None) -> object:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    common = {"id": f"c-{call}", "created": 1750000000, "model": "m"}
    return {**common, "object": "chat.completion.chunk", "choices": [choice]}
