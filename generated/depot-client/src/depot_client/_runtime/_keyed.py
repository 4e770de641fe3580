"""Clients of APIs with one key: most of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, cast

import httpx2

from ._async import AsyncClient
from ._hooks import Hooks
from ._omit import Omit, omit
from ._options import Headers, Query, Timeout
from ._secrets import AsyncSecret, Secret
from ._settings import OnDeviation
from ._sync import SyncClient

__all__ = ["AsyncKeyClient", "SyncKeyClient"]


class SyncKeyClient(SyncClient):
    """The base of synchronous clients that prove who calls by one key."""

    def __init__(
        self,
        *,
        api_key: Secret | None = None,
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
    ) -> None:
        """Make a client; it connects when the first call is made.

        - ``api_key``: the credential, or a function that gives it for each attempt;
          by default what the API's environment variable holds.

        The others are as for :class:`SyncClient`. Raises CredentialError when there is
        no credential, and ValueError when the base URL is missing or is no URL.
        """
        super().__init__(
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
            credentials={"api_key": api_key},
        )

    def with_options(
        self,
        *,
        api_key: Secret | Omit = omit,
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
        """Make a client that differs in what is given, as the base class has it."""
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
            credentials={"api_key": api_key},
        )

    copy = with_options

    @property
    def api_key(self) -> Secret | None:
        """The credential, or the function that gives it."""
        return cast("Secret | None", self._given("api_key"))


class AsyncKeyClient(AsyncClient):
    """The base of asynchronous clients that prove who calls by one key."""

    def __init__(
        self,
        *,
        api_key: AsyncSecret | None = None,
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
    ) -> None:
        """Make a client; it connects when the first call is made.

        - ``api_key``: the credential, or a function, ``async`` or not, that gives it
          for each attempt; by default what the API's environment variable holds.

        The others are as for :class:`AsyncClient`. Raises CredentialError when there is
        no credential, and ValueError when the base URL is missing or is no URL.
        """
        super().__init__(
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
            credentials={"api_key": api_key},
        )

    def with_options(
        self,
        *,
        api_key: AsyncSecret | Omit = omit,
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
        """Make a client that differs in what is given, as the base class has it."""
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
            credentials={"api_key": api_key},
        )

    copy = with_options

    @property
    def api_key(self) -> AsyncSecret | None:
        """The credential, or the function that gives it."""
        return cast("AsyncSecret | None", self._given("api_key"))
