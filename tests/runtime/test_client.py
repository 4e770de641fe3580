"""The clients: what they send, when they try again, what they give back."""

from __future__ import annotations

import copy
import json
import logging
import time
from collections.abc import Callable
from functools import cached_property
from typing import Any

import anyio
import httpx2
import pytest

from runtime import (
    APIConnectionError,
    APIError,
    ApiKey,
    APIResponseValidationError,
    APIStatusError,
    APITimeoutError,
    AsyncKeyClient,
    AsyncResource,
    BaseModel,
    Bearer,
    CredentialError,
    Deviation,
    Events,
    Input,
    InternalServerError,
    Profile,
    Request,
    RequestOptions,
    SyncClient,
    SyncKeyClient,
    SyncResource,
    Timeout,
    omit,
    raw,
)

Answer = Callable[[httpx2.Request], httpx2.Response]

PROFILE = Profile(
    title="Pets",
    package="pets-client",
    version="1.2.3",
    base_url="http://pets.test/v1",
    base_url_env="PETS_BASE_URL",
    schemes={"key": Bearer(Input("api_key", "PETS_API_KEY"))},
    security=(("key",),),
    error_envelope="error",
)


class Pet(BaseModel):
    name: str


class Pets(SyncResource):
    def get(self, **more: Any) -> Pet:
        return self._client.send(Request("GET", "/pets", **more), Pet)


class PetClient(SyncKeyClient):
    _profile = PROFILE

    @cached_property
    def pets(self) -> Pets:
        return Pets(self)


class AsyncPets(AsyncResource):
    async def get(self, **more: Any) -> Pet:
        return await self._client.send(Request("GET", "/pets", **more), Pet)


class AsyncPetClient(AsyncKeyClient):
    _profile = PROFILE

    @cached_property
    def pets(self) -> AsyncPets:
        return AsyncPets(self)


class Server:
    """Answers in turn, the last answer again and again, and remembers what it was asked."""

    def __init__(self, *answers: httpx2.Response | Exception) -> None:
        self.answers = answers or (ok(),)
        self.requests: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        answer = self.answers[min(len(self.requests), len(self.answers) - 1)]
        self.requests.append(request)
        if isinstance(answer, Exception):
            raise copy.copy(answer)
        # A response belongs to one request.
        return httpx2.Response(answer.status_code, headers=answer.headers, content=answer.content)

    def client(self, **settings: Any) -> PetClient:
        transport = httpx2.MockTransport(self)
        settings.setdefault("http_client", httpx2.Client(transport=transport))
        settings.setdefault("api_key", "sk-secret")
        return PetClient(**settings)

    def async_client(self, **settings: Any) -> AsyncPetClient:
        transport = httpx2.MockTransport(self)
        settings.setdefault("http_client", httpx2.AsyncClient(transport=transport))
        settings.setdefault("api_key", "sk-secret")
        return AsyncPetClient(**settings)


def ok(body: object = None, **headers: str) -> httpx2.Response:
    content = json.dumps({"name": "Rex"} if body is None else body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.Response(200, content=content, headers=named)


@pytest.fixture(autouse=True)
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made, none of which takes any time."""
    taken: list[float] = []

    async def nap(seconds: float) -> None:
        taken.append(seconds)

    monkeypatch.setattr(time, "sleep", taken.append)
    monkeypatch.setattr(anyio, "sleep", nap)
    for name in ("PETS_API_KEY", "PETS_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return taken


class TestSettings:
    def test_the_environment_is_asked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PETS_API_KEY", "from env")
        monkeypatch.setenv("PETS_BASE_URL", "http://env.test/x")
        server = Server()
        server.client(api_key=None).pets.get()
        server.client(api_key="mine", base_url="http://mine.test").pets.get()
        sent = [(str(r.url), r.headers["authorization"]) for r in server.requests]
        assert sent == [
            ("http://env.test/x/pets", "Bearer from env"),
            ("http://mine.test/pets", "Bearer mine"),
        ]

    def test_an_empty_variable_is_no_variable(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PETS_API_KEY", "")
        monkeypatch.setenv("PETS_BASE_URL", "")
        assert str(PetClient(api_key="k").base_url) == "http://pets.test/v1/"
        with pytest.raises(CredentialError):
            PetClient()

    @pytest.mark.parametrize("kind", [PetClient, AsyncPetClient])
    def test_a_credential_is_demanded(self, kind: type[PetClient] | type[AsyncPetClient]) -> None:
        with pytest.raises(APIError, match="api_key or set PETS_API_KEY"):
            kind()
        kind(default_headers={"authorization": "Basic x"})
        kind(default_headers={"Authorization": omit})

    def test_a_base_url_is_demanded(self) -> None:
        class Elsewhere(SyncClient):
            _profile = Profile(title="Else", package="e", version="1", base_url_env="ELSE_URL")

        with pytest.raises(ValueError, match="pass base_url or set ELSE_URL"):
            Elsewhere()
        assert str(Elsewhere(base_url="http://h").base_url) == "http://h/"

    def test_nonsense_is_refused(self) -> None:
        with pytest.raises(ValueError, match="max_retries"):
            PetClient(api_key="k", max_retries=-1)
        other: Any = object()
        with pytest.raises(TypeError, match="http_client"):
            PetClient(api_key="k", http_client=other)
        with pytest.raises(TypeError, match="http_client"):
            AsyncPetClient(api_key="k", http_client=other)

    def test_timeouts(self) -> None:
        assert PetClient(api_key="k").timeout == Timeout(600, connect=5)
        assert PetClient(api_key="k", timeout=None).timeout is None
        given = httpx2.Client(timeout=7)
        assert PetClient(api_key="k", http_client=given).timeout == Timeout(7)
        assert PetClient(api_key="k", http_client=httpx2.Client()).timeout == Timeout(
            600, connect=5
        )

        server = Server()
        client = server.client(timeout=3)
        client.pets.get()
        client.pets.get(timeout=4, options=RequestOptions(timeout=5))
        client.pets.get(options=RequestOptions(timeout=5))
        client.pets.get(timeout=None)
        read = [r.extensions["timeout"]["read"] for r in server.requests]
        assert read == [3, 4, 5, None]

    def test_a_given_client_keeps_its_ways(self) -> None:
        server = Server()
        given = httpx2.Client(
            transport=httpx2.MockTransport(server),
            headers={"X-Given": "1", "User-Agent": "mine"},
            params={"a": ["1", "2"], "b": "3"},
            cookies={"c": "d"},
        )
        server.client(http_client=given, default_query={"b": 4}).pets.get()
        request = server.requests[0]
        assert request.url.query == b"a=1&a=2&b=4"
        assert request.headers["x-given"] == "1"
        assert request.headers["user-agent"].startswith("pets-client/1.2.3 ")
        assert request.headers["cookie"] == "c=d"

    def test_a_copy_differs_only_in_what_is_said(self) -> None:
        server = Server()
        parent = server.client(default_headers={"A": "1", "B": "2"}, default_query={"q": 1})
        assert parent.pets is parent.pets
        child = parent.with_options(
            api_key="other",
            base_url="http://child.test",
            max_retries=7,
            timeout=1.0,
            default_headers={"a": "3", "B": omit, "User-Agent": omit},
            default_query={"r": 2},
        )
        assert child.pets is not parent.pets
        child.pets.get()
        parent.copy().pets.get()
        sent, again = server.requests
        assert (str(sent.url), str(again.url)) == (
            "http://child.test/pets?q=1&r=2",
            "http://pets.test/v1/pets?q=1",
        )
        assert sent.headers["authorization"] == "Bearer other"
        assert (sent.headers["a"], again.headers["a"]) == ("3", "1")
        assert "b" not in sent.headers and again.headers["b"] == "2"
        assert "user-agent" not in sent.headers and "user-agent" in again.headers
        assert (child.max_retries, child.timeout) == (7, 1.0)
        assert parent.max_retries == 2
        child.close()
        assert parent.is_closed()

    def test_nothing_secret_is_shown(self) -> None:
        client = PetClient(
            api_key="sk-secret",
            base_url="http://user:sk-secret@h/v1?key=sk-secret",
            default_headers={"X": "sk-secret"},
        )
        assert repr(client) == "PetClient(base_url='http://h/v1/')"


class TestCalls:
    def test_sends_what_it_should(self) -> None:
        server = Server(ok(x_request_id="req-1"))
        pet: Any = server.client().pets.get()
        assert pet == Pet(name="Rex")
        assert pet._request_id == "req-1"
        headers = dict(server.requests[0].headers)
        assert headers.pop("user-agent").startswith("pets-client/1.2.3 ")
        assert "gzip" in headers.pop("accept-encoding")
        assert headers == {
            "host": "pets.test",
            "accept": "application/json",
            "connection": "keep-alive",
            "authorization": "Bearer sk-secret",
        }

    def test_the_nearest_word_counts(self) -> None:
        server = Server()
        client = server.client(default_headers={"A": "client", "B": "client"})
        client.pets.get(
            headers={"a": "operation", "C": "operation", "D": omit},
            query={"x": 1, "y": 1, "z": omit},
            json={"k": 1, "l": omit},
            extra_headers={"C": "call"},
            extra_query={"y": 3},
            extra_body={"m": 3},
            options=RequestOptions(
                headers={"C": "options", "B": omit}, query={"y": 2, "w": 2}, body={"m": 2, "n": 2}
            ),
        )
        request = server.requests[0]
        assert (request.headers["a"], request.headers["c"]) == ("operation", "call")
        assert "b" not in request.headers
        assert request.url.query == b"x=1&y=3&w=2"
        assert json.loads(request.content) == {"k": 1, "m": 3, "n": 2}

    def test_a_callers_own_credential_spares_the_key(self) -> None:
        server = Server()
        asked: list[int] = []

        def key() -> str:
            asked.append(1)
            return "sk"

        client = server.client(api_key=key)
        client.pets.get(extra_headers={"authorization": "Basic x"})
        client.pets.get(extra_headers={"Authorization": omit})
        assert server.requests[0].headers.get_list("authorization") == ["Basic x"]
        assert "authorization" not in server.requests[1].headers
        assert asked == []

    def test_a_key_that_is_none_is_refused(self) -> None:
        for wrong in ("", None, 7):
            client = Server().client(api_key=lambda wrong=wrong: wrong)
            with pytest.raises(CredentialError, match="not empty"):
                client.pets.get()

    def test_a_key_that_http_cannot_carry_is_not_sent_and_not_shown(self) -> None:
        server = Server()
        with pytest.raises(ValueError, match="Authorization") as caught:
            server.client(api_key="sk-secret\n\n").pets.get()
        assert "secret" not in str(caught.value)
        assert server.requests == []

    def test_a_key_may_have_a_header_of_its_own(self) -> None:
        class Keyed(SyncKeyClient):
            _profile = Profile(
                title="K",
                package="k",
                version="1",
                schemes={"key": ApiKey(Input("api_key", "K_KEY"), "X-Key")},
                security=(("key",),),
            )

        server = Server()
        http_client = httpx2.Client(transport=httpx2.MockTransport(server))
        client = Keyed(api_key="sk", base_url="http://a.test", http_client=http_client)
        client.send(Request("GET", "/x"), Pet)
        client.send(Request("GET", "/x", extra_headers={"x-key": "mine"}), Pet)
        assert [r.headers["x-key"] for r in server.requests] == ["sk", "mine"]

    @pytest.mark.parametrize("content", [b"", b'{"name": ', b"<html>Hello", b"[1]", b'"text"'])
    def test_what_is_no_answer_is_an_error(self, content: bytes) -> None:
        server = Server(httpx2.Response(200, content=content, headers={"x-request-id": "r"}))
        with pytest.raises(APIResponseValidationError) as caught:
            server.client().pets.get()
        assert caught.value.response.content == content
        assert (caught.value.status_code, caught.value.request_id) == (200, "r")
        assert len(server.requests) == 1

    @pytest.mark.parametrize(
        ("content", "media"),
        [
            ('{"name": "Rüx"}'.encode(), "application/json; charset=utf-8"),
            ('{"name": "Rüx"}'.encode("latin-1"), "application/json; charset=iso-8859-1"),
            ('{"name": "Rüx"}'.encode("utf-16"), "application/json; charset=utf-16"),
            ('{"name": "Rüx"}'.encode("utf-8-sig"), "text/plain"),
            ('{"name": "Rüx"}'.encode(), "application/vnd.api+json"),
            (b'{"name": "R\\u00fcx"}', "nonsense; charset=nonsense"),
        ],
    )
    def test_json_is_json_under_any_name(self, content: bytes, media: str) -> None:
        server = Server(httpx2.Response(200, content=content, headers={"content-type": media}))
        assert server.client().pets.get().name == "Rüx"

    def test_departures_are_reported_or_refused(self) -> None:
        seen: list[Deviation] = []
        server = Server(ok({"name": 7}, x_request_id="r"))
        assert server.client(on_deviation=seen.append).pets.get().to_dict() == {"name": 7}
        assert [(d.path, d.value, d.request_id, d.operation) for d in seen] == [
            ("$.name", 7, "r", "GET /pets")
        ]
        strict = server.client(strict_responses=True)
        with pytest.raises(APIResponseValidationError, match=r"GET /pets: \$\.name") as caught:
            strict.pets.get()
        assert caught.value.body == {"name": 7}
        strict.with_options(strict_responses=False).pets.get()

    def test_a_raw_answer_is_one(self) -> None:
        server = Server(httpx2.Response(503), ok(x_request_id="r"))
        answer = raw(server.client().pets.get)()
        assert (answer.retries_taken, answer.request_id, answer.is_closed) == (1, "r", True)
        assert answer.parse() == Pet(name="Rex")

    def test_streams_ask_for_events(self) -> None:
        server = Server(httpx2.Response(200, content=b'data: {"name":"Rex"}\n\ndata: END\n\n'))
        with server.client() as client:
            items = client.stream(Request("GET", "/pets"), Events(Pet, end="END"))
            assert [pet.name for pet in items] == ["Rex"]
            assert items.complete
        assert server.requests[0].headers["accept"] == "text/event-stream"


class TestRetries:
    def test_what_may_pass_is_tried_again_the_same_way(self, naps: list[float]) -> None:
        server = Server(httpx2.Response(500), httpx2.Response(429), ok())
        keys = iter(["k0", "k1", "k2"])
        client = server.client(api_key=lambda: next(keys))
        assert client.pets.get(json={"a": (n for n in range(3))}).name == "Rex"
        assert [r.content for r in server.requests] == [b'{"a":[0,1,2]}'] * 3
        assert [r.headers["authorization"][-2:] for r in server.requests] == ["k0", "k1", "k2"]
        assert 0.375 <= naps[0] <= 0.5 and 0.75 <= naps[1] <= 1

    @pytest.mark.parametrize(("limit", "requests"), [(0, 1), (1, 2), (5, 6)])
    def test_the_limit_is_kept(self, limit: int, requests: int) -> None:
        server = Server(httpx2.Response(500, content=b"no"))
        with pytest.raises(InternalServerError, match="500 Internal Server Error: no"):
            server.client(max_retries=limit).pets.get()
        with pytest.raises(InternalServerError):
            server.client().pets.get(options=RequestOptions(max_retries=limit))
        assert len(server.requests) == 2 * requests

    def test_what_will_not_pass_is_not_tried_again(self) -> None:
        server = Server(httpx2.Response(418))
        with pytest.raises(APIStatusError):
            server.client().pets.get()
        for error in (httpx2.UnsupportedProtocol("x"), httpx2.LocalProtocolError("x")):
            server.answers = (error,)
            server.requests.clear()
            with pytest.raises(APIConnectionError):
                server.client().pets.get()
            assert len(server.requests) == 1

    def test_failures_of_the_network_may_pass(self, naps: list[float]) -> None:
        server = Server(httpx2.RemoteProtocolError("gone"), httpx2.ConnectError("no"), ok())
        assert server.client().pets.get().name == "Rex"
        assert naps[0] == 0
        assert naps[1] > 0

    def test_timeouts_are_told_apart(self) -> None:
        server = Server(httpx2.ReadTimeout("slow"))
        with pytest.raises(APITimeoutError) as caught:
            server.client().pets.get()
        assert isinstance(caught.value.__cause__, httpx2.ReadTimeout)
        assert len(server.requests) == 3

    def test_exceptions_of_others_pass_through(self) -> None:
        server = Server(ZeroDivisionError("mine"))
        with pytest.raises(ZeroDivisionError):
            server.client().pets.get()
        assert len(server.requests) == 1

    def test_a_deadline_leaves_no_time_for_long_pauses(self, naps: list[float]) -> None:
        server = Server(httpx2.Response(429, headers={"retry-after": "30"}))
        with pytest.raises(APIStatusError):
            server.client().pets.get(options=RequestOptions(deadline=10))
        assert naps == []
        assert server.requests[0].extensions["timeout"]["read"] <= 10
        with pytest.raises(APITimeoutError, match="deadline"):
            server.client().pets.get(options=RequestOptions(deadline=0))
        assert len(server.requests) == 1

    def test_the_log_says_what_happened_but_nothing_more(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG, logger="runtime")
        server = Server(httpx2.Response(500, content=b"body"), httpx2.ReadTimeout("x"), ok())
        server.client().pets.get(extra_query={"q": "query"}, extra_headers={"H": "header"})
        lines = [r.getMessage() for r in caplog.records if r.name.startswith("runtime")]
        assert [line.partition(" s")[0].partition("; ")[0] for line in lines] == [
            "GET /pets: 500 at attempt 1 of 3",
            "GET /pets: ReadTimeout at attempt 2 of 3",
            "GET /pets: 200 at attempt 3 of 3",
        ]
        for secret in ("sk-secret", "body", "query", "header"):
            assert secret not in "\n".join(lines)


class TestAsync:
    """The asynchronous client shares the rest; these are the loops of its own."""

    @pytest.mark.parametrize("backend", ["asyncio", "trio"])
    def test_calls_and_tries_again(self, backend: str, naps: list[float]) -> None:
        server = Server(httpx2.Response(500), httpx2.ReadError("x"), ok(x_request_id="r"))
        keys = iter(["k0", "k1", "k2"])

        async def key() -> str:
            return next(keys)

        async def main() -> None:
            async with server.async_client(api_key=key) as client:
                pet: Any = await client.pets.get()
                assert pet._request_id == "r"
            assert client.is_closed()

        anyio.run(main, backend=backend)
        assert [r.headers["authorization"][-2:] for r in server.requests] == ["k0", "k1", "k2"]
        assert len(naps) == 2

    def test_errors_are_the_same(self) -> None:
        async def main() -> None:
            server = Server(httpx2.Response(400, content=b'{"error":{"message":"no"}}'))
            with pytest.raises(APIStatusError, match="400 Bad Request: no"):
                await server.async_client().pets.get()
            server = Server(httpx2.ConnectError("x"))
            with pytest.raises(APIConnectionError):
                await server.async_client(max_retries=1).pets.get()
            assert len(server.requests) == 2
            with pytest.raises(APITimeoutError):
                await server.async_client().pets.get(options=RequestOptions(deadline=0))
            with pytest.raises(CredentialError):
                await server.async_client(api_key=lambda: "").pets.get()

        anyio.run(main)

    def test_streams_and_copies(self) -> None:
        server = Server(httpx2.Response(200, content=b'data: {"name":"Rex"}\n\ndata: END\n\n'))

        async def main() -> None:
            client = server.async_client().with_options(default_headers={"A": "1"})
            items = await client.stream(Request("GET", "/pets"), Events(Pet, end="END"))
            assert [pet.name async for pet in items] == ["Rex"]
            await client.aclose()

        anyio.run(main)
        assert server.requests[0].headers["a"] == "1"

    def test_a_closed_client_says_so(self) -> None:
        client = AsyncPetClient(api_key="k")

        async def main() -> None:
            await client.close()
            with pytest.raises(RuntimeError, match="closed"):
                await client.pets.get()

        anyio.run(main)
        assert client.is_closed()


@pytest.mark.parametrize(
    ("kind", "wrong", "message"),
    [
        (PetClient, httpx2.AsyncClient, r"^http_client must be an httpx2\.Client$"),
        (AsyncPetClient, httpx2.Client, r"^http_client must be an httpx2\.AsyncClient$"),
    ],
)
def test_an_http_client_of_the_other_kind_is_refused(kind: Any, wrong: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        kind(api_key="k", http_client=wrong())
    with pytest.raises(TypeError, match=message):
        kind(api_key="k").with_options(http_client=wrong())
