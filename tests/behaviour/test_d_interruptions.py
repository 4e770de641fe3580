"""D. Exceptions and cancellation from outside (behaviours 43 and 44)."""

from __future__ import annotations

import asyncio
import signal
from typing import Any

import anyio
import pytest
from openai_client import AsyncOpenAI, OpenAI

from .callers import Connect, Flavour, http_client, only_async
from .payloads import KEY, QUESTION, completion, error
from .server import Server, answer, hold


class Foreign(Exception):
    """An exception that the client knows nothing of."""


def test_b43_foreign_exception_is_not_wrapped(
    connect: Connect, server: Server, flavour: Flavour
) -> None:
    def interfere(request: object) -> None:
        raise Foreign

    async def interfere_async(request: object) -> None:
        raise Foreign

    server.plays(answer(completion()))
    hook = interfere if flavour == "sync" else interfere_async
    client = connect(http_client=http_client(flavour, event_hooks={"response": [hook]}))

    with pytest.raises(Foreign) as raised:
        client.create()

    assert type(raised.value) is Foreign
    assert len(server.requests) == 1


class Alarm(TimeoutError):
    """What many a signal handler raises; the network layers raise its base class, too."""


@pytest.mark.parametrize("kind", [Foreign, Alarm])
def test_b43_exception_of_a_signal_handler(
    server: Server, flavour: Flavour, kind: type[Exception]
) -> None:
    """Signals reach the main thread only, so the event loop has to run there."""

    def interrupt(*_: object) -> None:
        raise kind

    async def ask() -> None:
        async with AsyncOpenAI(api_key=KEY, base_url=server.url, timeout=5) as client:
            await client.chat.completions.create(**QUESTION)

    server.plays(hold)
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(kind) as raised:
            if flavour == "sync":
                with OpenAI(api_key=KEY, base_url=server.url, timeout=5) as client:
                    client.chat.completions.create(**QUESTION)
            else:
                asyncio.run(ask())
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

    assert type(raised.value) is kind
    assert len(server.requests) == 1


def test_b43_exception_of_a_key_function(connect: Connect, server: Server) -> None:
    def key() -> str:
        raise Foreign

    with pytest.raises(Foreign):
        connect(api_key=key).create()

    assert server.requests == []


@only_async
def test_b44_cancelled_call_closes_its_socket(connect: Connect, server: Server) -> None:
    server.plays(hold, answer(completion("Next.")))
    client = connect()

    async def cancel(client: Any) -> bool:
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as group:
                group.start_soon(when_asked, scope)
                await client.chat.completions.create(**QUESTION)
        return scope.cancelled_caught

    async def when_asked(scope: anyio.CancelScope) -> None:
        while not server.requests:
            await anyio.sleep(0.005)
        scope.cancel()

    assert client.run(cancel) is True
    assert server.connections[0].closed_by_client.wait(5)
    assert client.create().choices[0].message.content == "Next."
    assert len(server.requests) == 2


def test_b44_cancelled_task_raises_cancelled_error(server: Server) -> None:
    server.plays(hold, answer(completion("Next.")))

    async def main() -> str | None:
        async with AsyncOpenAI(api_key=KEY, base_url=server.url) as client:
            create = client.chat.completions.create
            task = asyncio.create_task(create(model="m", messages=[]))
            while not server.requests:
                await asyncio.sleep(0.005)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            said = await create(model="m", messages=[])
            return said.choices[0].message.content

    assert asyncio.run(main()) == "Next."
    assert server.connections[0].closed_by_client.wait(5)
    assert len(server.requests) == 2


@only_async
def test_b44_cancelled_between_attempts(connect: Connect, server: Server) -> None:
    server.plays(answer(error(), 500, headers={"Retry-After": "60"}), answer(completion("Next.")))
    client = connect()

    async def give_up(client: Any) -> None:
        with anyio.move_on_after(0.2):
            await client.chat.completions.create(**QUESTION)

    client.run(give_up)

    assert len(server.requests) == 1
    assert client.create().choices[0].message.content == "Next."
