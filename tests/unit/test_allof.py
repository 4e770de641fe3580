"""An object is the same type however it is split into parts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specloom import ir

from .make import Plain, document, lowered, ref

KINDS: tuple[Plain, ...] = (
    {"type": "string"},
    {"type": "integer", "minimum": 0},
    {"type": ["boolean", "null"]},
    {"type": "array", "items": {"type": "string"}},
    {"enum": ["a", "b"]},
    {"$ref": "#/components/schemas/Other"},
)
NAMES = st.sampled_from(["a", "b", "c", "d", "e"])
PROPERTIES = st.dictionaries(NAMES, st.sampled_from(KINDS), min_size=1)
PLACES = st.sampled_from(["beside", "first", "second", "nested", "referenced"])


@st.composite
def splits(draw: st.DrawFn) -> tuple[Plain, Plain, Plain]:
    """Return an object schema, the same one split into parts, and the part referred to."""
    properties = draw(PROPERTIES)
    required = draw(st.lists(st.sampled_from(sorted(properties)), unique=True))
    parts: dict[str, dict[str, dict[str, object]]] = {}
    needed: dict[str, list[str]] = {}
    for name, schema in properties.items():
        parts.setdefault(draw(PLACES), {})[name] = dict(schema)
    for name in required:
        place = draw(PLACES)
        alone = place == "referenced" and name not in parts.get(place, {})
        needed.setdefault("beside" if alone else place, []).append(name)

    def part(place: str) -> dict[str, object]:
        return {
            "type": "object",
            "properties": parts.get(place, {}),
            "required": needed.get(place, []),
        }

    branches = [
        part("first"),
        {"allOf": [ref("Part"), part("nested")]},
        part("second"),
    ]
    split = {**part("beside"), "allOf": draw(st.permutations(branches))}
    whole = {"type": "object", "properties": properties, "required": required}
    return whole, split, part("referenced")


@given(splits())
@settings(max_examples=60, deadline=None)
def test_splitting_changes_nothing(split: tuple[Plain, Plain, Plain]) -> None:
    whole, parts, referenced = split
    other: Plain = {"type": "object", "properties": {"x": {"type": "string"}}}
    described = lowered(
        document({"Whole": whole, "Split": parts, "Part": referenced, "Other": other})
    )
    assert described.types("Split") == described.types("Whole")
    assert described.codes == []


def properties(schema: Plain, **others: Plain) -> Mapping[str, tuple[ir.Type, bool]]:
    """Return the properties of a schema."""
    return lowered(document({"It": schema, **others})).types("It")


BASE: Plain = {
    "type": "object",
    "required": ["kind"],
    "properties": {"kind": {"type": "string"}, "size": {"type": "integer", "minimum": 0}},
}


def test_a_later_declaration_narrows_an_earlier_one() -> None:
    narrow: Plain = {"properties": {"kind": {"const": "dog"}}}
    found = properties({"allOf": [ref("Base"), narrow]}, Base=BASE)
    assert found["kind"] == (ir.Literal((ir.constant("dog"),)), True)


def test_required_may_stand_apart_from_its_property() -> None:
    found = properties({"allOf": [ref("Base"), {"required": ["size"]}]}, Base=BASE)
    assert [required for _, required in found.values()] == [True, True]


@pytest.mark.parametrize(
    "beside",
    [
        {"description": "why"},
        {"nullable": True},
        {"default": {}, "deprecated": True},
        {"type": "object"},
        {"x-note": 1},
    ],
)
def test_one_part_with_prose_around_it_is_that_part(beside: Plain) -> None:
    holder: Plain = {"type": "object", "properties": {"p": {"allOf": [ref("Base")], **beside}}}
    described = lowered(document({"It": holder, "Base": BASE}))
    (prop,) = described.model("It").properties
    base = ir.Ref(described.model("Base").id)
    assert prop.type == (ir.Union((base, ir.NULL)) if "nullable" in beside else base)
    assert len(described.api.types) == 2


def test_a_part_that_is_no_object_is_reported_and_untyped() -> None:
    schema: Plain = {"allOf": [ref("Base"), {"type": "string"}]}
    holder: Plain = {"type": "object", "properties": {"p": schema}}
    described = lowered(document({"It": holder, "Base": BASE}))
    assert described.types("It") == {"p": (ir.UNKNOWN, False)}
    assert "unsupported-keyword" in described.codes


def test_a_part_that_leads_back_ends() -> None:
    node: Plain = {"allOf": [ref("Node"), {"type": "object", "properties": {"n": ref("Node")}}]}
    described = lowered(document({"Node": node}))
    assert described.types("Node") == {"n": (ir.Ref(described.model("Node").id), False)}
