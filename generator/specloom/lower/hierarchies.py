"""Base schemas with a discriminator: their subtypes refer to them by ``allOf``.

OpenAPI, Discriminator Object: a value of the base may be a value of any of its subtypes, which
nothing in the base lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .. import ir
from ..diagnostics import Origin
from .conjuncts import CHOICES, Conjuncts, Named
from .discriminators import Discriminators, name_of
from .nodes import items, node
from .objects import Selector


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A base and its subtypes, however many steps away, in the order of the description.

    ``name`` is that of the property that tells them apart, ``values`` are what it can be, each with
    the schema that it selects; those that a mapping states select the schemas in ``mapped``.
    """

    base: Origin
    name: str
    subtypes: tuple[Origin, ...]
    values: Mapping[str, Origin]
    mapped: frozenset[Origin]

    @property
    def model(self) -> Origin:
        """Where the model of the base itself stands: its name is that of the union."""
        return self.base / "discriminator"


@dataclass(slots=True)
class Hierarchies:
    """The hierarchies among the components of one description."""

    conjuncts: Conjuncts
    discriminators: Discriminators
    found: dict[Origin, Hierarchy] = field(default_factory=dict[Origin, Hierarchy])
    selectors: dict[Origin, Selector] = field(default_factory=dict[Origin, Selector])
    """By what property and values subtypes are selected."""
    subtypes: set[Origin] = field(default_factory=set[Origin])

    def find(self, components: Mapping[Origin, object]) -> None:
        """Look for the hierarchies among components, by their origins."""
        stated = [o for o, s in components.items() if node(node(s).get("discriminator"))]
        bases = [origin for origin in stated if not _is_union(components[origin])]
        for origin in stated:
            if _is_union(components[origin]):
                self._select_listed(origin, components[origin])
        if not bases:
            return
        children: dict[Origin, list[Origin]] = {}
        for origin, schema in components.items():
            for parent in self._parents(schema, origin):
                children.setdefault(parent, []).append(origin)
        order = {origin: index for index, origin in enumerate(components)}
        for base in bases:
            below = sorted(_below(base, children), key=order.__getitem__)
            hierarchy = self._hierarchy(base, components[base], below)
            if hierarchy is not None:
                self.found[base] = hierarchy
                self.subtypes.update(hierarchy.subtypes)
                leaves = {v: t for v, t in hierarchy.values.items() if t not in children}
                self._select(hierarchy.name, leaves, hierarchy.mapped)

    def _hierarchy(self, base: Origin, schema: object, below: Iterable[Origin]) -> Hierarchy | None:
        stated, at = node(node(schema).get("discriminator")), base / "discriminator"
        mapping = dict(self.discriminators.mapping(stated, at))
        subtypes = dict.fromkeys([*below, *(t for t in mapping.values() if t != base)])
        name = self.discriminators.property(stated, at) if subtypes else None
        if name is None:
            return None
        if not self.discriminators.declares(schema, base, name):
            message = f"the property {name!r} is not declared here"
            self.conjuncts.report.warning("invalid-discriminator", message, at / "propertyName")
        values = dict(mapping)
        inherited = self.discriminators.constants(schema, base, name)
        for subtype in subtypes:
            for value in self._answers(subtype, name, inherited, subtype in mapping.values()):
                values.setdefault(value, subtype)
        return Hierarchy(base, name, tuple(subtypes), values, frozenset(mapping.values()))

    def _answers(
        self, subtype: Origin, name: str, inherited: Sequence[str], is_mapped: bool
    ) -> Sequence[str]:
        """Return the values that a subtype answers to besides a mapping.

        They are its constants where it has some of its own. Its name is another, unless constants
        speak against that.
        """
        own = self._constants(subtype, name)
        implicit = name_of(subtype)
        if not is_mapped:
            return own if own != inherited else [implicit]
        return [implicit] if own == inherited and (not own or implicit in own) else []

    def _constants(self, subtype: Origin, name: str) -> list[str]:
        written = self.conjuncts.description.lookup(subtype)
        return self.discriminators.constants(written, subtype, name)

    def _parents(self, schema: object, origin: Origin) -> Iterable[Origin]:
        """Yield the schemas that a component is built on by ``allOf``."""
        for one in self.conjuncts.apart(schema, origin):
            if isinstance(one, Named) and one.at.tokens[:-1] != origin.tokens:
                yield one.target

    def _select_listed(self, base: Origin, schema: object) -> None:
        """Note what selects the subtypes that a base lists as a union."""
        stated, at = node(node(schema).get("discriminator")), base / "discriminator"
        name = stated.get("propertyName")
        mapping = {
            value: target
            for value, target in self.discriminators.mapping(stated, at)
            if base in self.conjuncts.closure(target)
        }
        if isinstance(name, str):
            for target in list(mapping.values()):
                if not self._constants(target, name):
                    mapping.setdefault(name_of(target), target)
            self._select(name, mapping, frozenset(mapping.values()))

    def _select(self, name: str, values: Mapping[str, Origin], mapped: frozenset[Origin]) -> None:
        """Note by what property and values subtypes are selected."""
        by_target: dict[Origin, list[ir.Constant]] = {}
        for value, target in values.items():
            by_target.setdefault(target, []).append(ir.constant(value))
        for target, listed in by_target.items():
            self.selectors[target] = Selector(name, tuple(listed), target in mapped)


def _is_union(schema: object) -> bool:
    return any(items(node(schema).get(keyword)) for keyword in CHOICES)


def _below(base: Origin, children: Mapping[Origin, Iterable[Origin]]) -> set[Origin]:
    found: set[Origin] = set()
    pending = [base]
    while pending:
        for child in children.get(pending.pop(), ()):
            if child not in found and child != base:
                found.add(child)
                pending.append(child)
    return found
