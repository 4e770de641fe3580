"""I. Hooks: what a program hears of its calls, and what it may change in them."""

from __future__ import annotations

import asyncio
import importlib
import threading
from types import ModuleType
from typing import Any, TypeAlias

import anyio
import httpx2
import pytest
from openai_client import (
    APIConnectionError,
    APIError,
    APIResponseValidationError,
    APITimeoutError,
    AsyncOpenAI,
    NotFoundError,
    OpenAI,
    RequestOptions,
)
from openai_client.hooks import ErrorEvent, Hooks, RequestEvent, ResponseEvent, RetryEvent

from .authority import IDENTITY, Authority
from .callers import Connect, Flavour, OpenStream, Response, http_client, only_async, trio_too
from .payloads import KEY, QUESTION, chunk, completion, error
from .server import AT_ONCE, DONE, Server, answer, close, frame, hold, reset, stream
from .vaults import ConnectVault

Event: TypeAlias = RequestEvent | ResponseEvent | RetryEvent | ErrorEvent
OPERATION = "POST /chat/completions"


class Heard(list[Event]):
    """Everything that hooks were told, in order."""

    @property
    def hooks(self) -> Hooks:
        """Hooks that hear everything."""
        hear = self.append
        return Hooks(on_request=hear, on_response=hear, on_retry=hear, on_error=hear)

    @property
    def async_hooks(self) -> Hooks:
        """The same, which let other tasks run before they hear it."""

        async def hear(event: Event) -> None:
            await anyio.sleep(0)
            self.append(event)

        return Hooks(on_request=hear, on_response=hear, on_retry=hear, on_error=hear)

    @property
    def kinds(self) -> list[type[Event]]:
        """What kind of events they were."""
        return [type(event) for event in self]

    @property
    def failure(self) -> BaseException:
        """The one error that was told of."""
        (told,) = [event.error for event in self if isinstance(event, ErrorEvent)]
        return told


@trio_too
def test_a_call_that_is_tried_again_is_heard_from_beginning_to_end(
    connect: Connect, server: Server
) -> None:
    failing = answer(error(), 503, headers={**AT_ONCE, "X-Floor": "1"})
    server.plays(failing, reset, answer(completion(), headers={"X-Floor": "2"}))
    heard = Heard()

    connect(hooks=heard.hooks).create()

    first, failed, again, second, dropped, third, answered = heard
    assert isinstance(first, RequestEvent)
    assert (first.operation, first.attempt) == (OPERATION, 1)
    assert (first.method, first.template) == ("POST", "/chat/completions")
    assert first.url == f"{server.url}/chat/completions"
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert isinstance(failed, ResponseEvent)
    assert failed.request is first
    assert (failed.status, failed.headers["X-Floor"]) == (503, "1")
    assert isinstance(again, RetryEvent)
    assert (again.request, again.reason, again.delay) == (first, 503, 0.001)
    assert isinstance(second, RequestEvent)
    assert second.attempt == 2
    assert isinstance(dropped, RetryEvent)
    assert dropped.request is second
    assert type(dropped.reason) is APIConnectionError
    assert isinstance(third, RequestEvent)
    assert third.attempt == 3
    assert isinstance(answered, ResponseEvent)
    assert (answered.request, answered.status, answered.headers["x-floor"]) == (third, 200, "2")
    assert 0 < answered.elapsed < 10


@only_async
def test_hooks_of_asynchronous_clients_may_be_asynchronous(
    connect: Connect, server: Server
) -> None:
    server.plays(answer(error(), 500, headers=AT_ONCE), answer(error(), 404))
    heard = Heard()

    with pytest.raises(NotFoundError) as raised:
        connect(hooks=heard.async_hooks).create()

    assert heard.kinds[:3] == [RequestEvent, ResponseEvent, RetryEvent]
    assert heard.kinds[3:] == [RequestEvent, ResponseEvent, ErrorEvent]
    assert heard.failure is raised.value


def test_hooks_of_synchronous_clients_may_not_be_asynchronous(server: Server) -> None:
    server.plays(answer(completion()))
    heard = Heard()

    with pytest.raises(TypeError, match="on_request of a synchronous client must not be async"):
        OpenAI(api_key=KEY, base_url=server.url, hooks=heard.async_hooks)

    with OpenAI(api_key=KEY, base_url=server.url) as client:
        late = client.with_options(hooks=Hooks(on_request=lambda event: anyio.sleep(0)))
        with pytest.raises(TypeError, match="must not be asynchronous"):
            late.chat.completions.create(**QUESTION)
    assert server.requests == []


def test_hooks_change_the_headers_of_each_attempt(connect: Connect, server: Server) -> None:
    server.plays(answer(error(), 500, headers=AT_ONCE), answer(completion()))

    def change(event: RequestEvent) -> None:
        event.headers["X-Attempt"] = str(event.attempt)
        event.headers["user-agent"] = "mine"
        del event.headers["X-Team"]

    client = connect(hooks=Hooks(on_request=change), default_headers={"X-Team": "loom"})
    client.create()

    sent = [(r.header("X-Attempt"), r.header("User-Agent")) for r in server.requests]
    assert sent == [("1", "mine"), ("2", "mine")]
    assert [request.header("X-Team") for request in server.requests] == [None, None]


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\x00"])
def test_a_hook_cannot_write_a_header_that_http_cannot_carry(
    connect: Connect, server: Server, value: str
) -> None:
    def change(event: RequestEvent) -> None:
        event.headers["X-Note"] = value

    with pytest.raises(ValueError, match="header X-Note"):
        connect(hooks=Hooks(on_request=change)).create()

    assert server.requests == []


def test_several_hooks_are_told_in_their_order(connect: Connect, server: Server) -> None:
    server.plays(answer(completion()))
    said: list[str] = []
    one = Hooks(on_request=lambda event: said.append("one"))
    other = Hooks(on_response=lambda event: said.append("answer"))
    last = Hooks(on_request=lambda event: said.append("last"))

    connect(hooks=[one, other, last]).create()

    assert said == ["one", "last", "answer"]


def test_copies_have_the_hooks_of_their_client_or_others(connect: Connect, server: Server) -> None:
    server.plays(answer(completion()))
    heard, other = Heard(), Heard()
    client = connect(hooks=heard.hooks)

    client.with_options(timeout=5).create()
    assert len(heard) == 2
    client.with_options(hooks=other.hooks).create()
    client.with_options(hooks=None).create()
    assert (len(heard), len(other)) == (2, 2)
    client.create()
    assert (len(heard), len(other)) == (4, 2)


@pytest.mark.parametrize("wrong", [print, [print], Hooks, "hooks"])
def test_what_is_no_hook_is_refused(connect: Connect, wrong: object) -> None:
    with pytest.raises(TypeError, match="hooks must be Hooks"):
        connect(hooks=wrong)


def test_what_is_no_function_is_refused(connect: Connect) -> None:
    wrong: Any = "print"
    with pytest.raises(TypeError, match="on_retry must be a function"):
        connect(hooks=Hooks(on_retry=wrong))


def test_lost_connections_are_told_of_once(connect: Connect, server: Server) -> None:
    server.plays(reset)
    heard = Heard()

    with pytest.raises(APIConnectionError) as raised:
        connect(hooks=heard.hooks, max_retries=1).create()

    assert heard.kinds == [RequestEvent, RetryEvent, RequestEvent, ErrorEvent]
    assert heard.failure is raised.value


@trio_too
def test_a_deadline_is_told_of(connect: Connect, server: Server) -> None:
    server.plays(hold)
    heard = Heard()

    with pytest.raises(APITimeoutError) as raised:
        connect(hooks=heard.hooks).create(options=RequestOptions(deadline=0.2))

    assert heard.kinds == [RequestEvent, ErrorEvent]
    assert heard.failure is raised.value


def test_an_answer_that_cannot_be_read_is_told_of(connect: Connect, server: Server) -> None:
    server.plays(answer("<html>", content_type="text/html"))
    heard = Heard()

    with pytest.raises(APIResponseValidationError) as raised:
        connect(hooks=heard.hooks).create()

    assert heard.kinds == [RequestEvent, ResponseEvent, ErrorEvent]
    assert heard.failure is raised.value


def test_arguments_that_cannot_be_sent_are_not_told_of(connect: Connect) -> None:
    heard = Heard()

    with pytest.raises(ValueError, match=r"NaN|nan|JSON"):
        connect(hooks=heard.hooks).create(temperature=float("nan"))

    assert heard == []


def test_a_missing_credential_is_told_of_without_a_request(
    connect: Connect, server: Server
) -> None:
    heard = Heard()

    with pytest.raises(APIError) as raised:
        connect(hooks=heard.hooks, api_key=lambda: "").create()

    (told,) = heard
    assert isinstance(told, ErrorEvent)
    assert (told.operation, told.request, told.error) == (OPERATION, None, raised.value)
    assert server.requests == []


@trio_too
def test_a_stream_is_answered_when_its_headers_are_there(connect: Connect, server: Server) -> None:
    gate = threading.Event()

    def go_on(event: ResponseEvent) -> None:
        heard.append(event)
        gate.set()

    heard = Heard()
    server.plays(stream(lambda exchange: exchange.wait(gate), frame(chunk("Hi")), DONE))
    client = connect(hooks=Hooks(on_response=go_on, on_error=heard.append))

    assert [one.choices[0].delta.content for one in client.stream()] == ["Hi"]
    assert heard.kinds == [ResponseEvent]


@trio_too
@pytest.mark.parametrize("ending", [close, reset])
def test_a_stream_that_breaks_is_told_of_once(
    connect: Connect, server: Server, ending: Any
) -> None:
    server.plays(stream(frame(chunk("Hi")), ending))
    heard = Heard()
    events = connect(hooks=heard.hooks).open()

    assert next(events).choices[0].delta.content == "Hi"
    with pytest.raises(APIConnectionError) as raised:
        list(events)
    with pytest.raises(APIConnectionError):
        events.final()

    assert heard.kinds == [RequestEvent, ResponseEvent, ErrorEvent]
    assert heard.failure is raised.value


@trio_too
def test_an_error_within_a_stream_is_told_of(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")), frame(error("Too late."))))
    heard = Heard()

    with pytest.raises(APIError) as raised:
        connect(hooks=heard.hooks).stream()

    assert heard.kinds == [RequestEvent, ResponseEvent, ErrorEvent]
    assert heard.failure is raised.value


@trio_too
def test_a_stream_that_is_left_early_is_no_error(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")), hold))
    heard = Heard()

    with connect(hooks=heard.hooks).open() as events:
        next(events)

    assert server.connections[0].closed_by_client.wait(5)
    assert heard.kinds == [RequestEvent, ResponseEvent]


def test_raw_and_streaming_responses_are_told_of(connect: Connect, server: Server) -> None:
    server.plays(answer(completion()))
    heard = Heard()
    client = connect(hooks=heard.hooks)

    client.raw().parse()
    with client.streaming() as inner:
        Response(client, inner).parse()

    assert heard.kinds == [RequestEvent, ResponseEvent] * 2


def test_a_stream_of_a_raw_response_that_breaks_is_told_of(
    connect: Connect, server: Server
) -> None:
    server.plays(stream(frame(chunk("Hi")), close))
    heard = Heard()
    client = connect(hooks=heard.hooks)

    with pytest.raises(APIConnectionError):
        list(OpenStream(client, client.raw(stream=True).parse()))

    assert heard.kinds == [RequestEvent, ResponseEvent, ErrorEvent]


class Foreign(Exception):
    """An exception of the program's own."""


@trio_too
@pytest.mark.parametrize("place", ["on_request", "on_response", "on_retry", "on_error"])
def test_what_a_hook_raises_ends_the_call(connect: Connect, server: Server, place: str) -> None:
    """Also where it looks like a failure of the network, which would be tried again."""
    server.plays(answer(error(), 503, headers=AT_ONCE))

    def interfere(event: object) -> None:
        raise failure

    heard = Heard()
    for failure in (Foreign(), TimeoutError(), httpx2.ConnectError("no")):
        before = len(server.requests)
        limit = 0 if place == "on_error" else 2
        hooks = [Hooks(on_error=heard.append), Hooks(**{place: interfere})]
        with pytest.raises(type(failure)) as raised:
            connect(hooks=hooks, max_retries=limit).create()
        assert raised.value is failure
        assert len(server.requests) - before == (0 if place == "on_request" else 1)

    assert heard.kinds == [ErrorEvent] * 3


@trio_too
def test_what_a_hook_raises_leaves_no_connection_behind(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")), hold), answer(completion("Next.")))

    def interfere(event: ResponseEvent) -> None:
        raise Foreign

    client = connect()
    with pytest.raises(Foreign):
        client.with_options(hooks=Hooks(on_response=interfere)).open()

    assert server.connections[0].closed_by_client.wait(5)
    assert client.create().choices[0].message.content == "Next."


def test_the_cancellation_of_a_task_is_told_of(server: Server) -> None:
    server.plays(hold)
    heard = Heard()

    async def main() -> None:
        async with AsyncOpenAI(api_key=KEY, base_url=server.url, hooks=heard.hooks) as client:
            task = asyncio.create_task(client.chat.completions.create(model="m", messages=[]))
            while not server.requests:
                await asyncio.sleep(0.005)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    assert heard.kinds == [RequestEvent, ErrorEvent]
    assert isinstance(heard.failure, asyncio.CancelledError)
    assert server.connections[0].closed_by_client.wait(5)


def hooks_module(package: ModuleType) -> Any:
    """The module of a client that the tests have made."""
    return importlib.import_module(f"{package.__name__}.hooks")


def secrets_in(text: str) -> list[str]:
    told = ["error-words", "request-header", "response-header", "query-words", KEY]
    return [secret for secret in told if secret in text]


def test_events_show_no_secret_when_they_are_printed(connect: Connect, server: Server) -> None:
    failing = answer(error("error-words"), 503, headers={**AT_ONCE, "X-Floor": "response-header"})
    server.plays(failing, reset, answer(error("error-words"), 400))
    heard = Heard()
    client = connect(
        hooks=heard.hooks,
        default_headers={"X-Team": "request-header"},
        default_query={"q": "query-words"},
    )

    with pytest.raises(APIError):
        client.create()

    assert {RequestEvent, ResponseEvent, RetryEvent, ErrorEvent} == set(heard.kinds)
    shown = [repr(event) for event in heard]
    shown += [repr(event.headers) for event in heard if isinstance(event, RequestEvent)]
    shown += [repr(event.headers) for event in heard if isinstance(event, ResponseEvent)]
    assert secrets_in(" ".join(shown)) == []
    assert f"<RequestEvent {OPERATION}, attempt 1>" in shown
    assert "x-team" in shown[-3]
    assert secrets_in(repr(heard.hooks)) == []


@trio_too
def test_the_url_shows_no_key_and_the_template_no_value(
    vault: ModuleType, connect_vault: ConnectVault, server: Server
) -> None:
    server.plays(answer({"ok": True}))
    heard: list[Any] = []
    hooks = hooks_module(vault).Hooks(on_request=heard.append)
    signed = {"Signature": "granted", "limit": "5"}

    client = connect_vault(query_key="s3cret", hooks=hooks, base_url=_with_password(server.url))
    client.call("query", extra_query=signed)
    client.call("query", page=2, extra_query={"key": "s3cret-of-the-caller"})

    shown = [event.url.removeprefix(server.url) for event in heard]
    assert shown == [
        "/query?Signature=REDACTED&limit=5",
        "/query?page=2&key=REDACTED",
    ]
    assert dict(server.requests[1].query)["key"] == "s3cret-of-the-caller"


def _with_password(url: str) -> str:
    return url.replace("http://", "http://ada:pass-word@")


@trio_too
def test_requests_for_tokens_are_not_told_of(
    vault: ModuleType, connect_vault: ConnectVault, server: Server
) -> None:
    authority = Authority(server)
    heard: list[Any] = []

    def change(event: Any) -> None:
        heard.append(event)
        event.headers["X-Tenant"] = "ours"

    client = connect_vault(**IDENTITY, hooks=hooks_module(vault).Hooks(on_request=change))
    client.call("oauth")

    assert [event.operation for event in heard] == ["GET /oauth"]
    assert [request.header("X-Tenant") for request in authority.asked] == [None]


@trio_too
def test_a_renewed_credential_is_another_attempt(
    vault: ModuleType, connect_vault: ConnectVault, server: Server
) -> None:
    authority = Authority(server)
    heard: list[Any] = []
    hooks = hooks_module(vault).Hooks(
        on_request=heard.append, on_response=heard.append, on_retry=heard.append
    )
    client = connect_vault(**IDENTITY, hooks=hooks)
    client.call("oauth")
    authority.revoke()
    heard.clear()

    client.call("oauth")

    first, refused, again, second, answered = heard
    assert (refused.status, again.reason, again.delay) == (401, 401, 0)
    assert (first.attempt, second.attempt, answered.status) == (1, 2, 200)


class Through(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """A transport of the caller's own, which counts what goes through it."""

    def __init__(self) -> None:
        self.sent: list[httpx2.Request] = []
        self.inner = httpx2.HTTPTransport()
        self.async_inner = httpx2.AsyncHTTPTransport()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        self.sent.append(request)
        return self.inner.handle_request(request)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.sent.append(request)
        return await self.async_inner.handle_async_request(request)

    def close(self) -> None:
        self.inner.close()

    async def aclose(self) -> None:
        await self.async_inner.aclose()


@trio_too
def test_any_transport_goes_through_the_same_door(
    connect: Connect, server: Server, flavour: Flavour
) -> None:
    server.plays(
        answer(error(), 503, headers=AT_ONCE),
        answer(completion("Whole.")),
        stream(frame(chunk("Piece.")), DONE),
    )
    heard, transport = Heard(), Through()
    client = connect(hooks=heard.hooks, http_client=http_client(flavour, transport=transport))

    assert client.create().choices[0].message.content == "Whole."
    assert [one.choices[0].delta.content for one in client.stream()] == ["Piece."]

    assert len(transport.sent) == len(server.requests) == 3
    assert heard.kinds.count(RequestEvent) == 3


@pytest.mark.parametrize("flavour", ["asyncio"], indirect=True)
def test_aiohttp_goes_through_the_same_door(connect: Connect, server: Server) -> None:
    """Where the package for it is installed, which this project does not need."""
    bridge = pytest.importorskip("httpx_aiohttp.httpx2")
    server.plays(
        answer(error(), 503, headers=AT_ONCE),
        reset,
        answer(completion("Whole.")),
        stream(frame(chunk("Piece.")), DONE),
        stream(frame(chunk("Hi")), close),
        hold,
    )
    heard = Heard()
    client = connect(hooks=heard.hooks, http_client=bridge.Httpx2AiohttpClient())

    assert client.create().choices[0].message.content == "Whole."
    assert [one.choices[0].delta.content for one in client.stream()] == ["Piece."]
    with pytest.raises(APIConnectionError):
        client.stream()
    with pytest.raises(APITimeoutError):
        client.create(timeout=0.2, options=RequestOptions(max_retries=0))

    assert heard.kinds.count(RequestEvent) == len(server.requests) == 6
