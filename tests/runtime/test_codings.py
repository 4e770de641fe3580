"""Compressed content: every member of it, and never a part for the whole."""

from __future__ import annotations

import gzip
import random
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from behaviour.plain import call, every_flavour, using
from behaviour.server import AT_ONCE, Server, Step, close, head, http_chunk, sends
from runtime import APIConnectionError, Request, RequestOptions
from runtime._codings import unpack

CONTENT = random.Random(1).randbytes(200_000)


def raw_deflate(content: bytes) -> bytes:
    made = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return made.compress(content) + made.flush()


CODINGS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "x-gzip": ("X-GZip", gzip.compress),
    "zlib": ("deflate", zlib.compress),
    "raw": ("deflate", raw_deflate),
    "both": ("deflate, gzip", lambda content: gzip.compress(zlib.compress(content))),
    "identity": ("identity, gzip", gzip.compress),
}
each_coding = pytest.mark.parametrize("name", CODINGS)


def body(coding: str, content: bytes, framing: str) -> Step:
    """A compressed body with a length, in chunks, or until the connection is closed."""
    lines = {"Content-Encoding": coding, "Content-Type": "application/octet-stream"}
    match framing:
        case "length":
            return sends(head(200, {**lines, "Content-Length": str(len(content))}), content)
        case "chunked":
            pieces = [content[i : i + 7777] for i in range(0, len(content), 7777)]
            chunks = b"".join(map(http_chunk, pieces))
            return sends(
                head(200, {**lines, "Transfer-Encoding": "chunked"}), chunks + b"0\r\n\r\n"
            )
        case _:
            return sends(head(200, {**lines, "Connection": "close"}), content, close)


FRAMINGS = ("length", "chunked", "until closed")
GET = Request("GET", "/file")


@every_flavour
@each_coding
@pytest.mark.parametrize("framing", FRAMINGS)
def test_all_of_it_comes(flavour: str, name: str, framing: str) -> None:
    coding, compress = CODINGS[name]
    with Server() as server:
        server.plays(body(coding, compress(CONTENT), framing))
        assert call(flavour, GET, base_url=server.url) == CONTENT


@every_flavour
@each_coding
@pytest.mark.parametrize("framing", FRAMINGS)
def test_a_part_is_an_error(flavour: str, name: str, framing: str) -> None:
    coding, compress = CODINGS[name]
    with Server() as server:
        server.plays(body(coding, compress(CONTENT)[:100_000], framing))
        with pytest.raises(APIConnectionError, match="compressed answer breaks off"):
            call(flavour, GET, base_url=server.url, max_retries=0)


@every_flavour
def test_what_broke_off_is_asked_for_again(flavour: str) -> None:
    whole = gzip.compress(CONTENT)
    with Server() as server:
        server.plays(body("gzip", whole[:-1], "until closed"), body("gzip", whole, "length"))
        assert call(flavour, GET, base_url=server.url) == CONTENT


@every_flavour
def test_a_part_does_not_become_a_file(flavour: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    options = RequestOptions(mode="streamed")

    def written(client: Any) -> Any:
        opened = client.send(Request("GET", "/file", options=options), httpx2.Response)
        return opened.write_to(path) if flavour == "sync" else later(opened)

    async def later(opened: Any) -> None:
        await (await opened).write_to(path)

    with Server() as server:
        server.plays(body("gzip", gzip.compress(CONTENT)[:-4], "length"))
        with pytest.raises(APIConnectionError, match="breaks off"):
            using(flavour, written, base_url=server.url)
    assert list(tmp_path.iterdir()) == []


@every_flavour
@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_members_of_gzip_follow_one_another(flavour: str, size: int) -> None:
    members = gzip.compress(b"abc") + gzip.compress(b"") + gzip.compress(b"def")
    chunks = [members[i : i + size] for i in range(0, len(members), size)]
    lines = {"Content-Encoding": "gzip", "Transfer-Encoding": "chunked"}
    with Server() as server:
        sent = b"".join(map(http_chunk, chunks)) + b"0\r\n\r\n"
        server.plays(sends(head(200, lines), sent))
        assert call(flavour, GET, base_url=server.url) == b"abcdef"


@pytest.mark.parametrize("size", [1, 2, 1000])
@each_coding
def test_pieces_may_be_of_any_size(name: str, size: int) -> None:
    coding, compress = CODINGS[name]
    content = CONTENT[:3000]
    assert unpacked(coding, compress(content), size) == content


def unpacked(coding: str, content: bytes, size: int = 1000) -> bytes:
    pieces = [content[i : i + size] for i in range(0, len(content), size)]
    request = httpx2.Request("GET", "http://h/")
    response = httpx2.Response(
        200, headers={"Content-Encoding": coding}, content=iter(pieces), request=request
    )
    unpack(response)
    return response.read()


@each_coding
def test_nothing_at_all_is_not_broken(name: str) -> None:
    assert unpacked(CODINGS[name][0], b"") == b""


@pytest.mark.parametrize("rest", [b"\0\0\0", b"garbage"])
@pytest.mark.parametrize("name", ["gzip", "zlib"])
def test_what_follows_the_end_is_passed_over(name: str, rest: bytes) -> None:
    coding, compress = CODINGS[name]
    assert unpacked(coding, compress(b"abc") + rest) == b"abc"
    assert unpacked(coding, compress(b"abc") + rest, 1) == b"abc"


@pytest.mark.parametrize("name", ["gzip", "zlib"])
def test_what_is_damaged_is_an_error(name: str) -> None:
    coding, compress = CODINGS[name]
    damaged = compress(CONTENT)[:-4] + b"\1\2\3\4"
    with pytest.raises(httpx2.DecodingError):
        unpacked(coding, damaged)


def test_a_bomb_is_inflated_piece_by_piece() -> None:
    bomb = gzip.compress(b"\0" * 20_000_000)
    request = httpx2.Request("GET", "http://h/")
    response = httpx2.Response(
        200, headers={"Content-Encoding": "gzip"}, content=iter([bomb]), request=request
    )
    unpack(response)
    sizes = [len(piece) for piece in response.iter_bytes()]
    assert sum(sizes) == 20_000_000
    assert max(sizes) <= 1024 * 1024


def test_codings_that_are_not_ours_are_left_to_httpx2() -> None:
    assert unpacked("unknown", b"abc") == b"abc"
    with pytest.raises(httpx2.DecodingError, match="more than 5"):
        unpacked(", ".join(["gzip"] * 6), b"abc")


@every_flavour
def test_the_error_of_an_api_may_be_compressed(flavour: str) -> None:
    said = gzip.compress(b'{"message": ') + gzip.compress(b'"no"}')
    lines = {"Content-Encoding": "gzip", "Content-Length": str(len(said)), **AT_ONCE}
    with Server() as server:
        server.plays(sends(head(422, lines), said))
        with pytest.raises(Exception, match=r"422 Unprocessable.*: no"):
            call(flavour, GET, base_url=server.url)
