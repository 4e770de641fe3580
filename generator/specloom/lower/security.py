"""Security schemes: how a client proves who it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report


def security(description: Description, report: Report) -> ir.Security | None:
    """Return the first scheme of a description that can be expressed; report the others."""
    root = Origin(description.entry) / "components" / "securitySchemes"
    components = description.value.get("components") or {}
    schemes = components.get("securitySchemes") or {}
    chosen: ir.Security | None = None
    for name, scheme in schemes.items():
        found = _scheme(name, scheme) if isinstance(scheme, Mapping) else None
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


def _scheme(name: str, scheme: Mapping[str, Any]) -> ir.Security | None:
    """Lower one Security Scheme Object (OpenAPI)."""
    match scheme:
        case {"type": "http", "scheme": str(kind)} if kind.lower() == "bearer":
            return ir.Bearer(name)
        case {"type": "apiKey", "in": "header" | "query" as location, "name": str(parameter)}:
            return ir.ApiKey(name, location, parameter)
        case _:
            return None
