"""What the objects of a description are: operations, parameters, media types, schemas and so on.

The tables follow the OpenAPI Specification 3.2; what earlier versions have is part of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from specloom.description.description import Description
from specloom.description.values import children, is_mapping
from specloom.diagnostics import Origin

METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
"""The fields of a path item that are operations."""

# For each kind of object and each of its fields, what is in the field: "x" for an object, "x*"
# for a mapping or a list of them. The field "*" stands for every name that is no extension.
_FIELDS: Final[dict[str, dict[str, str]]] = {
    "document": {
        "paths": "path item*",
        "webhooks": "path item*",
        "components": "components",
    },
    "components": {
        "schemas": "schema*",
        "parameters": "parameter*",
        "headers": "header*",
        "requestBodies": "body*",
        "responses": "response*",
        "callbacks": "callback*",
        "pathItems": "path item*",
        "mediaTypes": "media type*",
        **{name: f"{name[:-1]}*" for name in ("examples", "links", "securitySchemes")},
    },
    "path item": {
        "parameters": "parameter*",
        "additionalOperations": "operation*",
        **dict.fromkeys(METHODS, "operation"),
    },
    "operation": {
        "parameters": "parameter*",
        "requestBody": "body",
        "responses": "response*",
        "callbacks": "callback*",
    },
    "callback": {"*": "path item"},
    "parameter": {"schema": "schema", "content": "media type*", "examples": "example*"},
    "header": {"schema": "schema", "content": "media type*", "examples": "example*"},
    "body": {"content": "media type*"},
    "response": {"headers": "header*", "content": "media type*", "links": "link*"},
    "media type": {
        **dict.fromkeys(("schema", "itemSchema"), "schema"),
        "encoding": "encoding*",
        "examples": "example*",
    },
    "encoding": {"headers": "header*"},
    **{kind: dict[str, str]() for kind in ("example", "link", "securityScheme")},
    "schema": {
        **dict.fromkeys(("properties", "patternProperties", "$defs", "definitions"), "schema*"),
        **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), "schema*"),
        **dict.fromkeys(("items", "additionalProperties", "not", "contains"), "schema"),
        **dict.fromkeys(("if", "then", "else", "propertyNames"), "schema"),
    },
}

# What stands beside a reference in these has a meaning of its own.
_JOINED: Final = frozenset({"schema", "path item"})


@dataclass(frozen=True, slots=True)
class Part:
    """An object of a description: what kind it is of, and where it stands."""

    kind: str
    value: dict[str, object]
    origin: Origin


def target(description: Description, value: object, origin: Origin) -> tuple[object, Origin]:
    """Return what a value is when the references that it may be are followed.

    Where they lead nowhere or in a circle, the last of them is returned.
    """
    seen = {origin}
    while is_mapping(value) and isinstance(ref := value.get("$ref"), str):
        found = description.resolve(ref, origin)
        if found is None or found in seen:
            break
        seen.add(found)
        value, origin = description.lookup(found), found
    return value, origin


def parts(description: Description) -> Iterator[Part]:
    """Yield the objects of a description in the order of the document, each once.

    Those that references lead to are among them, in whichever document.
    """
    seen: set[tuple[str, Origin]] = set()
    waiting: list[tuple[str, object, Origin]] = [
        ("document", description.value, Origin(description.entry))
    ]
    while waiting:
        kind, value, origin = waiting.pop()
        if kind in _JOINED and is_mapping(value) and len(value) > 1 and "$ref" in value:
            if (kind, origin) not in seen:
                seen.add((kind, origin))
                yield Part(kind, value, origin)
                waiting.append((kind, {"$ref": value["$ref"]}, origin))
                waiting += reversed(list(_below(kind, value, origin)))
            continue
        value, origin = target(description, value, origin)
        if not is_mapping(value) or (kind, origin) in seen:
            continue
        seen.add((kind, origin))
        yield Part(kind, value, origin)
        waiting += reversed(list(_below(kind, value, origin)))


def _below(
    kind: str, value: dict[str, object], origin: Origin
) -> Iterator[tuple[str, object, Origin]]:
    """Yield the objects in the fields of an object."""
    fields = _FIELDS[kind]
    for name, child in value.items():
        held = fields.get(name) or (None if name.startswith("x-") else fields.get("*"))
        if held is None:
            continue
        if held.endswith("*"):
            inner = held[:-1]
            for key, item, at in children(child, origin / name):
                if inner != "path item" or not key.startswith("x-"):
                    yield inner, item, at
        else:
            yield held, child, origin / name
