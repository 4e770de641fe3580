"""Headers of answers, read as the types that an API declares for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import httpx2

from ._decoder import decoder_of, parse
from ._models import BaseModel
from ._shapes import (
    Anything,
    Items,
    Nullable,
    Property,
    Record,
    Shape,
    Values,
    kinds,
    resolve,
)

__all__ = ["read_headers"]

M = TypeVar("M", bound=BaseModel)


def read_headers(headers: httpx2.Headers, model: type[M]) -> M:
    """Read headers as a model whose properties are named like them, in any case.

    Tolerantly, as content is read: what is missing reads as None, and what has another
    type stays text.
    """
    decoder = decoder_of(model)
    record = resolve(decoder.shape)
    properties: Mapping[str, Property] = {}
    if isinstance(record, Record):
        properties = record.properties
    values: dict[str, object] = {}
    for name, declared in properties.items():
        texts = headers.get_list(name)
        if texts:
            values[name] = _value(declared.shape, ", ".join(texts))
    return decoder.decode_value(values)


def _value(shape: Shape, text: str) -> object:
    """Read one value (OpenAPI's ``simple`` style), or JSON where that is declared."""
    declared = resolve(shape)
    if isinstance(declared, Nullable):
        return _value(declared.inner, text)
    if isinstance(declared, Items):
        items = (item.strip() for item in text.split(","))
        return [_value(declared.item, item) for item in items if item]
    found = kinds(declared)
    if "string" in found or not found & {"boolean", "integer", "number", "object"}:
        return text
    try:
        return parse(text.encode())
    except ValueError:
        members = _members(text) if "object" in found else None
    if members is None:
        return text
    return {name: _value(_member(declared, name), each) for name, each in members}


def _members(text: str) -> Sequence[tuple[str, str]] | None:
    """Take an object in the ``simple`` style apart; None where that is not one.

    Its members are ``R=100,G=200``, or ``R,100,G,200`` where it is not exploded.
    """
    parts = [part.strip() for part in text.split(",")]
    if all("=" in part for part in parts):
        return [(name, value) for name, _, value in (p.partition("=") for p in parts)]
    if len(parts) % 2 or text.startswith(("{", "[")):  # which is JSON, if not all of it
        return None
    return list(zip(parts[::2], parts[1::2], strict=True))


def _member(shape: Shape, name: str) -> Shape:
    match shape:
        case Record(properties=properties) if name in properties:
            return properties[name].shape
        case Record(extra=extra):
            return extra
        case Values(value):
            return value
        case _:
            return Anything()
