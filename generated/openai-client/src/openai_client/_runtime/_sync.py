"""The synchronous client."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Never, Self, TypeVar, cast

import httpx2

from ._answer import closed_meanwhile, connection_error
from ._attempts import Attempts
from ._base import BaseClient
from ._choices import Result, accept_of
from ._credential import Want, may_be_renewed
from ._errors import APIConnectionError
from ._events import EventReader, Events
from ._hooks import Hooks
from ._interrupts import raised_by_caller
from ._limit import limit, read_by
from ._omit import Omit, omit
from ._options import Headers, Query, Request, Timeout
from ._proofs import Proof
from ._redirects import add_cookies, send
from ._request import Call
from ._response import APIResponse, rest
from ._secrets import Ask
from ._settings import OnDeviation, checked_client
from ._stream import Stream
from ._transport import sync_client
from ._watch import told, told_answer

if TYPE_CHECKING:
    from ._oauth import OAuth
    from ._page import Page
    from ._pages import Pages
    from ._steps import TokenRequest

__all__ = ["SyncClient"]

T = TypeVar("T")
W = TypeVar("W")

NOTHING: Mapping[str, Never] = {}


class SyncClient(BaseClient):
    """The base of synchronous clients: sends requests, tries again, reads answers.

    It can be used from several threads at once. Close it, or use it in a ``with``
    block, to close its connections.
    """

    def __init__(
        self,
        *,
        base_url: str | httpx2.URL | None = None,
        timeout: float | Timeout | Omit | None = omit,
        max_retries: int = 2,
        default_headers: Headers | None = None,
        default_query: Query | None = None,
        http_client: httpx2.Client | None = None,
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
        checked_client(http_client, httpx2.Client)
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
        self._http = http_client or sync_client(self._certificate)
        self._has_cookies = http_client is not None

    def with_options(
        self,
        *,
        base_url: str | httpx2.URL | Omit = omit,
        timeout: float | Timeout | Omit | None = omit,
        max_retries: int | Omit = omit,
        default_headers: Headers | Omit = omit,
        default_query: Query | Omit = omit,
        http_client: httpx2.Client | Omit = omit,
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
        http_client: httpx2.Client | Omit,
        strict_responses: bool | Omit,
        on_deviation: OnDeviation | Omit | None,
        validate_requests: bool | Omit,
        hooks: Hooks | Sequence[Hooks] | Omit | None,
        credentials: Mapping[str, object],
    ) -> Self:
        if not isinstance(http_client, Omit):
            checked_client(http_client, httpx2.Client)
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
            clone._http = http_client
            clone._has_cookies = True
        return clone

    def send(self, request: Request, result: Result[T]) -> T:
        """Make a call and give its value; generated methods are built on this.

        With a response mode set in the options, the value is an APIResponse around it.
        """
        mode = "parsed" if request.options is None else request.options.mode
        call, attempts = self._begin(
            request, accept=request.accept or accept_of(result)
        )
        with attempts.watch:
            response = self._exchange(call, attempts, keep_open=mode == "streamed")
            reader = self._settings.reader
            value = partial(reader.value, response, result, request.operation)
            if mode == "parsed":
                return value()
        return cast("T", self._wrap(response, value, attempts, reads=True))

    def stream(self, request: Request, events: Events[T, W]) -> Stream[T, W]:
        """Make a call and give its stream; generated methods are built on this.

        With a response mode set in the options, it gives an APIResponse around it.
        """
        call, attempts = self._begin(request, accept=events.accept)
        with attempts.watch:
            response = self._exchange(call, attempts, keep_open=True)
        options = request.options
        reader = EventReader(
            response,
            events,
            self._settings.reader,
            request.operation,
            require_end=options is not None and options.require_end,
        )
        make = partial(
            Stream[T, W], response, reader, ends=attempts.ends, watch=attempts.watch
        )
        if options is None or options.mode == "parsed":
            return make()
        return cast("Stream[T, W]", self._wrap(response, make, attempts, reads=False))

    def page(self, request: Request, pages: Pages[T, W]) -> Page[T, W]:
        """Make a call and give its page; generated methods are built on this.

        With a response mode set in the options, it gives an APIResponse around it.
        """
        from ._repeatable import repeatable  # which few clients need

        request = repeatable(request)
        mode = "parsed" if request.options is None else request.options.mode
        accept = request.accept or accept_of(pages.result)
        call, attempts = self._begin(request, accept=accept)
        with attempts.watch:
            response = self._exchange(call, attempts, keep_open=mode == "streamed")
            value = partial(self._page, request, response, pages)
            if mode == "parsed":
                return value()
        wrapped = self._wrap(response, value, attempts, reads=True)
        return cast("Page[T, W]", wrapped)

    def _page(
        self, request: Request, response: httpx2.Response, pages: Pages[T, W]
    ) -> Page[T, W]:
        settings = self._settings
        body = settings.reader.value(response, pages.result, request.operation)
        more = pages.more(self.page, request, body, response, settings.query)
        from ._page import Page

        return Page(body, pages.items_of(body), more)

    def _exchange(
        self, call: Call, attempts: Attempts, *, keep_open: bool
    ) -> httpx2.Response:
        """Send a request until an answer succeeds, or there is no use in going on."""
        renewed = False
        watch = attempts.watch
        reason: int | APIConnectionError
        while True:
            limits = attempts.limits(call.limits)
            proofs = self._proofs(call, attempts)
            request = call.request(proofs, limits)
            if self._has_cookies and self._http.cookies:
                add_cookies(self._http, request)
            told(watch.requested(request))
            try:
                response = self._send(request, attempts, keep_open=keep_open)
            except httpx2.RequestError as error:
                if (own := raised_by_caller(error)) is not None:
                    raise own from None
                reason = failure = connection_error(error, request)
                pause = attempts.pause(error)
                if pause is None:
                    raise failure from error
            else:
                told_answer(watch, response)
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
                    content = rest(response)
                    reader = self._settings.reader
                    raise reader.status_error(response, content, call.errors)
                response.close()
            told(watch.retried(reason, pause))
            time.sleep(pause)
            if self._http.is_closed:
                raise closed_meanwhile(request, reason)

    def _send(
        self, request: httpx2.Request, attempts: Attempts, *, keep_open: bool
    ) -> httpx2.Response:
        if attempts.ends is None:
            return send(self._http, request, stream=keep_open)
        response = send(self._http, request, stream=True)
        if keep_open:
            limit(response, attempts.ends)
        else:
            read_by(response, attempts.ends, partial(attempts.overdue, request))
        return response

    def _proofs(self, call: Call, attempts: Attempts) -> list[Proof | httpx2.Auth]:
        """Ask for what the next attempt proves its sender with."""
        found: list[Proof | httpx2.Auth] = []
        for credential in call.credentials:
            proof = credential.fixed
            if proof is None:
                texts = [self._text(want, attempts) for want in credential.wants]
                proof = credential.proof(texts)
            found.append(proof)
        return found

    def _text(self, want: Want, attempts: Attempts) -> str:
        if isinstance(want, str):
            return want
        if isinstance(want, Ask):
            return want.checked(want.function())
        exchange = partial(self._authority, attempts)
        text = want.get(exchange, attempts.seconds_left)
        if text is None:
            raise attempts.overdue(None)
        return text

    def _authority(
        self, attempts: Attempts | None, request: TokenRequest
    ) -> httpx2.Response:
        """Send a request to an authorization server, on behalf of a call if any."""
        call, own = self._authority_call(request, attempts)
        return self._exchange(call, own, keep_open=False)

    def _oauth(self, name: str) -> OAuth:
        """Give the helper for the tokens of a scheme."""
        from ._oauth import OAuth  # which few clients need

        return OAuth(
            self._settings.credentials.source(name),
            partial(self._authority, None),
            self.base_url,
        )

    def _wrap(
        self,
        response: httpx2.Response,
        parse: Callable[[], object],
        attempts: Attempts,
        *,
        reads: bool,
    ) -> APIResponse[Any]:
        return APIResponse(
            response,
            parse,
            retries_taken=attempts.made,
            request_id=self._settings.reader.request_id(response),
            reads=reads,
        )

    def close(self) -> None:
        """Close the connections; calls that are made after this raise RuntimeError."""
        self._http.close()

    def is_closed(self) -> bool:
        """Whether the connections were closed."""
        return self._http.is_closed

    def __enter__(self) -> Self:
        """Close the client at the end of a block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the client."""
        self.close()
