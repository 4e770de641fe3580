"""Traces of calls, by OpenTelemetry and its conventions for HTTP clients.

OpenTelemetry is an extra: it is imported by those who ask for traces, and described
here by what is used of it, so that the package needs none of it to be checked.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import httpx2

from ._hook_events import ErrorEvent, RequestEvent, ResponseEvent, RetryEvent
from ._hooks import Hooks

__all__ = ["TracerProvider", "tracing"]

PACKAGE = __name__.partition(".")[0]
METHODS = frozenset("CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE".split())
"""The methods that the conventions know."""

PORTS = {"http": 80, "https": 443}


class TracerProvider(Protocol):
    """Where spans go: an ``opentelemetry.trace.TracerProvider``."""

    def get_tracer(self, name: str, /) -> Any:
        """Give what makes the spans of a library."""
        ...


def tracing(provider: TracerProvider | None = None) -> Hooks:
    """Make hooks that trace calls with OpenTelemetry.

    Each attempt is a span of a client, by the stable semantic conventions for HTTP
    (version 1.23 and later), and carries its context to the server, unless the caller
    gave a header of that name. Spans end with the answer; that of a stream ends with
    its headers. ``provider`` takes the spans in place of the global one.

    Raises ImportError where ``opentelemetry-api`` is not installed, which is the extra
    ``otel``.
    """
    try:
        trace = import_module("opentelemetry.trace")
        propagate = import_module("opentelemetry.propagate")
    except ImportError as error:
        raise ImportError(
            f"tracing needs opentelemetry-api: install the extra 'otel' of {PACKAGE}"
        ) from error
    source = trace if provider is None else provider
    tracer = source.get_tracer(PACKAGE)
    spans = _Spans(trace, propagate, tracer)
    return Hooks(
        on_request=spans.begin,
        on_response=spans.answered,
        on_retry=spans.retried,
        on_error=spans.failed,
    )


class _Spans:
    """The spans of the attempts that are under way."""

    def __init__(self, trace: Any, propagate: Any, tracer: Any) -> None:
        self._trace = trace
        self._propagate = propagate
        self._tracer = tracer
        self._open: WeakKeyDictionary[RequestEvent, Any] = WeakKeyDictionary()

    def begin(self, event: RequestEvent) -> None:
        is_known = event.method in METHODS
        span = self._tracer.start_span(
            f"{event.method if is_known else 'HTTP'} {event.template}",
            kind=self._trace.SpanKind.CLIENT,
            attributes=_attributes(event),
        )
        self._open[event] = span
        carrier: dict[str, str] = {}
        context = self._trace.set_span_in_context(span)
        self._propagate.inject(carrier, context=context)
        for name, value in carrier.items():
            event.headers.setdefault(name, value)

    def answered(self, event: ResponseEvent) -> None:
        span = self._open.pop(event.request, None)
        if span is not None:
            span.set_attribute("http.response.status_code", event.status)
            if event.status >= 400:
                self._blame(span, str(event.status))
            span.end()

    def retried(self, event: RetryEvent) -> None:
        if isinstance(event.reason, Exception):
            self._end(event.request, event.reason)

    def failed(self, event: ErrorEvent) -> None:
        if event.request is not None:
            self._end(event.request, event.error)

    def _end(self, request: RequestEvent, error: BaseException) -> None:
        """End the span of an attempt that got no answer."""
        span = self._open.pop(request, None)
        if span is not None:
            kind = type(error)
            module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
            self._blame(span, f"{module}{kind.__qualname__}")
            span.end()

    def _blame(self, span: Any, kind: str) -> None:
        # Not the error itself: its words may be those of the server.
        span.set_attribute("error.type", kind)
        span.set_status(self._trace.StatusCode.ERROR)


def _attributes(event: RequestEvent) -> dict[str, str | int]:
    """Say of a request what the conventions ask for."""
    url = httpx2.URL(event.url)
    attributes: dict[str, str | int] = {
        "http.request.method": event.method,
        "server.address": url.host,
        "server.port": url.port or PORTS.get(url.scheme, 0),
        "url.full": event.url,
        "url.template": event.template,
    }
    if event.method not in METHODS:
        attributes["http.request.method"] = "_OTHER"
        attributes["http.request.method_original"] = event.method
    if event.attempt > 1:
        attributes["http.request.resend_count"] = event.attempt - 1
    return attributes
