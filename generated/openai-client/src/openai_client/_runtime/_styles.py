"""How values are written outside of bodies: the table of styles, and what applies it.

The styles and their names are those of OpenAPI 3.2 (Parameter Object, "Style Values").
Most of them are expansions of RFC 6570, section 3.2.1, which takes one algorithm and a
table of what differs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from math import isfinite
from typing import Literal, NamedTuple, TypeAlias, TypeGuard, cast
from urllib.parse import quote
from uuid import UUID

import pydantic

from . import _json
from ._formats import text_of
from ._models import BaseModel
from ._omit import Omit, Wrapped

__all__ = [
    "FORM",
    "ROWS",
    "Encoded",
    "Escape",
    "Style",
    "Styled",
    "escaped",
    "expand",
    "is_array",
    "is_json",
    "is_object",
    "pair",
    "pairs",
    "plain",
    "text",
    "unescaped",
]

Style: TypeAlias = Literal[
    "simple",
    "label",
    "matrix",
    "form",
    "cookie",
    "spaceDelimited",
    "pipeDelimited",
    "tabDelimited",
    "deepObject",
]

Escape: TypeAlias = Callable[[str], str]
"""What makes text fit for the place that it is written to."""


FORM = "application/x-www-form-urlencoded"


class Styled(Wrapped):
    """A value, and the style that the API declares for it."""

    __slots__ = ("explode", "reserved", "style")

    def __init__(
        self,
        value: object,
        style: Style = "form",
        explode: bool | None = None,
        *,
        reserved: bool = False,
    ) -> None:
        """Take a value and say how it is written.

        ``explode`` is whether its items are written apart; None is what the style does.
        ``reserved`` characters of URLs pass as they are.
        """
        super().__init__(value)
        self.style: Style = style
        self.explode = explode
        self.reserved = reserved

    @property
    def apart(self) -> bool:
        """Whether the items of a value are written apart."""
        if self.explode is None:
            return self.style in ("form", "cookie", "deepObject")
        return self.explode


class Encoded(Wrapped):
    """A value that is written whole, as a document of a media type."""

    __slots__ = ("media_type",)

    def __init__(self, value: object, media_type: str = "application/json") -> None:
        """Take a value and the media type that it is written as."""
        super().__init__(value)
        self.media_type = media_type

    def document(self) -> str:
        """Write the document: JSON, a form, or text that is in its form already.

        Raises TypeError and ValueError for what cannot be written.
        """
        if is_json(self.media_type):
            return _json.encode(self.value).decode()
        value = plain(self.value)
        if is_object(value) and self.media_type.startswith(FORM):
            return "&".join(_fields(value))
        if is_object(value) or is_array(value):
            raise TypeError(f"an object cannot be written as {self.media_type}")
        return text(self.media_type, value)


def _fields(value: dict[object, object]) -> Iterator[str]:
    """Write the fields of a form of which nothing is said (OpenAPI, Encoding Object)."""
    for name, inner in value.items():
        given = plain(inner)
        for item in given if is_array(given) else [given]:
            if not _is_nothing(item):
                yield pair(str(name), _inner(str(name), item))


class Row(NamedTuple):
    """How a style writes, in the terms of RFC 6570, appendix A."""

    first: str
    """What comes before everything."""
    between: str
    """What stands between values that are written apart."""
    named: bool
    """Whether the name of the parameter is written."""
    blank: str
    """What follows a name whose value is empty."""
    within: str = ","
    """What stands between the items of a value that is written in one piece."""


ROWS: Mapping[Style, Row] = {
    "simple": Row("", ",", False, "="),
    "label": Row(".", ".", False, "="),
    "matrix": Row(";", ";", True, ""),
    "form": Row("", "&", True, "="),
    "cookie": Row("", "; ", True, "="),
    "spaceDelimited": Row("", "&", True, "=", " "),
    "pipeDelimited": Row("", "&", True, "=", "|"),
    "tabDelimited": Row("", "&", True, "=", "\t"),
    "deepObject": Row("", "&", True, "="),
}

_TRIPLE = re.compile("(%[0-9A-Fa-f]{2})")


def is_json(media_type: str) -> bool:
    """Whether a media type is JSON, whatever else its name says (RFC 6839)."""
    name = media_type.partition(";")[0].strip().lower()
    return name in ("application/json", "text/json") or name.endswith("+json")


def expand(name: str, styled: Styled, escape: Escape) -> str:
    """Write one value, with its name where the style has one.

    A value that is None or has no items is nothing, except in a form, where the name
    is written without a value. Raises ValueError for what the style cannot express.
    """
    row = ROWS[styled.style]
    pieces = list(pairs(name, styled, escape))
    if not pieces:
        return f"{escape(name)}=" if row.named and not row.first else ""
    return row.first + row.between.join(pieces)


def pairs(name: str, styled: Styled, escape: Escape) -> Iterator[str]:
    """Write the pieces of a value that the style sets apart: ``name=value``, mostly.

    There are none of None, ``omit`` and what has no items. Raises ValueError for what
    the style cannot express.
    """
    row = ROWS[styled.style]
    for key, items in _pieces(name, styled):
        # Of the characters that separate items, URLs can only hold the comma.
        within = row.within if row.within == "," else escape(row.within)
        written = within.join(escape(item) for item in items)
        if key is None:
            yield written
        else:
            yield escape(key) + (f"={written}" if written else row.blank)


def pair(name: str, value: str) -> str:
    """Write a name and a value as a query holds them."""
    return f"{quote(name, safe='')}={quote(value, safe='')}"


def unescaped(name: str, styled: Styled) -> Iterator[tuple[str, str]]:
    """Give the (name, value) pairs of a value in a style that has names, as they are.

    Raises ValueError for what the style cannot express.
    """
    row = ROWS[styled.style]
    for key, items in _pieces(name, styled):
        yield key or name, row.within.join(items)


def _pieces(name: str, styled: Styled) -> Iterator[tuple[str | None, list[str]]]:
    """Give what a style sets apart: a name, if one is written, and the items under it."""
    value, row = plain(styled.value), ROWS[styled.style]
    key = name if row.named else None
    if styled.style == "deepObject":
        yield from _deep(name, value)
    elif is_object(value):
        members = {str(k): v for k, v in value.items() if not _is_nothing(v)}
        if styled.apart:
            for member, inner in members.items():
                yield member, [_inner(f"{name}.{member}", inner)]
        elif members:
            found = ((k, _inner(f"{name}.{k}", v)) for k, v in members.items())
            yield key, [part for pair in found for part in pair]
    elif is_array(value):
        items = [_inner(name, item) for item in value if not _is_nothing(item)]
        if styled.apart:
            for item in items:
                yield key, [item]
        elif items:
            yield key, items
    elif not _is_nothing(value):
        yield key, [text(name, value)]


def _inner(name: str, value: object) -> str:
    """Write what is inside of a value: what OpenAPI has no form for there, as JSON."""
    value = plain(value)
    if is_object(value) or is_array(value):
        return _json.encode(value).decode()
    return text(name, value)


def _deep(name: str, value: object) -> Iterator[tuple[str, list[str]]]:
    """Give the leaves of a value, each under the way to it: ``a[b][0][c]``.

    OpenAPI defines this for one level. Further levels follow what servers read: the
    items of an array have no number unless they have members of their own.
    """
    value = plain(value)
    if is_object(value):
        for member, inner in value.items():
            yield from _deep(f"{name}[{member}]", inner)
    elif is_array(value):
        items = [plain(item) for item in value if not _is_nothing(item)]
        numbered = any(is_object(item) or is_array(item) for item in items)
        for index, item in enumerate(items):
            yield from _deep(f"{name}[{index if numbered else ''}]", item)
    elif not _is_nothing(value):
        yield name, [text(name, value)]


def is_object(value: object) -> TypeGuard[dict[object, object]]:
    """Whether a plain value is an object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[object]]:
    """Whether a plain value is an array."""
    return isinstance(value, list)


def plain(value: object) -> object:
    """Make an object a ``dict``, an array a ``list``, and leave the rest as it is."""
    match value:
        case str() | bytes() | bytearray() | dict() | list() | None | Omit():
            return cast("object", value)
        case Enum():
            return cast("object", value.value)
        case BaseModel():
            return value.to_dict()
        case pydantic.BaseModel():
            return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
        case Mapping():
            return dict(cast("Mapping[object, object]", value))
        case Iterable():
            return list(cast("Iterable[object]", value))
        case _:
            return value


def _is_nothing(value: object) -> bool:
    """Whether a value is left out: None, ``omit``, and what has no items."""
    if is_object(value) or is_array(value):
        return not value
    return value is None or isinstance(value, Omit)


def text(what: str, value: object) -> str:
    """Write one value as text, as JSON does where it has a word for it.

    Raises ValueError, which names ``what``, for a value that has no text form.
    """
    if isinstance(value, Enum):
        value = value.value
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case float() if not isfinite(value):
            raise ValueError(f"{what}: {value} is no number that can be sent")
        case int() | float():
            return str(value)
        case date() | time() | UUID() | Decimal():  # a datetime is a date
            return text_of(value)
        case timedelta():
            return _json.encode(value).decode().strip('"')
        case _:
            raise ValueError(f"{what}: a {type(value).__name__} has no text form")


def escaped(styled: Styled, but: str) -> Escape:
    """Choose what percent-encodes a value (RFC 6570, sections 3.2.2 and 3.2.3).

    ``but`` are the reserved characters that would end the value where it stands: they
    are encoded even where reserved characters pass as they are.
    """
    if not styled.reserved:
        return _quoted
    passing = "".join(c for c in ":/?#[]@!$&'()*+,;=" if c not in but)

    def escape(value: str) -> str:
        parts = _TRIPLE.split(value)
        quoted = (
            part if index % 2 else quote(part, safe=passing)
            for index, part in enumerate(parts)
        )
        return "".join(quoted)

    return escape


def _quoted(value: str) -> str:
    return quote(value, safe="")
