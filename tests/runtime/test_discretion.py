"""Credentials stay with their one reader, and out of everything that people see."""

from __future__ import annotations

import base64
import logging
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from behaviour.plain import call, every_flavour, sync_client, using
from behaviour.server import Request as Received
from behaviour.server import Server, Step, answer
from runtime import (
    ApiKey,
    APIStatusError,
    BaseModel,
    Basic,
    Bearer,
    CredentialError,
    Input,
    NextLink,
    NextURL,
    OAuth2,
    Pages,
    Profile,
    Request,
)
from runtime._schemes import Scheme, Security

SCHEMES: dict[str, Scheme] = {
    "bearer": Bearer(Input("bearer", "D_BEARER")),
    "query": ApiKey(Input("key", "D_KEY"), "api_key", "query"),
    "basic": Basic(Input("username", "D_USER"), Input("password", "D_PASSWORD")),
    "oauth": OAuth2(
        Input("access_token", "D_ACCESS"),
        client_id=Input("client_id", "D_ID"),
        client_secret=Input("client_secret", "D_SECRET"),
        token_url_argument="token_url",
        grants=("client_credentials",),
        token_url="/token",
    ),
}
KEY = "KEY-of-the-test/1"
LOGIN = "Basic " + base64.b64encode(b"ada:PASS@WORD").decode()


def profile(*names: str) -> Profile:
    security: Security = (names,) if names else ()
    return Profile(title="D", package="d", version="1", schemes=SCHEMES, security=security)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        server.plays(answer(b"fine"))
        yield server


class Listing(BaseModel):
    data: list[int] | None = None
    next: str | None = None


ADDRESSES = [
    "http://api.test//127.0.0.1:1/steal?page=2",
    "//127.0.0.1:1//127.0.0.1:1/steal?page=2",
    "http://user:pass@127.0.0.1:1//127.0.0.1:1/steal?page=2",
]


@every_flavour
@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("way", ["link", "body"])
def test_pages_come_from_the_server_that_answered(
    server: Server, flavour: str, address: str, way: str
) -> None:
    first = {"data": [1], "next": address if way == "body" else None}
    links = {"Link": f'<{address}>; rel="next"'} if way == "link" else {}
    server.plays(answer(first, headers=links), answer({"data": [2]}))
    pages: Pages[Any, Any]
    pages = Pages(Listing, "data", NextLink() if way == "link" else NextURL("next"))

    def listed(client: Any) -> Any:
        found = client.page(Request("GET", "/items"), pages)
        return list(found) if flavour == "sync" else drained(found)

    async def drained(found: Any) -> list[int]:
        return [item async for item in found]

    found = using(flavour, listed, profile("bearer"), base_url=server.url, **given("bearer"))
    assert found == [1, 2]
    first_asked, second_asked = server.requests
    assert first_asked.target == "/v1/items"
    assert second_asked.target == "//127.0.0.1:1/steal?page=2"
    assert second_asked.header("host") == f"127.0.0.1:{server.port}"


def given(*names: str, **more: Any) -> dict[str, Any]:
    every = {"bearer": {"bearer": "TOKEN"}, "query": {"key": KEY}, "oauth": {}, "basic": {}}
    found: dict[str, Any] = dict(more)
    for name in names:
        found |= every[name]
    return {"credentials": found}


@every_flavour
def test_a_key_that_a_redirect_repeats_is_shown_to_nobody(
    server: Server, flavour: str, caplog: pytest.LogCaptureFixture
) -> None:
    def choose(request: Received) -> Step:
        path, _, query = request.target.partition("?")
        if path.endswith("/"):
            return answer({"message": "no"}, 403)
        return answer(b"", 301, headers={"Location": f"{path}/?{query}"})

    server.chooses(choose)
    caplog.set_level(logging.INFO)
    settings = {"base_url": server.url, **given("query")}
    with pytest.raises(APIStatusError) as caught:
        call(flavour, Request("GET", "/x", query={"a": 1}), profile=profile("query"), **settings)
    assert [dict(r.query) for r in server.requests] == [{"a": "1", "api_key": KEY}] * 2
    error = caught.value
    shown = f"{caplog.text} {error.request!r} {error.response.url} {error.response.url!r}"
    assert "/v1/x/?a=1" in shown
    assert "KEY-of" not in shown


@every_flavour
def test_a_key_that_the_address_of_a_page_repeats_is_shown_to_nobody(
    server: Server, flavour: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    quoted = KEY.replace("/", "%2F")
    address = f"/v1/items?api_key={quoted}&page=2"
    server.plays(answer({"data": [1], "next": address}), answer({"data": [2]}))
    pages: Pages[Any, Any] = Pages(Listing, "data", NextURL("next"))

    def listed(client: Any) -> Any:
        found = client.page(Request("GET", "/items"), pages)
        return list(found) if flavour == "sync" else drained(found)

    async def drained(found: Any) -> list[int]:
        return [item async for item in found]

    settings = {"base_url": server.url, **given("query")}
    assert using(flavour, listed, profile("query"), **settings) == [1, 2]
    assert server.requests[1].query == [("api_key", KEY), ("page", "2")]
    assert "/v1/items?page=2" in caplog.text
    assert "KEY-of" not in caplog.text


def with_login(server: Server) -> str:
    return server.url.replace("http://", "http://ada:PASS%40WORD@")


@every_flavour
def test_the_login_of_a_base_url_is_sent_and_never_shown(
    server: Server, flavour: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    server.plays(answer({"message": f"not {LOGIN}, PASS@WORD"}, 403))
    with pytest.raises(APIStatusError) as caught:
        call(flavour, Request("GET", "/x"), profile=profile(), base_url=with_login(server))
    assert server.request.header("authorization") == LOGIN
    error = caught.value
    shown = f"{caplog.text} {error} {error.request!r} {error.response.url!r}"
    assert f"{server.url}/x" in shown
    assert "WORD" not in shown and LOGIN not in shown


@every_flavour
@pytest.mark.parametrize(
    ("names", "credentials", "headers", "sent"),
    [
        (("bearer",), {"bearer": "TOKEN"}, {}, "Bearer TOKEN"),
        (("bearer",), {"bearer": "TOKEN"}, {"authorization": "Mine x"}, "Mine x"),
        ((), {}, {"Authorization": "Mine x"}, "Mine x"),
        (("basic",), {"username": "bo", "password": "b"}, {}, "Basic Ym86Yg=="),
        (("basic",), {}, {}, LOGIN),
        (("bearer",), {}, {}, LOGIN),
        (("query",), {"key": "k"}, {}, LOGIN),
    ],
)
def test_anything_else_comes_before_the_login_of_a_base_url(
    server: Server,
    flavour: str,
    names: tuple[str, ...],
    credentials: dict[str, str],
    headers: dict[str, str],
    sent: str,
) -> None:
    call(
        flavour,
        Request("GET", "/x", extra_headers=headers),
        profile=profile(*names),
        base_url=with_login(server),
        credentials=credentials,
    )
    assert server.request.header("authorization") == sent


def test_a_login_does_not_stand_for_a_key() -> None:
    made = sync_client(profile("query"), base_url="http://ada:p@h.test")
    with pytest.raises(CredentialError, match="pass key or set D_KEY"):
        made.send(Request("GET", "/x"), Listing)


def test_a_login_leaves_the_client_with_the_url() -> None:
    made = sync_client(profile(), base_url="http://ada:hunter2@h.test/v1")
    assert str(made.base_url) == "http://h.test/v1/"
    assert "hunter2" not in f"{made!r} {made.base_url!r} {vars(made)}"
    other = made.with_options(base_url="http://other.test")
    assert vars(other)["_settings"].base.login is None
    with pytest.raises(ValueError, match="colon"):
        sync_client(profile(), base_url="http://a%3Ab:p@h.test")


@every_flavour
def test_a_redirect_has_no_login_of_its_own(server: Server, flavour: str) -> None:
    there = f"http://mallory:m@127.0.0.1:{server.port}/there"
    server.plays(answer(b"", 307, headers={"Location": there}), answer(b"fine"))
    call(
        flavour,
        Request("GET", "/x"),
        profile=profile("bearer"),
        base_url=server.url,
        **given("bearer"),
    )
    assert [r.header("authorization") for r in server.requests] == ["Bearer TOKEN"] * 2


def own_client(flavour: str) -> httpx2.Client | httpx2.AsyncClient:
    kind = httpx2.Client if flavour == "sync" else httpx2.AsyncClient
    return kind(
        headers={"X-Secret": "S"},
        cookies={"session": "C"},
        params={"q": "P"},
        auth=("user", "PASSWORD"),
    )


@every_flavour
def test_an_authorization_server_is_told_nothing_of_the_http_client(
    server: Server, flavour: str
) -> None:
    server.chooses(
        lambda request: answer({"access_token": "t1"} if "token" in request.target else b"fine")
    )
    call(
        flavour,
        Request("GET", "/x"),
        profile=profile("oauth"),
        base_url=server.url,
        http_client=own_client(flavour),
        credentials={"client_id": "i", "client_secret": "s"},
    )
    asked, called = server.requests
    assert asked.target == "/token"
    named = {name.lower() for name, _ in asked.headers}
    usual = {"host", "accept", "accept-encoding", "connection", "user-agent"}
    assert named == usual | {"content-type", "content-length", "authorization"}
    assert asked.header("authorization") == "Basic " + base64.b64encode(b"i:s").decode()
    assert called.header("x-secret") == "S"
    assert called.header("cookie") == "session=C"


@every_flavour
def test_the_login_of_a_token_url_goes_there_and_is_not_shown(
    server: Server, flavour: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    server.chooses(
        lambda request: answer({"access_token": "t1"} if "token" in request.target else b"fine")
    )
    call(
        flavour,
        Request("GET", "/x"),
        profile=profile("oauth"),
        base_url=server.url,
        credentials={
            "access_token": None,
            "client_id": "i",
            "client_secret": "s",
            "token_url": f"http://ada:PASSWORD@127.0.0.1:{server.port}/token",
        },
    )
    assert [r.target for r in server.requests] == ["/token", "/v1/x"]
    assert "PASSWORD" not in caplog.text
