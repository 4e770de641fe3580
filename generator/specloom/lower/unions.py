"""Unions in normal form, and how their members are told apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import assert_never

from .. import ir


def union(members: Iterable[ir.Type]) -> ir.Type:
    """Return the union of types in normal form.

    Nested unions are flattened, equal members kept once, constants gathered into one literal,
    and null put last; a union with a member that accepts everything is that member, and a union
    of one is its member.
    """
    flat: dict[ir.Type, None] = {}
    constants: dict[ir.Constant, None] = {}
    tagging: ir.Tagging | None = None
    for member in _flattened(members):
        match member:
            case ir.Literal(values):
                constants |= dict.fromkeys(values)
                flat.setdefault(_LITERAL)
            case ir.Union():
                tagging = tagging or member.tagging
            case _:
                flat.setdefault(member)
    if ir.UNKNOWN in flat:
        return ir.UNKNOWN
    ordered = [m for m in flat if m != ir.NULL] + [m for m in flat if m == ir.NULL]
    final = tuple(ir.Literal(tuple(constants)) if m is _LITERAL else m for m in ordered)
    match final:
        case ():
            return ir.UNKNOWN
        case (only,):
            return only
        case _:
            return ir.Union(final, tagging)


_LITERAL = ir.Literal(())
"""Stands where the gathered constants will stand: at the place of the first of them."""


def _flattened(members: Iterable[ir.Type]) -> Iterable[ir.Type]:
    for member in members:
        if isinstance(member, ir.Union):
            yield member  # for its tagging
            yield from member.members
        else:
            yield member


def without_null(type_: ir.Type) -> ir.Type:
    """Return a type less null; null alone stays."""
    if isinstance(type_, ir.Union):
        return union([replace(type_, members=tuple(m for m in type_.members if m != ir.NULL))])
    return type_


def infer_tags(type_: ir.Type, types: Mapping[ir.TypeId, ir.Declaration]) -> ir.Type:
    """Return a type whose unions are tagged where their members allow it.

    The members must all be objects (other kinds of JSON value aside), and share a required
    property whose values are constants of which no two members have one in common.
    """
    match type_:
        case ir.Array(item, constraints):
            return ir.Array(infer_tags(item, types), constraints)
        case ir.Tuple(places, rest, constraints):
            inside = tuple(infer_tags(place, types) for place in places)
            return ir.Tuple(inside, infer_tags(rest, types), constraints)
        case ir.Map(value, constraints):
            return ir.Map(infer_tags(value, types), constraints)
        case ir.Union(members, None):
            tagged = tuple(infer_tags(m, types) for m in members)
            return ir.Union(tagged, _tagging(tagged, types))
        case ir.Union() | ir.Primitive() | ir.Literal() | ir.Ref() | ir.Unknown() | ir.Never():
            return type_
        case _:
            assert_never(type_)


def _tagging(
    members: tuple[ir.Type, ...], types: Mapping[ir.TypeId, ir.Declaration]
) -> ir.Inferred | None:
    refs = [m.target for m in members if isinstance(m, ir.Ref)]
    models = [d for r in refs if isinstance(d := types[r], ir.Model)]
    if len(models) < 2 or len(models) < len(refs):
        return None
    if any(isinstance(m, ir.Map) for m in members):
        return None  # an object of any keys could carry any tag
    for candidate in models[0].properties:
        pairs: list[tuple[str, ir.TypeId]] = []
        for model in models:
            for value in _tags(model, candidate.name):
                pairs.append((value, model.id))
        covered = {id_ for _, id_ in pairs}
        values = [value for value, _ in pairs]
        if len(covered) == len(models) and len(set(values)) == len(values):
            return ir.Inferred(candidate.name, tuple(pairs))
    return None


def _tags(model: ir.Model, name: str) -> list[str]:
    """Return the constants of a required property, if it has only text constants."""
    for prop in model.properties:
        if prop.name == name and prop.required and isinstance(prop.type, ir.Literal):
            values = [ir.value_of(v) for v in prop.type.values]
            return [v for v in values if isinstance(v, str)] if values else []
    return []
