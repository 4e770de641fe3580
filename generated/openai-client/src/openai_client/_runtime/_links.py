"""The ``Link`` header (RFC 8288): only as far as pages need it."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["link_to"]

_TEXT = r'"(?:[^"\\]|\\.)*+"?'
_LINK = re.compile(rf'<([^<>]*)>((?:[^",<]|{_TEXT})*+)')
_PARAMETER = re.compile(rf";\s*([^\s=;,\"]+)\s*=\s*({_TEXT}|[^\s;,\"]*)")


def link_to(relation: str, headers: Iterable[str]) -> str | None:
    """Give the target of the first link of a relation in these headers, if any.

    A link may have several relations, and their case does not count (section 3.3).
    """
    for header in headers:
        for link in _LINK.finditer(header):
            if relation in _relations(link[2]):
                return link[1].strip()
    return None


def _relations(parameters: str) -> list[str]:
    """List the relations of a link; only the first ``rel`` counts (section 3.3)."""
    for parameter in _PARAMETER.finditer(parameters):
        if parameter[1].lower() == "rel":
            return parameter[2].strip('"').lower().split()
    return []
