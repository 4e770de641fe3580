"""Compressed content: all of it, or an error.

httpx2 takes what has come of a compressed body for the whole, and of several members of
gzip the first.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import httpx2

__all__ = ["unpack"]

PIECE = 1024 * 1024
"""How much is inflated at once: a few bytes can stand for very many."""

MOST = 5
"""How many codings one body may have."""

GZIP = zlib.MAX_WBITS | 16
ZLIB = zlib.MAX_WBITS
RAW = -zlib.MAX_WBITS

MAGIC = b"\x1f"
"""What each member of gzip begins with (RFC 1952, section 2.3.1)."""


class _Plain:
    """Content that is not compressed."""

    def decode(self, data: bytes) -> tuple[bytes]:
        """Give the next bytes as they are."""
        return (data,)

    def flush(self) -> tuple[()]:
        """Take the end of the body."""
        return ()


class _Gzip:
    """Members of gzip, one after another (RFC 1952, section 2.2)."""

    def __init__(self) -> None:
        self._member: Any = None
        self._is_over = False

    def decode(self, data: bytes) -> Iterator[bytes]:
        """Inflate the next bytes; what follows the members is passed over."""
        while data and not self._is_over:
            if self._member is None or self._member.eof:
                if self._member is not None and not data.startswith(MAGIC):
                    self._is_over = True
                    return
                self._member = zlib.decompressobj(GZIP)
            yield from _inflated(self._member, data)
            data = self._member.unused_data

    def flush(self) -> Iterator[bytes]:
        """Take the end of the body; an empty one has no member."""
        if self._member is not None and not self._member.eof:
            raise _broken()
        yield from ()


class _Deflate:
    """What zlib makes (RFC 1950), or its inside alone, as some servers send it."""

    def __init__(self) -> None:
        self._head = b""
        self._stream: Any = None

    def decode(self, data: bytes) -> Iterator[bytes]:
        """Inflate the next bytes; what follows the end is passed over."""
        if self._stream is None:
            data = self._head = self._head + data
            if len(data) < 2:
                return
            is_whole = data[0] & 15 == 8 and int.from_bytes(data[:2]) % 31 == 0
            self._stream = zlib.decompressobj(ZLIB if is_whole else RAW)
        if not self._stream.eof:
            yield from _inflated(self._stream, data)

    def flush(self) -> Iterator[bytes]:
        """Take the end of the body, which may be empty."""
        if self._head and (self._stream is None or not self._stream.eof):
            raise _broken()
        yield from ()


class _Several:
    """Codings that were applied to one another; the last one is taken off first."""

    def __init__(self, codings: list[_Gzip | _Deflate]) -> None:
        self._codings = codings

    def decode(self, data: bytes) -> Iterator[bytes]:
        """Take all codings off the next bytes."""
        pieces: Iterable[bytes] = (data,)
        for coding in self._codings:
            pieces = _decoded(coding, pieces)
        yield from pieces

    def flush(self) -> Iterator[bytes]:
        """Take the end of the body."""
        for coding in self._codings:
            yield from coding.flush()


_PLAIN = _Plain()
_CODINGS: dict[str, type[_Gzip | _Deflate]] = {
    "gzip": _Gzip,
    "x-gzip": _Gzip,
    "deflate": _Deflate,
}
"""Codings by their names (RFC 9110, section 8.4.1); httpx2 knows the others."""


def unpack(response: httpx2.Response) -> None:
    """Have the content of a response, which nobody has read yet, decompressed here."""
    # Where httpx2 keeps what it would otherwise make for this.
    kept = vars(response)
    if "content-encoding" not in response.headers:
        kept["_decoder"] = _PLAIN
        return
    stated = response.headers["content-encoding"].lower()
    names = [name.strip() for name in stated.split(",")]
    names = [name for name in names if name not in ("", "identity")]
    if not names or len(names) > MOST or not all(name in _CODINGS for name in names):
        return
    codings = [_CODINGS[name]() for name in reversed(names)]
    kept["_decoder"] = codings[0] if len(codings) == 1 else _Several(codings)


def _inflated(stream: Any, data: bytes) -> Iterator[bytes]:
    try:
        while piece := stream.decompress(data, PIECE):
            yield piece
            data = stream.unconsumed_tail
    except zlib.error as error:
        raise httpx2.DecodingError(str(error)) from error


def _decoded(coding: _Gzip | _Deflate, pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        yield from coding.decode(piece)


def _broken() -> httpx2.RemoteProtocolError:
    return httpx2.RemoteProtocolError("The compressed answer breaks off.")
