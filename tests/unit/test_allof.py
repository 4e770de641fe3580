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
    declared = described.component("Split")
    is_part = isinstance(declared, ir.Alias) and declared.type == ir.Ref(described.id("Part"))
    assert described.types("Part" if is_part else "Split") == described.types("Whole")
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
    assert described.codes == ["conflicting-schemas"]


def test_a_part_that_leads_back_ends() -> None:
    node: Plain = {"allOf": [ref("Node"), {"type": "object", "properties": {"n": ref("Node")}}]}
    described = lowered(document({"Node": node}))
    assert described.types("Node") == {"n": (ir.Ref(described.model("Node").id), False)}


TEXT = ir.Primitive("string")
A_TO_C: Plain = {"type": "string", "enum": ["a", "b", "c"]}
WHOLE: Plain = {"type": "integer"}


def joined(*parts: Plain, **others: Plain) -> ir.Type:
    """Return the type of a property that is an ``allOf`` of these parts."""
    holder: Plain = {"type": "object", "properties": {"p": {"allOf": parts}}}
    described = lowered(document({"It": holder, **others}))
    assert described.codes == []
    ((type_, _),) = described.types("It").values()
    return type_


def limits(**found: object) -> ir.Constraints:
    """Return limits by their keywords."""
    return tuple((keyword, ir.constant(value)) for keyword, value in found.items())


def constants(*values: object) -> ir.Literal:
    """Return the type of one of these constants."""
    return ir.Literal(tuple(ir.constant(value) for value in values))


def test_scalars_are_narrowed() -> None:
    text: Plain = {"type": "string", "minLength": 1, "maxLength": 9}
    assert joined(text, {"maxLength": 5}) == ir.Primitive(
        "string", None, limits(minLength=1, maxLength=5)
    )
    assert joined({"type": "number"}, WHOLE) == ir.Primitive("integer")
    dated: Plain = {"format": "date"}
    assert joined({"type": "string"}, dated) == ir.Primitive("string", "date")
    either: Plain = {"type": ["string", "integer"]}
    assert joined(either, {"type": "string"}) == TEXT


def test_constants_are_narrowed_and_a_name_that_says_as_much_stays() -> None:
    assert joined(A_TO_C, {"enum": ["c", "b", "d"]}) == constants("b", "c")
    assert joined(ref("Kind"), {"const": "a"}, Kind=A_TO_C) == constants("a")
    named = joined(ref("Kind"), {"type": "string", "minLength": 1}, Kind=A_TO_C)
    assert named == ir.Ref(ir.TypeId("0.json#/components/schemas/Kind"))


def test_lists_and_maps_are_joined_by_what_they_hold() -> None:
    lists = joined({"type": "array", "items": A_TO_C}, {"items": {"const": "b"}, "maxItems": 2})
    assert lists == ir.Array(constants("b"), limits(maxItems=2))
    several: Plain = {"type": "array", "prefixItems": [{"type": "string"}], "items": WHOLE}
    row = joined(several, {"maxItems": 1})
    assert row == ir.Tuple((TEXT,), ir.NEVER, limits(maxItems=1))
    maps: Plain = {"type": "object", "additionalProperties": {"type": ["string", "integer"]}}
    assert joined(maps, {"additionalProperties": WHOLE}) == ir.Map(ir.Primitive("integer"))


def test_a_map_and_a_model_are_a_model_with_other_properties() -> None:
    values: Plain = {"type": "object", "additionalProperties": WHOLE}
    described = lowered(
        document({"It": {"allOf": [ref("Base"), ref("Map")]}, "Map": values, "Base": BASE})
    )
    model = described.model("It")
    assert [p.name for p in model.properties] == ["kind", "size"]
    assert model.additional == ir.Primitive("integer")


def test_null_survives_where_every_part_admits_it() -> None:
    maybe: Plain = {"type": ["string", "null"]}
    assert joined(maybe, {"type": ["null", "string"], "maxLength": 3}) == ir.Union(
        (ir.Primitive("string", None, limits(maxLength=3)), ir.NULL)
    )
    assert joined(maybe, {"type": "string"}) == TEXT


def test_a_union_is_joined_branch_by_branch() -> None:
    cat: Plain = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "cat"}}}
    dog: Plain = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "dog"}}}
    named: Plain = {"type": "object", "properties": {"name": {"type": "string"}}}
    described = lowered(
        document(
            {
                "Pet": {"allOf": [ref("Named"), {"oneOf": [ref("Cat"), ref("Dog")]}]},
                "Named": named,
                "Cat": cat,
                "Dog": dog,
            }
        )
    )
    pet = described.alias("Pet")
    assert isinstance(pet, ir.Union)
    models = [described.api.types[i] for i in ir.references(pet)]
    assert [[p.name for p in m.properties] for m in models if isinstance(m, ir.Model)] == [
        ["name", "kind"],
        ["name", "kind"],
    ]
    owner = described.id("Pet")
    assert [m.place for m in models] == [ir.Inline(owner, "Cat"), ir.Inline(owner, "Dog")]
    assert isinstance(pet.tagging, ir.Inferred)
    assert described.codes == []


def test_a_union_beside_a_kind_or_prose_is_that_union() -> None:
    either: Plain = {"oneOf": [ref("Base"), ref("Other")]}
    beside: Plain = {"type": "object", "description": "x", "additionalProperties": True, **either}
    other: Plain = {"type": "object", "properties": {"x": WHOLE}}
    described = lowered(document({"It": beside, "Base": BASE, "Other": other}))
    members = (ir.Ref(described.id("Base")), ir.Ref(described.id("Other")))
    assert described.alias("It") == ir.Union(members)
    assert len(described.api.types) == 3


def test_a_narrowed_union_keeps_the_branches_that_are_left() -> None:
    either: Plain = {"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}]}
    assert joined(ref("Either"), {"type": ["integer", "boolean"]}, Either=either) == ir.Union(
        (ir.Primitive("integer"), ir.Primitive("boolean"))
    )


def test_alternatives_of_presence_are_one_object_with_a_limit() -> None:
    properties: Plain = {"a": WHOLE, "b": WHOLE}
    needed: list[Plain] = [{"required": ["a"]}, {"required": ["b"], "not": {"required": ["a"]}}]
    it: Plain = {"type": "object", "properties": properties, "anyOf": needed}
    described = lowered(document({"It": it}))
    assert described.model("It").constraints == (("anyOf", ir.constant(needed)),)
    assert [p.required for p in described.model("It").properties] == [False, False]
    assert described.codes == []


def test_too_many_combinations_are_reported() -> None:
    branches = [{"properties": {f"p{i}": {"const": i}}} for i in range(9)]
    many: Plain = {
        "type": "object",
        "properties": {"x": WHOLE},
        "oneOf": branches,
        "anyOf": branches,
    }
    described = lowered(document({"It": many}))
    assert [p.name for p in described.model("It").properties] == ["x"]
    assert described.codes == ["unsupported-keyword"] * 2


def test_a_subtype_that_narrows_a_property_to_itself() -> None:
    base: Plain = {"type": "object", "properties": {"child": ref("Base"), "other": ref("Base")}}
    narrow: Plain = {"allOf": [ref("Base"), {"properties": {"child": ref("It")}}]}
    described = lowered(document({"Base": base, "It": narrow}))
    assert described.types("It")["child"] == (ir.Ref(described.id("It")), False)
    assert described.types("It")["other"] == (ir.Ref(described.id("Base")), False)
    assert len(described.api.types) == 2


def test_recursion_through_joins_ends() -> None:
    left: Plain = {"type": "object", "properties": {"next": ref("Left"), "l": WHOLE}}
    right: Plain = {"type": "object", "properties": {"next": ref("Right"), "r": WHOLE}}
    both: Plain = {"allOf": [ref("Left"), ref("Right")]}
    described = lowered(document({"Left": left, "Right": right, "Both": both}))
    assert described.types("Both") == {
        "next": (ir.Ref(described.id("Both")), False),
        "l": (ir.Primitive("integer"), False),
        "r": (ir.Primitive("integer"), False),
    }


def test_recursion_through_joined_lists_gets_a_name() -> None:
    nested: Plain = {"type": "array", "items": ref("Nested")}
    other: Plain = {"type": "array", "items": ref("Other"), "maxItems": 3}
    described = lowered(
        document(
            {"Nested": nested, "Other": other, "Both": {"allOf": [ref("Nested"), ref("Other")]}}
        )
    )
    both = described.alias("Both")
    assert both == ir.Array(ir.Ref(described.id("Both")), limits(maxItems=3))


def test_unions_that_lead_to_each_other_end() -> None:
    one: Plain = {
        "type": "object",
        "properties": {"a": WHOLE},
        "anyOf": [ref("Two"), {"required": ["x"]}],
    }
    two: Plain = {
        "type": "object",
        "properties": {"b": WHOLE},
        "anyOf": [ref("One"), {"required": ["y"]}],
    }
    described = lowered(document({"One": one, "Two": two}))
    assert all(
        references <= described.api.types.keys() for references in _references(described.api)
    )


def test_unions_inside_unions_are_put_together_within_a_budget() -> None:
    names = [f"C{index}" for index in range(8)]
    circle: dict[str, Plain] = {
        name: {
            "type": "object",
            "properties": {f"p_{name}": WHOLE},
            "anyOf": [ref(other) for other in names if other != name],
        }
        for name in names
    }
    chain: dict[str, Plain] = {
        f"D{index}": {
            "anyOf": [
                ref(f"D{index + 1}"),
                {"allOf": [ref(f"D{index + 1}"), {"properties": {f"p{index}": WHOLE}}]},
            ]
        }
        for index in range(24)
    }
    end: Plain = {"type": "object", "properties": {"end": WHOLE}}
    for schemas in (circle, {**chain, "D24": end}):
        described = lowered(document(schemas))
        assert set(described.codes) == {"unsupported-keyword"}
        assert len(described.api.types) < 300 * len(schemas)
        assert {name for name in schemas} <= {
            declared.place.name
            for declared in described.api.types.values()
            if isinstance(declared.place, ir.Component)
        }


def test_objects_inside_objects_are_put_together_within_a_budget() -> None:
    schemas: dict[str, Plain] = {
        f"{side}{index}": {
            "type": "object",
            "properties": {"x": ref(f"{side}{index + 1}"), "y": ref(f"{side}{index + 1}")},
        }
        for side in "AB"
        for index in range(24)
    }
    ends: dict[str, Plain] = {
        f"{side}24": {"type": "object", "properties": {side: WHOLE}} for side in "AB"
    }
    both: Plain = {"allOf": [ref("A0"), ref("B0")]}
    described = lowered(document({**schemas, **ends, "Both": both}))
    assert set(described.codes) == {"unsupported-keyword"}
    assert len(described.api.types) < 2_000


def _references(api: ir.Api) -> list[set[ir.TypeId]]:
    return [
        {id_ for type_ in ir.held(declared, "read") for id_ in ir.references(type_)}
        for declared in api.types.values()
    ]


def test_long_chains_of_references_need_no_deep_stack() -> None:
    chain: dict[str, Plain] = {
        f"N{i}": {"type": "object", "properties": {"next": ref(f"N{i + 1}")}} for i in range(3000)
    }
    described = lowered(document({**chain, "N3000": {"type": "string"}}))
    assert len(described.api.types) == 3001


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_beside_a_reference(version: str) -> None:
    holder: Plain = {"type": "object", "properties": {"p": {**ref("Base"), "required": ["size"]}}}
    described = lowered({**document({"It": holder, "Base": BASE}), "openapi": version})
    ((type_, _),) = described.types("It").values()
    is_base = type_ == ir.Ref(described.id("Base"))
    assert (is_base, described.codes) == (
        (True, ["ignored-sibling"]) if version == "3.0.3" else (False, [])
    )
