"""The IR written back as JSON Schema says what the IR says, in words that validators understand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import jsonschema_rs
import pytest

from specloom import ir
from specloom.description.load import load
from specloom.diagnostics import Report, Stop
from specloom.json_schema import json_schema
from specloom.lower.api import lower

from .make import Lowered, Plain, document, lowered, operation, ref

CASES = sorted((Path(__file__).resolve().parents[1] / "cases").glob("*/spec.yaml"))


def named(api: ir.Api) -> dict[ir.TypeId, str]:
    """Return a name for each type: components keep theirs."""
    return {
        id_: one.place.name if isinstance(one.place, ir.Component) else f"Inline{number}"
        for number, (id_, one) in enumerate(api.types.items())
    }


def written(made: Lowered) -> dict[str, Any]:
    """Return the definitions of an API's types."""
    return cast("dict[str, Any]", json_schema(made.api, named(made.api))["$defs"])


def one(schema: Plain) -> Any:
    """Return what a schema is written as when it is a property."""
    made = lowered(document({"T": {"type": "object", "properties": {"p": schema}}, "Other": OTHER}))
    return written(made)["T"]["properties"]["p"]


OTHER: Plain = {"type": "object", "properties": {"a": {"type": "string"}}}
NULLABLE: Plain = {"anyOf": [ref("Other"), {"type": "null"}]}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "format": "date", "minLength": 2}, None),
        ({"type": ["integer", "null"], "minimum": 1}, None),
        ({"const": "a"}, {"type": "string", "const": "a"}),
        ({"enum": ["a", 1]}, {"enum": ["a", 1]}),
        ({"enum": [1.5, 2.5]}, {"type": "number", "enum": [1.5, 2.5]}),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 3}, None),
        ({"type": ["array", "null"], "items": {"type": "string"}}, None),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, None),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}, None),
        (NULLABLE, {"anyOf": [{"$ref": "#/$defs/Other"}, {"type": "null"}]}),
        ({"$ref": "#/components/schemas/Other"}, {"$ref": "#/$defs/Other"}),
        ({}, True),
        ({"type": "string", "description": "D", "deprecated": True, "default": "x"}, None),
        ({"type": "string", "readOnly": True}, None),
        ({"type": "string", "writeOnly": True}, None),
    ],
)
def test_each_construct(schema: Plain, expected: object) -> None:
    assert one(schema) == (schema if expected is None else expected)


@pytest.mark.parametrize(
    ("rest", "items"),
    [(ir.NEVER, {"items": False}), (ir.UNKNOWN, {}), (ir.NULL, {"items": {"type": "null"}})],
)
def test_tuples(rest: ir.Type, items: Plain) -> None:
    row = ir.Tuple((ir.Primitive("string"), ir.UNKNOWN), rest)
    expected = {"type": "array", "prefixItems": [{"type": "string"}, True], **items}
    assert declared(row) == expected


def declared(type_: ir.Type, doc: str | None = None) -> Any:
    """Return what the alias of a type is written as."""
    made = lowered(document({"A": {"type": "string"}}))
    (id_,) = made.api.types
    alias = ir.Alias(id_, ir.Component("A"), made.api.types[id_].origin, type_, doc)
    api = replace(made.api, types={id_: alias})
    return cast("dict[str, Any]", json_schema(api, {id_: "A"})["$defs"])["A"]


@pytest.mark.parametrize(
    ("kind", "keyword", "value", "kept"),
    [
        ("string", "minLength", 3, True),
        ("string", "minLength", -3, False),
        ("string", "minLength", "3", False),
        ("string", "maxLength", float("inf"), False),
        ("string", "pattern", 3, False),
        ("number", "minimum", 0.5, True),
        ("number", "minimum", True, False),
        ("number", "maximum", float("nan"), False),
        ("number", "multipleOf", 0, False),
    ],
)
def test_limits_that_are_none_are_left_out(
    kind: Any, keyword: str, value: object, kept: bool
) -> None:
    written = declared(ir.Primitive(kind, None, ((keyword, ir.constant(value)),)))
    assert written == ({"type": kind, keyword: value} if kept else {"type": kind})


def test_never_and_anything_with_something_to_say() -> None:
    assert declared(ir.NEVER) is False
    assert declared(ir.NEVER, doc="D") == {"not": {}, "description": "D"}
    assert declared(ir.UNKNOWN) is True
    assert declared(ir.UNKNOWN, doc="D") == {"description": "D"}


def test_a_tagged_union_keeps_its_discriminator() -> None:
    def tagged(value: str) -> Plain:
        kind: Plain = {"type": "string", "enum": [value]}
        return {"type": "object", "required": ["kind"], "properties": {"kind": kind}}

    pet: Plain = {"oneOf": [ref("Cat"), ref("Dog"), {"type": "null"}]}
    made = lowered(document({"Pet": pet, "Cat": tagged("cat"), "Dog": tagged("dog")}))
    owner = lowered(
        document(
            {
                "Owner": {"type": "object", "properties": {"pet": pet}},
                "Cat": tagged("cat"),
                "Dog": tagged("dog"),
            }
        )
    )
    assert made.codes == owner.codes == []
    assert written(owner)["Owner"]["properties"]["pet"] == {
        "anyOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}, {"type": "null"}],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {"cat": "#/$defs/Cat", "dog": "#/$defs/Dog"},
        },
    }


def test_properties_of_one_direction_are_required_where_they_travel() -> None:
    account: Plain = {
        "type": "object",
        "required": ["id", "password", "name"],
        "properties": {
            "id": {"type": "string", "readOnly": True},
            "password": {"type": "string", "writeOnly": True},
            "name": {"type": "string"},
        },
    }

    def required(**bodies: Plain) -> list[str]:
        paths: Plain = {"/a": {"post": operation(**bodies)}}
        made = lowered(document({"Account": account}, paths))
        return cast("list[str]", written(made)["Account"]["required"])

    account_ref = ref("Account")
    assert required(sent=account_ref, received=account_ref) == ["name"]
    assert required(received=account_ref) == ["id", "name"]
    assert required(sent=account_ref) == ["password", "name"]


@pytest.mark.parametrize(("default", "kept"), [(1.5, True), (float("inf"), False)])
def test_a_default_that_json_does_not_have_is_left_out(default: float, kept: bool) -> None:
    made = lowered(document({"T": {"type": "object", "properties": {"a": {"type": "number"}}}}))
    model = made.model("T")
    changed = replace(model.properties[0], default=ir.constant(default))
    api = replace(made.api, types={model.id: replace(model, properties=(changed,))})
    written = cast("dict[str, Any]", json_schema(api, {model.id: "T"})["$defs"])
    assert ("default" in written["T"]["properties"]["a"]) == kept


def test_additional_properties() -> None:
    made = lowered(
        document(
            {
                "Open": OTHER,
                "Closed": {**OTHER, "additionalProperties": False},
                "Typed": {**OTHER, "additionalProperties": {"type": "integer"}},
            }
        )
    )
    found = {name: schema.get("additionalProperties") for name, schema in written(made).items()}
    assert found == {"Open": None, "Closed": False, "Typed": {"type": "integer"}}


def test_a_recursive_type_and_a_name_that_is_not_ascii() -> None:
    tree: Plain = {
        "type": "object",
        "properties": {"sub": {"type": "array", "items": ref("Größe")}},
    }
    schema = json_schema(*_named(lowered(document({"Größe": tree}))))
    validator = jsonschema_rs.validator_for({**schema, "$ref": "#/$defs/Gr%C3%B6%C3%9Fe"})
    assert validator.is_valid({"sub": [{"sub": []}]})
    assert not validator.is_valid({"sub": [{"sub": 3}]})


def _named(made: Lowered) -> tuple[ir.Api, dict[ir.TypeId, str]]:
    return made.api, named(made.api)


@pytest.mark.parametrize("path", CASES, ids=[path.parent.name for path in CASES])
def test_every_case_gives_a_valid_document(path: Path) -> None:
    report = Report()
    try:
        api = lower([load(path, report)], report)
    except Stop:
        pytest.skip("nothing can be read from this description")
    schema = json_schema(api, named(api))
    jsonschema_rs.meta.validate(schema)
    targets = {f"#/$defs/{name}" for name in cast("dict[str, object]", schema["$defs"])}
    assert {target for target in references(schema) if "%" not in target} <= targets


def references(node: object) -> Iterator[str]:
    """Yield the targets of all references in a document."""
    if isinstance(node, dict):
        members = cast("dict[str, object]", node)
        if isinstance(target := members.get("$ref"), str):
            yield target
        for value in members.values():
            yield from references(value)
    elif isinstance(node, list):
        for item in cast("list[object]", node):
            yield from references(item)
