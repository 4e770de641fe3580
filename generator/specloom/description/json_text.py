"""JSON, by the standard library's parser, with the checks and the places that it lacks."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from typing import Final

from specloom.description.marks import Marks, Trail
from specloom.description.text import Broken, Finding, Mark, survey, too_deep
from specloom.description.yaml12 import integer

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_ESCAPE: Final = re.compile(
    r"\\(?:(?P<pair>u[dD][89abAB]..\\u[dD][c-fC-F]..)|(?P<lone>u[dD][89a-fA-F]..)|.)", re.DOTALL
)


def parse(text: str, findings: list[Finding]) -> object:
    """Return the value of a JSON text; what is wrong but does not hinder goes to ``findings``.

    Raises ``Broken``.
    """
    text = _without_lone_surrogates(text, findings)
    try:
        value = _loads(text)
        members = survey(value)
    except json.JSONDecodeError as error:
        place = Mark(error.lineno, error.colno)
        raise Broken("invalid-json", _lower_first(error.msg), place) from None
    except RecursionError:
        raise too_deep() from None
    if _has_duplicates(text, members):
        for key, first, second in marks(text).duplicates:
            message = f"the key {key!r} occurs twice in one object"
            findings.append(Finding("error", "duplicate-key", message, second, (first,)))
    return value


def _loads(text: str) -> object:
    """Parse, also integers with more digits than Python converts by default."""
    value: object
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        value = json.loads(text, parse_int=integer)
    return value


def _has_duplicates(text: str, members: int) -> bool:
    """Return whether ``text`` has more keys than the ``members`` that were left of them.

    A quotation mark before a colon ends a key, except where a backslash escapes the mark. To
    count these is many times faster than to look at each object, and nearly always enough.
    """
    keys = text.count('":')
    if keys == members or keys - text.count('\\":') == members:
        return False
    seen: list[bool] = []

    def note(pairs: list[tuple[str, object]]) -> None:
        seen.append(len(dict(pairs)) < len(pairs))

    json.loads(text, object_pairs_hook=note, parse_int=str)
    return any(seen)


def _without_lone_surrogates(text: str, findings: list[Finding]) -> str:
    """Replace escaped halves of characters, which no output could hold, by U+FFFD."""
    if "\\u" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        if match["lone"] is None:
            return match[0]
        message = f"'{match[0]}' is half a character and is read as U+FFFD"
        place = _Lines(text).mark(match.start())
        findings.append(Finding("warning", "lone-surrogate", message, place))
        return "\\ufffd"

    return _ESCAPE.sub(replace, text)


def _lower_first(message: str) -> str:
    return message[:1].lower() + message[1:]


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
