"""JSON: duplicate keys, places, and what the standard library lets pass."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specloom.description.json_text import marks, parse
from specloom.description.refs import child
from specloom.description.text import MAX_DEPTH, Broken, Finding
from specloom.description.values import is_list, is_mapping


def findings(text: str) -> list[Finding]:
    """Return what is found in a text that parses."""
    found: list[Finding] = []
    parse(text.encode(), found)
    return found


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ('{"a":1,"b":2,"a":3}', (1, 2), (1, 14)),
        ('{"a" : 1,\n "a"\t:2}', (1, 2), (2, 2)),
        ('[{"x": {"k": [], "k": "\\":"}}]', (1, 9), (1, 18)),
        ('{"\\\\":1,"\\\\":2}', (1, 2), (1, 9)),
        ('{"\\u0061":1,"a":2}', (1, 2), (1, 13)),
        ('{"t": "a \\"b\\": c", "t": 1}', (1, 2), (1, 21)),
        ('{"\\\\": 1, "a": 2, "a": 3}', (1, 11), (1, 19)),
    ],
)
def test_duplicate_keys(text: str, first: tuple[int, int], second: tuple[int, int]) -> None:
    (finding,) = findings(text)
    assert (finding.code, finding.mark, finding.related) == ("duplicate-key", second, (first,))


@pytest.mark.parametrize(
    "text",
    [
        '{"a":{"a":1}}',
        '{"a": "\\"a\\": 1", "b" : 2}',
        '[{"a":1},{"a":1}]',
        '{"\\\\":":\\":"}',
        '":"',
    ],
)
def test_no_duplicate_keys(text: str) -> None:
    assert findings(text) == []


def test_half_a_character_is_replaced_and_reported() -> None:
    found: list[Finding] = []
    text = '["\\ud83d\\ude00", "\\\\ud83d",\n "\\uDC00x"]'
    assert parse(text.encode(), found) == ["😀", "\\ud83d", "\ufffdx"]
    assert [(f.code, f.mark) for f in found] == [("lone-surrogate", (2, 3))]


def test_more_digits_than_python_converts_are_a_float() -> None:
    assert parse(b'{"a": ' + b"9" * 5000 + b"}", []) == {"a": math.inf}


@pytest.mark.parametrize("depth", [MAX_DEPTH + 2, 500, 100_000])
def test_too_deep(depth: int) -> None:
    with pytest.raises(Broken) as caught:
        parse(b"[" * depth + b"]" * depth, [])
    assert caught.value.code == "nested-too-deep"


def test_deep_enough() -> None:
    parse(b"[" * MAX_DEPTH + b"1" + b"]" * MAX_DEPTH, [])


def test_what_is_no_json() -> None:
    with pytest.raises(Broken) as caught:
        parse(b'{"a": 1,\n "b" 2}', [])
    assert (caught.value.code, caught.value.mark) == ("invalid-json", (2, 6))
    assert caught.value.message == "expecting ':' delimiter"


def test_places_and_source_texts() -> None:
    text = '{"a": 1.10,\n  "b/c": [1e3,\n {"é": "x", "d": null}]}'
    found = marks(text)
    assert found.place(()) == (1, 1)
    assert found.place(("a",)) == (1, 2)
    assert found.place(("b/c", "0")) == (2, 11)
    assert found.place(("b/c", "1", "d")) == (3, 13)
    assert found.place(("b/c", "1", "d", "gone")) == (3, 13)
    assert found.text(("a",)) == "1.10"
    assert found.text(("b/c", "0")) == "1e3"
    assert found.text(("b/c", "1", "é")) == "x"
    assert found.text(("b/c",)) is None
    assert found.text(("gone",)) is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='":\\ab{}[], ', max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(alphabet='":\\ab', max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(VALUES, st.sampled_from([None, 2]), st.sampled_from([(",", ":"), (", ", " : ")]))
def test_what_the_standard_library_writes_has_its_value_and_places(
    value: object, indent: int | None, separators: tuple[str, str]
) -> None:
    text = json.dumps(value, indent=indent, separators=separators)
    assert parse(text.encode(), []) == value
    assert findings(text) == []
    found = marks(text)
    lines = text.split("\n")
    waiting: list[tuple[object, tuple[str, ...]]] = [(value, ())]
    while waiting:
        part, path = waiting.pop()
        line, column = found.place(path)
        rest = "\n".join([lines[line - 1][column - 1 :], *lines[line:]])
        written, _ = json.JSONDecoder().raw_decode(rest)
        if is_mapping(part):
            waiting += [(child, (*path, key)) for key, child in part.items()]
        if is_list(part):
            waiting += [(child, (*path, str(i))) for i, child in enumerate(part)]
        named_by_key = is_mapping(_parent(value, path))
        assert written == (path[-1] if named_by_key else part)


def _parent(value: object, path: tuple[str, ...]) -> object:
    """Return the container that holds the last step of a path."""
    for token in path[:-1]:
        value = child(value, token)
    return value if path else None
