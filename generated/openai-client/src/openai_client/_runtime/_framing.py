"""How a body is cut into the data of items: as its media type says, else as declared."""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

from ._lines import LineDecoder
from ._sse import Event, EventDecoder
from ._values import ValueDecoder

__all__ = ["Framing", "Splitter", "splitter"]

Framing: TypeAlias = Literal["events", "lines", "values"]
"""Server-sent events, JSON lines, or JSON values that follow each other."""

_FRAMINGS: dict[str, Framing] = {
    "text/event-stream": "events",
    "application/jsonl": "lines",
    "application/jsonlines": "lines",
    "application/json-lines": "lines",
    "application/x-jsonlines": "lines",
    "application/ndjson": "lines",
    "application/x-ndjson": "lines",
    "application/stream+json": "values",
    "application/json-seq": "values",
}


class Splitter(Protocol):
    """Cuts the bytes of a body, in pieces of any size."""

    def feed(self, piece: bytes) -> list[Event]:
        """Take the next bytes; give the events that they complete."""
        ...

    def flush(self) -> list[Event]:
        """Take the end of the body; give what was still open, if anything."""
        ...


def framing_of(declared: Framing, media_type: str) -> Framing:
    """Choose how an answer is cut.

    One of plain JSON where lines are declared may be one document on many lines.
    """
    name = media_type.partition(";")[0].strip().lower()
    if name == "application/json" and declared == "lines":
        return "values"
    return _FRAMINGS.get(name, declared)


def splitter(framing: Framing) -> Splitter:
    """Make what cuts a body."""
    match framing:
        case "events":
            return EventDecoder()
        case "lines":
            return LineDecoder()
        case "values":
            return ValueDecoder()
