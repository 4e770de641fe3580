"""Streams that extensions declare, where the description itself has no words for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from .. import ir
from ..diagnostics import Origin, Report
from .nodes import Node, is_node, node, text
from .schemas import Schemas
from .streams import Streams, made

OURS = "x-specloom-streaming"
FERN = "x-fern-streaming"

_FORMATS: Mapping[str, tuple[str, ir.Framing]] = {
    "sse": ("text/event-stream", "events"),
    "jsonl": ("application/jsonl", "lines"),
    "json-seq": ("application/json-seq", "values"),
    "json": ("application/json", "values"),
}
"""The formats that can be named, each with the media type to ask for and how it is cut."""

_KEYS = ("format", "item", "toggle", "end")

Responses = tuple[ir.Response, ...]
Answers = tuple[Responses, ir.Streaming | None]


@dataclass(frozen=True, slots=True)
class Extensions:
    """Lowers the streams that operations declare by ``x-specloom-streaming`` and the like."""

    schemas: Schemas
    streams: Streams
    report: Report

    def applied(
        self,
        operation: Node,
        origin: Origin,
        responses: Responses,
        declared: ir.Streaming | None,
    ) -> Answers:
        """Return the responses and the stream of an operation, as its extensions change them."""
        if OURS in operation:
            stream = self._ours(operation[OURS], origin, responses, declared)
        elif FERN in operation:
            responses, stream = self._fern(operation[FERN], origin, responses, declared)
        else:
            return responses, declared
        if declared is None and stream is not None and stream.toggle is None:
            # There is no whole: what is declared as one is what streams.
            responses = tuple(_answering(responses, None, origin))
        return responses, stream

    def _ours(
        self,
        written: object,
        origin: Origin,
        responses: Responses,
        declared: ir.Streaming | None,
    ) -> ir.Streaming | None:
        """Return what ``{format, item, toggle, end}`` declares; false means that nothing streams.

        What it does not say is as the description declares it, if it does.
        """
        at = origin / OURS
        if written is False:
            return None
        stated = node(written)
        for key in stated.keys() - _KEYS:
            self._invalid(f"there is no key {key!r}; the keys are {', '.join(_KEYS)}", at / key)
        if not (is_node(written) or written is True):
            self._invalid(f"an object with {', '.join(_KEYS)} is expected, or false", at)
        stream = self._stream(stated.get("format"), at / "format", declared, responses, origin)
        if "item" in stated:
            stream = self._with_item(stream, stated["item"], at / "item", origin)
        return self._completed(stream, stated.get("toggle"), stated.get("end"), at)

    def _fern(
        self,
        written: object,
        origin: Origin,
        responses: Responses,
        declared: ir.Streaming | None,
    ) -> Answers:
        """Return what ``{format, stream-condition, response, response-stream}`` declares.

        Alone, ``true`` says that each value of the answer is an item.
        """
        at = origin / FERN
        if not (written is True or is_node(written)):
            return responses, declared
        stated = node(written)
        format_ = stated.get("format", None if declared else "json")
        stream = self._stream(format_, at / "format", declared, responses, origin)
        item = "response-stream"
        if item in stated:
            stream = self._with_item(stream, stated[item], at / item, origin)
        condition = text(stated.get("stream-condition"))
        toggle = None if condition is None else condition.replace("/", ".").rpartition(".")[2]
        stream = self._completed(stream, toggle, stated.get("terminator"), at)
        if "response" in stated:
            inline = ir.Inline(str(origin), "response")
            whole = self.schemas.lower(stated["response"], at / "response", inline)
            responses = tuple(_answering(responses, whole, at / "response"))
        return responses, stream

    def _stream(
        self,
        format_: object,
        at: Origin,
        declared: ir.Streaming | None,
        responses: Responses,
        origin: Origin,
    ) -> ir.Streaming:
        """Return a stream in a format; what is answered in JSON otherwise is its item so far."""
        chosen = _FORMATS.get(format_) if isinstance(format_, str) else None
        if format_ is not None and chosen is None:
            self._invalid(f"the format is one of {', '.join(_FORMATS)}, not {format_!r}", at)
        if declared is not None and (chosen is None or chosen[1] == declared.framing):
            return declared
        media_type, framing = chosen or _FORMATS["sse"]
        contents = [c for r in responses if ir.is_success(r.status) for c in r.contents]
        item = next((c.type for c in contents if isinstance(c, ir.Json)), ir.UNKNOWN)
        if declared is not None:
            return replace(declared, media_type=media_type, framing=framing)
        return ir.Streaming(media_type, framing, item, origin)

    def _with_item(
        self, stream: ir.Streaming, schema: object, at: Origin, origin: Origin
    ) -> ir.Streaming:
        place = ir.Inline(str(origin), "event")
        opened = self.streams.item(schema, at, stream.framing, place)
        return made(stream.media_type, stream.framing, opened, at)

    def _completed(
        self, stream: ir.Streaming, toggle: object, end: object, at: Origin
    ) -> ir.Streaming:
        for key, value in (("toggle", toggle), ("end", end)):
            if value is not None and not isinstance(value, str):
                self._invalid(f"{key!r} is a text, not {value!r}", at / key)
        if isinstance(toggle, str):
            stream = replace(stream, toggle=ir.Toggle(toggle, False))
        return replace(stream, end=end) if isinstance(end, str) else stream

    def _invalid(self, message: str, at: Origin) -> None:
        self.report.warning("invalid-extension", message, at)


def _answering(responses: Responses, whole: ir.Type | None, at: Origin) -> Iterator[ir.Response]:
    """Yield responses of which those that succeed are of this type, or hold no whole at all."""
    for response in responses:
        contents = response.contents
        if ir.is_success(response.status):
            contents = () if whole is None else (ir.Json("application/json", whole, at),)
        yield replace(response, contents=contents)
