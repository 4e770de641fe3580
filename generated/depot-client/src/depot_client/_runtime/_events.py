"""From the bytes of a stream to its items: no network in here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic

import httpx2
from typing_extensions import TypeVar

from ._answer import Reader
from ._by_event import ByEvent
from ._decoder import Decoder, decoder_of
from ._errors import APIConnectionError, APIError, APITimeoutError
from ._fold import Fold
from ._framing import Framing, framing_of, splitter
from ._models import set_request_id
from ._sse import Event

__all__ = ["EventReader", "Events"]

T = TypeVar("T")
W = TypeVar("W", default=Any)

BLANK = b"\xef\xbb\xbf \t\r\n"
"""What may come before the first character that tells what a body is."""


@dataclass(frozen=True, slots=True, eq=False)
class Events(Generic[T, W]):
    """How the events of a stream decode."""

    item: type[T] | Decoder[T] | ByEvent[T]
    """What the data of one event is."""

    final: Fold[W] | None = None
    """How the items add up to a whole, if they do."""

    end: str | None = None
    """The data of the event that marks the end, such as ``[DONE]``."""

    framing: Framing = "events"
    """How the body is cut into items, unless the media type of an answer says so."""

    accept: str = "text/event-stream"
    """The media type to ask for."""


class EventReader(Generic[T, W]):
    """Turns the pieces of one body into items, as they come.

    A body that is no event stream but one JSON document is one item: servers answer so
    when they do not stream, or when they fail with a good status.
    """

    def __init__(
        self,
        response: httpx2.Response,
        events: Events[T, W],
        reader: Reader,
        operation: str,
        *,
        require_end: bool = False,
    ) -> None:
        """Begin to read the body of ``response``."""
        self.complete = False
        """Whether the stream came to its end, marked if a mark is declared."""
        self.finished = False
        """Whether there was nothing more to read, complete or not."""
        self.failure: BaseException | None = None
        """Why there will be no more items, when it is not that they ended."""
        self.abandoned = False
        """Whether waiting for an item ended in something that is no failure of it."""
        self.last: Event | None = None
        """What the last item came as."""
        self.response = response
        self._reader = reader
        self._error_mark = reader.error_mark()
        self._operation = operation
        self._require_end = require_end
        item = events.item
        self._by_event = item if isinstance(item, ByEvent) else None
        self._decoder: Decoder[T] = (
            item.of("") if isinstance(item, ByEvent) else decoder_of(item)
        )
        self._end = None if events.end is None else events.end.encode()
        self._fold = events.final
        self._folded: list[bytes] = []
        media_type: str = response.headers.get("content-type", "")
        framing = framing_of(events.framing, media_type)
        self._splitter = splitter(framing)
        self._start: bytes | None = b"" if framing == "events" else None
        self._document: list[bytes] | None = None

    def feed(self, piece: bytes) -> Iterator[T]:
        """Take a piece of the body and yield the items that it completes.

        Raises APIError for an error that the server reports, and
        APIResponseValidationError for an item that cannot be read.
        """
        if self._start is not None:
            self._start += piece
            head = self._start.lstrip(BLANK)
            if not head:
                return
            piece, self._start = self._start, None
            # No field of an event stream begins with these.
            if head[:1] in (b"{", b"[", b"<"):
                self._document = []
        if self._document is not None:
            self._document.append(piece)
            return
        for event in self._splitter.feed(piece):
            if event.data.strip() == self._end:
                self.complete = self.finished = True
                return
            yield self._item(event)

    def finish(self) -> Iterator[T]:
        """Take the end of the body and yield the items that it completes.

        Raises as :meth:`feed` does and, if the end mark is required but missing,
        APIConnectionError.
        """
        self.finished = True
        if self._document is not None:
            self.complete = True
            yield self._item(Event(b"".join(self._document).lstrip(BLANK), ""))
            return
        for event in self._splitter.flush():
            if event.data.strip() == self._end:
                self.complete = True
                return
            yield self._item(event)
        self.complete = self._end is None
        if self._require_end and not self.complete:
            raise APIConnectionError(
                message="The stream stopped before its end mark.",
                request=self.response.request,
            )

    def overdue(self) -> APITimeoutError:
        """Make the error of a stream that took longer than the call may."""
        return APITimeoutError(
            self.response.request,
            message=f"{self._operation}: the stream did not end before its deadline",
        )

    def lost(self) -> APIError:
        """Make the error of a stream that was abandoned: its rest cannot be had."""
        return APIError(
            f"{self._operation}: waiting for an item of the stream was interrupted, and"
            " the rest of it is lost",
            self.response.request,
        )

    def _item(self, event: Event) -> T:
        data, name, _ = event
        mark = self._error_mark
        if name == "error" or (mark is not None and mark in data):
            error = self._reader.reported(self.response, name, data)
            if error is not None:
                raise error
        decoder = self._decoder
        if self._by_event is not None:
            decoder = self._by_event.of(name)
        item = self._reader.event(self.response, decoder, data, self._operation)
        if self._fold is not None:
            self._folded.append(data)
        self.last = event
        return item

    def whole(self) -> W:
        """Add up the items so far.

        Raises TypeError when the items of this stream do not add up to anything, and
        APIError when there were none or the stream broke off.
        """
        if self._fold is None:
            raise TypeError(f"{self._operation}: its events do not add up to an object")
        if self.abandoned:
            raise self.lost()
        if self.failure is not None:
            raise self.failure
        if not self.finished:
            raise APIError(
                f"{self._operation}: the stream was closed before its end",
                self.response.request,
            )
        if not self._folded:
            raise APIError(
                f"{self._operation}: the stream held no event", self.response.request
            )
        whole = self._fold.whole_of(self._folded)
        set_request_id(whole, self._reader.request_id(self.response))
        return whole
