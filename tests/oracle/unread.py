"""Whether a client read a value as it is declared: as models where these are declared.

A value that conforms but stays a plain dictionary has none of the attributes that its annotation
promises, and nobody is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from specloom.description.values import is_list, is_mapping

from .readers import Reader


def unread(value: object, read: object, reader: Reader, *, alike: bool = True) -> list[str]:
    """Return the places of a conforming value that were not read as what is declared there.

    Unless ``alike``, an object counts as read when it fits only branches of a union that declare
    none of its properties: a client takes it for the branch that it resembles.
    """
    return list(
        _unread(value, read, reader.decoder.shape, reader if alike else reader.lenient, "$")
    )


def _unread(value: object, read: Any, shape: Any, reader: Reader, path: str) -> Iterator[str]:
    shape = reader.shapes.resolve(shape)
    match type(shape).__name__:
        case "Record" if is_mapping(value):
            if not isinstance(read, shape.model):
                yield f"{path}: {type(read).__name__} in place of {shape.model.__name__}"
                return
            yield from _in_record(value, read, shape, reader, path)
        case "Tagged" if is_mapping(value):
            member = shape.member(value)
            if member is not None:
                yield from _unread(value, read, member, reader, path)
        case "Nullable" if value is not None:
            yield from _unread(value, read, shape.inner, reader, path)
        case "Items" | "Row" | "Values" if isinstance(read, BaseModel):
            yield f"{path}: {type(read).__name__} in place of a list or dictionary"
        case "Items" if is_list(value):
            for index, (one, each) in enumerate(zip(value, read, strict=True)):
                yield from _unread(one, each, shape.item, reader, f"{path}[{index}]")
        case "Values" if is_mapping(value):
            for name, one in value.items():
                yield from _unread(one, read[name], shape.value, reader, f"{path}.{name}")
        case "Choice":
            fitting = [one for one in shape.members if reader.conforms(value, one)]
            if reader.takes_the_like and is_mapping(value):
                fitting = [one for one in fitting if _declares(one, value, reader)]
            found = [list(_unread(value, read, one, reader, path)) for one in fitting]
            if found and all(found):
                yield from min(found, key=len)
        case _:
            return


def _in_record(
    value: dict[str, object], read: BaseModel, shape: Any, reader: Reader, path: str
) -> Iterator[str]:
    fields = {f.alias or name: name for name, f in type(read).model_fields.items()}
    for name, declared in shape.properties.items():
        if name in value:
            held = getattr(read, fields[name])
            yield from _unread(value[name], held, declared.shape, reader, f"{path}.{name}")


def _declares(shape: Any, value: dict[str, object], reader: Reader) -> bool:
    """Whether a shape declares one of the properties that an object has."""
    records = reader.shapes.records(shape)
    return any(not value.keys().isdisjoint(record.properties) for record in records)
