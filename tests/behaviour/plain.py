"""Clients of the runtime alone, of any profile, called in every flavour over real sockets.

The tests of ``tests/runtime`` use this where it is the wire that counts; those of this folder
call generated clients.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import isawaitable
from typing import Any

import anyio
import pytest

from runtime import AsyncClient, Profile, Request, SyncClient
from runtime._decoder import BYTES

FLAVOURS = ("sync", "asyncio", "trio")
every_flavour = pytest.mark.parametrize("flavour", FLAVOURS)
"""Runs a test with a synchronous client, and under asyncio and trio."""

PROFILE = Profile(title="Plain", package="plain", version="1")


def sync_client(profile: Profile = PROFILE, **settings: Any) -> SyncClient:
    """Makes a synchronous client of an API."""

    class Client(SyncClient):
        _profile = profile

    return Client(**settings)


def async_client(profile: Profile = PROFILE, **settings: Any) -> AsyncClient:
    """Makes an asynchronous client of an API."""

    class Client(AsyncClient):
        _profile = profile

    return Client(**settings)


def using(
    flavour: str,
    work: Callable[[Any], Any],
    profile: Profile = PROFILE,
    **settings: Any,
) -> Any:
    """Does something with a client, awaits what comes of it if need be, closes the client."""
    if flavour == "sync":
        with sync_client(profile, **settings) as client:
            return work(client)

    async def main() -> Any:
        async with async_client(profile, **settings) as client:
            outcome = work(client)
            return await outcome if isawaitable(outcome) else outcome

    return anyio.run(main, backend=flavour)


def call(
    flavour: str,
    request: Request,
    result: Any = BYTES,
    *,
    profile: Profile = PROFILE,
    **settings: Any,
) -> Any:
    """Makes one call and gives its value."""
    return using(flavour, lambda client: client.send(request, result), profile, **settings)
