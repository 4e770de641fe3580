"""What ordinary programs do with the client; type checkers have nothing to say about it (S1)."""

from __future__ import annotations

import os
from collections.abc import Iterator

import openai_client
from openai_client import AsyncOpenAI, AsyncStream, OpenAI, Stream, omit
from openai_client.models import (
    ChatCompletion,
    ChatCompletionChunk,
    ChatCompletionMessageToolCall,
    Completion,
)
from openai_client.params import ChatCompletionMessageParam, ChatCompletionToolParam

MODEL = os.environ.get("MODEL", "gpt-4o")
TOOLS: list[ChatCompletionToolParam] = [
    {
        "type": "function",
        "function": {
            "name": "forecast",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
        },
    }
]


def ask(client: OpenAI, question: str, temperature: float | None = None) -> str:
    """Asks a question; optional arguments are left out or null, optional fields may be absent."""
    completion = client.chat.completions.create(
        model=MODEL,
        messages=[
            {"role": "developer", "content": "Answer in one sentence."},
            {"role": "user", "content": question, "name": "Ada"},
        ],
        temperature=omit if temperature is None else temperature,
        stop=["\n"],
        extra_headers={"X-Trace": "1", "User-Agent": omit},
        timeout=20,
    )
    usage = completion.usage
    if usage is not None and usage.prompt_tokens_details is not None:
        cached: int | None = usage.prompt_tokens_details.cached_tokens
        print(usage.total_tokens + 1, cached)
    choice = completion.choices[0]
    if choice.finish_reason == "length":
        return "too long"
    reason: str = choice.finish_reason
    return choice.message.content or reason


def converse(client: OpenAI) -> list[ChatCompletionMessageParam]:
    """Calls a tool, and keeps the conversation in a list of parameters."""
    messages: list[ChatCompletionMessageParam] = [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is in this picture?"},
                {"type": "image_url", "image_url": {"url": "https://example.com/cat.png"}},
            ],
        }
    ]
    message = (
        client.chat.completions.create(
            model=MODEL,
            messages=messages,
            tools=TOOLS,
            tool_choice={"type": "function", "function": {"name": "forecast"}},
        )
        .choices[0]
        .message
    )
    calls: list[ChatCompletionMessageToolCall] = list(message.tool_calls or [])
    for call in calls:
        city: str = call.function.arguments.upper()
        messages.append({"role": "tool", "tool_call_id": call.id, "content": city})
    return messages


def names(messages: list[ChatCompletionMessageParam]) -> Iterator[str]:
    """Narrows a union by its tag."""
    for message in messages:
        if message["role"] == "tool":
            yield message["tool_call_id"]
        elif message["role"] == "user" and not isinstance(message["content"], str):
            for part in message["content"]:
                if part["type"] == "image_url":
                    yield part["image_url"]["url"]
        elif message["role"] == "assistant":
            yield message.get("refusal") or ""


def stream(client: OpenAI, streams: bool) -> None:
    """The overloads of ``stream``: the whole, a stream, or either for a plain bool."""
    question: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Hello!"}]
    whole: ChatCompletion = client.chat.completions.create(
        model=MODEL, messages=question, stream=False
    )
    with client.chat.completions.create(
        model=MODEL, messages=question, stream=True, stream_options={"include_usage": True}
    ) as chunks:
        for chunk in chunks:
            text: str | None = chunk.choices[0].delta.content if chunk.choices else None
            print(text or "", end="")
        final: ChatCompletion = chunks.final()
    assert final.id == whole.id
    either = client.chat.completions.create(model=MODEL, messages=question, stream=streams)
    if isinstance(either, Stream):
        first: ChatCompletionChunk = next(either)
        print(first.model)
    else:
        print(either.choices[0].message.role)
    texts: list[str] = [
        one.choices[0].text
        for one in client.completions.create(model=MODEL, prompt="Once", stream=True)
    ]
    plain: Completion = client.completions.create(model=MODEL, prompt=texts)
    print(plain.to_dict()["id"], plain.to_json(indent=None), plain.model_fields_set)


def wrap(client: OpenAI) -> None:
    """Raw and streaming responses."""
    raw = client.chat.completions.with_raw_response.create(
        model=MODEL, messages=[{"role": "user", "content": "Hello!"}]
    )
    completion: ChatCompletion = raw.parse()
    identifier: str | None = raw.headers.get("x-request-id")
    print(raw.status_code + raw.retries_taken, identifier, completion.created)
    raw_stream = client.chat.completions.with_raw_response.create(
        model=MODEL, messages=[{"role": "user", "content": "Hello!"}], stream=True
    )
    chunks: Stream[ChatCompletionChunk, ChatCompletion] = raw_stream.parse()
    chunks.close()
    with client.completions.with_streaming_response.create(model=MODEL, prompt="Once") as response:
        lines: list[str] = list(response.iter_lines())
        parsed: Completion = response.parse()
    print(lines, parsed.choices[0].finish_reason)


def survive(client: OpenAI) -> str:
    """Errors, from the particular to the general."""
    try:
        return ask(client.with_options(max_retries=0, timeout=5), "Hello?")
    except openai_client.RateLimitError as error:
        return error.response.headers.get("retry-after", "")
    except openai_client.APITimeoutError:
        return "too slow"
    except openai_client.APIStatusError as error:
        return f"{error.status_code + 0} {error.code} {error.request_id} {error.message}"
    except openai_client.APIError as error:
        return error.message


async def ask_async(streams: bool) -> None:
    """The asynchronous client, which differs in ``await``, ``async for`` and ``async with``."""

    async def key() -> str:
        return "secret"

    question: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Hello!"}]
    async with AsyncOpenAI(api_key=key, default_headers={"X-Team": "weavers"}) as client:
        whole = await client.chat.completions.create(model=MODEL, messages=question)
        content: str | None = whole.choices[0].message.content
        chunks = await client.chat.completions.create(model=MODEL, messages=question, stream=True)
        async for chunk in chunks:
            content = chunk.choices[0].delta.content
        final: ChatCompletion = await chunks.final()
        either = await client.completions.create(model=MODEL, prompt="Once", stream=streams)
        if isinstance(either, AsyncStream):
            await either.close()
        else:
            print(either.choices[0].text, content, final.usage)
        raw = await client.completions.with_raw_response.create(model=MODEL, prompt="Once")
        completion: Completion = raw.parse()
        async with client.chat.completions.with_streaming_response.create(
            model=MODEL, messages=question
        ) as response:
            body: bytes = await response.read()
    print(completion.created, body)
