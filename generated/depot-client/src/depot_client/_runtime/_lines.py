"""Decoding of JSON lines, on bytes: one JSON value a line (https://jsonlines.org).

Lines end at a line feed and nowhere else: a carriage return before it is white space to
JSON, as are the other marks that some languages take for line ends. A blank line holds
nothing. The last line needs no end; one that was cut short does not decode.
"""

from __future__ import annotations

from ._sse import Event

__all__ = ["LineDecoder"]

_BOM = b"\xef\xbb\xbf"


class LineDecoder:
    """Decodes the bytes of a stream, in pieces of any size, to the data of its lines."""

    def __init__(self) -> None:
        """Start at the beginning of a stream."""
        self._started = False
        self._line: list[bytes] = []  # pieces of a line that has no end yet

    def feed(self, piece: bytes) -> list[Event]:
        """Take the next bytes; give the lines that they complete."""
        if b"\n" not in piece:
            if piece:
                self._line.append(piece)
            return []
        self._line.append(piece)
        lines = b"".join(self._line).split(b"\n")
        self._line = [rest] if (rest := lines.pop()) else []
        return self._events(lines)

    def flush(self) -> list[Event]:
        """Take the end of the stream; give the line that was still open, if any."""
        lines = [b"".join(self._line)]
        self._line.clear()
        return self._events(lines)

    def _events(self, lines: list[bytes]) -> list[Event]:
        if not self._started:
            self._started = True
            lines[0] = lines[0].removeprefix(_BOM)
        return [Event(line, "") for line in lines if line and not line.isspace()]
