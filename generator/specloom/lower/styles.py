"""Single values: parameters, headers and fields of forms, and the style each is written in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .. import ir
from ..diagnostics import Origin, Report
from . import keywords, media
from .named import named
from .nodes import Node, node, said
from .references import References
from .schemas import Schemas
from .unions import union, without_null

_DELIMITED: tuple[ir.StyleName, ...] = ("spaceDelimited", "pipeDelimited", "tabDelimited")

_STYLES: Mapping[ir.Location, tuple[ir.StyleName, ...]] = {
    "path": ("simple", "label", "matrix", *_DELIMITED),
    "query": ("form", *_DELIMITED, "deepObject"),
    "querystring": (),
    "header": ("simple", *_DELIMITED),
    "cookie": ("form", "cookie"),
}
"""The styles of each location, the default first (OpenAPI, Style Values).

Those with delimiters are what Swagger 2.0 has in paths and headers too (``collectionFormat``).
"""

_EXPLODED = ("form", "cookie", "deepObject")
"""The styles that write the items of a value apart unless the description says otherwise."""


@dataclass(frozen=True, slots=True)
class Values:
    """Lowers single values: parameters, and headers of responses and of parts."""

    schemas: Schemas
    references: References
    report: Report

    def parameter(
        self, name: str, location: ir.Location, stated: Node, at: Origin, owner: Origin
    ) -> ir.Parameter:
        """Return a parameter; an inline type of it is named after ``owner``."""
        schema, place, written = self._written(stated, location, at)
        type_: ir.Type = ir.UNKNOWN
        if schema is not None:
            type_ = self.schemas.lower(schema, place, ir.Inline(str(owner), name))
        if location == "query" and stated.get("allowEmptyValue") is True and not _is_text(type_):
            type_ = union([type_, ir.Literal((ir.constant(""),))])
        if isinstance(written, ir.Encoded) and not self.writes(written.media_type, type_):
            self.report.warning(
                "untyped-parameter",
                f"{name!r} is passed as text: the client does not write the structure that its "
                f"schema has as {written.media_type!r}",
                place,
            )
            type_ = ir.Primitive("string")
        if isinstance(written, ir.Styled) and written.style != "deepObject" and self._nests(type_):
            self.report.warning(
                "undefined-style",
                f"OpenAPI does not say how the style {written.style!r} writes lists and objects "
                f"inside of {name!r}: each is sent as JSON",
                at,
            )
        annotations = self.schemas.annotations(schema, place)
        return ir.Parameter(
            name,
            location,
            type_,
            location == "path" or stated.get("required") is True,
            at,
            written,
            default=keywords.default(annotations),
            doc=said(stated) or said(annotations),
            deprecated=stated.get("deprecated") is True,
        )

    def header(self, name: str, written: object, at: Origin, owner: Origin) -> ir.Parameter:
        """Return a header of a response or of a part of a form (OpenAPI, Header Object)."""
        stated, place = self.references.target(written, at)
        return self.parameter(name, "header", stated, place, owner)

    def _written(
        self, stated: Node, location: ir.Location, at: Origin
    ) -> tuple[object, Origin, ir.Written]:
        """Return the schema of a value with its place, and how the value is written."""
        content = node(stated.get("content"))
        if "schema" not in stated and content:
            media_type = next(iter(content))
            inside, place = self.references.target(content[media_type], at / "content" / media_type)
            for other in [*content][1:]:
                message = f"a parameter has one media type; {media_type!r} is used"
                self.report.warning("second-content", message, at / "content" / other)
            return inside.get("schema"), place / "schema", ir.Encoded(media_type)
        if location == "querystring":
            message = f"what is in the querystring is said by 'content'; {media.FORM!r} is assumed"
            self.report.warning("missing-content", message, at)
            return stated.get("schema"), at / "schema", ir.Encoded(media.FORM)
        return stated.get("schema"), at / "schema", self.style(stated, location, at)

    def writes(self, media_type: str, type_: ir.Type) -> bool:
        """Return whether values of a type become documents of a media type by themselves."""
        match media.kind(media_type), without_null(type_):
            case "json", _:
                return True
            case kind, ir.Ref() as ref:
                match named(ref, self.schemas):
                    case ir.Alias() as alias if alias.type != type_:
                        return self.writes(media_type, alias.type)
                    case _:
                        return kind == "form"
            case _, ir.Union(members):
                return all(self.writes(media_type, member) for member in members)
            case kind, ir.Map():
                return kind == "form"
            case _, ir.Array() | ir.Tuple():
                return False
            case _:
                return True

    def _nests(self, type_: ir.Type, inside: bool = False) -> bool:
        """Return whether a list or an object can hold another one."""
        match without_null(type_):
            case ir.Array(inner) | ir.Map(inner):
                return inside or self._nests(inner, inside=True)
            case ir.Tuple(places, rest):
                return inside or any(self._nests(each, inside=True) for each in (*places, rest))
            case ir.Union(members):
                return any(self._nests(member, inside) for member in members)
            case ir.Ref() as ref:
                match named(ref, self.schemas):
                    case ir.Alias() as alias if alias.type != type_:
                        return self._nests(alias.type, inside)
                    case ir.Model(properties=properties):
                        return inside or any(self._nests(p.type, inside=True) for p in properties)
                    case _:
                        return False
            case _:
                return False

    def style(self, stated: Node, location: ir.Location, at: Origin) -> ir.Styled:
        """Return the style of a value; a field of a form is written as one of the query."""
        style = _STYLES[location][0]
        written = stated.get("style", style)
        if written in _STYLES[location]:
            style = written
        else:
            message = f"a value in {location!r} has no style {written!r}; {style!r} is used"
            self.report.warning("invalid-style", message, at / "style")
        explode = stated.get("explode")
        if not isinstance(explode, bool) or style == "deepObject":  # which has no other form
            explode = style in _EXPLODED
        reserved = stated.get("allowReserved") is True and location != "header"
        return ir.Styled(style, explode, reserved)


def plainly(location: ir.Location) -> ir.Styled:
    """Return the style of a value of which the description says nothing."""
    style = _STYLES[location][0]
    return ir.Styled(style, style in _EXPLODED)


def _is_text(type_: ir.Type) -> bool:
    match without_null(type_):
        case ir.Unknown() | ir.Primitive("string"):
            return True
        case ir.Union(members):
            return any(_is_text(member) for member in members)
        case _:
            return False
