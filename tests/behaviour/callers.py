"""One way to drive every flavour of the client, so that a test is written once.

A :class:`Caller` looks synchronous. It drives ``OpenAI`` directly, and ``AsyncOpenAI`` in an event
loop (asyncio or trio) that lives in a thread of its own for as long as the test does.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol, TypeAlias

import httpx2
import pytest
from anyio.from_thread import BlockingPortal
from openai_client import AsyncOpenAI, OpenAI
from openai_client.models import ChatCompletion, ChatCompletionChunk, Completion

from .payloads import PROMPT, QUESTION

Flavour: TypeAlias = Literal["sync", "asyncio", "trio"]

trio_too = pytest.mark.parametrize("flavour", ["sync", "asyncio", "trio"], indirect=True)
"""Runs a test under trio as well; every other test runs in the first two flavours."""

only_async = pytest.mark.parametrize("flavour", ["asyncio", "trio"], indirect=True)
"""Runs a test in the asynchronous flavours only."""


class Connect(Protocol):
    """Makes a client for the server; keywords go to its constructor."""

    def __call__(self, **options: Any) -> Caller: ...


class Caller:
    """A client of one flavour, called as if it were synchronous."""

    def __init__(self, client: OpenAI | AsyncOpenAI, portal: BlockingPortal | None) -> None:
        self.client: Any = client
        self.portal = portal

    @property
    def is_async(self) -> bool:
        """Whether this drives ``AsyncOpenAI``."""
        return self.portal is not None

    def run(self, work: Callable[[Any], Any]) -> Any:
        """Calls ``work(client)`` where the client lives, and awaits what it gives if need be."""
        if self.portal is None:
            return work(self.client)
        return self.portal.call(_outcome, work, self.client)

    def context(self, manager: Any) -> AbstractContextManager[Any]:
        """A context manager of either kind as a plain one."""
        if self.portal is not None:
            return self.portal.wrap_async_context_manager(manager)
        plain: AbstractContextManager[Any] = manager
        return plain

    def create(self, **arguments: Any) -> ChatCompletion:
        """``chat.completions.create``, with a question unless the test brings its own."""
        answer = self.run(lambda client: client.chat.completions.create(**QUESTION | arguments))
        assert isinstance(answer, ChatCompletion)
        return answer

    def complete(self, **arguments: Any) -> Completion:
        """``completions.create``, with a prompt unless the test brings its own."""
        answer = self.run(lambda client: client.completions.create(**PROMPT | arguments))
        assert isinstance(answer, Completion)
        return answer

    def open(self, **arguments: Any) -> OpenStream:
        """``chat.completions.create(stream=True)``, with its events still to be read."""
        arguments = {**QUESTION, "stream": True, **arguments}
        return OpenStream(self, self.run(lambda c: c.chat.completions.create(**arguments)))

    def open_completion(self, **arguments: Any) -> OpenStream:
        """``completions.create(stream=True)``, with its events still to be read."""
        arguments = {**PROMPT, "stream": True, **arguments}
        return OpenStream(self, self.run(lambda c: c.completions.create(**arguments)))

    def stream(self, **arguments: Any) -> list[ChatCompletionChunk]:
        """Every chunk of a streamed chat completion."""
        return list(self.open(**arguments))

    def raw(self, **arguments: Any) -> Response:
        """``chat.completions.with_raw_response.create``."""
        arguments = QUESTION | arguments
        response = self.run(lambda c: c.chat.completions.with_raw_response.create(**arguments))
        return Response(self, response)

    def streaming(self, **arguments: Any) -> AbstractContextManager[Any]:
        """``chat.completions.with_streaming_response.create``, not yet entered."""
        completions = self.client.chat.completions
        return self.context(completions.with_streaming_response.create(**QUESTION | arguments))

    def with_options(self, **options: Any) -> Caller:
        """A caller of the client's copy with these options."""
        return Caller(self.run(lambda client: client.with_options(**options)), self.portal)

    def close(self) -> None:
        """Closes the client."""
        self.run(lambda client: client.close())


class OpenStream(Iterator[Any]):
    """An open stream of either client, read step by step."""

    def __init__(self, caller: Caller, stream: Any) -> None:
        self.caller = caller
        self.stream = stream
        self._entered: AbstractContextManager[Any] | None = None

    def __next__(self) -> Any:
        def step(_: object) -> Any:
            if self.caller.is_async:
                return anext(self.stream, _END)
            return next(self.stream, _END)

        item = self.caller.run(step)
        if item is _END:
            raise StopIteration
        return item

    def __enter__(self) -> OpenStream:
        self._entered = self.caller.context(self.stream)
        self._entered.__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        assert self._entered is not None
        self._entered.__exit__(*raised)

    def close(self) -> None:
        """Closes the stream."""
        self.caller.run(lambda _: self.stream.close())

    def final(self) -> Any:
        """The whole object that the chunks make together."""
        return self.caller.run(lambda _: self.stream.final())


class Response:
    """A raw or streaming response of either client."""

    def __init__(self, caller: Caller, response: Any) -> None:
        self.caller = caller
        self.response = response

    @property
    def status_code(self) -> int:
        """The status code."""
        return int(self.response.status_code)

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, by name in any case."""
        headers: Mapping[str, str] = self.response.headers
        return headers

    @property
    def retries_taken(self) -> int:
        """How many attempts failed before this response came."""
        return int(self.response.retries_taken)

    def parse(self) -> Any:
        """What the plain method would have returned."""
        return self.caller.run(lambda _: self.response.parse())

    def get(self, method: str) -> Any:
        """What a method without arguments returns (``read``, ``text``, ``json``)."""
        return self.caller.run(lambda _: getattr(self.response, method)())

    def all(self, method: str) -> list[Any]:
        """Everything that an iterating method yields (``iter_lines``, ``iter_bytes``)."""
        if not self.caller.is_async:
            return list(getattr(self.response, method)())

        async def collect() -> list[Any]:
            return [item async for item in getattr(self.response, method)()]

        assert self.caller.portal is not None
        return self.caller.portal.call(collect)


def request_id(answer: Any) -> object:
    """What the answer knows of its request; type checkers take the name for a private one."""
    return answer._request_id


class ClientLog(Protocol):
    """Gives everything that the client's own loggers have said so far."""

    def __call__(self) -> str: ...


def http_client(caller_flavour: Flavour, **options: Any) -> httpx2.Client | httpx2.AsyncClient:
    """An httpx2 client of the kind that a client of this flavour takes."""
    return httpx2.Client(**options) if caller_flavour == "sync" else httpx2.AsyncClient(**options)


class _End:
    """The type of the mark for "no more items"."""


_END = _End()


async def _outcome(work: Callable[[Any], Any], client: Any) -> Any:
    outcome = work(client)
    return await outcome if inspect.isawaitable(outcome) else outcome
