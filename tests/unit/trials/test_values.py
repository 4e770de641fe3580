"""Samples are what their types say, which a validator of JSON Schema decides."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from specloom import ir
from specloom.python.trials.judge import Judge
from specloom.python.trials.patterns import matching
from specloom.python.trials.values import Impossible, Samples

from ..make import Lowered, document
from ..make import lowered as lowered_documents

SCHEMAS: list[tuple[object, object]] = [
    ({"type": "string"}, "thing"),
    ({"type": "string", "minLength": 12}, "thingthingthing"),
    ({"type": "string", "maxLength": 3}, "thi"),
    ({"type": "string", "pattern": "^[A-Z]-[0-9]+$"}, "A-1"),
    ({"type": "string", "pattern": "^[a-f0-9]+$", "minLength": 8}, "aaaaaaaa"),
    ({"type": "string", "pattern": "^\\p{Lu}$"}, "A"),
    ({"type": "string", "format": "date-time"}, "2026-01-31T12:00:00Z"),
    ({"type": "string", "format": "decimal"}, "19.90"),
    ({"type": "string", "enum": ["b", "a"]}, "b"),
    ({"enum": [None, 2]}, 2),
    ({"type": "integer"}, 1),
    ({"type": "integer", "minimum": 5, "multipleOf": 4}, 8),
    ({"type": "integer", "maximum": -3}, -3),
    ({"type": "integer", "exclusiveMinimum": 5}, 6),
    ({"type": "number"}, 1.5),
    ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, 0.5),
    ({"type": "number", "multipleOf": 0.25, "minimum": 2.1}, 2.25),
    ({"type": ["null", "boolean"]}, True),
    ({"type": "null"}, None),
    ({"type": "array", "items": {"type": "string"}}, ["thing"]),
    (
        {"type": "array", "items": {"type": "string"}, "minItems": 2, "uniqueItems": True},
        ["thing", "thing2"],
    ),
    (
        {"type": "array", "items": {"enum": ["x", "y"]}, "minItems": 2, "uniqueItems": True},
        ["x", "y"],
    ),
    (
        {"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": True},
        [1, 2, 3],
    ),
    ({"type": "array", "maxItems": 0}, []),
    (
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "null"}], "minItems": 2},
        [1, None],
    ),
    ({"type": "object", "additionalProperties": {"type": "integer"}}, {"key": 1}),
    (
        {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 2},
        {"key": 1, "key2": 1},
    ),
    (
        {"type": "object", "required": ["b"], "properties": {"a": {}, "b": {"type": "string"}}},
        {"b": "b"},
    ),
    (
        {"type": "object", "properties": {name: {"type": "string"} for name in "abcde"}},
        {n: n for n in "abc"},
    ),
    ({"anyOf": [{"$ref": "#/components/schemas/Endless"}, {"type": "integer"}]}, 1),
    ({"$ref": "#/components/schemas/Tree"}, {"label": "label", "children": []}),
    ({"$ref": "#/components/schemas/Shown"}, {"label": "an oak"}),
]

COMMON = {
    "Tree": {
        "type": "object",
        "required": ["label", "children"],
        "properties": {
            "label": {"type": "string"},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
        },
    },
    "Endless": {
        "type": "object",
        "required": ["next"],
        "properties": {"next": {"$ref": "#/components/schemas/Endless"}},
    },
    "Shown": {
        "type": "object",
        "required": ["label"],
        "properties": {"label": {"type": "string", "example": "an oak"}},
    },
    "Cat": {
        "type": "object",
        "required": ["kind", "lives"],
        "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}},
    },
    "Pet": {
        "oneOf": [{"$ref": "#/components/schemas/Cat"}],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {"feline": "#/components/schemas/Cat"},
        },
    },
}


def lowered(schemas: Mapping[str, object]) -> Lowered:
    return lowered_documents(document(schemas))


def sampled(api: ir.Api, type_: ir.Type) -> object:
    return Samples(api.types, api.examples, "write").value(type_, "thing")


@pytest.mark.parametrize(("schema", "expected"), SCHEMAS, ids=[str(s) for s, _ in SCHEMAS])
def test_sample(schema: object, expected: object) -> None:
    holder = {"type": "object", "required": ["thing"], "properties": {"thing": schema}}
    found = lowered({**COMMON, "Holder": holder})
    (thing,) = found.model("Holder").properties
    value = sampled(found.api, thing.type)
    assert (value, type(value)) == (expected, type(expected))
    assert Judge.of(found.api, [thing.type]).accepts(thing.type, value)


def test_a_member_of_a_union_says_which_it_is() -> None:
    other = {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}}
    pet = {
        "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
        "discriminator": {"propertyName": "kind", "mapping": {"feline": "Cat", "canine": "Dog"}},
    }
    found = lowered({**COMMON, "Dog": other, "Pet": pet})
    assert sampled(found.api, found.alias("Pet")) == {"kind": "feline", "lives": 1}


def test_what_has_no_end_is_impossible() -> None:
    found = lowered(COMMON)
    with pytest.raises(Impossible):
        sampled(found.api, ir.Ref(found.id("Endless")))


def test_what_is_too_large_is_impossible_and_the_next_value_is_not() -> None:
    schemas: dict[str, object] = {"T0": {"type": "string"}}
    for depth in range(1, 11):
        inner = {"$ref": f"#/components/schemas/T{depth - 1}"}
        names = [f"p{number}" for number in range(9)]
        properties = dict.fromkeys(names, inner)
        schemas[f"T{depth}"] = {"type": "object", "required": names, "properties": properties}
    found = lowered(schemas)
    samples = Samples(found.api.types, {}, "read")
    nested: ir.Type = ir.Primitive("string")
    for _ in range(3000):
        nested = ir.Tuple((nested,), ir.NEVER)
    for type_ in (ir.Ref(found.id("T10")), nested):
        with pytest.raises(Impossible):
            samples.value(type_)
    assert samples.value(ir.Ref(found.id("T1"))) == {
        f"p{number}": f"p{number}" for number in range(9)
    }


def test_what_travels_the_other_way_is_left_out() -> None:
    properties = {
        "id": {"type": "string", "readOnly": True},
        "secret": {"type": "string", "writeOnly": True},
    }
    schema = {"type": "object", "required": ["id", "secret"], "properties": properties}
    found = lowered({"Thing": schema})
    thing = ir.Ref(found.id("Thing"))
    assert Samples(found.api.types, {}, "read").value(thing) == {"id": "id"}
    assert Samples(found.api.types, {}, "write").value(thing) == {"secret": "secret"}


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ({"at": "2026-01-31", "price": "1.50", "code": "AB"}, True),
        ({"at": "31.1.2026", "price": "1.50", "code": "AB"}, False),
        ({"at": "2026-01-31", "price": "1,50", "code": "AB"}, False),
        ({"at": "2026-01-31", "price": "1.50", "code": "ABC"}, False),
        ({"at": "2026-01-31"}, False),
    ],
)
def test_examples_are_judged_by_formats_and_limits_too(value: object, verdict: bool) -> None:
    properties = {
        "at": {"type": "string", "format": "date"},
        "price": {"type": "string", "format": "decimal"},
        "code": {"type": "string", "maxLength": 2},
    }
    found = lowered(
        {"T": {"type": "object", "required": list(properties), "properties": properties}}
    )
    type_ = ir.Ref(found.id("T"))
    assert Judge.of(found.api, [type_]).accepts(type_, value) is verdict


def test_patterns_that_are_none_do_not_keep_the_rest_from_being_judged() -> None:
    found = lowered({"A": {"type": "string", "pattern": "("}, "B": {"type": "integer"}})
    judge = Judge.of(found.api, [found.alias("A"), found.alias("B")])
    assert judge.accepts(found.alias("A"), "text")
    assert not judge.accepts(found.alias("B"), "text")


@pytest.mark.parametrize(
    "pattern",
    [
        r"^[A-Z]{2}$",
        r"^(a|b)c{3,}$",
        r"[\w.-]+@[\w.]+",
        r"^sk_[A-Za-z0-9]{24}$",
        r"^\d{4}-\d{2}$",
        r"^(?!abc)[^/]+$",
        r"^(\([0-9]{3}\))?[0-9]{3}-[0-9]{4}$",
        r"^[一-鿿]+\x41$",
        r"^(?:x|(?<name>y))\.?$",
        r"^[^\s]*$",
        r"^[\]\-]+?$",
    ],
)
def test_texts_match_patterns(pattern: str) -> None:
    python = pattern.replace("?<name>", "?P<name>")
    assert re.search(python, next(matching(pattern)))


@pytest.mark.parametrize(
    "pattern",
    ["(", "[", "a)", r"(a)\1", "(?", "a{9999}", "((a{4000}){4000}){4000}", "(" * 5000, "\\"],
    ids=lambda pattern: pattern[:12],
)
def test_what_is_beyond_us_gives_nothing(pattern: str) -> None:
    assert list(matching(pattern)) == []
