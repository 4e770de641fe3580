"""Arguments and answers of operations, drawn from the schemas of their description."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Literal

from oracle.drawing import Drawer, Impossible
from oracle.judge import Judge, Schema
from oracle.parts import mapping, several
from oracle.schemas import READINGS, Reading, SchemaReader
from specloom.description.description import Description
from specloom.description.values import is_list, is_mapping
from specloom.diagnostics import Origin

from .described import Content, Operation, Parameter

ABSENT = object()
"""What stands for a value that is not given."""

FILE = "x-file"
"""The keyword that says of a schema, read for drawing, that its values are bytes."""

_TRIES = 40
_BUDGET = 4
_FORMATS: Mapping[str, Mapping[str, object]] = {
    "byte": {"pattern": "^([A-Za-z0-9+/]{4}){1,3}$"},
    "email": {"pattern": "^[a-z]{1,8}@[a-z]{1,8}[.]example$"},
    "uri": {"pattern": "^https://[a-z]{1,8}[.]example/[a-z]{0,8}$"},
    "url": {"pattern": "^https://[a-z]{1,8}[.]example/[a-z]{0,8}$"},
    "ipv4": {"pattern": "^10[.]0[.]0[.][1-9]$"},
    "ipv6": {"pattern": "^fd00::[1-9]$"},
    "hostname": {"pattern": "^[a-z]{1,8}[.]example$"},
    "int32": {"minimum": -(2**31), "maximum": 2**31 - 1},
    "int64": {"minimum": -(2**63), "maximum": 2**63 - 1},
}
"""What is drawn for formats: narrower than what they admit."""


def _added(schema: Mapping[str, object]) -> Mapping[str, object]:
    encoded = schema.keys() & {"contentEncoding", "contentSchema"}
    if schema.get("format") == "binary" or ("contentMediaType" in schema and not encoded):
        return {FILE: True}
    written = schema.get("format")
    return _FORMATS.get(written, {}) if isinstance(written, str) else {}


@dataclass
class Drawn:
    """What one operation is called with."""

    parameters: dict[str, object]
    """Values by the key of the parameter; those that are not given are missing."""
    content: Content | None = None
    body: object = ABSENT

    def __post_init__(self) -> None:
        if self.body is ABSENT:
            self.content = None


@dataclass
class Side:
    """The schemas of what is sent, or of what is received: drawn from, and validated with.

    They are drawn from as they are meant, and what is drawn fits them by their word too, where
    that can be: of ``oneOf``, for example, no other branch.
    """

    description: Description
    hidden: Literal["readOnly", "writeOnly"]
    origins: Iterable[Origin]
    judge: Judge = field(init=False)
    literal: Judge = field(init=False)
    drawer: Drawer = field(init=False)

    def __post_init__(self) -> None:
        self.judge = self._judge(READINGS)
        self.literal = self._judge(frozenset({"received"}))
        self.drawer = Drawer(self.judge.definitions)

    @cached_property
    def word(self) -> Judge:
        """The schemas by their word alone: what is required is, in whatever direction."""
        return self._judge(frozenset())

    def _judge(self, readings: Set[Reading]) -> Judge:
        reader = SchemaReader(self.description, readings, hidden=self.hidden, added=_added)
        names = {str(origin): reader.name(origin) for origin in self.origins}
        return Judge(reader.definitions(), names)

    def schema(self, origin: Origin) -> Schema:
        """Return the schema at an origin."""
        return self.judge.schema(str(origin))

    def is_valid(self, origin: Origin, value: object) -> bool:
        """Whether a value fits the schema at an origin; bytes fit what says that it is a file."""
        return self.judge.validator(str(origin)).is_valid(plain(value))

    def draw(self, origin: Origin | None, random: Random, budget: int = _BUDGET) -> object:
        """Return a value of the schema at an origin; raises ``Impossible`` if none is found."""
        if origin is None:
            return random.choice(["loom", "two words", 7])
        found: object = ABSENT
        for _ in range(_TRIES):
            try:
                value = self.drawer.draw(self.schema(origin), random, random.randint(1, budget))
            except (Impossible, RecursionError):
                continue
            if self.is_valid(origin, value):
                found = value
                if self.literal.validator(str(origin)).is_valid(value):
                    return value
        if found is ABSENT:
            raise Impossible
        return found

    def is_scalar(self, origin: Origin | None) -> bool:
        """Whether the schema at an origin is that of one text, number or boolean."""
        schema: object = None if origin is None else self.schema(origin)
        while is_mapping(schema) and "$ref" in schema:
            schema = self.drawer.target(schema["$ref"])
        scalars = ("string", "integer", "number", "boolean")
        return is_mapping(schema) and schema.get("type") in scalars

    def is_upload(self, origin: Origin | None) -> bool:
        """Whether what stands at an origin is a file of Swagger 2.0, which is no JSON Schema."""
        schema = None if origin is None else self.schema(origin)
        return is_mapping(schema) and schema.get("type") == "file"

    def is_file(self, schema: object, depth: int = 8) -> bool:
        """Whether values of a schema are bytes, or arrays of such."""
        if not is_mapping(schema) or depth == 0:
            return False
        if schema.get(FILE):
            return True
        below = [*several(schema, "allOf"), *several(schema, "anyOf"), schema.get("items")]
        if "$ref" in schema:
            below.append(self.drawer.target(schema["$ref"]))
        return any(self.is_file(one, depth - 1) for one in below)

    def property(self, schema: object, name: str, depth: int = 8) -> Iterator[object]:
        """Yield what a schema says of a property."""
        if not is_mapping(schema) or depth == 0:
            return
        if name in (properties := mapping(schema, "properties")):
            yield properties[name]
        below = [*several(schema, "allOf"), *several(schema, "anyOf")]
        if "$ref" in schema:
            below.append(self.drawer.target(schema["$ref"]))
        for one in below:
            yield from self.property(one, name, depth - 1)


def plain(value: object) -> object:
    """Return a value in which text stands for bytes."""
    if isinstance(value, bytes):
        return value.decode()
    if is_list(value):
        return [plain(item) for item in value]
    if is_mapping(value):
        return {key: plain(item) for key, item in value.items()}
    return value


def sides(description: Description, operations: Iterable[Operation]) -> tuple[Side, Side]:
    """Return the schemas of what is sent and of what is received."""
    authored = description.authored
    sent: list[Origin] = []
    received: list[Origin] = []
    for operation in operations:
        contents = operation.body.contents if operation.body else ()
        sent += _origins(operation.parameters, contents)
        for answer in operation.responses.values():
            received += _origins((), answer)
    return Side(authored, "readOnly", sent), Side(authored, "writeOnly", received)


def _origins(parameters: Iterable[Parameter], contents: Iterable[Content]) -> Iterator[Origin]:
    for parameter in parameters:
        if parameter.schema is not None:
            yield parameter.schema
    for content in contents:
        yield from _origins(content.fields, ())
        inside = [origin for item in content.items for origin in (item.schema, item.data)]
        yield from (origin for origin in (content.schema, *inside) if origin is not None)


Amount = Literal["all", "required"]


@dataclass(frozen=True)
class Arguments:
    """Draws what operations are called with."""

    sent: Side
    random: Random

    def draw(self, operation: Operation, content: Content | None, amount: Amount) -> Drawn:
        """Return arguments: all that can be given, or those that have to be.

        Raises ``Impossible`` where a required one cannot be drawn.
        """
        values: dict[str, object] = {}
        for parameter in operation.parameters:
            if parameter.required or amount == "all":
                value = self._parameter(parameter)
                if value is not ABSENT:
                    values[parameter.key] = value
        body = ABSENT if content is None else self.body(content, amount)
        return Drawn(values, content, body)

    def _parameter(self, parameter: Parameter) -> object:
        if parameter.place == "querystring" and parameter.content is not None:
            return self.body(parameter.content, "all")
        if self.sent.is_upload(parameter.schema):
            return b"woven"
        for _ in range(_TRIES):
            try:
                value = self.sent.draw(parameter.schema, self.random, 2)
            except Impossible:
                break
            if can_be_sent(parameter, value):
                return value
        if parameter.required:
            raise Impossible(parameter.key)
        return ABSENT

    def body(self, content: Content, amount: Amount) -> object:
        """Return a body; its files are bytes."""
        kind = kind_of(content, self.sent)
        match kind:
            case "bytes":
                return bytes(self.random.randrange(256) for _ in range(64))
            case "text" if self.sent.is_scalar(content.schema):
                value = self.sent.draw(content.schema, self.random)
                return value if isinstance(value, str) else json.dumps(value)
            case "text":
                return self.random.choice(["loom", "two words", "naïve ✓ 糸", "a: 1\n"])
            case "json":
                return self.sent.draw(content.schema, self.random)
            case "form" | "multipart":
                return self._form(content, amount)

    def _form(self, content: Content, amount: Amount) -> object:
        if content.schema is None:
            found: dict[str, object] = {}
            for one in content.fields:
                if one.required or amount == "all":
                    value = self._parameter(one)
                    if value is not ABSENT:
                        found[one.name] = value
            return found
        schema = self.sent.schema(content.schema)
        for _ in range(_TRIES):
            value = self.sent.draw(content.schema, self.random)
            if is_mapping(value):
                made = dict(self._declared(schema, value))
                # What is required and not declared, against the specification, is needed too.
                for form in (made, value | made):
                    kept = {k: one for k, one in form.items() if not is_undefined(kept_of(one))}
                    if self.sent.is_valid(content.schema, kept):
                        return form
        raise Impossible

    def _declared(self, schema: Schema, value: dict[str, object]) -> Iterator[tuple[str, object]]:
        """Yield the declared properties of a form, files as bytes."""
        for name, one in value.items():
            stated = list(self.sent.property(schema, name))
            if any(self.sent.is_file(each) for each in stated):
                yield name, _as_files(one)
            elif stated:
                yield name, one


def _as_files(value: object) -> object:
    if is_list(value):
        return [_as_files(item) for item in value]
    return value.encode() if isinstance(value, str) else value


Kind = Literal["json", "form", "multipart", "text", "bytes"]


def base(media_type: str) -> str:
    """Return a media type without its parameters."""
    return media_type.partition(";")[0].strip().lower()


def is_json(media_type: str) -> bool:
    """Whether a media type is JSON (RFC 6839, section 3.1)."""
    return base(media_type).endswith(("/json", "+json"))


def kind_of(content: Content, side: Side) -> Kind:
    """Return how a body of a media type is written."""
    name = base(content.media_type)
    if is_json(name):
        return "json"
    if name == "application/x-www-form-urlencoded":
        return "form"
    if name == "multipart/form-data":
        return "multipart"
    schema = side.schema(content.schema) if content.schema is not None else True
    while is_mapping(schema) and "$ref" in schema:
        schema = side.drawer.target(schema["$ref"])
    plain = schema if is_mapping(schema) else {}
    if name in ("*/*", "application/*") and plain.keys() - {FILE} and plain.get("type") != "string":
        return "json"
    if plain.get("type") == "string" and not side.is_file(plain):
        return "text"
    return "text" if name.startswith("text/") else "bytes"


def can_be_sent(parameter: Parameter, value: object) -> bool:
    """Whether a value has a form in the place of a parameter that means it and nothing else."""
    if parameter.style is None:
        return True
    kept = kept_of(value)
    if is_undefined(kept):
        return not parameter.required
    match parameter.place:
        case "path":
            return kept not in ("", ".", "..") and kept not in ([""], ["."], [".."])
        case "header":
            texts = [kept] if isinstance(kept, str) else members(kept)
            return not any("\n" in one or one != one.strip() for one in texts)
        case "query" | "formData" if is_mapping(kept):
            return not (parameter.style.explode and parameter.style.name == "form" and "" in kept)
        case _:
            return True


def members(value: object) -> list[str]:
    """Return the texts in an array or an object."""
    inside = value if is_list(value) else value.values() if is_mapping(value) else ()
    return [one for one in inside if isinstance(one, str)]


def kept_of(value: object) -> object:
    """Return what of a value is not undefined: null is, and what has no members (RFC 6570, 2.3)."""
    if is_list(value):
        return [item for item in value if not is_undefined(item)]
    if is_mapping(value):
        return {key: item for key, item in value.items() if not is_undefined(item)}
    return value


def is_undefined(value: object) -> bool:
    """Whether nothing is sent of a value."""
    return value is None or value in ([], {})
