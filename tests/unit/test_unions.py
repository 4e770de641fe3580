"""The normal form of unions, and what their members are told apart by."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from specloom import ir
from specloom.diagnostics import Origin
from specloom.lower.tags import Tags
from specloom.lower.unions import union, without_null

LEAVES: st.SearchStrategy[ir.Type] = st.sampled_from(
    [
        ir.NULL,
        ir.Primitive("string"),
        ir.Primitive("string", "date"),
        ir.Primitive("integer"),
        ir.Primitive("boolean"),
        ir.Ref(ir.TypeId("#/A")),
        ir.Ref(ir.TypeId("#/B")),
        ir.Array(ir.Primitive("string")),
        ir.Map(ir.Ref(ir.TypeId("#/A"))),
    ]
)
CONSTANTS = st.sampled_from(["a", "b", 1, 1.0, True, ""]).map(ir.constant)
LITERALS: st.SearchStrategy[ir.Type] = st.lists(CONSTANTS, min_size=1, max_size=3, unique=True).map(
    lambda values: ir.Literal(tuple(values))
)
MEMBERS = st.lists(LEAVES | LITERALS, max_size=6)
TYPES = st.lists(LEAVES | LITERALS, max_size=6).map(lambda types: union(types))


def members(type_: ir.Type) -> tuple[ir.Type, ...]:
    """Return the members of a union; a type is the only member of itself."""
    return type_.members if isinstance(type_, ir.Union) else (type_,)


def content(type_: ir.Type) -> tuple[frozenset[ir.Type], frozenset[ir.Constant]]:
    """Return what a type admits, in no order."""
    constants = {v for m in members(type_) if isinstance(m, ir.Literal) for v in m.values}
    others = {m for m in members(type_) if not isinstance(m, ir.Literal)}
    return frozenset(others), frozenset(constants)


@given(MEMBERS)
def test_idempotent(types: list[ir.Type]) -> None:
    once = union(types)
    assert union([once]) == once
    assert union([once, once]) == once
    assert union(members(once)) == once


@given(st.lists(LEAVES | LITERALS, max_size=4))
def test_order_changes_nothing_but_the_order(types: list[ir.Type]) -> None:
    expected = content(union(types))
    for permutation in itertools.permutations(types):
        assert content(union(permutation)) == expected


@given(st.lists(LEAVES | LITERALS, min_size=1, max_size=6))
def test_nothing_is_lost_and_nothing_invented(types: list[ir.Type]) -> None:
    given_types = frozenset(t for t in types if not isinstance(t, ir.Literal))
    constants = frozenset(v for t in types if isinstance(t, ir.Literal) for v in t.values)
    assert content(union(types)) == (given_types, constants)


@given(st.lists(TYPES, max_size=4))
def test_normal_form(types: list[ir.Type]) -> None:
    result = union(types)
    inner = members(result)
    assert not any(isinstance(m, ir.Union) for m in inner)
    assert len(set(inner)) == len(inner)
    assert sum(isinstance(m, ir.Literal) for m in inner) <= 1
    assert ir.NULL not in inner[:-1]
    assert not isinstance(result, ir.Union) or len(inner) > 1


@given(MEMBERS, MEMBERS, MEMBERS)
def test_nesting_does_not_matter(
    first: list[ir.Type], second: list[ir.Type], third: list[ir.Type]
) -> None:
    flat = union([*first, *second, *third])
    parts = [union(part) for part in (first, second, third) if part]
    assert union(parts) == flat


@given(MEMBERS)
def test_what_accepts_everything_swallows_the_rest(types: list[ir.Type]) -> None:
    assert union([*types, ir.UNKNOWN]) == ir.UNKNOWN


@given(st.lists(LEAVES | LITERALS, min_size=1, max_size=6))
def test_null_comes_and_goes(types: list[ir.Type]) -> None:
    result = union(types)
    bare = without_null(result)
    assert bare == ir.NULL or ir.NULL not in members(bare)
    if ir.NULL in types and bare != ir.NULL:
        assert union([bare, ir.NULL]) == result


def test_empty_union_says_nothing() -> None:
    assert union([]) == ir.UNKNOWN


def test_one_true_and_one_point_zero_are_three_constants() -> None:
    literals = [ir.Literal((ir.constant(value),)) for value in (1, True, 1.0)]
    assert union(literals) == ir.Literal(tuple(ir.constant(v) for v in (1, True, 1.0)))


def model(name: str, **properties: ir.Type) -> ir.Model:
    """Return a model whose properties are required, but for those called ``maybe``."""
    origin = Origin("api.yaml", f"/{name}")
    return ir.Model(
        ir.TypeId(str(origin)),
        ir.Component(name),
        origin,
        tuple(ir.Property(n, t, n != "maybe", origin / n) for n, t in properties.items()),
    )


def text(*values: str) -> ir.Literal:
    """Return the type of one of these texts."""
    return ir.Literal(tuple(ir.constant(value) for value in values))


def tagging(*models: ir.Model, beside: tuple[ir.Type, ...] = ()) -> ir.Tagging | None:
    """Return how a union of these models is told apart."""
    refs = tuple(ir.Ref(m.id) for m in models)
    found = Tags({m.id: m for m in models}).tagged(ir.Union((*refs, *beside)))
    assert isinstance(found, ir.Union)
    return found.tagging


def test_disjoint_required_constants_tag() -> None:
    cat, dog = model("Cat", kind=text("cat", "kitten")), model("Dog", kind=text("dog"))
    pairs = (("cat", cat.id), ("kitten", cat.id), ("dog", dog.id))
    assert tagging(cat, dog) == ir.Inferred("kind", pairs)
    null_beside = (ir.Primitive("string"), ir.NULL)
    assert tagging(cat, dog, beside=null_beside) == ir.Inferred("kind", pairs)


def test_what_does_not_tag() -> None:
    cat = model("Cat", kind=text("cat"))
    assert tagging(cat, model("Dog", kind=text("cat", "dog"))) is None
    assert tagging(cat, model("Dog", kind=ir.Primitive("string"))) is None
    assert tagging(cat, model("Dog", sort=text("dog"))) is None
    assert tagging(model("Cat", maybe=text("cat")), model("Dog", maybe=text("dog"))) is None
    assert tagging(cat, model("Dog", kind=text("dog")), beside=(ir.Map(ir.UNKNOWN),)) is None
    assert tagging(cat) is None


def test_the_property_that_tells_all_apart_is_taken() -> None:
    cat = model("Cat", object=text("pet"), kind=text("cat"))
    dog = model("Dog", object=text("pet"), kind=text("dog"))
    found = tagging(cat, dog)
    assert found is not None
    assert found.property == "kind"


def test_unions_inside_lists_and_maps_are_tagged() -> None:
    cat, dog = model("Cat", kind=text("cat")), model("Dog", kind=text("dog"))
    tags = Tags({m.id: m for m in (cat, dog)})
    bare = ir.Union((ir.Ref(cat.id), ir.Ref(dog.id)))
    tagged = tags.tagged(bare)
    assert tagged != bare
    assert tags.tagged(ir.Array(bare)) == ir.Array(tagged)
    assert tags.tagged(ir.Map(ir.Array(bare))) == ir.Map(ir.Array(tagged))
