"""What the synchronous and the asynchronous client have in common: no network here."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

import httpx2

from ._answer import Reader
from ._attempts import Attempts
from ._bodies import content_of
from ._credentials import Credentials
from ._given import environment
from ._hooks import Hooks
from ._omit import Omit, omit
from ._options import Headers, Query, Request, RequestOptions, Timeout
from ._parameters import cookie_pairs, header_texts, path_text, query_string, whole
from ._profile import Profile
from ._proofs import Discretion
from ._request import (
    Base,
    Call,
    HeaderTable,
    limits_of,
    merge,
    with_cookies,
    with_key,
)
from ._servers import Servers, server_url
from ._settings import (
    OnDeviation,
    Settings,
    checked,
    connected,
    discretion_of,
    private_of,
    query_of,
    server_of,
    timeout_of,
    user_agent,
)
from ._styles import FORM
from ._transport import client_headers
from ._watch import UNWATCHED, Watch

if TYPE_CHECKING:
    from ._steps import TokenRequest

__all__ = ["BaseClient"]

DEFAULT_OPTIONS = RequestOptions()


class BaseClient:
    """The settings of a client, and the calls that it makes of requests."""

    _profile: ClassVar[Profile]
    _in_loop: ClassVar[bool] = False
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
        validate_requests: bool,
        hooks: Hooks | Sequence[Hooks] | None,
        credentials: Mapping[str, object],
        server: str | None,
        variables: Mapping[str, str | None],
    ) -> None:
        profile = self._profile
        credentials = connected(profile, credentials, http_client)
        placed = base_url or environment(profile.base_url_env)
        if isinstance(timeout, Omit):
            timeout = timeout_of(http_client)
        self._settings = Settings(
            base=Base.parse(placed or server_of(profile, server, variables)),
            timeout=timeout,
            max_retries=checked(max_retries),
            headers=merge({}, default_headers),
            query={**query_of(http_client), **(default_query or {})},
            reader=Reader(profile, strict_responses, on_deviation),
            validate_requests=validate_requests,
            credentials=Credentials(profile.title, profile.schemes, credentials),
            is_placed=bool(placed),
            server=server,
            variables=variables,
            hooks=self._hooks(hooks),
        )
        self._private = private_of(profile)
        self._discretion = discretion_of(profile)
        self._certificate = (
            self._settings.credentials.certificate if http_client is None else None
        )
        agent = {"User-Agent": user_agent(profile)}
        self._neutral = merge({}, client_headers(), agent)
        self._below = (
            self._neutral
            if http_client is None
            else merge(self._neutral, dict(http_client.headers), agent)
        )
        settings = self._settings
        if profile.demanding and settings.base.login is None:
            settings.credentials.demand(profile.security, settings.headers)

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
        validate_requests: bool | Omit,
        hooks: Hooks | Sequence[Hooks] | Omit | None,
        http_client: httpx2.Client | httpx2.AsyncClient | Omit,
        credentials: Mapping[str, object],
    ) -> Self:
        """Make a client that differs in what is given and shares the connections."""
        old = self._settings
        credentials = {k: v for k, v in credentials.items() if v is not omit}
        if not isinstance(http_client, Omit):
            credentials = connected(self._profile, credentials, http_client)
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
                else checked(max_retries)
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
            validate_requests=(
                old.validate_requests
                if isinstance(validate_requests, Omit)
                else validate_requests
            ),
            credentials=old.credentials.replaced(credentials),
            is_placed=old.is_placed or not isinstance(base_url, Omit),
            server=old.server,
            variables=old.variables,
            hooks=old.hooks if isinstance(hooks, Omit) else self._hooks(hooks),
        )
        return clone

    def _hooks(self, given: Hooks | Sequence[Hooks] | None) -> tuple[Hooks, ...]:
        if given is None:
            return ()
        from ._hooked import hooks_of  # which few clients need

        return hooks_of(given, in_loop=self._in_loop)

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

    def _given(self, argument: str) -> object:
        """Give what was given by a keyword, or by its environment variable."""
        credentials = self._settings.credentials
        return credentials.given.by_argument(argument, credentials.schemes)

    @property
    def _webhook_secret(self) -> str | bytes | None:
        """What webhooks are verified with, where the caller said so."""
        given = self._settings.credentials.given.values.get("webhook_secret")
        return given if isinstance(given, str | bytes) else None

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
        if settings.validate_requests:
            from ._checks import check  # which few clients need
            from ._repeatable import repeatable

            request = repeatable(request)
            content, kind = content_of(request)
            check(request, content)
        else:
            content, kind = content_of(request)
        timeout = request.timeout
        if isinstance(timeout, Omit):
            timeout = options.timeout
        if not (self._in_loop or isinstance(content, bytes | None)):
            content.check_sync()
        headers = merge(
            self._headers(accept),
            None if kind is None or content is None else {"Content-Type": kind},
            header_texts(request.headers),
            options.headers,
            request.extra_headers,
        )
        if request.cookies:
            headers = with_cookies(headers, cookie_pairs(request.cookies))
        headers = with_key(headers, request.method, self._profile.idempotency_header)
        extras = (options.query, request.extra_query)
        if isinstance(request.querystring, Omit):
            query = query_string(settings.query, request.query, *extras)
        else:
            query = whole(request.querystring, settings.query, *extras)
        operation = request.operation
        security = request.security
        if security is None:
            security = self._profile.security
        base = self._base_of(request.servers)
        known = settings.credentials
        call = Call(
            method=request.method,
            url=_url(base, request, query),
            headers=headers,
            content=content,
            limits=self._limits if isinstance(timeout, Omit) else limits_of(timeout),
            credentials=(
                known.beside(security, headers, operation)
                if base.login is None
                else known.with_login(security, headers, operation, base.login)
            ),
            discretion=self._discretion,
            errors=request.errors,
        )
        limit = options.max_retries
        attempts = Attempts(
            operation,
            settings.max_retries if limit is None else limit,
            options.deadline,
            content,
            self._watch(request),
        )
        return call, attempts

    def _watch(self, request: Request) -> Watch:
        hooks = self._settings.hooks
        if not hooks:
            return UNWATCHED
        from ._hooked import Hooked  # which few clients need

        template = request.template.partition("?")[0]
        return Hooked(hooks, request.method, template, self._private)

    @cached_property
    def _bases(self) -> dict[Servers, Base]:
        """Where calls go that have servers of their own."""
        return {}

    def _base_of(self, servers: Servers | None) -> Base:
        settings = self._settings
        if servers is None or settings.is_placed:
            return settings.base
        found = self._bases.get(servers)
        if found is None:
            url = server_url(
                servers,
                settings.server,
                self._profile.variables,
                settings.variables,
                lenient=True,
            )
            found = self._bases[servers] = Base.parse(url)
        return found

    def _authority_call(
        self, request: TokenRequest, attempts: Attempts | None
    ) -> tuple[Call, Attempts]:
        """Make a call of a request to an authorization server.

        Nothing is sent along that is meant for the API, and no redirect is followed.
        """
        settings = self._settings
        url, proof = request.placed(settings.base.url("/", ""))
        form = request.content
        headers = merge(
            self._neutral,
            {"Accept": "application/json"},
            None if form is None else {"Content-Type": FORM},
            None if proof is None else {"Authorization": proof},
        )
        call = Call(
            method=request.method,
            url=str(url),
            headers=headers,
            content=form,
            limits=self._limits,
            discretion=Discretion(stays=True, secrets=request.secrets),
        )
        operation = f"{request.method} {url.copy_with(query=None)}"
        retries = 0 if request.once else settings.max_retries
        left = None if attempts is None else attempts.seconds_left
        return call, Attempts(operation, retries, left)


def _is_cached(owner: type, name: str) -> bool:
    return isinstance(getattr(owner, name, None), cached_property)


def _url(base: Base, request: Request, query: str) -> str:
    if request.address is None:
        return base.url(path_text(request.template, request.path), query)
    return base.url_at(request.address)
