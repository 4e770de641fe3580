"""Conjunctions and unions: the type of what all of several conjuncts say.

A union beside other things is distributed: each branch holds together with the rest, as by
``allOf``, so that ``oneOf`` next to ``properties`` becomes a union of whole objects.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Final, TypeAlias

from .. import ir
from ..diagnostics import Origin
from . import keywords, places
from .budget import Budget
from .choices import KIND_ONLY, Choice, choices, identity, is_false, is_kind_only, less_choices
from .conjuncts import Conjunct, Flat, Named
from .discriminators import Branch, Discriminators
from .enums import listed
from .kinds import Kinds, constants
from .lowering import Lowering, Site
from .nodes import node
from .shapes import Shapes
from .unions import union
from .vocabulary import ALL, KEYED

_MOST_PRODUCTS: Final = 64
"""Into how many types several unions that hold together may multiply."""

_SIZES: Final = KEYED | KIND_ONLY | {"propertyNames", "dependentRequired"}

_Key: TypeAlias = frozenset[tuple[object, ...]]
"""What conjuncts are, however they came together."""


@dataclass(slots=True)
class Composition:
    """Puts conjuncts together; ``use`` gives the type that a reference stands for."""

    lowering: Lowering
    use: Callable[[Named], ir.Type]
    shapes: Shapes
    discriminators: Discriminators
    _open: dict[_Key, tuple[Site, int]] = field(default_factory=dict["_Key", tuple[Site, int]])
    _recursive: set[_Key] = field(default_factory=set["_Key"])
    _depth: int = 0
    """How many schemas inside each other are being put together."""
    budget: Budget = field(default_factory=Budget)
    _inside: bool = False
    """Whether what is put together is a branch of a union with what stands beside that."""
    _several: bool = False
    """Whether it is held by something that several schemas declare together."""

    def alone(self, conjuncts: Sequence[Conjunct], site: Site) -> ir.Type | None:
        """Return the type of one schema, which is the same whatever it stands in."""
        around = self._inside, self._several
        self._inside = self._several = False
        with self.budget.afresh():
            found = self._deeper(conjuncts, site)
        self._inside, self._several = around
        return found

    def together(self, conjuncts: Sequence[Conjunct], site: Site) -> ir.Type | None:
        """Return the type of what several schemas say, or None where they exclude each other."""
        if self._several and not self.budget.joined.takes(1):
            message = "too much is put together in this schema; any value is accepted here"
            self.lowering.report.warning("unsupported-keyword", message, site.origin)
            return ir.UNKNOWN
        around, self._several = self._several, True
        found = self._deeper(conjuncts, site)
        self._several = around
        return found

    def _deeper(self, conjuncts: Sequence[Conjunct], site: Site) -> ir.Type | None:
        self._depth += 1
        found = self._type(conjuncts, site)
        self._depth -= 1
        return found

    def _type(self, conjuncts: Sequence[Conjunct], site: Site) -> ir.Type | None:
        """Return the type of conjuncts that stand at one place, inside of nothing else."""
        kinds = self.lowering.conjuncts.common(conjuncts)
        telling = self._telling(conjuncts, site)
        if not telling:
            found: ir.Type | None = ir.UNKNOWN
            if conjuncts:
                message = "this schema is only a reference to itself"
                self.lowering.report.error("circular-reference", message, site.origin)
        elif len(telling) == 1 and isinstance(one := telling[0], Named):
            found = self.use(one)
        elif not kinds - {"null"}:
            found = self._nothing(kinds, telling, site.origin)
        else:
            found = self._once(telling, kinds - {"null"}, site)
        stated = kinds != ALL or any(one.nullable for one in conjuncts) or self._lists_null(telling)
        return union([found, ir.NULL]) if found and "null" in kinds and stated else found

    def _lists_null(self, conjuncts: Sequence[Conjunct]) -> bool:
        """Whether null is among the constants that conjuncts list."""
        known = self.lowering.conjuncts
        flats = [one for one in conjuncts if isinstance(one, Flat) and constants(one.schema)]
        return None in (listed(flats, known.description, self.lowering.report) or ())

    def object_of(self, conjuncts: Sequence[Conjunct], site: Site) -> ir.Type | None:
        """Return what conjuncts say of an object, also where a name says as much."""
        bare = [less_choices(f) for f in self.lowering.conjuncts.flats(conjuncts, site.origin)]
        return self.shapes.type(bare, frozenset({"object"}), site)

    def _nothing(self, kinds: Kinds, conjuncts: Sequence[Conjunct], site: Origin) -> ir.Type | None:
        """Return the type where no value but perhaps null is left: by intent, or by conflict."""
        flats = self.lowering.conjuncts.flats(conjuncts, site)
        return ir.NEVER if kinds or any(is_false(flat.schema) for flat in flats) else None

    def _telling(self, conjuncts: Sequence[Conjunct], site: Site) -> list[Conjunct]:
        """Return the conjuncts less those that others imply."""
        known = self.lowering.conjuncts
        if len(conjuncts) == 1 and isinstance(conjuncts[0], Flat):
            return list(conjuncts)
        named = {one.target: one for one in conjuncts if isinstance(one, Named)}
        named.pop(site.origin, None)
        closures = {target: known.closure(target) for target in named}
        built = {target: c for target, c in closures.items() if site.origin not in c}
        for target in list(named):
            others = (built[other] for other in named if other != target and other in built)
            if any(target in closure for closure in others):
                del named[target]
        implied: set[Origin] = set()
        for target in named:
            implied |= built.get(target, frozenset())
        admitted = known.common(named.values()) - {"null"}
        flats = {
            one.origin: one
            for one in conjuncts
            if isinstance(one, Flat) and one.origin not in implied
        }
        kept: dict[Origin, Conjunct] = {}
        for one in conjuncts:
            if isinstance(one, Named):
                if one.target in named:
                    kept.setdefault(one.target, one)
            elif one.origin in flats and not (
                named and is_kind_only(one.schema) and admitted <= known.kinds(one)
            ):
                kept.setdefault(one.origin, one)
        return list(kept.values())

    def _once(self, conjuncts: Sequence[Conjunct], kinds: Kinds, site: Site) -> ir.Type | None:
        """Return the type of conjuncts, which may hold themselves: then they get a name."""
        if len(conjuncts) == 1:
            return self._joined(conjuncts, kinds, site)
        key = frozenset(identity(one) for one in conjuncts)
        if key in self._open:
            first, depth = self._open[key]
            if depth == self._depth:
                return ir.NEVER  # a branch that leads back to its own union adds nothing to it
            self._recursive.add(key)
            return ir.Ref(ir.TypeId(str(first.origin)))
        self._open[key] = (site, self._depth)
        found = self._joined(conjuncts, kinds, site)
        del self._open[key]
        if key in self._recursive:
            self._recursive.remove(key)
            return None if found is None else self.lowering.declare(found, site)
        return found

    def _joined(self, conjuncts: Sequence[Conjunct], kinds: Kinds, site: Site) -> ir.Type | None:
        """Return the type of several conjuncts, or of one that is no reference."""
        flats = self.lowering.conjuncts.flats(conjuncts, site.origin)
        if not any("oneOf" in flat.schema or "anyOf" in flat.schema for flat in flats):
            return self._plain(conjuncts, flats, kinds, site)
        found = [choice for flat in flats for choice in choices(flat)]
        if found and self._is_too_much(found):
            self._report_many(found)
            found = []
        if not found:
            return self._plain(conjuncts, [_wider(flat) for flat in flats], kinds, site)
        rest = self._opened(conjuncts, found[0], site.origin)
        return self._distributed(rest, found[0], site)

    def _is_too_much(self, found: Sequence[Choice]) -> bool:
        """Whether unions give more types than there is room for, here or with those around."""
        if len(found) > 1 and prod(len(choice.branches) for choice in found) > _MOST_PRODUCTS:
            return True
        further = len(found[0].branches) - 1
        return self._inside and not self.budget.combinations.takes(further)

    def _plain(
        self, conjuncts: Sequence[Conjunct], flats: Sequence[Flat], kinds: Kinds, site: Site
    ) -> ir.Type | None:
        """Return the type of conjuncts without a choice; ``flats`` are what they lead to."""
        if (name := self._sized(conjuncts, flats, site)) is not None:
            return name
        found = self.shapes.type(flats, kinds, site)
        return self._name_of(found, conjuncts, site) if found else None

    def _sized(
        self, conjuncts: Sequence[Conjunct], flats: Sequence[Flat], site: Site
    ) -> ir.Type | None:
        """Return the named object that a use only limits in the number of its properties.

        Such a limit has no place beside a name, and is no reason for a type of its own.
        """
        named = [one for one in conjuncts if isinstance(one, Named)]
        others = [one for one in conjuncts if isinstance(one, Flat)]
        if isinstance(site.place, ir.Component) or len(named) != 1:
            return None
        if not all(one.schema.keys() <= _SIZES for one in others):
            return None
        if not any("properties" in flat.schema for flat in flats):
            return None
        for flat in others:
            for keyword in flat.schema.keys() - KIND_ONLY:
                message = f"{keyword!r} beside the name of an object is not expressed"
                self.lowering.report.warning("unsupported-keyword", message, flat.origin / keyword)
        return self.use(named[0])

    def _name_of(self, found: ir.Type, conjuncts: Sequence[Conjunct], site: Site) -> ir.Type:
        """Return the name among conjuncts that lists the same constants, or the type itself."""
        known = self.lowering.conjuncts
        if not isinstance(found, ir.Literal):
            return found
        for one in conjuncts:
            if isinstance(one, Named):
                values = listed(
                    known.flats([one], site.origin), known.description, self.lowering.report
                )
                if values and [ir.constant(v) for v in values] == list(found.values):
                    return self.use(one)
        return found

    def _opened(
        self,
        conjuncts: Sequence[Conjunct],
        choice: Choice,
        site: Origin,
        passed: frozenset[Origin] = frozenset(),
    ) -> list[Conjunct]:
        """Return conjuncts less a choice; the names that it stands behind are followed, once."""
        known = self.lowering.conjuncts
        opened: list[Conjunct] = []
        for one in conjuncts:
            if isinstance(one, Flat):
                is_choice = one.origin == choice.flat.origin
                rest = one.without(choice.keyword, "discriminator") if is_choice else one
                opened += [rest] if rest.schema else []
            elif one.target in passed:
                continue
            elif any(flat.origin == choice.flat.origin for flat in known.flats([one], site)):
                inside = passed | {one.target}
                opened += self._opened(known.part(one), choice, site, inside)
            else:
                opened.append(one)
        return opened

    def _distributed(self, rest: Sequence[Conjunct], choice: Choice, site: Site) -> ir.Type | None:
        """Return the union of what each branch is together with the rest."""
        branches: list[Branch] = []
        sole = sum(not keywords.is_null(branch) for branch in choice.branches) == 1
        nullable = "null" in self.lowering.conjuncts.common(rest)
        for index, schema in enumerate(choice.branches):
            if keywords.is_null(schema):
                branches.append(Branch(schema, choice.origin / index, ir.NULL))
                continue
            at = self._site(choice, index, schema, site, bool(rest), sole)
            found = self._branch(schema, choice.origin / index, rest, at)
            if found is not None:
                branches.append(Branch(schema, choice.origin / index, found))
        found_types = [b.type for b in branches if nullable or b.type != ir.NULL]
        if not found_types:
            return None
        written = choice.flat.schema.get("discriminator")
        if written is None:
            return union(found_types)
        at_discriminator = choice.flat.origin / "discriminator"
        return self.discriminators.union(found_types, branches, written, at_discriminator)

    def _branch(
        self, schema: object, origin: Origin, rest: Sequence[Conjunct], site: Site
    ) -> ir.Type | None:
        """Return the type of a branch together with the rest; None, reported, if there is none."""
        if not rest:
            return self.lowering.lower(schema, origin, site.place)
        conjuncts = [*rest, *self.lowering.conjuncts.apart(schema, origin)]
        around, self._inside = self._inside, True
        found = None if self._is_excluded(conjuncts, site.origin) else self._type(conjuncts, site)
        self._inside = around
        if found is not None:
            return found
        beside = [c for c in rest if isinstance(c, Flat) and c.origin == places.above(origin, 2)]
        if len(beside) < len(rest):
            return None  # narrowing a union down is what the rest is there for
        only_kind = all(is_kind_only(one.schema) for one in beside)
        message = "this branch excludes what stands beside the union, and is " + (
            "followed all the same" if only_kind else "left out"
        )
        self.lowering.report.warning("excluded-branch", message, origin, places.above(origin, 2))
        return self.lowering.lower(schema, origin, site.place) if only_kind else None

    def _is_excluded(self, conjuncts: Sequence[Conjunct], site: Origin) -> bool:
        """Whether no constant of a property is left, which then tells one kind from another."""
        known = self.lowering.conjuncts
        declared: dict[str, list[Conjunct]] = {}
        for flat in known.flats(conjuncts, site):
            at = flat.origin / "properties"
            for name, schema in node(flat.schema.get("properties")).items():
                declared.setdefault(name, []).extend(known.apart(schema, at / name))
        several = (each for each in declared.values() if len(each) > 1)
        stated = (known.flats(each, site) for each in several)
        return any(listed(f, known.description, self.lowering.report) == [] for f in stated)

    def _site(
        self, choice: Choice, index: int, schema: object, site: Site, joined: bool, sole: bool
    ) -> Site:
        """Return where a branch is declared, should it need a declaration of its own."""
        if sole:
            return site
        at = choice.flat.origin
        if not places.is_within(at, site.origin):
            at = site.origin / (at.tokens or (at.uri,))[-1]
        at = at / choice.keyword / index
        target = self.lowering.conjuncts.target_of(schema, choice.origin / index)
        about = (schema, *site.about)
        if target is None:
            place = places.of_branch(site.place, site.origin, schema, index)
        else:
            part = target.tokens[-1] if target.tokens else target.uri
            place = places.of_part(site.place, site.origin, part, None)
            written = self.lowering.conjuncts.description.lookup(target)
            about = (schema, written, *site.about)
        return Site(at, place, about)

    def _report_many(self, several: Sequence[Choice]) -> None:
        for choice in several:
            self.lowering.report.warning(
                "unsupported-keyword",
                f"{choice.keyword!r} together with other unions gives too many combinations; "
                "what its branches add is kept as it comes",
                choice.origin,
            )


def _wider(flat: Flat) -> Flat:
    """Return a schema without its unions, and without what depends on their branches."""
    return less_choices(flat).without("unevaluatedItems", "unevaluatedProperties")
