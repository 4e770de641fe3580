"""H. How a caller proves who it is: each kind of proof, and what is chosen of several."""

from __future__ import annotations

import base64
import logging
import pickle
from collections.abc import Callable
from hashlib import md5, sha256
from types import ModuleType
from typing import Any
from urllib.request import parse_http_list

import pytest

from .callers import Flavour, http_client, only_async, trio_too
from .server import AT_ONCE, Exchange, Request, Server, Step, answer
from .vaults import ConnectVault

SECRET = "s3cret-of-the-test"
GIVEN: dict[str, Any] = {
    "bearer": SECRET,
    "header_key": f"{SECRET}-header",
    "query_key": f"{SECRET}&query",
    "cookie_key": f"{SECRET}-cookie",
    "username": "ada",
    "password": f"{SECRET}:basic",
    "digest_username": "ada",
    "digest_password": f"{SECRET}-digest",
    "signature": f"keyId={SECRET}",
}
BASIC = "Basic " + base64.b64encode(f"ada:{SECRET}:basic".encode()).decode()


@pytest.fixture(autouse=True)
def a_good_answer(server: Server) -> None:
    """The server answers everything well unless a test says otherwise."""
    server.plays(answer({"ok": True}))


def proofs(request: Request) -> dict[str, str]:
    """What a request proves its sender with, by the place."""
    found = {
        name: value
        for name in ("authorization", "x-key", "cookie")
        if (value := request.header(name)) is not None
    }
    return found | dict(request.query)


@trio_too
@pytest.mark.parametrize(
    ("call", "sent"),
    [
        ("bearer", {"authorization": f"Bearer {SECRET}"}),
        ("header", {"x-key": f"{SECRET}-header"}),
        ("query", {"key": f"{SECRET}&query"}),
        ("cookie", {"cookie": f"sid={SECRET}-cookie"}),
        ("basic", {"authorization": BASIC}),
        ("signed", {"authorization": f"Signature keyId={SECRET}"}),
        ("both", {"x-key": f"{SECRET}-header", "cookie": f"sid={SECRET}-cookie"}),
        ("either", {"authorization": BASIC}),
        ("optional", {"authorization": f"Bearer {SECRET}"}),
        ("open", {}),
    ],
)
def test_each_call_proves_what_it_needs_and_no_more(
    connect_vault: ConnectVault, server: Server, call: str, sent: dict[str, str]
) -> None:
    assert connect_vault(**GIVEN).call(call).ok is True
    assert proofs(server.request) == sent


def test_a_key_in_a_query_stands_beside_the_parameters(
    connect_vault: ConnectVault, server: Server
) -> None:
    connect_vault(**GIVEN).call("query", page=2, extra_query={"q": "ü"})
    assert server.request.query == [("page", "2"), ("q", "ü"), ("key", GIVEN["query_key"])]


def test_a_key_that_the_caller_wrote_into_a_query_is_sent_alone(
    connect_vault: ConnectVault, server: Server
) -> None:
    connect_vault(**GIVEN).call("query", extra_query={"key": "mine"})
    assert server.request.query == [("key", "mine")]


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (("username", "password", "bearer"), {"authorization": BASIC}),
        (("bearer",), {"authorization": f"Bearer {SECRET}"}),
        (("header_key", "bearer"), {"authorization": f"Bearer {SECRET}"}),
        (
            ("header_key", "query_key", "bearer"),
            {"x-key": f"{SECRET}-header", "key": f"{SECRET}&query"},
        ),
    ],
)
def test_the_first_alternative_that_is_complete_is_used(
    connect_vault: ConnectVault, server: Server, given: tuple[str, ...], sent: dict[str, str]
) -> None:
    connect_vault(**{name: GIVEN[name] for name in given}).call("either")
    assert proofs(server.request) == sent


def test_what_is_optional_is_not_missed(connect_vault: ConnectVault, server: Server) -> None:
    client = connect_vault()
    client.call("optional")
    client.call("open")
    assert [proofs(request) for request in server.requests] == [{}, {}]


@pytest.mark.parametrize(
    ("call", "given", "said"),
    [
        ("bearer", (), "pass bearer or set VAULT_BEARER"),
        ("both", ("cookie_key",), "pass header_key or set VAULT_HEADER_KEY"),
        ("basic", ("bearer",), "pass username and password or set VAULT_USERNAME and VAULT_PASS"),
        ("either", ("query_key",), "VAULT_PASSWORD; or pass header_key .*; or pass bearer or set"),
        ("certificate", (), "pass cert or set VAULT_CERT"),
        ("oauth", (), "pass oauth_access_token or set VAULT_OAUTH_ACCESS_TOKEN; or pass oauth_c"),
    ],
)
def test_a_missing_credential_is_named_and_nothing_is_sent(
    vault: ModuleType,
    connect_vault: ConnectVault,
    server: Server,
    call: str,
    given: tuple[str, ...],
    said: str,
) -> None:
    client = connect_vault(**{name: GIVEN[name] for name in given})
    with pytest.raises(vault.CredentialError, match=said) as caught:
        client.call(call)
    assert f"GET /{call}" in str(caught.value)
    assert server.requests == []


def test_half_of_a_pair_is_an_error_at_construction(
    vault: ModuleType, connect_vault: ConnectVault
) -> None:
    with pytest.raises(vault.CredentialError, match="username is given without password: pass pas"):
        connect_vault(username="ada")
    with pytest.raises(vault.CredentialError, match="pass username or set VAULT_USERNAME"):
        connect_vault(password=SECRET)


def test_a_password_may_be_empty(connect_vault: ConnectVault, server: Server) -> None:
    connect_vault(username="key", password="").call("basic")
    assert server.request.header("authorization") == "Basic a2V5Og=="


def test_names_and_passwords_are_sent_in_utf8(connect_vault: ConnectVault, server: Server) -> None:
    connect_vault(username="jürgen", password="pässword").call("basic")
    sent = server.request.header("authorization") or ""
    assert base64.b64decode(sent.removeprefix("Basic ")).decode() == "jürgen:pässword"


def test_a_user_name_with_a_colon_is_refused(connect_vault: ConnectVault, server: Server) -> None:
    with pytest.raises(ValueError, match="colon"):
        connect_vault(username="a:b", password="c")
    assert server.requests == []


def test_credentials_come_from_the_environment(
    connect_vault: ConnectVault, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULT_USERNAME", "ada")
    monkeypatch.setenv("VAULT_PASSWORD", f"{SECRET}:basic")
    monkeypatch.setenv("VAULT_COOKIE_KEY", "from-the-environment")
    monkeypatch.setenv("VAULT_HEADER_KEY", "")
    client = connect_vault(cookie_key="from-the-argument")
    for call in ("basic", "cookie"):
        client.call(call)
    connect_vault().call("cookie")
    assert [proofs(request) for request in server.requests] == [
        {"authorization": BASIC},
        {"cookie": "sid=from-the-argument"},
        {"cookie": "sid=from-the-environment"},
    ]
    with pytest.raises(Exception, match="VAULT_HEADER_KEY"):
        connect_vault().call("header")


def test_what_is_given_comes_before_what_is_in_the_environment(
    connect_vault: ConnectVault, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULT_USERNAME", "somebody")
    monkeypatch.setenv("VAULT_PASSWORD", "else")
    connect_vault(bearer=SECRET).call("either")
    assert proofs(server.request) == {"authorization": f"Bearer {SECRET}"}


@pytest.mark.parametrize("call", ["bearer", "basic", "cookie", "query", "signed"])
def test_functions_are_asked_for_each_attempt(
    connect_vault: ConnectVault, server: Server, flavour: Flavour, call: str
) -> None:
    server.plays(answer(b"", 500, headers=AT_ONCE), answer({"ok": True}))
    asked = asking(flavour == "asyncio")
    names = ("bearer", "query_key", "cookie_key", "username", "password", "signature")
    connect_vault(**{name: asked(name) for name in names}).call(call)
    first, second = (proofs(request) for request in server.requests)
    assert first != second
    assert first.keys() == second.keys()


def asking(asynchronous: bool) -> Callable[[str], Any]:
    """Gives functions that give something else each time."""

    def of(name: str) -> Any:
        count = iter(range(9))
        if not asynchronous:
            return lambda: f"{name}-{next(count)}"

        async def ask() -> str:
            return f"{name}-{next(count)}"

        return ask

    return of


@pytest.mark.parametrize("call", ["bearer", "basic", "signed", "digest", "either"])
def test_an_explicit_header_comes_before_all(
    connect_vault: ConnectVault, vault: ModuleType, server: Server, call: str
) -> None:
    mine = {"authorization": "Mine x"}
    connect_vault(**GIVEN).call(call, extra_headers=mine)
    connect_vault(default_headers=mine).call(call)
    connect_vault(**GIVEN).call(call, extra_headers={"Authorization": vault.omit})
    sent = [request.header("authorization") for request in server.requests]
    assert sent == ["Mine x", "Mine x", None]


def test_an_explicit_header_takes_the_place_of_one_of_several(
    connect_vault: ConnectVault, vault: ModuleType, server: Server
) -> None:
    client = connect_vault(**GIVEN)
    client.call("both", extra_headers={"X-KEY": "mine"})
    client.call("both", extra_headers={"x-key": vault.omit})
    client.call("both", extra_headers={"Cookie": "sid=mine; a=b"})
    client.call("both", extra_headers={"Cookie": "a=b"})
    connect_vault(cookie_key="c").call("both", extra_headers={"X-Key": "mine"})
    cookie, key = f"sid={GIVEN['cookie_key']}", GIVEN["header_key"]
    assert [proofs(request) for request in server.requests] == [
        {"x-key": "mine", "cookie": cookie},
        {"cookie": cookie},
        {"x-key": key, "cookie": "sid=mine; a=b"},
        {"x-key": key, "cookie": f"a=b; {cookie}"},
        {"x-key": "mine", "cookie": "sid=c"},
    ]


def test_a_copy_replaces_what_is_given(connect_vault: ConnectVault, server: Server) -> None:
    parent = connect_vault(**GIVEN)
    child = parent.with_options(bearer="other")
    for client, call in ((child, "bearer"), (parent, "bearer"), (child, "header")):
        client.call(call)
    assert [proofs(request) for request in server.requests] == [
        {"authorization": "Bearer other"},
        {"authorization": f"Bearer {SECRET}"},
        {"x-key": GIVEN["header_key"]},
    ]


# Digest ----------------------------------------------------------------------------------------


def challenge(nonce: str, algorithm: str = "SHA-256", status: int = 401) -> Step:
    """Asks for a digest."""
    said = f'Digest realm="r", nonce="{nonce}", algorithm={algorithm}, qop="auth", opaque="o"'
    return answer(b"", status, headers={"WWW-Authenticate": said})


def fields(request: Request) -> dict[str, str]:
    """The fields of a digest."""
    scheme, _, rest = (request.header("authorization") or "").partition(" ")
    assert scheme == "Digest"
    pairs = (field.split("=", 1) for field in parse_http_list(rest))
    return {name.strip(): value.strip('"') for name, value in pairs}


def is_right(request: Request, algorithm: str) -> bool:
    """Whether a digest is that of the name and the password of the test (RFC 7616, 3.4.1)."""
    hashed = {"SHA-256": sha256, "MD5": md5}[algorithm]

    def digest(text: str) -> str:
        return hashed(text.encode()).hexdigest()

    sent = fields(request)
    first = digest(f"ada:r:{GIVEN['digest_password']}")
    second = digest(f"{request.method}:{request.target}")
    middle = ":".join(sent[name] for name in ("nonce", "nc", "cnonce", "qop"))
    return sent["response"] == digest(f"{first}:{middle}:{second}")


@trio_too
@pytest.mark.parametrize("algorithm", ["SHA-256", "MD5"])
def test_a_challenge_is_answered(
    connect_vault: ConnectVault, server: Server, algorithm: str
) -> None:
    server.plays(challenge("n1", algorithm), answer({"ok": True}))
    client = connect_vault(**GIVEN)
    assert client.call("digest_with_body", text="hello").ok is True
    assert client.call("digest").ok is True

    first, second, third = server.requests
    assert first.header("authorization") is None
    assert first.body == second.body == b'{"text":"hello"}'
    assert is_right(second, algorithm)
    # The challenge is remembered: the next call needs one request.
    assert is_right(third, algorithm)
    assert [fields(r)["nc"] for r in (second, third)] == ["00000001", "00000002"]


def test_a_stale_challenge_is_followed_by_another(
    connect_vault: ConnectVault, server: Server
) -> None:
    good = answer({"ok": True})
    server.plays(challenge("n1"), good, challenge("n2"), good)
    client = connect_vault(**GIVEN)
    client.call("digest")
    client.call("digest")
    assert fields(server.requests[-1])["nonce"] == "n2"


def test_a_wrong_password_is_an_error(
    vault: ModuleType, connect_vault: ConnectVault, server: Server
) -> None:
    server.plays(challenge("n1"))
    with pytest.raises(vault.AuthenticationError) as caught:
        connect_vault(**GIVEN).call("digest")
    assert len(server.requests) == 2
    assert SECRET.encode() not in pickle.dumps(caught.value)
    assert b"Digest username" not in pickle.dumps(caught.value)


# Redirects -------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [302, 307, 308])
@pytest.mark.parametrize("own", [False, True], ids=["our HTTP client", "a given HTTP client"])
@pytest.mark.parametrize("call", ["bearer", "header", "query", "cookie", "basic", "both"])
def test_another_server_sees_no_credential(
    connect_vault: ConnectVault,
    server: Server,
    other_server: Server,
    flavour: Flavour,
    call: str,
    status: int,
    own: bool,
) -> None:
    def redirect(exchange: Exchange) -> None:
        query = exchange.request.target.partition("?")[2]
        target = f"{other_server.origin}/elsewhere?{query}&a=1".replace("?&", "?")
        answer(b"", status, headers={"Location": target})(exchange)

    server.plays(redirect)
    other_server.plays(answer({"ok": True}))
    options = {"http_client": http_client(flavour, follow_redirects=True)} if own else {}
    connect_vault(**GIVEN, **options).call(call)
    assert proofs(other_server.request) == {"a": "1"}
    assert SECRET not in other_server.request.raw_head.decode()


@pytest.mark.parametrize("call", ["bearer", "header", "query", "cookie", "basic", "both"])
def test_the_same_server_sees_it_again(
    connect_vault: ConnectVault, server: Server, call: str
) -> None:
    server.plays(answer(b"", 307, headers={"Location": "/v2/there?a=1"}), answer({"ok": True}))
    connect_vault(**GIVEN).call(call)
    first, second = server.requests
    assert second.path == "/v2/there"
    assert proofs(second) == proofs(first) | {"a": "1"}


def test_what_left_a_server_does_not_come_back_to_it(
    connect_vault: ConnectVault, server: Server, other_server: Server
) -> None:
    away = answer(b"", 307, headers={"Location": other_server.origin})
    back = answer(b"", 307, headers={"Location": f"{server.origin}/again"})
    server.plays(away, answer({"ok": True}))
    other_server.plays(back)
    connect_vault(**GIVEN).call("both")
    assert proofs(server.requests[1]) == {}


def test_a_key_that_the_caller_wrote_stays_at_home_too(
    connect_vault: ConnectVault, server: Server, other_server: Server
) -> None:
    server.plays(answer(b"", 307, headers={"Location": other_server.origin}))
    other_server.plays(answer({"ok": True}))
    connect_vault().call("open", extra_headers={"X-Key": SECRET, "Authorization": SECRET})
    assert proofs(other_server.request) == {}


def test_a_given_client_that_follows_nothing_follows_nothing(
    vault: ModuleType,
    connect_vault: ConnectVault,
    server: Server,
    other_server: Server,
    flavour: Flavour,
) -> None:
    server.plays(answer(b"", 307, headers={"Location": other_server.origin}))
    client = connect_vault(**GIVEN, http_client=http_client(flavour))
    with pytest.raises(vault.APIStatusError) as caught:
        client.call("header")
    assert caught.value.status_code == 307
    assert other_server.requests == []
    assert SECRET.encode() not in pickle.dumps(caught.value)


def test_a_given_client_has_cookies_of_its_own(
    connect_vault: ConnectVault, server: Server, flavour: Flavour
) -> None:
    given = http_client(flavour, cookies={"theme": "dark"})
    connect_vault(**GIVEN, http_client=given).call("cookie")
    sent = server.request.header("cookie") or ""
    assert sorted(sent.split("; ")) == sorted(["theme=dark", f"sid={GIVEN['cookie_key']}"])


# Secrets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["bearer", "header", "query", "cookie", "basic", "digest"])
def test_nothing_secret_is_told(
    vault: ModuleType,
    connect_vault: ConnectVault,
    server: Server,
    caplog: pytest.LogCaptureFixture,
    call: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    server.plays(*([challenge("n1")] if call == "digest" else []), answer(b"", 403))
    client = connect_vault(**GIVEN)
    with pytest.raises(vault.PermissionDeniedError) as caught:
        client.call(call)
    error = caught.value
    told = [str(error), repr(error), repr(client.client), repr(error.request), repr(error.response)]
    told += [f"{one.getMessage()} {one.args!r}" for one in caplog.records]
    told.append(pickle.dumps(error).decode("latin-1"))
    assert any("HTTP Request" in text for text in told)
    for secret in (SECRET, "%26query", BASIC.removeprefix("Basic "), "Digest username"):
        assert [text for text in told if secret in text] == []


@pytest.mark.parametrize("call", ["bearer", "header", "query", "cookie", "basic", "signed"])
def test_a_server_that_repeats_a_secret_is_hushed(
    vault: ModuleType, connect_vault: ConnectVault, server: Server, call: str
) -> None:
    def repeat(exchange: Exchange) -> None:
        sent = " ".join(proofs(exchange.request).values())
        answer({"message": f"You are not {sent}"}, 403)(exchange)

    server.plays(repeat)
    with pytest.raises(vault.PermissionDeniedError, match=r"You are not .*\[secret\]") as caught:
        connect_vault(**GIVEN).call(call)
    assert SECRET not in str(caught.value)
    assert BASIC.removeprefix("Basic ") not in str(caught.value)


@only_async
def test_an_asynchronous_function_is_refused_by_nobody(
    connect_vault: ConnectVault, server: Server
) -> None:
    async def token() -> str:
        return SECRET

    connect_vault(bearer=token).call("bearer")
    assert proofs(server.request) == {"authorization": f"Bearer {SECRET}"}


def test_something_else_than_a_text_or_a_function_is_refused(connect_vault: ConnectVault) -> None:
    with pytest.raises(TypeError, match="bearer must be a string or a function"):
        connect_vault(bearer=7)
    with pytest.raises(TypeError, match="access_token must be a string, a function or a Token"):
        connect_vault(access_token=7)
