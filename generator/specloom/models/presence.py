"""Objects that need some of several properties: a class for each way to have them.

What ``oneOf: [{required: [a]}, {required: [b]}]`` says beside properties is no limit that a class
could state. A union of classes can, which has the name of the type.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from .. import ir
from ..python.names import pascal
from .names import Names
from .tags import selected, unions


def split(api: ir.Api, names: Names) -> tuple[ir.Api, Names]:
    """Return an API whose objects state by themselves what they need, and all names of its types.

    A member of a tagged union stays one class, since one tag selects one class.
    """
    taggings = [union.tagging for d in api.types.values() for union in unions(d)]
    tagged = {target for tagging in taggings if tagging for target in selected(tagging)}
    types: dict[ir.TypeId, ir.Declaration] = {}
    parts: dict[ir.TypeId, ir.TypeId] = {}
    called, taken = dict(names), set(names.values())
    for id_, declared in api.types.items():
        ways = _ways(declared) if isinstance(declared, ir.Model) and id_ not in tagged else []
        types[id_] = declared
        if not isinstance(declared, ir.Model) or not ways:
            continue
        for way in ways:
            part = _way(declared, way)
            types[part.id], parts[part.id] = part, id_
            called[part.id] = _free(f"{names[id_]}With{'And'.join(map(pascal, way))}", taken)
        union = ir.Union(tuple(ir.Ref(part) for part, whole in parts.items() if whole == id_))
        types[id_] = ir.Alias(
            id_, declared.place, declared.origin, union, declared.doc, declared.deprecated
        )
    read = api.read | {part for part, whole in parts.items() if whole in api.read}
    written = api.written | {part for part, whole in parts.items() if whole in api.written}
    return replace(api, types=types, read=read, written=written), called


def _ways(model: ir.Model) -> list[Sequence[str]]:
    """Return the properties that each of several ways to be an object needs beside the others.

    Nothing where one way needs none of them: then any object will do.
    """
    for keyword, text in model.constraints:
        if keyword in ("oneOf", "anyOf"):
            return _needed(model, cast(list[dict[str, object]], ir.value_of(text)))
    return []


def _needed(model: ir.Model, branches: list[dict[str, object]]) -> list[Sequence[str]]:
    optional = {prop.name for prop in model.properties if not prop.required}
    found: dict[tuple[str, ...], None] = {}
    for branch in branches:
        stated = cast(list[object], branch.get("required", []))
        needed = tuple(dict.fromkeys(n for n in stated if isinstance(n, str) and n in optional))
        if not needed:
            return []
        found[needed] = None
    return list(found) if len(found) > 1 else []


def _way(model: ir.Model, needed: Sequence[str]) -> ir.Model:
    """Return an object that needs these properties too."""
    properties = tuple(
        replace(prop, required=True, default=None) if prop.name in needed else prop
        for prop in model.properties
    )
    id_ = ir.TypeId(f"{model.id} with {' '.join(needed)}")
    return replace(model, id=id_, properties=properties, doc=None, constraints=())


def _free(wanted: str, taken: set[str]) -> str:
    """Return a name that nothing has yet, and take it."""
    numbered = (f"{wanted}{count}" for count in itertools.count(2))
    name = next(n for n in itertools.chain([wanted], numbered) if n not in taken)
    taken.add(name)
    return name
