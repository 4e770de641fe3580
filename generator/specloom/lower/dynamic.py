"""Dynamic anchors: names that schemas on the way to a reference can take over.

(JSON Schema Core §8.2.3.2.) The type of a schema is the same whatever the way to it, so that a
reference to such a name has one only where a single schema bears the name.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from ..description.load import Description
from ..diagnostics import Origin
from .nodes import items, node

_DATA: Final = frozenset({"example", "examples", "default", "enum", "const", "value"})
"""Below these, anything is data."""


@dataclass(slots=True)
class DynamicAnchors:
    """The dynamic anchors of the documents of a description, looked for when one is referred to."""

    description: Description
    _counts: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])

    def is_ambiguous(self, target: Origin, at: Origin) -> bool:
        """Whether a reference at a place to a target may lead elsewhere, by the way to it."""
        name = node(self.description.lookup(target)).get("$dynamicAnchor")
        if not isinstance(name, str):
            return False
        uris = {self.description.entry, target.uri, at.uri}
        return sum(self._of(uri)[name] for uri in uris) > 1

    def _of(self, uri: str) -> Counter[str]:
        if uri not in self._counts:
            found = self._counts[uri] = Counter[str]()
            waiting: list[object] = [self.description.lookup(Origin(uri))]
            while waiting:
                value = waiting.pop()
                stated = node(value)
                if isinstance(name := stated.get("$dynamicAnchor"), str):
                    found[name] += 1
                waiting += [inner for key, inner in stated.items() if key not in _DATA]
                waiting += items(value)
        return self._counts[uri]
