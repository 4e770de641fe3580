"""Text of a description is text in the client, whatever it holds."""

from __future__ import annotations

import ast
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specloom import ir
from specloom.markdown import line
from specloom.python.literals import literal
from specloom.python.prose import described, facts, wrap
from specloom.render import docstring, quoted

PIECES = ['"', '"""', "\\", "'", " ", "\n", "\t", "a", "{{ x }}", "\\N{DASH}", "\\x0", "#"]
HOSTILE = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
INVISIBLE = st.text("a \n\r\0\x07\x1b\x85\u2028\u2029\u202e\u2066\ufeff\u200b", max_size=20)
TEXT = st.text() | HOSTILE | INVISIBLE
"""Any text but lone surrogates, which no YAML or JSON text in UTF-8 can hold."""


def content(source: str) -> str:
    """Return the text of a docstring, by the parser and not by our own reading."""
    (statement,) = ast.parse(f"class C:\n    {source}\n").body
    assert isinstance(statement, ast.ClassDef)
    (only,) = statement.body
    assert isinstance(only, ast.Expr) and isinstance(only.value, ast.Constant)
    assert isinstance(only.value.value, str)
    return only.value.value


def squeezed(text: str) -> str:
    """Return text without its spaces and line ends, and without what surrounds it."""
    return text.replace("\r\n", "\n").strip().replace(" ", "").replace("\n", "")


@given(TEXT)
def test_docstring_says_what_the_description_says(text: str) -> None:
    assert squeezed(content(docstring(text, 4))) == squeezed(text)


@given(TEXT)
def test_docstring_shows_everything(text: str) -> None:
    source = docstring(text, 4)
    assert all(char.isprintable() or char == "\n" for char in source)


@given(TEXT)
def test_docstring_is_one_statement_after_wrapping(text: str) -> None:
    assert content(docstring(described(text, "Default: 1.", 81) or "-", 4))


@pytest.mark.parametrize(
    "text",
    [
        '"',
        '""',
        '"""',
        '""""',
        '\\"',
        '\\"""',
        'x "',
        'x """',
        "x \\",
        'x \\\\"',
        "'''",
        "\\N{DASH}",
    ],
)
@pytest.mark.parametrize("before", ["", "first\n"])
def test_quotes_and_backslashes_at_the_end(text: str, before: str) -> None:
    written = content(docstring(before + text, 4))
    assert [part.strip() for part in written.strip().split("\n")] == (before + text).split("\n")


def test_lines_are_indented_with_the_code() -> None:
    assert docstring("a\n\n  b\nc", 4) == '"""a\n\n      b\n    c\n    """'


@given(TEXT | st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False))
def test_literal_is_the_value(value: object) -> None:
    again: object = ast.literal_eval(literal(value))
    assert (type(again), again) == (type(value), value)


@given(st.text())
def test_quoted_is_the_text_in_toml(text: str) -> None:
    assert tomllib.loads(f"key = {quoted(text)}") == {"key": text}


@given(TEXT)
def test_a_line_is_one_line(text: str) -> None:
    assert len(line(text).splitlines()) <= 1


WORDS = st.lists(st.text("abcdef.,`", min_size=1, max_size=9), min_size=1, max_size=60)


@given(WORDS, st.integers(20, 90))
def test_wrapping_keeps_every_word(parts: list[str], width: int) -> None:
    wrapped = wrap(" ".join(parts), width)
    assert wrapped.split() == parts
    assert all(len(each) <= width for each in wrapped.splitlines())


@pytest.mark.parametrize(
    "block",
    ["* one\n* two", "1. one\n2. two", "| a | b |\n|---|---|", "```\ncode  here\n```", "    code"],
)
def test_wrapping_keeps_the_lines_of_lists_tables_and_code(block: str) -> None:
    assert block.strip() in wrap(f"Prose\ngoes on.\n\n{block}\n\nAnd  ends.", 60)


def test_notes_end_the_last_paragraph() -> None:
    assert described("What.", "Deprecated.", 60) == "What. Deprecated."
    assert described("A.\n\nB.", "Deprecated.", 60) == "A.\n\nB. Deprecated."
    assert described("* a\n* b", "Deprecated.", 60) == "* a\n* b\n\nDeprecated."
    assert described(None, "Deprecated.", 60) == "Deprecated."
    assert described(None, None, 60) is None


@pytest.mark.parametrize(
    ("limits", "default", "sentence"),
    [
        ({"minimum": 1, "maximum": 5}, None, "Between 1 and 5."),
        ({"exclusiveMinimum": 0}, 2, "More than 0. Default: 2."),
        ({}, True, "Default: True."),
        ({}, None, None),
    ],
)
def test_facts(limits: dict[str, object], default: object, sentence: str | None) -> None:
    constraints = tuple((keyword, ir.constant(value)) for keyword, value in limits.items())
    stated = None if default is None else ir.constant(default)
    assert facts(ir.Primitive("integer", None, constraints), stated, False) == sentence


def test_facts_see_through_null() -> None:
    limited = ir.Primitive("integer", None, (("minimum", ir.constant(1)),))
    assert facts(ir.Union((limited, ir.NULL)), None, True) == "At least 1. Deprecated."


def limited(kind: str = "string", /, **stated: object) -> ir.Primitive:
    """Return a scalar with limits."""
    constraints = tuple((keyword, ir.constant(value)) for keyword, value in stated.items())
    return ir.Primitive("string" if kind == "string" else "integer", None, constraints)


MANY = (("minItems", ir.constant(1)), ("maxItems", ir.constant(4)))


@pytest.mark.parametrize(
    ("type_", "sentence"),
    [
        (
            ir.Array(limited(minLength=1, maxLength=8), MANY),
            "At least 1 item. At most 4 items. Each item: at least 1 character, "
            "at most 8 characters.",
        ),
        (ir.Map(limited(maxLength=1)), "Each value: at most 1 character."),
        (
            ir.Union((limited(maxLength=3), limited("integer", minimum=7), ir.Array(limited()))),
            "As a string: at most 3 characters. As an integer: at least 7.",
        ),
        (
            ir.Union((ir.Array(limited("integer"), MANY), ir.Array(ir.Array(limited()), MANY))),
            "As a list of integers: at least 1 item, at most 4 items. "
            "As a list of lists: at least 1 item, at most 4 items.",
        ),
        (
            ir.Union(
                (ir.Literal((ir.constant("a"), ir.constant(1.5))), ir.Map(limited()), ir.NULL)
            ),
            'As a constant: one of "a", 1.5.',
        ),
        (
            limited(pattern="^a", allOf=[{"pattern": "b$"}, {"contentEncoding": "base64"}]),
            "Matches `^a`. Matches `b$`. Encoded as base64.",
        ),
        (ir.Primitive("string", "date-time"), None),
        (ir.Primitive("string", "duration"), "Format: duration."),
        (ir.Primitive("number", "decimal"), "Format: decimal."),
        (
            limited(contentEncoding="base64", contentMediaType="image/png"),
            "Encoded as base64. Content: image/png.",
        ),
        (ir.Tuple((limited(), limited()), ir.NEVER), "May have fewer items."),
        (
            ir.Tuple(
                (limited(maxLength=2),),
                limited("integer", minimum=1),
                (("minItems", ir.constant(1)),),
            ),
            "Item 1: at most 2 characters. Each further item: at least 1.",
        ),
    ],
)
def test_facts_of_what_is_inside(type_: ir.Type, sentence: str | None) -> None:
    assert facts(type_, None, False) == sentence
