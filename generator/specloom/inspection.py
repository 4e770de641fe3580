"""The IR as JSON, for programs that make something else of a description than we do.

The format is worked out from the dataclasses of the IR, as is its JSON Schema, so the two cannot
disagree. pydantic does neither: ``Unknown`` and ``Never`` would look the same, and constants
would be text inside of text.
"""

from __future__ import annotations

import inspect
import json
import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import (
    Any,
    Literal,
    NewType,
    Union,
    assert_never,
    get_args,
    get_origin,
    get_type_hints,
)

from . import ir
from .diagnostics import Origin
from .json_schema import DIALECT

FORMAT = 1
"""The version of the format: another one where programs that read it must change."""

MARK = '"kind": "api"'
"""What tells an inspection from other files of JSON."""

Json = Any
"""A value that JSON can hold."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """Text, a number or a truth value: what it is called in a JSON Schema."""

    type: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a description: its document, ``#`` and a JSON Pointer."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the description, as it is there."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several words."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Maybe:
    """A part that a node may not have, and whose key is then missing."""

    shape: Shape


@dataclass(frozen=True, slots=True)
class Row:
    """A list; ``unordered`` if its order says nothing."""

    item: Shape
    unordered: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """An object with keys of the description's choice; ``pairs`` if the IR holds it as such."""

    value: Shape
    pairs: bool


@dataclass(frozen=True, slots=True)
class Node:
    """One of some kinds of node."""

    classes: tuple[type, ...]


Shape = Scalar | Place | Value | Choice | Maybe | Row | Table | Node
"""What a part of the IR looks like in JSON."""


def inspection(api: ir.Api) -> dict[str, Json]:
    """Return an API as JSON can hold it: the same for the same API."""
    return {"format": FORMAT, **_written(api, Node((ir.Api,)))}


def schema() -> dict[str, Json]:
    """Return the JSON Schema (2020-12) of what ``inspection`` returns."""
    nodes = {kind(cls): _definition(cls) for cls in sorted(reached(ir.Api), key=kind)}
    root = nodes.pop(kind(ir.Api))
    root["properties"] = {"format": {"const": FORMAT}, **root["properties"]}
    root["required"] = ["format", *root["required"]]
    return {"$schema": DIALECT, "title": "An API, as Specloom reads it", **root, "$defs": nodes}


def printed(value: Json) -> str:
    """Return JSON as text, which is ASCII, so that no terminal and no disk changes it."""
    return json.dumps(value, indent=2) + "\n"


def kind(cls: type) -> str:
    """Return what nodes of a class say that they are: ``api-key`` of an ``ApiKey``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()


@cache
def shapes(cls: type) -> Mapping[str, tuple[str, Shape]]:
    """Return of each field of a node its key in JSON, and its shape.

    A node says by ``kind`` what it is, so a field of that name is called ``type``.
    """
    hints = get_type_hints(cls)
    return {
        field.name: ("type" if field.name == "kind" else field.name, shape(hints[field.name]))
        for field in fields(cls)
    }


def shape(hint: Any) -> Shape:
    """Return the shape of values that a type hint of the IR admits."""
    if hint is Origin:
        return Place()
    if hint is ir.Constant:
        return Value()
    if isinstance(hint, NewType):
        return shape(hint.__supertype__)
    if isinstance(hint, type) and is_dataclass(hint):
        return Node((hint,))
    if hint in _SCALARS:
        return Scalar(_SCALARS[hint])
    arguments: tuple[Any, ...] = get_args(hint)
    match get_origin(hint):
        case origin if origin is Literal:
            return Choice(arguments)
        case origin if origin is Union or origin is types.UnionType:
            others = tuple(a for a in arguments if a is not types.NoneType)
            inner = shape(others[0]) if len(others) == 1 else Node(others)
            return Maybe(inner) if len(others) < len(arguments) else inner
        case origin if origin is tuple and arguments[1:] == (...,):
            pair = get_args(arguments[0])
            if get_origin(arguments[0]) is tuple and len(pair) == 2 and pair[0] is str:
                return Table(shape(pair[1]), pairs=True)
            return Row(shape(arguments[0]))
        case origin if origin is frozenset:
            return Row(shape(arguments[0]), unordered=True)
        case origin if origin is Mapping or origin is get_origin(Mapping[str, str]):
            return Table(shape(arguments[1]), pairs=False)
        case _:
            raise TypeError(f"the IR has a type that no JSON is known for: {hint}")


_SCALARS: Mapping[Any, str] = {str: "string", bool: "boolean", int: "integer"}


def _written(value: Any, form: Shape) -> Json:
    """Return a part of the IR as JSON can hold it."""
    match form:
        case Scalar() | Choice():
            return value
        case Place():
            return str(value)
        case Value():
            return json.loads(value, parse_constant=str)  # YAML has infinities, JSON has none
        case Maybe(inner):
            return _written(value, inner)
        case Row(item, unordered):
            return [_written(each, item) for each in (sorted(value) if unordered else value)]
        case Table(inner, pairs):
            members = value if pairs else value.items()
            return {key: _written(member, inner) for key, member in members}
        case Node():
            cls: type = value.__class__
            there = {
                key: _written(part, inner)
                for name, (key, inner) in shapes(cls).items()
                if (part := getattr(value, name)) is not None
            }
            return {"kind": kind(cls), **there}
        case _:
            assert_never(form)


def _definition(cls: type) -> dict[str, Json]:
    """Return the JSON Schema of the nodes of a class."""
    properties = {key: _schema(form) for key, form in shapes(cls).values()}
    always = [key for key, form in shapes(cls).values() if not isinstance(form, Maybe)]
    return {
        "description": inspect.getdoc(cls),
        "type": "object",
        "properties": {"kind": {"const": kind(cls)}, **properties},
        "required": ["kind", *always],
    }


def _schema(form: Shape) -> dict[str, Json]:
    match form:
        case Scalar(name):
            return {"type": name}
        case Place():
            return {"type": "string", "description": "A document, `#` and a JSON Pointer."}
        case Value():
            return {"description": "A value of the description."}
        case Choice(words):
            return {"enum": list(words)}
        case Maybe(inner):
            return _schema(inner)
        case Row(item):
            return {"type": "array", "items": _schema(item)}
        case Table(inner):
            return {"type": "object", "additionalProperties": _schema(inner)}
        case Node(classes):
            nodes: list[dict[str, Json]] = [{"$ref": f"#/$defs/{kind(cls)}"} for cls in classes]
            return nodes[0] if len(nodes) == 1 else {"oneOf": nodes}
        case _:
            assert_never(form)


def reached(root: type) -> set[type]:
    """Return the classes of all nodes below those of one class, and it."""
    found: set[type] = set()
    pending = [root]
    while pending:
        cls = pending.pop()
        if cls not in found:
            found.add(cls)
            for _, form in shapes(cls).values():
                pending.extend(_classes(form))
    return found


def _classes(form: Shape) -> Iterator[type]:
    match form:
        case Node(classes):
            yield from classes
        case Maybe(inner) | Row(inner) | Table(inner):
            yield from _classes(inner)
        case Scalar() | Place() | Value() | Choice():
            return
        case _:
            assert_never(form)
