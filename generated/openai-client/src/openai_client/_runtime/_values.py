"""Decoding of JSON values that follow each other, on bytes.

They stand with white space between them or nothing at all, each on one line or on many,
or behind record separators, as in JSON text sequences (RFC 7464): there, a number or a
word that nothing follows was cut short, and so was whatever a separator interrupts.
Where a value ends is seen from its brackets and quotes alone; whether it is JSON, from
decoding it.
"""

from __future__ import annotations

import re
from typing import Literal

from ._sse import Event

__all__ = ["ValueDecoder"]

SEPARATOR = b"\x1e"
_BOM = b"\xef\xbb\xbf"

_BEGINS = re.compile(rb"[^ \t\r\n]")
_MARKS = {
    "word": re.compile(rb'[ \t\r\n"{}\[\],:\x1e]'),
    "inside": re.compile(rb'["{}\[\]\x1e]'),
    "quoted": re.compile(rb'["\\\x1e]'),
}
"""What changes something, by where in a value it stands."""


class ValueDecoder:
    """Decodes the bytes of a stream, in pieces of any size, to the data of its values."""

    def __init__(self) -> None:
        """Start at the beginning of a stream."""
        self._value: list[bytes] = []  # pieces of a value that has no end yet
        self._state: Literal["between", "word", "inside", "quoted"] = "between"
        self._depth = 0
        self._escaped = False
        self._separated = False
        self._head: bytes | None = b""

    def feed(self, piece: bytes) -> list[Event]:
        """Take the next bytes; give the values that they complete."""
        if self._head is not None:
            self._head += piece
            if len(self._head) < len(_BOM) and _BOM.startswith(self._head):
                return []
            piece, self._head = self._head.removeprefix(_BOM), None
        found: list[Event] = []
        at = 0
        while at < len(piece):
            start = at
            if self._state == "between":
                begin = _BEGINS.search(piece, at)
                if begin is None:
                    break
                start, at = begin.span()
                if not self._begin(piece[start]):
                    continue
            end = self._end(piece, at)
            if end is None:
                self._value.append(piece[start:])
                break
            found.append(self._complete(piece[start:end], piece[end : end + 1]))
            at = end
        return found

    def flush(self) -> list[Event]:
        """Take the end of the stream; give the value that was still open, if any."""
        if self._state == "between":
            return []
        return [self._complete(b"", SEPARATOR)]

    def _begin(self, byte: int) -> bool:
        """Begin a value with its first byte; say whether it is one."""
        match byte:
            case 0x1E:
                self._separated = True
                return False
            case 0x22:
                self._state = "quoted"
            case 0x7B | 0x5B:
                self._state, self._depth = "inside", 1
            case _:
                self._state = "word"
        return True

    def _end(self, piece: bytes, at: int) -> int | None:
        """Find where the value ends, which goes on at ``at``; None if not in here."""
        while at < len(piece):
            if self._escaped:
                self._escaped = False
                at += 1
                continue
            mark = _MARKS[self._state].search(piece, at)
            if mark is None:
                return None
            byte, at = mark[0], mark.end()
            if self._state == "word" or byte == SEPARATOR:
                return mark.start()
            if byte == b"\\":
                self._escaped = True
            elif byte == b'"':
                self._state = "inside" if self._state == "quoted" else "quoted"
            else:
                self._depth += 1 if byte in b"{[" else -1
            if self._state == "inside" and not self._depth:
                return at
        return None

    def _complete(self, rest: bytes, following: bytes) -> Event:
        """End a value; a word that was cut short is given so that it does not decode.

        Anything else that was cut short lacks a bracket or a quote, and so does not.
        """
        data = b"".join([*self._value, rest])
        if self._state == "word" and self._separated and following == SEPARATOR:
            data += SEPARATOR
        self._value.clear()
        self._state, self._depth, self._escaped = "between", 0, False
        self._separated = False
        return Event(data, "")
