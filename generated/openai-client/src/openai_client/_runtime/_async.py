"""The asynchronous client."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from inspect import isawaitable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Never, Self, TypeVar, cast

import anyio
import httpx2

from ._answer import closed_meanwhile, connection_error
from ._attempts import Attempts
from ._base import BaseClient
from ._choices import Result, accept_of
from ._credential import Want, may_be_renewed
from ._errors import APIConnectionError
from ._events import EventReader, Events
from ._hooks import Hooks
from ._loops import HTTPClients
from ._omit import Omit, omit
from ._options import Headers, Mode, Query, Request, Timeout
from ._proofs import Proof
from ._redirects import add_cookies, send_async
from ._request import Call
from ._response import APIResponse, AsyncAPIResponse, rest_async
from ._secrets import Ask
from ._settings import OnDeviation, checked_client
from ._stream import AsyncStream
from ._watch import told_answer_async, told_async

if TYPE_CHECKING:
    from ._oauth import AsyncOAuth
    from ._page import AsyncPage, AsyncPages
    from ._pages import Pages
    from ._steps import TokenRequest

__all__ = ["AsyncClient"]

T = TypeVar("T")
W = TypeVar("W")

NOTHING: Mapping[str, Never] = {}


class AsyncClient(BaseClient):
    """The base of asynchronous clients: sends requests, tries again, reads answers.

    It can be used from several tasks at once, in one event loop after another, under
    asyncio and trio. Close it, or use it in an ``async with`` block, to close its
    connections.
    """

    _in_loop = True

    def __init__(
        self,
        *,
        base_url: str | httpx2.URL | None = None,
        timeout: float | Timeout | Omit | None = omit,
        max_retries: int = 2,
        default_headers: Headers | None = None,
        default_query: Query | None = None,
        http_client: httpx2.AsyncClient | None = None,
        strict_responses: bool = False,
        on_deviation: OnDeviation | None = None,
        validate_requests: bool = False,
        hooks: Hooks | Sequence[Hooks] | None = None,
        credentials: Mapping[str, object] = NOTHING,
        server: str | None = None,
        variables: Mapping[str, str | None] = NOTHING,
    ) -> None:
        """Make a client; it connects when the first call is made.

        - ``base_url``: where the API is served, if not where it says itself. A user name
          and a password in it are sent where nothing else was given.
        - ``timeout``: seconds to wait for each step on the network, by default 600 and
          5 for connecting; ``None`` waits for ever.
        - ``max_retries``: how often to try again what failed for a passing reason.
        - ``default_headers``, ``default_query``: sent with every call; ``omit`` as the
          value of a header takes it out.
        - ``http_client``: sends the requests instead of a client made for it.
        - ``strict_responses``: whether an answer that departs from the API's
          description raises APIResponseValidationError.
        - ``on_deviation``: is called with each such departure.
        - ``validate_requests``: whether a request that departs from the description
          raises RequestValidationError instead of being sent.
        - ``hooks``: functions that are called while calls are made.
        - ``credentials``, ``server``, ``variables``: what generated clients have
          keywords of their own for.

        Raises CredentialError when there is no credential, and ValueError when the base
        URL is missing or is no URL.
        """
        checked_client(http_client, httpx2.AsyncClient)
        self._configure(
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            default_headers=default_headers,
            default_query=default_query,
            http_client=http_client,
            strict_responses=strict_responses,
            on_deviation=on_deviation,
            validate_requests=validate_requests,
            hooks=hooks,
            credentials=credentials,
            server=server,
            variables=variables,
        )
        self._http = HTTPClients(http_client, self._certificate)

    def with_options(
        self,
        *,
        base_url: str | httpx2.URL | Omit = omit,
        timeout: float | Timeout | Omit | None = omit,
        max_retries: int | Omit = omit,
        default_headers: Headers | Omit = omit,
        default_query: Query | Omit = omit,
        http_client: httpx2.AsyncClient | Omit = omit,
        strict_responses: bool | Omit = omit,
        on_deviation: OnDeviation | Omit | None = omit,
        validate_requests: bool | Omit = omit,
        hooks: Hooks | Sequence[Hooks] | Omit | None = omit,
    ) -> Self:
        """Make a client that differs in what is given.

        Headers and query parameters come on top of those of this client, which stays
        as it is. Both use the same connections, unless ``http_client`` is given (of
        which the connections are used, and not the headers); closing one closes them
        for both.
        """
        return self._with(
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            default_headers=default_headers,
            default_query=default_query,
            http_client=http_client,
            strict_responses=strict_responses,
            on_deviation=on_deviation,
            validate_requests=validate_requests,
            hooks=hooks,
            credentials=NOTHING,
        )

    copy = with_options

    def _with(
        self,
        *,
        base_url: str | httpx2.URL | Omit,
        timeout: float | Timeout | Omit | None,
        max_retries: int | Omit,
        default_headers: Headers | Omit,
        default_query: Query | Omit,
        http_client: httpx2.AsyncClient | Omit,
        strict_responses: bool | Omit,
        on_deviation: OnDeviation | Omit | None,
        validate_requests: bool | Omit,
        hooks: Hooks | Sequence[Hooks] | Omit | None,
        credentials: Mapping[str, object],
    ) -> Self:
        if not isinstance(http_client, Omit):
            checked_client(http_client, httpx2.AsyncClient)
        clone = self._copy(
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            default_headers=default_headers,
            default_query=default_query,
            strict_responses=strict_responses,
            on_deviation=on_deviation,
            validate_requests=validate_requests,
            hooks=hooks,
            http_client=http_client,
            credentials=credentials,
        )
        if not isinstance(http_client, Omit):
            clone._http = HTTPClients(http_client, None)
        return clone

    async def send(self, request: Request, result: Result[T]) -> T:
        """Make a call and give its value; generated methods are built on this.

        With a response mode set in the options, the value is a response around it.
        """
        mode = "parsed" if request.options is None else request.options.mode
        call, attempts = self._begin(
            request, accept=request.accept or accept_of(result)
        )
        async with attempts.watch:
            response = await self._exchange(
                call, attempts, keep_open=mode == "streamed"
            )
            reader = self._settings.reader
            value = partial(reader.value, response, result, request.operation)
            if mode == "parsed":
                return value()
        return cast("T", self._wrap(response, value, attempts, mode, reads=True))

    async def stream(self, request: Request, events: Events[T, W]) -> AsyncStream[T, W]:
        """Make a call and give its stream; generated methods are built on this.

        With a response mode set in the options, it gives a response around it.
        """
        call, attempts = self._begin(request, accept=events.accept)
        async with attempts.watch:
            response = await self._exchange(call, attempts, keep_open=True)
        options = request.options
        reader = EventReader(
            response,
            events,
            self._settings.reader,
            request.operation,
            require_end=options is not None and options.require_end,
        )
        make = partial(
            AsyncStream[T, W],
            response,
            reader,
            ends=attempts.ends,
            watch=attempts.watch,
        )
        if options is None or options.mode == "parsed":
            return make()
        wrapped = self._wrap(response, make, attempts, options.mode, reads=False)
        return cast("AsyncStream[T, W]", wrapped)

    def page(self, request: Request, pages: Pages[T, W]) -> AsyncPages[T, W]:
        """Say which call gives a page; generated methods are built on this.

        With a response mode set in the options, it gives a response around it.
        """
        from ._page import AsyncPages  # which few clients need
        from ._repeatable import repeatable

        return AsyncPages(partial(self._paged, repeatable(request), pages))

    async def _paged(self, request: Request, pages: Pages[T, W]) -> AsyncPage[T, W]:
        mode = "parsed" if request.options is None else request.options.mode
        accept = request.accept or accept_of(pages.result)
        call, attempts = self._begin(request, accept=accept)
        async with attempts.watch:
            response = await self._exchange(
                call, attempts, keep_open=mode == "streamed"
            )
            value = partial(self._page, request, response, pages)
            if mode == "parsed":
                return value()
        wrapped = self._wrap(response, value, attempts, mode, reads=True)
        return cast("AsyncPage[T, W]", wrapped)

    def _page(
        self, request: Request, response: httpx2.Response, pages: Pages[T, W]
    ) -> AsyncPage[T, W]:
        settings = self._settings
        body = settings.reader.value(response, pages.result, request.operation)
        more = pages.more(self._paged, request, body, response, settings.query)
        from ._page import AsyncPage

        return AsyncPage(body, pages.items_of(body), more)

    async def _exchange(
        self, call: Call, attempts: Attempts, *, keep_open: bool
    ) -> httpx2.Response:
        """Send a request until an answer succeeds, or there is no use in going on."""
        http = await self._http.here()
        renewed = False
        watch = attempts.watch
        reason: int | APIConnectionError
        while True:
            limits = attempts.limits(call.limits)
            proofs = await self._proofs(call, attempts)
            request = call.request(proofs, limits)
            if self._http.given is not None and http.cookies:
                add_cookies(http, request)
            await told_async(watch.requested(request))
            try:
                with attempts.in_time(request):
                    response = await send_async(http, request, stream=keep_open)
            except httpx2.RequestError as error:
                reason = failure = connection_error(error, request)
                pause = attempts.pause(error)
                if pause is None:
                    raise failure from error
            else:
                await told_answer_async(watch, response)
                if response.is_success:
                    attempts.succeeded(response)
                    return response
                reason = response.status_code
                if reason == 401 and not renewed:
                    renewed = may_be_renewed(call.credentials, proofs)
                    renewed = renewed and attempts.can_repeat
                    pause = 0.0 if renewed else attempts.pause(response)
                else:
                    pause = attempts.pause(response)
                if pause is None:
                    content = await rest_async(response, attempts.seconds_left)
                    reader = self._settings.reader
                    raise reader.status_error(response, content, call.errors)
                await response.aclose()
            await told_async(watch.retried(reason, pause))
            await anyio.sleep(pause)
            if http.is_closed:
                raise closed_meanwhile(request, reason)

    async def _proofs(
        self, call: Call, attempts: Attempts
    ) -> list[Proof | httpx2.Auth]:
        """Ask for what the next attempt proves its sender with."""
        found: list[Proof | httpx2.Auth] = []
        for credential in call.credentials:
            proof = credential.fixed
            if proof is None:
                texts = [await self._text(want, attempts) for want in credential.wants]
                proof = credential.proof(texts)
            found.append(proof)
        return found

    async def _text(self, want: Want, attempts: Attempts) -> str:
        if isinstance(want, str):
            return want
        if isinstance(want, Ask):
            secret = want.function()
            return want.checked(await secret if isawaitable(secret) else secret)
        exchange = partial(self._authority, attempts)
        text = await want.get_async(exchange, attempts.seconds_left)
        if text is None:
            raise attempts.overdue(None)
        return text

    async def _authority(
        self, attempts: Attempts | None, request: TokenRequest
    ) -> httpx2.Response:
        """Send a request to an authorization server, on behalf of a call if any."""
        call, own = self._authority_call(request, attempts)
        return await self._exchange(call, own, keep_open=False)

    def _oauth(self, name: str) -> AsyncOAuth:
        """Give the helper for the tokens of a scheme."""
        from ._oauth import AsyncOAuth  # which few clients need

        return AsyncOAuth(
            self._settings.credentials.source(name),
            partial(self._authority, None),
            self.base_url,
        )

    def _wrap(
        self,
        response: httpx2.Response,
        parse: Callable[[], object],
        attempts: Attempts,
        mode: Mode,
        *,
        reads: bool,
    ) -> APIResponse[Any] | AsyncAPIResponse[Any]:
        wrapper: type[APIResponse[Any] | AsyncAPIResponse[Any]]
        wrapper = AsyncAPIResponse if mode == "streamed" else APIResponse
        return wrapper(
            response,
            parse,
            retries_taken=attempts.made,
            request_id=self._settings.reader.request_id(response),
            reads=reads,
        )

    async def close(self) -> None:
        """Close the connections; calls that are made after this raise RuntimeError."""
        await self._http.aclose()

    async def aclose(self) -> None:
        """Do as :meth:`close` does."""
        await self.close()

    def is_closed(self) -> bool:
        """Whether the connections were closed."""
        return self._http.is_closed

    async def __aenter__(self) -> Self:
        """Close the client at the end of a block."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the client."""
        await self.close()
