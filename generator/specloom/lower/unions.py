"""Unions in normal form, and how their members are told apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .. import ir


def union(members: Iterable[ir.Type]) -> ir.Type:
    """Return the union of types in normal form.

    Nested unions are flattened, equal members kept once, constants gathered into one literal,
    and null put last; a union with a member that accepts everything is that member, one that
    accepts nothing is left out, and a union of one is its member.
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
    if flat.keys() - {ir.NEVER}:
        flat.pop(ir.NEVER, None)
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
