"""How an API is reached and who may use it: servers and security, a part of the IR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from .diagnostics import Origin


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key in a header, a query parameter or a cookie of the API's own."""

    location: OneOf["header", "query", "cookie"]
    parameter: str


@dataclass(frozen=True, slots=True)
class Basic:
    """A user name and a password, sent as they are (RFC 7617)."""


@dataclass(frozen=True, slots=True)
class Digest:
    """A user name and a password, proven by a digest of them (RFC 7616)."""


@dataclass(frozen=True, slots=True)
class Bearer:
    """``Authorization: Bearer`` (RFC 6750); ``format`` is a hint at what tokens look like."""

    format: str | None = None


@dataclass(frozen=True, slots=True)
class OtherHttp:
    """Another scheme of the ``Authorization`` header (RFC 9110, section 11.4)."""

    scheme: str


Grant = OneOf["authorization_code", "client_credentials", "device_code", "implicit", "password"]
"""A way to be granted a token (RFC 6749, RFC 8628)."""


@dataclass(frozen=True, slots=True)
class Flow:
    """One way to be granted tokens, and where (OpenAPI, OAuth Flow Object).

    URLs may be relative to the server. ``scopes`` are pairs of a name and its description.
    """

    grant: Grant
    token_url: str | None = None
    authorization_url: str | None = None
    device_url: str | None = None
    refresh_url: str | None = None
    scopes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class OAuth2:
    """Access tokens that an authorization server grants (RFC 6749).

    The server may describe itself at ``metadata_url`` (RFC 8414).
    """

    flows: tuple[Flow, ...]
    metadata_url: str | None = None


@dataclass(frozen=True, slots=True)
class OpenIdConnect:
    """The same, of a server that describes itself at ``url`` (OpenID Connect Discovery 1.0)."""

    url: str


@dataclass(frozen=True, slots=True)
class MutualTls:
    """A certificate of the client's own (RFC 8705)."""


Proof = ApiKey | Basic | Digest | Bearer | OtherHttp | OAuth2 | OpenIdConnect | MutualTls
"""How a caller proves who it is."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """A way of proof that the description gives a name."""

    name: str
    proof: Proof
    origin: Origin
    doc: str | None = None
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class Need:
    """One scheme that a call must satisfy, with the scopes that its token must have."""

    scheme: str
    scopes: tuple[str, ...] = ()


Requirement = tuple[Need, ...]
"""Schemes that are needed together; none at all where a call needs no proof."""

Security = tuple[Requirement, ...]
"""Requirements of which any one will do. ``()`` needs nothing; where proof is welcome and not
needed, the empty requirement comes last."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A part of a server's URL that callers may choose (OpenAPI, Server Variable Object)."""

    name: str
    default: str | None
    choices: tuple[str, ...] = ()
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Server:
    """Where an API is served. ``url`` has ``{variables}`` in it, and no slash at its end."""

    url: str
    origin: Origin
    name: str | None = None
    variables: tuple[Variable, ...] = ()
    doc: str | None = None

    @property
    def default(self) -> str:
        """The URL with the defaults of its variables; those without one stay as they are."""
        url = self.url
        for variable in self.variables:
            if variable.default is not None:
                url = url.replace(f"{{{variable.name}}}", variable.default)
        return url

    @property
    def is_absolute(self) -> bool:
        """Whether the URL says which machine it is on, as far as its defaults tell."""
        return self.default.lower().startswith(("http://", "https://", "{"))
