"""A description in one document, for readers that do not follow references to others."""

from __future__ import annotations

from specloom.description.description import Description
from specloom.description.values import is_list, is_mapping
from specloom.diagnostics import Origin

_PARTS = "x-parts"
_OF_SCHEMAS = frozenset(
    "type $ref enum const anyOf oneOf allOf items properties format nullable description".split()
)
"""Keywords that tell a schema with a ``default`` from the responses of an operation."""


def bundled(description: Description) -> dict[str, object]:
    """Return a description as its authors wrote it, with what it references beside it.

    Defaults of schemas are left out: a reader that fills them in reads what was not sent.
    """
    return _Bundle(description.authored).document()


class _Bundle:
    """Copies a description and what it references."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._names: dict[Origin, str] = {}
        self._waiting: list[Origin] = []

    def document(self) -> dict[str, object]:
        """Return the whole of it."""
        entry = Origin(self._description.entry)
        copy = self._copy(self._description.value, entry)
        assert is_mapping(copy)
        parts: dict[str, object] = {}
        while self._waiting:
            origin = self._waiting.pop()
            parts[self._names[origin]] = self._copy(self._description.lookup(origin), origin)
        return copy | ({_PARTS: parts} if parts else {})

    def _copy(self, value: object, at: Origin, named: bool = False) -> object:
        """Copy a value; ``named`` is whether its keys are names, and not keywords."""
        if is_list(value):
            return [self._copy(one, at / index) for index, one in enumerate(value)]
        if not is_mapping(value):
            return value
        ref = value.get("$ref")
        target = self._description.resolve(ref, at) if isinstance(ref, str) else None
        if target is not None and target.uri != self._description.entry:
            there = self._description.lookup(target)
            if not is_mapping(there):
                return there
        schema = not named and value.keys() & _OF_SCHEMAS
        return {
            key: self._pointer(target)
            if key == "$ref" and target is not None
            else self._copy(one, at / key, not named and key in ("properties", "schemas"))
            for key, one in value.items()
            if not (key == "default" and schema)
        }

    def _pointer(self, target: Origin) -> str:
        """Return the reference to an origin in the copy."""
        if target.uri == self._description.entry:
            return f"#{target.pointer}".replace("%", "%25")
        if target not in self._names:
            self._names[target] = f"part{len(self._names)}"
            self._waiting.append(target)
        return f"#/{_PARTS}/{self._names[target]}"
