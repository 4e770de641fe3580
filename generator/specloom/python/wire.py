"""Values as they are sent: what is said beside an argument that is not written in the usual way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from .. import ir
from .literals import literal
from .uploads import Types, bare

_EXPLODED = ("form", "cookie", "deepObject")
"""The styles that write the items of a value apart unless told otherwise."""


@dataclass(slots=True)
class Wire:
    """Prints the values of a request, and remembers what of the runtime they use.

    The usual value is written as it is: text, or a list in a query or a header. What it is can be
    unknown until it is there, so only what is certain to be usual is printed so.
    """

    types: Types
    runtime: set[str] = field(default_factory=set[str])

    def parameter(self, name: str, parameter: ir.Parameter) -> str:
        """Return the expression of a parameter's value; ``name`` is the argument."""
        match parameter.written:
            case ir.Encoded(media_type):
                return self.encoded(name, media_type)
            case ir.Styled() as style:
                usual = self._is_usual(style, parameter.location, parameter.type)
                return name if usual else self.styled(name, style)
            case _:
                assert_never(parameter.written)

    def field(self, name: str, prop: ir.Property, stated: ir.Field | None) -> str:
        """Return the expression of a field of a form; ``name`` is the argument."""
        if stated is None:
            return name
        if stated.style is not None:
            usual = self._is_usual(stated.style, "query", prop.type)
            return name if usual else self.styled(name, stated.style)
        if stated.file:
            return self._file(name, prop.type, stated)
        if stated.media_types and stated.media_types[0] != "text/plain":
            return self.encoded(name, stated.media_types[0])
        return name

    def styled(self, name: str, style: ir.Styled) -> str:
        """Return a value with its style."""
        self.runtime.add("Styled")
        parts = [name]
        if style.style != "form":
            parts.append(literal(style.style))
        if style.explode != (style.style in _EXPLODED):
            parts.append(f"explode={style.explode}")
        if style.reserved:
            parts.append("reserved=True")
        return f"Styled({', '.join(parts)})"

    def encoded(self, name: str, media_type: str) -> str:
        """Return a value that is a document of a media type."""
        self.runtime.add("Encoded")
        more = "" if media_type == "application/json" else f", {literal(media_type)}"
        return f"Encoded({name}{more})"

    def _file(self, name: str, type_: ir.Type, stated: ir.Field) -> str:
        """Return a part that is a file, or an array of files; the value tells a mix of both."""
        bare = self._bare(type_)
        members = bare.members if isinstance(bare, ir.Union) else (bare,)
        arrays = [isinstance(self._bare(member), ir.Array) for member in members]
        if any(arrays) and not all(arrays):
            return name
        class_ = "FileParts" if all(arrays) else "FilePart"
        self.runtime.add(class_)
        headers = {
            header.name: constant
            for header in stated.headers
            if (constant := _only_value(header)) is not None
        }
        parts = [name]
        if stated.media_types or headers:
            parts.append(literal(stated.media_types))
        if headers:
            parts.append(literal(headers))
        return f"{class_}({', '.join(parts)})"

    def _is_usual(self, style: ir.Styled, location: ir.Location, type_: ir.Type) -> bool:
        """Whether a value is written as it would be if nothing were said of it."""
        if style.reserved:
            return False
        match location:
            case "path":
                return style.style == "simple" and self._is_scalar(type_)
            case "header":
                return self._is_scalar(type_) or (style.style == "simple" and self._is_row(type_))
            case "cookie":
                return style.style == "form" and self._is_scalar(type_)
            case "query" | "querystring":
                rows = style == ir.Styled("form", True) and self._is_row(type_)
                return rows or self._is_scalar(type_)
            case _:
                assert_never(location)

    def _is_scalar(self, type_: ir.Type, rows: bool = False) -> bool:
        """Whether every value of a type is one text; or an array of such, where ``rows``."""
        match self._bare(type_):
            case ir.Primitive() | ir.Literal():
                return True
            case ir.Array(item):
                return rows and self._is_scalar(item)
            case ir.Tuple(places, rest):
                others = () if rest == ir.NEVER else (rest,)
                return rows and all(self._is_scalar(each) for each in (*places, *others))
            case ir.Union(members):
                return all(self._is_scalar(member, rows) for member in members)
            case _:
                return False

    def _is_row(self, type_: ir.Type) -> bool:
        return self._is_scalar(type_, rows=True)

    def _bare(self, type_: ir.Type) -> ir.Type:
        """Return a type without null and without a name."""
        return bare(type_, self.types)


def _only_value(header: ir.Parameter) -> str | None:
    """Return the value that a header always has, or has unless it is given."""
    match header.type:
        case ir.Literal((only,)):
            value: object = ir.value_of(only)
        case _ if header.default is not None:
            value = ir.value_of(header.default)
        case _:
            return None
    return value if isinstance(value, str) else None
