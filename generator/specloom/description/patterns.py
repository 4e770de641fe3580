"""Which texts are regular expressions of ECMA-262, which JSON Schema has (Core, section 6.4)."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import jsonschema_rs

# What only ECMA-262 writes so, and what Python writes instead or reads as well.
_OWN: Final = (
    (re.compile(r"\(\?<(?![=!])"), "(?P<"),
    (re.compile(r"\\k<(\w+)>"), r"(?P=\1)"),
    (re.compile(r"\\c[A-Za-z]"), "c"),
    (re.compile(r"\\[pP]\{[^{}]*\}"), "p"),
    (re.compile(r"\\u\{[0-9A-Fa-f]+\}"), "u"),
    (re.compile(r"\[\^\]"), "."),
)


@cache
def is_regular(pattern: str) -> bool:
    """Whether a text is a regular expression, as far as two other dialects can tell."""
    written = pattern
    for own, instead in _OWN:
        written = own.sub(instead, written)
    try:
        re.compile(written)
    except (re.error, OverflowError, RecursionError):
        return _compiles(pattern)
    return True


def _compiles(pattern: str) -> bool:
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern})
    except ValueError:
        return False
    return True
