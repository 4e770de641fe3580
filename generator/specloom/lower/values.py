"""Values of a description against its types: defaults that are no such thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never, cast

from .. import ir

Types = Mapping[ir.TypeId, ir.Declaration]


def fits(value: object, type_: ir.Type, types: Types | None = None) -> bool:
    """Whether a JSON value is of a type.

    ``types`` has the declarations that it mentions; what has none there is taken on trust.
    """
    return _fits(value, type_, types or {}, frozenset())


def _fits(value: object, type_: ir.Type, types: Types, passed: frozenset[ir.TypeId]) -> bool:
    """Whether a value fits a type; ``passed`` are the names that have led here from it."""

    def inside(each: object, inner: ir.Type) -> bool:
        return _fits(each, inner, types, frozenset())

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
                inside(each, item) for each in cast(list[object], value)
            )
        case ir.Tuple(places, rest):
            items = cast(list[object], value) if isinstance(value, list) else None
            return items is not None and all(
                inside(each, places[index] if index < len(places) else rest)
                for index, each in enumerate(items)
            )
        case ir.Map(inner):
            return isinstance(value, dict) and all(
                inside(each, inner) for each in cast(dict[str, object], value).values()
            )
        case ir.Union(members):
            return any(_fits(value, member, types, passed) for member in members)
        case ir.Ref(target):
            declared = types.get(target)
            if declared is None:
                return True
            if isinstance(declared, ir.Model):
                return isinstance(value, dict) and _fits_model(
                    cast(dict[str, object], value), declared, types
                )
            onward = passed | {target}
            return target not in passed and _fits(value, declared.type, types, onward)
        case ir.Unknown():
            return True
        case ir.Never():
            return False
        case _:
            assert_never(type_)


def _fits_model(value: dict[str, object], model: ir.Model, types: Types) -> bool:
    declared = {p.name: p for p in model.properties}
    return all(
        fits(each, declared[name].type if name in declared else model.additional, types)
        for name, each in value.items()
    )
