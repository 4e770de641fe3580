"""Discriminators: the property that the description says to tell the members of a union by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from .. import ir
from ..diagnostics import Origin
from .conjuncts import CHOICES, Flat, Named
from .enums import listed
from .lowering import Lowering, Placed
from .nodes import Node, items, node
from .unions import union, without_null


class Branch(NamedTuple):
    """A branch of a union: what is written, where, and the type that it became."""

    schema: object
    origin: Origin
    type: ir.Type

    @property
    def id(self) -> ir.TypeId | None:
        """The named type that the branch is, null aside."""
        bare = without_null(self.type)
        return bare.target if isinstance(bare, ir.Ref) else None


@dataclass(frozen=True, slots=True)
class Discriminators:
    """Reads the Discriminator Objects of one description (OpenAPI, Discriminator Object)."""

    lowering: Lowering
    use: Callable[[Named], ir.Type]

    def union(
        self, types: Sequence[ir.Type], branches: Sequence[Branch], written: object, origin: Origin
    ) -> ir.Type:
        """Return the union of the types of branches, with its discriminator.

        A member answers to the values that are mapped to it and to those that it has as constants
        of the property; where it has none, to its own name as well, unless that is mapped to
        another. What a value is mapped to is a member, whether or not a branch says so.
        """
        stated = node(written)
        name = self.property(stated, origin)
        if name is None:
            return union(types)
        members = list(types)
        branches = [branch for branch in branches if self._is_object(branch)]
        known = {self._target(branch): branch.id for branch in branches}
        pairs: dict[str, ir.TypeId] = {}
        for value, target in self.mapping(stated, origin):
            if (id_ := self._member(target, known, members)) is not None:
                pairs[value] = id_
            else:
                at = origin / "mapping" / value
                message = f"the mapping of {value!r} leads to no object"
                self.lowering.report.warning("invalid-discriminator", message, at)
        mapped = set(pairs.values())
        for branch in branches:
            for value in self._own_values(branch, name, branch.id in mapped):
                if branch.id is not None:
                    pairs.setdefault(value, branch.id)
        fallback = self._fallback(stated, origin, known, members)
        result = union(members)
        if not isinstance(result, ir.Union):
            return result
        return replace(result, tagging=ir.Discriminated(name, tuple(pairs.items()), fallback))

    def property(self, stated: Node, origin: Origin) -> str | None:
        """Return the name of the property that discriminates; None, reported, without one."""
        name = stated.get("propertyName")
        if isinstance(name, str):
            return name
        message = "a discriminator needs a 'propertyName'"
        self.lowering.report.warning("invalid-discriminator", message, origin)
        return None

    def mapping(self, stated: Node, origin: Origin) -> Iterator[tuple[str, Origin]]:
        """Yield the values of a mapping and what they lead to; report those that lead nowhere."""
        for value, ref in node(stated.get("mapping")).items():
            target = self._resolved(ref, origin)
            if target is not None:
                yield value, target
            else:
                at = origin / "mapping" / value
                message = f"the mapping of {value!r} leads nowhere"
                self.lowering.report.warning("invalid-discriminator", message, at)

    def constants(self, schema: object, origin: Origin, name: str) -> list[str]:
        """Return the texts that a property of a schema is limited to; none where it is not."""
        return list(dict.fromkeys(self._constants(schema, origin, name, frozenset())))

    def declares(self, schema: object, origin: Origin, name: str) -> bool:
        """Whether a schema says anything of a property, or leaves it to a union."""
        known = self.lowering.conjuncts
        return any(
            name in node(flat.schema.get("properties")) or flat.schema.keys() & {*CHOICES}
            for flat in known.flats(known.apart(schema, origin), Origin(""))
        )

    def _constants(
        self, schema: object, origin: Origin, name: str, passed: frozenset[Origin]
    ) -> Iterator[str]:
        if origin in passed:
            return
        known = self.lowering.conjuncts
        flats = known.flats(known.apart(schema, origin), Origin(""))
        declared = [
            part
            for flat in flats
            if name in (properties := node(flat.schema.get("properties")))
            for part in known.apart(properties[name], flat.origin / "properties" / name)
        ]
        if texts := self._texts(declared, origin, frozenset()):
            yield from texts
            return
        for flat in flats:
            for branch in _branches(flat):
                yield from self._constants(*branch, name, passed | {origin, flat.origin})

    def _texts(
        self, parts: Sequence[Named | Flat], origin: Origin, passed: frozenset[Origin]
    ) -> list[str]:
        """Return the texts that conjuncts are limited to, null aside; none where they are not."""
        known = self.lowering.conjuncts
        flats = known.flats(parts, origin)
        values = listed(flats, known.description, self.lowering.report)
        if values is not None:
            return [value for value in values if isinstance(value, str)]
        for flat in flats:
            if flat.origin in passed:
                continue
            inside = passed | {flat.origin}
            branches = [known.apart(*branch) for branch in _branches(flat)]
            telling = [branch for branch in branches if known.common(branch) - {"null"}]
            found = [self._texts(branch, origin, inside) for branch in telling]
            if found and all(found):
                return [text for texts in found for text in texts]
        return []

    def _own_values(self, branch: Branch, name: str, is_mapped: bool) -> list[str]:
        """Return the values that a branch answers to besides a mapping: constants, or its name.

        A mapping does not take away the name (OpenAPI 3.1.1, Discriminator Object, "implicit or
        explicit mapping"); constants, of which it is none, do.
        """
        if branch.id is None:
            return []
        constants = self.constants(branch.schema, branch.origin, name)
        if constants:
            return constants
        if not is_mapped and not self.declares(branch.schema, branch.origin, name):
            message = f"this member has no property {name!r} to be told by, and no mapped value"
            self.lowering.report.warning("invalid-discriminator", message, branch.origin)
        target = self.lowering.conjuncts.target_of(branch.schema, branch.origin)
        return [] if target is None else [name_of(target)]

    def _fallback(
        self,
        stated: Node,
        origin: Origin,
        known: dict[Origin, ir.TypeId | None],
        members: list[ir.Type],
    ) -> ir.TypeId | None:
        """Return the member that all other values select (OpenAPI 3.2, ``defaultMapping``)."""
        if "defaultMapping" not in stated:
            return None
        target = self._resolved(stated["defaultMapping"], origin)
        found = None if target is None else self._member(target, known, members)
        if found is None:
            message = "'defaultMapping' leads to no object"
            self.lowering.report.warning(
                "invalid-discriminator", message, origin / "defaultMapping"
            )
        return found

    def _member(
        self, target: Origin, known: dict[Origin, ir.TypeId | None], members: list[ir.Type]
    ) -> ir.TypeId | None:
        """Return the member that a mapping leads to, which is added if there is none yet."""
        if target in known:
            return known[target]
        if not self.lowering.conjuncts.kinds(Named(target, target)) >= {"object"}:
            return None
        added = without_null(self.use(Named(target, target)))
        if not isinstance(added, ir.Ref):
            return None
        members.append(added)
        known[target] = added.target
        return added.target

    def _is_object(self, branch: Branch) -> bool:
        """Whether objects are among the values of a branch: no other can be told by a property."""
        known = self.lowering.conjuncts
        return "object" in known.common(known.apart(branch.schema, branch.origin))

    def _target(self, branch: Branch) -> Origin:
        target = self.lowering.conjuncts.target_of(branch.schema, branch.origin)
        return branch.origin if target is None else target

    def _resolved(self, ref: object, origin: Origin) -> Origin | None:
        """Return what a value of a mapping leads to: it is a component's name or a reference."""
        if not isinstance(ref, str):
            return None
        description = self.lowering.conjuncts.description
        named = Origin(description.entry) / "components" / "schemas" / ref
        try:
            description.lookup(named)
        except LookupError:
            return description.resolve(ref, origin)
        return named


def name_of(target: Origin) -> str:
    """Return the name of a schema: the last step to it, or its file."""
    return target.tokens[-1] if target.tokens else target.uri


def _branches(flat: Flat) -> Iterator[Placed]:
    for keyword in CHOICES:
        for index, branch in enumerate(items(flat.schema.get(keyword))):
            yield Placed(branch, flat.origin / keyword / index)
