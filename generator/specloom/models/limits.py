"""Limits of values as pydantic can check them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from .. import ir

_COUNTS = {"minLength": "string", "maxLength": "string", "minItems": "array", "maxItems": "array"}
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")


def checkable(constraints: ir.Constraints, kind: str) -> Iterator[tuple[str, ir.Constant]]:
    """Yield the limits of values of one ``type`` that pydantic takes as they are written.

    They stay in the prose, all of them. A pattern must be one to Python too: in a model with one
    that only Python has, all are Python's.
    """
    for keyword, text in constraints:
        value = ir.value_of(text)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool):
            continue
        if keyword in _COUNTS:
            fits = kind == _COUNTS[keyword] and isinstance(value, int) and value >= 0
        elif keyword in _BOUNDS:
            fits = _is_bound(keyword, value, kind)
        else:
            fits = keyword == "pattern" and kind == "string" and _is_pattern(value)
        if fits:
            yield keyword, ir.constant(value)


def _is_bound(keyword: str, value: object, kind: str) -> bool:
    """Whether a number bounds numbers: whole numbers of 64 bits by one of their own."""
    if not isinstance(value, int | float) or not math.isfinite(value):
        return False
    if kind == "integer" and (not isinstance(value, int) or value.bit_length() > 63):
        return False
    return kind in ("integer", "number") and (keyword != "multipleOf" or value > 0)


def _is_pattern(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        re.compile(value)
    except (re.error, OverflowError, RecursionError):
        return False
    return True
