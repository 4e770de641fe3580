"""Values of a description against its types: defaults that are no such thing."""

from __future__ import annotations

from typing import assert_never, cast

from .. import ir


def fits(value: object, type_: ir.Type) -> bool:
    """Whether a JSON value is of a type; what a reference leads to is taken on trust."""
    match type_:
        case ir.Primitive("string"):
            return isinstance(value, str)
        case ir.Primitive("boolean"):
            return isinstance(value, bool)
        case ir.Primitive("null"):
            return value is None
        case ir.Primitive("integer"):
            whole = isinstance(value, float) and value.is_integer()
            return (isinstance(value, int) or whole) and not isinstance(value, bool)
        case ir.Primitive():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case ir.Literal(values):
            return ir.constant(value) in values
        case ir.Array(item):
            return isinstance(value, list) and all(
                fits(each, item) for each in cast(list[object], value)
            )
        case ir.Tuple(places, rest):
            items = cast(list[object], value) if isinstance(value, list) else None
            return items is not None and all(
                fits(each, places[index] if index < len(places) else rest)
                for index, each in enumerate(items)
            )
        case ir.Map(inner):
            return isinstance(value, dict) and all(
                fits(each, inner) for each in cast(dict[str, object], value).values()
            )
        case ir.Union(members):
            return any(fits(value, member) for member in members)
        case ir.Ref() | ir.Unknown():
            return True
        case ir.Never():
            return False
        case _:
            assert_never(type_)
