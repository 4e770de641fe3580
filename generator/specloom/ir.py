"""The intermediate representation: what an API is, with no word of Python or YAML in it.

Everything here is frozen and comparable, so that two descriptions are compared by comparing two
``Api`` values. Named types are referred to by ``TypeId``, never by object: recursion costs nothing
and the tree prints. ``Type``, ``Declaration``, ``Status``, ``Body`` and ``Tagging`` are closed
unions; every ``match`` over one of them ends in ``assert_never``.

There is one normal form (``lower`` is the only place that makes it):

* absence is ``Property.required``, null is a member of a union, and null comes last;
* a union never holds a union, never holds a member twice, and never has one member;
* all constants of a union stand in one ``Literal``; ``const`` and a one-value ``enum`` are equal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NewType, assert_never
from typing import Literal as OneOf

from .diagnostics import Origin

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
"""Validation keywords that do not change the type, by keyword (JSON Schema Validation §6)."""


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
    """

    property: str
    members: tuple[tuple[str, TypeId], ...]
    fallback: TypeId | None = None


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


@dataclass(frozen=True, slots=True)
class Component:
    """The author named this type."""

    name: str


@dataclass(frozen=True, slots=True)
class Inline:
    """The type stands inside another one, or inside an operation.

    ``owner`` is a ``TypeId`` or the origin of an operation, ``part`` the property or role that
    leads to it, ``several`` whether it is the item of a list or the value of a map there.
    """

    owner: str
    part: str
    several: bool = False
    title: str | None = None


Place = Component | Inline


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a model. Null is part of ``type``; ``required`` speaks of presence alone."""

    name: str
    type: Type
    required: bool
    origin: Origin
    default: Constant | None = None
    access: OneOf["both", "read", "write"] = "both"
    doc: str | None = None
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class Model:
    """An object with known properties.

    ``additional`` is the type of the others: ``UNKNOWN`` where the description does not speak of
    them, ``NEVER`` where it says that there are none. A tolerant client keeps them all the same.
    """

    id: TypeId
    place: Place
    origin: Origin
    properties: tuple[Property, ...]
    additional: Type = UNKNOWN
    doc: str | None = None
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class Alias:
    """A name for a type that is not an object with properties."""

    id: TypeId
    place: Place
    origin: Origin
    type: Type
    doc: str | None = None
    deprecated: bool = False


Declaration = Model | Alias


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value that travels in the path, the query or a header of a request."""

    name: str
    location: OneOf["path", "query", "header"]
    type: Type
    required: bool
    origin: Origin
    default: Constant | None = None
    doc: str | None = None
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class Json:
    """A body written as JSON."""

    media_type: str
    type: Type
    required: bool
    origin: Origin
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Opaque:
    """A body of another media type, sent or received as bytes."""

    media_type: str
    required: bool
    origin: Origin
    doc: str | None = None


Body = Json | Opaque


@dataclass(frozen=True, slots=True, order=True)
class Code:
    """One status code."""

    code: int


@dataclass(frozen=True, slots=True, order=True)
class Range:
    """A hundred status codes: ``Range(4)`` is ``4XX``."""

    hundreds: int


@dataclass(frozen=True, slots=True)
class Default:
    """Every status that is not declared otherwise."""


Status = Code | Range | Default


def is_success(status: Status) -> bool:
    """Whether a declared status is a success, as opposed to an error or to anything else."""
    match status:
        case Code(code):
            return 200 <= code < 300
        case Range(hundreds):
            return hundreds == 2
        case Default():
            return False


@dataclass(frozen=True, slots=True)
class Response:
    """What comes back under one status; ``body`` is ``None`` where nothing is declared."""

    status: Status
    body: Body | None
    origin: Origin
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Mirror:
    """How the events of a stream add up to the object that the whole answer would have been.

    Paths are dotted property names of the event, list steps left out. ``renamed`` maps a path to
    the name of that property in the whole, ``constants`` are the whole's own values, and
    ``replaced`` lists the strings that arrive complete in one event instead of in pieces.
    """

    whole: TypeId
    renamed: tuple[tuple[str, str], ...]
    constants: tuple[tuple[str, Constant], ...]
    replaced: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Streaming:
    """A ``text/event-stream`` answer, one JSON value per event.

    ``toggle`` is the boolean property of the request body that asks for it; ``None`` means that
    the operation always streams.
    """

    event: Type
    toggle: str | None
    mirror: Mirror | None
    origin: Origin


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path."""

    id: str | None
    method: str
    path: str
    origin: Origin
    tags: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    body: Body | None = None
    responses: tuple[Response, ...] = ()
    streaming: Streaming | None = None
    doc: str | None = None
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class Bearer:
    """``Authorization: Bearer`` (RFC 6750)."""

    name: str


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key in a header or a query parameter of the API's own."""

    name: str
    location: OneOf["header", "query"]
    parameter: str


Security = Bearer | ApiKey


@dataclass(frozen=True, slots=True)
class Api:
    """One or more descriptions, normalised.

    ``types`` is in the order of the description. ``read`` and ``written`` say which of them
    responses and requests can reach.
    """

    origin: Origin
    title: str
    version: str
    doc: str | None
    server: str | None
    security: Security | None
    types: Mapping[TypeId, Declaration]
    operations: tuple[Operation, ...]
    schemas: int
    read: frozenset[TypeId] = frozenset()
    written: frozenset[TypeId] = frozenset()


_VARIABLE = re.compile(r"\{([^{}]+)\}")


def path_parts(path: str) -> list[str]:
    """Return a path template cut into fixed text and names of variables, in turn."""
    return _VARIABLE.split(path)


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


def held(declared: Declaration, direction: OneOf["read", "write"]) -> Iterator[Type]:
    """Yield the types that a declaration holds in one direction."""
    match declared:
        case Alias():
            yield declared.type
        case Model():
            yield from (p.type for p in declared.properties if p.access in ("both", direction))
            yield declared.additional
        case _:
            assert_never(declared)
