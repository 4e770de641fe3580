"""Text that a regular expression matches, drawn at random.

Reads the part of ECMA-262's expressions that descriptions use. What it does not understand, such
as look-around, it takes for nothing: whether text really matches is for others to say.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from random import Random

_MOST = 12
"""How often something is repeated at most, where an expression sets no bound."""

_WORD = string.ascii_letters + string.digits + "_"
_PRINTABLE = string.ascii_letters + string.digits + " _-.,:;/+=@#!?()[]<>"
_CLASSES = {
    "d": string.digits,
    "w": _WORD,
    "s": " ",
    "D": string.ascii_letters,
    "W": " -.",
    "S": _WORD,
}
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "0": "\0"}


def draw_match(pattern: str, random: Random) -> str:
    """Return text that an expression most likely matches."""
    return _Reader(pattern, random).alternatives()


@dataclass
class _Reader:
    """Reads an expression from left to right, and draws while it reads."""

    pattern: str
    random: Random
    at: int = 0

    def alternatives(self) -> str:
        """Draw one of the alternatives up to the end of the group."""
        drawn = [self._sequence()]
        while self._takes("|"):
            drawn.append(self._sequence())
        return self.random.choice(drawn)

    def _sequence(self) -> str:
        text = ""
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            start = self.at
            first = self._atom()
            end = self.at
            least, most = self._quantifier()
            after = self.at
            for turn in range(self.random.randint(least, most)):
                if turn:
                    self.at = start
                    first = self._atom()
                text += first
            self.at = max(after, end)
        return text

    def _atom(self) -> str:
        char = self._next()
        match char:
            case "(":
                return self._group()
            case "[":
                return self._one(self._class())
            case "\\":
                return self._one(self._escaped())
            case ".":
                return self._one(_PRINTABLE)
            case "^" | "$":
                return ""
            case _:
                return char

    def _group(self) -> str:
        asserts = False
        if self._takes("?"):
            if self._takes("<") and self._peek() not in "=!":
                while self._next() != ">":
                    pass
            else:
                asserts = self._next() != ":"
        inner = self.alternatives()
        self._takes(")")
        return "" if asserts else inner

    def _class(self) -> str:
        """Return the characters of a class, its opening bracket taken."""
        negative = self._takes("^")
        chars = ""
        while self.at < len(self.pattern) and not (self._takes("]")):
            char = self._next()
            some = self._escaped() if char == "\\" else char
            if len(some) == 1 and self._peek() == "-" and self._peek(1) not in ("]", ""):
                self.at += 1
                last = self._next()
                last = self._escaped() if last == "\\" else last
                codes = range(ord(some), ord(last[:1] or some) + 1)
                some = "".join(map(chr, codes[:200]))
            chars += some
        return "".join(c for c in _PRINTABLE if c not in chars) if negative else chars

    def _escaped(self) -> str:
        """Return the characters that an escape stands for, its backslash taken."""
        char = self._next()
        match char:
            case "b" | "B":
                return ""
            case "x":
                return self._code(2)
            case "u":
                if self._takes("{"):
                    end = self.pattern.index("}", self.at)
                    code, self.at = self.pattern[self.at : end], end + 1
                    return chr(int(code, 16))
                return self._code(4)
            case "p" | "P":
                end = self.pattern.find("}", self.at)
                self.at = end + 1 if end >= 0 else self.at
                return string.ascii_letters
            case _:
                return _CLASSES.get(char) or _CONTROLS.get(char) or char

    def _code(self, digits: int) -> str:
        code = self.pattern[self.at : self.at + digits]
        self.at += digits
        return chr(int(code, 16))

    def _quantifier(self) -> tuple[int, int]:
        least, most = 1, 1
        if self._takes("*"):
            least, most = 0, _MOST
        elif self._takes("+"):
            least, most = 1, _MOST
        elif self._takes("?"):
            least, most = 0, 1
        elif self._peek() == "{" and self._peek(1).isdigit():
            end = self.pattern.index("}", self.at)
            low, comma, high = self.pattern[self.at + 1 : end].partition(",")
            self.at = end + 1
            least = int(low)
            most = least if not comma else int(high) if high else least + _MOST
        else:
            return least, most
        self._takes("?")
        return least, min(most, max(least, 400))

    def _one(self, chars: str) -> str:
        return self.random.choice(chars) if chars else ""

    def _next(self) -> str:
        char = self._peek()
        self.at += 1
        return char

    def _peek(self, ahead: int = 0) -> str:
        return self.pattern[self.at + ahead : self.at + ahead + 1]

    def _takes(self, char: str) -> bool:
        if self._peek() != char:
            return False
        self.at += 1
        return True
