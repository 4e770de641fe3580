"""What a description declares about a JSON value, as a closed union of shapes.

A shape keeps what is needed to say whether a value conforms, and nothing else. The
tolerant schemas of models (``_tolerance``) accept every value, so the shapes are where
their strict side lives. They are read out of pydantic's schemas (``_declared``).

They are named tuples because making a dozen dataclasses takes five milliseconds, which
every import of a client would pay.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from typing_extensions import TypeIs

from ._formats import Format
from ._limits import Limits

Kind = Literal["object", "array", "string", "integer", "number", "boolean", "null"]


class Anything(NamedTuple):
    """Every value conforms."""


class Nothing(NamedTuple):
    """No value conforms."""


class Scalar(NamedTuple):
    """A JSON value of one simple kind, within limits."""

    kind: Literal["string", "integer", "number", "boolean", "null"]
    limits: Limits = ()


class Text(NamedTuple):
    """A string of a certain format, such as a date-time."""

    format: Format


class Listed(NamedTuple):
    """One of the listed values."""

    values: tuple[object, ...]


class Nullable(NamedTuple):
    """Null, or what is inside."""

    inner: Shape


class Items(NamedTuple):
    """An array of one kind of items."""

    item: Shape
    limits: Limits = ()


class Row(NamedTuple):
    """An array of at least so many items: ``places`` first, then those of ``rest``."""

    places: tuple[Shape, ...]
    rest: Shape
    least: int
    limits: Limits = ()


class Values(NamedTuple):
    """An object of any keys whose values have one shape."""

    value: Shape
    limits: Limits = ()


class Property(NamedTuple):
    """One declared property of a record."""

    shape: Shape
    required: bool


class Record(NamedTuple):
    """An object with declared properties, by wire name; ``extra`` is what others are."""

    model: type[object]
    properties: Mapping[str, Property]
    extra: Shape
    limits: Limits = ()


class Tagged(NamedTuple):
    """An object whose property ``name`` says which member it is.

    It is the ``fallback`` if it says nothing known, and one of ``untagged`` if it says
    nothing, where there are these.
    """

    name: str
    members: Mapping[str, Shape]
    fallback: Shape | None = None
    untagged: Shape | None = None

    def member(self, value: dict[str, object]) -> Shape | None:
        """The member that an object says it is; None if it says nothing known."""
        tag = value.get(self.name)
        if tag is None and self.untagged is not None:
            return self.untagged
        found = self.members.get(tag) if isinstance(tag, str) else None
        return self.fallback if found is None else found


class Choice(NamedTuple):
    """One of several shapes that no tag tells apart."""

    members: tuple[Shape, ...]


class Named(NamedTuple):
    """A reference to a model or an alias, which may be recursive."""

    ref: str


Shape = (
    Anything
    | Nothing
    | Scalar
    | Text
    | Listed
    | Nullable
    | Items
    | Row
    | Values
    | Record
    | Tagged
    | Choice
    | Named
)

_NAMED: dict[str, Shape] = {}
# By pydantic's own reference, which holds the identity of the class; a schema is
# built once per class, and a rebuilt one replaces the entry by an equal one.


def declare(ref: str, shape: Shape) -> None:
    """Say what a reference stands for."""
    _NAMED[ref] = shape


def resolve(shape: Shape) -> Shape:
    """Follow references to the shape itself; one to nowhere is ``Anything``."""
    if not isinstance(shape, Named):
        return shape
    seen: set[str] = set()
    while isinstance(shape, Named):
        if shape.ref in seen:
            return Anything()
        seen.add(shape.ref)
        shape = _NAMED.get(shape.ref, Anything())
    return shape


def is_object(value: object) -> TypeIs[dict[str, object]]:
    """Whether a decoded value is a JSON object, whose keys are strings always."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeIs[list[object]]:
    """Whether a decoded value is a JSON array."""
    return isinstance(value, list)


def kind_of(value: object) -> Kind | None:
    """The JSON kind of a decoded value; None for what JSON does not have."""
    match value:
        case dict():
            return "object"
        case str():
            return "string"
        case bool():
            return "boolean"
        case None:
            return "null"
        case list():
            return "array"
        case int():
            return "integer"
        case float():
            return "number"
        case _:
            return None


def kinds(shape: Shape) -> frozenset[Kind]:
    """The JSON kinds that a value of the shape may have."""
    match resolve(shape):
        case Scalar(kind="number" | "integer"):  # 1.0 is an integer to JSON Schema
            return _set("integer", "number")
        case Scalar(kind=kind):
            return _set(kind)
        case Text():
            return _set("string")
        case Listed(values=values):
            return _ALL_KINDS & {kind_of(one) for one in values}
        case Nullable(inner=inner):
            return kinds(inner) | _set("null")
        case Items() | Row():
            return _set("array")
        case Values() | Record() | Tagged():
            return _set("object")
        case Choice(members=some):
            return frozenset[Kind]().union(*map(kinds, some))
        case Nothing():
            return _set()
        case Anything() | Named():
            return _ALL_KINDS


def describe(shape: Shape) -> str:
    """Name the shape as a sentence would: ``a string``, ``null or an array``."""
    match resolve(shape):
        case Anything() | Named():
            return "anything"
        case Nothing():
            return "nothing"
        case Scalar(kind=kind):
            return NAMES[kind]
        case Text(format=format_):
            return format_.name
        case Listed(values=values):
            listed = ", ".join(map(repr, values))
            return listed if len(values) == 1 else f"one of {listed}"
        case Nullable(inner=inner):
            return f"{describe(inner)} or null"
        case Items() | Row():
            return "an array"
        case Values() | Tagged():
            return "an object"
        case Record(model=model):
            return f"an object ({model.__name__})"
        case Choice(members=some):
            return " or ".join(dict.fromkeys(map(describe, some)))


def declares(shape: Shape, name: str) -> bool:
    """Whether some object of the shape declares the property of that wire name."""
    return any(name in record.properties for record in records(shape))


def property_of(shape: Shape, name: str) -> Shape:
    """The shape of a property, or of a list's items' property; else ``Anything``."""
    for record in records(shape):
        if name in record.properties:
            return record.properties[name].shape
    return Anything()


NAMES: Mapping[Kind, str] = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "a boolean",
    "null": "null",
}

_ALL_KINDS: frozenset[Kind] = frozenset(NAMES)


def records(shape: Shape) -> list[Record]:
    """Every record that a value, or an item of an array of them, may be."""
    match resolve(shape):
        case Record() as record:
            return [record]
        case Nullable(inner=inner) | Items(item=inner):
            return records(inner)
        case Tagged(members=by_tag, fallback=fallback):
            others = () if fallback is None else (fallback,)
            return [r for one in (*by_tag.values(), *others) for r in records(one)]
        case Choice(members=some):
            return [record for one in some for record in records(one)]
        case _:
            return []


def _set(*kinds: Kind) -> frozenset[Kind]:
    return frozenset(kinds)
