"""The ways in which callers prove to an API who they are, and what they give for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

__all__ = [
    "ApiKey",
    "Basic",
    "Bearer",
    "Digest",
    "Input",
    "MutualTLS",
    "OAuth2",
    "Scheme",
    "Schemes",
    "Security",
    "header_of",
    "is_settled",
    "keywords",
    "wanted",
]

# What is said here is said once for each client, so these are the classes of the
# standard library that are the quickest to make: importing a client makes them all.


class Input(NamedTuple):
    """One thing that a caller gives."""

    argument: str
    """The keyword of the client."""

    variable: str
    """The environment variable that is read when the keyword is not given."""


class Bearer(NamedTuple):
    """A text after a word in the ``Authorization`` header (RFC 9110, section 11.4)."""

    token: Input

    prefix: str = "Bearer"
    """The word: ``Bearer`` for a token (RFC 6750), or the name of another scheme."""


class ApiKey(NamedTuple):
    """A key in a header, a query parameter or a cookie of the API's own naming."""

    key: Input

    name: str
    """The name of the header, the parameter or the cookie."""

    place: Literal["header", "query", "cookie"] = "header"
    """Where the key goes."""


class Basic(NamedTuple):
    """A user name and a password in the ``Authorization`` header (RFC 7617)."""

    username: Input
    password: Input


class Digest(NamedTuple):
    """A user name and a password, proven by a digest of them (RFC 7616)."""

    username: Input
    password: Input


class MutualTLS(NamedTuple):
    """A certificate of the caller's own, shown when a connection is made."""

    certificate: Input


class OAuth2(NamedTuple):
    """An access token, or what it takes to be granted one (RFC 6749).

    URLs may be relative to the base URL of the client.
    """

    access_token: Input
    client_id: Input | None = None
    client_secret: Input | None = None
    refresh_token: Input | None = None
    username: Input | None = None
    password: Input | None = None
    scopes: str = ""
    """The keyword for the scopes to ask for."""
    token_url_argument: str = ""
    """The keyword for a token endpoint that is not the declared one."""
    on_token: str = ""
    """The keyword for a function that is told of new tokens."""
    helper: str = ""
    """The attribute of the client by which people grant tokens."""
    grants: tuple[str, ...] = ()
    """The grants that the API declares: ``client_credentials`` and the like."""
    token_url: str | None = None
    authorization_url: str | None = None
    device_url: str | None = None
    refresh_url: str | None = None
    metadata_url: str | None = None
    """Where the authorization server describes itself (RFC 8414, OpenID Connect)."""


Scheme: TypeAlias = Bearer | ApiKey | Basic | Digest | MutualTLS | OAuth2
Schemes: TypeAlias = Mapping[str, Scheme]

Security: TypeAlias = tuple[tuple[str, ...], ...]
"""Names of schemes that are needed together, in alternatives of which any will do.

Nothing is needed where there is no alternative, or where one of them is empty.
"""


def header_of(scheme: Scheme) -> bytes:
    """Name the header that a scheme fills, in lower case; empty if it fills none."""
    match scheme:
        case ApiKey(name=name, place="header"):
            return name.lower().encode()
        case ApiKey(place="cookie"):
            return b"cookie"
        case ApiKey() | MutualTLS():
            return b""
        case Bearer() | Basic() | Digest() | OAuth2():
            return b"authorization"


def is_settled(
    scheme: Scheme, headers: Mapping[bytes, tuple[bytes, bytes] | None]
) -> bool:
    """Whether headers, by lower-case name, already say what a scheme would say in them.

    A header without a value is one that the caller took out.
    """
    header = header_of(scheme)
    if not header or header not in headers:
        return False
    line = headers[header]
    if line is None or not isinstance(scheme, ApiKey) or scheme.place != "cookie":
        return True
    names = (pair.partition(b"=")[0].strip() for pair in line[1].split(b";"))
    return scheme.name.encode() in names


def keywords(scheme: Scheme) -> set[str]:
    """Name the keywords of the client that have to do with a scheme."""
    found = {part.argument for part in scheme if isinstance(part, Input)}
    if isinstance(scheme, OAuth2):
        found |= {scheme.scopes, scheme.token_url_argument, scheme.on_token}
    return found


def wanted(scheme: Scheme) -> str:
    """Say what a caller has to give for a scheme: keywords, and variables instead."""
    match scheme:
        case Bearer(token=only) | ApiKey(key=only) | MutualTLS(certificate=only):
            return _spelled(only)
        case Basic(username=name, password=word) | Digest(username=name, password=word):
            return _spelled(name, word)
        case OAuth2():
            ways = [_spelled(scheme.access_token)]
            secret = [i for i in (scheme.client_id, scheme.client_secret) if i]
            user = [i for i in (scheme.username, scheme.password) if i]
            if "client_credentials" in scheme.grants and secret:
                ways.append(_spelled(*secret))
            if "password" in scheme.grants and user:
                ways.append(_spelled(*user))
            return "; or ".join(ways)


def _spelled(*inputs: Input) -> str:
    arguments = " and ".join(one.argument for one in inputs)
    variables = " and ".join(one.variable for one in inputs)
    return f"pass {arguments} or set {variables}"
