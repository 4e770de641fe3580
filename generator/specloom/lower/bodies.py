"""Bodies: the media types that one is sent or received in, and what it is in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

from .. import ir
from ..diagnostics import Origin, Report
from . import media
from .forms import Forms
from .named import model_of
from .nodes import Node, node, said
from .references import References
from .schemas import Schemas

Role = Literal["request", "response"]
Before = Sequence[tuple[Node, ir.Content]]
"""The forms of a body that are preferred to the one in hand, each with what is stated of it."""


@dataclass(frozen=True, slots=True)
class Bodies:
    """Lowers what stands under ``content``."""

    schemas: Schemas
    forms: Forms
    references: References
    report: Report

    def request(self, written: object, at: Origin) -> ir.RequestBody | None:
        """Return the body of a request, or None where none can be sent.

        A body with required properties counts as required unless the description says that it is
        not: most descriptions forget to.
        """
        stated, origin = self.references.target(written, at)
        if not stated:
            return None
        contents = self.contents(node(stated.get("content")), origin, at, "request")
        if not contents:
            message = "no media type is declared for this body, so nothing is sent"
            self.report.warning("empty-content", message, origin)
            return None
        required = stated.get("required") is True
        types = list(ir.content_types(contents))
        if not required and len(types) == len(contents) and set(types) == {_NO_OBJECT}:
            return None  # an object that can have no properties and need not be sent
        if "required" not in stated and any(self._demands(type_) for type_ in types):
            self.report.warning(
                "optional-body",
                "the description does not say that this body is required, but requires properties "
                "of it, so the client always sends it; 'required: false' makes it optional",
                origin,
            )
            required = True
        return ir.RequestBody(contents, required, origin, said(stated))

    def contents(
        self, content: Node, origin: Origin, at: Origin, role: Role
    ) -> tuple[ir.Content, ...]:
        """Return the forms of a body, the preferred one first.

        ``origin`` is where the body is declared and ``at`` where it is used, which inline types
        are named after.
        """
        lowered: list[tuple[Node, ir.Content]] = []
        for media_type in media.preferred(content):
            if "/" not in media_type and media_type != "*":
                message = f"{media_type!r} is no media type, so what it holds is left out"
                self.report.warning("invalid-media-type", message, origin / "content" / media_type)
                continue
            stated, place = self.references.target(
                content[media_type], origin / "content" / media_type
            )
            self._report_unused(stated, place, media_type, role)
            part = f"{role} {media.kind(media_type)}" if lowered else role
            inline = ir.Inline(str(at), part)
            made = self._content(media_type, stated, place, inline, role, lowered)
            if made is not None:
                lowered.append((stated, made))
        return tuple(_without_aliases([made for _, made in lowered], role))

    def _content(
        self,
        media_type: str,
        stated: Node,
        origin: Origin,
        place: ir.Inline,
        role: Role,
        before: Before,
    ) -> ir.Content | None:
        """Return one form of a body; items of a response are not a form but a stream."""
        found = media.kind(media_type)
        if found == "stream":
            if role == "response":
                return None
            found = "text"
        if found in ("any", "text", "binary"):
            found = self._by_schema(found, stated, origin, media_type, role, before)
        match found:
            case "json":
                return ir.Json(media_type, self._type(stated, origin, place, before), origin)
            case "form":
                type_ = self._type(stated, origin, place, before)
                return ir.Form(
                    media_type, type_, self.forms.fields(type_, stated, origin, False), origin
                )
            case "multipart":
                type_ = self._type(stated, origin, place, before)
                fields = self.forms.fields(type_, stated, origin, True)
                return ir.Multipart(media_type, type_, fields, origin)
            case "text":
                return ir.Text(media_type, origin)
            case "binary" | "any" | "stream":
                return ir.Binary(media_type, origin)
            case _:
                assert_never(found)

    def _type(
        self,
        stated: Node,
        origin: Origin,
        place: ir.Inline,
        before: Before,
    ) -> ir.Type:
        """Return the type of a form, which forms before it may have been written out for."""
        if "schema" not in stated:
            return ir.UNKNOWN
        schema = stated["schema"]
        for other, made in before:
            if not isinstance(made, ir.Text | ir.Binary) and other.get("schema") == schema:
                return made.type
        return self.schemas.lower(schema, origin / "schema", place)

    def _by_schema(
        self,
        found: media.Kind,
        stated: Node,
        origin: Origin,
        media_type: str,
        role: Role,
        before: Before,
    ) -> media.Kind:
        """Return what a body is whose media type leaves that to its schema.

        A structure that the client does not write is reported, unless it is known from JSON.
        """
        schema = self._followed(stated.get("schema"), origin / "schema")
        kinds = schema.get("type")
        if kinds == "file":
            return "binary"
        if kinds == "string" or (isinstance(kinds, list) and "string" in kinds):
            encoded = "contentEncoding" in schema
            raw = schema.get("format") == "binary" or "contentMediaType" in schema
            return "binary" if raw and not encoded else "text"
        structured = bool(schema.keys() - _PROSE)
        if found == "any":
            return "json" if structured or role == "response" else "binary"
        known = any(isinstance(made, ir.Json) for _, made in before)
        if structured and not known and kinds not in ("integer", "number", "boolean"):
            what = "text" if found == "text" else "bytes"
            self.report.warning(
                "untyped-body",
                f"a body of type {media_type!r} is passed as {what}: what its schema says of its "
                "structure is not in the client",
                origin / "schema",
            )
        return found

    def _followed(self, schema: object, origin: Origin) -> Node:
        """Return a schema, or the one that it refers to."""
        for _ in range(_LONGEST_CHAIN):
            stated = node(schema)
            ref = stated.get("$ref")
            target = self.schemas.description.resolve(ref, origin) if isinstance(ref, str) else None
            if target is None:
                return stated
            schema, origin = self.schemas.description.lookup(target), target
        return {}

    def _demands(self, type_: ir.Type) -> bool:
        model = model_of(type_, self.schemas)
        properties = () if model is None else model.properties
        return any(p.required and p.access != "read" for p in properties)

    def _report_unused(self, stated: Node, origin: Origin, media_type: str, role: Role) -> None:
        """Report what a media type says and nothing here follows."""
        streams = role == "response" and media.kind(media_type) == "stream"
        if "itemSchema" in stated and not streams:
            message = (
                f"a body of type {media_type!r} is one value here, so 'itemSchema' says nothing of "
                "it; 'x-specloom-streaming' at the operation declares a stream of its items"
                if media.kind(media_type) == "json"
                else f"the items of a body of type {media_type!r} are not told apart: "
                "what 'itemSchema' says of them is not in the client"
            )
            self.report.warning("unsupported-keyword", message, origin / "itemSchema")
        forms = ("form", "multipart")
        for keyword in ("encoding", "prefixEncoding", "itemEncoding"):
            if stated.get(keyword) and not (
                keyword == "encoding" and media.kind(media_type) in forms
            ):
                message = f"{keyword!r} says nothing of a body of type {media_type!r}"
                if media_type.lower().startswith("multipart/"):
                    message = f"what {keyword!r} says of the parts is not in the client"
                self.report.warning("unused-encoding", message, origin / keyword)


_NO_OBJECT = ir.Map(ir.NEVER)
"""An object that can have no properties."""

_LONGEST_CHAIN = 100
"""How many references in a row are followed: enough, and no loop."""

_PROSE = frozenset("title description example examples deprecated externalDocs".split())
"""Keywords of a schema that describe no structure."""


def _without_aliases(contents: Sequence[ir.Content], role: Role) -> Iterator[ir.Content]:
    """Yield forms, less those that are another one again under a name that says no more.

    Those are ``text/json`` beside ``application/json``, a media type with another ``charset``, and
    a range beside one of its own. A server that answers with a range may answer with all of it.
    """
    kept: list[ir.Content] = []
    for content in contents:
        name = media.base(content.media_type)
        ranged = media.is_range(name) and (role == "request" or isinstance(content, ir.Json))
        plain = name == "text/json" or ranged or "charset" in content.media_type
        if not (plain and any(_same(content, other) for other in kept)):
            kept.append(content)
            yield content


def _same(content: ir.Content, other: ir.Content) -> bool:
    match content, other:
        case ir.Json(_, type_), ir.Json(_, another):
            return type_ == another
        case (ir.Text(), ir.Text()) | (ir.Binary(), ir.Binary()):
            mine, theirs = media.base(content.media_type), media.base(other.media_type)
            return mine == theirs or mine in ("*/*", f"{theirs.partition('/')[0]}/*")
        case _:
            return False
