"""What the loopback server says: answers and chunks as an OpenAI-compatible server would send."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

KEY = "the-secret-key-of-these-tests"

QUESTION: dict[str, Any] = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Hello?"}]}
PROMPT: dict[str, Any] = {"model": "gpt-3.5-turbo-instruct", "prompt": "Once upon a time"}

WORDS = ["Já", ", ", "糸", " and ", "🧵", "."]
"""What is streamed: in characters of one to four bytes."""

TEXT = "".join(WORDS)

USAGE = {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}


def completion(content: str | None = "Good morning.", **changes: Any) -> dict[str, Any]:
    """A chat completion with one choice; keywords replace or add properties at the top."""
    message = {"role": "assistant", "content": content, "refusal": None}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1750000000,
        "model": "gpt-4o-2024-08-06",
        "choices": [
            {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"},
        ],
        "usage": dict(USAGE),
        **changes,
    }


def text_completion(text: str = " there was a loom.", **changes: Any) -> dict[str, Any]:
    """A completion of the older endpoint, whole or one event of its stream."""
    return {
        "id": "cmpl-1",
        "object": "text_completion",
        "created": 1750000000,
        "model": "gpt-3.5-turbo-instruct",
        "choices": [{"text": text, "index": 0, "logprobs": None, "finish_reason": None}],
        **changes,
    }


def chunk(content: str | None = None, *, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    """One chunk of a streamed chat completion; keywords add to its delta."""
    if content is not None:
        delta["content"] = content
    return chunk_of({"index": 0, "delta": delta, "finish_reason": finish})


def chunk_of(*choices: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """One chunk with these choices; keywords replace or add properties at the top."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1750000000,
        "model": "gpt-4o-2024-08-06",
        "choices": list(choices),
        **changes,
    }


def error(
    message: str = "The loom is out of thread.",
    *,
    kind: str | None = "invalid_request_error",
    param: str | None = None,
    code: str | None = None,
) -> dict[str, Any]:
    """An error as the server words it."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def spoken(chunks: Iterable[Any]) -> str:
    """The text of the first choice, joined."""
    return "".join(one.choices[0].delta.content or "" for one in chunks if one.choices)
