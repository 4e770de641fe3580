"""The line that a finding speaks of, with a caret below what is meant."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from .description.document import read
from .description.load import Position
from .description.text import Broken

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|[^\s,:{}\[\]"\']+|.')
# What YAML takes for the end of a line (1.2.2, section 5.4), and JSON as well.
_BREAK: Final = re.compile("\r\n|[\r\n]")
_BEFORE: Final = 60
_WIDTH: Final = 100


class Excerpts:
    """Shows lines of files; each file is read once."""

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {}

    def lines(self, position: Position) -> Iterator[str]:
        """Yield the line at a position and the line below it that points to the column."""
        line = self._line(position)
        if not line.strip():
            return
        index = min(position.column - 1, len(line))
        start = max(0, index - _BEFORE) if len(line) > _WIDTH else 0
        end = start + _WIDTH
        token = _TOKEN.match(line, index)
        stop = min(end, index + 1 if token is None else token.end())
        head = "..." if start else ""
        tail = "..." if end < len(line) else ""
        shown = "".join(map(_shown, line[start:end]))
        space = " " * (len(head) + _width(line[start:index]))
        number = str(position.line)
        yield f"  {number} | {head}{shown}{tail}"
        yield f"  {' ' * len(number)} | {space}{'^' * max(1, _width(line[index:stop]))}"

    def _line(self, position: Position) -> str:
        """Return the line of a position, empty when there is no such line."""
        lines = self._texts.get(position.path)
        if lines is None:
            try:
                data = read(Path(position.path))
                text = data.decode(json.detect_encoding(data), "replace")
            except Broken:
                text = ""
            lines = self._texts[position.path] = _BREAK.split(text)
        return lines[position.line - 1] if position.line <= len(lines) else ""


def _shown(character: str) -> str:
    """Return a character of a line, or a stand-in for one that would do something."""
    return character if character.isprintable() else " " if character == "\t" else "\ufffd"


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes (Unicode Standard Annex 11)."""
    narrow = [c for c in text if not unicodedata.combining(c)]
    return len(narrow) + sum(unicodedata.east_asian_width(c) in "WF" for c in narrow)
