"""Digest authentication: the answers to challenges, and the challenges that have none."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Any

import pytest

from behaviour.plain import call, every_flavour, using
from behaviour.server import Request as Received
from behaviour.server import Server, Step, answer
from runtime import AuthenticationError, Digest, Input, Profile, Request
from runtime._decoder import BYTES
from runtime._schemes import Scheme

SCHEMES: dict[str, Scheme] = {
    "digest": Digest(Input("username", "D_USER"), Input("password", "D_PASSWORD"))
}
PROFILE = Profile(title="D", package="d", version="1", schemes=SCHEMES, security=(("digest",),))
USER, PASSWORD = 'a"da\\', "pass: word"
REALM, NONCE = "all, of it", "n0nce=="
GOOD = f'Digest realm="{REALM}", qop="auth", nonce="{NONCE}"'
GET = Request("GET", "/x", query={"a": "1"})
HASHES = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256, "SHA": hashlib.sha1}


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server


def parts(header: str) -> dict[str, str]:
    """The parameters of an ``Authorization: Digest`` header."""
    found: dict[str, str] = {}
    for name, quoted, plain in re.findall(r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))', header):
        found[name] = quoted or plain
    return found


def is_right(request: Received, algorithm: str = "MD5") -> bool:
    """Whether a request proves who sends it (RFC 7616, section 3.4.1)."""
    header = request.header("authorization") or ""
    if not header.startswith("Digest "):
        return False
    told = parts(header)
    make = HASHES[algorithm.removesuffix("-sess")]

    def hashed(*texts: str) -> str:
        return make(":".join(texts).encode()).hexdigest()

    key = hashed(USER, REALM, PASSWORD)
    if algorithm.endswith("-sess"):
        key = hashed(key, NONCE, told["cnonce"])
    asked = hashed(request.method, request.target)
    rest = (told["nc"], told["cnonce"], told["qop"]) if "qop" in told else ()
    return (
        told["username"] == USER.replace("\\", "\\\\").replace('"', '\\"')
        and told["uri"] == request.target
        and told["nonce"] == NONCE
        and told["realm"] == REALM
        and told["response"] == hashed(key, NONCE, *rest, asked)
    )


def guarded(challenge: str, algorithm: str = "MD5") -> Step:
    """Lets those in who prove who they are, and challenges the others."""
    return lambda exchange: (
        answer(b"in") if is_right(exchange.request, algorithm) else refused(challenge)
    )(exchange)


def refused(challenge: str) -> Step:
    return answer({"message": "who?"}, 401, headers={"WWW-Authenticate": challenge})


def settings(server: Server) -> dict[str, Any]:
    credentials = {"username": USER, "password": PASSWORD}
    return {"base_url": server.url, "credentials": credentials, "profile": PROFILE}


CHALLENGES = [
    (GOOD, "MD5"),
    (f'Digest realm="{REALM}", nonce="{NONCE}"', "MD5"),
    (f'Digest nonce="{NONCE}",realm="{REALM}",qop="auth-int,auth",algorithm=MD5', "MD5"),
    (f"{GOOD}, algorithm=SHA-256", "SHA-256"),
    (f"{GOOD}, algorithm=MD5-sess", "MD5-sess"),
    (f"{GOOD}, algorithm=SHA", "SHA"),
    (f'digest REALM = "{REALM}" , NONCE="{NONCE}", qop=auth, opaque="o"', "MD5"),
    (f'Basic realm="x, Digest y", {GOOD}', "MD5"),
    (f"Negotiate, {GOOD}, Basic realm=x", "MD5"),
    (f"Negotiate dG9rZW4=, {GOOD}", "MD5"),
    (f'Digest realm="{REALM}", nonce="other", algorithm=SHA-9, {GOOD}', "MD5"),
    (f"Digest realm, {GOOD}", "MD5"),
]


@every_flavour
@pytest.mark.parametrize(("challenge", "algorithm"), CHALLENGES)
def test_a_challenge_is_answered(
    server: Server, flavour: str, challenge: str, algorithm: str
) -> None:
    server.plays(guarded(challenge, algorithm))
    assert call(flavour, GET, **settings(server)) == b"in"
    assert len(server.requests) == 2
    told = parts(server.requests[1].header("authorization") or "")
    assert told.get("opaque") == ("o" if "opaque" in challenge else None)


@every_flavour
@pytest.mark.parametrize(
    "challenge",
    [
        f'Digest realm="{REALM}", nonce="{NONCE}", qop="auth-int"',
        f'Digest realm="{REALM}", nonce="{NONCE}", algorithm=SHA-9',
        f'Digest realm="{REALM}"',
        "Digest realm",
        "Digest",
        "Digest ,,,",
        'Digest "',
        "=, Digest =",
        "",
        'Basic realm="Digest"',
    ],
)
def test_what_cannot_be_answered_is_the_answer(
    server: Server, flavour: str, challenge: str
) -> None:
    server.plays(refused(challenge))
    with pytest.raises(AuthenticationError, match="who"):
        call(flavour, GET, **settings(server))
    assert len(server.requests) == 1


@every_flavour
def test_a_wrong_password_is_told_once(server: Server, flavour: str) -> None:
    server.plays(refused(GOOD))
    with pytest.raises(AuthenticationError):
        call(flavour, GET, **settings(server))
    assert len(server.requests) == 2


@every_flavour
def test_a_challenge_is_remembered_and_the_answers_are_counted(
    server: Server, flavour: str
) -> None:
    server.plays(guarded(GOOD))

    async def later(client: Any) -> None:
        for _ in range(3):
            await client.send(GET, BYTES)

    def thrice(client: Any) -> Any:
        return [client.send(GET, BYTES) for _ in range(3)] if flavour == "sync" else later(client)

    using(flavour, thrice, **settings(server))
    sent = [r.header("authorization") for r in server.requests]
    assert sent[0] is None
    assert [parts(one or "")["nc"] for one in sent[1:]] == ["00000001", "00000002", "00000003"]


@every_flavour
def test_a_redirect_after_a_challenge_is_answered_for_where_it_goes(
    server: Server, flavour: str
) -> None:
    there = answer(b"", 307, headers={"Location": "/there?b=2"})

    def choose(request: Received) -> Step:
        if not is_right(request):
            return refused(GOOD)
        return answer(b"in") if request.path == "/there" else there

    server.chooses(choose)
    assert call(flavour, GET, **settings(server)) == b"in"
    assert [r.target for r in server.requests] == ["/v1/x?a=1", "/v1/x?a=1", "/there?b=2"]


@every_flavour
def test_no_proof_goes_elsewhere(server: Server, flavour: str) -> None:
    with Server() as other:
        other.plays(refused(GOOD))
        there = answer(b"", 307, headers={"Location": f"{other.origin}/there"})
        server.chooses(lambda request: there if is_right(request) else refused(GOOD))
        with pytest.raises(AuthenticationError):
            call(flavour, GET, **settings(server))
        assert other.request.header("authorization") is None


@every_flavour
def test_a_body_that_passes_once_leaves_the_challenge_as_the_answer(
    server: Server, flavour: str
) -> None:
    server.plays(refused(GOOD))
    with pytest.raises(AuthenticationError, match="who"):
        call(flavour, Request("POST", "/x", content=iter([b"once"])), **settings(server))
    assert [r.body for r in server.requests] == [b"once"]


@every_flavour
def test_a_redirect_of_a_body_that_passes_once_is_the_answer(server: Server, flavour: str) -> None:
    server.plays(answer({"message": "there"}, 307, headers={"Location": "/there"}))
    with pytest.raises(Exception, match="307 Temporary Redirect: there"):
        call(flavour, Request("POST", "/x", content=iter([b"once"])), base_url=server.url)
    assert [r.body for r in server.requests] == [b"once"]


@every_flavour
def test_a_redirect_without_the_body_is_followed(server: Server, flavour: str) -> None:
    server.plays(answer(b"", 303, headers={"Location": "/there"}), answer(b"in"))
    request = Request("POST", "/x", content=iter([b"once"]))
    assert call(flavour, request, base_url=server.url) == b"in"
    assert [(r.method, r.body) for r in server.requests] == [("POST", b"once"), ("GET", b"")]
