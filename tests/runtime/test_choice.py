"""The member of a union that a value belongs to is found by what it is, not by trial."""

from __future__ import annotations

import json
from typing import Annotated, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime._choice import Chooser
from runtime._conforming import conforms
from runtime._decoder import decoder_of
from runtime._deviations import deviations
from runtime._formats import FORMATS
from runtime._models import BaseModel
from runtime._open import Maybe
from runtime._shapes import (
    Anything,
    Choice,
    Items,
    Listed,
    Nothing,
    Nullable,
    Property,
    Record,
    Row,
    Scalar,
    Shape,
    Tagged,
    Text,
    Values,
)
from runtime._tolerance import Tag

STRING, INTEGER = Scalar("string"), Scalar("integer")
ANYTHING = Anything()


def record(
    *, extra: Shape = ANYTHING, optional: dict[str, Shape] | None = None, **required: Shape
) -> Record:
    """Make a record of required and optional properties."""
    properties = {name: Property(shape, True) for name, shape in required.items()}
    properties |= {name: Property(shape, False) for name, shape in (optional or {}).items()}
    return Record(object, properties, extra)


DOG = record(kind=Listed(("dog",)), tricks=Items(STRING))
CAT = record(kind=Listed(("cat",)), lives=INTEGER)
NAMED = record(name=STRING)
AGED = record(name=STRING, age=INTEGER)
LOOSE = record(optional={"depth": INTEGER})
SHUT = record(name=STRING, extra=Nothing())


class Case(NamedTuple):
    value: object
    members: tuple[Shape, ...]
    expected: int | None


@pytest.mark.parametrize(
    "case",
    [
        Case([1], (STRING, Items(INTEGER)), 1),
        Case([1], (Items(STRING), Items(INTEGER)), 1),
        Case(["a"], (Items(Scalar("null")), Items(INTEGER)), None),
        Case("a", (Items(INTEGER), INTEGER), None),
        Case({}, (Values(Anything()), Anything()), 0),
        Case("x", (Listed(("a", "b")), STRING), 1),
        Case("b", (Listed(("a", "b")), STRING), 0),
        Case(1.0, (STRING, INTEGER), 1),
        Case(True, (INTEGER, Scalar("boolean")), 1),
        # The tag decides, however incomplete or odd the rest is.
        Case({"kind": "dog", "tricks": 5}, (CAT, DOG), 1),
        Case({"kind": "dog"}, (CAT, DOG), 1),
        Case({"kind": "cow", "lives": 9}, (CAT, DOG), None),
        Case({"lives": 9}, (CAT, DOG), None),
        Case({"kind": 1, "on": 1}, (record(kind=Listed((1,))), record(kind=Listed((True,)))), 0),
        Case({"kind": True}, (record(kind=Listed((1,))), record(kind=Listed((True,)))), 1),
        # The one that declares most, of those to which the value conforms.
        Case({"name": "a", "age": 1}, (NAMED, AGED), 1),
        Case({"name": "a", "age": "old"}, (NAMED, AGED), 0),
        Case({"name": "a"}, (NAMED, AGED), 0),
        Case({"name": 1, "age": "old"}, (NAMED, AGED), 1),
        Case({"name": "a", "more": 1}, (SHUT, NAMED), 1),
        Case({"name": "a"}, (SHUT, NAMED), 0),
        # What has nothing in common with a value takes it only if nothing is missing.
        Case({"z": 1}, (NAMED, LOOSE), 1),
        Case({"z": 1}, (NAMED, AGED), None),
        Case({}, (LOOSE, NAMED), 0),
        Case({"depth": "deep"}, (LOOSE, NAMED), 0),
        # A member that holds others.
        Case({"kind": "cat"}, (NAMED, Tagged("kind", {"cat": CAT, "dog": DOG})), 1),
        Case({"name": "a"}, (Nullable(Choice((AGED, NAMED))), DOG), 0),
        Case({"name": "a"}, (Values(STRING), NAMED), 1),
        Case({"other": "a"}, (Values(STRING), NAMED), 0),
        Case({"other": 1}, (Values(STRING), NAMED), None),
        # Arrays go where most of their items do.
        Case(
            [{"lives": 1, "kind": "cat"}, {"kind": "dog"}, {"kind": "dog"}],
            (Items(CAT), Items(DOG)),
            1,
        ),
        Case([{"kind": "cow"}, {"kind": "dog"}], (Items(CAT), Items(DOG)), 1),
        Case([{"kind": "cow"}, 5], (Items(CAT), Items(DOG)), None),
        Case([], (Items(CAT), Items(DOG)), 0),
        Case([[1], ["a"], ["b"]], (Items(Items(INTEGER)), Items(Items(STRING))), 1),
        Case(["a", 1], (Items(STRING), Row((STRING, INTEGER), Nothing(), 2)), 1),
        Case(None, (Nullable(CAT), Nullable(DOG)), 0),
    ],
)
def test_a_value_belongs_to(case: Case) -> None:
    assert Chooser(case.members).choose(case.value) == case.expected


LEAVES = st.sampled_from(
    [
        *(STRING, INTEGER, Scalar("number"), Scalar("boolean"), Scalar("null"), ANYTHING),
        *(Nothing(), Scalar("integer", (("ge", 1),)), Scalar("string", (("max_length", 1),))),
        *(Text(FORMATS["date"]), Listed(("a", "b")), Listed((1,)), Listed((True, "x"))),
    ]
)
NAMES = st.sampled_from(["a", "b", "kind"])


def _holding(inner: st.SearchStrategy[Shape]) -> st.SearchStrategy[Shape]:
    properties = st.dictionaries(NAMES, st.builds(Property, inner, st.booleans()), max_size=3)
    return st.one_of(
        st.builds(Nullable, inner),
        st.builds(Items, inner, st.sampled_from([(), (("min_length", 1),), (("unique", True),)])),
        st.builds(Values, inner, st.sampled_from([(), (("max_length", 1),)])),
        st.builds(
            Row,
            st.lists(inner, min_size=1, max_size=2).map(tuple),
            inner,
            st.integers(0, 2),
            st.sampled_from([(), (("max_length", 2),)]),
        ),
        st.builds(
            Record,
            st.just(object),
            properties,
            inner | st.just(Anything()),
            st.sampled_from([(), (("min_length", 1),)]),
        ),
        st.builds(Choice, st.lists(inner, min_size=2, max_size=4).map(tuple)),
        st.builds(
            Tagged,
            st.just("kind"),
            st.dictionaries(st.sampled_from("ab"), inner, min_size=1),
            st.none() | inner,
            st.none() | inner,
        ),
    )


SHAPES = st.recursive(LEAVES, _holding, max_leaves=8)
VALUES = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 1.0, 1.5, "a", "b", "x", "2024-02-29", "longer"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


@given(VALUES, SHAPES)
def test_a_value_conforms_if_and_only_if_it_has_no_deviations(value: object, shape: Shape) -> None:
    assert conforms(value, shape, {}) == (next(deviations(value, shape), None) is None)


PROPERTIES = st.dictionaries(NAMES, st.builds(Property, LEAVES, st.booleans()), max_size=3)
RECORDS = st.builds(Record, st.just(object), PROPERTIES, st.just(Anything()) | LEAVES, st.just(()))


@given(st.dictionaries(NAMES, VALUES, max_size=3), st.lists(RECORDS, min_size=2, max_size=6))
def test_the_index_finds_what_trying_them_all_would(
    value: dict[str, object], members: list[Record]
) -> None:
    known = [len(value.keys() & member.properties.keys()) for member in members]
    fitting = [i for i, member in enumerate(members) if conforms(value, member, {})]
    knowing = [index for index in fitting if known[index]]
    chosen = Chooser(tuple(members)).choose(value)
    if knowing:
        assert chosen == max(knowing, key=known.__getitem__)
    elif chosen is not None and chosen not in fitting:
        # It has something of the value, which what conforms has not.
        assert known[chosen] and members[chosen].properties.keys() & value.keys()
    elif fitting:
        assert chosen == fitting[0]


class Circle(BaseModel):
    shape: Literal["circle"]
    radius: float


class Square(BaseModel):
    shape: Literal["square"]
    side: float


class Figure(BaseModel):
    shape: str
    name: Maybe[str] = None


Tagged_ = Annotated[
    Circle | Square | Figure, Tag("shape", (("circle", "disc"), "square", ()), fallback=Figure)
]


class Drawing(BaseModel):
    figures: list[Tagged_]
    first: Maybe[Circle | Square] = None
    nested: Maybe[Tagged_ | str | list[Tagged_]] = None
    maybe: Tagged_ | None = None


def test_other_tags_and_no_tag_select_the_fallback() -> None:
    sent = {
        "figures": [
            {"shape": "disc", "radius": 1},
            {"shape": "circle"},
            {"shape": "square", "side": "long"},
            {"shape": "heart", "name": "h"},
            {"shape": 5},
            {},
            "no object",
            None,
        ],
        "first": {"shape": "square"},
        "nested": [{"shape": "?"}, {"shape": "circle"}],
        "maybe": None,
    }
    drawing = decoder_of(Drawing).decode(json.dumps(sent).encode())
    kinds = [type(figure).__name__ for figure in drawing.figures]
    assert kinds == [
        *("Circle", "Circle", "Square", "Figure", "Figure", "Figure"),
        "str",
        "NoneType",
    ]
    assert type(drawing.first) is Square
    assert isinstance(drawing.nested, list) and type(drawing.nested[0]) is Figure
    assert drawing.to_dict() == sent
    assert decoder_of(Drawing).decode(b'{"maybe":{"shape":"x"}}').maybe == Figure(shape="x")
    found = decoder_of(Drawing).deviations(json.dumps(sent).encode())
    assert [(one.path, one.message) for one in found if one.path.startswith("$.figures")] == [
        ("$.figures[0].shape", "expected 'circle'"),
        ("$.figures[1].radius", "required property is absent"),
        ("$.figures[2].side", "expected a number, got a string"),
        ("$.figures[4].shape", "expected a string, got an integer"),
        ("$.figures[5].shape", "required property is absent"),
        ("$.figures[6]", "expected an object, got a string"),
        ("$.figures[7]", "null where an object is expected"),
    ]


class Dot(BaseModel):
    shape: Literal["dot"] | None = None
    x: float


class Label(BaseModel):
    shape: Literal["label"] = "label"
    x: float
    text: str


class Line(BaseModel):
    shape: Literal["line"]
    x: float
    to: float


class Sketch(BaseModel):
    parts: list[
        Annotated[Dot | Label | Line, Tag("shape", ("dot", "label", "line"), optional=True)]
    ]
    last: Maybe[
        Annotated[Dot | Label, Tag("shape", ("dot", "label"), optional=True)] | Circle | str
    ] = None


def test_what_comes_without_an_optional_tag_is_what_it_resembles() -> None:
    sent = {
        "parts": [
            {"x": 1},
            {"x": 1, "text": "a"},
            {"shape": "label"},
            {"shape": None, "x": 2},
            {"shape": "heart", "x": 1, "text": "a"},
            {"x": 1, "to": 2},
            {"odd": 1},
        ],
        "last": {"x": 3, "text": "b"},
    }
    sketch = decoder_of(Sketch).decode(json.dumps(sent).encode())
    kinds = [type(part).__name__ for part in sketch.parts]
    assert kinds == ["Dot", "Label", "Label", "Dot", "dict", "Dot", "dict"]
    assert type(sketch.last) is Label
    assert sketch.to_dict() == sent
    assert Sketch(parts=[Label(x=1, text="a")]).to_dict() == {"parts": [{"x": 1, "text": "a"}]}
    found = decoder_of(Sketch).deviations(json.dumps(sent).encode())
    assert [(one.path, one.message) for one in found] == [
        ("$.parts[2].x", "required property is absent"),
        ("$.parts[2].text", "required property is absent"),
        ("$.parts[4].shape", "unknown tag, expected one of 'dot', 'label', 'line'"),
        (
            "$.parts[6]",
            "expected an object (Dot) or an object (Label) or an object (Line), got an object",
        ),
    ]
