"""Expressions of JSON Schema mean in Python what they mean in ECMAScript, or nothing."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime._patterns import compiled


@pytest.fixture(autouse=True)
def _no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # "possible nested set" and its like
        yield


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        (r"^\d{3}$", ["123"], ["12", "1234", "١٢٣", "123\n"]),
        (r"\d", ["a1b"], ["٣"]),
        (r"^\w+$", ["aZ_9"], ["é", ""]),
        (r"^\W$", ["é", "-"], ["a"]),
        (r"^\s$", [" ", "\u00a0", "\ufeff", "\u2028", "\t"], ["\x1c", "\x85", "a"]),
        (r"^\S$", ["a", "\x85"], [" ", "\ufeff"]),
        (r"^[\s\S]$", ["a", "\n", " "], []),
        (r"^[^\s-]$", ["a"], [" ", "-"]),
        (r"^.$", ["a", "\x85", "😀"], ["\n", "\r", "\u2028", "\u2029"]),
        (r"^[^]$", ["a", "\n"], [""]),
        (r"[]", [], ["", "a"]),
        (r"^[\w.+-]+@[\w-]+\.\w+$", ["a.b+c@d-e.fg"], ["a@b"]),
        (r"^[\w-.]$", ["-", ".", "a"], ["/"]),
        (r"^[\d-x]$", ["5", "-", "x"], ["a"]),
        (r"^[a-c-e]$", ["b", "-", "e"], ["d"]),
        (r"^[-a]$", ["-", "a"], []),
        (r"^[a\]]$", ["]", "a"], ["\\"]),
        (r"^[[&&--~~||]+$", ["[&-~|"], ["a"]),
        (r"^\/v1\/\-\_$", ["/v1/-_"], []),
        (r"^(?!foo)bar(?=x)", ["barx"], ["foo", "bar"]),
        (r"(?<=a)b(?<!c)$", ["ab"], ["b"]),
        (r"^(?<year>\d{4})-(?:a|b)$", ["2024-a"], ["2024-c"]),
        (r"^a{2,}b{1,2}c?d*?$", ["aab", "aaabbcdd"], ["ab"]),
        (r"^{id}$", ["{id}"], ["id"]),
        (r"^x{,3}$", ["x{,3}"], ["xx"]),
        (r"^\u{1F600}\uD83D\uDE00\x41\u0042$", ["😀😀AB"], []),
        (r"^\cJ\0[\b]$", ["\n\0\b"], []),
        (r"\bfoo\b", ["a foo b", "éfoo"], ["xfoo"]),
        (r"^$|^a b$", ["", "a b"], ["b"]),
        (r"#x", ["#x"], []),
    ],
)
def test_meaning(pattern: str, matching: list[str], others: list[str]) -> None:
    found = compiled(pattern)
    assert found is not None
    assert [text for text in matching if not found.search(text)] == []
    assert [text for text in others if found.search(text)] == []


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"\p{L}", r"a++", r"a*+", r"(?>a)", r"(?i)a", r"(?P<a>x)", r"(a)\1", r"(?<=a+)b"),
        *(r"[z-a]", "(", "[a", "\\", ")", "a**", "*", r"\Aa\Z", r"\uD83D", r"[\d", "(?#x)"),
    ],
)
def test_what_python_has_no_counterpart_of_is_given_up(pattern: str) -> None:
    assert compiled(pattern) is None


PIECES = st.sampled_from(
    [
        *("a", "b", "-", ".", "\\d", "\\w", "\\s", "\\D", "[a-c]", "[^a]", "[\\d.-]", "\\.", "é"),
        *("(?:a|b)", "(?!a)", "(?=b)", " ", "\\/", "\\u0061", "\\x62", "_", "0", "[\\s\\S]", "\\-"),
    ]
)
QUANTIFIED = st.builds("{}{}".format, PIECES, st.sampled_from(["", "", "", "{1,2}", "?"]))
SAMPLE = st.text(st.sampled_from("ab-.0_é١ \n\u00a0"), max_size=5)


@given(
    st.lists(QUANTIFIED, max_size=4).map("".join),
    st.booleans(),
    st.booleans(),
    st.lists(SAMPLE, min_size=5, max_size=5),
)
def test_an_independent_judge_finds_the_same(
    inside: str, start: bool, end: bool, samples: list[str]
) -> None:
    pattern = f"{'^' * start}{inside}{'$' * end}"
    if re.search(r"\(\?[!=][ab]\)[{?]", pattern):
        return  # a lookahead that is repeated, which ECMAScript forbids
    judge = jsonschema_rs.validator_for({"pattern": pattern})
    found = compiled(pattern)
    assert found is not None
    for text in samples:
        if re.search(r"\(\?[!=]", pattern) and not text.isascii():
            continue  # beside a lookahead, the judge takes digits of all scripts for \d
        assert (found.search(text) is not None) == judge.is_valid(text), (pattern, text)
