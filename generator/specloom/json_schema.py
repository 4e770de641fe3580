"""The IR written back as one JSON Schema document (2020-12): every named type in ``$defs``."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, assert_never
from urllib.parse import quote

from . import ir

Schema = dict[str, object] | bool
"""A JSON Schema: an object, or ``True`` for any value and ``False`` for none."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(api: ir.Api, names: Mapping[ir.TypeId, str]) -> dict[str, object]:
    """Return the document of all named types of an API; ``names`` has their keys in ``$defs``.

    One definition serves both directions. ``readOnly`` and ``writeOnly`` say which properties
    travel one way only; such a property is required where its type travels that way alone, since
    a value that travels the other way does not have it.
    """
    writer = _Writer(api, names)
    about = {"title": api.title} | ({"description": api.doc} if api.doc else {})
    definitions = {names[id_]: writer.declaration(d) for id_, d in api.types.items()}
    return {"$schema": DIALECT, **about, "$defs": definitions}


def type_schema(type_: ir.Type, api: ir.Api, names: Mapping[ir.TypeId, str]) -> Schema:
    """Return the schema of a type, which refers to the definitions of such a document."""
    return _Writer(api, names).type(type_)


_GENERAL = frozenset({"enum", "not", "if", "allOf"})
"""The limits that concern null as well."""


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes types as schemas."""

    api: ir.Api
    names: Mapping[ir.TypeId, str]

    def declaration(self, declared: ir.Declaration) -> Schema:
        """Return the schema of a named type, with what is said about it."""
        match declared:
            case ir.Alias():
                return _with(self.type(declared.type), _said(declared))
            case ir.Model():
                return _with(self._model(declared), _said(declared))
            case _:
                assert_never(declared)

    def type(self, type_: ir.Type) -> Schema:
        """Return the schema of a type."""
        match type_:
            case ir.Primitive() | ir.Array() | ir.Tuple():
                return self._simple(type_)
            case ir.Literal(values):
                return _literal([ir.value_of(value) for value in values])
            case ir.Map(value, constraints):
                others = {"additionalProperties": self.type(value)}
                return {"type": "object", **others, **_limits(constraints)}
            case ir.Union():
                return self._union(type_)
            case ir.Ref(target):
                return {"$ref": self._reference(target)}
            case ir.Unknown():
                return True
            case ir.Never():
                return False
            case _:
                assert_never(type_)

    def _simple(self, type_: ir.Primitive | ir.Array | ir.Tuple) -> dict[str, object]:
        """Return the schema of a scalar or a list, which always has one ``type``."""
        limits = _limits(type_.constraints)
        match type_:
            case ir.Primitive(kind, format_):
                named = {} if format_ is None else {"format": format_}
                return {"type": kind, **named, **limits}
            case ir.Array(item):
                return {"type": "array", "items": self.type(item), **limits}
            case ir.Tuple(places, rest):
                items = [self.type(place) for place in places]
                others = {} if rest == ir.UNKNOWN else {"items": self.type(rest)}
                return {"type": "array", "prefixItems": items, **others, **limits}

    def _model(self, model: ir.Model) -> Schema:
        properties = {p.name: self._property(p) for p in model.properties}
        required = [p.name for p in model.properties if self._is_required(model, p)]
        schema: dict[str, object] = {"type": "object", "properties": properties}
        if required:
            schema["required"] = required
        if model.additional != ir.UNKNOWN:
            schema["additionalProperties"] = self.type(model.additional)
        return schema | {keyword: ir.value_of(limit) for keyword, limit in model.constraints}

    def _is_required(self, model: ir.Model, prop: ir.Property) -> bool:
        travels = {"read": model.id in self.api.read, "write": model.id in self.api.written}
        other = {"read": "write", "write": "read"}.get(prop.access)
        return prop.required and (other is None or not travels[other])

    def _property(self, prop: ir.Property) -> Schema:
        about = _said(prop)
        if prop.default is not None and is_json(prop.default):
            about["default"] = ir.value_of(prop.default)
        if prop.access != "both":
            about[f"{prop.access}Only"] = True
        return _with(self.type(prop.type), about)

    def _union(self, union: ir.Union) -> Schema:
        """Return a union, with OpenAPI's ``discriminator``, which asserts nothing, if it is tagged.

        Null beside one scalar or list is a second ``type``, where limits do not concern it.
        """
        match union.members:
            case (ir.Primitive() | ir.Array() | ir.Tuple() as bare, ir.Primitive("null")) if not (
                dict(bare.constraints).keys() & _GENERAL
            ):
                schema = self._simple(bare)
                return schema | {"type": [schema["type"], "null"]}
            case members:
                tagging = union.tagging
                tagged = {} if tagging is None else {"discriminator": self._discriminator(tagging)}
                return {"anyOf": [self.type(member) for member in members], **tagged}

    def _discriminator(self, tagging: ir.Tagging) -> dict[str, object]:
        mapping = {value: self._reference(target) for value, target in tagging.members}
        written: dict[str, object] = {"propertyName": tagging.property, "mapping": mapping}
        if isinstance(tagging, ir.Discriminated) and tagging.fallback is not None:
            written["defaultMapping"] = self._reference(tagging.fallback)
        return written

    def _reference(self, target: ir.TypeId) -> str:
        return f"#/$defs/{quote(self.names[target])}"


def _said(one: ir.Declaration | ir.Property) -> dict[str, object]:
    """Return what is said about a type or a property, and asserts nothing."""
    about: dict[str, object] = {"description": one.doc} if one.doc else {}
    return about | ({"deprecated": True} if one.deprecated else {})


def _with(schema: Schema, about: Mapping[str, object]) -> Schema:
    """Return a schema with annotations, which a boolean has no room for."""
    if not about:
        return schema
    if isinstance(schema, dict):
        return {**schema, **about}
    return dict(about) if schema else {"not": {}, **about}


def is_json(value: ir.Constant) -> bool:
    """Whether JSON can hold a value: YAML has numbers without an end, and JSON has not."""
    found: list[str] = []
    json.loads(value, parse_constant=found.append)
    return not found


def _limits(constraints: ir.Constraints) -> dict[str, object]:
    """Return the constraints that are ones to JSON Schema; in a description, some are not."""
    found: dict[str, object] = {}
    for keyword, text in constraints:
        value = ir.value_of(text)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        finite = number and math.isfinite(value)
        if keyword in _COUNTS:
            sound = finite and value >= 0 and value == int(value)
        elif keyword in _BOUNDS:
            sound = finite and (keyword != "multipleOf" or value > 0)
        else:
            sound = isinstance(value, str if keyword == "pattern" else object)
        if sound:
            found[keyword] = value
    return found


_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")

_Kind = Literal["null", "boolean", "integer", "number", "string", "array", "object"]


def _literal(values: list[object]) -> Schema:
    """Return the schema of constants, with their type where they have one: it helps readers."""
    kinds = {_kind(value) for value in values}
    listed: dict[str, object] = {"const": values[0]} if len(values) == 1 else {"enum": values}
    return {"type": kinds.pop(), **listed} if len(kinds) == 1 else listed


def _kind(value: object) -> _Kind:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"
