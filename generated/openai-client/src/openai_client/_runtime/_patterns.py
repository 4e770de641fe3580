"""Regular expressions of JSON Schema (Core, section 6.4) for Python's ``re``.

Descriptions write ECMAScript: ``\\d`` and ``\\w`` mean ASCII there, ``$`` is the very
end, ``.`` stops at four kinds of line ends, ``[^]`` is any character. An expression is
rewritten to what means the same in Python, and given up where there is no such thing
(``\\p{L}``, a lookbehind of no fixed width, words that only other dialects know).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

Range = tuple[int, int]
"""The code points from the first to the last, both included."""

_LAST = 0x10FFFF
_HYPHEN = 0x2D
_DIGITS: tuple[Range, ...] = ((0x30, 0x39),)
_WORD: tuple[Range, ...] = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACE: tuple[Range, ...] = (
    *((0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
    *((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)),
    (0xFEFF, 0xFEFF),
)
_LINE_ENDS: tuple[Range, ...] = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
_CONTROLS = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D, "0": 0x00}
_HEX = {"x": re.compile(r"([0-9a-fA-F]{2})"), "u": re.compile(r"([0-9a-fA-F]{4})")}
_BRACED = re.compile(r"\{([0-9a-fA-F]{1,6})\}")
_QUANTIFIER = re.compile(r"[*+?]|\{[0-9]+(?:,[0-9]*)?\}")
_GROUP = re.compile(r"\((?:\?(?:[:=!]|<[=!]|<([A-Za-z_]\w*)>))?", re.ASCII)


@cache
def compiled(pattern: str) -> re.Pattern[str] | None:
    """Compile an expression; None where Python has none of the same meaning."""
    try:
        # ASCII is what ``\b`` means; the other words of ``re`` are spelt out.
        return re.compile("".join(_Reader(pattern).parts()), re.ASCII)
    except (_Untranslatable, re.error, OverflowError, RecursionError):
        return None


class _Untranslatable(Exception):
    """Raised for what has no counterpart."""


class _Reader:
    """Reads an expression from left to right."""

    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0

    def parts(self) -> Iterator[str]:
        """Yield the expression in Python's words."""
        while self._at < len(self._text):
            char = self._text[self._at]
            if char == "\\":
                yield from self._escaped()
            elif char == "[":
                self._at += 1
                yield self._set()
            elif char == "(":
                yield self._group()
            elif quantifier := self._match(_QUANTIFIER):
                if self._text[self._at : self._at + 1] == "+":
                    raise _Untranslatable  # possessive, to Python
                yield quantifier.group()
            else:
                self._at += 1
                yield _PLAIN.get(char) or (char if char in "^|)" else re.escape(char))

    def _match(self, wanted: re.Pattern[str]) -> re.Match[str] | None:
        found = wanted.match(self._text, self._at)
        if found:
            self._at = found.end()
        return found

    def _group(self) -> str:
        found = self._match(_GROUP)
        if found is None or self._text[self._at : self._at + 1] == "?":
            raise _Untranslatable
        return f"(?P<{found[1]}>" if found[1] else found.group()

    def _escaped(self) -> Iterator[str]:
        after = self._text[self._at + 1 : self._at + 2]
        if after and after in "bB":
            self._at += 2
            yield f"\\{after}"
        else:
            yield _spelt(self._atom())

    def _set(self) -> str:
        """Read a class of characters, after its bracket."""
        negated = self._take("^")
        ranges: list[Range] = []
        while not self._take("]"):
            first = self._atom()
            if not self._text.startswith("-", self._at) or self._text.startswith(
                "-]", self._at
            ):
                ranges += first
                continue
            self._at += 1
            last = self._atom()
            (low, one), (other, high) = first[0], last[-1]
            if low != one or other != high:  # of a class there is no range
                ranges += [*first, (_HYPHEN, _HYPHEN), *last]
            elif low <= high:
                ranges.append((low, high))
            else:
                raise _Untranslatable
        return _spelt(_complement(ranges) if negated else ranges)

    def _take(self, char: str) -> bool:
        if self._at >= len(self._text):
            raise _Untranslatable  # the bracket is never closed
        found = self._text[self._at] == char
        self._at += found
        return found

    def _atom(self) -> tuple[Range, ...]:
        """Read one character, or one escape that stands for several."""
        if self._at >= len(self._text):
            raise _Untranslatable
        char = self._text[self._at]
        self._at += 1
        if char != "\\":
            return ((ord(char), ord(char)),)
        if self._at >= len(self._text):
            raise _Untranslatable
        char = self._text[self._at]
        self._at += 1
        if char in _CLASSES:
            return _CLASSES[char]
        code = self._code(char)
        return ((code, code),)

    def _code(self, char: str) -> int:
        """Return the code point that an escape stands for."""
        following = self._text[self._at : self._at + 1]
        if char in _CONTROLS and not (char == "0" and following.isdigit()):
            return _CONTROLS[char]
        if char == "c" and following.isascii() and following.isalpha():
            self._at += 1
            return ord(following) % 32
        if char == "b":
            return 0x08  # a backspace; outside of a class it is a boundary
        if char == "u" and (found := self._match(_BRACED)):
            return int(found[1], 16)
        if char in _HEX and (found := self._match(_HEX[char])):
            return self._paired(int(found[1], 16))
        if char.isascii() and char.isalnum():
            raise _Untranslatable  # a reference to a group, or a word of a dialect
        return ord(char)

    def _paired(self, code: int) -> int:
        """Join the two halves of a character beyond the basic plane."""
        if not 0xD800 <= code <= 0xDFFF:
            return code
        rest = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")
        found = self._match(rest) if code < 0xDC00 else None
        if found is None:
            raise _Untranslatable
        return 0x10000 + ((code - 0xD800) << 10) + int(found[1], 16) - 0xDC00


def _complement(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Return the characters that are in none of the ranges."""
    found: list[Range] = []
    start = 0
    for low, high in sorted(ranges):
        if low > start:
            found.append((start, low - 1))
        start = max(start, high + 1)
    return (*found, (start, _LAST)) if start <= _LAST else tuple(found)


def _spelt(ranges: Iterable[Range]) -> str:
    """Return a class that has exactly these characters."""
    spelt = [
        _char(low) if low == high else f"{_char(low)}-{_char(high)}"
        for low, high in ranges
        if low <= high <= _LAST
    ]
    if not spelt:
        return "(?!)"
    return (
        spelt[0] if len(spelt) == 1 and "-" not in spelt[0] else f"[{''.join(spelt)}]"
    )


def _char(code: int) -> str:
    char = chr(code)
    if char.isascii() and (char.isalnum() or char == "_"):
        return char
    return f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}"


_CLASSES = {
    "d": _DIGITS,
    "w": _WORD,
    "s": _SPACE,
    "D": _complement(_DIGITS),
    "W": _complement(_WORD),
    "S": _complement(_SPACE),
}
_PLAIN = {"$": r"\Z", ".": _spelt(_complement(_LINE_ENDS))}
