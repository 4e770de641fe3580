"""I. Idempotency keys: a call that is sent again is known to the server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import pytest
from anyio.from_thread import BlockingPortal

from .callers import Caller, Flavour, trio_too
from .made import made
from .server import AT_ONCE, Server, answer, head, reset, sends

HEADER = "Idempotency-Key"
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")

LEDGER = Path(__file__).with_name("ledger")
"""The folder of a description whose API knows keys, and of its configuration."""

Pay: TypeAlias = Callable[..., None]
"""Calls a method of the client, by its name; keywords are its arguments."""


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The package of a client whose API knows idempotency keys."""
    return made(LEDGER, tmp_path_factory.mktemp("ledger"))


@pytest.fixture
def pay(
    ledger: ModuleType, server: Server, flavour: Flavour, portal: BlockingPortal | None
) -> Iterator[Pay]:
    """Calls a method of a client, which is closed after the test."""
    kind = ledger.Ledger if flavour == "sync" else ledger.AsyncLedger
    with ExitStack() as stack:

        def call(method: str, *, options: dict[str, Any] | None = None, **arguments: Any) -> None:
            caller = Caller(kind(base_url=server.origin, **(options or {})), portal)
            stack.callback(caller.close)
            caller.run(lambda client: getattr(client.payments, method)(**arguments))

        yield call


def keys(server: Server) -> list[str | None]:
    """The keys of the requests that came."""
    return [request.header(HEADER) for request in server.requests]


@trio_too
def test_a_call_has_one_key_for_all_its_attempts(pay: Pay, server: Server) -> None:
    half = sends(head(200, {"Content-Length": "9"}), b"{", reset)
    server.plays(answer(b"", 503, headers=AT_ONCE), reset, half, answer({}))

    pay("pay", sum=5, options={"max_retries": 3})

    first, *others = keys(server)
    assert first is not None and UUID.fullmatch(first)
    assert others == [first] * 3


def test_each_call_has_a_key_of_its_own(pay: Pay, server: Server) -> None:
    server.plays(answer({}))

    for _ in range(3):
        pay("pay", sum=5)

    assert len(set(keys(server))) == 3
    assert None not in keys(server)


@pytest.mark.parametrize(
    ("method", "arguments", "has_key"),
    [
        ("list", {}, False),
        ("replace", {"id": "1", "sum": 5}, False),
        ("cancel", {"id": "1"}, False),
        ("change", {"id": "1", "sum": 5}, True),
        ("pay", {"sum": 5}, True),
    ],
)
def test_methods_that_may_be_repeated_anyway_need_no_key(
    pay: Pay, server: Server, method: str, arguments: dict[str, Any], has_key: bool
) -> None:
    server.plays(answer({}))

    pay(method, **arguments)

    assert (keys(server) != [None]) is has_key


@pytest.mark.parametrize(
    "arguments",
    [
        {"extra_headers": {HEADER: "mine"}},
        {"extra_headers": {"idempotency-KEY": "mine"}},
        {"options": {"default_headers": {HEADER: "mine"}}},
    ],
)
def test_the_key_of_the_caller_wins(pay: Pay, server: Server, arguments: dict[str, Any]) -> None:
    server.plays(answer(b"", 503, headers=AT_ONCE), answer({}))

    pay("pay", sum=5, **arguments)

    assert keys(server) == ["mine", "mine"]


def test_a_declared_header_is_filled_in_where_the_caller_gives_none(
    pay: Pay, server: Server
) -> None:
    server.plays(answer({}))

    pay("transfer", sum=5, idempotency_key="mine")
    pay("transfer", sum=5)

    mine, made_for_it = keys(server)
    assert mine == "mine"
    assert made_for_it is not None and UUID.fullmatch(made_for_it)


def test_a_caller_may_send_none(ledger: ModuleType, pay: Pay, server: Server) -> None:
    server.plays(answer({}))

    pay("pay", sum=5, extra_headers={HEADER: ledger.omit})

    assert keys(server) == [None]


def test_hooks_see_the_key(ledger: ModuleType, pay: Pay, server: Server) -> None:
    server.plays(answer({}))
    seen: list[str] = []
    hooks = __import__(f"{ledger.__name__}.hooks", fromlist=["Hooks"])

    def see(event: Any) -> None:
        seen.append(event.headers[HEADER])

    pay("pay", sum=5, options={"hooks": hooks.Hooks(on_request=see)})

    assert seen == keys(server)


def test_the_readme_says_so(ledger: ModuleType) -> None:
    assert ledger.__file__ is not None
    readme = Path(ledger.__file__).parents[2] / "README.md"
    assert f"carries a key in `{HEADER}`" in readme.read_text("utf-8")
