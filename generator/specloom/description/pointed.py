"""A document without identifiers of schemas: its references as plain pointers.

openapi-spec-validator knows no ``$id`` and no anchors (JSON Schema Core, section 8.2).
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from specloom.description.description import Description
from specloom.description.values import is_list, is_mapping
from specloom.diagnostics import Origin

_IDENTIFIERS: Final = (b"$id", b"$anchor", b"$dynamicAnchor")


def pointed(description: Description) -> object:
    """Return the entry document, each reference to a place in it written as a pointer.

    It is the same where no document has identifiers.
    """
    documents = [one.data for one in description.named]
    if not any(word in data for data in documents for word in _IDENTIFIERS):
        return description.value
    return _pointed(description.value, Origin(description.entry), description)


def _pointed(value: object, origin: Origin, description: Description) -> object:
    if is_list(value):
        return [_pointed(one, origin / index, description) for index, one in enumerate(value)]
    if not is_mapping(value):
        return value
    found: dict[str, object] = {}
    for key, child in value.items():
        if key == "$ref" and isinstance(child, str):
            target = description.resolve(child, origin)
            inside = target is not None and target.uri == description.entry
            found[key] = f"#{quote(target.pointer)}" if target and inside else child
        elif key != "$id" or not isinstance(child, str):
            found[key] = _pointed(child, origin / key, description)
    return found
