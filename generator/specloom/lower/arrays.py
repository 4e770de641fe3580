"""Lists: one type of item, or places with types of their own (JSON Schema Core §10.3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .. import ir
from ..diagnostics import Origin
from . import places
from .conjuncts import Flat
from .limits import limits
from .lowering import Lowering, Placed, Site
from .nodes import items
from .unions import union
from .vocabulary import CONDITIONS, ITEMIZED


class _Row(NamedTuple):
    """What one schema says of the items of a list: the first ones, and those after them.

    ``any_order`` says that those listed first are meant to come in any order and number.
    ``unevaluated`` is about items of which no schema beside it says anything.
    """

    first: Sequence[Placed]
    rest: Placed | None
    any_order: bool
    unevaluated: Placed | None


def array(
    flats: Sequence[Flat], site: Site, demanded: ir.Constraints, lowering: Lowering
) -> ir.Type | None:
    """Return the list that all conjuncts describe, or None where they exclude each other.

    Its limits do not change its type, except that a list that ends with its places has no others.
    ``demanded`` are further ones.
    """
    rows = [_row(flat) for flat in flats]
    bounds = limits(flats, ITEMIZED, lowering.report) + demanded
    count = max(len(row.first) for row in rows)
    found: list[ir.Type] = []
    for index in range(count):
        stated = [row.first[index] if index < len(row.first) else row.rest for row in rows]
        at = site.origin / "prefixItems" / index
        one = _item([s for s in stated if s is not None], at, site, lowering, index)
        if one is None:
            return None
        found.append(one)
    rest = [row.rest for row in rows if row.rest is not None]
    other = _item(rest or _unevaluated(rows, flats), site.origin / "items", site, lowering)
    if other is not None and not rest:
        other = _or_contained(other, flats, site, lowering)
    if other is None:
        return None
    if not count:
        return ir.Array(other, bounds)
    longest = dict(bounds).get("maxItems")
    if longest is not None and ir.value_of(longest) <= count:
        other = ir.NEVER
    if other == ir.UNKNOWN and any(row.any_order for row in rows):
        return ir.Array(union(found), bounds)
    return ir.Tuple(tuple(found), other, bounds)


def _row(flat: Flat) -> _Row:
    """Return the items of one schema; drafts before 2020 have a list of schemas as ``items``.

    Where only such a list stands there, it has been found to be meant as a choice.
    """
    schema, at = flat.schema, flat.origin
    is_old = bool(items(schema.get("items")))
    keyword = "items" if is_old else "prefixItems"
    first = [Placed(s, at / keyword / i) for i, s in enumerate(items(schema.get(keyword)))]
    rest, unevaluated = (
        Placed(schema[word], at / word)
        if word in schema and not isinstance(schema[word], list)
        else None
        for word in ("additionalItems" if is_old else "items", "unevaluatedItems")
    )
    return _Row(first, rest, is_old and rest is None and unevaluated is None, unevaluated)


def _unevaluated(rows: Sequence[_Row], flats: Sequence[Flat]) -> list[Placed]:
    """Return what is said of items that nothing else speaks of (JSON Schema Core §11.2).

    A condition may speak of them, in some cases: then nothing is said for all.
    """
    if any(flat.schema.keys() & CONDITIONS - {"not"} for flat in flats):
        return []
    return [row.unevaluated for row in rows if row.unevaluated is not None]


def _or_contained(other: ir.Type, flats: Sequence[Flat], site: Site, lowering: Lowering) -> ir.Type:
    """Return the type of items that are unevaluated, or else what a list is said to contain."""
    if other == ir.UNKNOWN:
        return other
    found = [other]
    for flat in flats:
        if "contains" in flat.schema:
            schema, origin = flat.schema["contains"], flat.origin / "contains"
            inside = places.of_item(site.place, site.origin, schema)
            found.append(lowering.lower(schema, origin, inside))
    return union(found)


def _item(
    stated: Sequence[Placed],
    at: Origin,
    site: Site,
    lowering: Lowering,
    index: int | None = None,
) -> ir.Type | None:
    """Return the type of the items that several schemas describe."""
    if not stated:
        return ir.UNKNOWN
    schema, origin = stated[-1]
    if index is None:
        inside = places.of_item(site.place, site.origin, schema)
    else:
        inside = places.of_branch(site.place, site.origin, schema, index)
    if len(stated) == 1:
        own = places.is_within(origin, site.origin)
        inside = inside if own else places.of_target(origin, schema)
        return lowering.lower(schema, origin, inside)
    return lowering.all_of(stated, places.own(stated, site.origin, at), inside)
