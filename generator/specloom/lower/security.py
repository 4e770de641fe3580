"""Security schemes: how a client proves who it is."""

from __future__ import annotations

from collections.abc import Iterator

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from .nodes import Node, items, node


def security(description: Description, report: Report) -> ir.Security | None:
    """Return the first scheme that is required and can be expressed; report the others.

    Where no operation requires anything, the first scheme that is declared is offered.
    """
    root = Origin(description.entry) / "components" / "securitySchemes"
    schemes = node(node(description.value.get("components")).get("securitySchemes"))
    required = list(dict.fromkeys(_required(description.value)))
    names = [name for name in required if name in schemes] or list(schemes)
    found = {name: _scheme(name, node(schemes[name])) for name in names}
    chosen = next((scheme for scheme in found.values() if scheme is not None), None)
    for name, scheme in found.items():
        if scheme is None:
            message = f"the security scheme {name!r} is not expressed"
        elif scheme != chosen and chosen is not None:
            message = f"the client authenticates as {chosen.name!r} says, never as {name!r}"
        else:
            continue
        hint = "pass its credentials in 'default_headers'"
        report.warning("unsupported-security", f"{message}; {hint}", root / name)
    return chosen


def _required(value: Node) -> Iterator[str]:
    """Yield the names of the schemes that a document and its operations require, in order."""
    holders = [value]
    for item in node(value.get("paths")).values():
        holders += [node(operation) for operation in node(item).values()]
    for holder in holders:
        for requirement in items(holder.get("security")):
            yield from node(requirement)


def _scheme(name: str, scheme: Node) -> ir.Security | None:
    """Lower one Security Scheme Object (OpenAPI)."""
    match scheme:
        case {"type": "http", "scheme": str(kind)} if kind.lower() == "bearer":
            return ir.Bearer(name)
        case {"type": "apiKey", "in": "header", "name": str(parameter)}:
            return ir.ApiKey(name, "header", parameter)
        case {"type": "apiKey", "in": "query", "name": str(parameter)}:
            return ir.ApiKey(name, "query", parameter)
        case _:
            return None
