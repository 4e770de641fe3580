"""The table of styles, row by row, and what it says nothing of."""

from __future__ import annotations

import datetime
import enum
from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from urllib.parse import quote, unquote
from uuid import UUID

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime import BaseModel, Encoded, Styled, omit
from runtime._parameters import cookie_pairs
from runtime._styles import Style, escaped, expand, pairs, text, unescaped

STRING = "blue"
ARRAY = ["blue", "black", "brown"]
OBJECT = {"R": 100, "G": 200, "B": 150}


def percent(value: str) -> str:
    return quote(value, safe="")


# OpenAPI 3.2.1, section 4.12.7, "Style Examples": style, explode, then undefined, string, array and
# object. None stands for what the specification gives no form ("n/a").
TABLE: list[tuple[Style, bool, str | None, str | None, str | None, str | None]] = [
    ("matrix", False, "", ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
    (
        "matrix",
        True,
        "",
        ";color=blue",
        ";color=blue;color=black;color=brown",
        ";R=100;G=200;B=150",
    ),
    ("label", False, "", ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
    ("label", True, "", ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
    ("simple", False, "", "blue", "blue,black,brown", "R,100,G,200,B,150"),
    ("simple", True, "", "blue", "blue,black,brown", "R=100,G=200,B=150"),
    ("form", False, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
    (
        "form",
        True,
        "color=",
        "color=blue",
        "color=blue&color=black&color=brown",
        "R=100&G=200&B=150",
    ),
    (
        "spaceDelimited",
        False,
        None,
        None,
        "color=blue%20black%20brown",
        "color=R%20100%20G%20200%20B%20150",
    ),
    ("spaceDelimited", True, None, None, None, None),
    (
        "pipeDelimited",
        False,
        None,
        None,
        "color=blue%7Cblack%7Cbrown",
        "color=R%7C100%7CG%7C200%7CB%7C150",
    ),
    ("pipeDelimited", True, None, None, None, None),
    (
        "deepObject",
        True,
        None,
        None,
        None,
        "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
    ),
    # Version 3.2.0 has a form for arrays and objects here, which 3.2.1 took away.
    ("cookie", False, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
    (
        "cookie",
        True,
        "color=",
        "color=blue",
        "color=blue; color=black; color=brown",
        "R=100; G=200; B=150",
    ),
]


def cells() -> Iterator[Any]:
    for style, explode, *row in TABLE:
        for kind, value, written in zip(
            ("undefined", "string", "array", "object"),
            (None, STRING, ARRAY, OBJECT),
            row,
            strict=True,
        ):
            if written is not None:
                yield pytest.param(style, explode, value, written, id=f"{style}-{explode}-{kind}")


@pytest.mark.parametrize(("style", "explode", "value", "written"), list(cells()))
def test_every_row_of_the_specification(
    style: Style, explode: bool, value: object, written: str
) -> None:
    styled = Styled(value, style, explode)
    if style == "cookie":
        assert "; ".join(cookie_pairs({"color": styled}).values()) == (written if value else "")
        assert expand("color", styled, str) == written
    else:
        assert expand("color", styled, percent) == written


@pytest.mark.parametrize(
    ("style", "first"),
    [("matrix", ";color"), ("label", "."), ("simple", ""), ("form", "color=")],
)
@pytest.mark.parametrize("explode", [False, True])
def test_the_empty_string_is_a_value(style: Style, explode: bool, first: str) -> None:
    """The column ``empty`` of OpenAPI 3.0.3 and 3.1.0."""
    assert expand("color", Styled("", style, explode), percent) == first


@pytest.mark.parametrize("style", ["matrix", "label", "simple", "form", "deepObject"])
@pytest.mark.parametrize("nothing", [[], {}, omit, [None], {"a": None}, {"a": omit}])
def test_what_has_no_items_is_undefined(style: Style, nothing: object) -> None:
    assert list(pairs("color", Styled(nothing, style), percent)) == []


def test_the_explosion_of_a_style_is_the_one_it_has_by_default() -> None:
    assert Styled(ARRAY).apart
    assert Styled(ARRAY, "cookie").apart
    assert not Styled(ARRAY, "simple").apart
    assert not Styled(ARRAY, "pipeDelimited").apart


def test_members_that_are_null_are_left_out() -> None:
    value: dict[str, object] = {"a": 1, "b": None, "c": omit, "d": [], "e": ""}
    assert expand("x", Styled(value, "form", False), percent) == "x=a,1,e,"
    assert expand("x", Styled(value, "form"), percent) == "a=1&e="
    assert expand("x", Styled([1, None, omit, 2], "simple"), percent) == "1,2"


def test_what_separates_is_told_apart_from_what_is_separated() -> None:
    tricky = ["a,b", "c d", "e|f", "g&h=i"]
    assert expand("x", Styled(tricky, "form", False), percent) == ("x=a%2Cb,c%20d,e%7Cf,g%26h%3Di")
    assert expand("x&y", Styled({"k=": "v;"}, "matrix", True), percent) == ";k%3D=v%3B"


def test_tabs_are_for_swagger() -> None:
    assert expand("x", Styled(["a", "b"], "tabDelimited"), percent) == "x=a%09b"


class TestDeepObject:
    def test_goes_as_deep_as_the_value(self) -> None:
        value = {"a": {"b": {"c": 1}}, "d": True}
        assert expand("x", Styled(value, "deepObject"), percent) == (
            "x%5Ba%5D%5Bb%5D%5Bc%5D=1&x%5Bd%5D=true"
        )

    def test_numbers_items_that_have_members(self) -> None:
        def written(value: object) -> list[str]:
            return list(pairs("x", Styled(value, "deepObject"), str))

        assert written({"a": [1, 2]}) == ["x[a][]=1", "x[a][]=2"]
        assert written([{"a": 1}, {"a": 2, "b": [3]}]) == ["x[0][a]=1", "x[1][a]=2", "x[1][b][]=3"]
        assert written([[1, 2], [3]]) == ["x[0][]=1", "x[0][]=2", "x[1][]=3"]

    def test_leaves_out_what_is_null_and_writes_a_scalar_as_it_is(self) -> None:
        assert list(pairs("x", Styled({"a": None, "b": {}}, "deepObject"), str)) == []
        assert list(pairs("x", Styled("", "deepObject"), str)) == ["x="]


class Colour(enum.Enum):
    RED = "red"


class Point(BaseModel):
    x: int
    y: int | None = None


class Foreign(pydantic.BaseModel):
    x: int


@pytest.mark.parametrize(
    "value",
    [
        {"x": 1},
        Point.model_validate({"x": 1}),
        Foreign(x=1),
    ],
)
def test_objects_of_any_kind(value: object) -> None:
    assert expand("p", Styled(value, "deepObject"), str) == "p[x]=1"


def test_iterables_of_any_kind() -> None:
    several: list[object] = [(1, 2), iter([1, 2]), (n for n in (1, 2)), {1: 0, 2: 0}.keys()]
    for value in several:
        assert expand("p", Styled(value, "simple"), str) == "1,2"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, "true"),
        (False, "false"),
        (1, "1"),
        (1.5, "1.5"),
        (Decimal("1.10"), "1.10"),
        (Colour.RED, "red"),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        (datetime.datetime(2026, 1, 2, 3, 4, tzinfo=datetime.UTC), "2026-01-02T03:04:00Z"),
        (datetime.time(3, 4), "03:04:00"),
        (datetime.timedelta(days=1), "P1D"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    ],
)
def test_values_are_written_as_json_writes_them(value: object, written: str) -> None:
    assert text("x", value) == written


@pytest.mark.parametrize(
    ("value", "style", "written"),
    [
        ([[1], {"a": None}], "form", 'x=[1]&x={"a":null}'),
        ({"a": {"b": 1}}, "simple", 'a,{"b":1}'),
        ({"a": [1, 2]}, "form", "a=[1,2]"),
    ],
)
def test_what_is_inside_of_what_is_inside_is_json(
    value: object, style: Style, written: str
) -> None:
    assert expand("x", Styled(value, style), str) == written


@pytest.mark.parametrize("value", [b"raw", [b"raw"], {"a": object()}])
def test_what_has_no_text_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="colour"):
        expand("colour", Styled(value), percent)


class TestReserved:
    def test_passes_reserved_characters_and_triples(self) -> None:
        escape = escaped(Styled("", reserved=True), but="#[]&+")
        assert escape("a/b?c:d@e!$'()*,;=") == "a/b?c:d@e!$'()*,;="
        assert escape("%2F 100% é") == "%2F%20100%25%20%C3%A9"

    def test_keeps_back_what_would_end_the_value(self) -> None:
        assert escaped(Styled("", reserved=True), but="#[]&+")("a&b#c+d[e]") == (
            "a%26b%23c%2Bd%5Be%5D"
        )
        assert escaped(Styled("", reserved=True), but="/?#")("a/b?c") == "a%2Fb%3Fc"


class TestEncoded:
    def test_is_json_or_text_in_its_form_already(self) -> None:
        assert Encoded({"a": [1, None]}).document() == '{"a":[1,null]}'
        assert Encoded("a").document() == '"a"'
        assert Encoded("a b", "text/plain").document() == "a b"
        assert Encoded(True, "text/plain").document() == "true"
        assert Encoded("<a/>", "application/xml").document() == "<a/>"

    def test_refuses_what_it_cannot_write(self) -> None:
        with pytest.raises(TypeError, match="application/xml"):
            Encoded({"a": 1}, "application/xml").document()


def test_names_and_values_as_they_are() -> None:
    """What a multipart form takes over: no percent-encoding at all."""
    assert list(unescaped("x", Styled({"a": "b c"}, "deepObject"))) == [("x[a]", "b c")]
    assert list(unescaped("x", Styled(["a", "b|c"], "pipeDelimited"))) == [("x", "a|b|c")]


WORDS = st.text(min_size=1, max_size=8)


@given(st.dictionaries(WORDS, WORDS, min_size=1, max_size=4))
def test_a_form_can_be_read_back(value: dict[str, str]) -> None:
    written = expand("x", Styled(value, "form"), percent)
    read = [pair.split("=") for pair in written.split("&")]
    assert {unquote(name): unquote(item) for name, item in read} == value


@given(st.lists(WORDS, min_size=1, max_size=4), st.sampled_from(["simple", "label", "matrix"]))
def test_a_list_can_be_read_back(value: list[str], style: Style) -> None:
    written = expand("x", Styled(value, style), percent)
    items = written.removeprefix({"simple": "", "label": ".", "matrix": ";x="}[style]).split(",")
    assert [unquote(item) for item in items] == value
