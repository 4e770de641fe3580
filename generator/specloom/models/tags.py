"""The unions of an API, and tags as classes can state them: each class has its tags once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from .. import ir


def unions(declared: ir.Declaration) -> Iterator[ir.Union]:
    """Yield the unions that a declaration holds, at any depth."""
    for direction in ("read", "write"):
        for type_ in ir.held(declared, direction):
            yield from _inside(type_)


def selected(tagging: ir.Tagging) -> Iterator[ir.TypeId]:
    """Yield the types that the tags of a union select."""
    yield from (target for _, target in tagging.members)
    if isinstance(tagging, ir.Discriminated) and tagging.fallback is not None:
        yield tagging.fallback


@dataclass(frozen=True, slots=True)
class Tags:
    """By which tags each type is selected, in all unions: by property and type."""

    known: Mapping[tuple[str, ir.TypeId], Mapping[str, None]]

    @classmethod
    def of(cls, api: ir.Api) -> Tags:
        """Find the tags of an API."""
        found: dict[tuple[str, ir.TypeId], dict[str, None]] = {}
        for declared in api.types.values():
            for tagging in (union.tagging for union in unions(declared)):
                if tagging is not None:
                    for tag, target in tagging.members:
                        found.setdefault((tagging.property, target), {})[tag] = None
        return cls(found)

    def shared(self, tagging: ir.Tagging) -> ir.Tagging | None:
        """Return how a union is tagged when each class has the tags of all unions that it is in.

        None where one of them selects another class here.
        """
        targets = dict.fromkeys(target for _, target in tagging.members)
        members = {
            (tag, target): None
            for target in targets
            for tag in self.known.get((tagging.property, target), ())
        }
        if len({tag for tag, _ in members}) < len(members):
            return None
        return tagging if set(members) == set(tagging.members) else _with(tagging, tuple(members))


def _with(tagging: ir.Tagging, members: tuple[tuple[str, ir.TypeId], ...]) -> ir.Tagging:
    match tagging:
        case ir.Discriminated():
            return replace(tagging, members=members)
        case ir.Inferred():
            return replace(tagging, members=members)
        case _:
            assert_never(tagging)


def _inside(type_: ir.Type) -> Iterator[ir.Union]:
    match type_:
        case ir.Union(members):
            yield type_
            for member in members:
                yield from _inside(member)
        case ir.Array(inner) | ir.Map(inner):
            yield from _inside(inner)
        case ir.Tuple(places, rest):
            for place in (*places, rest):
                yield from _inside(place)
        case ir.Primitive() | ir.Literal() | ir.Ref() | ir.Unknown() | ir.Never():
            return
        case _:
            assert_never(type_)
