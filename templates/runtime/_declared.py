"""Reading the declared shapes out of pydantic's core schemas.

Pydantic has resolved every annotation into these: references, aliases, unions,
optional and annotated types have one form each. They are read before ``_tolerance``
rewrites them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from ._shapes import (
    Anything,
    Choice,
    Items,
    Listed,
    Named,
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

FORMATS: Mapping[str, tuple[str, str]] = {
    "datetime": (
        "a date-time",
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?"
        r"(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})?",
    ),
    "date": ("a date", r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    "time": (
        "a time",
        r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})?",
    ),
    "timedelta": ("a duration", r"[+-]?P[0-9A-Z.,]+"),
    "uuid": (
        "a UUID",
        r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}",
    ),
    "decimal": ("a decimal number", r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"),
}
"""The core schemas that read a value out of text: how to say it, what it looks like."""


def shape_of(node: Node) -> Shape:
    """Read the shape out of a core schema that declares it."""
    match node["type"]:
        case "str" | "int" | "float" | "bool" | "none":
            return _SCALARS[node["type"]]
        case "literal":
            return Listed(tuple(node["expected"]))
        case "nullable":
            return Nullable(shape_of(node["schema"]))
        case "list":
            return Items(_shape_at(node, "items_schema"))
        case "dict":
            return Values(_shape_at(node, "values_schema"))
        case "tuple":
            return _row(node)
        case "union":
            return Choice(tuple(shape_of(member) for member in members(node)))
        case "tagged-union" if isinstance(node["discriminator"], str):
            choices = cast("Mapping[str, Node]", node["choices"])
            return Tagged(
                node["discriminator"],
                {tag: shape_of(member) for tag, member in choices.items()},
            )
        case "definition-ref":
            return Named(node["schema_ref"])
        case kind if kind in FORMATS:
            name, pattern = FORMATS[kind]
            return Text(name, re.compile(pattern))
        case _ if "schema" in node:
            return shape_of(node["schema"])
        case _:
            return Anything()


def members(union: Node) -> list[Node]:
    """The members of a union schema, without their labels."""
    choices = cast("list[Node | tuple[Node, str]]", union["choices"])
    return [choice[0] if isinstance(choice, tuple) else choice for choice in choices]


def record_of(model: type[object], fields: Node) -> Record:
    """Read the declared properties out of a ``model-fields`` schema."""
    properties: dict[str, Property] = {}
    for name, field in cast("Mapping[str, Node]", fields["fields"]).items():
        wire = field.get("validation_alias", name)
        if isinstance(wire, str):
            schema = field["schema"]
            required = schema["type"] != "default"
            properties[wire] = Property(shape_of(schema), required)
    return Record(model, properties, _shape_at(fields, "extras_schema"))


def reference(schema: Node) -> str:
    """The reference of a model or alias, below what may be wrapped around it."""
    for key in ("ref", "schema_ref"):
        if isinstance(ref := schema.get(key), str):
            return ref
    return reference(schema["schema"])


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
    places = [shape_of(place) for place in cast("list[Node]", node["items_schema"])]
    variadic = cast("int | None", node.get("variadic_item_index"))
    if variadic is None:
        return Row(tuple(places), None)
    if variadic == len(places) - 1:
        return Row(tuple(places[:-1]), places[-1])
    return Items(Anything())
