"""What a type admits is held against an independent judge of the schema that it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

import jsonschema_rs
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from specloom import ir
from specloom.lower.values import fits

from .make import Lowered, Plain, document, lowered, ref

NAMES = st.sampled_from(["a", "b", "c"])
COMPONENTS = ("One", "Two", "Three")
CONSTANTS = st.sampled_from(["x", "y", 1, 2, True, None])
VALUES: st.SearchStrategy[object] = st.recursive(
    CONSTANTS | st.sampled_from(["z", 1.5, False]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
REFERENCES = st.sampled_from(COMPONENTS).map(ref)
"""References to anything, which stand inside an object or a list: a value is not its own part."""


def objects(schemas: st.SearchStrategy[Plain]) -> st.SearchStrategy[Plain]:
    """Draw objects with declared properties."""
    properties = st.dictionaries(NAMES, schemas | REFERENCES, min_size=1, max_size=3)
    return properties.map(lambda found: {"type": "object", "properties": found})


def maps(schemas: st.SearchStrategy[Plain]) -> st.SearchStrategy[Plain]:
    """Draw objects of one type of value."""
    inner = schemas | REFERENCES
    return inner.map(lambda found: {"type": "object", "additionalProperties": found})


def lists(schemas: st.SearchStrategy[Plain]) -> st.SearchStrategy[Plain]:
    """Draw lists, and lists whose first places have types of their own."""
    inner = schemas | REFERENCES
    rest = inner | st.booleans()

    def of_places(found: tuple[list[Plain], object]) -> Plain:
        places, item = found
        return {"type": "array", "prefixItems": places, "items": item}

    places = st.lists(inner, min_size=1, max_size=2)
    alike: st.SearchStrategy[Plain] = inner.map(lambda item: {"type": "array", "items": item})
    return alike | st.tuples(places, rest).map(of_places)


def joined(inner: st.SearchStrategy[Plain]) -> st.SearchStrategy[Plain]:
    """Draw conjunctions, unions, and unions beside something else."""
    several = st.lists(inner, min_size=1, max_size=3)

    def beside(keyword: str) -> st.SearchStrategy[Plain]:
        def both(found: tuple[Plain, list[Plain]]) -> Plain:
            return {**found[0], keyword: found[1]}

        alone: st.SearchStrategy[Plain] = several.map(lambda found: {keyword: found})
        return alone | st.tuples(inner, several).map(both)

    return beside("allOf") | beside("anyOf")


LEAVES: st.SearchStrategy[Plain] = (
    st.sampled_from(["string", "integer", "number", "boolean"]).map(lambda kind: {"type": kind})
    | st.lists(st.sampled_from(["string", "integer", "boolean"]), min_size=1, unique=True).map(
        lambda kinds: {"type": kinds}
    )
    | st.lists(CONSTANTS, min_size=1, max_size=3, unique_by=repr).map(lambda v: {"enum": v})
    | CONSTANTS.map(lambda value: {"const": value})
)


def open_schemas(leaves: st.SearchStrategy[Plain]) -> st.SearchStrategy[Plain]:
    """Draw schemas that say nothing of properties that they do not declare."""
    return st.recursive(leaves, lambda s: objects(s) | lists(s) | joined(s), max_leaves=8)


def any_schemas(leaves: st.SearchStrategy[Plain]) -> st.SearchStrategy[Plain]:
    """Draw schemas, some of which close their objects."""
    closed: Plain = {"additionalProperties": False}
    return st.recursive(
        leaves,
        lambda s: (
            objects(s) | maps(s) | lists(s) | joined(s) | objects(s).map(lambda o: {**o, **closed})
        ),
        max_leaves=8,
    )


def components(
    schemas: Callable[[st.SearchStrategy[Plain]], st.SearchStrategy[Plain]],
) -> st.SearchStrategy[Mapping[str, Plain]]:
    """Draw a schema for each component, built on those that come after it."""
    drawn: dict[str, st.SearchStrategy[Plain]] = {}
    leaves = LEAVES
    for name in reversed(COMPONENTS):
        drawn[name] = schemas(leaves)
        leaves |= st.just(ref(name))
    return st.fixed_dictionaries(drawn)


def described(schemas: Mapping[str, Plain]) -> tuple[Lowered, ir.Type, jsonschema_rs.Validator]:
    """Return what a description becomes, the type of its first component, and its judge."""
    holder: Plain = {"type": "object", "properties": {"it": ref("One")}}
    found = lowered(document({**schemas, "Holder": holder}))
    (prop,) = found.model("Holder").properties
    judge = jsonschema_rs.Draft202012Validator({"components": {"schemas": schemas}, **ref("One")})
    return found, prop.type, judge


def near(draw: st.DrawFn, schema: Plain, schemas: Mapping[str, Plain], depth: int) -> object:
    """Draw a value that is likely to be valid: each part of a schema is asked for one."""
    if depth <= 0:
        return draw(VALUES)
    found: list[object] = []
    for part in (schema, *many(schema, "allOf"), *draw(st.permutations(many(schema, "anyOf")))[:1]):
        if isinstance(name := part.get("$ref"), str):
            target = schemas[name.rpartition("/")[2]]
            found.append(near(draw, target, schemas, depth - 1))
        elif part is not schema:
            found.append(near(draw, part, schemas, depth - 1))
    found += own(draw, schema, schemas, depth)
    objects_ = [cast("dict[str, object]", value) for value in found if isinstance(value, dict)]
    if found and len(objects_) == len(found):
        return {name: value for each in objects_ for name, value in each.items()}
    return draw(st.sampled_from(found)) if found else draw(VALUES)


def own(draw: st.DrawFn, schema: Plain, schemas: Mapping[str, Plain], depth: int) -> list[object]:
    """Draw a value of what a schema says itself."""
    if "const" in schema:
        return [schema["const"]]
    if "enum" in schema:
        return [draw(st.sampled_from(cast("list[object]", schema["enum"])))]
    kinds = schema.get("type")
    kind = draw(st.sampled_from(cast("list[str]", kinds))) if isinstance(kinds, list) else kinds
    if kind == "object":
        names = draw(st.sets(NAMES, max_size=2))
        declared = cast("Mapping[str, Plain]", schema.get("properties", {}))
        other = schema.get("additionalProperties", {})
        inner = {name: declared.get(name, other) for name in names}
        inside = {k: cast(Plain, v) for k, v in inner.items() if isinstance(v, dict)}
        return [{k: near(draw, v, schemas, depth - 1) for k, v in inside.items()}]
    if kind == "array":
        rest = schema.get("items")
        tail = [cast(Plain, rest)] if isinstance(rest, dict) and draw(st.booleans()) else []
        inside_ = [*many(schema, "prefixItems"), *tail]
        return [[near(draw, each, schemas, depth - 1) for each in inside_]]
    plain = {"string": "z", "integer": 1, "number": 1.5, "boolean": False}
    return [plain[kind]] if isinstance(kind, str) else []


def many(schema: Plain, keyword: str) -> list[Plain]:
    """Return the schemas that a keyword lists."""
    return cast("list[Plain]", schema.get(keyword, []))


@st.composite
def cases(
    draw: st.DrawFn, kind: Callable[[st.SearchStrategy[Plain]], st.SearchStrategy[Plain]]
) -> tuple[Mapping[str, Plain], list[object]]:
    """Draw components, and values that may be valid by the first of them."""
    schemas = draw(components(kind))
    values = [near(draw, schemas["One"], schemas, 4) for _ in range(4)]
    return schemas, [*values, *draw(st.lists(VALUES, max_size=3))]


QUIET = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)
CAREFULLY = settings(max_examples=80, deadline=None, suppress_health_check=QUIET)


@given(cases(any_schemas))
@CAREFULLY
def test_a_valid_value_is_of_the_type(case: tuple[Mapping[str, Plain], list[object]]) -> None:
    schemas, values = case
    found, type_, judge = described(schemas)
    for value in values:
        if judge.is_valid(value):
            assert fits(value, type_, found.api.types)


@given(cases(open_schemas))
@CAREFULLY
def test_a_value_of_the_type_is_valid(case: tuple[Mapping[str, Plain], list[object]]) -> None:
    schemas, values = case
    found, type_, judge = described(schemas)
    assume(not found.codes)
    for value in values:
        if not holds_null(value) and fits(value, type_, found.api.types):
            assert judge.is_valid(value)


def holds_null(value: object) -> bool:
    """Whether there is a null in a value: one that is listed is taken, whatever the type says."""
    match value:
        case list():
            return any(map(holds_null, cast("list[object]", value)))
        case dict():
            return any(map(holds_null, cast("dict[str, object]", value).values()))
        case _:
            return value is None
