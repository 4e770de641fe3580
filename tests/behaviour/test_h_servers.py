"""H. Where calls go: servers by name, their variables, those of paths and operations."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from anyio.from_thread import BlockingPortal

from .callers import only_async
from .server import Server, answer
from .vaults import imported


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The package of the client with every kind of server."""
    with imported("places", tmp_path_factory.mktemp("places")) as package:
        yield package


@pytest.fixture(autouse=True)
def a_good_answer(server: Server, other_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The servers answer everything well."""
    server.plays(answer({"ok": True}))
    other_server.plays(answer({"ok": True}))
    monkeypatch.delenv("PLACES_BASE_URL", raising=False)


def made(places: ModuleType, **options: Any) -> Any:
    """A client with a key, which each server gets to see."""
    return places.Places(**{"api_key": "k", **options})


def test_the_first_server_is_the_usual_one(places: ModuleType, server: Server) -> None:
    client = made(places, port=str(server.port))
    assert client.calls.usual().ok is True
    assert server.request.target == "/v1/usual"
    assert str(client.base_url) == f"http://127.0.0.1:{server.port}/v1/"
    assert str(made(places).base_url) == "http://127.0.0.1/v1/"


def test_servers_are_chosen_by_name(places: ModuleType, server: Server) -> None:
    made(places, server="the_sandbox", port=str(server.port)).calls.usual()
    assert server.request.target == "/test/usual"
    assert server.request.header("host") == f"localhost:{server.port}"


@only_async
def test_the_asynchronous_client_has_them_too(
    places: ModuleType, server: Server, portal: BlockingPortal
) -> None:
    client = places.AsyncPlaces(api_key="k", server="the_sandbox", port=str(server.port))
    assert portal.call(client.calls.usual).ok is True
    assert server.request.target == "/test/usual"
    portal.call(client.close)


def test_the_signature_says_what_can_be_chosen(places: ModuleType) -> None:
    parameters = inspect.signature(places.Places).parameters
    own: Any = vars(sys.modules["places_client._client"])
    hints: dict[str, Any] = get_type_hints(places.Places.__init__, own)
    assert get_args(hints["server"]) == ("production", "the_sandbox")
    assert parameters["server"].default == "production"
    assert get_origin(hints["base"]) is Literal and get_args(hints["base"]) == ("v1", "v2")
    assert hints["port"] is str and parameters["port"].default == "80"
    assert parameters["unheard_of"].default is None
    assert all(p.kind is p.KEYWORD_ONLY for p in parameters.values())


def test_values_that_do_not_fit_are_refused(places: ModuleType) -> None:
    with pytest.raises(ValueError, match="Places: base must be one of 'v1', 'v2', not 'v9'"):
        made(places, base="v9")
    with pytest.raises(ValueError, match="no server 'moon'; the servers are 'production', 'the_s"):
        made(places, server="moon")


@pytest.mark.parametrize("host", ["evil.example/", "evil.example?", "a#", "me@evil.example", "a b"])
def test_a_value_cannot_change_where_calls_go(places: ModuleType, host: str) -> None:
    with pytest.raises(ValueError, match=r"host: .* would change the rest of the URL"):
        made(places, host=host)


def test_paths_and_operations_have_servers_of_their_own(
    places: ModuleType, server: Server, other_server: Server
) -> None:
    ports = {"port": str(server.port), "files_port": str(other_server.port)}
    client = made(places, **ports)
    for call in (client.calls.of_path, client.calls.of_operation, client.calls.usual):
        call()
    assert [r.target for r in other_server.requests] == ["/files/of-path", "/upload/of-path"]
    assert [r.target for r in server.requests] == ["/v1/usual"]
    assert other_server.requests[0].header("x-key") == "k"


def test_a_server_of_the_same_name_goes_with_it(places: ModuleType, other_server: Server) -> None:
    client = made(places, server="the_sandbox", files_port=str(other_server.port))
    client.calls.of_operation()
    client.calls.of_path()
    targets = [r.target for r in other_server.requests]
    assert targets == ["/upload-test/of-path", "/files/of-path"]


def test_a_relative_server_is_relative_to_the_usual_one(places: ModuleType, server: Server) -> None:
    made(places, port=str(server.port)).calls.relative()
    assert server.request.target == "/v3/relative"


def test_a_variable_without_a_value_is_missed_when_it_is_needed(
    places: ModuleType, server: Server
) -> None:
    client = made(places, port=str(server.port))
    client.calls.usual()
    with pytest.raises(ValueError, match="pass unheard_of"):
        client.calls.needy()
    assert made(places, unheard_of=str(server.port)).calls.needy().ok is True


@pytest.mark.parametrize("how", ["argument", "environment", "copy"])
def test_a_base_url_comes_before_all(
    places: ModuleType,
    server: Server,
    other_server: Server,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
) -> None:
    options: dict[str, Any] = {"server": "the_sandbox", "files_port": str(other_server.port)}
    if how == "argument":
        client = made(places, base_url=server.url, **options)
    elif how == "environment":
        monkeypatch.setenv("PLACES_BASE_URL", server.url)
        client = made(places, **options)
    else:
        client = made(places, **options).with_options(base_url=server.url)
    for call in ("usual", "of_path", "of_operation", "relative", "needy"):
        getattr(client.calls, call)()
    assert {r.target.split("/")[1] for r in server.requests} == {"v1"}
    assert len(server.requests) == 5
    assert other_server.requests == []


def test_an_empty_variable_says_nothing(
    places: ModuleType, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLACES_BASE_URL", "")
    made(places, port=str(server.port)).calls.usual()
    assert server.request.target == "/v1/usual"


def test_a_copy_goes_where_its_original_goes(places: ModuleType, server: Server) -> None:
    client = made(places, server="the_sandbox", port=str(server.port), files_port=str(server.port))
    copy = client.with_options(api_key="other")
    copy.calls.usual()
    copy.calls.of_operation()
    assert [r.target for r in server.requests] == ["/test/usual", "/upload-test/of-path"]
    assert [r.header("x-key") for r in server.requests] == ["other", "other"]
