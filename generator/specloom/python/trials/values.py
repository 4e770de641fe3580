"""Sample values: of each type one, the same in every run, with what is required and little else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import ceil, floor
from typing import Literal, TypeGuard, assert_never

from ... import ir
from .texts import sample_text

Types = Mapping[ir.TypeId, ir.Declaration]

_FEW = 3
"""How many properties an object has of which none is required."""
_DEEPEST = 12
_DEEP = 40
_MOST = 1000
"""How many values one may hold; there are types of which the smallest value holds millions."""


class Impossible(Exception):
    """No value of a type was found; perhaps there is none."""


def is_object(value: object) -> TypeGuard[dict[str, object]]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[object]]:
    """Whether a JSON value is a list."""
    return isinstance(value, list)


@dataclass(slots=True)
class _Spent:
    """How many values the one in hand holds so far, and how many of them are around the next."""

    count: int = 0
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Samples:
    """Makes values as they are sent or received; ``examples`` are those that are what they say."""

    types: Types
    examples: Mapping[str, tuple[ir.Example, ...]]
    direction: Literal["read", "write"]
    _within: tuple[ir.TypeId, ...] = field(default=())
    _spent: _Spent = field(default_factory=_Spent)

    def value(self, type_: ir.Type, purpose: str = "") -> object:
        """Return a JSON value of a type; ``purpose`` says what it is for, in a word.

        Raises Impossible.
        """
        spent = self._spent
        if not spent.depth:
            spent.count = 0
        spent.count += 1
        if spent.count > _MOST or spent.depth > _DEEP:
            raise Impossible
        spent.depth += 1
        try:
            return self._value(type_, purpose)
        finally:
            spent.depth -= 1

    def _value(self, type_: ir.Type, purpose: str) -> object:
        match type_:
            case ir.Primitive():
                return self._scalar(type_, purpose)
            case ir.Literal(values):
                listed = [ir.value_of(value) for value in values]
                return next((value for value in listed if value is not None), None)
            case ir.Array(item, constraints):
                return self._listed(item, constraints, purpose)
            case ir.Tuple(places, rest, constraints):
                found = [self.value(place, f"{purpose}{n}") for n, place in enumerate(places, 1)]
                more = _count(constraints, "minItems", 0) - len(found)
                return found + [self.value(rest, purpose) for _ in range(more)]
            case ir.Map(value, constraints):
                return self._mapped(value, constraints)
            case ir.Union():
                return self._one_of(type_, purpose)
            case ir.Ref(target):
                return self._named(target, purpose)
            case ir.Unknown():
                return purpose or "anything"
            case ir.Never():
                raise Impossible
            case _:
                assert_never(type_)

    def pair(self, type_: ir.Type, purpose: str) -> list[object] | None:
        """Return a list with two different items, where a type has such a list."""
        match type_:
            case ir.Array(item):
                found = [self.value(item, purpose), self.value(item, f"{purpose}2")]
                distinct = _distinct(item, self.types)
                found = distinct[:2] if len(distinct) > 1 else found
                return found if found[0] != found[1] else None
            case ir.Ref(target) if isinstance(declared := self.types[target], ir.Alias):
                return self.pair(declared.type, purpose)
            case ir.Union(members):
                return next((two for m in members if (two := self.pair(m, purpose))), None)
            case _:
                return None

    def properties(self, model: ir.Model) -> Iterator[ir.Property]:
        """Yield the properties that a sample of a model has, if values for them are found."""
        there = [p for p in model.properties if p.access in ("both", self.direction)]
        required = [p for p in there if p.required]
        yield from required or [p for p in there if not p.deprecated][:_FEW]

    def of_property(self, prop: ir.Property) -> object:
        """Return the value of a property: an example, if there is one. Raises Impossible."""
        for example in self.examples.get(str(prop.origin), ()):
            return ir.value_of(example.value)
        return self.value(prop.type, prop.name)

    def _scalar(self, type_: ir.Primitive, purpose: str) -> object:
        chosen = dict(type_.constraints).get("enum")
        if chosen is not None:
            return ir.value_of(chosen)[0]
        match type_.kind:
            case "string":
                return sample_text(type_, purpose)
            case "integer":
                return _number(type_, 1)
            case "number":
                return _number(type_, 1.5)
            case "boolean":
                return True
            case "null":
                return None
            case _:
                assert_never(type_.kind)

    def _listed(self, item: ir.Type, constraints: ir.Constraints, purpose: str) -> list[object]:
        chosen = dict(constraints).get("enum")
        if chosen is not None:
            listed: list[list[object]] = ir.value_of(chosen)
            return listed[0]
        least = _count(constraints, "minItems", 0)
        if _count(constraints, "maxItems", 1) == 0:
            return []
        try:
            found = [self.value(item, purpose)]
        except Impossible:
            if least == 0:
                return []
            raise
        distinct = _distinct(item, self.types)
        while len(found) < least:
            number = len(found) + 1
            following = self.value(item, f"{purpose}{number}")
            found.append(distinct[number - 1] if number <= len(distinct) else following)
        return found

    def _mapped(self, value: ir.Type, constraints: ir.Constraints) -> dict[str, object]:
        if constraints and "minProperties" not in dict(constraints):
            return {}
        least = max(_count(constraints, "minProperties", 1), 1)
        names = ["key", *(f"key{number}" for number in range(2, least + 1))]
        try:
            return {name: self.value(value, f"value of {name}") for name in names}
        except Impossible:
            return {}

    def _one_of(self, union: ir.Union, purpose: str) -> object:
        """Return a value of the first member that has one, null last."""
        tags = {} if union.tagging is None else {t: v for v, t in reversed(union.tagging.members)}
        for member in union.members:
            try:
                found = self.value(member, purpose)
            except Impossible:
                continue
            if isinstance(member, ir.Ref) and member.target in tags and is_object(found):
                return self._tagged(member.target, union, tags[member.target], found)
            return found
        raise Impossible

    def _tagged(
        self, target: ir.TypeId, union: ir.Union, tag: str, found: Mapping[str, object]
    ) -> dict[str, object]:
        """Return an object that says by its tag which member of a union it is."""
        declared, tagging = self.types[target], union.tagging
        name = "" if tagging is None else tagging.property
        properties = declared.properties if isinstance(declared, ir.Model) else ()
        constant = any(p.name == name and isinstance(p.type, ir.Literal) for p in properties)
        if constant and name in found:
            return dict(found)
        return {name: tag, **{k: v for k, v in found.items() if k != name}}

    def _named(self, target: ir.TypeId, purpose: str) -> object:
        declared = self.types[target]
        if target in self._within or len(self._within) > _DEEPEST:
            raise Impossible
        for example in self.examples.get(str(declared.origin), ()):
            return ir.value_of(example.value)
        inside = replace(self, _within=(*self._within, target))
        match declared:
            case ir.Alias():
                return inside.value(declared.type, purpose)
            case ir.Model():
                return inside.object(declared)
            case _:
                assert_never(declared)

    def object(self, model: ir.Model) -> dict[str, object]:
        """Return an object with what is required. Raises Impossible."""
        found: dict[str, object] = {}
        for prop in self.properties(model):
            try:
                found[prop.name] = self.of_property(prop)
            except Impossible:
                if prop.required:
                    raise
        return found


def _number(type_: ir.Primitive, usual: float) -> object:
    """Return a number within the limits of a type."""
    limits = {keyword: ir.value_of(value) for keyword, value in type_.constraints}
    step = limits.get("multipleOf") or (1 if type_.kind == "integer" else 0)
    least, most = limits.get("minimum"), limits.get("maximum")
    nudge = step or 0.5
    above, below = limits.get("exclusiveMinimum"), limits.get("exclusiveMaximum")
    if isinstance(above, int | float):
        least = above + nudge if least is None else max(least, above + nudge)
    if isinstance(below, int | float):
        most = below - nudge if most is None else min(most, below - nudge)
    found = usual
    if least is not None and found < least:
        found = least
    if most is not None and found > most:
        found = most
    if step:
        found = ceil(found / step) * step
        if most is not None and found > most:
            found = floor(most / step) * step
    return int(found) if type_.kind == "integer" or found == int(found) else found


def _distinct(item: ir.Type, types: Types) -> list[object]:
    """Return values that an item can be of which no two are equal, where these are listed."""
    match item:
        case ir.Literal(values):
            return [ir.value_of(value) for value in values]
        case ir.Primitive("integer"):
            return [n for n in range(1, 100)]
        case ir.Ref(target) if isinstance(declared := types[target], ir.Alias):
            return _distinct(declared.type, types)
        case _:
            return []


def _count(constraints: ir.Constraints, keyword: str, default: int) -> int:
    value = dict(constraints).get(keyword)
    number = default if value is None else ir.value_of(value)
    return min(int(number), 100) if isinstance(number, int | float) else default
