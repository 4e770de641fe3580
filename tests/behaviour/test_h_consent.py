"""H. Tokens that people grant: in a browser, on another device, and where a document says where."""

from __future__ import annotations

import base64
import threading
import time
from hashlib import sha256
from types import ModuleType
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import anyio
import pytest

from .authority import CLIENT_ID, CLIENT_SECRET, IDENTITY, Authority, Clock, form, named, refused
from .callers import trio_too
from .server import Server, answer
from .vaults import ConnectVault, VaultCaller

CALLBACK = "https://me.example/back?x=1"
OIDC = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET}


@pytest.fixture
def authority(server: Server) -> Authority:
    """An authorization server, where the API is."""
    return Authority(server)


@pytest.fixture(autouse=True)
def clock(vault: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the client."""
    clock = Clock()
    monkeypatch.setattr(f"{vault.__name__}._runtime._grants.now", clock)
    return clock


def asked(client: VaultCaller, helper: str = "oauth", **arguments: Any) -> Any:
    """Makes an authorization request."""
    arguments = {"redirect_uri": CALLBACK, **arguments}
    return client.run(lambda c: getattr(c, helper).authorization(**arguments))


def exchanged(client: VaultCaller, authorization: Any, **answered: str) -> Any:
    """Exchanges what a person came back with."""
    callback = f"{CALLBACK}&{urlencode(answered)}"
    return client.run(lambda c: c.oauth.exchange(authorization, callback))


def query_of(url: str) -> dict[str, str]:
    """The parameters of a URL."""
    return dict(parse_qsl(urlsplit(url).query))


@trio_too
def test_a_person_is_asked_in_a_browser(
    connect_vault: ConnectVault, authority: Authority, server: Server
) -> None:
    authority.more = {"refresh_token": "r1", "id_token": "who"}
    client = connect_vault(**IDENTITY, oauth_scopes="read")
    authorization = asked(client, parameters={"prompt": "consent"})
    assert server.requests == []

    query = query_of(authorization.url)
    assert authorization.url.startswith(f"{server.origin}/id/authorize?response_type=code&")
    digest = sha256(authorization.code_verifier.encode()).digest()
    assert query == {
        "response_type": "code",
        "client_id": CLIENT_ID,
        "redirect_uri": CALLBACK,
        "scope": "read",
        "state": authorization.state,
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
        "prompt": "consent",
    }
    assert 43 <= len(authorization.code_verifier) <= 128
    assert authorization.code_verifier not in repr(authorization)
    assert asked(client).state != authorization.state

    token = exchanged(client, authorization, code="c0de", state=authorization.state)
    (request,) = authority.asked
    assert form(request) == {
        "grant_type": "authorization_code",
        "code": "c0de",
        "redirect_uri": CALLBACK,
        "code_verifier": authorization.code_verifier,
    }
    assert named(request) == (CLIENT_ID, CLIENT_SECRET)
    assert (token.access_token, token.refresh_token, token.id_token) == ("t1", "r1", "who")

    theirs = client.with_options(oauth_access_token=token)
    theirs.call("oauth")
    authority.revoke()
    theirs.call("oauth")
    assert form(authority.asked[1])["refresh_token"] == "r1"


@pytest.mark.parametrize("state", ["other", ""])
def test_an_answer_to_another_question_is_refused(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority, state: str
) -> None:
    client = connect_vault(**IDENTITY)
    with pytest.raises(vault.OAuthError, match="its state differs"):
        exchanged(client, asked(client), code="c0de", state=state)
    assert authority.asked == []


def test_consent_that_is_denied_is_an_error(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority
) -> None:
    client = connect_vault(**IDENTITY)
    authorization = asked(client)
    denied = {"error": "access_denied", "error_description": "No.", "state": authorization.state}
    with pytest.raises(vault.OAuthError, match=r"access_denied: No\.") as caught:
        exchanged(client, authorization, **denied)
    assert caught.value.code == "access_denied"
    with pytest.raises(vault.OAuthError, match="there is no code"):
        exchanged(client, authorization, state=authorization.state)
    assert authority.asked == []


def test_a_code_is_sent_once(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority
) -> None:
    authority.refusals = [answer(b"", 503), answer(b"", 503)]
    client = connect_vault(**IDENTITY)
    authorization = asked(client)
    with pytest.raises(vault.OAuthError, match="status 503"):
        exchanged(client, authorization, code="c0de", state=authorization.state)
    assert len(authority.asked) == 1


def test_a_question_needs_a_client_id(vault: ModuleType, connect_vault: ConnectVault) -> None:
    with pytest.raises(vault.OAuthError, match="a client ID is needed"):
        asked(connect_vault())


def test_a_token_is_renewed_when_asked(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority
) -> None:
    client = connect_vault(**IDENTITY)
    old = vault.Token(access_token="t0", refresh_token="r0")
    new = client.run(lambda c: c.oauth.refresh(old))
    assert (new.access_token, new.refresh_token) == ("t1", "r0")
    assert authority.asked[0].target == "/id/refresh"
    with pytest.raises(vault.OAuthError, match="no refresh token"):
        client.run(lambda c: c.oauth.refresh(vault.Token(access_token="t0")))


# Devices ---------------------------------------------------------------------------------------

DEVICE = {
    "device_code": "d3vice",
    "user_code": "ABCD-EFGH",
    "verification_uri": "https://id.example/device",
    "verification_uri_complete": "https://id.example/device?c=ABCD-EFGH",
    "expires_in": 900,
    "interval": 2,
}


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> list[float]:
    """The pauses that the client made, each of which took no time but on its clock."""
    taken: list[float] = []

    def nap(seconds: float) -> None:
        taken.append(seconds)
        clock.time += seconds

    async def nap_async(seconds: float) -> None:
        nap(seconds)

    monkeypatch.setattr(time, "sleep", nap)
    monkeypatch.setattr(anyio, "sleep", nap_async)
    return taken


def device_of(client: VaultCaller) -> Any:
    """Asks for a code to show."""
    return client.run(lambda c: c.oauth.device(scopes=["read"]))


@trio_too
def test_a_person_is_asked_on_another_device(
    connect_vault: ConnectVault, authority: Authority, naps: list[float], clock: Clock
) -> None:
    codes = ("authorization_pending", "slow_down", "authorization_pending")
    authority.refusals = [answer(DEVICE)]
    client = connect_vault(**IDENTITY)
    device = device_of(client)
    assert (device.user_code, device.verification_uri) == (
        DEVICE["user_code"],
        DEVICE["verification_uri"],
    )
    assert device.verification_uri_complete == DEVICE["verification_uri_complete"]
    assert device.expires_at == clock.time + 900
    assert "d3vice" not in repr(device)
    authority.refusals = [refused(code) for code in codes]
    token = client.run(lambda c: c.oauth.wait(device))
    assert token.access_token == "t1"
    assert naps == [2, 2, 7, 7]
    first, *polls = authority.asked
    assert (first.target, form(first)) == ("/id/device", {"scope": "read"})
    assert form(polls[-1]) == {
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": "d3vice",
    }


def test_nobody_comes_in_time(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority, naps: list[float]
) -> None:
    authority.refusals = [answer(DEVICE | {"expires_in": "11"})]
    client = connect_vault(**IDENTITY)
    device = device_of(client)
    authority.refusals = [refused("authorization_pending")] * 9
    with pytest.raises(vault.OAuthError, match="nobody answered in time") as caught:
        client.run(lambda c: c.oauth.wait(device))
    assert caught.value.code == "expired_token"
    assert naps == [2] * 6


def test_a_person_says_no(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority, naps: list[float]
) -> None:
    authority.refusals = [answer(DEVICE)]
    client = connect_vault(**IDENTITY)
    device = device_of(client)
    authority.refusals = [refused("access_denied")]
    with pytest.raises(vault.OAuthError, match="access_denied"):
        client.run(lambda c: c.oauth.wait(device))


def test_what_is_no_code_is_an_error(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority
) -> None:
    authority.refusals = [answer({"user_code": "A", "device_code": 7})]
    with pytest.raises(vault.OAuthError):
        device_of(connect_vault(**IDENTITY))


# OpenID Connect --------------------------------------------------------------------------------


@pytest.fixture
def described(authority: Authority, server: Server) -> Authority:
    """An authorization server that describes itself."""
    authority.metadata = {
        "issuer": "https://id.example",
        "token_endpoint": f"{server.origin}/id/found",
        "authorization_endpoint": "https://id.example/authorize",
        "device_authorization_endpoint": f"{server.origin}/id/device",
        "token_endpoint_auth_methods_supported": ["client_secret_post", "private_key_jwt"],
    }
    return authority


def discoveries(server: Server) -> int:
    """How often the document was fetched."""
    return sum(r.target == "/.well-known/openid-configuration" for r in server.requests)


@trio_too
def test_the_endpoints_are_found_once(
    connect_vault: ConnectVault, described: Authority, server: Server, clock: Clock
) -> None:
    client = connect_vault(**OIDC)
    for _ in range(3):
        client.call("oidc")
        clock.time += 4000
    client.with_options(scopes=["openid"]).call("oidc")
    assert discoveries(server) == 1
    assert [r.target for r in described.asked] == ["/id/found"] * 4
    # The server says how it wants to be told who asks.
    assert named(described.asked[0]) is None
    assert form(described.asked[0])["client_secret"] == CLIENT_SECRET
    assert form(described.asked[3])["scope"] == "openid"


def test_many_threads_find_them_once(
    vault: ModuleType, described: Authority, server: Server
) -> None:
    with vault.Vault(**OIDC, base_url=server.url) as client:
        threads = [threading.Thread(target=client.calls.oidc) for _ in range(32)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert discoveries(server) == 1
    assert len(described.asked) == 1
    assert described.used == ["Bearer t1"] * 32


def test_many_questions_find_them_once(
    vault: ModuleType, described: Authority, server: Server
) -> None:
    with vault.Vault(**OIDC, base_url=server.url) as client:

        def ask() -> None:
            client.oidc.authorization(redirect_uri=CALLBACK)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert discoveries(server) == 1


def test_people_are_asked_where_the_document_says(
    vault: ModuleType, connect_vault: ConnectVault, described: Authority, server: Server
) -> None:
    client = connect_vault(**OIDC)
    authorization = asked(client, "oidc", scopes=["openid", "email"])
    assert authorization.url.startswith("https://id.example/authorize?response_type=code&")
    assert query_of(authorization.url)["scope"] == "openid email"
    stranger = f"{CALLBACK}&code=c&state={authorization.state}&iss=https%3A%2F%2Fevil.example"
    with pytest.raises(vault.OAuthError, match="another authorization server"):
        client.run(lambda c: c.oidc.exchange(authorization, stranger))
    known = f"{CALLBACK}&code=c&state={authorization.state}&iss=https%3A%2F%2Fid.example"
    assert client.run(lambda c: c.oidc.exchange(authorization, known)).access_token == "t1"
    assert discoveries(server) == 1


@pytest.mark.parametrize("metadata", [{}, {"token_endpoint": 7}, [1]])
def test_a_document_that_says_nothing_is_an_error(
    vault: ModuleType, connect_vault: ConnectVault, authority: Authority, metadata: Any
) -> None:
    authority.metadata = metadata
    client = connect_vault(**OIDC)
    with pytest.raises(vault.OAuthError, match="does not say where it grants them"):
        client.call("oidc")
    authority.metadata = {"token_endpoint": "/id/late"}
    assert client.call("oidc").ok is True
    assert authority.asked[0].target == "/id/late"


def test_what_is_known_is_not_looked_up(
    connect_vault: ConnectVault, authority: Authority, server: Server
) -> None:
    client = connect_vault(**OIDC, token_url=f"{server.origin}/id/known")
    client.call("oidc")
    assert discoveries(server) == 0
    assert authority.asked[0].target == "/id/known"


def test_a_plain_access_token_needs_no_document(
    connect_vault: ConnectVault, authority: Authority, server: Server
) -> None:
    authority.valid = {"mine"}
    connect_vault(access_token="mine").call("oidc")
    assert [r.target for r in server.requests] == ["/v1/oidc"]
