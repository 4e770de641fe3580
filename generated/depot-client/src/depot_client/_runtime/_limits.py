"""Limits on values that a description declares beyond their types.

They are JSON Schema's (Validation, section 6), by the names that pydantic has for them:
``ge gt le lt multiple_of`` of numbers, ``min_length max_length pattern`` of strings,
``min_length max_length unique`` of arrays and ``min_length max_length`` of objects.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterator, Mapping, Sized
from decimal import Context, Decimal
from typing import Any, TypeAlias, cast

Limits: TypeAlias = tuple[tuple[str, Any], ...]
"""Names of limits, each with its bound."""


def broken(value: object, limits: Limits) -> Iterator[str]:
    """Say which limits a value breaks: ``expected at most 64 characters, got 70``.

    The value is of the kind that the limits are for.
    """
    for name, bound in limits:
        holds, words = _RULES[name]
        if not holds(value, bound):
            yield "expected " + words.format(bound, *_counted(value, bound))


def within(value: object, limits: Limits) -> bool:
    """Whether a value keeps to all limits."""
    return all(_RULES[name][0](value, bound) for name, bound in limits)


# Quotients of doubles have up to 632 digits.
_EXACT = Context(prec=700)


def _is_multiple(value: float, of: float) -> bool:
    """Whether one number is a multiple of another, as they are written.

    0.3 is a multiple of 0.1 in a description, though not in binary.
    """
    if isinstance(value, int) and isinstance(of, int):
        return of != 0 and value % of == 0
    try:
        return not _EXACT.remainder(Decimal(str(value)), Decimal(str(of)))
    except ArithmeticError:  # no numbers at all: NaN, infinity
        return False


def _has_no_twins(value: list[object], wanted: bool) -> bool:
    return not wanted or len({_identity(item) for item in value}) == len(value)


def _identity(value: object) -> str:
    """Return a text that two values share if they are equal to JSON (1 and 1.0 are)."""
    return json.dumps(_with_whole_numbers(value), sort_keys=True)


def _with_whole_numbers(value: object) -> object:
    match value:
        case dict():
            members = cast("dict[str, object]", value)
            return {name: _with_whole_numbers(one) for name, one in members.items()}
        case list():
            return [_with_whole_numbers(one) for one in cast("list[object]", value)]
        case float() if value.is_integer():
            return int(value)
        case _:
            return value


def _matches(value: str, pattern: str) -> bool:
    """Whether an expression is found somewhere in a string, as it is not anchored."""
    from ._patterns import compiled  # for those who have limits checked

    found = compiled(pattern)
    return found is None or found.search(value) is not None


_RULES: Mapping[str, tuple[Callable[[Any, Any], bool], str]] = {
    "ge": (operator.ge, "at least {}"),
    "gt": (operator.gt, "more than {}"),
    "le": (operator.le, "at most {}"),
    "lt": (operator.lt, "less than {}"),
    "multiple_of": (_is_multiple, "a multiple of {}"),
    "min_length": (lambda value, bound: len(value) >= bound, "at least {} {}, got {}"),
    "max_length": (lambda value, bound: len(value) <= bound, "at most {} {}, got {}"),
    "pattern": (_matches, "text that matches {}"),
    "unique": (_has_no_twins, "no item twice"),
}

LIMITS = tuple(_RULES)
"""The names of all limits."""

_COUNTED: Mapping[type[object], tuple[str, str]] = {
    str: ("character", "characters"),
    list: ("item", "items"),
    dict: ("property", "properties"),
}


def _counted(value: object, bound: object) -> tuple[object, ...]:
    """Return what a value has so many of, as the bound has it, and how many it has."""
    words = _COUNTED.get(type(value))
    if words is None:
        return ()
    return words[bound != 1], len(cast("Sized", value))
