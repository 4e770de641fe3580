"""Asking an authorization server for tokens (RFC 6749, RFC 8414)."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias
from urllib.parse import quote_plus

import httpx2

from ._errors import APIStatusError
from ._flight import Flight
from ._schemes import OAuth2
from ._secrets import Ask
from ._steps import (
    Exchange,
    ExchangeAsync,
    Steps,
    TokenRequest,
    run,
    run_async,
    text_of,
)
from ._token import OAuthError, Token, members_of, refusal, token_of

__all__ = ["Endpoint", "Endpoints", "Identity", "answered", "granted", "now"]

SECRET = ("refresh_token", "password", "code", "code_verifier", "device_code")
"""The fields of a form that nobody else must see."""

SHORTEST_SECRET = 4

Endpoint: TypeAlias = Literal["token", "authorization", "device"]
"""What an authorization server has an address for."""


def now() -> float:
    """Tell the time, in seconds since the epoch."""
    return time.time()


class Identity(NamedTuple):
    """Who asks for tokens: a program that the authorization server knows."""

    client_id: str | Ask | None = None
    client_secret: str | Ask | None = None


class Endpoints:
    """Where an authorization server takes requests, and how it is spoken to."""

    def __init__(self, title: str, scheme: OAuth2, token_url: str | None) -> None:
        """Take what the description of the API says, or a ``token_url`` instead."""
        self.title = title
        self.token = token_url or scheme.token_url
        self.refresh = None if token_url else scheme.refresh_url
        self.authorization = scheme.authorization_url
        self.device = scheme.device_url
        self.issuer: str | None = None
        self.in_form: bool | None = None
        """Whether clients name themselves in the form; None until that is known."""
        self._flight = Flight()
        self._metadata = scheme.metadata_url

    def find(self, endpoint: Endpoint, exchange: Exchange) -> None:
        """Ask the authorization server where an endpoint is, unless that is known.

        What it says of itself is asked for once (RFC 8414, section 3; OpenID Connect
        Discovery 1.0, section 4). Raises OAuthError if that brings nothing.
        """
        if self._metadata is not None and getattr(self, endpoint) is None:
            with self._flight.alone(None):
                run(self._found(), exchange)

    async def find_async(self, endpoint: Endpoint, exchange: ExchangeAsync) -> None:
        """Do as :meth:`find` does."""
        if self._metadata is not None and getattr(self, endpoint) is None:
            async with self._flight.alone_async(None):
                await run_async(self._found(), exchange)

    def _found(self) -> Steps[None]:
        if self._metadata is None:
            return
        try:
            response = yield TokenRequest("GET", self._metadata)
        except APIStatusError as error:
            raise refusal(self.title, error.response) from error
        assert isinstance(response, httpx2.Response)
        members = members_of(response)
        self._take(members)
        if self.token is None and self.authorization is None:
            raise OAuthError(
                f"{self.title} was granted no token: the authorization server does not"
                " say where it grants them",
                response.request,
                status_code=response.status_code,
            )
        self._metadata = None

    def _take(self, members: Mapping[str, object]) -> None:
        """Fill what the description leaves open."""

        def text(name: str) -> str | None:
            value = members.get(name)
            return value if isinstance(value, str) and value else None

        self.token = self.token or text("token_endpoint")
        self.authorization = self.authorization or text("authorization_endpoint")
        self.device = self.device or text("device_authorization_endpoint")
        self.issuer = text("issuer")
        methods = members.get("token_endpoint_auth_methods_supported")
        if isinstance(methods, list) and "client_secret_post" in methods:
            self.in_form = "client_secret_basic" not in methods


def granted(
    endpoints: Endpoints,
    identity: Identity,
    form: Mapping[str, str],
    *,
    refresh: bool = False,
    once: bool = False,
) -> Steps[Token]:
    """Ask a token endpoint for a token (RFC 6749, section 4).

    Raises OAuthError for a refusal.
    """
    url = (endpoints.refresh if refresh else None) or endpoints.token
    if url is None:
        raise OAuthError(f"where tokens of {endpoints.title} are granted is not known")
    response, secrets = yield from answered(endpoints, identity, url, form, once=once)
    try:
        token = token_of(members_of(response), now())
    except OAuthError as error:
        raise OAuthError(f"{endpoints.title}: {error}", response.request) from None
    if token is None:
        raise refusal(endpoints.title, response, secrets)
    return token


def answered(
    endpoints: Endpoints,
    identity: Identity,
    url: str,
    form: Mapping[str, str],
    *,
    once: bool = False,
) -> Steps[tuple[httpx2.Response, tuple[str, ...]]]:
    """Send a form to an authorization server; give its answer, and what was secret.

    A client with a secret sends it in a header, as every server has to support, and in
    the form to a server that does not after all. Raises OAuthError for a refusal.
    """
    client_id = (yield from text_of(identity.client_id)) or ""
    client_secret = (yield from text_of(identity.client_secret)) or ""
    ways = (endpoints.in_form,) if endpoints.in_form is not None else (False, True)
    if not client_secret:
        ways = (True,)
    for in_form in ways:
        request = _request(url, form, client_id, client_secret, in_form, once)
        try:
            response = yield request
        except APIStatusError as error:
            if in_form is ways[-1] or not _misunderstood(error.response):
                raise refusal(
                    endpoints.title, error.response, request.secrets
                ) from error
        else:
            assert isinstance(response, httpx2.Response)
            if client_secret:
                endpoints.in_form = in_form
            return response, request.secrets
    raise AssertionError("the last way gives an answer or an error")


def _request(
    url: str,
    form: Mapping[str, str],
    client_id: str,
    client_secret: str,
    in_form: bool,
    once: bool,
) -> TokenRequest:
    """Make the request of a client that names itself in the form or in a header."""
    secrets = [client_secret, *(form.get(name, "") for name in SECRET)]
    fields, authorization = dict(form), None
    if client_secret and not in_form:
        # RFC 6749, section 2.3.1: both parts are encoded as they are in forms.
        text = f"{quote_plus(client_id)}:{quote_plus(client_secret)}"
        authorization = f"Basic {b64encode(text.encode()).decode()}"
    else:
        named = {"client_id": client_id, "client_secret": client_secret}
        fields |= {name: value for name, value in named.items() if value}
    return TokenRequest(
        "POST",
        url,
        fields,
        authorization,
        once,
        tuple(secret for secret in secrets if len(secret) >= SHORTEST_SECRET),
    )


def _misunderstood(response: httpx2.Response) -> bool:
    """Whether a server may have overlooked how the client named itself."""
    code = members_of(response).get("error")
    return response.status_code == 401 or code in ("invalid_client", "invalid_request")
