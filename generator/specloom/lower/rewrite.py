"""Types with their uses replaced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from .. import ir
from .unions import union


def rewrite(type_: ir.Type, use: Callable[[ir.Ref], ir.Type]) -> ir.Type:
    """Return a type with each reference replaced by what ``use`` says, in normal form."""
    match type_:
        case ir.Ref():
            return use(type_)
        case ir.Array(item, constraints):
            return ir.Array(rewrite(item, use), constraints)
        case ir.Tuple(places, rest, constraints):
            inside = tuple(rewrite(place, use) for place in places)
            return ir.Tuple(inside, rewrite(rest, use), constraints)
        case ir.Map(value, constraints):
            return ir.Map(rewrite(value, use), constraints)
        case ir.Union(members, tagging):
            result = union(rewrite(m, use) for m in members)
            if tagging is None or not isinstance(result, ir.Union):
                return result
            return replace(result, tagging=_retagged(tagging, use))
        case ir.Primitive() | ir.Literal() | ir.Unknown() | ir.Never():
            return type_
        case _:
            assert_never(type_)


def _retagged(tagging: ir.Tagging, use: Callable[[ir.Ref], ir.Type]) -> ir.Tagging:
    members: list[tuple[str, ir.TypeId]] = []
    for value, target in tagging.members:
        used = use(ir.Ref(target))
        members.append((value, used.target if isinstance(used, ir.Ref) else target))
    return replace(tagging, members=tuple(members))


def map_declaration(
    declared: ir.Declaration, change: Callable[[ir.Type], ir.Type]
) -> ir.Declaration:
    """Return a declaration with ``change`` applied to each type it holds."""
    match declared:
        case ir.Alias():
            return replace(declared, type=change(declared.type))
        case ir.Model():
            properties = tuple(replace(p, type=change(p.type)) for p in declared.properties)
            return replace(declared, properties=properties, additional=change(declared.additional))


def map_operation(operation: ir.Operation, change: Callable[[ir.Type], ir.Type]) -> ir.Operation:
    """Return an operation with ``change`` applied to each type it holds."""

    def body(value: ir.Body | None) -> ir.Body | None:
        return replace(value, type=change(value.type)) if isinstance(value, ir.Json) else value

    stream = operation.streaming
    return replace(
        operation,
        parameters=tuple(replace(p, type=change(p.type)) for p in operation.parameters),
        body=body(operation.body),
        responses=tuple(replace(r, body=body(r.body)) for r in operation.responses),
        streaming=None if stream is None else replace(stream, event=change(stream.event)),
    )
