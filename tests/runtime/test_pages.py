"""Pages: every way in which one leads to the next, for both kinds of client."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import anyio
import httpx2
import pytest
from pydantic import Field

from runtime import (
    Alternatives,
    APIResponse,
    AsyncClient,
    AsyncPage,
    BaseModel,
    Cursor,
    Decoder,
    Encoded,
    NextLink,
    NextURL,
    Offset,
    Page,
    PageNumber,
    Pages,
    Profile,
    Request,
    RequestOptions,
    Styled,
    SyncClient,
    omit,
)

PROFILE = Profile(
    title="Shelf", package="shelf", version="1", base_url="http://shelf.test/v1?tenant=7"
)
ALL = [{"name": name} for name in "abcdefg"]


class Client(SyncClient):
    _profile = PROFILE


class AsyncShelf(AsyncClient):
    _profile = PROFILE


class Item(BaseModel):
    name: str


class Meta(BaseModel):
    next_: str | None = Field(default=None, alias="next")


class Listing(BaseModel):
    data: list[Item] | None = None
    meta: Meta | None = None
    total: int | None = None
    pages: int | None = None
    link: str | None = Field(default=None, alias="@odata.nextLink")


Server = Callable[[httpx2.Request], httpx2.Response]
LISTED = Decoder[list[Item]](list[Item])


def number(request: httpx2.Request, name: str, default: int) -> int:
    sent = json.loads(request.content or b"{}")
    return int(request.url.params.get(name, sent.get(name, default)))


def by_cursor(request: httpx2.Request) -> httpx2.Response:
    start = number(request, "after", 0)
    last = start + 3 >= len(ALL)
    meta = {} if last else {"next": str(start + 3)}
    return httpx2.Response(200, json={"data": ALL[start : start + 3], "meta": meta})


def by_page(request: httpx2.Request) -> httpx2.Response:
    start = 3 * (number(request, "page", 1) - 1)
    return httpx2.Response(200, json={"data": ALL[start : start + 3], "pages": 3})


def by_offset(request: httpx2.Request) -> httpx2.Response:
    start = number(request, "offset", 0)
    return httpx2.Response(200, json={"data": ALL[start : start + 3], "total": 7})


def by_link(request: httpx2.Request) -> httpx2.Response:
    start = number(request, "from", 0)
    address = f"http://other.test/v1/items?tenant=7&from={start + 3}"
    links = {} if start >= 6 else {"Link": f'<{address}>; rel="next"'}
    return httpx2.Response(200, json=ALL[start : start + 3], headers=links)


def by_url(request: httpx2.Request) -> httpx2.Response:
    start = number(request, "$skip", 0)
    link = {} if start >= 6 else {"@odata.nextLink": f"/v1/items?$skip={start + 3}"}
    return httpx2.Response(200, json={"data": ALL[start : start + 3], **link})


WAYS: dict[str, tuple[Server, Pages[Item, Any], int]] = {
    "cursor": (by_cursor, Pages(Listing, "data", Cursor("after", ("meta", "next"))), 3),
    "page": (by_page, Pages(Listing, "data", PageNumber("page")), 4),
    "last page": (by_page, Pages(Listing, "data", PageNumber("page", last="pages")), 3),
    "offset": (by_offset, Pages(Listing, "data", Offset("offset")), 4),
    "total": (by_offset, Pages(Listing, "data", Offset("offset", total="total")), 3),
    "link": (by_link, Pages(LISTED, (), NextLink()), 3),
    "url": (by_url, Pages(Listing, "data", NextURL("@odata.nextLink")), 3),
    "body": (by_cursor, Pages(Listing, "data", Cursor("after", ("meta", "next"), "body")), 3),
}
way = pytest.mark.parametrize("name", WAYS)


def recording(server: Server, seen: list[httpx2.Request]) -> httpx2.MockTransport:
    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return server(request)

    return httpx2.MockTransport(answer)


def request_of(name: str) -> Request:
    if name == "body":
        return Request("POST", "/items", json={"words": iter(["x", "y"])})
    return Request("GET", "/items", query={"limit": 3, "tag": iter(["x", "y"])})


@way
def test_all_items_come_in_order(name: str) -> None:
    server, pages, calls = WAYS[name]
    seen: list[httpx2.Request] = []
    with Client(http_client=httpx2.Client(transport=recording(server, seen))) as client:
        page = client.page(request_of(name), pages)
        assert [item.name for item in page.items] == ["a", "b", "c"]
        assert len(seen) == 1
        assert [item.name for item in page] == list("abcdefg")
    assert len(seen) == calls
    for request in seen:
        assert request.url.host == "shelf.test"
    if name == "body":
        assert all(json.loads(r.content)["words"] == ["x", "y"] for r in seen)
    elif name not in ("link", "url"):
        assert all(r.url.params.get_list("tag") == ["x", "y"] for r in seen)


@way
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_all_items_come_in_order_when_awaited(name: str, backend: str) -> None:
    server, pages, calls = WAYS[name]
    seen: list[httpx2.Request] = []

    async def main() -> None:
        http = httpx2.AsyncClient(transport=recording(server, seen))
        async with AsyncShelf(http_client=http) as client:
            listed = client.page(request_of(name), pages)
            assert not seen
            assert [item.name async for item in listed] == list("abcdefg")
            assert len(seen) == calls
            page = await client.page(request_of(name), pages)
            assert isinstance(page, AsyncPage)
            assert [item.name for item in page.items] == ["a", "b", "c"]
            sizes = [len(one.items) async for one in page.iter_pages()]
            assert sum(sizes) == 7
            more = await page.get_next_page()
            assert more is not None
            assert [item.name for item in more.items] == ["d", "e", "f"]
            sizes_again = [
                len(one.items) async for one in client.page(request_of(name), pages).iter_pages()
            ]
            assert sizes_again == sizes

    anyio.run(main, backend=backend)


def client_of(server: Server, seen: list[httpx2.Request]) -> Client:
    return Client(http_client=httpx2.Client(transport=recording(server, seen)))


def test_pages_are_fetched_when_their_turn_comes() -> None:
    seen: list[httpx2.Request] = []
    server, pages, _ = WAYS["cursor"]
    page = client_of(server, seen).page(request_of("cursor"), pages)
    assert page.has_next_page()
    assert repr(page) == "Page(3 items, and more pages)"
    items = iter(page)
    for _ in range(3):
        next(items)
    assert len(seen) == 1
    next(items)
    assert len(seen) == 2
    sizes = [len(one.items) for one in page.iter_pages()]
    assert sizes == [3, 3, 1]
    last = list(page.iter_pages())[-1]
    assert (last.has_next_page(), last.get_next_page()) == (False, None)
    assert isinstance(last.body, Listing)


def test_a_caller_can_begin_anywhere() -> None:
    seen: list[httpx2.Request] = []
    server, pages, _ = WAYS["cursor"]
    request = Request("GET", "/items", extra_query={"after": "3", "sort": "up"})
    page = client_of(server, seen).page(request, pages)
    assert [item.name for item in page] == list("defg")
    assert [r.url.params.get_list("after") for r in seen] == [["3"], ["6"]]
    assert [r.url.params["sort"] for r in seen] == ["up", "up"]


def from_zero(request: httpx2.Request) -> httpx2.Response:
    start = 3 * number(request, "page", 0)
    return httpx2.Response(200, json={"data": ALL[start : start + 3], "pages": 3})


def test_pages_are_numbered_from_where_they_begin() -> None:
    seen: list[httpx2.Request] = []
    for last in (None, "pages"):
        pages: Pages[Item, Any] = Pages(Listing, "data", PageNumber("page", last, start=0))
        page = client_of(from_zero, seen).page(Request("GET", "/items"), pages)
        assert [item.name for item in page] == list("abcdefg")
    asked = [r.url.params.get("page") for r in seen]
    assert asked == [None, "1", "2", "3", None, "1", "2"]


@pytest.mark.parametrize(
    "more",
    [
        {"query": {"page": 2}},
        {"query": {"page": Styled(2, reserved=True)}},
        {"query": {"page": omit}, "extra_query": {"page": "2"}},
        {"query": {"page": 7}, "options": RequestOptions(query={"page": 2})},
    ],
)
def test_what_was_asked_last_is_what_is_counted_on_from(more: dict[str, Any]) -> None:
    seen: list[httpx2.Request] = []
    server, pages, _ = WAYS["page"]
    page = client_of(server, seen).page(Request("GET", "/items", **more), pages)
    assert [item.name for item in page] == list("defg")
    assert [r.url.params.get_list("page") for r in seen] == [["2"], ["3"], ["4"]]


def test_a_default_is_counted_on_from_too() -> None:
    seen: list[httpx2.Request] = []
    server, pages, _ = WAYS["page"]
    http = httpx2.Client(transport=recording(server, seen))
    client = Client(http_client=http, default_query={"page": 2})
    page = client.page(Request("GET", "/items", query={"page": omit}), pages)
    assert [item.name for item in page] == list("defg")
    assert [r.url.params.get_list("page") for r in seen] == [["2"], ["3"], ["4"]]


def test_what_is_sent_as_a_document_stays_one() -> None:
    seen: list[httpx2.Request] = []
    server, pages, _ = WAYS["cursor"]

    def reading(request: httpx2.Request) -> httpx2.Response:
        after = json.loads(request.url.params.get("after", '"0"'))
        return server(httpx2.Request("GET", request.url.copy_set_param("after", after)))

    request = Request("GET", "/items", query={"after": Encoded(omit)})
    assert len(list(client_of(reading, seen).page(request, pages))) == 7
    assert [r.url.params.get("after") for r in seen] == [None, '"3"', '"6"']


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("content", "kind", "sent"),
    [
        ({"after": omit, "w": iter("xy")}, FORM, ["w=x&w=y", "after=3&w=x&w=y", "after=6&w=x&w=y"]),
        (omit, FORM, ["", "after=3", "after=6"]),
        (
            Alternatives({"application/json": {"w": iter("x")}, FORM: {"a": 1}}),
            "application/json",
            ['{"w":["x"]}', '{"w":["x"],"after":"3"}', '{"w":["x"],"after":"6"}'],
        ),
        (
            Alternatives({"application/json": {"w": iter("x")}, FORM: {"a": 1}}),
            FORM,
            ["a=1", "a=1&after=3", "a=1&after=6"],
        ),
    ],
)
def test_a_body_asks_for_the_next_page_in_its_own_way(
    content: object, kind: str, sent: list[str]
) -> None:
    seen: list[httpx2.Request] = []
    server, pages, _ = WAYS["cursor"]

    def reading(request: httpx2.Request) -> httpx2.Response:
        text = request.content.decode()
        given = json.loads(text) if text.startswith("{") else dict(httpx2.QueryParams(text))
        after = {"after": given["after"]} if "after" in given else {}
        return server(httpx2.Request("GET", "http://shelf.test/", params=after))

    in_body: Pages[Item, Any] = replace(pages, way=Cursor("after", ("meta", "next"), "body"))
    request = Request("POST", "/items", content=content, content_type=kind)
    assert len(list(client_of(reading, seen).page(request, in_body))) == 7
    assert [r.content.decode() for r in seen] == sent


def test_a_server_that_repeats_itself_is_left() -> None:
    seen: list[httpx2.Request] = []

    def stuck(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json={"data": ALL[:1], "meta": {"next": "again"}})

    pages = WAYS["cursor"][1]
    page = client_of(stuck, seen).page(Request("GET", "/items"), pages)
    assert [item.name for item in page] == ["a", "a"]
    assert len(seen) == 2


@pytest.mark.parametrize("body", [{}, {"data": None}, {"data": "none"}, {"data": []}])
def test_an_answer_without_items_is_an_empty_page(body: dict[str, object]) -> None:
    for name in ("cursor", "page", "total", "url"):
        seen: list[httpx2.Request] = []
        client = client_of(lambda _: httpx2.Response(200, json=body), seen)
        assert list(client.page(request_of(name), WAYS[name][1])) == []
        assert len(seen) == 1


def test_the_raw_answer_parses_to_its_page() -> None:
    seen: list[httpx2.Request] = []
    server, pages, _ = WAYS["cursor"]
    request = Request("GET", "/items", options=RequestOptions(mode="raw"))
    answer = client_of(server, seen).page(request, pages)
    page = cast("APIResponse[Page[Item, Any]]", answer).parse()
    assert len(seen) == 1
    assert [len(one.items) for one in page.iter_pages()] == [3, 3, 1]
