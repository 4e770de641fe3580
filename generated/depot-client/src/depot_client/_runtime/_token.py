"""What an authorization server grants, and what it says when it does not."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import cast

import httpx2

from ._decoder import parse
from ._errors import CredentialError

__all__ = ["OAuthError", "Token"]

OTHER_KINDS = frozenset({"mac", "pop", "dpop"})
"""Types of tokens that must not be sent as they are (RFC 6749, section 7.1). Servers
write other words, too, for tokens that are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """An access token and what came with it (RFC 6749, section 5.1).

    ``dataclasses.asdict`` gives what ``Token(**...)`` takes, to keep one between runs.
    ``repr`` shows none of the secrets.
    """

    access_token: str = field(repr=False)
    """What proves to the API who calls."""

    refresh_token: str | None = field(default=None, repr=False)
    """What a new access token is granted for, once or more often."""

    expires_at: float | None = None
    """When the access token runs out, in seconds since the epoch, if that is known."""

    scopes: tuple[str, ...] | None = None
    """What the token is good for, where that is not what was asked for."""

    id_token: str | None = field(default=None, repr=False)
    """Who signed in, as OpenID Connect tells it: a signed text, which is not checked."""

    def following(self, earlier: Token) -> Token:
        """Keep the refresh token of an earlier one, where no new one was granted."""
        if self.refresh_token is not None:
            return self
        return replace(self, refresh_token=earlier.refresh_token)


class OAuthError(CredentialError):
    """An authorization server refused, or gave something else than a token."""

    code: str | None
    """The ``error`` of RFC 6749, section 5.2, such as ``invalid_grant``."""

    description: str | None
    """What the server says about it."""

    status_code: int | None
    """The status of its answer, if it answered."""

    def __init__(
        self,
        message: str,
        request: httpx2.Request | None = None,
        *,
        code: str | None = None,
        description: str | None = None,
        status_code: int | None = None,
    ) -> None:
        """Describe a refusal in words and by its code."""
        super().__init__(message, request)
        self.code = code
        self.description = description
        self.status_code = status_code


def members_of(response: httpx2.Response) -> dict[str, object]:
    """Read an answer that is to be a JSON object; an empty one if it is not."""
    try:
        value = parse(response.content)
    except ValueError:
        return {}
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def token_of(members: dict[str, object], now: float) -> Token | None:
    """Read a token endpoint's answer, received ``now``; None if it holds no token.

    Raises OAuthError for a token that cannot be used.
    """
    access = _text(members, "access_token")
    if access is None:
        return None
    if not (access.isascii() and access.isprintable()):  # RFC 6749, appendix A.12
        raise OAuthError("a token was granted that no header can hold")
    kind = _text(members, "token_type") or ""
    if kind.lower() in OTHER_KINDS:
        raise OAuthError(f"a token of type {kind!r} was granted, which needs a proof")
    scope = _text(members, "scope")
    return Token(
        access_token=access,
        refresh_token=_text(members, "refresh_token"),
        expires_at=_expiry(members.get("expires_in"), now),
        scopes=None if scope is None else tuple(scope.split()),
        id_token=_text(members, "id_token"),
    )


def number_of(value: object) -> float | None:
    """Read a number, which servers also write as text; None for one without a value."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def refusal(
    title: str, response: httpx2.Response, secrets: tuple[str, ...] = ()
) -> OAuthError:
    """Make the error that an answer without a token stands for."""
    members = members_of(response)
    code, description = _text(members, "error"), _text(members, "error_description")
    said = ": ".join(part for part in (code, description) if part)
    if not said:
        said = f"status {response.status_code}, and no token in the answer"
    for secret in secrets:
        said = said.replace(secret, "[secret]")
    return OAuthError(
        f"{title} was granted no token: {said}",
        response.request,
        code=code,
        description=description,
        status_code=response.status_code,
    )


def _text(members: dict[str, object], name: str) -> str | None:
    value = members.get(name)
    return value if isinstance(value, str) and value else None


def _expiry(seconds: object, now: float) -> float | None:
    """Add to ``now`` what a server says in numbers, or in a text of them.

    Some say 0 for a token that does not run out.
    """
    left = number_of(seconds)
    return now + left if left is not None and left > 0 else None
