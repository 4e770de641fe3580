"""Bodies: the ways to give one as arguments, and what is sent in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from .. import ir
from .imports import Imports
from .literals import literal
from .package import Alternative, Argument, Entry, Payload
from .prose import described
from .types import property_doc
from .uploads import Types, upload
from .wire import Wire

Claim = Callable[[str, str], str]
"""Gives an argument the name that is wanted or, if that is taken, one with a place before it."""

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
OCTETS = "application/octet-stream"
DOC_WIDTH = 72  # 88 less the indentation of an argument in a docstring


@dataclass(frozen=True, slots=True)
class Given:
    """One argument of a body: what holds it in the body, and whether the body needs it."""

    argument: Argument
    key: str | None
    """The wire name of the property; ``None`` where the argument is the whole body."""
    value: str
    required: bool
    example: ir.Type | None
    """The type that an example is made of; ``None`` stands for bytes."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to give a body: media types that take the same arguments."""

    media_types: tuple[str, ...]
    given: tuple[tuple[Given, ...], ...]
    """What the body consists of in each of the media types."""

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments as they are when the body is given in this way."""
        return tuple(each.argument for each in self.given[0])

    @property
    def required(self) -> frozenset[str]:
        """The names of the arguments that the body needs."""
        return frozenset(each.argument.name for each in self.given[0] if each.required)


@dataclass(slots=True)
class Bodies:
    """Plans the body of one operation.

    ``properties`` has the argument's name and the property of the preferred form by wire name.
    """

    body: ir.RequestBody
    types: Types
    wire: Wire
    write: Callable[[ir.Type], str]
    claim: Claim
    place: str
    """What tells the arguments of the body apart from others."""
    properties: dict[str, tuple[str, ir.Property]] = field(
        default_factory=dict[str, tuple[str, ir.Property]]
    )
    imports: Imports = field(default_factory=Imports)
    _names: dict[str | None, str] = field(default_factory=dict[str | None, str])

    def ways(self) -> list[Way]:
        """Return the ways to give the body, the preferred one first."""
        ways: list[Way] = []
        for content in self.body.contents:
            made = Way((media_type_of(content),), (tuple(self._given(content)),))
            for index, way in enumerate(ways):
                if way.arguments == made.arguments:
                    types, given = way.media_types + made.media_types, way.given + made.given
                    ways[index] = Way(types, given)
                    break
            else:
                ways.append(made)
        return ways

    def _given(self, content: ir.Content) -> Iterator[Given]:
        """Yield the arguments of one form: its properties, or the body as one."""
        match content:
            case ir.Json() | ir.Form() | ir.Multipart():
                if given := self.flattened(content):
                    yield from given
                elif isinstance(content, ir.Multipart) or content.type == ir.UNKNOWN:
                    yield self._whole(self._object(content), content.type)
                else:
                    yield self._whole(self.write(content.type), content.type)
            case ir.Text():
                plain = content.media_type.startswith("text/")
                yield self._whole("str" if plain else "str | bytes", ir.Primitive("string"))
            case ir.Binary():
                self.wire.runtime.add("FileContent")
                yield self._whole("FileContent", None)
            case _:
                assert_never(content)

    def flattened(self, content: ir.Json | ir.Form | ir.Multipart) -> tuple[Given, ...]:
        """Return the arguments that the properties of an object become; none of anything else.

        Null cannot be said by those, and an object without properties has none.
        """
        found = self.types[content.type.target] if isinstance(content.type, ir.Ref) else None
        return tuple(self._properties(content, found)) if isinstance(found, ir.Model) else ()

    def _object(self, content: ir.Json | ir.Form | ir.Multipart) -> str:
        if isinstance(content, ir.Json):
            return self.write(content.type)
        self.imports.add("collections.abc", "Mapping")
        return "Mapping[str, object]"

    def _properties(
        self, content: ir.Json | ir.Form | ir.Multipart, model: ir.Model
    ) -> Iterator[Given]:
        fields = {} if isinstance(content, ir.Json) else {f.name: f for f in content.fields}
        for prop in model.properties:
            if prop.access == "read":
                continue
            name = self._name(prop.name, prop.name)
            self.properties.setdefault(prop.name, (name, prop))
            stated = fields.get(prop.name)
            is_file = stated is not None and stated.file
            written = self._uploaded(prop.type) if is_file else self.write(prop.type)
            value = self.wire.field(name, prop, stated)
            doc = _file_doc(prop, stated.media_types) if stated and stated.file else None
            doc = doc or property_doc(prop, DOC_WIDTH)
            argument = _argument(name, written, prop.required, doc)
            example = None if is_file else prop.type
            yield Given(argument, prop.name, value, prop.required, example)

    def _uploaded(self, type_: ir.Type) -> str:
        return upload(type_, self.types, self.write, self.imports)

    def _whole(self, annotation: str, example: ir.Type | None) -> Given:
        name = self._name(None, "body")
        doc = self.body.doc or "The body."
        argument = _argument(name, annotation, self.body.required, doc)
        return Given(argument, None, name, self.body.required, example)

    def _name(self, key: str | None, wanted: str) -> str:
        """Return the argument of a property, which is one in every form that has it."""
        if key not in self._names:
            self._names[key] = self.claim(wanted, "whole" if key is None else self.place)
        return self._names[key]


def _file_doc(prop: ir.Property, media_types: Sequence[str]) -> str:
    """Return what is said of a file; what its type has to say is that it is bytes."""
    note = f"Of type {' or '.join(f'`{m}`' for m in media_types)}." if media_types else None
    said = described(prop.doc, note, DOC_WIDTH) or "A file."
    return f"{said} Deprecated." if prop.deprecated else said


def payload(way: Way, index: int, optional: bool, certain: frozenset[str], wire: Wire) -> Payload:
    """Return what is sent in one media type of a way.

    ``certain`` are the arguments that every call gives; what else the body needs is checked.
    """
    given = way.given[index]
    values = [
        Entry(literal(each.key), _checked(each, certain, wire))
        for each in given
        if each.key is not None
    ]
    if len(values) < len(given):
        return Payload(expression=_checked(given[0], certain, wire))
    if optional and values:
        wire.runtime.add("unless_omitted")
    return Payload(tuple(values), optional=optional and bool(values))


def _checked(each: Given, certain: frozenset[str], wire: Wire) -> str:
    name = each.argument.name
    if not each.required or name in certain:
        return each.value
    wire.runtime.add("Needed")
    return f"Needed({each.value}, {literal(name)})"


def alternatives(
    ways: Sequence[Way], certain: frozenset[str], wire: Wire
) -> tuple[Alternative, ...]:
    """Return what is sent in each media type; none where that is always the same."""
    found = tuple(
        Alternative(literal(media_type), payload(way, index, False, certain, wire))
        for way in ways
        for index, media_type in enumerate(way.media_types)
    )
    equal = all(each.payload == found[0].payload for each in found)
    return () if equal else found


def media_type_of(content: ir.Content) -> str:
    """Return the media type that a form is sent as; of text and bytes it may be a range."""
    if "*" not in content.media_type or isinstance(content, ir.Text | ir.Binary):
        return content.media_type
    return JSON


def usual(media_type: str) -> str | None:
    """Return what a body is sent as unless the caller says it; None where nobody can know."""
    if "*" not in media_type:
        return media_type
    if media_type in ("*/*", "*", "application/*"):
        return OCTETS
    return "text/plain" if media_type == "text/*" else None


def concrete(media_type: str) -> str:
    """Return a media type of a range."""
    main, _, _ = media_type.partition("/")
    if "*" not in media_type:
        return media_type
    known = {"image": "png", "audio": "mpeg", "video": "mp4", "text": "plain"}
    return f"{main}/{known[main]}" if main in known else "application/octet-stream"


def is_open(body: ir.RequestBody) -> bool:
    """Whether the caller says what the body is: its one media type is a range of such."""
    only = body.contents[0]
    ranged = "*" in only.media_type and isinstance(only, ir.Text | ir.Binary)
    return len(body.contents) == 1 and ranged


def _argument(name: str, annotation: str, required: bool, doc: str | None) -> Argument:
    if required:
        return Argument(name, annotation, None, doc)
    return Argument(name, f"{annotation} | Omit", "omit", doc)
