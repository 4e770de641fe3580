"""Scalars and constants: the leaves of types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .. import ir
from . import keywords
from .nodes import Node
from .unions import union


def scalar(
    kind: Literal["string", "integer", "number", "boolean"], schema: Node, limits: frozenset[str]
) -> ir.Primitive:
    """Return a scalar with its format and with those of its limits that ``limits`` names."""
    format_ = schema.get("format")
    refined = format_ if isinstance(format_, str) else None
    return ir.Primitive(kind, refined, keywords.constraints(schema, limits))


def literals(values: Sequence[object]) -> ir.Type:
    """Return the constants of an enum, null apart."""
    constants = tuple(dict.fromkeys(ir.constant(v) for v in values if v is not None))
    members: list[ir.Type] = [ir.Literal(constants)] if constants else []
    if any(v is None for v in values):
        members.append(ir.NULL)
    return union(members)
