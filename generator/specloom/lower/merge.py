"""Several descriptions, one API: equal types are shared, different ones told apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from .. import ir
from ..diagnostics import Report
from .merge_access import joined_access
from .rewrite import map_declaration, map_operation, map_webhook, rewrite

Types = Mapping[ir.TypeId, ir.Declaration]
Pairs = dict[ir.TypeId, ir.TypeId]


def merge(apis: Sequence[ir.Api], report: Report) -> ir.Api:
    """Return one API that offers what each of several offers.

    Title, version and prose are those of the first. A component that two descriptions declare with
    one name is one type if both declarations are equal, prose aside, all the way down; otherwise
    both stay and a diagnostic says so.
    """
    result = apis[0]
    for other in apis[1:]:
        result = _join(result, other, report)
    return result


def _join(first: ir.Api, second: ir.Api, report: Report) -> ir.Api:
    first, second = joined_access(first, second, report)
    same = _equal(first.types, second.types)

    def use(type_: ir.Type) -> ir.Type:
        return rewrite(type_, lambda ref: ir.Ref(same.get(ref.target, ref.target)))

    added = {
        id_: map_declaration(declared, use)
        for id_, declared in second.types.items()
        if id_ not in same
    }
    twins = _twins(first.types)
    for declared in added.values():
        twin = twins.get(_key(declared))
        if twin is not None and isinstance(declared.place, ir.Component):
            report.warning(
                "different-types",
                f"{declared.place.name!r} is declared differently in {declared.origin.uri} and "
                f"{first.types[twin].origin.uri}: the client has both, under two names",
                declared.origin,
                first.types[twin].origin,
            )
    return replace(
        first,
        schemes=first.schemes + second.schemes,
        types=dict(first.types) | added,
        operations=first.operations + tuple(map_operation(o, use) for o in second.operations),
        webhooks=first.webhooks + tuple(map_webhook(w, use) for w in second.webhooks),
        read=first.read | {same.get(id_, id_) for id_ in second.read},
        written=first.written | {same.get(id_, id_) for id_ in second.written},
        examples={**second.examples, **first.examples},
    )


def _equal(first: Types, second: Types) -> Pairs:
    """Return the types of ``second`` that are equal to one of ``first``.

    Pairs are assumed equal until they are seen to differ, so that recursive types can be equal.
    """
    twins = _twins(first)
    pairs: Pairs = {
        id_: twins[_key(declared)] for id_, declared in second.items() if _key(declared) in twins
    }
    while True:
        different = [b for b, a in pairs.items() if not _same(first[a], second[b], pairs)]
        if not different:
            return pairs
        for id_ in different:
            del pairs[id_]


def _twins(types: Types) -> dict[str, ir.TypeId]:
    """Return the types by what a twin in another description is recognised by."""
    return {_key(declared): id_ for id_, declared in types.items()}


def _key(declared: ir.Declaration) -> str:
    """Return a component's name; an inline type has the place that it stands at."""
    match declared.place:
        case ir.Component(name):
            return name
        case ir.Inline():
            return declared.origin.pointer


def _same(first: ir.Declaration, second: ir.Declaration, pairs: Pairs) -> bool:
    def shared(type_: ir.Type) -> ir.Type:
        return rewrite(type_, lambda ref: ir.Ref(pairs.get(ref.target, ref.target)))

    return _bare(first, lambda type_: type_) == _bare(second, shared)


def _bare(declared: ir.Declaration, use: Callable[[ir.Type], ir.Type]) -> object:
    """Return what a declaration says, prose and places left out, properties in any order."""
    match declared:
        case ir.Alias():
            return use(declared.type)
        case ir.Model():
            properties = {
                p.name: (use(p.type), p.required, p.default, p.access) for p in declared.properties
            }
            return properties, use(declared.additional), declared.constraints
