"""Discriminators on unions and on base schemas: which value selects which member."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from specloom import ir

from .make import Lowered, Plain, document, lowered, ref

TEXT: Plain = {"type": "string"}


def kind(schema: Plain = TEXT, **more: Plain) -> Plain:
    """Return an object that requires ``kind``."""
    return {"type": "object", "required": ["kind"], "properties": {"kind": schema, **more}}


CAT, DOG = kind(lives=TEXT), kind(tricks=TEXT)


def union(*branches: Plain, **discriminator: object) -> Plain:
    """Return a union told apart by ``kind``."""
    return {"oneOf": branches, "discriminator": {"propertyName": "kind", **discriminator}}


def constants(*values: str) -> ir.Literal:
    """Return the type of one of these texts."""
    return ir.Literal(tuple(ir.constant(value) for value in values))


def described(**schemas: Plain) -> Lowered:
    """Return what these components become."""
    return lowered(document(schemas))


def pairs(found: Lowered, name: str = "Pet") -> Mapping[str, str]:
    """Return the values of a tag, each with the name of the component or the origin it selects."""
    type_ = found.alias(name)
    assert isinstance(type_, ir.Union)
    assert isinstance(type_.tagging, ir.Discriminated)
    return {value: _name(target) for value, target in type_.tagging.members}


def _name(target: ir.TypeId) -> str:
    return target.partition("#")[2].removeprefix("/components/schemas/")


def fallback(found: Lowered, name: str = "Pet") -> str | None:
    """Return the member that any other value selects."""
    type_ = found.alias(name)
    assert isinstance(type_, ir.Union)
    assert isinstance(type_.tagging, ir.Discriminated)
    target = type_.tagging.fallback
    return None if target is None else _name(target)


BOTH = (ref("Cat"), ref("Dog"))
NAMES = {"Cat": "Cat", "Dog": "Dog"}
"""What members answer to by their names, whatever else is mapped to them."""


@pytest.mark.parametrize(
    ("mapping", "expected"),
    [
        ({"c": "Cat", "d": "#/components/schemas/Dog"}, {"c": "Cat", "d": "Dog", **NAMES}),
        ({"c": "Cat", "k": "Cat"}, {"c": "Cat", "k": "Cat", **NAMES}),
        ({"Dog": "Cat"}, {"Dog": "Cat", "Cat": "Cat"}),
        ({}, {"Cat": "Cat", "Dog": "Dog"}),
    ],
)
def test_mapping(mapping: Plain, expected: Plain) -> None:
    found = described(Pet=union(*BOTH, mapping=mapping), Cat=CAT, Dog=DOG)
    assert pairs(found) == expected
    assert found.codes == []


def test_what_a_value_is_mapped_to_is_a_member() -> None:
    found = described(Pet=union(ref("Cat"), mapping={"d": "Dog"}), Cat=CAT, Dog=DOG)
    assert pairs(found) == {"d": "Dog", "Cat": "Cat"}
    assert len([*ir.references(found.alias("Pet"))]) == 2


def test_constants_tell_more_than_names() -> None:
    found = described(
        Pet=union(*BOTH), Cat=kind({"const": "cat"}), Dog=kind({"enum": ["dog", "hound"]})
    )
    assert pairs(found) == {"cat": "Cat", "dog": "Dog", "hound": "Dog"}


def test_branches_without_a_name_are_told_by_their_constants() -> None:
    found = described(Pet=union(kind({"const": "cat"}), kind({"const": "dog"})))
    assert pairs(found) == {"cat": "Pet/oneOf/0", "dog": "Pet/oneOf/1"}


def test_a_default_mapping_selects_for_all_other_values() -> None:
    found = described(Pet=union(*BOTH, defaultMapping="Dog"), Cat=CAT, Dog=DOG)
    assert fallback(found) == "Dog"
    added = described(Pet=union(ref("Cat"), defaultMapping="Dog"), Cat=CAT, Dog=DOG)
    assert fallback(added) == "Dog"
    assert ir.Ref(added.id("Dog")) in getattr(added.alias("Pet"), "members", ())


@pytest.mark.parametrize(
    ("discriminator", "schemas"),
    [
        ({"mapping": {"c": "Nothing"}}, {"Cat": CAT, "Dog": DOG}),
        ({"mapping": {"c": "Text"}}, {"Cat": CAT, "Dog": DOG, "Text": TEXT}),
        ({"defaultMapping": "Text"}, {"Cat": CAT, "Dog": DOG, "Text": TEXT}),
        ({"propertyName": None}, {"Cat": CAT, "Dog": DOG}),
        ({}, {"Cat": CAT, "Dog": {"type": "object", "properties": {"x": TEXT}}}),
    ],
)
def test_what_tells_nothing_apart_is_reported(
    discriminator: Plain, schemas: Mapping[str, Plain]
) -> None:
    assert described(Pet=union(*BOTH, **discriminator), **schemas).codes == [
        "invalid-discriminator"
    ]


def test_unions_among_the_members_give_way_to_their_models() -> None:
    found = described(
        Pet=union(ref("Mammal"), ref("Fish"), mapping={"cat": "Cat", "fish": "Fish"}),
        Mammal={"oneOf": BOTH},
        Cat=kind({"const": "cat"}),
        Dog=kind({"const": "dog"}),
        Fish=CAT,
    )
    assert pairs(found) == {"cat": "Cat", "fish": "Fish", "Fish": "Fish", "dog": "Dog"}
    members = getattr(found.alias("Pet"), "members", ())
    assert {_name(m.target) for m in members} == {"Cat", "Dog", "Fish"}


def test_several_members_of_one_union_are_selected_beside_other_kinds() -> None:
    found = described(Pet=union(*BOTH, TEXT, {"type": "array", "items": TEXT}), Cat=CAT, Dog=DOG)
    assert pairs(found) == {"Cat": "Cat", "Dog": "Dog"}


def test_a_name_of_what_is_no_object_is_no_value() -> None:
    found = described(
        Pet=union(ref("Cat"), ref("Text"), ref("Rows")), Cat=CAT, Text=TEXT, Rows={"type": "array"}
    )
    assert pairs(found) == {"Cat": "Cat"}
    assert found.codes == []


def on_base(**more: object) -> Plain:
    """Return a base schema told apart by ``kind``."""
    return {**kind(name=TEXT), "discriminator": {"propertyName": "kind", **more}}


def sub(base: str, **properties: Plain) -> Plain:
    """Return a schema that is built on another."""
    return {"allOf": [ref(base), {"type": "object", "properties": properties}]}


MAPPED = {"cat": "Cat", "dog": "#/components/schemas/Dog"}


def test_a_use_of_a_base_is_any_of_its_subtypes() -> None:
    found = described(
        Pet=on_base(mapping=MAPPED),
        Cat=sub("Pet", lives=TEXT),
        Dog=sub("Pet", tricks=TEXT),
        Owner={"type": "object", "properties": {"pet": ref("Pet")}},
    )
    assert pairs(found) == {"cat": "Cat", "dog": "Dog", **NAMES}
    assert fallback(found) == "Pet/discriminator"
    base = found.api.types[ir.TypeId("0.json#/components/schemas/Pet/discriminator")]
    assert base.place == ir.Inline(found.id("Pet"), "base")
    assert found.types("Owner") == {"pet": (ir.Ref(found.id("Pet")), False)}
    assert found.codes == []


def test_subtypes_keep_the_properties_of_their_base_and_are_narrowed_by_their_value() -> None:
    found = described(Pet=on_base(mapping=MAPPED), Cat=sub("Pet", lives=TEXT), Dog=sub("Pet"))
    text = ir.Primitive("string")
    assert found.types("Cat") == {
        "kind": (constants("cat", "Cat"), True),
        "name": (text, False),
        "lives": (text, False),
    }
    assert found.types("Dog")["kind"] == (constants("dog", "Dog"), True)


@pytest.mark.parametrize("listed", [["Cat", "Dog"], ["Cat", "Dog", "Fish"]])
def test_names_among_the_constants_of_a_base_narrow_too(listed: list[str]) -> None:
    base: Plain = {**on_base(), **kind({"enum": listed}, name=TEXT)}
    found = described(Pet=base, Cat=sub("Pet"), Dog=sub("Pet"))
    assert found.types("Cat")["kind"] == (ir.Literal((ir.constant("Cat"),)), True)
    plain = described(Pet=on_base(), Cat=sub("Pet"), Dog=sub("Pet"))
    assert plain.types("Cat")["kind"] == (ir.Primitive("string"), True)


def test_a_name_is_no_value_where_constants_speak_against_it() -> None:
    base: Plain = {**on_base(mapping=MAPPED), **kind({"enum": ["cat", "dog"]}, name=TEXT)}
    found = described(Pet=base, Cat=sub("Pet", lives=TEXT), Dog=sub("Pet"))
    assert pairs(found) == {"cat": "Cat", "dog": "Dog"}
    assert found.types("Cat")["kind"] == (constants("cat"), True)
    mapped = union(*BOTH, mapping={"c": "Cat"})
    listed = described(Pet=mapped, Cat=kind({"const": "c"}), Dog=DOG)
    assert pairs(listed) == {"c": "Cat", "Dog": "Dog"}


def test_a_subtype_that_adds_nothing_is_a_type_of_its_own() -> None:
    only: Plain = {"allOf": [ref("Pet")], "description": "A cat."}
    found = described(Pet=on_base(mapping={"cat": "Cat"}), Cat=only)
    assert pairs(found) == {"cat": "Cat", "Cat": "Cat"}
    assert found.model("Cat").doc == "A cat."


def test_subtypes_of_subtypes_are_subtypes() -> None:
    found = described(
        Pet=on_base(mapping=MAPPED), Cat=sub("Pet"), Dog=sub("Pet"), Puppy=sub("Dog", age=TEXT)
    )
    assert pairs(found) == {"cat": "Cat", "dog": "Dog", **NAMES, "Puppy": "Puppy"}
    assert found.types("Dog")["kind"] == (ir.Primitive("string"), True)  # it may be a puppy's


def test_a_base_among_the_subtypes_of_another_stands_for_itself() -> None:
    dog: Plain = {**sub("Pet"), "discriminator": {"propertyName": "kind"}}
    found = described(Pet=on_base(mapping=MAPPED), Cat=sub("Pet"), Dog=dog, Puppy=sub("Dog"))
    dogs = {"dog": "Dog/discriminator", "Dog": "Dog/discriminator", "Puppy": "Puppy"}
    assert pairs(found) == {"cat": "Cat", "Cat": "Cat", **dogs}
    assert pairs(found, "Dog") == {"Puppy": "Puppy"}
    assert fallback(found, "Dog") == "Dog/discriminator"


def test_what_is_mapped_is_a_subtype_without_building_on_the_base() -> None:
    found = described(Pet=on_base(mapping={"cat": "Cat", "pet": "Pet"}), Cat=CAT)
    assert pairs(found) == {"cat": "Cat", "Cat": "Cat", "pet": "Pet/discriminator"}


def test_a_base_that_lists_its_subtypes_is_their_union() -> None:
    base: Plain = {**on_base(mapping=MAPPED), "oneOf": BOTH}
    found = described(Pet=base, Cat=sub("Pet", lives=TEXT), Dog=sub("Pet"))
    assert pairs(found) == {"cat": "Cat", "dog": "Dog", **NAMES}
    assert fallback(found) is None
    assert list(found.types("Cat")) == ["kind", "name", "lives"]
    assert found.types("Cat")["kind"] == (constants("cat", "Cat"), True)
    assert len(found.api.types) == 3


def test_a_discriminator_that_nothing_builds_on_is_reported() -> None:
    found = described(Pet=on_base())
    assert list(found.types("Pet")) == ["kind", "name"]
    assert found.codes == ["unsupported-discriminator"]


def test_a_base_without_the_property_is_reported() -> None:
    base: Plain = {
        "type": "object",
        "properties": {"a": TEXT},
        "discriminator": {"propertyName": "x"},
    }
    found = described(Pet=base, Cat=sub("Pet"))
    assert found.codes == ["invalid-discriminator"]


def test_a_hundred_subtypes() -> None:
    names = [f"Sub{i}" for i in range(100)]
    found = described(
        Pet=on_base(mapping={name.lower(): name for name in names}),
        **{name: sub("Pet") for name in names},
    )
    mapped = {name.lower(): name for name in names}
    assert pairs(found) == {**mapped, **{name: name for name in names}}
