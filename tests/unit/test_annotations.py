"""Types of the IR in Python's words, in both directions, with the limits that models carry."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, TypeAdapter, ValidationError

from specloom import ir
from specloom.diagnostics import Origin
from specloom.generate import generate
from specloom.python.annotations import Annotator, Direction, Symbol
from specloom.python.limits import arguments, class_options
from specloom.python.literals import raw
from specloom.run import Run

from .make import document, ref

A, B, C = (ir.TypeId(f"#/{name}") for name in "ABC")
SYMBOLS = {A: Symbol("A", "a"), B: Symbol("B", "b"), C: Symbol("C", "c")}
STRING, INTEGER, NUMBER = (ir.Primitive(kind) for kind in ("string", "integer", "number"))


def limits(**stated: object) -> ir.Constraints:
    """Return constraints by keyword."""
    return tuple((keyword, ir.constant(value)) for keyword, value in stated.items())


def string(format_: str | None = None, **stated: object) -> ir.Primitive:
    return ir.Primitive("string", format_, limits(**stated))


def annotator(direction: Direction = "read", **options: Any) -> Annotator:
    return Annotator(SYMBOLS, direction, **options)


@pytest.mark.parametrize(
    ("type_", "read", "written"),
    [
        (string("date-time"), "dt.datetime", "str | dt.datetime"),
        (string("date"), "dt.date", "str | dt.date"),
        (string("time"), "dt.time", "str | dt.time"),
        (string("uuid"), "UUID", "str | UUID"),
        (string("decimal"), "Decimal", "str | Decimal"),
        (string("duration"), "str", "str"),
        (string("byte"), "str", "str"),
        (ir.Primitive("number", "decimal"), "float", "float"),
        (ir.Array(string("date")), "list[dt.date]", "Iterable[str | dt.date]"),
        (ir.Map(string("uuid")), "dict[str, UUID]", "Mapping[str, str | UUID]"),
        (
            ir.Union((string("date-time"), STRING, ir.NULL)),
            "dt.datetime | str | None",
            "str | dt.datetime | None",
        ),
        (
            ir.Tuple((STRING, INTEGER), ir.NEVER, limits(minItems=2)),
            "tuple[str, int]",
            "tuple[str, int] | Iterable[str | int]",
        ),
        (
            ir.Tuple((STRING,), ir.Ref(A), limits(minItems=1)),
            "OpenTuple[tuple[str, *tuple[A, ...]]]",
            "OpenTuple[tuple[str, *tuple[A, ...]]] | Iterable[str | A]",
        ),
        (
            ir.Tuple((string("date"),), ir.UNKNOWN, limits(minItems=1)),
            "OpenTuple[tuple[dt.date, *tuple[Any, ...]]]",
            "OpenTuple[tuple[str | dt.date, *tuple[object, ...]]] | Iterable[object]",
        ),
        (
            ir.Array(STRING, limits(uniqueItems=True)),
            "Unique[list[str]]",
            "Unique[Iterable[str]]",
        ),
        (
            ir.Literal((ir.constant(0.5), ir.constant(1.5))),
            "Annotated[float, OneOf(0.5, 1.5)]",
            "float",
        ),
        (
            ir.Literal((ir.constant(1), ir.constant(1.5))),
            "Literal[1] | Annotated[float, OneOf(1.5)]",
            "Literal[1] | float",
        ),
        (ir.Literal((ir.constant(float("inf")),)), "float", "float"),
        (
            ir.Array(INTEGER, limits(enum=[[1, 2], [3]])),
            "Annotated[list[int], OneOf([1, 2], [3])]",
            "Iterable[int]",
        ),
        (
            ir.Map(INTEGER, limits(enum=[{"a": 1}])),
            'Annotated[dict[str, int], OneOf({"a": 1})]',
            "Mapping[str, int]",
        ),
        (ir.NEVER, "Impossible", "Never"),
        (ir.Map(ir.NEVER), "dict[str, Impossible]", "Mapping[str, Never]"),
        (
            ir.Array(string(maxLength=8)),
            "list[Annotated[str, Field(max_length=8)]]",
            "Iterable[str]",  # limits inside would bury the types; they are in the docstring
        ),
        (
            ir.Union((string(maxLength=3), ir.Primitive("integer", None, limits(minimum=7)))),
            "Annotated[str, Field(max_length=3)] | Annotated[int, Field(ge=7)]",
            "str | int",
        ),
    ],
)
def test_annotations(type_: ir.Type, read: str, written: str) -> None:
    assert annotator("read").annotate(type_) == read
    assert annotator("write").annotate(type_) == written


def test_readers_of_signatures_are_shown_no_limits() -> None:
    plain = annotator(exact=False)
    limited = ir.Array(string(maxLength=8), limits(uniqueItems=True, minItems=1))
    assert plain.annotate(limited) == "list[str]"
    assert plain.annotate(ir.Tuple((STRING,), INTEGER)) == "tuple[str, *tuple[int, ...]]"
    assert plain.field(limited) == ("list[str]", [])
    assert not plain.standard and not plain.runtime


def test_what_annotations_use_is_imported() -> None:
    used = annotator()
    for type_ in (string("date"), string("uuid"), string(pattern="a"), ir.NEVER, ir.UNKNOWN):
        used.annotate(type_)
    assert set(used.imports()) == {
        ("datetime as dt",),
        ("uuid", "UUID"),
        ("pydantic", "Field"),
        ("typing", "Annotated"),
        ("typing", "Any"),
    }
    assert used.runtime == {"Impossible"}


def test_a_type_of_the_description_may_be_called_as_a_class_of_python() -> None:
    used = Annotator({A: Symbol("UUID", "uuid"), B: Symbol("Decimal", "decimal")}, "read")
    assert used.annotate(string("uuid")) == "StandardUUID"
    assert used.annotate(ir.Ref(A)) == "UUID"
    assert set(used.imports()) == {("uuid", "UUID as StandardUUID")}
    elsewhere = Annotator({A: Symbol("UUID", "uuid")}, "read", prefix="models.")
    assert elsewhere.annotate(string("uuid")) == "UUID"


def test_an_object_with_further_properties_may_be_written_as_any_mapping() -> None:
    used = annotator("write", extensible={A})
    assert used.annotate(ir.Ref(A)) == "A | Mapping[str, object]"
    assert used.annotate(ir.Array(ir.Ref(A))) == "Iterable[A | Mapping[str, object]]"
    assert used.annotate(ir.Ref(B)) == "B"


@pytest.mark.parametrize(
    ("fallback", "tag"),
    [
        (None, 'Tag("kind", ("a", ("b", "bee")))'),
        (B, 'Tag("kind", ("a", ("b", "bee")), fallback=B)'),
        (C, 'Tag("kind", ("a", ("b", "bee"), ()), fallback=C)'),
    ],
)
def test_a_tag_may_have_a_fallback(fallback: ir.TypeId | None, tag: str) -> None:
    members = (("a", A), ("b", B), ("bee", B))
    refs = [ir.Ref(A), ir.Ref(B), *([ir.Ref(C)] if fallback == C else [])]
    union = ir.Union((*refs, ir.NULL), ir.Discriminated("kind", members, fallback))
    names = "A | B | C" if fallback == C else "A | B"
    assert annotator().annotate(union) == f"Annotated[{names}, {tag}] | None"


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        (string(minLength=1, maxLength=64), ["min_length=1", "max_length=64"]),
        (string(minLength=0, maxLength=2.0), ["max_length=2"]),
        (string(minLength=-1, maxLength="64", minimum=1), []),
        (string(pattern=r"^\d+$"), [r'pattern=r"^\d+$"']),
        (string(pattern="^a$"), ['pattern="^a$"']),
        (string("date-time", maxLength=64), []),
        (string("uri", maxLength=64), ["max_length=64"]),
        (
            ir.Primitive("number", None, limits(minimum=0, exclusiveMaximum=1.5, multipleOf=0.01)),
            ["ge=0", "lt=1.5", "multiple_of=0.01"],
        ),
        (ir.Primitive("number", None, limits(minimum="0", maximum=True, multipleOf=0)), []),
        (
            ir.Primitive("integer", None, limits(minimum=0.5, maximum=2.0, multipleOf=5)),
            ["ge=1", "le=2", "multiple_of=5"],
        ),
        (
            ir.Primitive("integer", None, limits(exclusiveMinimum=0.5, exclusiveMaximum=2.5)),
            ["gt=0", "lt=3"],
        ),
        (ir.Primitive("integer", None, limits(multipleOf=0.5, maximum=2**70)), [f"le={2**70}"]),
        (ir.Array(STRING, limits(minItems=1, maxItems=9)), ["min_length=1", "max_length=9"]),
        (ir.Map(STRING, limits(minProperties=1, propertyNames={})), ["min_length=1"]),
        (ir.Tuple((STRING, STRING), ir.NEVER, limits(minItems=2, maxItems=2)), []),
        (ir.Tuple((STRING, STRING), ir.NEVER), ["min_length=0"]),
        (
            ir.Tuple((STRING, STRING), ir.NEVER, limits(maxItems=1)),
            ["min_length=0", "max_length=1"],
        ),
        (ir.Tuple((STRING,), INTEGER, limits(minItems=3)), ["min_length=3"]),
        (ir.Tuple((STRING,), INTEGER, limits(minItems=1, maxItems=4)), ["max_length=4"]),
        (ir.Primitive("boolean", None, limits(minimum=1)), []),
    ],
)
def test_limits_as_arguments_of_field(type_: Any, expected: list[str]) -> None:
    assert arguments(type_) == expected


def test_a_field_carries_its_limits_beside_its_annotation() -> None:
    limited = string(maxLength=3)
    assert annotator().field(limited) == ("str", ["max_length=3"])
    assert annotator().field(ir.Union((limited, ir.NULL))) == ("str | None", ["max_length=3"])
    assert annotator("write").argument(ir.Union((limited, ir.NULL))) == (
        "Annotated[str | None, Field(max_length=3)]"
    )
    either = ir.Union((limited, INTEGER))
    assert annotator().field(either) == ("Annotated[str, Field(max_length=3)] | int", [])


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("^a+$", ['pattern="^a+$"']),
        ("^(?!a)", ['pattern=re.compile("^(?!a)")']),
        (r"\p{L}", [r'pattern=r"\p{L}"']),
        (r"(?=\p{L})", []),
        ("(", []),
    ],
)
def test_pydantic_can_do_with_the_pattern_of_a_type_that_stands_alone(
    pattern: str, expected: list[str]
) -> None:
    assert arguments(string(pattern=pattern), standalone=True) == expected
    assert arguments(string(pattern=pattern)) == [f"pattern={raw(pattern)}"]
    for argument in expected:
        field = eval(f"Field({argument})", {"Field": Field, "re": re})
        TypeAdapter[Any](Annotated[str, field])  # builds


@given(st.text() | st.text(st.sampled_from("\\\"'dw \n{}"), max_size=8))
def test_raw_text_is_the_text(text: str) -> None:
    assert eval(raw(text)) == text


@given(
    st.integers(-5, 5) | st.floats(-5, 5),
    st.sampled_from(["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"]),
    st.integers(-7, 7),
)
def test_the_bounds_of_an_integer_mean_what_they_say(
    bound: float, keyword: str, value: int
) -> None:
    [argument] = arguments(ir.Primitive("integer", None, limits(**{keyword: bound})))
    field = eval(f"Field({argument})", {"Field": Field})
    holds = {
        "minimum": value >= bound,
        "exclusiveMinimum": value > bound,
        "maximum": value <= bound,
        "exclusiveMaximum": value < bound,
    }
    try:
        TypeAdapter[Any](Annotated[int, field]).validate_python(value)
    except ValidationError:
        assert not holds[keyword]
    else:
        assert holds[keyword]


def test_an_object_carries_its_limits_in_the_class_statement() -> None:
    origin = Origin("openapi.yaml", "")
    model = ir.Model(
        A,
        ir.Component("A"),
        origin,
        (),
        constraints=limits(maxProperties=9, minProperties=1, dependentRequired={}),
    )
    assert class_options(model) == ["min_properties=1", "max_properties=9"]


def test_a_field_whose_named_type_admits_null_says_so_by_that_name(tmp_path: Path) -> None:
    described = document(
        {
            "Pet": {
                "type": "object",
                "properties": {"owner": ref("Owner"), "friend": ref("Friend")},
            },
            "Owner": {"type": "object", "oneOf": [ref("Person"), ref("Firm")]},
            "Firm": {"type": ["object", "null"], "properties": {"name": {"type": "string"}}},
            "Person": {"type": ["object", "null"], "properties": {"id": {"type": "string"}}},
            "Friend": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        }
    )
    path = tmp_path / "api.json"
    path.write_text(json.dumps(described), "utf-8")
    files = generate(Run(path)).files
    (pet,) = (text for name, text in files.items() if name.parts[-2:] == ("models", "pet.py"))
    assert "    owner: Owner | None = None\n" in pet
    assert "    friend: Maybe[Friend] = None\n" in pet
