"""I. Traces by OpenTelemetry: a span for each attempt, as its conventions for HTTP have it."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import pytest
from openai_client import (
    APIConnectionError,
    APIError,
    APIResponseValidationError,
    AsyncOpenAI,
    BadRequestError,
    RequestOptions,
)
from openai_client.hooks import Hooks, tracing
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from .callers import Connect, trio_too
from .made import made
from .payloads import KEY, QUESTION, chunk, completion, error
from .server import AT_ONCE, DONE, Server, answer, close, frame, head, hold, reset, sends, stream
from .vaults import ConnectVault


class Traces:
    """Where spans go, and what has come there."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))

    @property
    def spans(self) -> tuple[ReadableSpan, ...]:
        """The spans that have ended, in the order of their ends."""
        return self.exporter.get_finished_spans()

    @property
    def hooks(self) -> Hooks:
        """What a client is given."""
        return tracing(self.provider)


@pytest.fixture
def traces() -> Traces:
    """A place of its own for the spans of each test."""
    return Traces()


def attributes(span: ReadableSpan) -> Mapping[str, Any]:
    """The attributes of a span; it has some."""
    assert span.attributes is not None
    return span.attributes


def identity(span: ReadableSpan) -> str:
    """A span as W3C Trace Context writes it in a header."""
    context = span.get_span_context()
    assert context is not None
    flags = f"{int(context.trace_flags):02x}"
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{flags}"


@trio_too
def test_a_call_is_a_span(connect: Connect, server: Server, traces: Traces) -> None:
    server.plays(answer(completion()))

    connect(hooks=traces.hooks).create()

    (span,) = traces.spans
    assert span.name == "POST /chat/completions"
    assert span.kind is SpanKind.CLIENT
    assert span.status.status_code is StatusCode.UNSET
    assert attributes(span) == {
        "http.request.method": "POST",
        "http.response.status_code": 200,
        "server.address": "127.0.0.1",
        "server.port": server.port,
        "url.full": f"{server.url}/chat/completions",
        "url.template": "/chat/completions",
    }
    assert span.instrumentation_scope is not None
    assert span.instrumentation_scope.name == "openai_client"
    assert server.request.header("traceparent") == identity(span)


@trio_too
def test_each_attempt_is_a_span(connect: Connect, server: Server, traces: Traces) -> None:
    server.plays(answer(error(), 503, headers=AT_ONCE), reset, answer(completion()))

    connect(hooks=traces.hooks).create()

    first, second, third = traces.spans
    resent = [attributes(span).get("http.request.resend_count") for span in traces.spans]
    assert resent == [None, 1, 2]
    assert attributes(first)["http.response.status_code"] == 503
    assert attributes(first)["error.type"] == "503"
    assert first.status.status_code is second.status.status_code is StatusCode.ERROR
    kind = APIConnectionError
    assert attributes(second)["error.type"] == f"{kind.__module__}.{kind.__qualname__}"
    assert "http.response.status_code" not in attributes(second)
    assert third.status.status_code is StatusCode.UNSET
    sent = [request.header("traceparent") for request in server.requests]
    assert sent == [identity(span) for span in traces.spans]


def test_spans_belong_to_the_one_that_is_current(
    connect: Connect, server: Server, traces: Traces
) -> None:
    server.plays(answer(completion()))
    client = connect(hooks=traces.hooks)
    tracer = traces.provider.get_tracer("test")

    def inside(client: Any) -> Any:
        with tracer.start_as_current_span("outer"):
            if not isinstance(client, AsyncOpenAI):
                return client.chat.completions.create(**QUESTION)
            return inside_async(client)

    async def inside_async(client: AsyncOpenAI) -> None:
        with tracer.start_as_current_span("outer"):
            await client.chat.completions.create(**QUESTION)

    client.run(inside)

    outer = next(span for span in reversed(traces.spans) if span.name == "outer")
    (span,) = [span for span in traces.spans if span.name != "outer"]
    assert span.parent is not None
    assert span.parent in [s.get_span_context() for s in traces.spans if s.name == "outer"]
    assert outer.kind is SpanKind.INTERNAL


def test_failures_are_spans_that_say_so_and_leak_nothing(
    connect: Connect, server: Server, traces: Traces
) -> None:
    server.plays(answer(error("error-words"), 400), reset, answer("<html>bad-words"))
    client = connect(hooks=traces.hooks, max_retries=0)

    for kind in (BadRequestError, APIConnectionError, APIResponseValidationError):
        with pytest.raises(kind):
            client.create(messages=[{"role": "user", "content": "question-words"}])

    refused, dropped, unreadable = traces.spans
    assert attributes(refused)["error.type"] == "400"
    assert attributes(dropped)["error.type"] == (
        f"{APIConnectionError.__module__}.APIConnectionError"
    )
    assert "error.type" not in attributes(unreadable)
    assert [span.status.description for span in traces.spans] == [None] * 3
    said = " ".join(span.to_json() for span in traces.spans)
    words = ["error-words", "bad-words", "question-words", KEY, "Bearer"]
    assert [word for word in words if word in said] == []
    assert [list(span.events) for span in traces.spans] == [[], [], []]


@trio_too
def test_the_span_of_a_stream_ends_with_its_headers(
    connect: Connect, server: Server, traces: Traces
) -> None:
    server.plays(stream(frame(chunk("Hi")), DONE), stream(frame(chunk("Hi")), close))
    client = connect(hooks=traces.hooks)

    client.stream()
    with pytest.raises(APIConnectionError):
        client.stream()

    assert [attributes(span)["http.response.status_code"] for span in traces.spans] == [200, 200]


@trio_too
def test_a_call_that_is_out_of_time_is_a_span(
    connect: Connect, server: Server, traces: Traces
) -> None:
    server.plays(hold)

    with pytest.raises(APIConnectionError):
        connect(hooks=traces.hooks).create(options=RequestOptions(deadline=0.2))

    (span,) = traces.spans
    assert str(attributes(span)["error.type"]).endswith(".APITimeoutError")


def test_a_call_that_is_cancelled_is_a_span(server: Server, traces: Traces) -> None:
    server.plays(hold)

    async def main() -> None:
        async with AsyncOpenAI(api_key=KEY, base_url=server.url, hooks=traces.hooks) as client:
            task = asyncio.create_task(client.chat.completions.create(model="m", messages=[]))
            while not server.requests:
                await asyncio.sleep(0.005)
            task.cancel()
            await asyncio.wait([task])

    asyncio.run(main())
    (span,) = traces.spans
    assert attributes(span)["error.type"] == "asyncio.exceptions.CancelledError"


def test_a_context_of_the_caller_is_sent_as_it_is(
    connect: Connect, server: Server, traces: Traces
) -> None:
    server.plays(answer(completion()))
    own = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    connect(hooks=traces.hooks).create(extra_headers={"Traceparent": own})

    assert server.request.header("traceparent") == own
    assert len(traces.spans) == 1


def test_spans_go_to_the_global_provider_otherwise(connect: Connect, server: Server) -> None:
    """Which does nothing, unless a program has set one up."""
    server.plays(answer(completion()))
    assert not isinstance(trace.get_tracer_provider(), TracerProvider)

    connect(hooks=[tracing(), Hooks()]).create()

    assert server.request.header("traceparent") is None


@trio_too
def test_spans_have_the_template_of_a_path_and_no_key(
    vault: ModuleType, connect_vault: ConnectVault, server: Server, traces: Traces
) -> None:
    server.plays(answer({"ok": True}))
    hooks = _tracing_of(vault, traces)

    connect_vault(query_key="s3cret", hooks=hooks).call("query", page=2)

    (span,) = traces.spans
    assert attributes(span)["url.full"] == f"{server.url}/query?page=2"
    assert dict(server.request.query) == {"page": "2", "key": "s3cret"}


def _tracing_of(package: ModuleType, traces: Traces) -> Any:
    module = __import__(f"{package.__name__}.hooks", fromlist=["tracing"])
    return module.tracing(traces.provider)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The package of a client with values in a path and a method that few know."""
    folder = tmp_path_factory.mktemp("odd")
    description = folder / "odd.yaml"
    description.write_text(
        """
openapi: 3.2.0
info: {title: Odd, version: "1"}
tags: [{name: pets}]
servers: [{url: "https://odd.example"}]
paths:
  /pets/{petId}:
    parameters: [{name: petId, in: path, required: true, schema: {type: string}}]
    get: {operationId: show, tags: [pets], responses: {"204": {description: ok}}}
    additionalOperations:
      PURGE: {operationId: purge, tags: [pets], responses: {"204": {description: ok}}}
"""
    )
    return made(description, folder / "client")


def test_names_of_spans_hold_no_value(odd: ModuleType, server: Server, traces: Traces) -> None:
    server.plays(answer(b"", 204))

    with odd.Odd(base_url=server.origin, hooks=_tracing_of(odd, traces)) as client:
        client.pets.show(pet_id="rex/1")
        client.pets.purge(pet_id="rex/1")

    shown, purged = traces.spans
    assert (shown.name, purged.name) == ("GET /pets/{petId}", "HTTP /pets/{petId}")
    assert attributes(shown)["url.full"] == f"{server.origin}/pets/rex%2F1"
    assert attributes(shown)["url.template"] == "/pets/{petId}"
    assert attributes(purged)["http.request.method"] == "_OTHER"
    assert attributes(purged)["http.request.method_original"] == "PURGE"


def test_opentelemetry_is_loaded_only_by_those_who_trace() -> None:
    program = """
import sys
from openai_client import OpenAI
OpenAI(api_key="none")
assert not [name for name in sys.modules if "_hooked" in name or "_tracing" in name], "hooks"
from openai_client.hooks import Hooks, tracing
OpenAI(api_key="none", hooks=Hooks())
assert "opentelemetry" not in sys.modules, "opentelemetry"
sys.modules["opentelemetry"] = None
try:
    tracing()
except ImportError as error:
    print(error)
"""
    where = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=where, check=False
    )
    assert (done.stdout, done.stderr) == (
        "tracing needs opentelemetry-api: install the extra 'otel' of openai_client\n",
        "",
    )


@trio_too
def test_every_request_has_one_span_whatever_happens_to_it(
    connect: Connect, server: Server, traces: Traces
) -> None:
    """Also when many calls are under way at once and most of them fail."""
    half = sends(head(200, {"Content-Length": "9"}), b"{", reset)
    fates = [
        answer(completion()),
        answer(error(), 503, headers=AT_ONCE),
        answer(error(), 404),
        answer("<html>"),
        *(reset, half),
    ]
    chance = random.Random(7)
    server.chooses(lambda request: chance.choice(fates))
    client = connect(hooks=traces.hooks)

    def ask(_: int) -> bool:
        try:
            client.create()
        except APIError:
            return False
        return True

    with ThreadPoolExecutor(16) as threads:
        outcomes = list(threads.map(ask, range(160)))

    assert set(outcomes) == {True, False}
    sent = sorted(str(request.header("traceparent")) for request in server.requests)
    assert sent == sorted(identity(span) for span in traces.spans)
    said = [attributes(span) for span in traces.spans]
    ended = {one.get("http.response.status_code") or one["error.type"] for one in said}
    kind = f"{APIConnectionError.__module__}.APIConnectionError"
    assert ended == {200, 404, 503, kind}
