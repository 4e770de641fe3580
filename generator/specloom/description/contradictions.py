"""Values that contradict the schemas beside them: defaults, examples, constants of enums."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import jsonschema_rs

from specloom.description.anatomy import Part, target
from specloom.description.description import Description
from specloom.description.plain_schemas import PlainSchemas, is_json
from specloom.description.sentences import sentence
from specloom.description.structure import causes
from specloom.description.values import children, is_list, is_mapping
from specloom.diagnostics import Origin

_MOST: Final = 3
"""How many contradictions of one value are reported: the rest follow from them, mostly."""
_NAMES: Final = {"default": "default", "example": "example", "enum": "enum value"}


@dataclass(frozen=True, slots=True)
class Claim:
    """A value that should be valid by a schema, which has the name ``schema``."""

    kind: str
    value: object
    origin: Origin
    schema: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What is wrong with a value, and where in it; ``value`` is where the value begins."""

    code: str
    message: str
    origin: Origin
    value: Origin


def contradictions(description: Description, parts: Iterable[Part]) -> Iterator[Contradiction]:
    """Yield what contradicts its schema in the objects of a description, in their order."""
    schemas = PlainSchemas(description)
    claims = [
        claim
        for part in parts
        for claim in _claims(part, description, schemas)
        if is_json(claim.value)
    ]
    validator = schemas.validators()
    for claim in claims:
        yield from _judge(claim, validator, schemas.hidden)


def _claims(part: Part, description: Description, schemas: PlainSchemas) -> Iterator[Claim]:
    """Yield the values in an object of a description."""
    value, origin = part.value, part.origin
    match part.kind:
        case "schema":
            yield from _own(value, origin, schemas)
        case "parameter" | "header" if "schema" in value:
            schema = schemas.key(value["schema"], origin / "schema")
            structured = _is_structured(value["schema"], origin / "schema", description)
            for example, at in _examples(value, origin, description):
                # A text may show how a list or an object is written in a query.
                if not (structured and isinstance(example, str)):
                    yield Claim("example", example, at, schema)
        case "media type" if "schema" in value and _is_json_type(origin):
            schema = schemas.key(value["schema"], origin / "schema")
            for example, at in _examples(value, origin, description):
                yield Claim("example", _read(example), at, schema)
        case _:
            pass


def _own(schema: dict[str, object], origin: Origin, schemas: PlainSchemas) -> Iterator[Claim]:
    """Yield the values that a schema itself states."""
    for keyword in ("default", "example"):
        if keyword in schema:
            at = origin / keyword
            yield Claim(keyword, schema[keyword], at, schemas.key(schema, origin))
    if is_list(examples := schema.get("examples")):
        for _, example, at in children(examples, origin / "examples"):
            yield Claim("example", example, at, schemas.key(schema, origin))
    if is_list(constants := schema.get("enum")) and len(schema) > 1:
        for _, constant, at in children(constants, origin / "enum"):
            yield Claim("enum", constant, at, schemas.key(schema, origin, bare=True))


def _examples(
    holder: dict[str, object], origin: Origin, description: Description
) -> Iterator[tuple[object, Origin]]:
    """Yield the examples of a parameter, a header or a media type (OpenAPI, Example Object)."""
    if "example" in holder:
        yield holder["example"], origin / "example"
    if is_mapping(named := holder.get("examples")):
        for _, written, at in children(named, origin / "examples"):
            example, place = target(description, written, at)
            for field in ("value", "dataValue"):
                if is_mapping(example) and field in example:
                    yield example[field], place / field


def _is_structured(schema: object, origin: Origin, description: Description) -> bool:
    """Return whether a schema describes lists or objects."""
    stated, _ = target(description, schema, origin)
    return is_mapping(stated) and stated.get("type") not in ("string", "integer", "number")


def _is_json_type(origin: Origin) -> bool:
    """Return whether the media type at an origin is JSON, which examples show as it is."""
    name = (origin.tokens or ("",))[-1].split(";")[0].strip().lower()
    return name == "application/json" or name.endswith("+json")


def _read(example: object) -> object:
    """Return what an example shows that is written as a text in JSON."""
    if isinstance(example, str) and example.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(example)
        except (ValueError, RecursionError):
            pass
    return example


def _judge(
    claim: Claim, validator: Callable[[str], jsonschema_rs.Validator], hidden: set[str]
) -> Iterator[Contradiction]:
    """Yield how a value contradicts its schema."""
    name = _NAMES[claim.kind]
    try:
        found = [
            cause
            for error in validator(claim.schema).iter_errors(claim.value)
            for cause in causes(error)
            if not (cause.kind.name == "required" and cause.kind.value in hidden)
        ]
    except ValueError as error:
        reason = str(error).partition("\n")[0][:120]
        message = f"the {name} cannot be held against its schema ({reason})"
        yield Contradiction("unchecked", message, claim.origin, claim.origin)
        return
    mistyped = {tuple(cause.instance_path) for cause in found if cause.kind.name == "type"}
    found = [c for c in found if c.kind.name == "type" or tuple(c.instance_path) not in mistyped]
    for cause in found[:_MOST]:
        origin = claim.origin
        for token in cause.instance_path:
            origin /= token
        last = cause.instance_path[-1] if cause.instance_path else name
        member = f"item {last}" if isinstance(last, int) else last
        said = sentence(cause.kind.name, cause.kind.value, cause.instance, member)
        message = f"the {name} contradicts its schema: {said}"
        yield Contradiction(f"invalid-{claim.kind}", message, origin, claim.origin)
