"""Parameters on the wire: each where it belongs, each as it is declared."""

from __future__ import annotations

import httpx2
import pytest

from .callers import Flavour, http_client
from .made import Send
from .server import Server, answer

PARCEL = answer({"id": "p"})


def test_k1_every_place_at_once(send: Send, server: Server) -> None:
    server.plays(PARCEL)
    send().run(
        lambda c: c.parcels.find(
            id="a/b ü",
            fields=["x", "y,z"],
            filter={"size": {"min": 1}, "tags": ["a", "b"], "none": None},
            x_ids=[1, 2],
            session="s 1",
            prefs={"lang": "de", "size": "l"},
        )
    )
    request = server.request
    assert request.path == "/v1/parcels/a%2Fb%20%C3%BC"
    assert request.target.partition("?")[2] == (
        "fields=x,y%2Cz"
        "&filter%5Bsize%5D%5Bmin%5D=1&filter%5Btags%5D%5B%5D=a&filter%5Btags%5D%5B%5D=b"
    )
    assert request.header("X-Ids") == "1,2"
    assert request.header("Cookie") == "session=s%201; lang=de; size=l"


def test_k2_what_is_not_given_is_not_sent(send: Send, server: Server) -> None:
    server.plays(PARCEL)
    send().run(lambda c: c.parcels.find(id="p"))
    assert server.request.target == "/v1/parcels/p"
    assert server.request.header("Cookie") is None
    assert server.request.header("X-Ids") is None


@pytest.mark.parametrize("id_", ["", ".", ".."])
def test_k3_a_path_that_would_lead_elsewhere_is_refused(
    send: Send, server: Server, id_: str
) -> None:
    with pytest.raises(ValueError, match="segment"):
        send().run(lambda c: c.parcels.find(id=id_))
    assert server.requests == []


def test_k4_a_style_in_the_path(send: Send, server: Server) -> None:
    server.plays(answer(status=204))
    send().run(lambda c: c.parcels.route(id="p", route=["a", "b;c"]))
    assert server.request.path == "/v1/parcels/p/routes/;route=a;route=b%3Bc"


def test_k5_the_whole_query_is_one_form(send: Send, server: Server) -> None:
    server.plays(answer(status=204))
    caller = send(default_query={"v": 1})
    caller.run(lambda c: c.parcels.search(q="a + b", near={"lat": 1.5}, extra_query={"x": 2}))
    assert server.request.target == "/v1/search?q=a%20%2B%20b&near%5Blat%5D=1.5&v=1&x=2"


def test_k6_cookies_join_those_of_the_client_and_of_the_call(send: Send, server: Server) -> None:
    server.plays(PARCEL)
    caller = send(default_headers={"Cookie": "theme=dark; session=old"})
    caller.run(lambda c: c.parcels.find(id="p", session="new"))
    assert server.request.header("Cookie") == "theme=dark; session=new"


def test_k7_cookies_join_those_of_a_given_http_client(
    send: Send, server: Server, flavour: Flavour
) -> None:
    server.plays(PARCEL)
    cookies = httpx2.Cookies({"stored": "1", "session": "old"})
    caller = send(http_client=http_client(flavour, cookies=cookies))
    caller.run(lambda c: c.parcels.find(id="p", session="new"))
    assert sorted((server.request.header("Cookie") or "").split("; ")) == [
        "session=new",
        "stored=1",
    ]


@pytest.mark.parametrize(
    "arguments", [{"fields": [b"x"]}, {"prefs": {"a": "b;c"}}, {"x_ids": {"a": 1}}]
)
def test_k8_what_a_style_cannot_write_is_refused(
    send: Send, server: Server, arguments: dict[str, object]
) -> None:
    with pytest.raises(ValueError):
        send().run(lambda c: c.parcels.find(id="p", **arguments))
    assert server.requests == []
