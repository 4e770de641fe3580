"""Conjunction of types: what satisfies both of two declarations of one property."""

from __future__ import annotations

from .. import ir
from .unions import union, without_null

_LOWER_BOUNDS = frozenset("minimum exclusiveMinimum minLength minItems minProperties".split())
_UPPER_BOUNDS = frozenset("maximum exclusiveMaximum maxLength maxItems maxProperties".split())


def intersection(first: ir.Type, second: ir.Type) -> ir.Type | None:
    """Return the type of the values that both types have, or None where that has no type.

    Null survives if both admit it.
    """
    bare = _bare(without_null(first), without_null(second))
    if bare is None:
        return None
    both = without_null(first) != first and without_null(second) != second
    return union([bare, ir.NULL]) if both else bare


def _bare(first: ir.Type, second: ir.Type) -> ir.Type | None:
    if first == second or second == ir.UNKNOWN:
        return first
    match first, second:
        case ir.Unknown(), _:
            return second
        case ir.Primitive(), ir.Primitive() if first.kind == second.kind:
            limits = _limits(first.constraints, second.constraints)
            return ir.Primitive(first.kind, second.format or first.format, limits)
        case ir.Primitive("number"), ir.Primitive("integer"):
            return ir.Primitive(
                "integer", second.format, _limits(first.constraints, second.constraints)
            )
        case ir.Literal(), ir.Literal():
            common = tuple(v for v in first.values if v in second.values)
            return ir.Literal(common) if common else None
        case ir.Literal(), ir.Primitive():
            return first
        case ir.Primitive(), ir.Literal():
            return second
        case ir.Array(), ir.Array():
            item = intersection(first.item, second.item)
            limits = _limits(first.constraints, second.constraints)
            return None if item is None else ir.Array(item, limits)
        case _:
            return None


def _limits(first: ir.Constraints, second: ir.Constraints) -> ir.Constraints:
    """Return the limits of both; where both limit the same way, the tighter."""
    merged = dict(first)
    for keyword, value in second:
        if keyword in merged and keyword in _LOWER_BOUNDS | _UPPER_BOUNDS:
            numbers = [ir.value_of(merged[keyword]), ir.value_of(value)]
            if all(isinstance(n, int | float) for n in numbers):
                value = ir.constant(max(numbers) if keyword in _LOWER_BOUNDS else min(numbers))
        merged[keyword] = value
    return tuple(merged.items())
