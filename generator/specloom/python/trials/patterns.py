"""Texts that match a regular expression, as JSON Schema has them (ECMA-262, section 22.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

_CLASSES = {
    "d": "1",
    "w": "a",
    "s": " ",
    "D": "a",
    "W": "-",
    "S": "a",
    "t": "\t",
    "n": "\n",
    "r": "\r",
    "f": "\f",
    "v": "\v",
    "0": "\0",
}
"""A character of each class, and what stands for a single one."""
_NICE = "aA1bB2-_ .:/"
"""Characters to choose from, the nicest first."""
_MOST = 64
_LONGEST = 10_000

Grow = int
"""How often what may be repeated is, beyond what it must."""


class _Unsupported(Exception):
    """This part of a regular expression is beyond us."""


def matching(pattern: str) -> Iterator[str]:
    """Yield texts that should match a pattern, short ones first; none where it is beyond us.

    Whoever uses one has to see that it does match: what looks ahead or behind is passed over.
    """
    for grow in (1, 0, *range(2, _MOST)):
        try:
            parser = _Parser(pattern, grow)
            text = parser.alternatives()
            if parser.position < len(pattern):
                return
        except (_Unsupported, IndexError, ValueError, RecursionError):
            return
        yield text


@dataclass(slots=True)
class _Parser:
    """Reads a pattern from left to right, and writes a text that matches it."""

    pattern: str
    grow: Grow
    position: int = 0

    def alternatives(self) -> str:
        """Return a text for the first of some alternatives that has one, up to a bracket."""
        found = [self._sequence()]
        while self._take("|"):
            found.append(self._sequence())
        return next((text for text in found if text), found[0])

    def _peek(self) -> str:
        return self.pattern[self.position : self.position + 1]

    def _take(self, text: str) -> bool:
        there = self.pattern.startswith(text, self.position)
        self.position += len(text) if there else 0
        return there

    def _next(self) -> str:
        char = self.pattern[self.position]
        self.position += 1
        return char

    def _sequence(self) -> str:
        text = ""
        while self._peek() not in ("", "|", ")"):
            if self._take("^") or self._take("$"):
                continue
            atom = self._atom()
            count = self._count()
            if len(text) + len(atom) * count > _LONGEST:
                raise _Unsupported
            text += atom * count
        return text

    def _atom(self) -> str:
        match char := self._next():
            case "(":
                return self._group()
            case "[":
                return self._class()
            case ".":
                return "a"
            case "\\":
                return self._escape()
            case _:
                return char

    def _group(self) -> str:
        passed_over = False
        if self._take("?"):
            if any(self._take(mark) for mark in ("=", "!", "<=", "<!")):
                passed_over = True
            elif self._take("<"):
                while self._next() != ">":
                    pass
            elif not self._take(":"):
                raise _Unsupported
        text = self.alternatives()
        if not self._take(")"):
            raise _Unsupported
        return "" if passed_over else text

    def _escape(self) -> str:
        char = self._next()
        if char in "bB":
            return ""
        if char in "pP":
            return self._property(char == "P")
        if char == "x" or char == "u":
            return self._code_point(char)
        if char.isdigit() and char != "0":
            raise _Unsupported  # what was matched before
        return _CLASSES.get(char, char)

    def _property(self, negated: bool) -> str:
        """Return a character with a property of Unicode, such as ``\\p{Lu}``."""
        if not self._take("{"):
            raise _Unsupported
        name = ""
        while (char := self._next()) != "}":
            name += char
        found = {"Lu": "A", "Uppercase_Letter": "A"}.get(name, "1" if name[:1] == "N" else "a")
        return "-" if negated else found

    def _code_point(self, kind: str) -> str:
        if kind == "u" and self._take("{"):
            digits = ""
            while (char := self._next()) != "}":
                digits += char
        else:
            digits = "".join(self._next() for _ in range(2 if kind == "x" else 4))
        return chr(int(digits, 16))

    def _class(self) -> str:
        """Return a character of a class, such as ``[a-z_]``."""
        negated = self._take("^")
        tests: list[Callable[[str], bool]] = []
        singles: list[str] = []
        while not self._take("]"):
            escaped = self._peek() == "\\"
            char = self._next()
            if escaped and self._peek() in ("d", "w", "s", "D", "W", "S"):
                kind: str = self._next()
                tests.append(_KINDS[kind])
                continue
            first = self._escape() if escaped else char
            if self._peek() == "-" and self.pattern[self.position + 1] != "]":
                self.position += 1
                last = self._escape() if self._take("\\") else self._next()
                tests.append(_between(first, last))
            else:
                tests.append(_between(first, first))
            singles.append(first)
        candidates: list[str] = [*_NICE, *(() if negated else singles), "\u00e9"]
        for char in candidates:
            if any(test(char) for test in tests) != negated:
                return char
        raise _Unsupported

    def _count(self) -> int:
        """Return how often the atom before is repeated."""
        least, most = 1, 1
        if self._take("*"):
            least, most = 0, _MOST
        elif self._take("+"):
            least, most = 1, _MOST
        elif self._take("?"):
            least, most = 0, 1
        elif self._peek() == "{" and self.pattern[self.position + 1].isdigit():
            least, most = self._bounds()
        self._take("?")
        return min(least + self.grow, most) if least < 1 else min(least + self.grow - 1, most)

    def _bounds(self) -> tuple[int, int]:
        end = self.pattern.index("}", self.position)
        first, comma, last = self.pattern[self.position + 1 : end].partition(",")
        self.position = end + 1
        least = int(first)
        if least > 4096:
            raise _Unsupported
        most = int(last) if last else least + _MOST if comma else least
        return least, most


def _between(first: str, last: str) -> Callable[[str], bool]:
    return lambda char: first <= char <= last


_KINDS: dict[str, Callable[[str], bool]] = {
    "d": lambda char: char in "0123456789",
    "D": lambda char: char not in "0123456789",
    "w": lambda char: char.isascii() and (char.isalnum() or char == "_"),
    "W": lambda char: not (char.isascii() and (char.isalnum() or char == "_")),
    "s": str.isspace,
    "S": lambda char: not char.isspace(),
}
