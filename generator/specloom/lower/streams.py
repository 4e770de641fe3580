"""Streams as media types declare them: which answers are cut into items, and what one is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .. import ir
from ..diagnostics import Origin, Report
from . import media
from .envelopes import Envelopes, Opened, is_text
from .lowering import Placed
from .nodes import Node
from .references import References
from .schemas import Schemas


@dataclass(frozen=True, slots=True)
class Streams:
    """Lowers the streams among the forms of a response."""

    schemas: Schemas
    envelopes: Envelopes
    references: References
    report: Report

    def declared(self, content: Node, origin: Origin, at: Origin) -> ir.Streaming | None:
        """Return the stream that a response may be, or None where it is one value in any form.

        ``origin`` is where the response is declared and ``at`` where it is used.
        """
        found = list(_streams(content))
        for media_type, _ in found[1:]:
            message = f"the client asks for {found[0][0]!r}, so nothing is read in this form"
            self.report.warning("unused-stream", message, origin / "content" / media_type)
        for media_type, framing in found[:1]:
            place = origin / "content" / media_type
            stated, place = self.references.target(content[media_type], place)
            opened = self._stated(stated, place, framing, ir.Inline(str(at), "event"))
            return made(media_type, framing, opened, place)
        return None

    def report_untyped(self, content: Node, origin: Origin) -> None:
        """Report errors that are streams."""
        for media_type, _ in _streams(content):
            message = "an error is read as a whole, so its events have no types"
            self.report.warning("untyped-body", message, origin / "content" / media_type)

    def item(self, schema: object, origin: Origin, framing: ir.Framing, place: ir.Inline) -> Opened:
        """Return what one item is: what is in the envelope, where the schema describes one."""
        if framing == "events":
            opened = self.envelopes.opened(schema, origin, place)
            if opened is not None:
                return opened
        type_ = self.schemas.lower(schema, origin, place)
        return Opened(type_, framing == "events" and is_text(type_))

    def _stated(
        self, stated: Node, origin: Origin, framing: ir.Framing, place: ir.Inline
    ) -> Opened:
        """Return what the items of a media type are.

        ``itemSchema`` is that of one (OpenAPI 3.2). ``schema`` is that of all, which is a list;
        before 3.2 it is that of one as well, unless it is a list.
        """
        if "itemSchema" in stated:
            return self.item(stated["itemSchema"], origin / "itemSchema", framing, place)
        if "schema" not in stated:
            return Opened(ir.UNKNOWN)
        schema, at = self.envelopes.followed(Placed(stated["schema"], origin / "schema"))
        if schema.get("type") == "array" and "items" in schema:
            return self.item(schema["items"], at / "items", framing, place)
        if framing != "events" and schema.get("type") == "string":
            message = (
                "a text is declared here, and not what its items are, so these have no types; "
                "'itemSchema' says what they are, or 'schema' before OpenAPI 3.2"
            )
            self.report.warning("untyped-body", message, origin / "schema")
            return Opened(ir.UNKNOWN)
        return self.item(stated["schema"], origin / "schema", framing, place)


def made(media_type: str, framing: ir.Framing, opened: Opened, origin: Origin) -> ir.Streaming:
    """Return a stream of what was found to be in it."""
    return ir.Streaming(
        media_type, framing, opened.item, origin, opened.text, opened.events, end=opened.end
    )


def _streams(content: Node) -> Iterator[tuple[str, ir.Framing]]:
    for media_type in content:
        if (framing := media.framing(media_type)) is not None:
            yield media_type, framing
