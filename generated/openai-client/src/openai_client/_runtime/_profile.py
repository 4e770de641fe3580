"""The facts about one API that its client is built on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ._models import BaseModel
from ._schemes import Scheme, Schemes, Security
from ._servers import Servers, Variable

__all__ = ["Profile"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Profile:
    """The facts about one API that its client is built on."""

    title: str
    """The name of the API, for messages."""

    package: str
    """The distribution name of the client, for the ``User-Agent`` header."""

    version: str
    """The version of the client, for the ``User-Agent`` header."""

    base_url: str | None = None
    """Where the API is served, unless the caller says otherwise."""

    base_url_env: str | None = None
    """The environment variable that overrides ``base_url``."""

    base_path: str = ""
    """The path that the API is served under, where its description says only that."""

    servers: Servers = ()
    """Where the API is served, of which the caller chooses, instead of ``base_url``."""

    variables: Mapping[str, Variable] = field(default_factory=dict[str, Variable])
    """What the URLs of servers leave open, by the keywords of the client."""

    schemes: Schemes = field(default_factory=dict[str, Scheme])
    """The ways to prove who calls, by their names in the description."""

    security: Security = ()
    """Which of them calls need, unless they say otherwise."""

    demanding: bool = True
    """Whether a client that could prove nothing is refused when it is made."""

    error_envelope: str | None = None
    """The property that holds the error in an error body, such as ``error`` in
    ``{"error": {"message": ...}}``; ``None`` when the body is the error itself."""

    error: Callable[[], type[BaseModel]] | None = None
    """Gives the model of an error body. A function, so that importing the client does
    not import its models."""

    idempotency_header: str | None = None
    """The request header by which the server knows a call that it has seen before."""

    request_id_header: str = "x-request-id"
    """The response header by which the server names a request."""
