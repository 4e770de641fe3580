"""Regular expressions of a description against names of properties (JSON Schema Core §10.3.2.2)."""

from __future__ import annotations

from functools import cache
from typing import Final

import jsonschema_rs

_BACKTRACKING: Final = 10_000
"""How often an expression may try another way before it counts as one that does not match."""

_ANYTHING: Final = frozenset(["", *"^ $ . .* .+ ^.* ^.+ .*$ .+$ ^.*$ ^.+$ ^(.*)$".split()])
"""Expressions that all names match, or all but the empty one."""


def matches(pattern: str, name: str) -> bool:
    """Whether a name matches; none matches what is no expression, or takes too long."""
    matcher = _matcher(pattern)
    try:
        return matcher is not None and matcher.is_valid(name)
    except ValueError:
        return False


def matches_all(pattern: str) -> bool:
    """Whether an expression is written as one that every name matches."""
    return pattern in _ANYTHING


@cache
def _matcher(pattern: str) -> jsonschema_rs.Validator | None:
    options = jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKING)
    try:
        return jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=options)
    except ValueError:
        return None
