"""How a client behaves, and how that follows from what its maker said."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import httpx2

from ._answer import Reader
from ._credentials import Credentials
from ._deviations import Deviation
from ._hooks import Hooks
from ._options import Query, Timeout
from ._profile import Profile
from ._proofs import NO_DISCRETION, Discretion
from ._request import Base, HeaderTable
from ._schemes import ApiKey, MutualTLS
from ._servers import server_url

__all__ = [
    "OnDeviation",
    "Settings",
    "checked",
    "checked_client",
    "connected",
    "discretion_of",
    "private_of",
    "query_of",
    "server_of",
    "timeout_of",
    "user_agent",
]

DEFAULT_TIMEOUT = Timeout(600.0, connect=5.0)
OnDeviation: TypeAlias = Callable[[Deviation], None]


@dataclass(frozen=True, slots=True, eq=False)
class Settings:
    """How a client behaves; never changed, only replaced in a copy of the client."""

    base: Base
    timeout: float | Timeout | None
    max_retries: int
    headers: HeaderTable
    query: Query
    reader: Reader
    validate_requests: bool
    """Whether requests are compared with the description before they are sent."""
    credentials: Credentials
    is_placed: bool
    """Whether the caller said where the API is, which then goes for every call."""
    server: str | None
    """The name of the server that the caller chose."""
    variables: Mapping[str, str | None]
    """What the caller chose for the parts of URLs that servers leave open."""
    hooks: tuple[Hooks, ...]
    """What is told of calls while they are made."""


def server_of(
    profile: Profile, server: str | None, variables: Mapping[str, str | None]
) -> str:
    """Give the URL that the description knows; raises ValueError if it knows none."""
    if profile.servers:
        try:
            return server_url(profile.servers, server, profile.variables, variables)
        except ValueError as error:
            raise ValueError(f"{profile.title}: {error}") from None
    if profile.base_url is not None:
        return profile.base_url
    hint = f" or set {profile.base_url_env}" if profile.base_url_env else ""
    path = profile.base_path and f"; its path is {profile.base_path}"
    raise ValueError(f"{profile.title} has no base URL: pass base_url{hint}{path}")


def connected(
    profile: Profile,
    credentials: Mapping[str, object],
    http_client: httpx2.Client | httpx2.AsyncClient | None,
) -> Mapping[str, object]:
    """Take it that a given HTTP client shows the certificate that the API wants.

    Raises ValueError for a certificate beside it, which it could not show.
    """
    for scheme in profile.schemes.values():
        if isinstance(scheme, MutualTLS) and http_client is not None:
            argument = scheme.certificate.argument
            if credentials.get(argument):
                raise ValueError(f"give {argument} to http_client, which connects")
            credentials = {**credentials, argument: http_client}
    return credentials


def discretion_of(profile: Profile) -> Discretion:
    """Say which headers are for the API alone, besides the one that httpx2 knows of."""
    private = tuple(
        scheme.name
        for scheme in profile.schemes.values()
        if isinstance(scheme, ApiKey)
        and scheme.place == "header"
        and scheme.name.lower() != "authorization"
    )
    return Discretion(private) if private else NO_DISCRETION


def private_of(profile: Profile) -> frozenset[str]:
    """Say which query parameters hold credentials, also where the caller wrote them."""
    return frozenset(
        scheme.name
        for scheme in profile.schemes.values()
        if isinstance(scheme, ApiKey) and scheme.place == "query"
    )


def user_agent(profile: Profile) -> str:
    python = ".".join(map(str, sys.version_info[:3]))
    return (
        f"{profile.package}/{profile.version}"
        f" httpx2/{httpx2.__version__} python/{python}"
    )


def checked(max_retries: int) -> int:
    if max_retries < 0:
        raise ValueError(f"max_retries must not be negative, but is {max_retries}")
    return max_retries


def checked_client(
    http_client: httpx2.Client | httpx2.AsyncClient | None,
    kind: type[httpx2.Client | httpx2.AsyncClient],
) -> None:
    """Refuse an HTTP client of the other kind; raises TypeError."""
    if http_client is not None and not isinstance(http_client, kind):
        raise TypeError(f"http_client must be an httpx2.{kind.__name__}")


def timeout_of(
    http_client: httpx2.Client | httpx2.AsyncClient | None,
) -> float | Timeout | None:
    """Keep to the timeout of a given client, unless it is merely httpx2's own."""
    if http_client is None or http_client.timeout == Timeout(5.0):
        return DEFAULT_TIMEOUT
    return http_client.timeout


def query_of(http_client: httpx2.Client | httpx2.AsyncClient | None) -> Query:
    """Keep to the query parameters of a given client."""
    if http_client is None:
        return {}
    return {name: http_client.params.get_list(name) for name in http_client.params}
