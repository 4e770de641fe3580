"""Pagination: operations that are declared to give their items in pages.

Nothing is guessed: the configuration or an extension of the operation says it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from .members import Properties, Types, item_of, properties_of, resolved
from .nodes import Node, node
from .pagination_extensions import EXTENSIONS, Unclear, plain

_KEYS: Mapping[str, frozenset[str]] = {
    "cursor": frozenset({"items", "cursor", "next"}),
    "page": frozenset({"items", "page", "last", "start"}),
    "offset": frozenset({"items", "offset", "total"}),
    "link": frozenset({"items", "link"}),
    "url": frozenset({"items", "url"}),
}
"""What can be said about pages, by the key that says how they lead on."""

_SETTINGS = Origin("specloom.toml") / "pagination"

Configured = Mapping[str, Mapping[str, object]]
"""What the configuration says of operations, by their ids or by method and path."""

NOTHING: Configured = {}


@dataclass(frozen=True, slots=True)
class Paginations:
    """Lowers what is said of the pages of operations."""

    description: Description
    configured: Configured
    types: Types
    report: Report

    def applied(self, operation: ir.Operation) -> ir.Operation:
        """Return an operation with its pagination, if it has any that fits it."""
        for key in (operation.id or "", f"{operation.method} {operation.path}"):
            if key in self.configured:
                return self._with(operation, self.configured[key], _SETTINGS / key)
        stated = node(self.description.lookup(operation.origin))
        for extension in EXTENSIONS:
            if extension in stated:
                at = operation.origin / extension
                try:
                    said = plain(extension, stated[extension])
                except Unclear as reason:
                    self._refuse(str(reason), at)
                    return operation
                return operation if said is None else self._with(operation, said, at)
        return operation

    def _with(self, operation: ir.Operation, said: Node, at: Origin) -> ir.Operation:
        try:
            pagination = _Reading(operation, said, self.types).pagination(at)
        except Unclear as reason:
            self._refuse(str(reason), at)
            return operation
        return replace(operation, pagination=pagination)

    def _refuse(self, reason: str, at: Origin) -> None:
        message = f"{reason}, so the method gives one answer instead of pages"
        self.report.warning("invalid-pagination", message, at)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads what is said of one operation; raises ``Unclear`` for what does not fit it."""

    operation: ir.Operation
    said: Node
    types: Types

    def pagination(self, origin: Origin) -> ir.Pagination:
        if self.operation.streaming is not None:
            raise Unclear("what streams has no pages")
        kind = next((kind for kind in _KEYS if kind in self.said), None)
        if kind is None:
            raise Unclear(f"one of {', '.join(map(repr, _KEYS))} says how pages lead on")
        unknown = sorted(self.said.keys() - _KEYS[kind])
        if unknown:
            known = ", ".join(sorted(_KEYS[kind]))
            raise Unclear(f"{unknown[0]!r} is not known beside {kind!r} (known are {known})")
        body = self._body()
        path = self._path(self.said.get("items", ""), body, "items")
        item = item_of(self._type(path, body), self.types)
        if item is None:
            where = ".".join(path) or "the answer"
            raise Unclear(f"there is no list at 'items', which is {where!r}")
        return ir.Pagination(body, path, item, self._way(kind, body), origin)

    def _way(self, kind: str, body: ir.Type) -> ir.Way:
        match kind:
            case "cursor":
                send, place = self._sent("cursor")
                return ir.Cursor(send, self._path(self.said.get("next"), body, "next"), place)
            case "page":
                send, place = self._sent("page")
                start = self.said.get("start", first_page(self.operation, send, self.types))
                if not isinstance(start, int) or isinstance(start, bool):
                    raise Unclear("'start' is the number of the first page")
                return ir.PageNumber(send, self._maybe("last", body), start, place)
            case "offset":
                send, place = self._sent("offset")
                return ir.Offset(send, self._maybe("total", body), place)
            case "url":
                return ir.NextURL(self._path(self.said["url"], body, "url"))
            case _:
                if self.said["link"] is not True:
                    raise Unclear("'link' is true, or left out")
                return ir.NextLink()

    def _body(self) -> ir.Type:
        """Return what the one kind of success is."""
        found = {
            content.type
            for response in self.operation.responses
            if ir.is_success(response.status)
            for content in response.contents
            if isinstance(content, ir.Json)
        }
        if len(found) != 1:
            raise Unclear("there is no success, or more than one kind of it, to find items in")
        return found.pop()

    def _sent(self, key: str) -> tuple[str, ir.Sent]:
        """Return the parameter that a key names, and where it travels."""
        name = self.said[key]
        if any(p.name == name and p.location == "query" for p in self.operation.parameters):
            return str(name), "query"
        if name in _properties(self.operation, self.types):
            return str(name), "body"
        raise Unclear(f"the operation has no parameter {name!r} in its query or its body")

    def _maybe(self, key: str, body: ir.Type) -> ir.Path | None:
        return self._path(self.said[key], body, key) if key in self.said else None

    def _path(self, stated: object, body: ir.Type, key: str) -> ir.Path:
        """Return the path that a text means: names with dots between, or one name with dots."""
        if not isinstance(stated, str):
            raise Unclear(f"{key!r} is the path of a property of the answer, such as 'meta.next'")
        whole = (stated,) if stated else ()
        for path in (whole, tuple(stated.split("."))):
            try:
                self._type(path, body)
            except Unclear:
                continue
            return path
        raise Unclear(f"the answer has no property {stated!r}")

    def _type(self, path: ir.Path, type_: ir.Type) -> ir.Type:
        for name in path:
            prop = properties_of(type_, self.types).get(name)
            if prop is None:
                raise Unclear(f"the answer has no property {name!r}")
            type_ = prop.type
        return type_


def first_page(operation: ir.Operation, send: str, types: Types) -> int:
    """Return the number of the first page, by what is said of the parameter that takes it.

    That is its default; else 0 where that is its minimum, and 1 where nothing is said.
    """
    queried = (p for p in operation.parameters if (p.name, p.location) == (send, "query"))
    stated = next(queried, None) or _properties(operation, types).get(send)
    if stated is None:
        return 1
    value: object = None if stated.default is None else ir.value_of(stated.default)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    for type_ in resolved(stated.type, types):
        if isinstance(type_, ir.Primitive):
            least = dict(type_.constraints).get("minimum")
            return 0 if least is not None and ir.value_of(least) == 0 else 1
    return 1


def _properties(operation: ir.Operation, types: Types) -> Properties:
    """Return the properties of the body, in the first form of it that has a structure."""
    contents = () if operation.body is None else operation.body.contents
    structured = next(ir.content_types(contents), None)
    return {} if structured is None else properties_of(structured, types)


def report_unused(
    operations: tuple[ir.Operation, ...], configured: Configured, report: Report
) -> None:
    """Report what the configuration says of operations that are not there."""
    known = {key for o in operations for key in (o.id, f"{o.method} {o.path}")}
    for key in configured.keys() - known:
        message = f"{key!r} names no operation of the descriptions"
        report.warning("selects-nothing", message, _SETTINGS / key)
