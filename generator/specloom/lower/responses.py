"""Responses: what comes back under each status, and which of it is a stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .. import ir
from ..diagnostics import Origin, Report
from .bodies import Bodies
from .nodes import Node, node, said
from .references import References
from .streams import Streams
from .styles import Values


@dataclass(frozen=True, slots=True)
class Responses:
    """Lowers the responses of operations."""

    streams: Streams
    bodies: Bodies
    values: Values
    references: References
    report: Report
    _sets: dict[frozenset[object], ir.TypeId] = field(
        default_factory=dict[frozenset[object], ir.TypeId]
    )
    """The models of headers, by what they have."""

    def lower(
        self, responses: object, at: Origin
    ) -> tuple[tuple[ir.Response, ...], ir.Streaming | None]:
        """Return the responses, and how a success streams if one does."""
        found: list[ir.Response] = []
        stream: ir.Streaming | None = None
        for key, written in node(responses).items():
            if key.startswith("x-"):
                continue
            status = _status(key)
            if status is None:
                self.report.warning("invalid-status", f"{key!r} is no status code", at / key)
                continue
            stated, origin = self.references.target(written, at / key)
            content = node(stated.get("content"))
            contents = self.bodies.contents(content, origin, at / key, "response")
            if not ir.is_success(status):
                self.streams.report_untyped(content, origin)
            elif stream is None:
                stream = self.streams.declared(content, origin, at / key)
            headers = self._headers(stated, origin, at / key)
            found.append(ir.Response(status, contents, origin, headers, said(stated)))
        return tuple(found), stream

    def _headers(self, stated: Node, origin: Origin, at: Origin) -> ir.Ref | None:
        """Return the model of headers; one for all responses that have the same ones.

        ``Content-Type`` is not one of them: ``content`` speaks of it.
        """
        found = [
            self.values.header(name, written, origin / "headers" / name, at)
            for name, written in node(stated.get("headers")).items()
            if name.lower() != "content-type"
        ]
        if not found:
            return None
        key = frozenset((header.name.lower(), header.type, header.required) for header in found)
        if key not in self._sets:
            id_ = ir.TypeId(str(origin / "headers"))
            properties = tuple(_property(header) for header in found)
            model = ir.Model(id_, _place(found, at), origin / "headers", properties)
            self.values.schemas.types[id_] = model
            self._sets[key] = id_
        return ir.Ref(self._sets[key])


def _property(header: ir.Parameter) -> ir.Property:
    """Return a header as the property of a model."""
    return ir.Property(
        header.name,
        header.type,
        header.required,
        header.origin,
        default=header.default,
        doc=header.doc,
        deprecated=header.deprecated,
    )


def _place(headers: Sequence[ir.Parameter], at: Origin) -> ir.Place:
    """Return what a model of headers is named after: what they share, or their response."""
    words = [header.name.lower().removeprefix("x-").split("-") for header in headers]
    shared = words[0][0]
    if len(headers) > 1 and all(each[0] == shared for each in words):
        return ir.Component(f"{shared} headers")
    return ir.Inline(str(at), "headers")


def _status(key: str) -> ir.Status | None:
    """Return a status key (OpenAPI, Responses Object) as a value."""
    if key == "default":
        return ir.Default()
    if len(key) == 3 and key[0] in "12345":
        if key[1:].isdecimal() and key.isascii():
            return ir.Code(int(key))
        if key[1:] in ("XX", "xx"):
            return ir.Range(int(key[0]))
    return None
