"""The JSON Schema of a model: what the description declares, not what is tolerated."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, cast

from pydantic import GetJsonSchemaHandler
from pydantic_core import CoreSchema

from ._declared import DECLARED, Whole, fields_of, members

JsonSchema = dict[str, Any]
_Node = dict[str, Any]


def declared(
    whole: Whole, schema: CoreSchema, handler: GetJsonSchemaHandler
) -> JsonSchema:
    """Describe a model; ``schema`` is the tolerant one, which keeps the declared one.

    The descriptions of the properties are their docstrings, read from the source of the
    model's module; where that is not at hand, there are none.
    """
    fields = fields_of(cast("_Node", schema))
    if fields is None or DECLARED not in fields.get("metadata", {}):
        return handler(schema)
    kept = cast("_Node", fields["metadata"][DECLARED])
    own = cast("dict[str, _Node]", kept["fields"])
    fields = {**kept, "fields": {name: _field(field) for name, field in own.items()}}
    if "extras_schema" in kept:
        fields["extras_schema"] = shown(kept["extras_schema"])
    described = handler(cast("CoreSchema", _replaced(cast("_Node", schema), fields)))
    docs = _docstrings(whole.model, own)
    for name, field in own.items():
        for wire in (field.get("serialization_alias", name), name):
            prop = described.get("properties", {}).get(wire)
            if prop is not None:
                prop.pop("title", None)  # pydantic's invention
                if name in docs:
                    prop.setdefault("description", docs[name])
                break
    if whole.closed:
        described["additionalProperties"] = False
    elif "extras_schema" not in kept:
        described.pop("additionalProperties", None)
    described |= {_PROPERTIES[name]: bound for name, bound in whole.limits}
    return described


_PROPERTIES = {"min_length": "minProperties", "max_length": "maxProperties"}


def _replaced(schema: _Node, fields: _Node) -> _Node:
    """Return a model's schema with other fields; whatever wraps them stays."""
    if schema["type"] == "model-fields":
        return fields
    return {**schema, "schema": _replaced(schema["schema"], fields)}


def _field(field: _Node) -> _Node:
    """Return a field without the None that stands for its absence."""
    schema = field["schema"]
    if schema["type"] != "default":
        return {**field, "schema": shown(schema)}
    kept = {key: value for key, value in schema.items() if key != "schema"}
    if kept.get("default", ...) is None:
        del kept["default"]
    return {**field, "schema": {**kept, "schema": shown(schema["schema"])}}


def shown(schema: _Node) -> _Node:
    """Return a schema in which decimal numbers are text, and no numbers."""
    match schema["type"]:
        case "decimal":
            return {**schema, "metadata": {"pydantic_js_functions": [_decimal]}}
        case "nullable" | "definitions":
            return {**schema, "schema": shown(schema["schema"])}
        case "list" if "items_schema" in schema:
            return {**schema, "items_schema": shown(schema["items_schema"])}
        case "dict" if "values_schema" in schema:
            return {**schema, "values_schema": shown(schema["values_schema"])}
        case "union":
            choices = [shown(cast("_Node", member)) for member in members(schema)]
            return {**schema, "choices": choices}
        case "tuple":
            places = [shown(place) for place in schema["items_schema"]]
            return {**schema, "items_schema": places}
        case _:
            return schema


def _decimal(_schema: object, _handler: object) -> JsonSchema:
    """Describe a decimal number, as text; called by pydantic."""
    return {"type": "string", "format": "decimal"}


def _docstrings(model: type[object], fields: Mapping[str, _Node]) -> Mapping[str, str]:
    """Read the docstrings below the fields of a class and of its bases."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if not inspect.get_annotations(base).keys().isdisjoint(fields):
            found |= _own_docstrings(base)
    return found


def _own_docstrings(model: type[object]) -> Iterator[tuple[str, str]]:
    try:
        module = ast.parse(textwrap.dedent(inspect.getsource(model)))
    except (OSError, TypeError, SyntaxError):
        return
    statement = module.body[0]
    if not isinstance(statement, ast.ClassDef):
        return
    for field, doc in zip(statement.body, statement.body[1:], strict=False):
        match field, doc:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, inspect.cleandoc(text)
            case _:
                pass
