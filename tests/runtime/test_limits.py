"""Limits hold where an independent judge of JSON Schema says so."""

from __future__ import annotations

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime._limits import broken, within

KEYWORDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}
LENGTHS = {str: "Length", list: "Items", dict: "Properties"}

NUMBERS = (
    st.integers(-20, 20)
    | st.integers(-(2**70), 2**70)
    | st.sampled_from([0.1, 0.3, 0.7, 1.1, 0.01, 2.5, 4.35, 1e-7, 1e16, 2.0])
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(0, 2)
    | st.sampled_from([0.0, 1.0, 1.5])
    | st.text("aé😀"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner, max_size=3),
    max_leaves=4,
)


@given(NUMBERS, NUMBERS, st.sampled_from(sorted(KEYWORDS)))
def test_numbers(value: float, bound: float, name: str) -> None:
    if name == "multiple_of":
        bound = abs(bound) or 1
    judge = jsonschema_rs.validator_for({KEYWORDS[name]: bound})
    assert within(value, ((name, bound),)) == judge.is_valid(value)


@pytest.mark.parametrize(
    ("value", "of", "expected"),
    [
        (0.3, 0.1, True),
        (4.35, 0.01, True),
        (1.15, 0.01, True),
        (0.35, 0.1, False),
        (1e22, 1e-3, True),
        (19.99, 0.01, True),
        (2**80, 2, True),
        (7, 0.5, True),
        (float("nan"), 1, False),
        (float("inf"), 1, False),
    ],
)
def test_multiples_are_decimal_as_they_are_written(value: float, of: float, expected: bool) -> None:
    assert within(value, (("multiple_of", of),)) is expected


@given(
    st.text("aé😀") | st.lists(VALUES, max_size=4) | st.dictionaries(st.text("ab"), VALUES),
    st.integers(0, 4),
    st.sampled_from(["min", "max"]),
)
def test_lengths(value: str | list[object] | dict[str, object], bound: int, side: str) -> None:
    judge = jsonschema_rs.validator_for({f"{side}{LENGTHS[type(value)]}": bound})
    assert within(value, ((f"{side}_length", bound),)) == judge.is_valid(value)


@given(st.lists(VALUES, max_size=5))
def test_items_are_equal_as_json_has_it(value: list[object]) -> None:
    judge = jsonschema_rs.validator_for({"uniqueItems": True})
    assert within(value, (("unique", True),)) == judge.is_valid(value)


@pytest.mark.parametrize(
    ("value", "name", "bound", "message"),
    [
        (-1, "ge", 0, "expected at least 0"),
        (0, "gt", 0, "expected more than 0"),
        (3, "le", 2, "expected at most 2"),
        (2, "lt", 2, "expected less than 2"),
        (3, "multiple_of", 2, "expected a multiple of 2"),
        ("", "min_length", 1, "expected at least 1 character, got 0"),
        ("abc", "max_length", 2, "expected at most 2 characters, got 3"),
        ([], "min_length", 2, "expected at least 2 items, got 0"),
        ([1, 2], "max_length", 1, "expected at most 1 item, got 2"),
        ({}, "min_length", 2, "expected at least 2 properties, got 0"),
        ("a", "pattern", r"^\d+$", r"expected text that matches ^\d+$"),
        ([1, 1.0], "unique", True, "expected no item twice"),
    ],
)
def test_a_broken_limit_is_said_in_words(
    value: object, name: str, bound: object, message: str
) -> None:
    assert list(broken(value, ((name, bound),))) == [message]


def test_all_broken_limits_are_named_and_an_unreadable_pattern_limits_nothing() -> None:
    limits = (("min_length", 2), ("pattern", "^b"), ("max_length", 5))
    assert len(list(broken("a", limits))) == 2
    assert within("anything", (("pattern", r"\p{Lu}"),))
