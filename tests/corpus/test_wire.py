"""The reader of what is sent, held against the examples of the specifications."""

from __future__ import annotations

import pytest

from .described import Style
from .wire import Fields, Part, is_header, is_segment, pairs_of, parts_of, says

ARRAY = ["blue", "black", "brown"]
OBJECT = {"R": 100, "G": 200, "B": 150}

# OpenAPI 3.2.1, section 4.12.7, "Style Examples", row by row; the empty string as in 3.1.0.
PATHS = [
    ("matrix", False, ";color", ""),
    ("matrix", False, ";color=blue", "blue"),
    ("matrix", False, ";color=blue,black,brown", ARRAY),
    ("matrix", False, ";color=R,100,G,200,B,150", OBJECT),
    ("matrix", True, ";color=blue", "blue"),
    ("matrix", True, ";color=blue;color=black;color=brown", ARRAY),
    ("matrix", True, ";R=100;G=200;B=150", OBJECT),
    ("label", False, ".", ""),
    ("label", False, ".blue", "blue"),
    ("label", False, ".blue,black,brown", ARRAY),
    ("label", False, ".R,100,G,200,B,150", OBJECT),
    ("label", True, ".blue.black.brown", ARRAY),
    ("label", True, ".R=100.G=200.B=150", OBJECT),
    ("simple", False, "blue", "blue"),
    ("simple", False, "blue,black,brown", ARRAY),
    ("simple", False, "R,100,G,200,B,150", OBJECT),
    ("simple", True, "blue,black,brown", ARRAY),
    ("simple", True, "R=100,G=200,B=150", OBJECT),
]
QUERIES = [
    ("form", False, "color=", ""),
    ("form", False, "color=blue", "blue"),
    ("form", False, "color=blue,black,brown", ARRAY),
    ("form", False, "color=R,100,G,200,B,150", OBJECT),
    ("form", True, "color=blue", "blue"),
    ("form", True, "color=blue&color=black&color=brown", ARRAY),
    ("form", True, "R=100&G=200&B=150", OBJECT),
    ("spaceDelimited", False, "color=blue%20black%20brown", ARRAY),
    ("spaceDelimited", False, "color=R%20100%20G%20200%20B%20150", OBJECT),
    ("pipeDelimited", False, "color=blue%7Cblack%7Cbrown", ARRAY),
    ("pipeDelimited", False, "color=R%7C100%7CG%7C200%7CB%7C150", OBJECT),
    ("deepObject", True, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150", OBJECT),
]
OTHERS = ["green", ["blue", "black"], {"R": 100, "G": 200, "B": 151}, {"R": 100}]


@pytest.mark.parametrize(("style", "explode", "written", "value"), PATHS)
def test_each_row_of_the_path(style: str, explode: bool, written: str, value: object) -> None:
    assert is_segment(written, "color", Style(style, explode), value)
    for other in OTHERS:
        assert not is_segment(written, "color", Style(style, explode), other)
    assert not is_segment(f"x{written}", "color", Style(style, explode), value)


@pytest.mark.parametrize(("style", "explode", "written", "value"), QUERIES)
def test_each_row_of_the_query(style: str, explode: bool, written: str, value: object) -> None:
    fields = Fields([*pairs_of(written), ("x", "1")])
    assert fields.take("color", Style(style, explode), value) is None
    assert fields.pairs == [("x", "1")]
    for other in OTHERS:
        fields = Fields(pairs_of(written))
        assert fields.take("color", Style(style, explode), other) or fields.pairs


@pytest.mark.parametrize("explode", [False, True])
def test_what_is_undefined_must_not_be_there(explode: bool) -> None:
    nothing: list[object] = [[], {}, None, [None]]
    for value in nothing:
        assert Fields([]).take("color", Style("form", explode), value) is None
    assert Fields([("color", "")]).take("color", Style("form", explode), [])
    assert Fields([]).take("color", Style("form", explode), "blue") == "color is not sent: 'blue'"


def test_cookies_and_headers() -> None:
    fields = Fields(pairs_of("color=blue; color=black; color=brown", "; "), plus=False)
    assert fields.take("color", Style("cookie", True), ARRAY) is None
    assert is_header("blue, black, brown", Style("simple", False), ARRAY)
    assert is_header("R=100,G=200,B=150", Style("simple", True), OBJECT)
    assert not is_header("R,100,G,200,B,150", Style("simple", True), OBJECT)


def test_what_separates_is_told_apart_from_what_is_separated() -> None:
    assert is_segment("a%2Cb,c%2F", "x", Style("simple", False), ["a,b", "c/"])
    assert Fields(pairs_of("x=a%2Cb,c+d")).take("x", Style("form", False), ["a,b", "c d"]) is None
    assert Fields(pairs_of("x=a,b,c+d")).take("x", Style("form", False), ["a,b", "c d"])
    assert Fields(pairs_of("x=a+b"), plus=False).take("x", Style("form", True), "a+b") is None


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("x[a][b]=1&x[c]=true", {"a": {"b": 1}, "c": True}),
        ("x[]=1&x[]=2", [1, 2]),
        ("x[0][a]=1&x[1][a]=2", [{"a": 1}, {"a": 2}]),
        ("x[a][]=1&x[a][]=2", {"a": [1, 2], "b": [], "c": None}),
        ("x[a[b]]=1", {"a[b]": "1"}),
    ],
)
def test_deep_objects_at_any_depth(query: str, value: object) -> None:
    deep = Style("deepObject", True)
    assert Fields(pairs_of(query)).take("x", deep, value) is None
    assert Fields(pairs_of(query + "&x[more]=1")).take("x", deep, value)
    assert Fields(pairs_of(query.replace("1", "3"))).take("x", deep, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("1.5", 1.5),
        ("1e+22", 1e22),
        ("true", True),
        ("", ""),
        ("null", "null"),
        ('{"a":[null]}', {"a": [None]}),
    ],
)
def test_text_stands_for_one_value(text: str, value: object) -> None:
    assert says(text, value)
    assert not says(text + "x", value)
    assert not says(text, False)


def test_a_document_in_a_query() -> None:
    assert Fields(pairs_of("q=%7B%22a%22%3A1%7D")).document("q", {"a": 1}) is None
    assert Fields(pairs_of("q=%7B%22a%22%3A1%7D")).document("q", {"a": True})
    assert Fields(pairs_of("q=a")).document("q", "a") == "q is no JSON: 'a'"
    assert Fields([]).document("q", "a") == "q is sent 0 times"


def test_parts_of_a_form() -> None:
    body = (
        b'--b\r\nContent-Disposition: form-data; name="a%22b"\r\n\r\n1\r\n'
        b'--b\r\nContent-Disposition: form-data; name="f"; filename="x.png"\r\n'
        b"Content-Type: image/png\r\n\r\n\x00\r\n\xff\r\n--b--\r\n"
    )
    assert parts_of("multipart/form-data; boundary=b", body) == [
        Part('a"b', None, None, b"1"),
        Part("f", "x.png", "image/png", b"\x00\r\n\xff"),
    ]
