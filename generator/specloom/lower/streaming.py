"""Streaming: which operations stream, what asks for it, and how their events add up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from .. import ir
from .unions import without_null

EVENT_STREAM = "text/event-stream"
"""Server-sent events (WHATWG HTML §9.2)."""

_TOGGLE = "stream"
_INDEX = "index"
_IDENTITY = "id"

Types = Mapping[ir.TypeId, ir.Declaration]


def complete(operation: ir.Operation, types: Types) -> ir.Operation:
    """Return an operation with what its streaming follows from: the types of both answers.

    Where a success also declares JSON, a boolean property ``stream`` of the request chooses.
    """
    if operation.streaming is None:
        return operation
    whole = next((r.body.type for r in operation.responses if isinstance(r.body, ir.Json)), None)
    toggle = None
    if whole is not None and isinstance(operation.body, ir.Json):
        prop = _properties(operation.body.type, types).get(_TOGGLE)
        toggle = _TOGGLE if prop is not None and _is_boolean(prop.type) else None
    mirrored = mirror(operation.streaming.event, whole, types)
    return replace(
        operation, streaming=replace(operation.streaming, toggle=toggle, mirror=mirrored)
    )


def mirror(event_type: ir.Type, whole: ir.Type | None, types: Types) -> ir.Mirror | None:
    """Return how events add up to a whole answer, if they are built like it.

    They are when every property of the event is one of the whole, except that one object inside
    a list of indexed items may have another name (``delta`` for ``message``).
    """
    target, event = _model(whole, types), _model(event_type, types)
    if target is None or event is None:
        return None
    renamed: list[tuple[str, str]] = []
    replaced: list[str] = []
    if not _compare(event, target, types, "", False, renamed, replaced):
        return None
    constants = tuple(
        (p.name, p.type.values[0])
        for p in target.properties
        if isinstance(p.type, ir.Literal) and len(p.type.values) == 1
    )
    return ir.Mirror(target.id, tuple(renamed), constants, tuple(sorted(replaced)))


def _compare(
    event: ir.Model,
    whole: ir.Model,
    types: Types,
    path: str,
    indexed: bool,
    renamed: list[tuple[str, str]],
    replaced: list[str],
) -> bool:
    """Match the properties of an event with those of the whole; note what differs."""
    ours, theirs = _named(event), _named(whole)
    unmatched = [p for p in event.properties if p.name not in theirs]
    missing = [
        p for p in whole.properties if p.name not in ours and _model(p.type, types) is not None
    ]
    names = {p.name: p.name for p in event.properties}
    for prop in unmatched:
        candidates = [m for m in missing if _alike(prop.type, m.type, types)]
        if indexed and len(candidates) == 1:
            names[prop.name] = candidates[0].name
            renamed.append((path + prop.name, candidates[0].name))
            missing.remove(candidates[0])
        elif prop.name != _INDEX:
            return False
    for prop in event.properties:
        at = path + prop.name
        counterpart = theirs.get(names[prop.name])
        if indexed and _arrives_whole(prop):
            replaced.append(at)
        if counterpart is None:
            continue
        item, other = _item(prop.type, types), _item(counterpart.type, types)
        inner, outer = _model(prop.type, types), _model(counterpart.type, types)
        below = f"{at}."
        if item is not None and other is not None and _INDEX in _named(item):
            if not _compare(item, other, types, below, True, renamed, replaced):
                return False
        elif inner is not None and outer is not None and indexed:
            if not _compare(inner, outer, types, below, True, renamed, replaced):
                return False
    return True


def _alike(event: ir.Type, whole: ir.Type, types: Types) -> bool:
    """Whether two objects share most of their property names."""
    ours, theirs = _properties(event, types).keys(), _properties(whole, types).keys()
    return bool(ours) and 2 * len(ours & theirs) > len(ours)


def _arrives_whole(prop: ir.Property) -> bool:
    """Whether a string is sent in one piece: a constant, or an identity."""
    bare = without_null(prop.type)
    if isinstance(bare, ir.Literal):
        return True
    return prop.name == _IDENTITY and isinstance(bare, ir.Primitive)


def _named(model: ir.Model) -> dict[str, ir.Property]:
    return {p.name: p for p in model.properties}


def _properties(type_: ir.Type, types: Types) -> dict[str, ir.Property]:
    model = _model(type_, types)
    return {} if model is None else _named(model)


def _model(type_: ir.Type | None, types: Types) -> ir.Model | None:
    """Return the model that a type is, null and names aside."""
    for bare in _resolved(type_, types):
        return bare if isinstance(bare, ir.Model) else None
    return None


def _item(type_: ir.Type, types: Types) -> ir.Model | None:
    """Return the model that the items of a list are."""
    for bare in _resolved(type_, types):
        return _model(bare.item, types) if isinstance(bare, ir.Array) else None
    return None


def _resolved(type_: ir.Type | None, types: Types) -> Iterator[ir.Type | ir.Model]:
    seen: set[ir.TypeId] = set()
    while type_ is not None:
        bare = without_null(type_)
        if not isinstance(bare, ir.Ref):
            yield bare
            return
        if bare.target in seen:
            return
        seen.add(bare.target)
        declared = types[bare.target]
        if isinstance(declared, ir.Model):
            yield declared
            return
        type_ = declared.type


def _is_boolean(type_: ir.Type) -> bool:
    bare = without_null(type_)
    return isinstance(bare, ir.Primitive) and bare.kind == "boolean"
