"""Things that may be references and are no schemas: path items, parameters, responses and so on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..description.load import Description
from ..diagnostics import Origin, Report
from .nodes import Node, is_node, node

_PROSE = frozenset({"summary", "description"})
"""What stands beside a reference and prevails (OpenAPI 3.1, Reference Object)."""


@dataclass(frozen=True, slots=True)
class References:
    """Follows the references in one description that are not those of schemas."""

    description: Description
    report: Report
    _circles: set[Origin] = field(default_factory=set[Origin])

    def target(self, written: object, origin: Origin) -> tuple[Node, Origin]:
        """Return what a value is, or what it refers to, with the prose beside the references."""
        prose: dict[str, object] = {}
        last = origin
        for found, last in self.layers(written, origin):
            if "$ref" not in found:
                return ({**found, **prose} if prose else found), last
            for keyword, value in found.items():
                if keyword in _PROSE:
                    prose.setdefault(keyword, value)
                elif keyword != "$ref" and not keyword.startswith("x-"):
                    message = f"{keyword!r} beside '$ref' is not applied"
                    self.report.warning("ignored-sibling", message, last / keyword)
        return {}, last

    def layers(self, written: object, origin: Origin) -> Iterator[tuple[Node, Origin]]:
        """Yield a value, what it refers to, what that refers to, and so on.

        The last has no ``$ref`` unless that leads nowhere or in a circle, which is reported.
        """
        seen = {origin}
        while True:
            if not is_node(written):
                self.report.warning("invalid-node", "an object is expected here", origin)
                return
            stated = node(written)
            yield stated, origin
            if "$ref" not in stated:
                return
            ref, at = stated["$ref"], origin / "$ref"
            if not isinstance(ref, str):
                self.report.error("invalid-reference", "a reference is a string", at)
                return
            target = self.description.target(ref, at, self.report)
            if target is None:
                return
            if target in seen or target in self._circles:
                if target not in self._circles:
                    message = "this reference leads back to itself"
                    self.report.error("circular-reference", message, at)
                self._circles.update(seen)
                return
            seen.add(target)
            written, origin = self.description.lookup(target), target
