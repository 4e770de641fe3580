"""An authorization server, and an API that accepts what it grants, for one scripted server."""

from __future__ import annotations

import base64
import threading
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from .server import Exchange, Request, Server, Step, answer, until

CLIENT_ID = "my client"
CLIENT_SECRET = "s3cret/of the+client"
IDENTITY = {"oauth_client_id": CLIENT_ID, "oauth_client_secret": CLIENT_SECRET}


class Authority:
    """Grants tokens ``t1``, ``t2``..., and lets those call that have the latest."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.granted = 0
        self.expires_in: object = 3600
        self.more: dict[str, object] = {}
        """What else an answer with a token holds."""
        self.refusals: list[Step] = []
        """What is answered to requests for tokens before one is granted."""
        self.gate: threading.Event | None = None
        """Opened before a token is granted, if there is one."""
        self.valid: set[str] = set()
        self.metadata: dict[str, object] = {}
        self._lock = threading.Lock()
        server.chooses(self.choose)

    def choose(self, request: Request) -> Step:
        """Picks what a request is answered with."""
        if request.path.startswith("/id/"):
            return self.refusals.pop(0) if self.refusals else self._grant
        if request.path.startswith("/.well-known/"):
            return answer(self.metadata)
        token = (request.header("authorization") or "").removeprefix("Bearer ")
        if token in self.valid or request.path == "/v1/open":
            return answer({"ok": True})
        return answer({"message": "Who are you?"}, 401)

    def _grant(self, exchange: Exchange) -> None:
        if self.gate is not None:
            until(self.gate)(exchange)
        with self._lock:
            self.granted += 1
            token = f"t{self.granted}"
            self.valid = {token}
        given = {"access_token": token, "token_type": "Bearer", "expires_in": self.expires_in}
        answer({**given, **self.more})(exchange)

    def revoke(self) -> None:
        """Lets nobody in any more."""
        self.valid = set()

    @property
    def asked(self) -> list[Request]:
        """The requests for tokens."""
        return [r for r in self.server.requests if r.path.startswith("/id/")]

    @property
    def calls(self) -> list[Request]:
        """The requests to the API."""
        return [r for r in self.server.requests if r.path.startswith("/v1/")]

    @property
    def used(self) -> list[str | None]:
        """What the calls proved themselves with."""
        return [request.header("authorization") for request in self.calls]


def form(request: Request) -> dict[str, str]:
    """The form that a request for a token sends."""
    assert request.header("content-type") == "application/x-www-form-urlencoded"
    return dict(parse_qsl(request.body.decode(), keep_blank_values=True))


def named(request: Request) -> tuple[str, str] | None:
    """Client ID and secret in the header, decoded as RFC 6749 says; None if there are none."""
    header = request.header("authorization")
    if header is None:
        return None
    assert header.startswith("Basic ")
    client_id, _, secret = base64.b64decode(header.removeprefix("Basic ")).decode().partition(":")
    pairs = dict(parse_qsl(f"id={client_id}&secret={secret}"))
    return pairs["id"], pairs["secret"]


def refused(code: str, status: int = 400, **more: Any) -> Step:
    """An answer without a token (RFC 6749, section 5.2)."""
    body: Mapping[str, object] = {"error": code, **more}
    return answer(body, status)


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.time = 1_700_000_000.0

    def __call__(self) -> float:
        return self.time
