"""Types of JSON values, and how the members of a union are told apart.

They are a part of the intermediate representation (``ir``), which says what their normal form is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NewType, assert_never
from typing import Literal as OneOf

TypeId = NewType("TypeId", str)
"""Identity of a named type: the canonical origin that it was declared at."""

Constant = NewType("Constant", str)
"""A JSON value as its canonical text: comparable, where Python calls 1, 1.0 and True equal."""


def constant(value: object) -> Constant:
    """Return the canonical text of a JSON value."""
    return Constant(json.dumps(value, ensure_ascii=False, sort_keys=True))


def value_of(text: Constant) -> Any:
    """Return the JSON value that a constant stands for."""
    return json.loads(text)


Constraints = tuple[tuple[str, Constant], ...]
"""Keywords of JSON Schema that do not change the type, with their values.

They are written as in JSON Schema 2020-12, and refer to nothing outside themselves. ``enum``
lists the lists or objects that a value can be.
"""


@dataclass(frozen=True, slots=True)
class Primitive:
    """A JSON scalar; ``format`` refines it (OpenAPI, Data Types)."""

    kind: OneOf["string", "integer", "number", "boolean", "null"]
    format: str | None = None
    constraints: Constraints = ()


@dataclass(frozen=True, slots=True)
class Literal:
    """One of finitely many constants, in the order of the description."""

    values: tuple[Constant, ...]


@dataclass(frozen=True, slots=True)
class Array:
    """A list of one item type."""

    item: Type
    constraints: Constraints = ()


@dataclass(frozen=True, slots=True)
class Tuple:
    """A list whose first places have types of their own (JSON Schema Core §10.3.1.1).

    ``rest`` is the type of the items after them: ``NEVER`` where there are none.
    """

    places: tuple[Type, ...]
    rest: Type
    constraints: Constraints = ()


@dataclass(frozen=True, slots=True)
class Map:
    """An object without declared properties: any key, one value type."""

    value: Type
    constraints: Constraints = ()


@dataclass(frozen=True, slots=True)
class Discriminated:
    """The description names the property whose value selects the member.

    ``fallback`` is the member that every other value selects (OpenAPI 3.2, ``defaultMapping``).
    The property is ``optional`` where some member does without it and there is no such fallback.
    """

    property: str
    members: tuple[tuple[str, TypeId], ...]
    fallback: TypeId | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Inferred:
    """Every object member requires this property, and no two of them share a value of it."""

    property: str
    members: tuple[tuple[str, TypeId], ...]


Tagging = Discriminated | Inferred
"""How the object members of a union are told apart: (value of the property, member) pairs."""


@dataclass(frozen=True, slots=True)
class Union:
    """One of several types; ``tagging`` speaks of those members that are objects."""

    members: tuple[Type, ...]
    tagging: Tagging | None = None


@dataclass(frozen=True, slots=True)
class Ref:
    """A use of a named type."""

    target: TypeId


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any JSON value: the description says nothing, or nothing that could be expressed."""


@dataclass(frozen=True, slots=True)
class Never:
    """No value at all: the schema ``false`` (JSON Schema Core §4.3.2)."""


Type = Primitive | Literal | Array | Tuple | Map | Union | Ref | Unknown | Never

NULL = Primitive("null")
UNKNOWN = Unknown()
NEVER = Never()


def references(type_: Type) -> Iterator[TypeId]:
    """Yield the named types that a type mentions, in order."""
    match type_:
        case Ref(target):
            yield target
        case Array(item):
            yield from references(item)
        case Tuple(places, rest):
            for place in (*places, rest):
                yield from references(place)
        case Map(value):
            yield from references(value)
        case Union(members):
            for member in members:
                yield from references(member)
        case Primitive() | Literal() | Unknown() | Never():
            return
        case _:
            assert_never(type_)
