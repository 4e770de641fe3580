"""Bodies that are read while they are sent: from disk, from files, from iterators."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Collection,
    Iterable,
    Iterator,
    Sequence,
)
from pathlib import Path
from typing import IO, Protocol, TypeGuard, cast

import anyio.to_thread
import httpx2

__all__ = ["Upload", "source"]

CHUNK = 64 * 1024


class Source(Protocol):
    """One piece of content that a body is made of."""

    length: int | None
    """How many bytes it has, if that is known."""
    spent: bool
    """Whether it has begun and cannot begin again."""
    blocks: bool
    """Whether reading it waits for a disk or the like."""

    def chunks(self) -> Iterator[bytes]:
        """Read it from its beginning."""
        ...


class _Bytes:
    spent = False
    blocks = False

    def __init__(self, content: bytes) -> None:
        self.length: int | None = len(content)
        self._content = content

    def chunks(self) -> Iterator[bytes]:
        if self._content:
            yield self._content


class _OnDisk:
    """A file that is named by its path; opened for each attempt."""

    spent = False
    blocks = True

    def __init__(self, path: Path) -> None:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(f"{path} is a directory, not a file")
        self.length: int | None = (
            status.st_size if stat.S_ISREG(status.st_mode) else None
        )
        self._path = path

    def chunks(self) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            while chunk := file.read(CHUNK):
                yield chunk


class _Open:
    """A file that the caller has open; read from where it stands, and left open."""

    blocks = True

    def __init__(self, file: IO[bytes]) -> None:
        if isinstance(file, io.TextIOBase):
            raise TypeError("a file is sent as bytes: open it in binary mode")
        self._file = file
        self._start: int | None = None
        self.length: int | None = None
        self.spent = False
        try:
            self._start = file.tell()
            self.length = max(file.seek(0, os.SEEK_END) - self._start, 0)
            file.seek(self._start)
        except (AttributeError, OSError, ValueError):
            self._start = None  # A pipe or a socket: it passes only once.

    def chunks(self) -> Iterator[bytes]:
        _refuse_twice(self)
        if self._start is None:
            self.spent = True
        else:
            self._file.seek(self._start)
        while chunk := self._file.read(CHUNK):
            yield chunk


class _Pieces:
    """An iterable of bytes; an iterator passes only once."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.length: int | None = None
        self.blocks = not isinstance(pieces, Collection)  # which is all there already
        self._pieces = pieces
        self._once = isinstance(pieces, Iterator)
        self.spent = False

    def chunks(self) -> Iterator[bytes]:
        _refuse_twice(self)
        self.spent = self._once
        for piece in self._pieces:
            yield _checked(piece)


class _AsyncPieces:
    """An asynchronous iterable of bytes; an iterator passes only once."""

    blocks = False

    def __init__(self, pieces: AsyncIterable[bytes]) -> None:
        self.length: int | None = None
        self._pieces = pieces
        self._once = isinstance(pieces, AsyncIterator)
        self.spent = False

    def chunks(self) -> Iterator[bytes]:
        raise TypeError("only an asynchronous client reads an asynchronous iterable")

    def achunks(self) -> AsyncIterator[bytes]:
        _refuse_twice(self)
        self.spent = self._once
        return aiter(self._pieces)


def _refuse_twice(source: Source) -> None:
    if source.spent:
        raise ValueError(
            "the body was read while it was sent and cannot be sent again:"
            " pass bytes, a path or a file that can be rewound"
        )


def _checked(piece: object) -> bytes:
    if not isinstance(piece, bytes | bytearray):
        kind = type(piece).__name__
        raise TypeError(f"the pieces of a body are bytes, not {kind}")
    return bytes(piece)


def source(content: object) -> Source:
    """Make a source of what a caller gave.

    Raises TypeError for what cannot be sent, and OSError for a path that leads to no
    file.
    """
    match content:
        case bytes() | bytearray():
            return _Bytes(bytes(content))
        case str():
            raise TypeError("a file is bytes or a path; for a path, use pathlib.Path")
        case os.PathLike():
            return _OnDisk(Path(cast("os.PathLike[str]", content)))
        case _ if _is_file(content):
            return _Open(content)
        case AsyncIterable():
            return _AsyncPieces(cast("AsyncIterable[bytes]", content))
        case Iterable():
            return _Pieces(cast("Iterable[bytes]", content))
        case _:
            raise TypeError(f"cannot send {type(content).__name__!r} as a file")


def _is_file(content: object) -> TypeGuard[IO[bytes]]:
    return callable(getattr(content, "read", None)) and not isinstance(
        content, AsyncIterable
    )


class Upload(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A body that is read while it is sent, again for each attempt if it can be."""

    def __init__(self, sources: Sequence[Source]) -> None:
        """Take the content, piece after piece; nothing is read yet."""
        self._sources = sources
        lengths = [source.length for source in sources]
        known = [length for length in lengths if length is not None]
        self.length = sum(known) if len(known) == len(lengths) else None
        """How many bytes the body has, if that is known beforehand."""

    @property
    def spent(self) -> bool:
        """Whether some of it has been read that cannot be read again."""
        return any(source.spent for source in self._sources)

    def check_sync(self) -> None:
        """Raise TypeError if only an asynchronous client can send it."""
        if any(isinstance(source, _AsyncPieces) for source in self._sources):
            raise TypeError("an asynchronous iterator needs an asynchronous client")

    def __iter__(self) -> Iterator[bytes]:
        """Read it from its beginning."""
        for source in self._sources:
            yield from source.chunks()

    def __aiter__(self) -> AsyncIterator[bytes]:
        """Read it from its beginning, without keeping an event loop from its work."""
        return _Reading(self._sources)


class _Reading:
    """Reads the sources of a body one by one.

    Not an asynchronous generator: event loops end those in an order of their own.
    """

    def __init__(self, sources: Sequence[Source]) -> None:
        self._left = iter(sources)
        self._current: Source | None = None
        self._chunks: Iterator[bytes] = iter(())
        self._achunks: AsyncIterator[bytes] | None = None

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        while True:
            chunk = await self._next()
            if chunk is not None:
                return chunk
            following = next(self._left, None)
            if following is None:
                raise StopAsyncIteration
            self._current, self._achunks = following, None
            if isinstance(following, _AsyncPieces):
                self._achunks = following.achunks()
            else:
                self._chunks = following.chunks()

    async def _next(self) -> bytes | None:
        if self._achunks is not None:
            piece = await anext(self._achunks, None)
            return None if piece is None else _checked(piece)
        if self._current is not None and self._current.blocks:
            return await anyio.to_thread.run_sync(next, self._chunks, None)
        return next(self._chunks, None)
