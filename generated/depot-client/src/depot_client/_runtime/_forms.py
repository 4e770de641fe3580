"""Forms: objects as ``application/x-www-form-urlencoded`` (WHATWG URL, section 5)."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping

from . import _json
from ._omit import Omit
from ._styles import (
    Encoded,
    Styled,
    escaped,
    is_array,
    is_object,
    pair,
    pairs,
    plain,
    text,
)

__all__ = ["field_text", "form_pairs", "items_of"]

_IN_FORM = "#[]&+"


def form_pairs(fields: Mapping[str, object]) -> str:
    """Write the fields of a form, without what is None or ``omit``.

    A field without a style is text, or JSON if it is an object, and an array is one
    pair for each item (OpenAPI, Encoding Object). Raises ValueError for what has no
    such form.
    """
    return "&".join(
        written for name, value in fields.items() for written in _field(name, value)
    )


def _field(name: str, value: object) -> Iterator[str]:
    if isinstance(value, Styled):
        yield from pairs(name, value, escaped(value, _IN_FORM))
    else:
        for item in items_of(value):
            yield pair(name, field_text(name, item))


def items_of(value: object) -> Iterator[object]:
    """Give the items of a field: those of an array, or the value itself."""
    if isinstance(value, Encoded):
        for item in items_of(value.value):
            yield value.around(item)
        return
    value = plain(value)
    if is_array(value):
        yield from (item for item in value if not _is_absent(item))
    elif not _is_absent(value):
        yield value


def _is_absent(value: object) -> bool:
    return value is None or isinstance(value, Omit)


def field_text(name: str, value: object) -> str:
    """Write one item of a field as text."""
    if isinstance(value, Encoded):
        return value.document()
    value = plain(value)
    if is_object(value) or is_array(value):
        return _json.encode(value).decode()
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode("ascii")
    return text(f"form field {name!r}", value)
