"""What a type is named after does not change when a description grows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from specloom import ir
from specloom.diagnostics import Origin
from specloom.lower.places import of_target

from .make import Plain, document, lowered, operation, ref

NAMES = st.sampled_from(["a", "b", "c"])
COMPONENTS = ("One", "Two", "Three")
LEAF: Plain = {"type": "object", "properties": {"x": {"type": "string"}}}


def beside(found: tuple[Plain, list[Plain]]) -> Plain:
    """Return an object with a union beside its properties."""
    return {**found[0], "anyOf": found[1]}


def inside(inner: st.SearchStrategy[Plain]) -> st.SearchStrategy[Plain]:
    """Draw schemas that hold inline ones."""
    properties = st.dictionaries(NAMES, inner, min_size=1, max_size=2)
    objects = properties.map(lambda p: {"type": "object", "properties": p})
    return (
        objects
        | inner.map(lambda s: {"type": "array", "items": s})
        | inner.map(lambda s: {"type": "object", "additionalProperties": s})
        | st.lists(inner, min_size=2, max_size=3).map(lambda s: {"oneOf": s})
        | st.tuples(objects, st.lists(inner, min_size=2, max_size=2)).map(beside)
        | st.lists(objects, min_size=1, max_size=2).map(lambda s: {"allOf": s})
    )


SCHEMAS = st.recursive(
    st.just(LEAF) | st.sampled_from(COMPONENTS[1:]).map(ref), inside, max_leaves=6
)
DESCRIPTIONS = st.tuples(SCHEMAS, inside(st.just(LEAF)), inside(st.just(LEAF))).map(
    lambda found: dict(zip(COMPONENTS, found, strict=True))
)


def places(schemas: Mapping[str, Plain], paths: Plain | None = None) -> Mapping[str, ir.Place]:
    """Return the places of all types of a description."""
    api = lowered(document(schemas, paths)).api
    return {id_: declared.place for id_, declared in api.types.items()}


def grown(value: object) -> object:
    """Return a schema with a property more in each object, and a branch more in each union."""
    match value:
        case dict() if "$ref" in value:
            return cast("object", value)
        case dict():
            members = cast("dict[str, object]", value)
            return {key: _grown(key, inner) for key, inner in members.items()}
        case list():
            return [grown(inner) for inner in cast("list[object]", value)]
        case _:
            return value


def _grown(key: str, value: object) -> object:
    match key, value:
        case "properties", dict():
            members = cast("dict[str, object]", value)
            return {**{name: grown(inner) for name, inner in members.items()}, "later": LEAF}
        case "oneOf" | "anyOf", list():
            return [*(grown(branch) for branch in cast("list[object]", value)), LEAF]
        case _:
            return grown(value)


Schemas = Mapping[str, Plain]
QUIET = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)


def by_a_reference(schemas: Schemas) -> Schemas:
    return {"New": ref("One"), **schemas}


def by_a_conjunction(schemas: Schemas) -> Schemas:
    return {"New": {"allOf": [ref("One"), ref("Two"), LEAF]}, **schemas}


def by_a_union(schemas: Schemas) -> Schemas:
    return {**schemas, "New": {"oneOf": [ref("Three"), LEAF]}}


def in_its_parts(schemas: Schemas) -> Schemas:
    return {name: cast("Plain", grown(schema)) for name, schema in schemas.items()}


@given(DESCRIPTIONS)
@settings(max_examples=60, deadline=None, suppress_health_check=QUIET)
@pytest.mark.parametrize(
    "growth",
    [by_a_reference, by_a_conjunction, by_a_union, in_its_parts],
    ids=["reference", "conjunction", "union", "parts"],
)
def test_a_description_that_grows_moves_nothing(
    growth: Callable[[Mapping[str, Plain]], Mapping[str, Plain]], schemas: Mapping[str, Plain]
) -> None:
    before, after = places(schemas), places(growth(schemas))
    assert {id_: after.get(id_) for id_ in before} == before


def test_what_a_subtype_inherits_belongs_to_its_base() -> None:
    base: Plain = {
        "type": "object",
        "properties": {"inner": LEAF, "items": {"type": "array", "items": LEAF}},
    }
    found = places({"Sub": {"allOf": [ref("Base"), {"properties": {"own": LEAF}}]}, "Base": base})
    owners = {place.part: place.owner for place in found.values() if isinstance(place, ir.Inline)}
    base_id, sub_id = (f"0.json#/components/schemas/{name}" for name in ("Base", "Sub"))
    assert owners == {"inner": base_id, "items": base_id, "own": f"{sub_id}/allOf/1"}


def test_what_operations_share_is_named_after_none_of_them() -> None:
    body: Plain = {"content": {"application/json": {"schema": LEAF}}, "description": "x"}
    shared = {"requestBodies": {"Body": body}, "responses": {"Answer": body}}
    uses: Plain = {
        "requestBody": {"$ref": "#/components/requestBodies/Body"},
        "responses": {"200": {"$ref": "#/components/responses/Answer"}},
    }
    written = document(
        {}, {"/a": {"post": uses}, "/b": {"post": uses}, "/c": {"post": operation()}}
    )
    described = lowered({**written, "components": shared})
    places_ = [d.place for d in described.api.types.values() if isinstance(d.place, ir.Inline)]
    assert [(place.owner, place.part) for place in places_] == [
        ("0.json#/components/requestBodies/Body", "request"),
        ("0.json#/components/responses/Answer", "response"),
    ]


SCHEMA = "/components/schemas/It"


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("", ir.Component("It")),
        ("/$defs/Inner", ir.Component("Inner")),
        ("/properties/p", ir.Inline(f"#{SCHEMA}", "p")),
        ("/properties/p/items", ir.Inline(f"#{SCHEMA}", "p", several=True)),
        ("/items", ir.Inline(f"#{SCHEMA}", "item")),
        ("/oneOf/1", ir.Inline(f"#{SCHEMA}", "option 2")),
        ("/properties/p/anyOf/0", ir.Inline(f"#{SCHEMA}", "p option 1")),
    ],
)
def test_a_reference_to_an_inline_type_names_it_as_where_it_stands(
    pointer: str, expected: ir.Place
) -> None:
    assert of_target(Origin("", SCHEMA + pointer), {}) == expected
