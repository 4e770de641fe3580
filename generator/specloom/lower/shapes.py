"""Values by their kinds: the type of conjuncts that refer to nothing and offer no choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .. import ir
from .arrays import array
from .conjuncts import Flat
from .enums import listed, literals
from .kinds import Kinds, format_of, hinted
from .limits import conditions, limits
from .lowering import Lowering, Site
from .nodes import items
from .objects import Objects
from .unions import union
from .vocabulary import ALL, NUMERIC, TEXTUAL

_ORDER = ("string", "number", "integer", "boolean", "array", "object")


@dataclass(frozen=True, slots=True)
class Shapes:
    """Gives conjuncts their type: constants, scalars, lists and objects."""

    lowering: Lowering
    objects: Objects

    def type(self, flats: Sequence[Flat], kinds: Kinds, site: Site) -> ir.Type | None:
        """Return the type of values of these kinds, null apart; None where none is left."""
        report = self.lowering.report
        demanded = conditions(flats, report)
        values = listed(flats, self.lowering.conjuncts.description, report)
        if values is not None:
            found = literals(values, kinds)
            return None if found == ir.NEVER and values != [None] else found
        if kinds == ALL - {"null"}:
            meant = next((kind for flat in flats if (kind := hinted(flat.schema))), None)
            if meant is None:
                return ir.UNKNOWN
            kinds = frozenset({meant})
        members: list[ir.Type] = []
        for kind in _ordered(flats, kinds):
            one = self._of_kind(kind, flats, len(kinds) == 1, site, demanded)
            members += [] if one is None else [one]
        return union(members) if members else None

    def _of_kind(
        self,
        kind: str,
        flats: Sequence[Flat],
        alone: bool,
        site: Site,
        demanded: ir.Constraints,
    ) -> ir.Type | None:
        report = self.lowering.report
        match kind:
            case "array":
                return array(flats, site, demanded, self.lowering)
            case "object":
                return self.objects.shape(flats, site, demanded)
            case "string":
                bounds = limits(flats, TEXTUAL, report) + demanded
                return ir.Primitive("string", _format(kind, flats, alone), bounds)
            case "number" | "integer":
                bounds = limits(flats, NUMERIC, report) + demanded
                return ir.Primitive(kind, _format(kind, flats, alone), bounds)
            case _:
                return ir.Primitive("boolean", _format(kind, flats, alone), demanded)


def _format(kind: str, flats: Sequence[Flat], alone: bool) -> str | None:
    """Return the format that is stated last."""
    formats = [format_of(kind, flat.schema, alone) for flat in flats]
    return next((f for f in reversed(formats) if f is not None), None)


def _ordered(flats: Sequence[Flat], kinds: Kinds) -> Iterator[str]:
    """Yield kinds in the order of the first list of types; every integer is a number."""
    if len(kinds) == 1:
        yield from kinds
        return
    lists = (items(flat.schema.get("type")) for flat in flats)
    written = [str(kind) for kind in next((each for each in lists if each), ())]
    order = dict.fromkeys([*(kind for kind in written if kind in kinds), *_ORDER])
    for kind in order:
        covered = kind == "integer" and "number" in kinds and kind not in written
        if kind in kinds and not covered:
            yield kind
