"""Schemas taken apart: what a schema says is what all of its conjuncts say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ..description.load import Description
from ..diagnostics import Origin, Report
from . import keywords
from .circles import Circles
from .dynamic import DynamicAnchors
from .kinds import NOTHING, Kinds, stated
from .nodes import Node, is_node, items, node
from .vocabulary import ALL, TELLING

CHOICES: Final = ("oneOf", "anyOf")
"""The keywords of unions; both decode alike (JSON Schema Core §10.2.1)."""


@dataclass(frozen=True, slots=True)
class Named:
    """A use of a schema that stands elsewhere; ``at`` is where the reference is written.

    ``nullable`` says that null is admitted whatever else the conjunct says.
    """

    target: Origin
    at: Origin
    nullable: bool = False


@dataclass(frozen=True, slots=True)
class Flat:
    """A schema less its references and its ``allOf``."""

    schema: Node
    origin: Origin
    nullable: bool = False

    def without(self, *dropped: str) -> Flat:
        """Return the conjunct less some keywords."""
        if self.schema.keys().isdisjoint(dropped):
            return self
        return replace(self, schema={k: v for k, v in self.schema.items() if k not in dropped})


Conjunct = Named | Flat

NEVER: Final[Node] = {"not": {}}
"""The schema ``false``, as an object."""


@dataclass(slots=True)
class Conjuncts:
    """Takes the schemas of one description apart; each is looked at once."""

    description: Description
    report: Report
    _circles: Circles = field(init=False)
    _dynamic: DynamicAnchors = field(init=False)
    _apart: dict[Origin, tuple[Conjunct, ...]] = field(
        default_factory=dict[Origin, tuple[Conjunct, ...]]
    )
    _built_on: dict[Named, tuple[Conjunct, ...]] = field(
        default_factory=dict[Named, tuple[Conjunct, ...]]
    )
    _kinds: dict[Origin, Kinds] = field(default_factory=dict[Origin, Kinds])
    _closures: dict[Origin, frozenset[Origin]] = field(
        default_factory=dict[Origin, frozenset[Origin]]
    )

    def __post_init__(self) -> None:
        self._circles = Circles(self.description, self.report)
        self._dynamic = DynamicAnchors(self.description)

    def apart(self, schema: object, origin: Origin) -> tuple[Conjunct, ...]:
        """Return the conjuncts of a schema in their order; none where it says nothing.

        Null that is written beside other things is meant to be admitted by the whole: OpenAPI
        3.0 has no other way to say that a reference may be null.
        """
        known = self._apart.get(origin)
        if known is None:
            found, nullable = self._parts(schema, origin)
            if nullable:
                found = [replace(one, nullable=True) for one in found]
            known = self._apart[origin] = tuple(found)
        return known

    def of(self, named: Named) -> tuple[Conjunct, ...]:
        """Return the conjuncts of what a reference leads to."""
        found = self.apart(self.description.lookup(named.target), named.target)
        return tuple(replace(one, nullable=True) for one in found) if named.nullable else found

    def _parts(self, schema: object, origin: Origin) -> tuple[list[Conjunct], bool]:
        """Return the conjuncts of a schema, and whether null is admitted beside them."""
        if isinstance(schema, bool):
            return ([] if schema else [Flat(NEVER, origin)]), False
        if not is_node(schema):
            message = "a schema is an object or a boolean; any value is accepted here"
            self.report.warning("invalid-schema", message, origin)
            return [], False
        written = node(schema)
        keywords.report_ignored(written, origin, self.report)
        found: list[Conjunct] = []
        nullable = keywords.nullable(written)
        if (keyword := keywords.reference(written)) is not None:
            at = origin / keyword
            target = self._target(written, keyword, at)
            found += [] if target is None else [Named(target, at)]
            if not self.description.joins_siblings:
                keywords.report_siblings(written, origin, self.report)
                return found, nullable
        for index, branch in enumerate(items(written.get("allOf"))):
            inner, admits_null = self._parts(branch, origin / "allOf" / index)
            if not inner:  # a branch of prose, which speaks of the whole
                nullable = nullable or admits_null
            found += [replace(one, nullable=True) for one in inner] if admits_null else inner
        own = {k: v for k, v in written.items() if k in TELLING}
        if own:
            nullable = nullable or self._names_null(own, beside=bool(found))
            found.append(Flat(own, origin))
        return found, nullable

    def _names_null(self, own: Node, beside: bool) -> bool:
        """Return whether a schema lists null, and then says more that is not about null."""
        if "null" in items(own.get("type")) and (beside or own.keys() & {*CHOICES, "enum"}):
            return True
        branches = [branch for keyword in CHOICES for branch in items(own.get(keyword))]
        more = beside or bool(own.keys() - {*CHOICES})
        return more and any(keywords.is_null(branch) for branch in branches)

    def _target(self, schema: Node, keyword: str, at: Origin) -> Origin | None:
        """Return what a reference leads to; None, reported, where that is nothing."""
        ref = schema[keyword]
        if not isinstance(ref, str):
            self.report.error("invalid-reference", "a reference is a string", at)
            return None
        if keyword == "$recursiveRef":
            return self._recursive(at)
        target = self.description.target(ref, at, self.report)
        if target is None:
            return None
        if keyword == "$dynamicRef" and self._dynamic.is_ambiguous(target, at):
            message = (
                "what this reference leads to depends on the way to it, since several schemas have "
                "the dynamic anchor; any value is accepted here"
            )
            self.report.warning("unsupported-keyword", message, at)
            return None
        return None if self._circles.leads_on(target, at) else target

    def target_of(self, schema: object, origin: Origin) -> Origin | None:
        """Return what a schema leads to that is a reference and nothing else."""
        found = self.apart(schema, origin)
        return found[0].target if len(found) == 1 and isinstance(found[0], Named) else None

    def _recursive(self, at: Origin) -> Origin | None:
        """Return the schema around a place that marks itself as the target of recursion.

        (JSON Schema 2019-09, Core §8.2.4.2.)
        """
        found, value = None, self.description.lookup(Origin(at.uri))
        here = Origin(at.uri)
        for token in at.tokens[:-1]:
            here /= token
            value = self.description.lookup(here)
            if node(value).get("$recursiveAnchor") is True and found is None:
                found = here
        if found is None:
            message = (
                "no schema around this reference has '$recursiveAnchor: true'; "
                "any value is accepted here"
            )
            self.report.warning("unsupported-keyword", message, at)
        return found

    def flats(self, conjuncts: Iterable[Conjunct], site: Origin) -> list[Flat]:
        """Return what conjuncts say with all references followed, each place once.

        ``site`` is where the conjunction stands: a reference back to it says nothing new.
        """
        found: dict[Origin, Flat] = {}
        self._follow(conjuncts, found, {site})
        return list(found.values())

    def _follow(
        self, conjuncts: Iterable[Conjunct], found: dict[Origin, Flat], passed: set[Origin]
    ) -> None:
        for one in conjuncts:
            if isinstance(one, Flat):
                found.setdefault(one.origin, one)
            elif one.target not in passed:
                passed.add(one.target)
                self._follow(self.part(one), found, passed)

    def part(self, named: Named) -> tuple[Conjunct, ...]:
        """Return the conjuncts of a schema as another is built on it.

        A union whose branches are built on the schema that it stands in lists what that schema
        may be. It says nothing about those branches themselves.
        """
        known = self._built_on.get(named)
        if known is None:
            base = named.target
            known = self._built_on[named] = tuple(
                one.without(*self._lists_subtypes(one, base)) if isinstance(one, Flat) else one
                for one in self.of(named)
            )
        return known

    def is_listed(self, origin: Origin) -> bool:
        """Whether a schema is a branch of the union in what it is built on."""
        return any(
            self.target_of(branch, flat.origin / keyword / index) == origin
            for base in self.apart(self.description.lookup(origin), origin)
            if isinstance(base, Named)
            for flat in self.of(base)
            if isinstance(flat, Flat)
            for keyword in CHOICES
            for index, branch in enumerate(items(flat.schema.get(keyword)))
        )

    def _lists_subtypes(self, flat: Flat, base: Origin) -> list[str]:
        return [k for k in CHOICES if any(base in c for c in self._branch_closures(flat, k))]

    def _branch_closures(self, flat: Flat, keyword: str) -> Iterator[frozenset[Origin]]:
        for index, branch in enumerate(items(flat.schema.get(keyword))):
            for one in self.apart(branch, flat.origin / keyword / index):
                if isinstance(one, Named):
                    yield self.closure(one.target)

    def closure(self, origin: Origin) -> frozenset[Origin]:
        """Return the places of all that a schema is built on by references and ``allOf``.

        The schema itself is among them.
        """
        if origin not in self._closures:
            found = {origin}
            pending = [origin]
            while pending:
                at = pending.pop()
                for one in self.apart(self.description.lookup(at), at):
                    place = one.origin if isinstance(one, Flat) else one.target
                    if place not in found:
                        found.add(place)
                        pending += [] if isinstance(one, Flat) else [place]
            self._closures[origin] = frozenset(found)
        return self._closures[origin]

    def kinds(self, one: Conjunct) -> Kinds:
        """Return the kinds of JSON value that a conjunct admits."""
        if isinstance(one, Named):
            found = self._kinds_at(one.target)
        else:
            found = stated(one.schema)
            for keyword in CHOICES:
                if branches := items(one.schema.get(keyword)):
                    found &= self._kinds_of_any(branches, one.origin / keyword)
        return found | {"null"} if one.nullable else found

    def _kinds_at(self, origin: Origin) -> Kinds:
        if origin not in self._kinds:
            self._kinds[origin] = ALL  # what depends on itself is not narrowed by that
            self._kinds[origin] = self.common(self.apart(self.description.lookup(origin), origin))
        return self._kinds[origin]

    def _kinds_of_any(self, branches: Sequence[object], at: Origin) -> Kinds:
        found = NOTHING
        for index, branch in enumerate(branches):
            null: Kinds = frozenset({"null"} if keywords.is_null(branch) else ())
            found |= null or self.common(self.apart(branch, at / index))
        return found

    def common(self, conjuncts: Iterable[Conjunct]) -> Kinds:
        """Return the kinds of JSON value that all of the conjuncts admit."""
        found = ALL
        for one in conjuncts:
            found &= self.kinds(one)
        return found
