"""Names that documents give to themselves and their schemas, for references to use.

``$id``, ``$anchor`` and ``$dynamicAnchor`` of JSON Schema 2020-12 (sections 8.2.1 and 8.2.2) and
``$self`` of OpenAPI 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from specloom.description import refs
from specloom.description.values import children, is_mapping
from specloom.diagnostics import Origin

# Looking for the words first spares most documents the way through all their values.
_WORDS: Final = (b"$id", b"$anchor", b"$dynamicAnchor", b"$self")
# Below these, anything is data.
_DATA: Final = frozenset({"example", "examples", "default", "enum", "const", "value"})


@dataclass(slots=True)
class Identifiers:
    """The names in one document.

    ``base`` is the URI that its references are relative to. ``resources`` has the schemas with an
    ``$id`` by their absolute URIs, ``scopes`` their URIs by their pointers, and ``anchors`` the
    anchors by the URI of the resource that they are in.
    """

    base: str
    resources: dict[str, Origin] = field(default_factory=dict[str, Origin])
    scopes: dict[str, str] = field(default_factory=dict[str, str])
    anchors: dict[tuple[str, str], Origin] = field(default_factory=dict[tuple[str, str], Origin])

    def scope(self, origin: Origin) -> str:
        """Return the URI of the resource that ``origin`` is in."""
        pointer = origin.pointer
        while self.scopes and pointer:
            if pointer in self.scopes:
                return self.scopes[pointer]
            pointer = pointer.rpartition("/")[0]
        return self.scopes.get("", self.base)


def identify(root: object, uri: str, data: bytes) -> Identifiers:
    """Find the names in a document with the text ``data``."""
    if not any(word in data for word in _WORDS):
        return Identifiers(uri)
    own = root.get("$self") if is_mapping(root) else None
    names = Identifiers(refs.target(own, uri).uri if isinstance(own, str) else uri)
    names.resources[names.base] = Origin(uri)
    waiting: list[tuple[object, Origin, str]] = [(root, Origin(uri), names.base)]
    while waiting:
        value, origin, base = waiting.pop()
        if is_mapping(value):
            identifier = value.get("$id")
            if isinstance(identifier, str):
                base = _enter(names, identifier, origin, base)
            for key in ("$anchor", "$dynamicAnchor"):
                anchor = value.get(key)
                if isinstance(anchor, str):
                    names.anchors.setdefault((base, anchor), origin)
        waiting += [(child, at, base) for k, child, at in children(value, origin) if k not in _DATA]
    return names


def _enter(names: Identifiers, identifier: str, origin: Origin, base: str) -> str:
    """Note an ``$id``; return the URI of the resource that it begins."""
    target = refs.target(identifier, base)
    if target.fragment:  # an anchor, as it was written before 2019-09
        names.anchors.setdefault((target.uri, target.fragment), origin)
        return base
    names.resources.setdefault(target.uri, origin)
    names.scopes[origin.pointer] = target.uri
    return target.uri
