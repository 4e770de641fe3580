"""Parameters: what travels outside of bodies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast, get_args

from .. import ir
from ..diagnostics import Origin, Report
from . import media
from .forms import Forms
from .nodes import Node, items, node
from .path_keys import PathKey
from .references import References
from .styles import Values, plainly

Layers = Sequence[tuple[Node, Origin]]
"""A path item and those that it refers to, each with its place."""

OUR_HEADERS = frozenset({"accept", "content-type", "authorization"})
"""Header parameters that shall be ignored, since other parts of a description say them."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """Lowers the parameters of operations."""

    values: Values
    forms: Forms
    references: References
    report: Report

    def lower(
        self, operation: Node, origin: Origin, layers: Layers, key: PathKey
    ) -> tuple[ir.Parameter, ...]:
        """Return the parameters that are declared, and one for each forgotten path variable."""
        declared = list(self._declared(operation, origin, layers))
        return tuple(self._placed(declared, key, origin))

    def _declared(self, operation: Node, origin: Origin, layers: Layers) -> Iterator[ir.Parameter]:
        """Yield the parameters of the path item, overridden by those of the operation."""
        merged: dict[tuple[str, str], tuple[Node, Origin]] = {}
        for holder, at in (*reversed(layers), (operation, origin)):
            for index, written in enumerate(items(holder.get("parameters"))):
                stated, place = self.references.target(written, at / "parameters" / index)
                if stated:  # if not, what it refers to is missing, which is reported
                    name = str(stated.get("name"))
                    in_header = stated.get("in") == "header"
                    key = (str(stated.get("in")), name.lower() if in_header else name)
                    merged[key] = (stated, place)
        for stated, at in merged.values():
            name, location = str(stated.get("name")), stated.get("in")
            if location == "header" and name.lower() in OUR_HEADERS:
                self.report.warning(
                    "ignored-header",
                    f"a header parameter {name!r} is to be ignored (OpenAPI, Parameter Object): "
                    "the client sets that header itself, and 'extra_headers' overrides it",
                    at,
                )
            elif location in get_args(ir.Location):
                where = cast(ir.Location, location)
                yield self._filled(self.values.parameter(name, where, stated, at, origin), stated)
            else:
                message = f"{location!r} is no place for a parameter, so {name!r} is left out"
                self.report.warning("invalid-location", message, at / "in")

    def _filled(self, parameter: ir.Parameter, stated: Node) -> ir.Parameter:
        """Return a parameter that is a form with what is said of its fields."""
        written = parameter.written
        if not isinstance(written, ir.Encoded) or media.kind(written.media_type) != "form":
            return parameter
        inside, at = node(stated.get("content")), parameter.origin / "content"
        form, place = self.references.target(
            inside.get(written.media_type, {}), at / written.media_type
        )
        if parameter.location != "querystring":
            if "encoding" in form:
                message = "the fields of a form in a parameter are written in the usual way"
                self.report.warning("unused-encoding", message, place / "encoding")
            return parameter
        fields = self.forms.fields(parameter.type, form, place, False)
        return replace(parameter, written=replace(written, fields=fields))

    def _placed(
        self, declared: Sequence[ir.Parameter], key: PathKey, origin: Origin
    ) -> Iterator[ir.Parameter]:
        """Yield parameters, those of the path where the path's key has them."""
        inside = list(dict.fromkeys(ir.path_parts(key.path)[1::2]))
        asked = dict(key.asked)
        for parameter in declared:
            if parameter.location != "path" or parameter.name in inside:
                yield parameter
            elif parameter.name in asked:
                name, written = asked[parameter.name], plainly("query")
                yield replace(parameter, name=name, location="query", written=written)
        known = {(p.location, p.name) for p in declared}
        for name in inside:
            if ("path", name) not in known:
                yield self._forgotten(name, "path", origin)
        for variable, name in asked.items():
            if not {("path", variable), ("query", variable), ("query", name)} & known:
                yield self._forgotten(name, "query", origin)

    def _forgotten(self, name: str, location: ir.Location, origin: Origin) -> ir.Parameter:
        self.report.warning(
            "undeclared-path-parameter",
            f"the path has {{{name}}}, but no parameter of that name is declared; "
            "any text is accepted",
            origin,
        )
        text_ = ir.Primitive("string")
        return ir.Parameter(name, location, text_, True, origin, plainly(location))
