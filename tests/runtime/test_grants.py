"""What authorization servers grant and answer, also where it makes no sense."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from behaviour.plain import call, every_flavour, using
from behaviour.server import Request as Received
from behaviour.server import Server, Step, answer
from runtime import Input, OAuth2, Profile, Request
from runtime._grants import now
from runtime._oauth import AsyncOAuth, Authorization, DeviceAuthorization, OAuth
from runtime._schemes import Scheme
from runtime._token import OAuthError, Token, number_of, token_of

SCHEMES: dict[str, Scheme] = {
    "oauth": OAuth2(
        Input("access_token", "G_ACCESS"),
        client_id=Input("client_id", "G_ID"),
        client_secret=Input("client_secret", "G_SECRET"),
        token_url_argument="token_url",
        grants=("client_credentials",),
        metadata_url="/.well-known/openid-configuration",
    )
}
PROFILE = Profile(title="G", package="g", version="1", schemes=SCHEMES, security=(("oauth",),))
IDENTITY = {"client_id": "i", "client_secret": "s"}
GET = Request("GET", "/x")


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server


def authority(server: Server, metadata: dict[str, object], token: object) -> None:
    """Answers as an authorization server and as the API."""

    def choose(request: Received) -> Step:
        if request.path.startswith("/.well-known"):
            return answer(metadata)
        return answer(token) if "token" in request.path else answer(b"fine")

    server.chooses(choose)


def settings(server: Server, **credentials: Any) -> dict[str, Any]:
    given = {**IDENTITY, **credentials}
    return {"profile": PROFILE, "base_url": server.url, "credentials": given}


@every_flavour
@pytest.mark.parametrize(
    ("answered", "said"),
    [
        ({"access_token": "a\nb"}, "no header can hold"),
        ({"access_token": "\N{GREEK SMALL LETTER ALPHA}"}, "no header can hold"),
        ({"access_token": "t", "token_type": "mac"}, "type 'mac'"),
        ({"access_token": "t", "token_type": "DPoP"}, "type 'DPoP'"),
    ],
)
def test_a_token_that_cannot_be_used_is_a_refusal(
    server: Server, flavour: str, answered: object, said: str
) -> None:
    authority(server, {"token_endpoint": "/token"}, answered)
    with pytest.raises(OAuthError, match=f"^G: a token.*{said}") as caught:
        call(flavour, GET, **settings(server))
    assert caught.value.request is not None
    assert [r.path for r in server.requests] == ["/.well-known/openid-configuration", "/token"]


@every_flavour
@pytest.mark.parametrize("seconds", ["9" * 400, "1e400", '"nan"', "-1", '"soon"', "true", '"9"'])
def test_a_life_that_makes_no_sense_is_not_known(
    server: Server, flavour: str, seconds: str
) -> None:
    token = f'{{"access_token": "t", "token_type": "bearer", "expires_in": {seconds}}}'
    authority(server, {"token_endpoint": "/token"}, token)
    assert call(flavour, GET, **settings(server)) == b"fine"
    assert server.requests[-1].header("authorization") == "Bearer t"


def test_lives_are_read_as_numbers_and_as_text() -> None:
    for written in (60, "60", 60.0):
        token = token_of({"access_token": "t", "expires_in": written}, 1000.0)
        assert token == Token(access_token="t", expires_at=1060.0)
    senseless: tuple[object, ...] = (0, "x", None, True, 10**400, "1e999", float("nan"))
    for one in senseless:
        assert token_of({"access_token": "t", "expires_in": one}, 0.0) == Token(access_token="t")
    assert number_of(10**400) is None
    for kind in ("bearer", "Bearer", "bot", ""):
        assert token_of({"access_token": "t", "token_type": kind}, 0.0) is not None


ENDPOINTS = [
    "http://[x/",
    "http://a..b/token",
    "http://h:99999/token",
    "/to\nken",
    "http://\u2028/",
]


@every_flavour
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_an_endpoint_that_is_none_is_an_error_of_the_authorization_server(
    server: Server, flavour: str, endpoint: str
) -> None:
    authority(server, {"token_endpoint": endpoint}, {"access_token": "t"})
    with pytest.raises(OAuthError, match="address of the authorization server is none"):
        call(flavour, GET, **settings(server))
    with pytest.raises(OAuthError, match="address of the authorization server is none"):
        call(flavour, GET, **settings(server, token_url=endpoint))


def granting(flavour: str, server: Server, name: str, *given: Any, **more: Any) -> Any:
    """Calls a method of the helper of a scheme."""
    return using(
        flavour,
        lambda client: getattr(client._oauth("oauth"), name)(*given, **more),
        **settings(server),
    )


@every_flavour
def test_where_consent_is_asked_for_is_found(server: Server, flavour: str) -> None:
    found: dict[str, object]
    found = {"token_endpoint": "/token", "authorization_endpoint": "/ask?x=1"}
    authority(server, found, {})
    # The description may know where tokens are granted, and nothing else.
    argument = {"token_url": f"{server.origin}/token"}
    asked = using(
        flavour,
        lambda client: client._oauth("oauth").authorization(redirect_uri="http://me/cb"),
        **settings(server, **argument),
    )
    assert asked.url.startswith(f"{server.origin}/ask?x=1&response_type=code&client_id=i&")


@every_flavour
def test_where_consent_is_asked_for_may_be_nowhere(server: Server, flavour: str) -> None:
    authority(server, {"authorization_endpoint": "http://[x/"}, {})
    with pytest.raises(OAuthError, match="address of the authorization server is none"):
        granting(flavour, server, "authorization", redirect_uri="http://me/cb")


CALLBACKS = [
    ("http://me/cb?state=%C3%A9&code=1", "its state differs"),
    ("http://me/cb?state=\N{LATIN SMALL LETTER E WITH ACUTE}&code=1", "its state differs"),
    ("http://me/cb?state=\ud800&code=1", "its state differs"),
    ("http://me/cb?code=1", "its state differs"),
    ("http://[x/cb?state=S", "no URL"),
    ("http://me/cb?state=S", "there is no code"),
    ("http://me/cb?state=S&error=access_denied", "access_denied"),
    ("", "its state differs"),
]


@every_flavour
@pytest.mark.parametrize(("callback", "said"), CALLBACKS)
def test_a_callback_that_brings_no_code_is_an_error(
    server: Server, flavour: str, callback: str, said: str
) -> None:
    authority(server, {"token_endpoint": "/token"}, {"access_token": "t"})
    asked = Authorization("http://h", "http://me/cb", "S", "v")
    with pytest.raises(OAuthError, match=said):
        granting(flavour, server, "exchange", asked, callback)


@every_flavour
@pytest.mark.parametrize("interval", ["-1", "1e400", '"nan"', "9" * 400, "[]"])
@pytest.mark.parametrize("life", ["1e400", '"nan"', "-5", "600"])
def test_an_interval_that_makes_no_sense_is_the_usual_one(
    server: Server, flavour: str, interval: str, life: str
) -> None:
    codes = {"verification_uri": "http://v", "user_code": "U", "device_code": "D"}
    written = json.dumps(codes)[:-1] + f', "interval": {interval}, "expires_in": {life}}}'
    authority(server, {"device_authorization_endpoint": "/token", "token_endpoint": "/t"}, written)
    before = now()
    found = granting(flavour, server, "device")
    assert isinstance(found, DeviceAuthorization)
    assert 0 <= found.interval <= 86_400
    assert before < found.expires_at < now() + 86_401


def test_both_flavours_ask_for_the_same_endpoints() -> None:
    for name in ("authorization", "exchange", "device", "wait", "refresh"):
        plain, awaited = (
            re.sub(r"\b(async|await)\b|\s", "", inspect.getsource(getattr(kind, name)))
            for kind in (OAuth, AsyncOAuth)
        )
        assert awaited == plain
