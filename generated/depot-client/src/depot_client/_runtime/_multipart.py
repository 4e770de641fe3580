"""Forms with files: objects as ``multipart/form-data`` (RFC 7578)."""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

import pydantic

from ._files import FilePart, FileParts
from ._forms import field_text, items_of
from ._styles import Encoded, Styled, is_array, is_object, plain, unescaped
from ._uploads import Source, Upload, source

__all__ = ["is_file", "multipart"]

UNNAMED = "upload"
"""The name of a file that came without one: without any, servers take it for text."""

_ESCAPES = {ord('"'): "%22", ord("\r"): "%0D", ord("\n"): "%0A"}
"""How names are written in headers (WHATWG HTML, section 4.10.21.8)."""


def multipart(fields: Mapping[str, object]) -> tuple[bytes | Upload, str]:
    """Write the fields of a form; give the body and its boundary.

    Files are :class:`FilePart` and :class:`FileParts`. Of the rest, an object is a part
    in JSON, what has content like a file is one, and else a part is text; an array is
    one part for each item. What is None or ``omit`` is left out. Without content that
    has to be read while it is sent, the body is bytes.

    Raises TypeError and ValueError for what cannot be sent, and OSError for a path that
    leads to no file.
    """
    boundary = os.urandom(16).hex()
    pieces: list[Source] = []
    text = bytearray()
    for head, content in _parts(fields):
        text += f"--{boundary}\r\n".encode() + head
        if isinstance(content, bytes):
            text += content
        else:
            pieces += [source(bytes(text)), content]
            text.clear()
        text += b"\r\n"
    text += f"--{boundary}--\r\n".encode()
    if not pieces:
        return bytes(text), boundary
    return Upload([*pieces, source(bytes(text))]), boundary


def _parts(fields: Mapping[str, object]) -> Iterator[tuple[bytes, bytes | Source]]:
    """Give each part: its headers with the empty line, and its content."""
    for name, value in fields.items():
        match value:
            case Styled():
                for key, written in unescaped(name, value):
                    yield _head(key), written.encode()
            case FileParts():
                if value.value is not None and not value.is_omitted:
                    for file in cast("Iterable[object]", value.value):
                        yield _declared(name, file, value)
            case FilePart():
                if value.value is not None and not value.is_omitted:
                    yield _declared(name, value.value, value)
            case _ if is_file(value):
                yield _file(name, value, (), {})
            case _:
                for item in items_of(value):
                    yield _item(name, item)


def _declared(
    name: str, file: object, part: FilePart | FileParts
) -> tuple[bytes, bytes | Source]:
    """Give a file, or the object that the description lets stand in its place."""
    if isinstance(file, Mapping | pydantic.BaseModel):
        return _item(name, cast("object", file))
    return _file(name, file, part.media_types, part.headers)


def _item(name: str, item: object) -> tuple[bytes, bytes | Source]:
    if isinstance(item, Encoded):
        if is_file(item.value):
            return _file(name, item.value, (item.media_type,), {})
        return _head(name, media_type=item.media_type), item.document().encode()
    if is_file(item):
        return _file(name, item, (), {})
    value = plain(item)
    media_type = "application/json" if is_object(value) or is_array(value) else None
    return _head(name, media_type=media_type), field_text(name, item).encode()


def is_file(value: object) -> bool:
    """Whether a value of which nothing is declared is a file by what it is."""
    if isinstance(value, tuple):
        given = cast("tuple[object, ...]", value)
        named = 2 <= len(given) <= 4 and isinstance(given[0], str | None)
        return named and is_file(given[1])
    if isinstance(value, bytes | bytearray | os.PathLike):
        return True
    return callable(getattr(value, "read", None))


def _file(
    name: str, file: object, media_types: tuple[str, ...], headers: Mapping[str, str]
) -> tuple[bytes, bytes | Source]:
    filename: object = None
    media_type: object = None
    if isinstance(file, tuple):
        given = cast("tuple[object, ...]", file)
        if not 2 <= len(given) <= 4:
            raise TypeError(
                f"{name}: a file is its content, or a tuple of its name, its content,"
                " its media type and headers"
            )
        filename, content, media_type, more = (*given, None, None)[:4]
        if not isinstance(filename, str | None):
            raise TypeError(f"{name}: the first of a tuple is the name of a file")
        headers = {**headers, **cast("Mapping[str, str]", more or {})}
    else:
        content = file
    filename = filename or _name_of(content) or UNNAMED
    kind = str(media_type or _chosen(str(filename), media_types))
    head = _head(name, str(filename), kind, headers)
    if isinstance(content, bytes | bytearray):
        return head, bytes(content)
    return head, source(content)


def _name_of(content: object) -> str | None:
    if isinstance(content, os.PathLike):
        return os.path.basename(os.fspath(cast("os.PathLike[str]", content)))
    name: object = getattr(content, "name", None)
    return os.path.basename(name) if isinstance(name, str) else None


def _chosen(filename: str, media_types: tuple[str, ...]) -> str:
    """Choose the media type of a file: of those declared, the one that its name says."""
    guessed = mimetypes.guess_type(filename)[0]
    ranges = [m.removesuffix("*") for m in media_types if m.endswith("*")]
    if guessed is not None:
        if (
            not media_types
            or guessed in media_types
            or guessed.startswith(tuple(ranges))
        ):
            return guessed
    exact = (m for m in media_types if not m.endswith("*"))
    return next(exact, "application/octet-stream")


def _head(
    name: str,
    filename: str | None = None,
    media_type: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> bytes:
    """Write the headers of a part, and the empty line after them.

    Raises ValueError for a header that would not end with its line.
    """
    lines = [f'Content-Disposition: form-data; name="{name.translate(_ESCAPES)}"']
    if filename is not None:
        lines[0] += f'; filename="{filename.translate(_ESCAPES)}"'
    if media_type is not None:
        lines.append(f"Content-Type: {media_type}")
    lines += [f"{key}: {value}" for key, value in (headers or {}).items()]
    if any("\r" in line or "\n" in line for line in lines):
        raise ValueError(f"a header of the part {name!r} holds a line break")
    return "\r\n".join([*lines, "", ""]).encode()
