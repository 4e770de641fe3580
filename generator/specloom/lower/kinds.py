"""Kinds of JSON value, and which of them a schema's own keywords leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from .nodes import Node, items
from .vocabulary import ALL, ITEMIZED, KEYED, NUMERIC, TEXTUAL

Kinds: TypeAlias = frozenset[str]
NOTHING: Final[Kinds] = frozenset()
_MEANT: Final = (
    ("object", frozenset({"properties", "additionalProperties", "patternProperties"})),
    ("array", frozenset({"items", "prefixItems"})),
    ("string", TEXTUAL),
    ("number", NUMERIC),
    ("array", ITEMIZED),
    ("object", KEYED | {"required"}),
)
_NAMED: Final = {kind: frozenset({kind}) for kind in ALL} | {
    "number": frozenset({"number", "integer"})
}
_FORMATS: Final = {
    "integer": frozenset("int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()),
    "number": frozenset("float double".split()),
    "string": frozenset(
        "date-time date time duration uuid email hostname ipv4 ipv6 uri uri-reference byte "
        "binary password".split()
    ),
}


def stated(schema: Node) -> Kinds:
    """Return the kinds that ``type`` and the constants of a schema leave.

    Constants that contradict the type leave the type.
    """
    if schema.get("not") in ({}, True):
        return NOTHING
    types = of_types(schema.get("type"))
    values = constants(schema)
    if values is None:
        return types
    found = frozenset(kind for value in values for kind in _kinds(value, types))
    null: Kinds = frozenset({"null"} if None in values else ())  # nobody lists it for nothing
    return (types & found or types) | null


def of_types(written: object) -> Kinds:
    """Return the kinds that ``type`` names, which is one or a list; all where it names none."""
    if isinstance(written, str):
        return _NAMED.get(written, ALL)
    names = items(written) or (written,)
    found = {name for name in names if isinstance(name, str) and name in ALL}
    return frozenset(found | ({"integer"} if "number" in found else set())) or ALL


def constants(schema: Node) -> Sequence[object] | None:
    """Return what ``const`` or ``enum`` list; None where neither lists anything."""
    if "const" in schema:
        return (schema["const"],)
    return items(schema.get("enum")) or None


def hinted(schema: Node) -> str | None:
    """Return the kind that is meant where no type is stated.

    ``properties`` describe an object, and ``minLength`` a string: that any number would satisfy
    them too is not what their author has in mind.
    """
    for kind, words in _MEANT:
        if schema.keys() & words:
            return kind
    format_ = schema.get("format")
    if not isinstance(format_, str):
        return None
    return next((kind for kind, formats in _FORMATS.items() if format_ in formats), None)


def format_of(kind: str, schema: Node, alone: bool) -> str | None:
    """Return the format of the scalars of one kind.

    Beside other kinds, a format of numbers says nothing of strings, nor the other way round.
    """
    format_ = schema.get("format")
    if not isinstance(format_, str):
        return None
    numeric = format_ in _FORMATS["integer"] | _FORMATS["number"]
    return format_ if alone or numeric == (kind in ("integer", "number")) else None


def _kinds(value: object, types: Kinds) -> Kinds:
    """Return the kinds that a constant can be of, as one of a schema of these types."""
    match value:
        case None:
            return frozenset({"null"})
        case bool():
            return frozenset({"boolean"})
        case int() | float() if types <= {"string", "null"}:
            return frozenset({"string"})  # as its author spelled it
        case int():
            return frozenset({"integer"})
        case float():
            return frozenset({"number", "integer"} if value.is_integer() else {"number"})
        case str():
            return frozenset({"string"})
        case list():
            return frozenset({"array"})
        case _:
            return frozenset({"object"})


def is_of(value: object, kinds: Kinds) -> bool:
    """Whether a constant is of one of the kinds."""
    return bool(_kinds(value, ALL) & (kinds | ({"number"} if "integer" in kinds else NOTHING)))
