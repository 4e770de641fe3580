"""Limits that concern several parts of a value at once, in words."""

from __future__ import annotations

import pytest

from specloom import ir
from specloom.python.demands import demands


@pytest.mark.parametrize(
    ("keyword", "value", "sentence"),
    [
        ("enum", [[1, 2], {"a": None}], 'One of `[1, 2]` or `{"a": null}`.'),
        ("required", ["a"], "`a` is needed."),
        ("required", ["a", "b", "c"], "`a`, `b` and `c` are needed."),
        (
            "anyOf",
            [{"required": ["a"]}, {"required": ["b"]}],
            "At least one of `a` and `b` is needed.",
        ),
        (
            "oneOf",
            [{"required": ["a"]}, {"required": ["b"]}],
            "Exactly one of `a` and `b` is needed.",
        ),
        (
            "anyOf",
            [{"required": ["a", "b"]}, {"required": ["c"], "not": {"required": ["a"]}}],
            "Either `a` and `b` or `c` without `a`.",
        ),
        (
            "oneOf",
            [
                {"required": ["a"]},
                {"not": {"anyOf": [{"required": ["a"]}, {"required": ["b", "c"]}]}},
            ],
            "Either `a` or without `a` and `b` and `c` together, not both.",
        ),
        ("dependentRequired", {"a": ["b", "c"]}, "With `a`, `b` and `c` are needed."),
        ("propertyNames", {"enum": ["a", "b"]}, "Each key is one of `a` or `b`."),
        ("propertyNames", {"pattern": "^a"}, "Each key matches `^a`."),
        ("propertyNames", {"maxLength": 1}, "Each key has at most 1 character."),
        ("propertyNames", {"minLength": 2}, "Each key has at least 2 characters."),
        (
            "propertyNames",
            {"anyOf": [{"enum": ["id"]}, {"pattern": "^a"}, {"pattern": "^b"}]},
            "Each other key matches `^a` or `^b`.",
        ),
        ("contains", {"const": 1}, 'Has at least 1 of `{"const": 1}`.'),
        ("not", {"required": ["a"]}, "Without `a`."),
        ("not", {"required": ["a", "b"]}, "Without `a` and `b` together."),
        ("not", {"enum": ["a"]}, 'Not `{"enum": ["a"]}`.'),
        (
            "allOf",
            [{"required": ["a"]}, {"not": {"required": ["b"]}}],
            "`a` is needed. Without `b`.",
        ),
    ],
)
def test_one_sentence_each(keyword: str, value: object, sentence: str) -> None:
    assert " ".join(demands(((keyword, ir.constant(value)),))) == sentence


def test_how_many_items_fit() -> None:
    limits = {"contains": {"type": "string"}, "minContains": 2, "maxContains": 3}
    found = demands(tuple((keyword, ir.constant(value)) for keyword, value in limits.items()))
    assert list(found) == ['Has at least 2 and at most 3 of `{"type": "string"}`.']


@pytest.mark.parametrize("keyword", ["if", "then", "minLength", "dependentSchemas"])
def test_what_is_said_elsewhere_or_not_at_all(keyword: str) -> None:
    assert list(demands(((keyword, ir.constant(1)),))) == []


def test_what_is_too_long_to_be_read_is_not_shown() -> None:
    assert list(demands((("not", ir.constant({"enum": ["x" * 200]})),))) == []
