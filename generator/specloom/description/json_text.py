"""JSON: values by a fast strict parser, places and exact findings by a slow patient one."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from typing import Final

from jiter import from_json

from specloom.description.marks import Marks, Trail
from specloom.description.text import (
    MAX_DEPTH,
    Broken,
    Finding,
    Mark,
    TooDeep,
    check_depth,
    decoded,
    too_deep,
)
from specloom.description.yaml12 import integer

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_ESCAPE: Final = re.compile(
    r"\\(?:(?P<pair>u[dD][89abAB]..\\u[dD][c-fC-F]..)|(?P<lone>u[dD][89a-fA-F]..)|.)", re.DOTALL
)


def parse(data: bytes, findings: list[Finding]) -> object:
    """Return the value of a JSON text in UTF-8; what does not hinder goes to ``findings``.

    Raises ``Broken``.
    """
    try:
        return from_json(data, catch_duplicate_keys=True)
    except ValueError:
        # The fast parser gives up at the first thing; the slow one says what and where it is.
        return _parse_slowly(decoded(data), findings)


def _parse_slowly(text: str, findings: list[Finding]) -> object:
    """Return the value of a text that something is odd about."""
    text = _without_lone_surrogates(text, findings)
    value = _loads(text)
    try:
        check_depth(value)
    except TooDeep:
        raise too_deep(_deep_place(text)) from None
    for key, first, second in marks(text).duplicates:
        message = f"the key {key!r} occurs twice in one object"
        findings.append(Finding("error", "duplicate-key", message, second, (first,)))
    return value


def _loads(text: str) -> object:
    """Parse with the standard library; raises ``Broken``."""
    try:
        value: object = json.loads(text, parse_int=integer)
    except json.JSONDecodeError as error:
        place = Mark(error.lineno, error.colno)
        message = error.msg[:1].lower() + error.msg[1:]
        raise Broken("invalid-json", message, place) from None
    except RecursionError:
        raise too_deep(_deep_place(text)) from None
    return value


def _deep_place(text: str) -> Mark:
    """Return where a text nests deeper than allowed."""
    depth = 0
    for match in _TOKEN.finditer(text):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth > MAX_DEPTH:
            return _Lines(text).mark(match.start())
    return Mark(1, 1)


def _without_lone_surrogates(text: str, findings: list[Finding]) -> str:
    """Replace escaped halves of characters, which no output could hold, by U+FFFD."""

    def replace(match: re.Match[str]) -> str:
        if match["lone"] is None:
            return match[0]
        message = f"'{match[0]}' is half a character and is read as U+FFFD"
        place = _Lines(text).mark(match.start())
        findings.append(Finding("warning", "lone-surrogate", message, place))
        return "\\ufffd"

    return _ESCAPE.sub(replace, text)


class _Lines:
    """Turns offsets in a text into lines and columns."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def mark(self, offset: int) -> Mark:
        """Return the place of the character at ``offset``."""
        line = bisect_right(self._starts, offset)
        return Mark(line, offset - self._starts[line - 1] + 1)


def marks(text: str) -> Marks:
    """Return the marks of a JSON text that ``parse`` has accepted."""
    trail, lines = Trail(), _Lines(text)
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in ",:":
            continue
        if token in "]}":
            trail.close()
            continue
        place = lines.mark(match.start())
        if trail.takes_key:
            trail.key(str(json.loads(token)), place)
            continue
        pointer = trail.value(place)
        if token in "{[":
            trail.open(pointer, mapping=token == "{")
        else:
            trail.marks.texts[pointer] = str(json.loads(token)) if token[0] == '"' else token
    return trail.marks
