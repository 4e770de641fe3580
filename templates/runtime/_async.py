"""The asynchronous client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar, cast

import anyio
import httpx2

from ._answer import connection_error
from ._attempts import Attempts
from ._base import BaseClient, OnDeviation
from ._decoder import Decoder, accept_of, decoder_of
from ._events import EventReader, Events
from ._loops import HTTPClients
from ._omit import Omit, omit
from ._options import Headers, Mode, Query, Request, Timeout
from ._request import Call
from ._response import APIResponse, AsyncAPIResponse
from ._stream import AsyncStream

__all__ = ["AsyncClient"]

T = TypeVar("T")
W = TypeVar("W")

ApiKey = str | Callable[[], str] | Callable[[], Awaitable[str]]


class AsyncClient(BaseClient):
    """The base of synchronous clients: sends requests, tries again, reads answers.

    It can be used from several tasks at once, in one event loop after another, under
    asyncio and trio. Close it, or use it in an ``async with`` block, to close its
    connections.
    """

    def __init__(
        self,
        *,
        api_key: ApiKey | None = None,
        base_url: str | httpx2.URL | None = None,
        timeout: float | Timeout | Omit | None = omit,
        max_retries: int = 2,
        default_headers: Headers | None = None,
        default_query: Query | None = None,
        http_client: httpx2.AsyncClient | None = None,
        strict_responses: bool = False,
        on_deviation: OnDeviation | None = None,
    ) -> None:
        """Make a client; it connects when the first call is made.

        - ``api_key``: the credential, or a function, ``async`` or not, that gives it
          for each attempt; by default what the API's environment variable holds.
        - ``base_url``: where the API is served, if not where it says itself.
        - ``timeout``: seconds to wait for each step on the network, by default 600 and
          5 for connecting; ``None`` waits for ever.
        - ``max_retries``: how often to try again what failed for a passing reason.
        - ``default_headers``, ``default_query``: sent with every call; ``omit`` as the
          value of a header takes it out.
        - ``http_client``: sends the requests instead of a client made for it.
        - ``strict_responses``: whether an answer that departs from the API's
          description raises APIResponseValidationError.
        - ``on_deviation``: is called with each such departure.

        Raises CredentialError when there is no credential, and ValueError when the base
        URL is missing or is no URL.
        """
        if http_client is not None and not isinstance(
            cast("object", http_client), httpx2.AsyncClient
        ):
            raise TypeError("http_client must be an httpx2.AsyncClient")
        self._configure(
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            default_headers=default_headers,
            default_query=default_query,
            http_client=http_client,
            strict_responses=strict_responses,
            on_deviation=on_deviation,
        )
        self._api_key = api_key or self._from_environment()
        self._demand(self._api_key)
        self._http = HTTPClients(http_client)

    def with_options(
        self,
        *,
        api_key: ApiKey | Omit = omit,
        base_url: str | httpx2.URL | Omit = omit,
        timeout: float | Timeout | Omit | None = omit,
        max_retries: int | Omit = omit,
        default_headers: Headers | Omit = omit,
        default_query: Query | Omit = omit,
        http_client: httpx2.AsyncClient | Omit = omit,
        strict_responses: bool | Omit = omit,
        on_deviation: OnDeviation | Omit | None = omit,
    ) -> Self:
        """Make a client that differs in what is given.

        Headers and query parameters come on top of those of this client, which stays
        as it is. Both use the same connections, unless ``http_client`` is given (of
        which the connections are used, and not the headers); closing one closes them
        for both.
        """
        clone = self._copy(
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            default_headers=default_headers,
            default_query=default_query,
            strict_responses=strict_responses,
            on_deviation=on_deviation,
        )
        if not isinstance(api_key, Omit):
            clone._api_key = api_key
        if not isinstance(http_client, Omit):
            clone._http = HTTPClients(http_client)
        return clone

    copy = with_options

    @property
    def api_key(self) -> ApiKey | None:
        """The credential, or the function that gives it."""
        return self._api_key

    async def send(self, request: Request, result: type[T] | Decoder[T]) -> T:
        """Make a call and give its value; generated methods are built on this.

        With a response mode set in the options, the value is a response around it.
        """
        decoder = decoder_of(result)
        mode = "parsed" if request.options is None else request.options.mode
        call, attempts = self._begin(request, accept=accept_of(result))
        response = await self._exchange(call, attempts, keep_open=mode == "streamed")
        value = partial(
            self._settings.reader.value, response, decoder, request.operation
        )
        if mode == "parsed":
            return value()
        return cast("T", self._wrap(response, value, attempts, mode, reads=True))

    async def stream(self, request: Request, events: Events[T, W]) -> AsyncStream[T, W]:
        """Make a call and give its stream; generated methods are built on this.

        With a response mode set in the options, it gives a response around it.
        """
        call, attempts = self._begin(request, accept="text/event-stream")
        response = await self._exchange(call, attempts, keep_open=True)
        options = request.options
        reader = EventReader(
            response,
            events,
            self._settings.reader,
            request.operation,
            require_end=options is not None and options.require_end,
        )
        make = partial(AsyncStream[T, W], response, reader, ends=attempts.ends)
        if options is None or options.mode == "parsed":
            return make()
        wrapped = self._wrap(response, make, attempts, options.mode, reads=False)
        return cast("AsyncStream[T, W]", wrapped)

    async def _exchange(
        self, call: Call, attempts: Attempts, *, keep_open: bool
    ) -> httpx2.Response:
        """Send a request until an answer succeeds, or there is no use in going on."""
        http = await self._http.here()
        while True:
            secret = await self._secret(call)
            request = call.request(secret, attempts.limits(call.limits))
            if self._http.given is not None and http.cookies:
                http.cookies.set_cookie_header(request)
            try:
                with attempts.in_time(request):
                    response = await http.send(request, stream=keep_open)
            except httpx2.RequestError as error:
                pause = attempts.pause(error)
                if pause is None:
                    raise connection_error(error, request) from error
            else:
                if response.is_success:
                    attempts.succeeded(response)
                    return response
                pause = attempts.pause(response)
                if pause is None:
                    content = await _rest(response)
                    raise self._settings.reader.status_error(response, content)
                await response.aclose()
            await anyio.sleep(pause)

    async def _secret(self, call: Call) -> str | None:
        if call.auth is None:
            return None
        key = self._api_key
        if callable(key):
            secret = key()
            return self._checked_secret(
                await secret if isinstance(secret, Awaitable) else secret
            )
        self._demand(key)
        return key

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


async def _rest(response: httpx2.Response) -> bytes:
    """Read the body of an answer that failed, as far as it comes."""
    try:
        return await response.aread()
    except httpx2.RequestError:
        return b""
