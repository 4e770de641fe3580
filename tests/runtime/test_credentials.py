"""What is demanded of callers, and what is chosen of what they gave."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

import runtime
from runtime import (
    NOTHING,
    ApiKey,
    AsyncClient,
    AsyncKeyClient,
    AuthenticationError,
    Basic,
    Bearer,
    CredentialError,
    Input,
    OAuth2,
    Profile,
    Request,
    SyncClient,
    SyncKeyClient,
)
from runtime._flight import Flight
from runtime._proofs import Proof, with_query, without_query
from runtime._schemes import Scheme, Security
from runtime._servers import Variable, server_url
from specloom.python.names import CLIENT_KEYWORDS

SCHEMES: dict[str, Scheme] = {
    "key": ApiKey(Input("key", "C_KEY"), "X-Key"),
    "token": Bearer(Input("token", "C_TOKEN")),
    "login": Basic(Input("username", "C_USER"), Input("password", "C_PASSWORD")),
    "oauth": OAuth2(
        Input("access_token", "C_ACCESS"),
        client_id=Input("client_id", "C_ID"),
        client_secret=Input("client_secret", "C_SECRET"),
        grants=("client_credentials",),
        token_url="/token",
    ),
}


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for scheme in SCHEMES.values():
        for part in scheme:
            if isinstance(part, Input):
                monkeypatch.delenv(part.variable, raising=False)


def client(security: Security, *, demanding: bool = True, **given: Any) -> SyncClient:
    """Make a client that needs something."""

    class Client(SyncClient):
        _profile = Profile(
            title="C",
            package="c",
            version="1",
            base_url="http://h",
            schemes=SCHEMES,
            security=security,
            demanding=demanding,
        )

    headers = given.pop("default_headers", None)
    return Client(credentials=given, default_headers=headers)


@pytest.mark.parametrize(
    ("security", "said"),
    [
        ((("key",),), "C needs a credential: pass key or set C_KEY"),
        (
            (("key", "token"), ("login",)),
            "C needs a credential: pass key or set C_KEY, and pass token or set C_TOKEN; or pass"
            " username and password or set C_USER and C_PASSWORD",
        ),
        (
            (("oauth",),),
            "C needs a credential: pass access_token or set C_ACCESS; or pass client_id and"
            " client_secret or set C_ID and C_SECRET",
        ),
    ],
)
def test_something_is_demanded_at_construction(security: Security, said: str) -> None:
    with pytest.raises(CredentialError) as caught:
        client(security)
    assert str(caught.value) == said


def test_nothing_is_demanded_where_nothing_may_do() -> None:
    client(())
    client((("key",), ()))
    client((("key",),), demanding=False)


def test_whoever_gives_anything_is_heard_at_the_call() -> None:
    client((("key",),), token="t")
    client((("key",),), client_id="i")
    with pytest.raises(CredentialError):
        client((("key",),), token="")


def test_headers_settle_what_they_fill() -> None:
    mine = {"authorization": "x"}
    client((("token",),), default_headers=mine)
    client((("key", "login"), ("oauth",)), default_headers=mine)
    client((("key", "login"),), default_headers=mine | {"x-key": "x"})
    with pytest.raises(CredentialError):
        client((("key", "login"),), default_headers=mine)


def test_a_body_that_passes_once_is_sent_once_and_the_token_is_renewed_all_the_same() -> None:
    seen: list[tuple[str, str]] = []

    def respond(request: httpx2.Request) -> httpx2.Response:
        granted = sum(path == "/token" for path, _ in seen)
        path, sent = request.url.path, request.headers.get("authorization", "")
        seen.append((path, sent.removeprefix("Bearer ")))
        if path == "/token":
            return httpx2.Response(200, json={"access_token": f"t{granted + 1}"})
        request.read()
        return httpx2.Response(401 if sent == "Bearer t1" else 204)

    made = client((("oauth",),), client_id="i", client_secret="s")
    caller = made.with_options(http_client=httpx2.Client(transport=httpx2.MockTransport(respond)))
    with pytest.raises(AuthenticationError):
        caller.send(Request("POST", "/x", content=iter([b"once"])), NOTHING)
    caller.send(Request("POST", "/x", content=iter([b"once"])), NOTHING)
    assert [sent for path, sent in seen if path == "/x"] == ["t1", "t2"]


def test_the_keywords_of_every_client_are_known() -> None:
    internal = {"credentials", "server", "variables"}
    for method in ("__init__", "with_options"):
        signatures = [
            list(inspect.signature(getattr(kind, method)).parameters)
            for kind in (SyncClient, AsyncClient, SyncKeyClient, AsyncKeyClient)
        ]
        plain, plain_too, keyed, keyed_too = signatures
        assert plain == plain_too and keyed == keyed_too
        shared = [name for name in plain if name not in internal]
        assert shared == ["self", *CLIENT_KEYWORDS]
        assert keyed == ["self", "api_key", *shared[1:]]


def test_the_lazy_names_are_those_of_the_package() -> None:
    for name in runtime.__all__:
        assert getattr(runtime, name) is not None
    assert set(runtime.__all__) <= set(dir(runtime))


class TestFlight:
    def test_one_goes_and_others_wait(self) -> None:
        flight, inside, seen = Flight(), threading.Event(), list[int]()

        def go(number: int) -> None:
            with flight.alone(None) as in_time:
                assert in_time and not inside.is_set()
                inside.set()
                seen.append(number)
                inside.clear()

        threads = [threading.Thread(target=go, args=(n,)) for n in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(seen) == list(range(16))

    def test_waiting_has_an_end(self) -> None:
        flight = Flight()
        with flight.alone(None), flight.alone(0.01) as in_time:
            assert in_time is False
        with flight.alone(0.01) as in_time:
            assert in_time is True

    def test_who_comes_after_a_failure_goes_again(self) -> None:
        flight = Flight()
        with pytest.raises(KeyError), flight.alone(None):
            flight.failed(KeyError("x"))
            raise KeyError("x")
        with flight.alone(None) as in_time:
            assert in_time


def query(url: str, *keys: tuple[str, str]) -> Iterator[str]:
    """Yield what is left of the query of a URL."""
    proofs = [Proof("query", name, text, ()) for name, text in keys]
    left = without_query(httpx2.URL(url), proofs)
    yield left.raw_path.decode()


@pytest.mark.parametrize(
    ("url", "left"),
    [
        ("http://h/x?k=s%26t&a=1", "/x?a=1"),
        ("http://h/x?a=1&k=s%26t", "/x?a=1"),
        ("http://h/x?k=s%26t", "/x"),
        ("http://h/x?k=other", "/x?k=other"),
        ("http://h/x?a=%20b&b", "/x?a=%20b&b"),
        ("http://h/x", "/x"),
    ],
)
def test_a_key_is_taken_out_of_a_query(url: str, left: str) -> None:
    assert list(query(url, ("k", "s&t"))) == [left]


def test_a_url_is_discreet_through_all_changes() -> None:
    proof = Proof("query", "key", "sk", ())
    url = with_query(with_query(httpx2.URL("http://h/x"), proof), proof._replace(name="other"))
    assert url.raw_path == b"/x?key=sk&other=sk"
    assert str(url) == "http://h/x"


SERVERS = (("a", "https://{r}.h/{v}"), ("b", "http://h:{p}"))
VARIABLES = {"r": Variable("eu", ("eu", "us")), "v": Variable("v1"), "p": Variable()}


class TestServerURL:
    def url(self, name: str | None = None, **values: str) -> str:
        return server_url(SERVERS, name, VARIABLES, values)

    def test_fills_what_is_open(self) -> None:
        assert self.url() == "https://eu.h/v1"
        assert self.url("a", r="us", v="v2/x") == "https://us.h/v2/x"
        assert self.url("b", p="8080") == "http://h:8080"

    def test_the_first_serves_names_that_are_not_its_own(self) -> None:
        assert server_url(SERVERS, "c", VARIABLES, {}, lenient=True) == "https://eu.h/v1"
        with pytest.raises(ValueError, match="no server 'c'; the servers are 'a', 'b'"):
            self.url("c")

    @pytest.mark.parametrize(
        ("values", "said"),
        [
            ({"r": "ap"}, "r must be one of 'eu', 'us', not 'ap'"),
            ({"v": "v1?x"}, "v: 'v1\\?x' would change the rest"),
            ({"v": "v1#x"}, "v: 'v1#x' would change"),
        ],
    )
    def test_refuses_what_does_not_fit(self, values: dict[str, str], said: str) -> None:
        with pytest.raises(ValueError, match=said):
            self.url(**values)

    def test_misses_what_is_not_given(self) -> None:
        with pytest.raises(ValueError, match="pass p"):
            self.url("b")
        with pytest.raises(ValueError, match="p: '1/x' would change"):
            self.url("b", p="1/x")

    def test_a_whole_url_may_be_open(self) -> None:
        servers = (("x", "{base}/v1"),)
        found = server_url(servers, None, {"base": Variable()}, {"base": "https://h/a"})
        assert found == "https://h/a/v1"
