"""Headers of answers, read as the types that an API declares for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import httpx2

from ._decoder import decoder_of, parse
from ._models import BaseModel
from ._shapes import Items, Nullable, Property, Record, Shape, kinds, resolve

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
        return text
