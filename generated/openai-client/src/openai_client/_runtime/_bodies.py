"""The body of a call: what was given, as the bytes of its media type."""

from __future__ import annotations

import os
from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, TypeAlias, cast

from . import _json
from ._omit import Omit, complete, unless_omitted
from ._options import Body, Request
from ._styles import FORM, is_json

if TYPE_CHECKING:
    from ._uploads import Upload

__all__ = ["Alternatives", "Content", "body_bytes", "content_of"]

Content: TypeAlias = "bytes | Upload | None"
"""A body that is ready to be sent, or None where there is none."""

OCTETS = "application/octet-stream"


class Alternatives:
    """What the body is in each media type that the caller can choose."""

    __slots__ = ("_by_type", "_optional")

    def __init__(
        self, by_type: Mapping[str, object], *, optional: bool = False
    ) -> None:
        """Take the bodies by media type, or by a range of those such as ``image/*``.

        An ``optional`` one is not sent when none of its properties is given.
        """
        self._by_type = by_type
        self._optional = optional

    def chosen(self, kind: str | None) -> object:
        """Give the body in a media type.

        Raises ValueError for another media type, and TypeError for an argument that is
        missing.
        """
        listed = _among(self._by_type, kind or "")
        if listed is None:
            known = ", ".join(self._by_type)
            raise ValueError(f"content_type must be one of {known}, not {kind!r}")
        body = self._by_type[listed]
        if self._optional and isinstance(body, dict):
            return unless_omitted(cast("dict[str, object]", body))
        return complete(body)


def _among(media_types: Container[str], kind: str) -> str | None:
    """Find a media type in a list, or the closest range that it is in."""
    main, _, sub = kind.partition("/")
    if "*" in kind or not sub:
        return None
    ranges = (kind, f"{main.lower()}/*", "*/*", "*")
    return next((one for one in ranges if one in media_types), None)


def content_of(request: Request) -> tuple[Content, str | None]:
    """Encode the body of a call, with what the caller adds to it.

    Gives the body and its media type, None where that is plain JSON. Raises ValueError
    for what the media type cannot express, TypeError for a missing argument and for
    additions to a body that has no properties, and OSError for a file that is not there.
    """
    added = (request.options.body if request.options else None, request.extra_body)
    kind, content = request.content_type, request.content
    if isinstance(content, Omit) and (kind is None or is_json(kind)):
        return body_bytes(request.json, *added), kind
    if isinstance(content, Alternatives):
        content = content.chosen(kind)
    kind = kind or OCTETS
    if is_json(kind) and not _is_file(content):
        return body_bytes(content, *added), kind
    extras = [extra for extra in added if extra]
    if isinstance(content, Mapping) or (extras and isinstance(content, Omit)):
        fields: dict[str, object] = {}
        if isinstance(content, Mapping):
            fields.update(cast("Mapping[str, object]", content))
        for extra in extras:
            fields.update(extra)
        return _form(fields, kind)
    if extras:
        raise TypeError("extra_body needs a body that has properties")
    return _opaque(content, kind)


def _is_file(content: object) -> bool:
    """Whether what is sent as any media type, which may be JSON, is its document."""
    return isinstance(content, bytes | bytearray | os.PathLike) or hasattr(
        content, "read"
    )


def _form(fields: Mapping[str, object], kind: str) -> tuple[Content, str]:
    if kind.startswith(FORM):
        from ._forms import form_pairs  # whoever sends no forms need not load it

        return form_pairs(fields).encode(), kind
    if kind.startswith("multipart/form-data"):
        from ._multipart import multipart

        body, boundary = multipart(fields)
        return body, f"{kind}; boundary={boundary}"
    raise TypeError(f"an object cannot be written as {kind}")


def _opaque(content: object, kind: str) -> tuple[Content, str]:
    match content:
        case Omit():
            return None, kind
        case str():
            is_plain = kind.startswith("text/") and "charset" not in kind
            return content.encode(), f"{kind}; charset=utf-8" if is_plain else kind
        case bytes() | bytearray():
            return bytes(content), kind
        case _:
            from ._uploads import Upload, source

            return Upload([source(content)]), kind


def body_bytes(json: object, *extras: Body | None) -> bytes | None:
    """Encode a JSON body once, whatever number of times it is sent.

    Properties of ``extras`` replace those of ``json`` or come after them; those that
    are ``omit`` are left out. Without any of these there is no body. Raises ValueError
    for what JSON cannot express, and TypeError for ``extras`` where ``json`` is not an
    object.
    """
    added = [extra for extra in extras if extra]
    if isinstance(json, Omit):
        if not added:
            return None
        json = {}
    if isinstance(json, Mapping):
        # No list of pairs in between: bodies can be wide, and their values lazy.
        properties = dict(cast("Mapping[str, object]", json))
        for extra in added:
            properties.update(extra)
        json = {k: v for k, v in properties.items() if not isinstance(v, Omit)}
    elif added:
        raise TypeError("extra_body needs a body that is a JSON object")
    return _json.encode(json)
