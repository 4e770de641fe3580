"""One call in each of the ways that there are, with both clients, and how it ended."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from openai_client import (
    APIError,
    AsyncOpenAI,
    AsyncStream,
    BaseModel,
    OpenAI,
    RequestOptions,
    Stream,
)
from openai_client.models import ChatCompletion, ChatCompletionChunk
from openai_client.params import ChatCompletionMessageParam

from .wire import CALL, text_for

TIMEOUT_SECONDS = 0.6
DEADLINE_SECONDS = 2.0

Ending: TypeAlias = Literal["whole", "partial", "wrong", "error", "foreign"]
"""How a call ends: in the value that the server meant, in a part of it, in something else; in an
error of the client's own, or in one that is not."""

ACCEPTED: tuple[Ending, ...] = ("whole", "partial", "error")
FLAVOURS = ("OpenAI", "AsyncOpenAI")
Way: TypeAlias = Literal["plain", "raw", "streaming response", "items", "final", "left early"]
WAYS: tuple[Way, ...] = ("plain", "raw", "streaming response", "items", "final", "left early")


@dataclass(frozen=True)
class Outcome:
    """How one call ended."""

    call: int
    flavour: str
    way: Way
    ending: Ending
    detail: str
    """The class of the error, or what was wrong."""
    seconds: float

    def __str__(self) -> str:
        return f"call {self.call} of {self.flavour} ({self.way})"


@dataclass
class Calls:
    """What becomes of calls: those under way, and those that ended.

    Of those that ended as they may, only numbers are kept, so that memory shows what clients do.
    """

    under_way: dict[int, float] = field(default_factory=dict[int, float])
    """When each began, on the monotonic clock."""
    ended: Counter[tuple[str, Ending, str]] = field(
        default_factory=Counter[tuple[str, Ending, str]]
    )
    """How many ended how: by flavour, ending and class of the error."""
    longest: dict[str, Outcome] = field(default_factory=dict[str, Outcome])
    """The one that took longest, by flavour."""
    wrong: list[Outcome] = field(default_factory=list[Outcome])
    """Those that ended in a way that is not accepted."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, outcome: Outcome) -> None:
        """Note how a call ended."""
        flavour, accepted = outcome.flavour, outcome.ending in ACCEPTED
        with self._lock:
            self.ended[flavour, outcome.ending, outcome.detail if accepted else ""] += 1
            if not accepted:
                self.wrong.append(outcome)
            if flavour not in self.longest or self.longest[flavour].seconds < outcome.seconds:
                self.longest[flavour] = outcome

    @contextmanager
    def _noted(self, call: int, flavour: str) -> Generator[list[str]]:
        """Note how a call ends; its text is added to the list."""
        texts: list[str] = []
        begin = self.under_way[call] = time.monotonic()
        ending: Ending
        try:
            yield texts
        except APIError as error:
            ending, detail = "error", type(error).__name__
        except BaseException as error:  # also one that says that the task was cancelled
            ending, detail = "foreign", f"{type(error).__module__}.{error!r}"
        else:
            ending, detail = _judged(call, texts[0])
        del self.under_way[call]
        seconds = time.monotonic() - begin
        self.keep(Outcome(call, flavour, way_of(call), ending, detail, seconds))

    def make(self, client: OpenAI, call: int) -> None:
        """Make a call with the synchronous client."""
        with self._noted(call, "OpenAI") as texts:
            texts.append(_SYNC[way_of(call)](client, call))

    async def make_async(self, client: AsyncOpenAI, call: int) -> None:
        """Make a call with the asynchronous client."""
        with self._noted(call, "AsyncOpenAI") as texts:
            texts.append(await _ASYNC[way_of(call)](client, call))


def way_of(call: int) -> Way:
    """The way in which a call is made; both clients come to make calls in every way."""
    return WAYS[call // 2 % len(WAYS)]


def _judged(call: int, text: str) -> tuple[Ending, str]:
    expected = text_for(call)
    if text == expected:
        return "whole", ""
    if expected.startswith(text):
        return "partial", ""
    return "wrong", repr(text)


MESSAGES: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Well?"}]


def _headers(call: int) -> dict[str, str]:
    return {CALL: str(call)}


def _options(call: int) -> RequestOptions:
    return RequestOptions(
        timeout=TIMEOUT_SECONDS, deadline=DEADLINE_SECONDS, max_retries=1 + call // 2 % 2
    )


def _text(answer: object, part: Literal["message", "delta"]) -> str:
    """Return the text of an answer, in which anything may be missing; of a 204 all is."""
    if not isinstance(answer, BaseModel):
        return ""
    choices: Any = answer.to_dict().get("choices") or [{}]
    message: Any = choices[0].get(part) or {}
    return str(message.get("content") or "")


def _plain(client: OpenAI, call: int) -> str:
    create = client.chat.completions.create
    made = create(
        model="m", messages=MESSAGES, extra_headers=_headers(call), options=_options(call)
    )
    return _text(made, "message")


def _raw(client: OpenAI, call: int) -> str:
    create = client.chat.completions.with_raw_response.create
    response = create(
        model="m", messages=MESSAGES, extra_headers=_headers(call), options=_options(call)
    )
    return _text(response.parse(), "message")


def _streaming_response(client: OpenAI, call: int) -> str:
    create = client.chat.completions.with_streaming_response.create
    with create(
        model="m", messages=MESSAGES, extra_headers=_headers(call), options=_options(call)
    ) as response:
        return _text(response.parse(), "message")


def _stream(client: OpenAI, call: int) -> Stream[ChatCompletionChunk, ChatCompletion]:
    return client.chat.completions.create(
        model="m",
        messages=MESSAGES,
        stream=True,
        extra_headers=_headers(call),
        options=_options(call),
    )


def _items(client: OpenAI, call: int) -> str:
    return "".join(_text(one, "delta") for one in _stream(client, call))


def _final(client: OpenAI, call: int) -> str:
    return _text(_stream(client, call).final(), "message")


def _left_early(client: OpenAI, call: int) -> str:
    with _stream(client, call) as stream:
        for one in stream:
            return _text(one, "delta")
    return ""


async def _plain_async(client: AsyncOpenAI, call: int) -> str:
    create = client.chat.completions.create
    made = await create(
        model="m", messages=MESSAGES, extra_headers=_headers(call), options=_options(call)
    )
    return _text(made, "message")


async def _raw_async(client: AsyncOpenAI, call: int) -> str:
    create = client.chat.completions.with_raw_response.create
    response = await create(
        model="m", messages=MESSAGES, extra_headers=_headers(call), options=_options(call)
    )
    return _text(response.parse(), "message")


async def _streaming_response_async(client: AsyncOpenAI, call: int) -> str:
    create = client.chat.completions.with_streaming_response.create
    async with create(
        model="m", messages=MESSAGES, extra_headers=_headers(call), options=_options(call)
    ) as response:
        return _text(await response.parse(), "message")


async def _stream_async(
    client: AsyncOpenAI, call: int
) -> AsyncStream[ChatCompletionChunk, ChatCompletion]:
    return await client.chat.completions.create(
        model="m",
        messages=MESSAGES,
        stream=True,
        extra_headers=_headers(call),
        options=_options(call),
    )


async def _items_async(client: AsyncOpenAI, call: int) -> str:
    return "".join([_text(one, "delta") async for one in await _stream_async(client, call)])


async def _final_async(client: AsyncOpenAI, call: int) -> str:
    stream = await _stream_async(client, call)
    return _text(await stream.final(), "message")


async def _left_early_async(client: AsyncOpenAI, call: int) -> str:
    async with await _stream_async(client, call) as stream:
        async for one in stream:
            return _text(one, "delta")
    return ""


_SYNC: Mapping[Way, Callable[[OpenAI, int], str]] = {
    "plain": _plain,
    "raw": _raw,
    "streaming response": _streaming_response,
    "items": _items,
    "final": _final,
    "left early": _left_early,
}
_ASYNC: Mapping[Way, Callable[[AsyncOpenAI, int], Awaitable[str]]] = {
    "plain": _plain_async,
    "raw": _raw_async,
    "streaming response": _streaming_response_async,
    "items": _items_async,
    "final": _final_async,
    "left early": _left_early_async,
}
