"""Limits of the IR as the keywords of pydantic's ``Field``, which models carry."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, assert_never

from pydantic_core import SchemaError, SchemaValidator
from pydantic_core import core_schema as cs

from .. import ir
from .literals import literal, raw

Limited = ir.Primitive | ir.Array | ir.Tuple | ir.Map

OBJECTS: Mapping[str, str] = {
    "date-time": "dt.datetime",
    "date": "dt.date",
    "time": "dt.time",
    "uuid": "UUID",
    "decimal": "Decimal",
}
"""The formats of strings that are objects in Python, with their annotations."""


def is_object(type_: ir.Primitive) -> bool:
    """Whether a scalar is text that Python has an object for."""
    return type_.kind == "string" and type_.format in OBJECTS


def is_unique(type_: ir.Type) -> bool:
    """Whether no two items of a list may be equal."""
    return isinstance(type_, ir.Array | ir.Tuple) and (
        dict(type_.constraints).get("uniqueItems") == ir.constant(True)
    )


def arguments(type_: Limited, standalone: bool = False) -> list[str]:
    """Return the limits of a type as arguments of ``Field``.

    Patterns are those of the description. A ``standalone`` type can meet pydantic as it is, and
    pydantic has no lookahead: such a pattern is compiled by ``re`` or, where that is not possible,
    left out.
    """
    limits = {keyword: ir.value_of(value) for keyword, value in type_.constraints}
    match type_:
        case ir.Primitive("string") if is_object(type_):
            return []
        case ir.Primitive("string"):
            return [*_lengths(limits, "Length"), *_pattern(limits, standalone)]
        case ir.Primitive("integer"):
            return list(_integers(limits))
        case ir.Primitive("number"):
            return [f"{name}={literal(bound)}" for name, bound in _numbers(limits)]
        case ir.Primitive():
            return []
        case ir.Array():
            return list(_lengths(limits, "Items"))
        case ir.Tuple(places, rest):
            return list(_row(limits, len(places), ends=rest == ir.NEVER))
        case ir.Map():
            return list(_lengths(limits, "Properties"))
        case _:
            assert_never(type_)


def class_options(model: ir.Model) -> list[str]:
    """Return the limits of an object as keywords of its class."""
    limits = dict(model.constraints)
    found = {
        name: _count(ir.value_of(limits[keyword]))
        for keyword, name in _NUMBERS_OF_PROPERTIES.items()
        if keyword in limits
    }
    return [f"{name}={count}" for name, count in found.items() if count is not None]


_NUMBERS_OF_PROPERTIES = {"minProperties": "min_properties", "maxProperties": "max_properties"}

_NUMERIC: Mapping[str, str] = {
    "minimum": "ge",
    "exclusiveMinimum": "gt",
    "maximum": "le",
    "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
}


def _numbers(limits: Mapping[str, Any]) -> Iterator[tuple[str, int | float]]:
    for keyword, name in _NUMERIC.items():
        bound = _number(limits.get(keyword))
        if bound is not None and (bound > 0 or keyword != "multipleOf"):
            yield name, bound


def _integers(limits: Mapping[str, Any]) -> Iterator[str]:
    """Yield the limits of an integer, as integers: at least 0.5 is at least 1."""
    for name, bound in _numbers(limits):
        if bound == int(bound) or name != "multiple_of":
            whole = math.ceil(bound) if name in ("ge", "lt") else math.floor(bound)
            yield f"{name}={whole}"


def _lengths(limits: Mapping[str, Any], unit: str) -> Iterator[str]:
    least, most = _count(limits.get(f"min{unit}")), _count(limits.get(f"max{unit}"))
    if least:
        yield f"min_length={least}"
    if most is not None:
        yield f"max_length={most}"


def _row(limits: Mapping[str, Any], places: int, ends: bool) -> Iterator[str]:
    """Yield the limits of a tuple; its annotation says already that all places are filled."""
    least, most = _count(limits.get("minItems")) or 0, _count(limits.get("maxItems"))
    if least != places:
        yield f"min_length={least}"
    if most is not None and not (ends and most >= places):
        yield f"max_length={most}"


def _pattern(limits: Mapping[str, Any], standalone: bool) -> Iterator[str]:
    pattern = limits.get("pattern")
    if not isinstance(pattern, str):
        return
    if not standalone or _pydantic_has(pattern):
        yield f"pattern={raw(pattern)}"
    elif _python_has(pattern):
        yield f"pattern=re.compile({raw(pattern)})"


def _pydantic_has(pattern: str) -> bool:
    try:
        SchemaValidator(cs.str_schema(pattern=pattern))
    except SchemaError:
        return False
    return True


def _python_has(pattern: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(pattern)
    except (re.error, Warning, OverflowError, RecursionError):
        return False
    return True


def _count(value: object) -> int | None:
    number = _number(value)
    return None if number is None or number < 0 or number != int(number) else int(number)


def _number(value: object) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, int) or math.isfinite(value) else None
