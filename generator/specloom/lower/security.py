"""Security schemes: how a client proves who it is."""

from __future__ import annotations

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from .nodes import Node, node


def security(description: Description, report: Report) -> ir.Security | None:
    """Return the first scheme of a description that can be expressed; report the others."""
    root = Origin(description.entry) / "components" / "securitySchemes"
    schemes = node(node(description.value.get("components")).get("securitySchemes"))
    chosen: ir.Security | None = None
    for name, scheme in schemes.items():
        found = _scheme(name, node(scheme))
        if found is None:
            report.warning(
                "unsupported-security",
                f"the security scheme {name!r} is not expressed; pass its credentials in "
                "'default_headers'",
                root / name,
            )
        elif chosen is not None:
            report.warning(
                "unsupported-security",
                f"the client authenticates as {chosen.name!r} says; {name!r} is left out",
                root / name,
            )
        chosen = chosen or found
    return chosen


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
