"""What the synchronous and the asynchronous client have in common: no network here."""

from __future__ import annotations

import copy
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import httpx2

from ._answer import Reader
from ._attempts import Attempts
from ._deviations import Deviation
from ._errors import CredentialError
from ._omit import Omit
from ._options import Headers, Query, Request, RequestOptions, Timeout
from ._profile import Auth, Profile
from ._request import (
    Base,
    Call,
    HeaderTable,
    content_of,
    header_texts,
    limits_of,
    merge,
    place_of,
    query_string,
)
from ._transport import client_headers

__all__ = ["BaseClient"]

DEFAULT_TIMEOUT = Timeout(600.0, connect=5.0)
DEFAULT_OPTIONS = RequestOptions()
OnDeviation = Callable[[Deviation], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a client behaves; never changed, only replaced in a copy of the client."""

    base: Base
    timeout: float | Timeout | None
    max_retries: int
    headers: HeaderTable
    query: Query
    reader: Reader


class BaseClient:
    """The settings of a client, and the calls that it makes of requests."""

    _profile: ClassVar[Profile]
    _settings: Settings

    def _configure(
        self,
        *,
        base_url: str | httpx2.URL | None,
        timeout: float | Timeout | Omit | None,
        max_retries: int,
        default_headers: Headers | None,
        default_query: Query | None,
        http_client: httpx2.Client | httpx2.AsyncClient | None,
        strict_responses: bool,
        on_deviation: OnDeviation | None,
    ) -> None:
        profile = self._profile
        url = base_url or _environment(profile.base_url_env) or profile.base_url
        if not url:
            hint = f" or set {profile.base_url_env}" if profile.base_url_env else ""
            raise ValueError(f"{profile.title} has no base URL: pass base_url{hint}")
        if isinstance(timeout, Omit):
            timeout = _timeout_of(http_client)
        self._settings = Settings(
            base=Base.parse(url),
            timeout=timeout,
            max_retries=_checked(max_retries),
            headers=merge({}, default_headers),
            query={**_query_of(http_client), **(default_query or {})},
            reader=Reader(profile, strict_responses, on_deviation),
        )
        self._below = merge(
            {},
            client_headers(),
            None if http_client is None else dict(http_client.headers),
            {"User-Agent": _user_agent(profile)},
        )

    def _copy(
        self,
        *,
        base_url: str | httpx2.URL | Omit,
        timeout: float | Timeout | Omit | None,
        max_retries: int | Omit,
        default_headers: Headers | Omit,
        default_query: Query | Omit,
        strict_responses: bool | Omit,
        on_deviation: OnDeviation | Omit | None,
    ) -> Self:
        """Make a client that differs in what is given and shares the connections."""
        old = self._settings
        reader = old.reader
        if not isinstance(strict_responses, Omit):
            reader = replace(reader, strict=strict_responses)
        if not isinstance(on_deviation, Omit):
            reader = replace(reader, on_deviation=on_deviation)
        clone = copy.copy(self)
        # The resources that were made so far belong to the client they were made for,
        # and the tables of headers depend on the settings.
        for name in [n for n in vars(clone) if _is_cached(type(clone), n)]:
            del vars(clone)[name]
        clone._settings = Settings(
            base=old.base if isinstance(base_url, Omit) else Base.parse(base_url),
            timeout=old.timeout if isinstance(timeout, Omit) else timeout,
            max_retries=(
                old.max_retries
                if isinstance(max_retries, Omit)
                else _checked(max_retries)
            ),
            headers=(
                old.headers
                if isinstance(default_headers, Omit)
                else merge(old.headers, default_headers)
            ),
            query=(
                old.query
                if isinstance(default_query, Omit)
                else {**old.query, **default_query}
            ),
            reader=reader,
        )
        return clone

    @property
    def base_url(self) -> httpx2.URL:
        """Where calls go, with a slash at the end."""
        return httpx2.URL(self._settings.base.url("/", ""))

    @property
    def timeout(self) -> float | Timeout | None:
        """Seconds to wait for each step on the network, unless a call overrides it."""
        return self._settings.timeout

    @property
    def max_retries(self) -> int:
        """How often a failed call is tried again, unless the call says otherwise."""
        return self._settings.max_retries

    def __repr__(self) -> str:
        """Show where calls go; never a credential, a header or a query."""
        return f"{type(self).__name__}(base_url={str(self._settings.base)!r})"

    @cached_property
    def _accepting(self) -> dict[str, HeaderTable]:
        """The client's headers for each kind of answer that calls have asked for."""
        return {}

    def _headers(self, accept: str) -> HeaderTable:
        found = self._accepting.get(accept)
        if found is None:
            below = merge(self._below, {"Accept": accept})
            found = self._accepting[accept] = {**below, **self._settings.headers}
        return found

    @cached_property
    def _limits(self) -> dict[str, float | None]:
        return dict(limits_of(self._settings.timeout))

    def _begin(self, request: Request, *, accept: str) -> tuple[Call, Attempts]:
        """Settle everything about a call that its attempts have in common."""
        options = request.options or DEFAULT_OPTIONS
        settings = self._settings
        timeout = request.timeout
        if isinstance(timeout, Omit):
            timeout = options.timeout
        kind = request.content_type
        headers = merge(
            self._headers(accept),
            None if kind is None else {"Content-Type": kind},
            header_texts(request.headers),
            options.headers,
            request.extra_headers,
        )
        call = Call(
            method=request.method,
            url=settings.base.url(
                request.path,
                query_string(
                    settings.query, request.query, options.query, request.extra_query
                ),
            ),
            headers=headers,
            content=content_of(request),
            limits=self._limits if isinstance(timeout, Omit) else limits_of(timeout),
            auth=self._auth_beside(headers),
        )
        limit = options.max_retries
        attempts = Attempts(
            request.operation,
            settings.max_retries if limit is None else limit,
            options.deadline,
        )
        return call, attempts

    def _from_environment(self) -> str | None:
        auth = self._profile.auth
        return None if auth is None else _environment(auth.env)

    def _auth_beside(self, headers: HeaderTable) -> Auth | None:
        """What to send a credential for; nothing if the caller's headers settle it."""
        auth = self._profile.auth
        return None if place_of(auth) in headers else auth

    def _demand(self, credential: object) -> None:
        """Raise CredentialError if a credential is needed and there is none."""
        auth = self._auth_beside(self._settings.headers)
        if auth is not None and not credential:
            raise CredentialError(
                f"{self._profile.title} needs a credential:"
                f" pass api_key or set {auth.env}"
            )

    def _checked_secret(self, secret: object) -> str:
        """Check what a function that was given for ``api_key`` returned."""
        if not isinstance(secret, str) or not secret:
            raise CredentialError(
                "the function given as api_key must return a string that is not empty"
            )
        return secret


def _user_agent(profile: Profile) -> str:
    python = ".".join(map(str, sys.version_info[:3]))
    return (
        f"{profile.package}/{profile.version}"
        f" httpx2/{httpx2.__version__} python/{python}"
    )


def _environment(name: str | None) -> str | None:
    """Read a variable; an empty one is as good as unset."""
    return (os.environ.get(name) or None) if name else None


def _checked(max_retries: int) -> int:
    if max_retries < 0:
        raise ValueError(f"max_retries must not be negative, but is {max_retries}")
    return max_retries


def _timeout_of(
    http_client: httpx2.Client | httpx2.AsyncClient | None,
) -> float | Timeout | None:
    """Keep to the timeout of a given client, unless it is merely httpx2's own."""
    if http_client is None or http_client.timeout == Timeout(5.0):
        return DEFAULT_TIMEOUT
    return http_client.timeout


def _query_of(http_client: httpx2.Client | httpx2.AsyncClient | None) -> Query:
    """Keep to the query parameters of a given client."""
    if http_client is None:
        return {}
    return {name: http_client.params.get_list(name) for name in http_client.params}


def _is_cached(owner: type, name: str) -> bool:
    return isinstance(getattr(owner, name, None), cached_property)
