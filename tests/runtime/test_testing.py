"""The transport for tests without a server: answers as prepared, requests as they left."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import date
from typing import ClassVar

import anyio
import httpx2
import pytest

from runtime import (
    TEXT,
    APIConnectionError,
    APIStatusError,
    AsyncClient,
    BaseModel,
    Decoder,
    Events,
    FilePart,
    MockEvent,
    MockTransport,
    NotFoundError,
    Profile,
    Request,
    SentPart,
    SyncClient,
    UnexpectedRequest,
    as_json,
)
from runtime._by_event import ByEvent

PROFILE = Profile(title="Test", package="test-client", version="1", base_url="https://api.test")
ANY = Decoder[object](object)


class Client(SyncClient):
    """A synchronous client of no particular API."""

    _profile: ClassVar[Profile] = PROFILE


class Async(AsyncClient):
    """An asynchronous one."""

    _profile: ClassVar[Profile] = PROFILE


class Item(BaseModel):
    """A model."""

    id: str
    made: date


@pytest.fixture
def api() -> MockTransport:
    return MockTransport()


@pytest.fixture
def client(api: MockTransport) -> Iterator[Client]:
    with Client(base_url=api.url, http_client=api.client(), max_retries=0) as client:
        yield client


def get(client: Client, path: str) -> object:
    return client.send(Request("GET", path), ANY)


@pytest.mark.parametrize("status", [200, 307])
def test_the_case_of_a_method_is_kept_also_where_it_is_redirected(
    api: MockTransport, status: int
) -> None:
    """RFC 9110, section 9.1: the names of methods are case-sensitive."""
    api.answer("CoPy /a", {"at": "a"}, status=status, headers={"Location": "/b"})
    api.answer("CoPy /b", {"at": "b"})
    http = api.client()
    http.follow_redirects = True
    client = Client(base_url=api.url, http_client=http)
    found = client.send(Request("CoPy", "/a"), ANY)
    assert found == {"at": "a" if status == 200 else "b"}
    assert {sent.method for sent in api.requests} == {"CoPy"}


def test_an_answer_is_given_and_its_request_kept(api: MockTransport, client: Client) -> None:
    api.answer("POST /items", {"id": "1"}, status=201, headers={"X-Made": "here"})
    request = Request("POST", "/items", query={"a": "b c"}, json={"name": "kettle"})
    assert client.send(request, ANY) == {"id": "1"}
    assert (api.request.method, api.request.target) == ("POST", "/items?a=b%20c")
    assert (api.request.path, api.request.query) == ("/items", [("a", "b c")])
    assert api.request.json() == {"name": "kettle"}
    assert api.request.headers["content-type"] == "application/json"
    assert api.requests == [api.request]


def test_the_asynchronous_client_is_answered_too() -> None:
    async def main() -> None:
        api = MockTransport()
        api.answer("GET /items", [1])
        async with Async(base_url=api.url, http_client=api.async_client()) as client:
            assert await client.send(Request("GET", "/items"), ANY) == [1]
        assert api.request.target == "/items"

    anyio.run(main)


def test_models_are_answered_as_they_came(api: MockTransport, client: Client) -> None:
    item = Decoder[Item](Item).decode(b'{"id": "1", "made": "2026-01-31", "more": null}')
    api.answer("GET /items", [item])
    read = client.send(Request("GET", "/items"), Decoder[list[Item]](list[Item]))
    assert read[0].made == date(2026, 1, 31)
    assert as_json(read) == [{"id": "1", "made": "2026-01-31", "more": None}]


def test_variables_stand_for_one_segment(api: MockTransport, client: Client) -> None:
    api.answer("GET /items/{id}", "any")
    api.answer("GET /items/7", "seven")
    api.answer("GET /items/{id}/parts", "parts")
    api.answer("GET /from{a}..{b}", "between")
    assert get(client, "/items/1") == "any"
    assert get(client, "/items/a%2Fb") == "any"
    assert get(client, "/items/7") == "seven"
    assert get(client, "/items/7/parts") == "parts"
    assert get(client, "/from1..2") == "between"
    with pytest.raises(UnexpectedRequest):
        get(client, "/items")


@pytest.mark.parametrize("written", ["/a b:c", "/a%20b:c", "/a%20b%3Ac"])
def test_paths_are_the_same_however_they_are_written(
    written: str, api: MockTransport, client: Client
) -> None:
    api.answer(f"GET {written}", True)
    assert get(client, "/a%20b:c") is True


def test_several_answers_are_given_in_turn(api: MockTransport, client: Client) -> None:
    api.answer("GET /n", 1)
    api.answer("GET /n", 2)
    assert [get(client, "/n") for _ in range(3)] == [1, 2, 2]
    api.answer("GET /n", 3)
    api.answer("GET /n", 4)
    assert [get(client, "/n") for _ in range(3)] == [3, 4, 4]


def test_errors_have_their_status_and_body(api: MockTransport, client: Client) -> None:
    api.answer("GET /n", {"why": "gone"}, status=404)
    with pytest.raises(NotFoundError) as caught:
        get(client, "/n")
    assert caught.value.body == {"why": "gone"}
    api.answer("GET /m", text="busy", status=418)
    with pytest.raises(APIStatusError, match="418"):
        get(client, "/m")


def test_a_failure_is_raised_in_place_of_an_answer(api: MockTransport, client: Client) -> None:
    api.fail("GET /n", httpx2.ConnectError("refused"))
    api.answer("GET /n", "again")
    with pytest.raises(APIConnectionError):
        get(client, "/n")
    assert client.with_options(max_retries=1).send(Request("GET", "/n"), ANY) == "again"


def test_what_is_not_expected_says_what_is(api: MockTransport, client: Client) -> None:
    with pytest.raises(AssertionError, match=r"GET /m, but for: nothing$"):
        get(client, "/m")
    api.answer("GET /n", 1)
    api.answer("POST /m", 1)
    with pytest.raises(UnexpectedRequest, match=r"GET /m, but for:\n  GET /n\n  POST /m$"):
        get(client, "/m")
    assert len(api.requests) == 2


def test_a_forgotten_base_url_is_hinted_at(api: MockTransport) -> None:
    api.answer("GET /n", 1)
    client = Client(http_client=api.client(), base_url="https://api.test/v1")
    with pytest.raises(UnexpectedRequest, match=r"calls api\.test: give it base_url=api\.url"):
        get(client, "/n")


@pytest.mark.parametrize("operation", ["/items", "GET", "GET items", ""])
def test_what_is_no_operation_is_refused(operation: str, api: MockTransport) -> None:
    with pytest.raises(ValueError, match="is no operation"):
        api.answer(operation, 1)


def test_an_answer_has_one_body(api: MockTransport) -> None:
    with pytest.raises(TypeError, match="more than one body"):
        api.answer("GET /n", 1, text="1")


def test_without_a_request_there_is_none(api: MockTransport) -> None:
    with pytest.raises(AssertionError, match="no request has left"):
        _ = api.request


def test_null_is_an_answer_and_nothing_is_none(api: MockTransport, client: Client) -> None:
    api.answer("GET /null", None)
    api.answer("GET /empty", status=204)
    assert get(client, "/null") is None
    http = api.client()
    assert http.get(f"{api.url}/null").content == b"null"
    assert http.get(f"{api.url}/empty").content == b""


def test_events_stream(api: MockTransport, client: Client) -> None:
    api.answer("GET /s", events=[{"n": 1}, "[DONE]"])
    assert list(client.stream(Request("GET", "/s"), Events(ANY, end="[DONE]"))) == [{"n": 1}]


def test_events_have_names_and_lines(api: MockTransport, client: Client) -> None:
    api.answer("GET /s", events=[MockEvent("n", {"a": 1}), MockEvent("t", "b\nc"), "d"])
    texts = ByEvent[object]({"n": ANY, "t": TEXT, "": TEXT})
    assert list(client.stream(Request("GET", "/s"), Events(texts))) == [{"a": 1}, "b\nc", "d"]


def test_lines_stream(api: MockTransport, client: Client) -> None:
    api.answer("GET /s", lines=[{"n": 1}, 2])
    stream = client.stream(Request("GET", "/s"), Events(ANY, framing="lines"))
    assert list(stream) == [{"n": 1}, 2]


def test_forms_and_parts_are_read(api: MockTransport, client: Client) -> None:
    api.answer("POST /f", 1)
    form = "application/x-www-form-urlencoded"
    client.send(Request("POST", "/f", content={"a": "b&c", "d": ["", "é"]}, content_type=form), ANY)
    assert api.request.form() == [("a", "b&c"), ("d", ""), ("d", "é")]
    content = {"a": "é", "f": FilePart(("x y.png", b"\r\n--\x00\r\n")), "o": {"n": 1}}
    client.send(Request("POST", "/f", content=content, content_type="multipart/form-data"), ANY)
    assert api.request.parts() == [
        SentPart("a", "é".encode()),
        SentPart("f", b"\r\n--\x00\r\n", "x y.png", "image/png"),
        SentPart("o", b'{"n":1}', None, "application/json"),
    ]
    client.send(Request("POST", "/f", content="text", content_type="text/plain"), ANY)
    assert (api.request.text(), api.request.content) == ("text", b"text")
    with pytest.raises(ValueError, match="has no parts"):
        api.request.parts()


def test_uploads_are_read_whole() -> None:
    async def chunks() -> AsyncIterator[bytes]:
        yield b"a"
        yield b"b"

    async def main() -> None:
        api = MockTransport()
        api.answer("PUT /f", 1)
        async with Async(base_url=api.url, http_client=api.async_client()) as client:
            await client.send(Request("PUT", "/f", content=chunks()), ANY)
        assert api.request.content == b"ab"

    anyio.run(main)


def test_what_was_not_read_is_no_json() -> None:
    with pytest.raises(TypeError):
        as_json(object())
