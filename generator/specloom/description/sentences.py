"""What a validator has found, said so that the author of a description knows what to do."""

from __future__ import annotations

import json
from typing import Final

from specloom.description.values import is_list, is_mapping

_TYPES: Final = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "a mapping",
    "string": "a string",
}
# What to do about a field that has no business where it is.
_FIELDS: Final = {
    "$ref": "this version allows no reference here, which is followed all the same",
    "const": "before version 3.1 write 'enum' with one value; it is understood all the same",
    "examples": "before version 3.1 a schema has one 'example'",
    "nullable": "since version 3.1 null is a type; it is understood all the same",
}
# What to write instead, by the name of the member that is wrong.
_HINTS: Final = {
    ("exclusiveMinimum", "boolean"): "version 3.0 wants 'minimum' and 'exclusiveMinimum: true'",
    ("exclusiveMaximum", "boolean"): "version 3.0 wants 'maximum' and 'exclusiveMaximum: true'",
    ("exclusiveMinimum", "number"): "since version 3.1 it is the bound itself",
    ("exclusiveMaximum", "number"): "since version 3.1 it is the bound itself",
    (
        "type",
        "string",
    ): "before version 3.1 a type is one name, and 'nullable: true' stands for null",
    ("required", "array"): "list the required properties in the schema of the object",
    ("responses", "object"): "list the responses by their status codes",
    ("description", "string"): "only prose can stand here, also no reference",
}


def shown(value: object) -> str:
    """Return a value as it could be written, shortened."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


def kind(value: object) -> str:
    """Name the type of a value."""
    match value:
        case bool():
            return "true or false"
        case str():
            return "a string"
        case int():
            return "an integer"
        case float():
            return "a number"
        case None:
            return "null"
        case _:
            return "a mapping" if is_mapping(value) else "a list"


def sentence(keyword: str, expected: object, value: object, name: str) -> str:
    """Say that ``value``, the member ``name``, breaks a rule: ``keyword`` with ``expected``."""
    match keyword:
        case "required":
            return f"'{expected}' is missing here"
        case "falseSchema" | "false schema":
            return f"'{name}' cannot be here"
        case "not":
            return _excluded(expected, value)
        case "additionalProperties" | "unevaluatedProperties":
            hint = _FIELDS.get(name, "remove it, or start its name with 'x-'")
            if is_mapping(value) and "$ref" in value and name != "$ref":
                hint = "beside a reference it may be overlooked, but here it is understood"
            return f"'{name}' is no field of this object; {hint}"
        case "type":
            return _type_sentence(expected, value, name)
        case "enum" if is_list(expected):
            options = ", ".join(shown(option) for option in expected[:12])
            return f"{shown(value)} is none of the values allowed here: {options}"
        case "const":
            return f"{shown(value)} stands where only {shown(expected)} can"
        case "pattern":
            return f"{shown(value)} does not have the form {expected}"
        case "propertyNames":
            return f"the name '{name}' is not allowed here; use letters, digits, '.', '_' and '-'"
        case "format":
            return f"{shown(value)} is no {expected}"
        case "uniqueItems":
            return f"{_twice(value)} stands in this list twice"
        case "minItems" | "minProperties" | "minLength":
            return f"this has to have at least {expected} {_unit(keyword)}"
        case "maxItems" | "maxProperties" | "maxLength":
            return f"this has more than {expected} {_unit(keyword)}"
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf":
            return f"{shown(value)} breaks {keyword}: {shown(expected)}"
        case "oneOf" | "anyOf" if value is None:
            return "null is nothing that can stand here"
        case "oneOf" | "anyOf":
            return f"{shown(value)} has none of the forms that are allowed here"
        case _:
            return f"{shown(value)} breaks the rule '{keyword}'"


def _type_sentence(expected: object, value: object, name: str) -> str:
    """Say that a value has the wrong type, and what to write instead where that is clear."""
    types = [str(t) for t in expected] if is_list(expected) else [str(expected)]
    wanted = " or ".join(_TYPES.get(t, t) for t in types)
    subject = f"item {name}" if name.isdigit() else f"'{name}'"
    said = f"{subject} is {kind(value)} here and has to be {wanted}"
    hint = _HINTS.get((name, types[0]))
    if hint is None and isinstance(value, str) and _reads_as(value, types):
        hint = f"write {value} without quotes"
    return f"{said}; {hint}" if hint else said


def _excluded(expected: object, value: object) -> str:
    """Say which members must not be there together."""
    denied = expected.get("required") if is_mapping(expected) else None
    if is_list(denied):
        names = " and ".join(f"'{name}'" for name in denied)
        return f"{names} exclude each other here" if len(denied) > 1 else f"{names} cannot be here"
    if is_list(value) and any(is_mapping(one) and one.get("in") == "querystring" for one in value):
        return "a parameter in 'querystring' is the whole query: there can be none in 'query'"
    if is_mapping(value):
        return "something has to be listed here"
    return f"{shown(value)} cannot stand here"


def _reads_as(text: str, types: list[str]) -> bool:
    """Return whether a string would be of one of the types without its quotes."""
    try:
        value: object = json.loads(text)
    except ValueError:
        return False
    match value:
        case bool():
            return "boolean" in types
        case int():
            return bool({"integer", "number"} & set(types))
        case float():
            return "number" in types
        case None:
            return "null" in types
        case _:
            return False


def _twice(value: object) -> str:
    """Return the first item that a list has twice."""
    items = [shown(item) for item in value] if is_list(value) else []
    return next((item for i, item in enumerate(items) if item in items[:i]), "something")


def _unit(keyword: str) -> str:
    """Name what a keyword counts."""
    return {"Items": "items", "Properties": "members"}.get(keyword[3:], "characters")
