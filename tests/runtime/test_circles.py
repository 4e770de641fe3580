"""Pages that lead back to others, and addresses of pages that are none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from behaviour.plain import every_flavour, using
from behaviour.server import Request as Received
from behaviour.server import Server, answer
from runtime import APIError, BaseModel, Cursor, NextLink, NextURL, Pages, Request
from runtime._pages import Way


class Listing(BaseModel):
    data: list[str] | None = None
    next: str | int | None = None


WAYS: dict[str, Way] = {
    "query": Cursor("after", "next"),
    "body": Cursor("after", "next", "body"),
    "link": NextLink(),
    "url": NextURL("next"),
}


def listed(flavour: str, server: Server, way: Way, *, first: str | None = None) -> list[str]:
    """Reads all pages of a list."""
    pages: Pages[Any, Any] = Pages(Listing, "data", way)
    if isinstance(way, Cursor) and way.place == "body":
        request = Request("POST", "/items", json={} if first is None else {"after": first})
    else:
        request = Request("GET", "/items", query={} if first is None else {"after": first})

    async def drained(found: Any) -> list[str]:
        return [item async for item in found]

    def work(client: Any) -> Any:
        found = client.page(request, pages)
        return list(found) if flavour == "sync" else drained(found)

    found: list[str] = using(flavour, work, base_url=server.url)
    return found


def leading(server: Server, steps: dict[str, str | None], kind: str) -> None:
    """Answers each cursor with the one that it leads to; the first has none."""

    def choose(request: Received) -> Any:
        sent = json.loads(request.body or b"{}") if kind == "body" else dict(request.query)
        here = str(sent.get("after", ""))
        there = steps[here]
        if kind in ("link", "url") and there is not None:
            there = f"/v1/items?after={there}"
        links = {} if there is None else {"Link": f"<{there}>; rel=next"}
        return answer({"data": [here or "first"], "next": there}, headers=links)

    server.chooses(choose)


@every_flavour
@pytest.mark.parametrize("kind", WAYS)
@pytest.mark.parametrize(
    ("steps", "first", "found"),
    [
        ({"": "a", "a": "b", "b": "a"}, None, ["first", "a", "b"]),
        ({"": "a", "a": "b", "b": "c", "c": "b"}, None, ["first", "a", "b", "c"]),
        ({"": "a", "a": "a"}, None, ["first", "a"]),
        ({"a": "b", "b": "a"}, "a", ["a", "b"]),
        ({"": "None", "None": "a", "a": None}, None, ["first", "None", "a"]),
    ],
)
def test_a_circle_is_gone_through_once(
    flavour: str, kind: str, steps: dict[str, str | None], first: str | None, found: list[str]
) -> None:
    with Server() as server:
        leading(server, steps, kind)
        assert listed(flavour, server, WAYS[kind], first=first) == found
        assert len(server.requests) == len(found)


def test_a_page_can_be_asked_for_again() -> None:
    with Server() as server:
        leading(server, {"": "a", "a": "b", "b": None}, "query")
        pages: Pages[Any, Any] = Pages(Listing, "data", WAYS["query"])

        def work(client: Any) -> list[list[str]]:
            page = client.page(Request("GET", "/items"), pages)
            return [list(page), list(page), list(page.get_next_page()), list(page)]

        whole = ["first", "a", "b"]
        assert using("sync", work, base_url=server.url) == [whole, whole, whole[1:], whole]


def test_numbers_are_cursors_too() -> None:
    with Server() as server:
        server.chooses(
            lambda request: answer(
                {"data": ["x"], "next": 1 + int(dict(request.query).get("after", 0)) % 3}
            )
        )
        assert listed("sync", server, WAYS["query"]) == ["x"] * 4


@every_flavour
@pytest.mark.parametrize("kind", ["link", "url"])
@pytest.mark.parametrize(
    "address", ["http://[x]/", "http://xn--\u00e9-.test/x", "//h:port/", "/x" * 40_000]
)
def test_an_address_that_is_none_costs_no_page(flavour: str, kind: str, address: str) -> None:
    if kind == "link":
        address = address.encode().decode("latin-1")
    links = {"Link": f"<{address}>; rel=next"} if kind == "link" else {}
    pages: Pages[Any, Any] = Pages(Listing, "data", WAYS[kind])

    async def later(asked: Any) -> None:
        page = await asked
        assert (page.items, page.has_next_page()) == (["x"], True)
        with pytest.raises(APIError, match="the address of the next page is none"):
            await page.get_next_page()

    def work(client: Any) -> Any:
        if flavour != "sync":
            return later(client.page(Request("GET", "/items"), pages))
        page = client.page(Request("GET", "/items"), pages)
        assert (page.items, page.has_next_page()) == (["x"], True)
        for _ in range(2):
            with pytest.raises(APIError, match=r"^GET /items: the address of the next page"):
                page.get_next_page()
        return None

    with Server() as server:
        server.plays(answer({"data": ["x"], "next": address}, headers=links))
        using(flavour, work, base_url=server.url)
        assert len(server.requests) == 1
