"""Fixtures: a scripted server, and a way to connect a client of each flavour to it."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import ExitStack
from types import ModuleType
from typing import Any, cast

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from openai_client import AsyncOpenAI, OpenAI

from .callers import Caller, ClientLog, Connect, Flavour
from .made import PARCELS, Send, made
from .payloads import KEY
from .server import Server
from .vaults import ConnectVault, VaultCaller
from .vaults import vault as vault


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes away whatever the machine says about keys, addresses and proxies."""
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "VAULT_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture
def client_log(caplog: pytest.LogCaptureFixture) -> ClientLog:
    """Makes the client's loggers talk, and reads them with every attribute of each record."""
    caplog.set_level(logging.DEBUG, logger="openai_client")

    def read() -> str:
        ours = [one for one in caplog.records if one.name.partition(".")[0] == "openai_client"]
        return "\n".join(f"{one.getMessage()} {one.__dict__!r}" for one in ours)

    return read


@pytest.fixture
def server() -> Iterator[Server]:
    """The server that clients connect to unless told otherwise."""
    with Server() as server:
        yield server


@pytest.fixture
def other_server() -> Iterator[Server]:
    """A second server, for redirects and proxies."""
    with Server() as server:
        yield server


@pytest.fixture(params=["sync", "asyncio"])
def flavour(request: pytest.FixtureRequest) -> Flavour:
    """Which client is tested: ``OpenAI``, or ``AsyncOpenAI`` in an asyncio or trio loop."""
    return cast(Flavour, request.param)


@pytest.fixture
def portal(flavour: Flavour) -> Iterator[BlockingPortal | None]:
    """The way into the event loop of the asynchronous flavours."""
    if flavour == "sync":
        yield None
        return
    with start_blocking_portal(flavour) as portal:
        yield portal


@pytest.fixture
def connect(server: Server, flavour: Flavour, portal: BlockingPortal | None) -> Iterator[Connect]:
    """Makes clients, and closes them after the test."""
    with ExitStack() as stack:

        def make(**options: Any) -> Caller:
            options = {"api_key": KEY, "base_url": server.url, "timeout": 20, **options}
            client: OpenAI | AsyncOpenAI
            client = OpenAI(**options) if flavour == "sync" else AsyncOpenAI(**options)
            caller = Caller(client, portal)
            stack.callback(caller.close)
            return caller

        yield make


@pytest.fixture
def connect_vault(
    vault: ModuleType, server: Server, flavour: Flavour, portal: BlockingPortal | None
) -> Iterator[ConnectVault]:
    """Makes clients of the description with every kind of proof, and closes them."""
    with ExitStack() as stack:

        def make(**options: Any) -> VaultCaller:
            options = {"base_url": server.url, "timeout": 20, **options}
            kind = vault.Vault if flavour == "sync" else vault.AsyncVault
            caller = VaultCaller(kind(**options), portal)
            stack.callback(caller.close)
            return caller

        yield make


@pytest.fixture(scope="session")
def parcels(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The package of a client that was made for the tests."""
    return made(PARCELS, tmp_path_factory.mktemp("parcels"))


@pytest.fixture
def send(
    parcels: ModuleType, server: Server, flavour: Flavour, portal: BlockingPortal | None
) -> Iterator[Send]:
    """Makes clients of that package, and closes them after the test."""
    with ExitStack() as stack:

        def make(**options: Any) -> Caller:
            options = {"base_url": server.url, "timeout": 20, **options}
            name = "Parcels" if flavour == "sync" else "AsyncParcels"
            caller = Caller(getattr(parcels, name)(**options), portal)
            stack.callback(caller.close)
            return caller

        yield make
