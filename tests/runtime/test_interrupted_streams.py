"""Streams whose callers stop to wait, and go on later."""

from __future__ import annotations

import gc
import signal
import warnings
from collections.abc import Iterator
from typing import Any

import anyio
import pytest

from behaviour.plain import async_client, every_flavour, sync_client, using
from behaviour.server import Server, frame, hold, stream
from runtime import APIError, BaseModel, Events, Fold, Request

GET = Request("GET", "/events")


class Item(BaseModel):
    a: str


EVENTS = Events(Item, final=Fold(Item), end="[DONE]")
LOST = "interrupted, and the rest of it is lost"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        server.plays(stream(frame({"a": "1"}), hold))
        yield server


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_stream_after_waiting_was_cancelled_does_not_merely_end(
    server: Server, backend: str
) -> None:
    async def main() -> None:
        async with async_client(base_url=server.url) as client:
            opened = await client.stream(GET, EVENTS)
            assert (await anext(opened)).a == "1"
            with anyio.move_on_after(0.05) as scope:
                await anext(opened)
            assert scope.cancelled_caught
            for _ in range(2):
                with pytest.raises(APIError, match=LOST):
                    await anext(opened)
            with pytest.raises(APIError, match=LOST):
                [item async for item in opened]
            with pytest.raises(APIError, match=LOST):
                await opened.final()
            assert not opened.complete

    anyio.run(main, backend=backend)


class Enough(TimeoutError):
    """What a signal handler raises, which looks like a failure of the network."""


@pytest.mark.parametrize("kind", [KeyboardInterrupt, Enough])
def test_a_stream_after_an_interrupt_does_not_merely_end(
    server: Server, kind: type[BaseException]
) -> None:
    def stop(*_: object) -> None:
        raise kind

    before = signal.signal(signal.SIGALRM, stop)
    try:
        with sync_client(base_url=server.url) as client:
            opened = client.stream(GET, EVENTS)
            assert next(opened).a == "1"
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            with pytest.raises(kind):
                next(opened)
            for _ in range(2):
                with pytest.raises(APIError, match=LOST):
                    next(opened)
                with pytest.raises(APIError, match=LOST):
                    list(opened)
            with pytest.raises(APIError, match=LOST):
                opened.final()
    finally:
        signal.signal(signal.SIGALRM, before)


@every_flavour
def test_a_stream_that_its_caller_has_closed_merely_ends(server: Server, flavour: str) -> None:
    def work(client: Any) -> Any:
        if flavour != "sync":
            return later(client)
        opened = client.stream(GET, EVENTS)
        assert next(opened).a == "1"
        opened.close()
        assert list(opened) == []
        return None

    async def later(client: Any) -> None:
        opened = await client.stream(GET, EVENTS)
        assert (await anext(opened)).a == "1"
        await opened.close()
        assert [item async for item in opened] == []

    using(flavour, work, base_url=server.url)


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
@pytest.mark.parametrize("waits", [True, False])
def test_what_is_forgotten_is_closed_without_a_word(backend: str, waits: bool) -> None:
    async def forget(server: Server) -> None:
        client = async_client(base_url=server.url)
        opened = await client.stream(GET, EVENTS)
        async for _ in opened:
            break

    async def main(server: Server) -> None:
        await forget(server)
        gc.collect()
        if waits:
            with anyio.fail_after(5):
                while not server.connections[0].closed_by_client.is_set():
                    await anyio.sleep(0.01)

    with Server() as server, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        server.plays(stream(frame({"a": "1"}), hold))
        for _ in range(3):
            anyio.run(main, server, backend=backend)
            gc.collect()
    assert [str(one.message) for one in said] == []
