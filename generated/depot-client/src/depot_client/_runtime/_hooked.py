"""One call as its hooks see it; imported by clients that have some."""

from __future__ import annotations

import time
from collections.abc import Container, Iterator, Sequence
from inspect import iscoroutinefunction
from typing import cast
from urllib.parse import unquote_plus

import httpx2

from ._errors import APIConnectionError
from ._hook_events import (
    ErrorEvent,
    HookHeaders,
    RequestEvent,
    ResponseEvent,
    RetryEvent,
)
from ._hooks import Hooks
from ._watch import Watch

__all__ = ["Hooked", "hooks_of"]

REDACTED = "REDACTED"
SIGNED = frozenset(
    {"awsaccesskeyid", "signature", "sig", "x-goog-signature"}
    | {"x-amz-credential", "x-amz-security-token", "x-amz-signature"}
)
"""What the queries of signed URLs call the parts that grant access, in lower case."""


class Hooked(Watch):
    """Tells hooks of one call, from its first request to its end."""

    def __init__(
        self,
        hooks: Sequence[Hooks],
        method: str,
        template: str,
        private: Container[str] = (),
    ) -> None:
        """Watch a call; the values of ``private`` query parameters are not shown."""
        self._hooks = hooks
        self._method = method
        self._template = template
        self._private = private
        self._request: RequestEvent | None = None
        self._sent = 0.0

    def requested(self, request: httpx2.Request) -> Iterator[object]:
        """Tell of a request that is about to be sent."""
        self._request = event = RequestEvent(
            method=self._method,
            template=self._template,
            url=_shown(request.url, self._private),
            headers=HookHeaders(request.headers),
            attempt=1 if self._request is None else self._request.attempt + 1,
        )
        for hooks in self._hooks:
            if hooks.on_request is not None:
                yield hooks.on_request(event)
        self._sent = time.monotonic()

    def answered(self, response: httpx2.Response) -> Iterator[object]:
        """Tell of the answer to it."""
        if self._request is None:
            return
        event = ResponseEvent(
            self._request,
            response.status_code,
            HookHeaders(response.headers),
            time.monotonic() - self._sent,
        )
        for hooks in self._hooks:
            if hooks.on_response is not None:
                yield hooks.on_response(event)

    def retried(
        self, reason: int | APIConnectionError, delay: float
    ) -> Iterator[object]:
        """Tell that it failed for a ``reason`` and is tried again in ``delay`` s."""
        if self._request is None:
            return
        event = RetryEvent(self._request, reason, delay)
        for hooks in self._hooks:
            if hooks.on_retry is not None:
                yield hooks.on_retry(event)

    def failed(self, error: BaseException) -> Iterator[object]:
        """Tell that the call ends with an ``error``."""
        operation = f"{self._method} {self._template}"
        event = ErrorEvent(operation, self._request, error)
        for hooks in self._hooks:
            if hooks.on_error is not None:
                yield hooks.on_error(event)


def hooks_of(given: Hooks | Sequence[Hooks], *, in_loop: bool) -> tuple[Hooks, ...]:
    """Spell out what a client was given as ``hooks``.

    Raises TypeError for what is no hook, and for an asynchronous one unless ``in_loop``.
    """
    found = tuple(given) if isinstance(given, Sequence) else (given,)
    for one in found:
        if not isinstance(cast("object", one), Hooks):
            raise TypeError(f"hooks must be Hooks, not {type(one).__name__}")
        for name in ("on_request", "on_response", "on_retry", "on_error"):
            function: object = getattr(one, name)
            if function is not None and not callable(function):
                raise TypeError(f"{name} must be a function")
            if not in_loop and iscoroutinefunction(function):
                raise TypeError(f"{name} of a synchronous client must not be async")
    return found


def _shown(url: httpx2.URL, private: Container[str]) -> str:
    """Write a URL without a password, and without what grants access in its query."""
    # Its text: there may be a credential in the query that only connections see.
    shown = httpx2.URL(str(url))
    if shown.userinfo:
        shown = shown.copy_with(userinfo=b"")
    query = shown.query.decode("ascii")
    kept = "&".join(_kept(pair, private) for pair in query.split("&"))
    return str(shown if kept == query else shown.copy_with(query=kept.encode()))


def _kept(pair: str, private: Container[str]) -> str:
    written = pair.partition("=")[0]
    name = unquote_plus(written)
    is_private = name in private or name.lower() in SIGNED
    return f"{written}={REDACTED}" if is_private else pair
