"""Expected texts are those of the table in OpenAPI 3.2 (Style Examples)."""

from __future__ import annotations

import pytest

from specloom import ir
from specloom.diagnostics import Origin
from specloom.python.trials import wire

EMPTY = ""
STRING = "blue"
ARRAY = ["blue", "black", "brown"]
OBJECT = {"R": 100, "G": 200, "B": 150}
HERE = Origin("a.yaml")

PATH = [
    (
        "matrix",
        False,
        [";color", ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"],
    ),
    (
        "matrix",
        True,
        [";color", ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"],
    ),
    ("label", False, [".", ".blue", ".blue,black,brown", ".R,100,G,200,B,150"]),
    ("label", True, [".", ".blue", ".blue.black.brown", ".R=100.G=200.B=150"]),
    ("simple", False, ["", "blue", "blue,black,brown", "R,100,G,200,B,150"]),
    ("simple", True, ["", "blue", "blue,black,brown", "R=100,G=200,B=150"]),
]
QUERY = [
    ("form", False, ["color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"]),
    (
        "form",
        True,
        ["color=", "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"],
    ),
    (
        "spaceDelimited",
        False,
        [None, None, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"],
    ),
    (
        "pipeDelimited",
        False,
        [None, None, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"],
    ),
    ("deepObject", True, [None, None, None, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"]),
]


def parameter(location: ir.Location, style: ir.Written) -> ir.Parameter:
    return ir.Parameter("color", location, ir.UNKNOWN, True, HERE, style)


@pytest.mark.parametrize(("style", "explode", "texts"), PATH)
def test_values_in_paths(style: ir.StyleName, explode: bool, texts: list[str]) -> None:
    color = parameter("path", ir.Styled(style, explode))
    assert [wire.segment(color, v) for v in (EMPTY, STRING, ARRAY, OBJECT)] == texts


@pytest.mark.parametrize(("style", "explode", "texts"), QUERY)
def test_values_in_queries(style: ir.StyleName, explode: bool, texts: list[str | None]) -> None:
    color = parameter("query", ir.Styled(style, explode))
    for value, text in zip((EMPTY, STRING, ARRAY, OBJECT), texts, strict=True):
        if text is not None:
            assert wire.target("/", [(color, value)], []) == f"/?{text}"


def test_characters_that_mean_something_are_encoded() -> None:
    plain, reserved = (parameter("query", ir.Styled("form", False, r)) for r in (False, True))
    assert wire.target("/", [(plain, "a/b c,é")], []) == "/?color=a%2Fb%20c%2C%C3%A9"
    assert wire.target("/", [(reserved, "a/b c&d")], []) == "/?color=a/b%20c%26d"


def test_a_target_has_fixed_text_around_its_variables() -> None:
    color = parameter("path", ir.Styled("simple", False))
    assert wire.target("/a b/{color}:go?x=1", [(color, "é")], ["k=v"]) == "/a%20b/%C3%A9:go?x=1&k=v"


def test_deeper_objects_have_the_way_in_brackets() -> None:
    deep = parameter("query", ir.Styled("deepObject", True))
    value = {"a": {"b": 1}, "c": [1, 2], "d": [{"e": True}]}
    target = wire.target("/", [(deep, value)], [])
    assert target.replace("%5B", "[").replace("%5D", "]") == (
        "/?color[a][b]=1&color[c][]=1&color[c][]=2&color[d][0][e]=true"
    )


def test_headers_and_cookies() -> None:
    header = parameter("header", ir.Styled("simple", True))
    assert [wire.header(header, v) for v in (True, ARRAY, OBJECT)] == [
        "true",
        "blue,black,brown",
        "R=100,G=200,B=150",
    ]
    form, plain = (parameter("cookie", ir.Styled(s, True)) for s in ("form", "cookie"))
    assert list(wire.cookies(form, "a b")) == ["color=a%20b"]
    assert list(wire.cookies(plain, "a:b")) == ["color=a:b"]


def test_documents_are_written_whole() -> None:
    json = parameter("query", ir.Encoded("application/json"))
    assert wire.target("/", [(json, {"a": [1, "é"]})], []) == (
        "/?color=%7B%22a%22%3A%5B1%2C%22%C3%A9%22%5D%7D"
    )
    text = parameter("path", ir.Encoded("application/jsonpath"))
    assert wire.segment(text, "$.a") == "%24.a"


def test_fields_of_forms() -> None:
    stated = {
        "b": ir.Field("b", style=ir.Styled("form", False)),
        "c": ir.Field("c", media_types=("application/json",)),
    }
    members = {"a": [1, True, "x"], "b": [1, 2], "c": "text", "d": {"e": None}}
    assert wire.fields(members, stated) == [
        ("a", "1"),
        ("a", "true"),
        ("a", "x"),
        ("b", "1,2"),
        ("c", '"text"'),
        ("d", '{"e":null}'),
    ]
