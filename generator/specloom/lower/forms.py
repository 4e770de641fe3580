"""Fields of forms: how the properties of a body that is a form are written (Encoding Object)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .. import ir
from ..diagnostics import Origin, Report
from . import media
from .named import model_of, named
from .nodes import Node, node
from .schemas import Schemas
from .styles import Values
from .unions import without_null

_STYLE = frozenset({"style", "explode", "allowReserved"})
"""Keywords of which one is enough for a field to be written like a parameter of the query."""

_NESTED = ("encoding", "prefixEncoding", "itemEncoding")


@dataclass(frozen=True, slots=True)
class Forms:
    """Lowers what is said of the properties of forms beyond their types."""

    schemas: Schemas
    values: Values
    report: Report

    def fields(
        self, type_: ir.Type, stated: Node, origin: Origin, multipart: bool
    ) -> tuple[ir.Field, ...]:
        """Return what a media type says of the properties of a form, and which of them are files.

        A form field of which nothing is said is not listed.
        """
        encodings, at = node(stated.get("encoding")), origin / "encoding"
        model = model_of(type_, self.schemas)
        types = {} if model is None else {p.name: p.type for p in model.properties}
        for name in encodings:
            if model is not None and name not in types:
                message = f"there is no property {name!r} that this could speak of"
                self.report.warning("unused-encoding", message, at / name)
        made = (
            self._field(name, types.get(name, ir.UNKNOWN), encodings.get(name), at, multipart)
            for name in (types or encodings)
        )
        return tuple(field for field in made if field != ir.Field(field.name))

    def _field(
        self, name: str, type_: ir.Type, encoding: object, at: Origin, multipart: bool
    ) -> ir.Field:
        stated, at = node(encoding), at / name
        for keyword in _NESTED:
            if keyword in stated:
                message = "parts within parts are not written: the property is sent as JSON"
                self.report.warning("unsupported-encoding", message, at / keyword)
        listed = stated.get("contentType")
        types = listed.split(",") if isinstance(listed, str) else []
        media_types = tuple(t.strip() for t in types if t.strip())
        if media_types and not self._writes(media_types[0], type_):
            message = f"no structure is written as {media_types[0]!r}: the property is sent as JSON"
            self.report.warning("unsupported-encoding", message, at / "contentType")
            media_types = ()
        style = self.values.style(stated, "query", at) if _STYLE & stated.keys() else None
        headers = tuple(self._headers(node(stated.get("headers")), at)) if multipart else ()
        raw = bool(media_types) and all(media.kind(t) == "binary" for t in media_types)
        file = multipart and style is None and self._is_file(type_, raw)
        return ir.Field(name, style, media_types, headers, file)

    def _writes(self, media_type: str, type_: ir.Type) -> bool:
        """Return whether a property, or each item of it, becomes a part of a media type."""
        bare = without_null(type_)
        return self.values.writes(media_type, bare.item if isinstance(bare, ir.Array) else bare)

    def _headers(self, headers: Node, at: Origin) -> Iterator[ir.Parameter]:
        for name, written in headers.items():
            if name.lower() != "content-type":  # said by 'contentType' alone
                yield self.values.header(name, written, at / "headers" / name, at)

    def _is_file(self, type_: ir.Type, raw: bool) -> bool:
        """Return whether a part holds bytes; ``raw`` is whether its media types are those of such.

        Raw bytes are strings of the format ``binary`` (OpenAPI 3.0), or of a media type without an
        encoding as text, or what has no type at all (3.1, Working with Binary Data).
        """
        match without_null(type_):
            case ir.Primitive("string", "binary"):
                return True
            case ir.Primitive("string", _, constraints):
                said = dict(constraints)
                return "contentEncoding" not in said and (raw or "contentMediaType" in said)
            case ir.Array(item):
                return self._is_file(item, raw)
            case ir.Union(members):
                return any(self._is_file(member, False) for member in members)
            case ir.Ref() as ref:
                inner = named(ref, self.schemas)
                return isinstance(inner, ir.Alias) and self._is_file(inner.type, raw)
            case ir.Unknown():
                return raw
            case _:
                return False
