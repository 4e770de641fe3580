"""The facts about one API that its client is built on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ._models import BaseModel

__all__ = ["ApiKey", "Auth", "Bearer", "Profile"]


@dataclass(frozen=True, slots=True)
class Bearer:
    """A token in the ``Authorization`` header (RFC 6750, section 2.1)."""

    env: str
    """The environment variable that is read when no ``api_key`` is given."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key in a header or a query parameter of the API's own naming."""

    env: str
    """The environment variable that is read when no ``api_key`` is given."""

    name: str
    """The name of the header or of the parameter."""

    place: Literal["header", "query"] = "header"
    """Where the key goes."""


Auth: TypeAlias = Bearer | ApiKey


@dataclass(frozen=True, slots=True, kw_only=True)
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

    auth: Auth | None = None
    """How calls prove who makes them; ``None`` for an open API."""

    error_envelope: str | None = None
    """The property that holds the error in an error body, such as ``error`` in
    ``{"error": {"message": ...}}``; ``None`` when the body is the error itself."""

    error: Callable[[], type[BaseModel]] | None = None
    """Gives the model of an error body. A function, so that importing the client does
    not import its models."""

    request_id_header: str = "x-request-id"
    """The response header by which the server names a request."""
