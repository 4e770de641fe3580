"""Encoding of request bodies as JSON.

Bodies are built of plain dicts and lists nearly always, so the standard library's C
encoder walks them, and Python code runs only for what it does not know: models,
iterables, dates, and :data:`omit` deep inside a value.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import cast
from uuid import UUID

import pydantic
from pydantic_core import to_jsonable_python

from ._formats import text_of
from ._models import BaseModel
from ._omit import Omit


class _Omitted(Exception):
    """Raised out of the encoder when it meets ``omit``, which it cannot leave out."""


def encode(value: object) -> bytes:
    """Encode a value as compact JSON in UTF-8; the value is not changed.

    Besides what JSON has: models of this client (what the server left out stays out)
    and other pydantic models, mappings, any iterable as an array, dates, times, UUIDs,
    decimals and durations as text, enums as their values, bytes as base64. Members of
    objects and arrays that are ``omit`` are left out.

    Raises ValueError for NaN, infinities, lone surrogates and circular references, and
    TypeError for what JSON has no word for.
    """
    plain = _Plain()
    try:
        text = _encoder(plain).encode(value)
    except _Omitted:
        text = _encoder(plain).encode(_without_omit(value, plain))
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        # Not chained: the original holds the whole body, which may be confidential.
        code = ord(text[error.start])
        raise ValueError(
            f"the request body holds a lone surrogate (U+{code:04X}), "
            "which is not a character and cannot be sent"
        ) from None


def _encoder(default: Callable[[object], object]) -> json.JSONEncoder:
    return json.JSONEncoder(
        ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=default
    )


class _Plain:
    """Turns a value that JSON does not know into one that it does, one level deep.

    Iterables are remembered: a generator gives its items only once, but encoding
    starts over when there is something to omit.
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, list[object]]] = {}

    def __call__(self, value: object) -> object:
        match value:
            case Omit():
                raise _Omitted
            case BaseModel():
                return value.to_dict()
            case pydantic.BaseModel():
                return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
            case Mapping():
                return dict(cast("Mapping[object, object]", value))
            case Enum():
                return cast("object", value.value)
            case date() | time() | UUID() | Decimal():  # a datetime is a date
                return text_of(value)
            case timedelta():
                return cast("object", to_jsonable_python(value))
            case bytes() | bytearray():
                return base64.b64encode(bytes(value)).decode("ascii")
            case Iterable():
                return self._items(cast("Iterable[object]", value))
            case _:
                raise TypeError(f"cannot send {type(value).__name__!r} as JSON")

    def _items(self, value: Iterable[object]) -> list[object]:
        if id(value) not in self._kept:
            # The value too, lest another one get its identity.
            self._kept[id(value)] = value, list(value)
        return self._kept[id(value)][1]


def _without_omit(value: object, plain: _Plain) -> object:
    """Copy a value, leaving out the members that are ``omit``."""
    match value:
        case dict():
            members = cast("dict[object, object]", value)
            return {
                name: _without_omit(member, plain)
                for name, member in members.items()
                if not isinstance(member, Omit)
            }
        case list() | tuple():
            items = cast("Iterable[object]", value)
            return [
                _without_omit(item, plain)
                for item in items
                if not isinstance(item, Omit)
            ]
        case str() | int() | float() | None:
            return value
        case Omit():
            raise ValueError("omit stands for a member of an object, not for a body")
        case _:
            return _without_omit(plain(value), plain)
