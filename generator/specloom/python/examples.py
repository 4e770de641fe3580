"""A first call, for the README: required arguments with values that fit their types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from .. import ir
from .literals import literal

Types = Mapping[ir.TypeId, ir.Declaration]
_DEEPEST = 6


def first_call(needed: Sequence[tuple[str, ir.Type | None]], types: Types) -> str:
    """Return the arguments that a call must give, as they stand between its parentheses.

    What has no type is bytes.
    """
    return ", ".join(
        f"{name}={_BYTES if type_ is None else literal(_value(type_, types, 0))}"
        for name, type_ in needed
    )


def _value(type_: ir.Type, types: Types, depth: int) -> object:
    """Return a value of a type; what nests too deep, as recursive types may, is left empty."""
    match type_:
        case ir.Primitive("string", format_):
            return _TEXTS.get(format_ or "", "...")
        case ir.Primitive("integer"):
            return 1
        case ir.Primitive("number"):
            return 1.0
        case ir.Primitive("boolean"):
            return True
        case ir.Primitive():
            return None
        case ir.Literal(values):
            return ir.value_of(values[0])
        case ir.Array(item):
            return [_value(item, types, depth + 1)] if depth < _DEEPEST else []
        case ir.Tuple(places):
            return [_value(place, types, depth + 1) for place in places] if depth < _DEEPEST else []
        case ir.Map():
            return {}
        case ir.Union(members):
            listed = [m for m in members if isinstance(m, ir.Literal)]
            return _value((listed or members)[0], types, depth)
        case ir.Ref(target):
            return _declared(types[target], types, depth + 1)
        case ir.Unknown():
            return {}
        case ir.Never():
            return None
        case _:
            assert_never(type_)


_BYTES = 'b"..."'
_TEXTS = {"date": "2026-01-31", "date-time": "2026-01-31T12:00:00Z", "uri": "https://example.com"}


def _declared(declared: ir.Declaration, types: Types, depth: int) -> object:
    match declared:
        case ir.Alias():
            return _value(declared.type, types, depth) if depth < _DEEPEST else None
        case ir.Model():
            required = (p for p in declared.properties if p.required and p.access != "read")
            return (
                {p.name: _value(p.type, types, depth) for p in required} if depth < _DEEPEST else {}
            )
