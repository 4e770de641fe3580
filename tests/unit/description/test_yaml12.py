"""The core schema of YAML 1.2, and what else may occur in YAML."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specloom.description.text import Broken, Finding
from specloom.description.values import is_list, is_mapping
from specloom.description.yaml12 import parse, resolve
from specloom.description.yaml_marks import marks

# Chapter 10.3.2 of the YAML 1.2.2 specification, and what YAML 1.1 would have made of the rest.
SCALARS = [
    ("null", None), ("Null", None), ("NULL", None), ("~", None), ("", None), ("nULL", "nULL"),
    ("true", True), ("True", True), ("TRUE", True), ("tRUE", "tRUE"),
    ("false", False), ("False", False), ("FALSE", False),
    ("yes", "yes"), ("No", "No"), ("on", "on"), ("OFF", "OFF"), ("y", "y"), ("n", "n"),
    ("0", 0), ("7", 7), ("-19", -19), ("+12", 12), ("007", 7), ("010", 10), ("-0", 0),
    ("0o7", 7), ("0o17", 15), ("0o8", "0o8"), ("-0o7", "-0o7"),
    ("0x3A", 58), ("0xff", 255), ("0xfg", "0xfg"), ("+0xf", "+0xf"), ("0b1", "0b1"),
    ("1_000", "1_000"), ("1,000", "1,000"), ("12:30:45", "12:30:45"), ("18:00", "18:00"),
    ("2020-01-01", "2020-01-01"), ("2001-12-14t21:59:43.10-05:00", "2001-12-14t21:59:43.10-05:00"),
    ("0.", 0.0), (".5", 0.5), ("-.5", -0.5), ("1.10", 1.1), ("12e03", 12000.0), ("1e3", 1000.0),
    ("1e+09", 1e9), ("-2E+05", -200000.0), ("1.e1", 10.0), ("1e", "1e"), ("e1", "e1"), (".", "."),
    ("1.2.3", "1.2.3"), ("+.", "+."), ("1_0.5", "1_0.5"), ("٣", "٣"),
    (".inf", math.inf), ("-.Inf", -math.inf), ("+.INF", math.inf), ("inf", "inf"), ("nan", "nan"),
    ("=", "="), ("<<", "<<"), ("0x", "0x"), ("-", "-"), ("+", "+"), ("1 ", "1 "), ("1\n", "1\n"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), SCALARS)
def test_a_plain_scalar_means_what_the_core_schema_says(text: str, value: object) -> None:
    assert resolve(text) == value
    assert type(resolve(text)) is type(value)


def test_not_a_number_is_one() -> None:
    for text in (".nan", ".NaN", ".NAN"):
        value = resolve(text)
        assert isinstance(value, float) and math.isnan(value)
    assert resolve(".Nan") == ".Nan"


def test_more_digits_than_python_converts_are_a_float() -> None:
    assert resolve("9" * 5000) == math.inf


@given(st.text(max_size=8))
def test_resolving_never_fails(text: str) -> None:
    assert isinstance(resolve(text), (str, int, float, bool, type(None)))


def values(text: str) -> object:
    """Parse a document that nothing is wrong with."""
    findings: list[Finding] = []
    value = parse(text.encode(), findings)
    assert findings == []
    return value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("200: a\nnull: b\ntrue: c\n1.0: d\n", ["200", "null", "true", "1.0"]),
        ("~: e\n0x1: f\n007: g\n", ["~", "0x1", "007"]),
        ("? a\n: 1\n? 'b'\n: 2\n", ["a", "b"]),
    ],
)  # fmt: skip
def test_keys_are_strings_as_spelled(text: str, value: list[str]) -> None:
    mapping = values(text)
    assert is_mapping(mapping)
    assert list(mapping) == value


def test_an_alias_can_be_a_key() -> None:
    assert values("a: &k name\nb: {*k : 1}\n") == {"a": "name", "b": {"name": 1}}


def test_quotes_make_strings() -> None:
    assert values("""['1', "true", 'null', "\\/", 'it''s', "\\u00e9"]""") == [
        "1", "true", "null", "/", "it's", "é",
    ]  # fmt: skip


def test_tags_of_the_core_schema() -> None:
    text = "[!!str 12, !!int '3', !!float 3, !!float '.5', !!bool 'true', !!null '']"
    assert values(text) == ["12", 3, 3.0, 0.5, True, None]
    assert type(values("!!float 3")) is float


@pytest.mark.parametrize("text", ["!Ref x", "!!int x", "!!binary x", "!!timestamp x"])
def test_another_tag_is_ignored_and_reported(text: str) -> None:
    findings: list[Finding] = []
    assert parse(text.encode(), findings) == "x"
    assert [(f.severity, f.code) for f in findings] == [("warning", "unknown-tag")]
    assert text.split()[0] in findings[0].message


def test_a_tag_on_a_collection() -> None:
    assert values("!!map {a: !!seq [1]}") == {"a": [1]}
    findings: list[Finding] = []
    assert parse(b"a: !Thing {b: 1}", findings) == {"a": {"b": 1}}
    assert findings[0].mark == (1, 4)


def test_aliases_are_one_object() -> None:
    value = values("a: &x {k: [1]}\nb: *x\nc: [*x]\n")
    assert is_mapping(value)
    assert value["a"] is value["b"]
    items = value["c"]
    assert is_list(items) and items[0] is value["a"]


def test_an_anchor_can_be_redefined() -> None:
    assert values("- &x 1\n- *x\n- &x 2\n- *x\n") == [1, 1, 2, 2]


def test_merge_keys() -> None:
    text = """
    base: &base {x: 1, y: 2}
    other: &other {y: 9, z: 9}
    one: {<<: *base, y: 3}
    many: {<<: [*base, *other], w: 0}
    inline: {<<: {a: 1}}
    quoted: {"<<": 1}
    """
    value = values(text)
    assert is_mapping(value)
    assert value["one"] == {"x": 1, "y": 3}
    assert value["many"] == {"x": 1, "y": 2, "z": 9, "w": 0}
    assert value["inline"] == {"a": 1}
    assert value["quoted"] == {"<<": 1}
    assert value["base"] == {"x": 1, "y": 2}


def test_a_merged_mapping_can_be_an_anchor_itself() -> None:
    value = values("a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b, z: 3}\n")
    assert is_mapping(value)
    assert value["c"] == {"x": 1, "y": 2, "z": 3}


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("a: b: c", "invalid-yaml", (1, 5)),
        ("a: [1\n", "invalid-yaml", (2, 1)),
        ("a:\n\tb: 1\n", "invalid-yaml", (2, 1)),
        ("é: \x07", "invalid-yaml", (1, 4)),
        ("a: &a [*a]", "alias-cycle", (1, 8)),
        ("a: &a {b: &b {c: *a}}", "alias-cycle", (1, 18)),
        ("a: *b", "unknown-alias", (1, 4)),
        ("? [a]\n: 1", "complex-key", (1, 3)),
        ("a: &a [1]\n*a : 2", "complex-key", (2, 1)),
        ("a: {<<: 3}", "invalid-merge", (1, 5)),
        ("a: {<<: [3]}", "invalid-merge", (1, 5)),
    ],
)
def test_what_cannot_be_read(text: str, code: str, place: tuple[int, int]) -> None:
    with pytest.raises(Broken) as caught:
        parse(text.encode(), [])
    assert caught.value.code == code
    assert caught.value.mark == place


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("title: a: b", "quote a text that contains ': '"),
        ("a: @x", "quote a text that begins like this"),
        ("a:\n\tb: 1", "indent with spaces"),
        ("a: 1\nb\nc: 2\n", "a key ends with a colon"),
    ],
)
def test_common_mistakes_get_a_hint(text: str, hint: str) -> None:
    with pytest.raises(Broken, match=hint):
        parse(text.encode(), [])


def test_duplicate_keys_cite_both_places() -> None:
    findings: list[Finding] = []
    assert parse(b"a: 1\nb: {c: 1, c: 2}\na: 3\n", findings) == {"a": 3, "b": {"c": 2}}
    assert [(f.message, f.mark, f.related) for f in findings] == [
        ("the key 'c' occurs twice in one mapping", (2, 11), ((2, 5),)),
        ("the key 'a' occurs twice in one mapping", (3, 1), ((1, 1),)),
    ]
    assert {f.severity for f in findings} == {"error"}


def test_keys_that_differ_in_spelling_only_as_yaml_are_duplicates() -> None:
    findings: list[Finding] = []
    parse(b"200: a\n'200': b\n", findings)
    assert len(findings) == 1


def test_only_the_first_document_counts() -> None:
    findings: list[Finding] = []
    assert parse(b"a: 1\n---\nb: 2\n", findings) == {"a": 1}
    assert [(f.code, f.mark) for f in findings] == [("several-documents", (2, 1))]
    assert values("---\na: 1\n---\n...\n") == {"a": 1}


def test_nothing_is_nothing() -> None:
    assert values("") is None
    assert values("# only a comment\n") is None


MARKED = """\
a: 1
list:
  - x
  -   y: 007
"~tilde/slash": "2"
base: &base {k: 1.10, deep: {d: 1}}
copy: *base
merged:
  <<: *base
  own: 2
several: {<<: [{p: 1}, *base]}
"""


@pytest.mark.parametrize(
    ("path", "place", "text"),
    [
        ((), (1, 1), None),
        (("a",), (1, 1), "1"),
        (("list",), (2, 1), None),
        (("list", "0"), (3, 5), "x"),
        (("list", "1"), (4, 7), None),
        (("list", "1", "y"), (4, 7), "007"),
        (("~tilde/slash",), (5, 1), "2"),
        (("base", "k"), (6, 14), "1.10"),
        (("copy",), (7, 1), None),
        (("copy", "k"), (6, 14), "1.10"),
        (("merged", "k"), (6, 14), "1.10"),
        (("merged", "deep", "d"), (6, 30), "1"),
        (("merged", "own"), (10, 3), "2"),
        (("several", "p"), (11, 17), "1"),
        (("several", "deep"), (6, 23), None),
        (("list", "7"), (2, 1), None),
        (("base", "deep", "gone", "further"), (6, 23), None),
    ],
)
def test_places_and_source_texts(
    path: tuple[str, ...], place: tuple[int, int], text: str | None
) -> None:
    found = marks(MARKED.encode())
    assert found.place(path) == place
    assert found.text(path) == text


def tree(leaf: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """Values nested in lists and mappings."""
    keys = st.text(alphabet="abé\"':\\ \n#", max_size=5)
    return st.recursive(
        leaf,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
        max_leaves=20,
    )


def block(value: object, indent: str = "") -> str:
    """Write a value in block style, its scalars in quotes."""
    if is_mapping(value) and value:
        return "".join(
            f"\n{indent}{json.dumps(key)}: {block(child, indent + '  ')}"
            for key, child in value.items()
        )
    if is_list(value) and value:
        return "".join(f"\n{indent}- {block(child, indent + '  ')}" for child in value)
    return json.dumps(value)


@given(tree(st.text(alphabet="abé\u2028\"':\\ \n\t#\0{}[]&*!|>%@`-?,", max_size=8)))
def test_quoted_text_in_blocks_is_read_back(value: object) -> None:
    assert values(block(value)) == value


@given(tree(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False)))
def test_what_json_writes_of_numbers_is_read_back(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False).replace("Infinity", ".inf")
    assert repr(values(text)) == repr(value)


@given(st.text(alphabet="ab:-?*&!#|>'\"{}[], \n\t<%@`~01.é", max_size=40))
def test_no_text_is_a_crash(text: str) -> None:
    try:
        value = parse(text.encode(), [])
    except Broken as broken:
        assert broken.code
        return
    found = marks(text.encode())
    assert value is None or found.place(()).line >= 1
