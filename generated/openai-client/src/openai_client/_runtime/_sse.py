"""Decoding of server-sent events, on bytes.

The algorithm is the one of the HTML standard, "Interpreting an event stream"
(https://html.spec.whatwg.org/multipage/server-sent-events.html), with two departures
that real servers make necessary: an event with empty data is dropped whether or not it
has a ``data`` line, and the end of the stream completes an event whose blank line is
missing, as servers and proxies lose the last newlines. A line that was cut short has
part in it only where JSON says so: half of a number is a number too.
"""

from __future__ import annotations

from typing import NamedTuple

_BOM = b"\xef\xbb\xbf"

_ENDED = (b"{", b"[", b'"')
"""What in JSON has an end of its own."""


class Event(NamedTuple):
    """One event: its data as UTF-8, its name, and the last event id seen so far.

    What comes in another form than server-sent events has neither name nor id.
    """

    data: bytes
    event: str = "message"
    id: str = ""


class EventDecoder:
    """Decodes the bytes of a stream, in pieces of any size, to events."""

    def __init__(self) -> None:
        """Start at the beginning of a stream."""
        self._started = False
        self._after_cr = False
        self._line: list[bytes] = []  # pieces of a line that has no end yet
        self._data: list[bytes] = []
        self._event = ""
        self._id = ""

    def feed(self, piece: bytes) -> list[Event]:
        """Take the next bytes; give the events that they complete."""
        if self._after_cr and piece:
            self._after_cr = False
            piece = piece.removeprefix(b"\n")
        if b"\n" not in piece and b"\r" not in piece:
            if piece:
                self._line.append(piece)
            return []
        if self._line:
            self._line.append(piece)
            piece = b"".join(self._line)
            self._line.clear()
        lines = piece.splitlines()  # on bytes: at LF, CR and CRLF, nothing else
        if piece.endswith(b"\r"):
            self._after_cr = True
        elif not piece.endswith(b"\n"):
            self._line.append(lines.pop())
        return self._lines(lines)

    def flush(self) -> list[Event]:
        """Take the end of the stream; give the event that was still open, if any.

        A last line without a line end counts as a line if it begins an array, an object
        or a text: cut short, it will not decode, which tells more than its silent loss.
        """
        line = b"".join(self._line)
        self._line.clear()
        _, _, data = line.partition(b":")
        told = line.startswith(b"data:") and data.lstrip().startswith(_ENDED)
        return self._lines([line, b""] if told else [b""])

    def _lines(self, lines: list[bytes]) -> list[Event]:
        if not self._started:
            self._started = True
            lines[0] = lines[0].removeprefix(_BOM)
        events: list[Event] = []
        data = self._data
        for line in lines:
            if not line:
                if data:
                    whole = data[0] if len(data) == 1 else b"\n".join(data)
                    data.clear()
                    if whole:
                        kind = self._event or "message"
                        events.append(Event(_utf8(whole), kind, self._id))
                self._event = ""
            elif line.startswith(b"data:"):
                # At most one space after the colon is not part of the value.
                data.append(line[6:] if line[5:6] == b" " else line[5:])
            else:
                self._field(line)
        return events

    def _field(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        match name:
            case b"data":
                self._data.append(value)
            case b"event":
                self._event = value.decode("utf-8", "replace")
            case b"id" if b"\0" not in value:
                self._id = value.decode("utf-8", "replace")
            case _:  # comments, ``retry`` (a stream is not resumed), unknown fields
                pass


def _utf8(data: bytes) -> bytes:
    """Replace what is not UTF-8, as the standard decodes."""
    if data.isascii():
        return data
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace").encode()
    return data
