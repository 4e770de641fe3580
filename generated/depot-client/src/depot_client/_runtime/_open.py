"""Annotations that say to a reader what a server may do, and to checkers what to expect."""

from __future__ import annotations

from typing import (
    Annotated,
    Any,
    TypeAlias,
    TypeVar,
    Unpack,
    cast,
    get_args,
    get_origin,
)

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema
from pydantic_core import core_schema as cs

from ._declared import IMPOSSIBLE, LISTED, UNIQUE

_T = TypeVar("_T")


class _Listed:
    """Marks ``Literal[...] | str``: only the literal is declared."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Build the schema of the literal; called by pydantic."""
        return handler.generate_schema(get_args(source)[0])


class _NotNull:
    """Marks ``T | None``: only ``T`` is declared, None stands for absence."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Build the schema without null; called by pydantic."""
        schema = handler(source)
        return schema["schema"] if schema["type"] == "nullable" else schema


class _Unique:
    """Marks an array of which no two items are equal."""

    unique = True

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Build the schema of the array, marked; called by pydantic."""
        schema = handler(source)
        marks = {UNIQUE: True, "pydantic_js_updates": {"uniqueItems": True}}
        marked = {**schema, "metadata": {**schema.get("metadata", {}), **marks}}
        return cast("CoreSchema", marked)


class OneOf:
    """``Annotated[float, OneOf(0.5, 1.5)]`` reads as ``float``: Python has no literal
    types of such numbers, nor of arrays and objects, and a value that is not listed
    counts as a deviation from the description."""

    def __init__(self, *values: object) -> None:
        """Take the values that are declared."""
        self.values = values

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Build the schema of the value, marked; called by pydantic."""
        schema = handler(source)
        listed = {"pydantic_js_updates": {"enum": list(self.values)}}
        marks = {LISTED: self.values, **listed}
        marked = {**schema, "metadata": {**schema.get("metadata", {}), **marks}}
        return cast("CoreSchema", marked)


class _Impossible:
    """Marks what is not to be there."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Build the schema of anything, marked; called by pydantic."""
        marks = {IMPOSSIBLE: True, "pydantic_js_functions": [_no_value]}
        return cs.any_schema(metadata=marks)


class _OpenTuple:
    """Marks a tuple with further items of one type, which pydantic does not know."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Build the schema of the tuple; called by pydantic."""
        *first, rest = get_args(source)
        items = [handler.generate_schema(place) for place in first]
        items.append(handler.generate_schema(unpacked(rest)))
        return cs.tuple_schema(items, variadic_item_index=len(first))


def unpacked(place: object) -> object:
    """The type of the items that ``*tuple[T, ...]`` stands for; None for others."""
    if get_origin(place) is Unpack:
        (place,) = get_args(place)
    elif not getattr(place, "__unpacked__", False):
        return None
    item, _ = get_args(place)
    return cast("object", item)


def _no_value(_schema: object, _handler: object) -> dict[str, object]:
    """Describe what is not to be there; called by pydantic."""
    return {"not": {}}


Maybe: TypeAlias = Annotated[_T | None, _NotNull()]
"""``Maybe[str]`` reads as ``str | None``: a property that the server may leave out, and
that is None then. A null in its place counts as a deviation from the description."""

Open: TypeAlias = Annotated[_T | str, _Listed()]
"""``Open[Literal["a", "b"]]`` reads as ``Literal["a", "b"] | str``: checkers complete
the listed values and accept every other text, and a value that is not listed counts as
a deviation from the description all the same."""

Unique: TypeAlias = Annotated[_T, _Unique()]
"""``Unique[list[str]]`` reads as ``list[str]``; an item that is there twice counts as a
deviation from the description."""

Impossible: TypeAlias = Annotated[Any, _Impossible()]
"""``Impossible`` reads as ``Any``: the description says that no value can be there (the
schema ``false``), so that whatever comes counts as a deviation from it."""

OpenTuple: TypeAlias = Annotated[_T, _OpenTuple()]
"""``OpenTuple[tuple[str, *tuple[int, ...]]]`` reads as the tuple: a string, and any
number of integers after it."""
