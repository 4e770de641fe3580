"""The syntax of YAML 1.2.2, chapters 5 to 9, as documents that a description could be."""

from __future__ import annotations

import math

import pytest

from specloom.description.document import Document, parse
from specloom.description.text import Broken
from specloom.description.values import is_mapping

Case = tuple[str, object]


def read(text: str) -> Document:
    """Return a document that nothing is wrong with."""
    document = parse(text.encode(), "api.yaml", "api.yaml")
    assert document.findings == []
    return document


BLOCK_SCALARS: list[Case] = [  # 8.1
    ("a: |\n  x\n  y\n", "x\ny\n"),
    ("a: |-\n  x\n\n", "x"),
    ("a: |+\n  x\n\n", "x\n\n"),
    ("a: | # a comment\n  x\n", "x\n"),
    ("a: |\n\n  x\n", "\nx\n"),
    ("a: |\nb: 1\n", ""),
    ("a: |2\n    x\n   y\n", "  x\n y\n"),
    ("a: |1-\n  x\n", " x"),
    ("a: |-1\n  x\n", " x"),
    ("a: |4\n    x\n     y\n", "x\n y\n"),
    ("a: |\n  # no comment\n  - no: list\n", "# no comment\n- no: list\n"),
    ("a: >\n  x\n  y\n\n  z\n", "x y\nz\n"),
    ("a: >-\n  x\n    more\n  y\n", "x\n  more\ny"),
    ("a: >2\n   x\n  y\n", " x\ny\n"),
    ("a: >\n\n  x\n  y\n\n\n", "\nx y\n"),
    ("a: >+\n  x\n\n", "x\n\n"),
]
FLOW_SCALARS: list[Case] = [  # 7.3
    ("a: x\n  y\n\n  z\n", "x y\nz"),
    ("a: 'x\n  y\n\n  z'\n", "x y\nz"),
    ("a: 'it''s'\n", "it's"),
    ('a: "x\\\n   y\\n\\tz"\n', "xy\n\tz"),
    ('a: "\\x41\\u0042\\U00000043 \\0\\a\\e\\_\\N\\L\\P\\/"', "ABC \0\a\x1b\xa0\x85\u2028\u2029/"),
    ('a: "x\\"y\\\\z"\n', 'x"y\\z'),
    ("a: x 'y' \"z\"\n", "x 'y' \"z\""),
    ("a: b#c\n", "b#c"),
    ("a: b # c\n", "b"),
    ("a: http://x:80/y\n", "http://x:80/y"),
    ("a: -x\n", "-x"),
    ("a: ?x\n", "?x"),
    ("a: :x\n", ":x"),
    ("a: ''\n", ""),
    ("a:\n", None),
    (f"a: {'x' * 3000}\n", "x" * 3000),
]
COLLECTIONS: list[Case] = [  # 7.4, 8.2
    ("a: [x, y, ]", ["x", "y"]),
    ("a: {x: 1, }", {"x": 1}),
    ('a: {"x":1,"y":[1,2],z: d, "e"}', {"x": 1, "y": [1, 2], "z": "d", "e": None}),
    ("a: {x, y: , z: ~}", {"x": None, "y": None, "z": None}),
    ("a: [x: 1, y]", [{"x": 1}, "y"]),
    ("a: [? x : 1]", [{"x": 1}]),
    ("a: [http://x, a:b, c::d]", ["http://x", "a:b", "c::d"]),
    ("a: [\n\t1,\n\t2\n]\n", [1, 2]),
    ("a:\n- x\n- y\n", ["x", "y"]),
    ("a:\n - - x\n   - y\n - - z\n", [["x", "y"], ["z"]]),
    ("a:\n-\n  x: 1\n- y: 2\n  z: 3\n", [{"x": 1}, {"y": 2, "z": 3}]),
    ("a:\n - |\n  x\n - y\n", ["x\n", "y"]),
    ("? a\n: - x\n  - y\n? b\n", ["x", "y"]),
    ("a:\t1\n", 1),
    ("a : 1\n", 1),
    ("a: 1\t# a tab before a comment\n", 1),
]
PROPERTIES: list[Case] = [  # 6.9
    ("&k a: 1\nb: *k\n", 1),
    ("b: &x\na: *x\n", None),
    ("b: &x 'null'\na: *x\n", "null"),
    ("&root\na: 1\n", 1),
    ("--- &root\na: 1\n", 1),
    ("b: &x {k: 1}\na: [*x, *x]\n", [{"k": 1}, {"k": 1}]),
    ("a: !<tag:yaml.org,2002:str> 1\n", "1"),
    ("a: ! [1]\n", [1]),
    ("a: !!str\n", ""),
    ("a: !!null\n", None),
    ("a: !!seq []\n", []),
    ("a: !!int 0o14\n", 12),
    ("a: !!int 0xC\n", 12),
    ("a: !!float .inf\n", math.inf),
    ("a: !!bool TRUE\n", True),
    ("a: !!null Null\n", None),
    ("a: !!str true\n", "true"),
    ("a: {!!str <<: 1}\n", {"<<": 1}),
    ("%TAG ! tag:yaml.org,2002:\n---\na: !str 1\n", "1"),
    ("%TAG !e! tag:yaml.org,2002:\n---\na: !e!int '1'\n", 1),
]
DOCUMENTS: list[Case] = [  # 5.2, 5.4, 9
    ("%YAML 1.2\n---\na: yes\n", "yes"),
    ("%YAML 1.1\n---\na: yes\n", "yes"),
    ("a: 1\n...\n", 1),
    ("a: 1\n...\n# a comment\n", 1),
    ("# a comment\n\n---\na: 1\n", 1),
    ("\ufeffa: 1\n", 1),
    ("b: 2\r\na: 1\r\n", 1),
    ("b: 2\ra: 1\r", 1),
]
FORMER_BREAKS: list[Case] = [  # 5.4: they end no lines any more
    ("a: x\x85y\n", "x\x85y"),
    ("a: x\u2028b\n", "x\u2028b"),
    ("a: |\n  x\u2029y\n", "x\u2029y\n"),
    ("a: 'x\u2028 y'\n", "x\u2028 y"),
    ('a: "x\x85 y"\n', "x\x85 y"),
    ("a: [x\u2028, \ue000\u2029]\n", ["x\u2028", "\ue000\u2029"]),
    ("a: {x\u2028: &x [\x85], y: *x}\n", {"x\u2028": ["\x85"], "y": ["\x85"]}),
]
ALL = [
    *(*BLOCK_SCALARS, *FLOW_SCALARS, *COLLECTIONS),
    *(*PROPERTIES, *DOCUMENTS, *FORMER_BREAKS),
]


@pytest.mark.parametrize(("text", "value"), ALL)
def test_a_document_means_what_its_author_wrote(text: str, value: object) -> None:
    document = read(text)
    assert is_mapping(document.value)
    assert document.value["a"] == value
    assert type(document.value["a"]) is type(value)
    assert document.marks.place(("a",)).line >= 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("--- text\n...\n", "text"),
        ("--- |\n x\n...\n", "x\n"),
        ("---\n# a comment\n...\n", None),
        ("- x\u2028y\n", ["x\u2028y"]),
        ("x\u2028y", "x\u2028y"),
    ],
)
def test_a_document_may_be_no_mapping(text: str, value: object) -> None:
    assert read(text).value == value


def test_places_behind_former_line_breaks() -> None:
    document = read("a: x\u2028y\nk\u2029: [&v \x85, *v]\nc: {d: 1}\n")
    assert document.marks.place(("k\u2029", "0")) == (2, 6)
    assert document.marks.text(("k\u2029", "1")) == "\x85"
    assert document.marks.place(("c", "d")) == (3, 5)


def test_what_is_shared_stays_shared() -> None:
    value = read("a: &x [\u2028]\nb: *x\n").value
    assert is_mapping(value)
    assert value["a"] is value["b"]
    assert value["a"] == ["\u2028"]


def test_a_finding_cites_what_was_written() -> None:
    document = parse("k\u2028: 1\nk\u2028: 2\n".encode(), "api.yaml", "api.yaml")
    (finding,) = document.findings
    assert finding.message == "the key 'k\\u2028' occurs twice in one mapping"
    assert finding.mark == (2, 1)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: -\n- b", 1),
        ("a: - b\n", 1),
        ("- a: b\n - c\n", 2),
        ("a: @x\n", 1),
        ("a: `x\n", 1),
        ("a: |\n  x\n b: 1\n", 3),
        ("a: 'b\n", 2),
        ('a: "\\q"\n', 1),
        ('a: "\\uD800"\n', 1),
        ("a: {b: 1\n", 2),
        ("a: &x &y 1\n", 1),
        ("a: [,]\n", 1),
        ("a: [b, , c]\n", 1),
        ("a: 1\nb\n", 3),
        (f"{'x' * 1030}: 1\n", 1),
        ("a: 1\n---\nb: [\n", 4),
    ],
)
def test_what_is_no_yaml_is_one_refusal_with_its_place(text: str, line: int) -> None:
    with pytest.raises(Broken) as caught:
        parse(text.encode(), "api.yaml", "api.yaml")
    assert caught.value.code == "invalid-yaml"
    assert caught.value.mark is not None
    assert caught.value.mark.line == line
