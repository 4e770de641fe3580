"""What can be uploaded, and how the parts of a form that are files are told."""

from __future__ import annotations

import os
from collections.abc import AsyncIterable, Iterable, Mapping
from typing import IO, TypeAlias

from ._omit import Wrapped

__all__ = ["FileContent", "FileInput", "FilePart", "FileParts"]

FileContent: TypeAlias = (
    bytes | os.PathLike[str] | IO[bytes] | Iterable[bytes] | AsyncIterable[bytes]
)
"""The content of a file: bytes, a path (``pathlib.Path``), a file that is open in
binary mode, or an iterator of pieces. All but bytes are read while they are sent, and
never kept in memory as a whole. An asynchronous iterator needs an asynchronous client.
"""

FileInput: TypeAlias = (
    FileContent
    | tuple[str | None, FileContent]
    | tuple[str | None, FileContent, str | None]
    | tuple[str | None, FileContent, str | None, Mapping[str, str]]
)
"""A file in a form: its content, alone or after its name, before its media type and
before further headers of its part: ``(name, content, media type, headers)``.
"""


_NO_HEADERS: Mapping[str, str] = {}


class FilePart(Wrapped):
    """A part of a form that is a file, a :data:`FileInput`, as the API declares it."""

    __slots__ = ("headers", "media_types")

    def __init__(
        self,
        value: object,
        media_types: tuple[str, ...] = (),
        headers: Mapping[str, str] = _NO_HEADERS,
    ) -> None:
        """Take a file, or an iterable of files.

        Of the ``media_types`` that the API takes, the first is the default. ``headers``
        are those of the part that always have the same value.
        """
        super().__init__(value)
        self.media_types = media_types
        self.headers = headers


class FileParts(FilePart):
    """An array of files in a form, :data:`FileInput` each, as the API declares it."""

    __slots__ = ()
