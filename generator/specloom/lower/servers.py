"""Servers: where the operations of an API are served."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urljoin

from .. import ir
from ..diagnostics import Origin, Report
from .nodes import Node, items, node, text

Holders = Sequence[tuple[Node, Origin]]
"""What may state servers, each with its place, the nearest first."""


def api_servers(document: Node, at: Origin, report: Report) -> tuple[ir.Server, ...]:
    """Return the servers of a document; report those whose URL does not say where they are."""
    found = _stated(document, at, report)
    for server in found:
        if not server.is_absolute:
            report.warning(
                "relative-server",
                f"the server {server.url!r} is relative to where the description is served, which "
                "is not known here: callers of the client say where the API is, with 'base_url'",
                server.origin / "url",
            )
    return found


def own_servers(
    holders: Holders, shared: Sequence[ir.Server], report: Report
) -> tuple[ir.Server, ...] | None:
    """Return the servers of an operation or of its path, None where they are those of the API.

    A relative URL is read as relative to the API's own server, if that says where it is.
    """
    for holder, at in holders:
        found = _stated(holder, at, report)
        if found:
            resolved = tuple(_resolved(server, shared, report) for server in found)
            absolute = tuple(server for server in resolved if server.is_absolute)
            return absolute if absolute and not same_servers(absolute, shared) else None
    return None


def same_servers(first: Sequence[ir.Server], second: Sequence[ir.Server]) -> bool:
    """Whether two lists of servers are one, whatever is written about them."""

    def bare(server: ir.Server) -> object:
        return server.url, server.name, tuple(replace(v, doc=None) for v in server.variables)

    return [bare(server) for server in first] == [bare(server) for server in second]


def hoisted(
    servers: tuple[ir.Server, ...], operations: Sequence[ir.Operation]
) -> tuple[tuple[ir.Server, ...], tuple[ir.Operation, ...]]:
    """Return the servers of an API, and its operations with what differs from them.

    Where the API states none that can be used, and all operations agree on theirs, those are it.
    """
    first = operations[0].servers if operations else None
    if first is None or any(server.is_absolute for server in servers):
        return servers, tuple(operations)
    if not all(o.servers is not None and same_servers(first, o.servers) for o in operations):
        return servers, tuple(operations)
    return first, tuple(replace(operation, servers=None) for operation in operations)


def _stated(holder: Node, at: Origin, report: Report) -> tuple[ir.Server, ...]:
    """Return the servers that a document, a path item or an operation states."""
    return tuple(
        _server(node(written), at / "servers" / index, report)
        for index, written in enumerate(items(holder.get("servers")))
        if text(node(written).get("url"))
    )


def _server(written: Node, at: Origin, report: Report) -> ir.Server:
    """Return one server (OpenAPI, Server Object)."""
    url = (text(written.get("url")) or "").rstrip("/")
    declared = node(written.get("variables"))
    variables: list[ir.Variable] = []
    for name in dict.fromkeys(ir.path_parts(url)[1::2]):
        if name not in declared:
            message = f"the URL has {{{name}}}, but no variable of that name is declared; "
            report.warning("undeclared-server-variable", f"{message}callers give it", at / "url")
        variables.append(_variable(name, node(declared.get(name)), at / "variables" / name, report))
    return ir.Server(
        url, at, text(written.get("name")), tuple(variables), text(written.get("description"))
    )


def _variable(name: str, written: Node, at: Origin, report: Report) -> ir.Variable:
    """Return one variable of a server's URL (OpenAPI, Server Variable Object)."""
    default = None if written.get("default") is None else _printed(written["default"])
    choices = tuple(dict.fromkeys(_printed(value) for value in items(written.get("enum"))))
    if default is not None and choices and default not in choices:
        message = f"the default {default!r} is none of the values of 'enum'; it can be chosen too"
        report.warning("default-not-in-enum", message, at / "default")
        choices = (default, *choices)
    return ir.Variable(name, default, choices, text(written.get("description")))


def _printed(value: object) -> str:
    """Return a value as it stands in a URL; authors write ports as numbers."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _resolved(server: ir.Server, shared: Sequence[ir.Server], report: Report) -> ir.Server:
    """Return a server of an operation with its place known, if it can be."""
    if server.is_absolute:
        return server
    base = next((s for s in shared if s.is_absolute), None)
    url = None if base is None else _joined(base.url, server.url)
    if base is None or url is None:
        message = f"the server {server.url!r} is relative to one that is not known here"
        hint = "the operation goes where the others go"
        report.warning("relative-server", f"{message}; {hint}", server.origin / "url")
        return server
    message = f"the server {server.url!r} is read as {url!r}, relative to that of the API"
    report.warning("relative-server", message, server.origin / "url", base.origin / "url")
    named = {variable.name for variable in server.variables}
    variables = (*(v for v in base.variables if v.name not in named), *server.variables)
    mentioned = ir.path_parts(url)[1::2]
    return replace(server, url=url, variables=tuple(v for v in variables if v.name in mentioned))


def _joined(base: str, relative: str) -> str | None:
    """Return where a relative URL leads from another, whatever variables are in the two."""
    authority = re.match(r"[^/]+://[^/]+", base)
    if authority is None:
        return None
    if "{" in base and relative.startswith("/"):
        return f"{authority[0]}{relative}".rstrip("/")
    return urljoin(f"{base}/", relative).rstrip("/") if "{" not in base else None
