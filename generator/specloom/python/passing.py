"""Passing back: which models, once read, are accepted where an object is written."""

from __future__ import annotations

from collections.abc import Mapping

from .. import ir


def accepted(api: ir.Api) -> Mapping[ir.TypeId, tuple[ir.TypeId, ...]]:
    """Return, by type that is written, the models that can be passed in its place.

    A type that is read too is accepted as its own model. Another model is accepted when it has
    every property that the written type requires and no property that it does not know, and both
    agree on a constant that says what kind of object it is, such as ``role``: the answer of a chat
    is a message of the next request, though the description has two schemas for it.
    """
    read = [d for id_, d in api.types.items() if id_ in api.read and isinstance(d, ir.Model)]
    found: dict[ir.TypeId, tuple[ir.TypeId, ...]] = {}
    for id_ in api.types:
        written = api.types[id_]
        if id_ not in api.written or not isinstance(written, ir.Model):
            continue
        if id_ in api.read:
            found[id_] = (id_,)
        elif models := tuple(model.id for model in read if _fits(model, written)):
            found[id_] = models
    return found | {
        id_: models
        for id_ in api.types
        if id_ in api.written and (models := _of_members(api.types[id_], found))
    }


def _of_members(
    declared: ir.Declaration, found: Mapping[ir.TypeId, tuple[ir.TypeId, ...]]
) -> tuple[ir.TypeId, ...]:
    """Return what is accepted for the members of a named union."""
    if not isinstance(declared, ir.Alias) or not isinstance(declared.type, ir.Union):
        return ()
    refs = (member.target for member in declared.type.members if isinstance(member, ir.Ref))
    return tuple(dict.fromkeys(model for ref in refs for model in found.get(ref, ())))


def _fits(model: ir.Model, written: ir.Model) -> bool:
    ours = {p.name: p for p in model.properties if p.access != "write"}
    theirs = {p.name: p for p in written.properties if p.access != "read"}
    required = {name for name, p in theirs.items() if p.required}
    if not required <= ours.keys() <= theirs.keys():
        return False
    kinds = {name: p.type for name, p in theirs.items() if _is_constant(p.type)}
    return bool(kinds) and all(name in ours and ours[name].type == kinds[name] for name in kinds)


def _is_constant(type_: ir.Type) -> bool:
    return isinstance(type_, ir.Literal) and len(type_.values) == 1
