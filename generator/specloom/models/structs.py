"""Which unions msgspec can tell apart, and what the others become.

Its structs are read without trial: of several in a union, each needs one tag of its own, and of
dictionaries, lists and kinds of text a union holds one (msgspec, Usage, Supported Types).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

from .. import ir
from ..lower.unions import union
from .tags import unions

Kind = Literal["object", "list", "text", "other"]
_SEVERAL: tuple[Kind, ...] = ("object", "list", "text")
_Tag = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Structs:
    """What msgspec makes of the types of an API.

    ``tagged`` are the unions whose structs have a tag each; ``formats`` those of text that is no
    plain text to msgspec.
    """

    types: Mapping[ir.TypeId, ir.Declaration]
    tagged: frozenset[ir.Union]
    formats: frozenset[str]

    @classmethod
    def of(cls, api: ir.Api, formats: frozenset[str]) -> Structs:
        """Find the unions whose structs can be tagged: no struct can have two tags.

        datamodel-code-generator tags those of unions that hold nothing else but null.
        """
        tagged_by = {
            u: tags for d in api.types.values() for u in unions(d) if (tags := _tags(u, api))
        }
        found: dict[ir.TypeId, set[_Tag]] = {}
        for tags in tagged_by.values():
            for target, tag in tags.items():
                found.setdefault(target, set()).add(tag)
        clear = {target for target, several in found.items() if len(several) == 1}
        candidates = {u: tags for u, tags in tagged_by.items() if tags.keys() <= clear}
        tagged = {target for u, tags in candidates.items() if _is_pure(u) for target in tags}
        fine = frozenset(u for u, tags in candidates.items() if tags.keys() <= tagged)
        return cls(api.types, fine, formats)

    def decodable(self, type_: ir.Union) -> ir.Type:
        """Return a union, its members that cannot be told apart in one that holds them all."""
        members = type_.members
        several = self._too_many(members, type_ in self.tagged)
        if not several:
            return type_
        while True:
            members = tuple(part for m in members for part in self._parts(m, several))
            found = several | self._too_many(members, tagged="object" not in several)
            if found == several:
                break
            several = found
        kept = [m for m in members if next(self._kinds(m)) not in several]
        others = [m for m in members if next(self._kinds(m)) in several]
        return union([*self._merged(others, several), *kept])

    def _too_many(self, members: Sequence[ir.Type], tagged: bool) -> set[Kind]:
        """Return of which kinds there is more than one member, and nothing to tell them apart."""
        found: set[Kind] = set()
        for kind in _SEVERAL:
            holders = [m for m in members if kind in self._kinds(m)]
            if len(holders) > 1 and not (kind == "object" and tagged):
                leaves = [leaf for m in holders for leaf in self._leaves(m, frozenset())]
                if kind != "text" or any(map(self._is_special, leaves)):
                    found.add(kind)
        return found

    def _parts(self, member: ir.Type, several: set[Kind]) -> Iterator[ir.Type]:
        """Yield the parts of a member that holds some of these kinds among others."""
        if several & set(self._kinds(member)):
            yield from self._leaves(member, frozenset())
        else:
            yield member

    def _merged(self, members: list[ir.Type], several: set[Kind]) -> Iterator[ir.Type]:
        """Yield one type for all members of each kind."""
        if "object" in several:
            yield ir.Map(ir.UNKNOWN)
        if "list" in several:
            item = union(item for member in members for item in _items(member))
            mixed = isinstance(item, ir.Union) and self._too_many(item.members, item in self.tagged)
            yield ir.Array(ir.UNKNOWN if mixed else item)
        if "text" in several:
            yield ir.Primitive("string")

    def _is_special(self, type_: ir.Type) -> bool:
        return isinstance(type_, ir.Primitive) and type_.format in self.formats

    def _kinds(self, type_: ir.Type) -> Iterator[Kind]:
        return (_kind(leaf) for leaf in self._leaves(type_, frozenset()))

    def _leaves(self, type_: ir.Type, open_: frozenset[ir.TypeId]) -> Iterator[ir.Type]:
        """Yield the members of a type that are no unions, also through aliases."""
        match type_:
            case ir.Union(members):
                for member in members:
                    yield from self._leaves(member, open_)
            case ir.Ref(target):
                declared = self.types[target]
                if isinstance(declared, ir.Model):
                    yield type_
                elif target in open_:
                    yield ir.UNKNOWN
                else:
                    yield from self._leaves(declared.type, open_ | {target})
            case _:
                yield type_

    def circles(self, alias: ir.Alias, target: ir.TypeId) -> bool:
        """Whether a type that an alias mentions leads back to it through nothing but aliases."""
        seen: set[ir.TypeId] = set()
        pending = [target]
        while pending:
            id_ = pending.pop()
            declared = self.types[id_]
            if id_ == alias.id:
                return True
            if id_ not in seen and isinstance(declared, ir.Alias):
                seen.add(id_)
                pending.extend(ir.references(declared.type))
        return False


def _kind(leaf: ir.Type) -> Kind:
    """Return what a value of a type looks like to msgspec; a reference is one to a struct."""
    match leaf:
        case ir.Ref() | ir.Map():
            return "object"
        case ir.Array() | ir.Tuple():
            return "list"
        case ir.Primitive("string"):
            return "text"
        case ir.Literal(values):
            return "text" if any(isinstance(ir.value_of(v), str) for v in values) else "other"
        case ir.Primitive() | ir.Union() | ir.Unknown() | ir.Never():
            return "other"
        case _:
            assert_never(leaf)


def _items(leaf: ir.Type) -> Iterator[ir.Type]:
    """Yield the types of what a list may hold."""
    match leaf:
        case ir.Array(item):
            yield item
        case ir.Tuple(places, rest):
            yield from places
            if rest != ir.NEVER:
                yield rest
        case _:
            return


def _is_pure(type_: ir.Union) -> bool:
    """Whether a union holds references alone, and null."""
    return all(isinstance(member, ir.Ref) or member == ir.NULL for member in type_.members)


def _tags(type_: ir.Union, api: ir.Api) -> Mapping[ir.TypeId, _Tag]:
    """Return the tag of each struct of a union; nothing if one has none, or several."""
    if type_.tagging is None or any(isinstance(m, ir.Map) for m in type_.members):
        return {}
    if isinstance(type_.tagging, ir.Discriminated) and type_.tagging.fallback is not None:
        return {}  # one struct would have any tag
    tags: dict[ir.TypeId, _Tag] = {}
    for target in (m.target for m in type_.members if isinstance(m, ir.Ref)):
        values = [value for value, selected in type_.tagging.members if selected == target]
        declared = api.types[target]
        if len(values) != 1 or not isinstance(declared, ir.Model):
            return {}
        if not _admits(declared, type_.tagging.property, values[0]):
            return {}
        tags[target] = (type_.tagging.property, values[0])
    return tags


def _admits(model: ir.Model, name: str, value: str) -> bool:
    """Whether a property can be the tag of a struct: any text, or this constant alone."""
    types = [prop.type for prop in model.properties if prop.name == name]
    alone = ir.Literal((ir.constant(value),))
    return all(t == alone or (isinstance(t, ir.Primitive) and t.kind == "string") for t in types)
