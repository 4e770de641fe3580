"""Reading the declared shapes out of pydantic's core schemas.

Pydantic has resolved every annotation into these: references, aliases, unions,
optional and annotated types have one form each. They are read before ``_tolerance``
rewrites them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from ._formats import FORMATS
from ._limits import LIMITS, Limits
from ._shapes import (
    Anything,
    Choice,
    Items,
    Listed,
    Named,
    Nothing,
    Nullable,
    Property,
    Record,
    Row,
    Scalar,
    Shape,
    Tagged,
    Text,
    Values,
)

Node = Mapping[str, Any]
"""A pydantic core schema, read as the plain dictionary that it is."""

DECLARED = "declared"
"""Where a tolerant schema keeps the one that it was made of."""

IMPOSSIBLE = "impossible"
"""The mark of a schema for which no value is declared."""

UNIQUE = "unique"
"""The mark of an array without equal items."""

LISTED = "listed"
"""The mark of a number, an array or an object of which only a few are declared."""

OPTIONAL = "optional"
"""The mark of a tagged union whose values may come without the tag."""

FALLBACK = "fallback"
"""The mark of a union of a tagged union and of what other tags stand for."""


def shape_of(node: Node) -> Shape:
    """Read the shape out of a core schema that declares it."""
    match node["type"]:
        case "float" | "list" | "dict" if LISTED in node.get("metadata", {}):
            return Listed(node["metadata"][LISTED])
        case "str" | "int" | "float" | "bool" | "none" as kind:
            scalar, limits = _SCALARS[kind], limits_of(node)
            return scalar._replace(limits=limits) if limits else scalar
        case "literal":
            return Listed(tuple(node["expected"]))
        case "nullable":
            return Nullable(shape_of(node["schema"]))
        case "list":
            return Items(_shape_at(node, "items_schema"), limits_of(node))
        case "dict":
            return Values(_shape_at(node, "values_schema"), limits_of(node))
        case "tuple":
            return _row(node)
        case "union" if FALLBACK in node.get("metadata", {}):
            tagged, fallback = map(shape_of, members(node))
            return cast("Tagged", tagged)._replace(fallback=fallback)
        case "union":
            return Choice(tuple(shape_of(member) for member in members(node)))
        case "tagged-union" if isinstance(node["discriminator"], str):
            choices = cast("Mapping[str, Node]", node["choices"])
            by_tag = {tag: shape_of(member) for tag, member in choices.items()}
            optional = OPTIONAL in node.get("metadata", {})
            untagged = Choice(tuple(by_tag.values())) if optional else None
            return Tagged(node["discriminator"], by_tag, untagged=untagged)
        case "definition-ref":
            return Named(node["schema_ref"])
        case "any" if IMPOSSIBLE in node.get("metadata", {}):
            return Nothing()
        case kind if kind in FORMATS:
            return Text(FORMATS[kind])
        case _ if "schema" in node:
            return shape_of(node["schema"])
        case _:
            return Anything()


def members(union: Node) -> list[Node]:
    """The members of a union schema, without their labels."""
    choices = cast("list[Node | tuple[Node, str]]", union["choices"])
    return [choice[0] if isinstance(choice, tuple) else choice for choice in choices]


class Whole(NamedTuple):
    """What is declared of an object as a whole; a ``closed`` one declares all of it."""

    model: type[object]
    closed: bool
    limits: Limits


def record_of(whole: Whole, fields: Node) -> Record:
    """Read the declared properties out of a ``model-fields`` schema."""
    properties: dict[str, Property] = {}
    for name, field in cast("Mapping[str, Node]", fields["fields"]).items():
        wire = field.get("validation_alias", name)
        if isinstance(wire, str):
            schema = field["schema"]
            required = schema["type"] != "default"
            properties[wire] = Property(shape_of(schema), required)
    extra = Nothing() if whole.closed else _shape_at(fields, "extras_schema")
    return Record(whole.model, properties, extra, whole.limits)


def fields_of(schema: dict[str, Any]) -> dict[str, Any] | None:
    """The ``model-fields`` schema of a model, below whatever wraps it."""
    while schema["type"] != "model-fields":
        if "schema" not in schema:
            return None
        schema = schema["schema"]
    return schema


def reference(schema: Node) -> str:
    """The reference of a model or alias, below what may be wrapped around it."""
    for key in ("ref", "schema_ref"):
        if isinstance(ref := schema.get(key), str):
            return ref
    return reference(schema["schema"])


def limits_of(node: Node) -> Limits:
    """Read the limits that a schema sets beyond its type."""
    found = {name: node[name] for name in LIMITS if name in node}
    if UNIQUE in node.get("metadata", {}):
        found[UNIQUE] = True
    pattern: object = found.get("pattern")
    if isinstance(pattern, re.Pattern):
        found["pattern"] = cast("re.Pattern[str]", pattern).pattern
    return tuple(found.items())


class Places(NamedTuple):
    """The items of a ``tuple`` schema."""

    first: list[Node]
    rest: Node | None


def places_of(node: Node) -> Places:
    """Take apart a ``tuple`` schema, of which the last item may stand for many."""
    places = cast("list[Node]", node["items_schema"])
    variadic = cast("int | None", node.get("variadic_item_index"))
    if variadic is None:
        return Places(places, None)
    return Places(places[:variadic], places[variadic])


_SCALARS: Mapping[str, Scalar] = {
    "str": Scalar("string"),
    "int": Scalar("integer"),
    "float": Scalar("number"),
    "bool": Scalar("boolean"),
    "none": Scalar("null"),
}


def _shape_at(node: Node, key: str) -> Shape:
    return shape_of(node[key]) if key in node else Anything()


def _row(node: Node) -> Shape:
    first, rest = places_of(node)
    limits = dict(limits_of(node))
    least = limits.pop("min_length", len(first))
    shapes = tuple(map(shape_of, first))
    if not shapes and rest is not None:
        return Items(shape_of(rest), limits_of(node))
    after = Nothing() if rest is None else shape_of(rest)
    return Row(shapes, after, least, tuple(limits.items()))
