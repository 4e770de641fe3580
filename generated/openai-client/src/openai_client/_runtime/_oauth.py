"""Being granted a token by a person: in a browser, or with a code on another device."""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2

from . import _grants
from ._grants import Endpoint, answered, granted
from ._steps import (
    Exchange,
    ExchangeAsync,
    Pause,
    Steps,
    placed,
    run,
    run_async,
    text_of,
)
from ._token import OAuthError, Token, members_of, number_of, refusal
from ._tokens import TokenSource, listed

__all__ = ["AsyncOAuth", "Authorization", "DeviceAuthorization", "OAuth"]

T = TypeVar("T")

DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"
INTERVAL = 5.0
LIFETIME = 600.0
LONGEST = 86_400.0


@dataclass(frozen=True, slots=True)
class Authorization:
    """A question to a person: whether a program may act for them.

    Send them to ``url``. They come back to ``redirect_uri`` with the answer, which is
    exchanged for a token together with this; so keep it as you keep a session.
    """

    url: str
    redirect_uri: str
    state: str = field(repr=False)
    """What the answer has to repeat."""
    code_verifier: str = field(repr=False)
    """What proves that it is us who asked (RFC 7636)."""


@dataclass(frozen=True, slots=True)
class DeviceAuthorization:
    """The same question, to be answered on another device (RFC 8628).

    Show the person ``verification_uri`` and ``user_code``.
    """

    verification_uri: str
    user_code: str
    verification_uri_complete: str | None
    """A URL with the code in it, as for a QR code."""
    expires_at: float
    """Until when the question stands, in seconds since the epoch."""
    interval: float
    """Seconds between looking for the answer."""
    device_code: str = field(repr=False)


class _Grants:
    """What both flavours do, as steps."""

    def __init__(self, source: TokenSource, base_url: httpx2.URL) -> None:
        """Ask for tokens as ``source`` does; URLs may be relative to ``base_url``."""
        self.source = source
        self._base_url = base_url

    def authorization(
        self,
        redirect_uri: str,
        scopes: str | Sequence[str] | None,
        parameters: Mapping[str, str] | None,
    ) -> Steps[Authorization]:
        """Make the URL of an authorization request (RFC 6749, section 4.1.1)."""
        endpoints = self.source.endpoints
        client_id = yield from text_of(self.source.identity.client_id)
        if endpoints.authorization is None:
            raise self._undeclared("the authorization code grant")
        if client_id is None:
            raise OAuthError(
                f"{endpoints.title}: a client ID is needed to ask for a token"
            )
        state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(64)
        digest = sha256(verifier.encode()).digest()
        asked = listed(scopes) or self.source.scopes
        query = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": redirect_uri,
            **({"scope": " ".join(asked)} if asked else {}),
            "state": state,
            "code_challenge": urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            **(parameters or {}),
        }
        url = str(placed(str(self._base_url), endpoints.authorization))
        joint = "&" if "?" in url else "?"
        address = f"{url}{joint}{urlencode(query)}"
        return Authorization(address, redirect_uri, state, verifier)

    def exchanged(self, authorization: Authorization, callback: str) -> Steps[Token]:
        """Exchange the answer to an authorization request (RFC 6749, section 4.1.3)."""
        endpoints = self.source.endpoints
        try:
            answer = dict(parse_qsl(urlsplit(callback).query))
        except ValueError as error:
            raise OAuthError(
                f"{endpoints.title} was granted no token: the answer is no URL"
            ) from error
        if not hmac.compare_digest(
            _bytes(answer.get("state", "")), _bytes(authorization.state)
        ):
            raise OAuthError(
                f"{endpoints.title} was granted no token: the answer is not to this"
                " question (its state differs)"
            )
        issuer = answer.get("iss")
        if issuer and endpoints.issuer and issuer != endpoints.issuer:
            raise OAuthError(
                f"{endpoints.title} was granted no token: the answer is from another"
                " authorization server (RFC 9207)"
            )
        if "code" not in answer:
            code, description = answer.get("error"), answer.get("error_description")
            said = ": ".join(part for part in (code, description) if part)
            raise OAuthError(
                f"{endpoints.title} was granted no token: {said or 'there is no code'}",
                code=code,
                description=description,
            )
        form = {
            "grant_type": "authorization_code",
            "code": answer["code"],
            "redirect_uri": authorization.redirect_uri,
            "code_verifier": authorization.code_verifier,
        }
        identity = self.source.identity
        return (yield from granted(endpoints, identity, form, once=True))

    def device(self, scopes: str | Sequence[str] | None) -> Steps[DeviceAuthorization]:
        """Ask for a code to show (RFC 8628, section 3.1)."""
        source, endpoints = self.source, self.source.endpoints
        if endpoints.device is None:
            raise self._undeclared("the device authorization grant")
        asked = listed(scopes) or source.scopes
        form = {"scope": " ".join(asked)} if asked else {}
        response, hidden = yield from answered(
            endpoints, source.identity, endpoints.device, form
        )
        members = members_of(response)
        # Some servers write the URI as an earlier draft did.
        found = {
            "uri": members.get("verification_uri", members.get("verification_url")),
            "user_code": members.get("user_code"),
            "device_code": members.get("device_code"),
        }
        texts = {name: value for name, value in found.items() if isinstance(value, str)}
        if texts.keys() != found.keys():
            raise refusal(endpoints.title, response, hidden)
        complete = members.get("verification_uri_complete")
        return DeviceAuthorization(
            texts["uri"],
            texts["user_code"],
            complete if isinstance(complete, str) else None,
            _grants.now() + _seconds(members.get("expires_in"), LIFETIME),
            _seconds(members.get("interval"), INTERVAL),
            texts["device_code"],
        )

    def awaited(self, device: DeviceAuthorization) -> Steps[Token]:
        """Look for the answer until there is one (RFC 8628, section 3.4)."""
        endpoints, interval = self.source.endpoints, device.interval
        form = {"grant_type": DEVICE_CODE, "device_code": device.device_code}
        while _grants.now() < device.expires_at:
            yield Pause(interval)
            try:
                return (yield from granted(endpoints, self.source.identity, form))
            except OAuthError as error:
                if error.code == "slow_down":
                    interval += INTERVAL
                elif error.code != "authorization_pending":
                    raise
        raise OAuthError(
            f"{endpoints.title} was granted no token: nobody answered in time",
            code="expired_token",
        )

    def refreshed(self, token: Token) -> Steps[Token]:
        """Ask for a new token in place of an old one (RFC 6749, section 6)."""
        endpoints = self.source.endpoints
        if token.refresh_token is None:
            raise OAuthError(f"{endpoints.title}: the token has no refresh token")
        form = {"grant_type": "refresh_token", "refresh_token": token.refresh_token}
        new = yield from granted(endpoints, self.source.identity, form, refresh=True)
        return new.following(token)

    def _undeclared(self, grant: str) -> OAuthError:
        return OAuthError(f"{self.source.endpoints.title} does not declare {grant}")


class OAuth:
    """How a program is granted tokens by people (RFC 6749).

    Nothing here changes the client that it belongs to: make one that uses a token with
    ``client.with_options(access_token=token)``.
    """

    def __init__(
        self, source: TokenSource, exchange: Exchange, base_url: httpx2.URL
    ) -> None:
        """Ask for tokens as ``source`` does, with requests sent by ``exchange``."""
        self._grants = _Grants(source, base_url)
        self._exchange = exchange

    def authorization(
        self,
        *,
        redirect_uri: str,
        scopes: str | Sequence[str] | None = None,
        parameters: Mapping[str, str] | None = None,
    ) -> Authorization:
        """Make the URL to send a person to, to be asked for their consent.

        ``parameters`` are further ones of the authorization server's own.
        """
        return self._run(
            self._grants.authorization(redirect_uri, scopes, parameters),
            "authorization",
        )

    def exchange(self, authorization: Authorization, callback: str) -> Token:
        """Exchange the URL that a person came back to for a token.

        Raises OAuthError if consent was denied, or if it is not the answer to this.
        """
        return self._run(self._grants.exchanged(authorization, callback))

    def device(
        self, *, scopes: str | Sequence[str] | None = None
    ) -> DeviceAuthorization:
        """Ask for a code to show a person, who enters it on another device."""
        return self._run(self._grants.device(scopes), "device")

    def wait(self, device: DeviceAuthorization) -> Token:
        """Wait until the person has entered the code, and give the token.

        Raises OAuthError if consent was denied, or if nobody came in time.
        """
        return self._run(self._grants.awaited(device))

    def refresh(self, token: Token) -> Token:
        """Get a new token for the refresh token of an old one."""
        return self._run(self._grants.refreshed(token))

    def _run(self, steps: Steps[T], endpoint: Endpoint = "token") -> T:
        self._grants.source.endpoints.find(endpoint, self._exchange)
        return run(steps, self._exchange)


class AsyncOAuth:
    """How a program is granted tokens by people (RFC 6749).

    Nothing here changes the client that it belongs to: make one that uses a token with
    ``client.with_options(access_token=token)``.
    """

    def __init__(
        self, source: TokenSource, exchange: ExchangeAsync, base_url: httpx2.URL
    ) -> None:
        """Ask for tokens as ``source`` does, with requests sent by ``exchange``."""
        self._grants = _Grants(source, base_url)
        self._exchange = exchange

    async def authorization(
        self,
        *,
        redirect_uri: str,
        scopes: str | Sequence[str] | None = None,
        parameters: Mapping[str, str] | None = None,
    ) -> Authorization:
        """Make the URL to send a person to, to be asked for their consent.

        ``parameters`` are further ones of the authorization server's own.
        """
        return await self._run(
            self._grants.authorization(redirect_uri, scopes, parameters),
            "authorization",
        )

    async def exchange(self, authorization: Authorization, callback: str) -> Token:
        """Exchange the URL that a person came back to for a token.

        Raises OAuthError if consent was denied, or if it is not the answer to this.
        """
        return await self._run(self._grants.exchanged(authorization, callback))

    async def device(
        self, *, scopes: str | Sequence[str] | None = None
    ) -> DeviceAuthorization:
        """Ask for a code to show a person, who enters it on another device."""
        return await self._run(self._grants.device(scopes), "device")

    async def wait(self, device: DeviceAuthorization) -> Token:
        """Wait until the person has entered the code, and give the token.

        Raises OAuthError if consent was denied, or if nobody came in time.
        """
        return await self._run(self._grants.awaited(device))

    async def refresh(self, token: Token) -> Token:
        """Get a new token for the refresh token of an old one."""
        return await self._run(self._grants.refreshed(token))

    async def _run(self, steps: Steps[T], endpoint: Endpoint = "token") -> T:
        await self._grants.source.endpoints.find_async(endpoint, self._exchange)
        return await run_async(steps, self._exchange)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _seconds(value: object, otherwise: float) -> float:
    """Read a number of seconds; one that makes no sense is as good as none."""
    seconds = number_of(value)
    return otherwise if seconds is None or seconds < 0 else min(seconds, LONGEST)
