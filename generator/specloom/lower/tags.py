"""Tags: how the object members of a union are told apart, once all types are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from .. import ir
from .unions import union, without_null

Types = Mapping[ir.TypeId, ir.Declaration]
_Constants = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Tags:
    """Tags the unions among the types of one description."""

    types: Types
    _known: dict[ir.TypeId, _Constants] = field(default_factory=dict[ir.TypeId, _Constants])

    def tagged(self, type_: ir.Type) -> ir.Type:
        """Return a type whose unions are tagged where their members allow it.

        A discriminator selects models: names of unions among the members give way to what they
        stand for. Without one, all members must be objects (other kinds of JSON value aside), and
        share a required property whose values are constants of which no two have one in common.
        """
        match type_:
            case ir.Array(item, constraints):
                inner = self.tagged(item)
                return type_ if inner is item else ir.Array(inner, constraints)
            case ir.Tuple(places, rest, constraints):
                inside = tuple(self.tagged(place) for place in places)
                return ir.Tuple(inside, self.tagged(rest), constraints)
            case ir.Map(value, constraints):
                inner = self.tagged(value)
                return type_ if inner is value else ir.Map(inner, constraints)
            case ir.Union(members, tagging):
                union_ = ir.Union(tuple(self.tagged(member) for member in members), tagging)
                return (
                    self._inferred(union_) if tagging is None else self._selecting(union_, tagging)
                )
            case ir.Primitive() | ir.Literal() | ir.Ref() | ir.Unknown() | ir.Never():
                return type_
            case _:
                assert_never(type_)

    def _selecting(self, type_: ir.Union, tagging: ir.Tagging) -> ir.Type:
        """Return a union whose tag selects models only."""
        pairs: dict[str, ir.TypeId] = {}
        for value, target in tagging.members:
            pairs[value] = self._selected(target, tagging.property, value)
        kept = set(pairs.values())
        members = [self._flat(m, frozenset()) if not _is(m, kept) else [m] for m in type_.members]
        flat = union(member for each in members for member in each)
        for target in self._models(flat):
            for value in self._constants(target).get(tagging.property, ()):
                pairs.setdefault(value, target)
        if not isinstance(flat, ir.Union):
            return flat
        tagging = replace(tagging, members=tuple(pairs.items()))
        if isinstance(tagging, ir.Discriminated) and tagging.fallback is None:
            bare = any(self._does_without(each, tagging.property) for each in pairs.values())
            tagging = replace(tagging, optional=bare)
        return replace(flat, tagging=tagging)

    def _does_without(self, target: ir.TypeId, name: str) -> bool:
        """Whether some model that a type stands for need not have a property."""
        models = self._models(union(self._flat(ir.Ref(target), frozenset())))
        return any(name not in self._demanded(model) for model in models)

    def _demanded(self, target: ir.TypeId) -> set[str]:
        """Return the names of the properties that values of a model have, other than null."""
        declared = self.types[target]
        properties = declared.properties if isinstance(declared, ir.Model) else ()
        return {p.name for p in properties if p.required and without_null(p.type) == p.type}

    def _selected(self, target: ir.TypeId, name: str, value: str) -> ir.TypeId:
        """Return the one model that a value selects, should it select a union of models."""
        models = list(self._models(union(self._flat(ir.Ref(target), frozenset()))))
        fitting = [m for m in models if value in self._constants(m).get(name, ())]
        chosen = fitting if len(models) > 1 else models
        return chosen[0] if len(chosen) == 1 else target

    def _inferred(self, type_: ir.Union) -> ir.Type:
        if len(type_.members) - (ir.NULL in type_.members) < 2:
            return type_
        flat = union(m for member in type_.members for m in self._flat(member, frozenset()))
        for candidate in (type_, flat):
            if isinstance(candidate, ir.Union) and candidate.tagging is None:
                tagging = self._inferred_tagging(candidate)
                if tagging is not None:
                    return replace(candidate, tagging=tagging)
        return type_

    def _inferred_tagging(self, type_: ir.Union) -> ir.Inferred | None:
        refs = [m.target for m in type_.members if isinstance(m, ir.Ref)]
        objects = [r for r in refs if self._is_object(r)]
        if len(objects) < 2 or any(isinstance(m, ir.Map) for m in type_.members):
            return None  # an object of any keys could carry any tag
        constants = {each: self._constants(each) for each in objects}
        for name in constants[objects[0]]:
            pairs = [(value, o) for o, each in constants.items() for value in each.get(name, ())]
            covered = {id_ for _, id_ in pairs}
            if len(covered) == len(objects) and len(dict(pairs)) == len(pairs):
                return ir.Inferred(name, tuple(pairs))
        return None

    def _is_object(self, target: ir.TypeId) -> bool:
        """Whether a named type has objects among its values: it is not a list, nor a scalar."""
        declared = self.types[target]
        if isinstance(declared, ir.Model):
            return True
        return not isinstance(declared.type, ir.Array | ir.Tuple | ir.Literal | ir.Primitive)

    def _flat(self, member: ir.Type, passed: frozenset[ir.TypeId]) -> list[ir.Type]:
        """Return the members that a member stands for, where it is the name of a union."""
        if isinstance(member, ir.Ref) and member.target not in passed:
            declared = self.types[member.target]
            if isinstance(declared, ir.Alias) and isinstance(declared.type, ir.Union):
                inside = passed | {member.target}
                return [m for each in declared.type.members for m in self._flat(each, inside)]
        return [member]

    def _models(self, type_: ir.Type) -> Iterator[ir.TypeId]:
        members = type_.members if isinstance(type_, ir.Union) else (type_,)
        for member in members:
            if isinstance(member, ir.Ref) and isinstance(self.types[member.target], ir.Model):
                yield member.target

    def _constants(self, target: ir.TypeId) -> _Constants:
        """Return the required properties of a model that are texts of a few, with these texts."""
        if target not in self._known:
            declared = self.types[target]
            properties = declared.properties if isinstance(declared, ir.Model) else ()
            self._known[target] = {
                p.name: values for p in properties if p.required and (values := _texts(p.type))
            }
        return self._known[target]


def _texts(type_: ir.Type) -> tuple[str, ...]:
    """Return the constants of a type if they are texts, every one of them."""
    if not isinstance(type_, ir.Literal):
        return ()
    values = [ir.value_of(value) for value in type_.values]
    texts = tuple(value for value in values if isinstance(value, str))
    return texts if len(texts) == len(values) else ()


def _is(member: ir.Type, targets: set[ir.TypeId]) -> bool:
    return isinstance(member, ir.Ref) and member.target in targets
