"""Calls and values are laid out as Black would, which is asked here."""

from __future__ import annotations

import black
import pytest
from black.mode import TargetVersion
from hypothesis import given
from hypothesis import strategies as st

from specloom.python.trials.layout import Expression, call, lines, value

MODE = black.Mode(line_length=88, target_versions={TargetVersion.PY311})
WORDS = st.text("abcdef 'gh\"", min_size=1, max_size=24)
SCALARS = st.one_of(
    WORDS, st.integers(), st.booleans(), st.none(), st.floats(-1e4, 1e4, width=16), st.just(b"a'b")
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=25,
)
NAMES = st.sampled_from("alpha beta gamma delta epsilon".split())
NAMED = st.lists(st.tuples(NAMES, VALUES.map(value)), unique_by=lambda pair: pair[0], max_size=5)
METHOD = "async_client.items.photos.create"


def assert_laid_out(text: str) -> None:
    if all(len(line) <= 88 for line in text.splitlines()):  # the rest goes through Black itself
        assert black.format_str(text, mode=MODE) == text + "\n"


@given(VALUES)
def test_constants_and_checks(plain: object) -> None:
    assert_laid_out(lines("CREATE_ANSWER: object = ", value(plain)))
    body = lines("assert request.json() == ", value(plain), 4)
    pairs = lines("assert as_json(result) == ", value([("name", plain), ("b", 1)]), 4)
    assert_laid_out(f"def check():\n    {body}\n    {pairs}")


@given(VALUES.map(value), NAMED)
def test_calls(positional: Expression, named: list[tuple[str, Expression]]) -> None:
    result = lines("result = await ", call(METHOD, named=named), 4)
    both = lines("", call("api.answer", '"POST /items"', positional, named=named), 4)
    inside = lines("", call("check", "api.request", call(METHOD, positional, named=named)), 4)
    assert_laid_out(f"async def test():\n    {result}\n    {both}\n    {inside}")


@pytest.mark.parametrize(
    ("plain", "written"),
    [
        ({}, "{}"),
        ([("a", b"b")], '[("a", b"b")]'),
        ((1,), "(1,)"),
        ({"a": [True, None]}, '{"a": [True, None]}'),
    ],
)
def test_what_fits_is_one_line(plain: object, written: str) -> None:
    assert str(value(plain)) == written
