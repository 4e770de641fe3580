"""Mirrors: how the items of a stream add up to the object that the whole answer would be.

The rule knows no API. An item mirrors a whole when what it holds stands at the same places in
the whole, and some list in both has items that are told apart by an integer ``index``: that is
how pieces say what they are pieces of. Inside of such an item, one object may have another name
than in the whole, as ``delta`` has for ``message``, if most of what it holds is the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .. import ir
from .members import Properties, Types, item_of, model_of, properties_of
from .unions import without_null

_INDEX = "index"
_IDENTITY = "id"


def mirror(item: ir.Type, whole: ir.Type | None, types: Types) -> ir.Mirror | None:
    """Return how items add up to a whole answer, or None where they are not built like it."""
    target, event = model_of(whole, types), properties_of(item, types)
    if target is None or not event:
        return None
    found = _Comparison(types)
    if not found.compare(event, _named(target), "", False) or not found.indexed:
        return None
    constants = tuple(
        (p.name, p.type.values[0])
        for p in target.properties
        if isinstance(p.type, ir.Literal) and len(p.type.values) == 1
    )
    replaced = tuple(sorted(found.replaced))
    return ir.Mirror(target.id, tuple(found.renamed), constants, replaced)


@dataclass(slots=True)
class _Comparison:
    """Compares items with a whole, and notes what differs."""

    types: Types
    renamed: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    replaced: list[str] = field(default_factory=list[str])
    indexed: bool = False
    """Whether there is a list of items with an index in both."""

    def compare(self, event: Properties, whole: Properties, path: str, inside: bool) -> bool:
        """Return whether properties match, of which those ``inside`` come in pieces."""
        names = self._counterparts(event, whole, path, inside)
        if names is None:
            return False
        for prop in event.values():
            at = path + prop.name
            if inside and _arrives_whole(prop):
                self.replaced.append(at)
            counterpart = whole.get(names.get(prop.name, ""))
            if counterpart is not None and not self._matches(prop, counterpart, at, inside):
                return False
        return True

    def _counterparts(
        self, event: Properties, whole: Properties, path: str, inside: bool
    ) -> dict[str, str] | None:
        """Return what properties are called in the whole; None where one has no place there.

        A number or a text without one stays in the whole as a property that is not declared.
        """
        names = {name: name for name in event if name in whole}
        missing = [p for p in whole.values() if p.name not in event and self._holds(p.type)]
        for prop in event.values():
            if prop.name in names or not self._holds(prop.type):
                continue
            candidates = [m for m in missing if self._alike(prop.type, m.type)]
            if not inside or len(candidates) != 1:
                return None
            names[prop.name] = candidates[0].name
            self.renamed.append((path + prop.name, candidates[0].name))
            missing.remove(candidates[0])
        return names

    def _matches(self, prop: ir.Property, counterpart: ir.Property, at: str, inside: bool) -> bool:
        """Return whether what two properties hold matches, as far as it comes in pieces."""
        item, other = item_of(prop.type, self.types), item_of(counterpart.type, self.types)
        if item is not None and other is not None:
            ours, theirs = properties_of(item, self.types), properties_of(other, self.types)
            if _INDEX not in ours or not theirs:
                return True
            self.indexed = True
            return self.compare(ours, theirs, f"{at}.", True)
        ours = properties_of(prop.type, self.types)
        theirs = properties_of(counterpart.type, self.types)
        return not (inside and ours and theirs) or self.compare(ours, theirs, f"{at}.", True)

    def _holds(self, type_: ir.Type) -> bool:
        """Whether a value is an object, or a list of objects."""
        item = item_of(type_, self.types)
        return bool(properties_of(type_ if item is None else item, self.types))

    def _alike(self, event: ir.Type, whole: ir.Type) -> bool:
        """Whether two objects share most of their property names."""
        ours = properties_of(event, self.types).keys()
        theirs = properties_of(whole, self.types).keys()
        return bool(ours) and 2 * len(ours & theirs) > len(ours)


def _named(model: ir.Model) -> Properties:
    return {p.name: p for p in model.properties}


def _arrives_whole(prop: ir.Property) -> bool:
    """Whether a string is sent in one piece: a constant, or an identity."""
    bare = without_null(prop.type)
    if isinstance(bare, ir.Literal):
        return True
    return prop.name == _IDENTITY and isinstance(bare, ir.Primitive)
