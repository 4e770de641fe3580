"""What types hold, null and names aside: properties, and the items of lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .. import ir
from .unions import without_null

Types = Mapping[ir.TypeId, ir.Declaration]
Properties = Mapping[str, ir.Property]


def model_of(type_: ir.Type | None, types: Types) -> ir.Model | None:
    """Return the model that a type is, or None where it is anything else."""
    found = None if type_ is None else list(resolved(type_, types))
    match found:
        case [ir.Model() as model]:
            return model
        case _:
            return None


def properties_of(type_: ir.Type, types: Types) -> Properties:
    """Return the properties of the model that a type is, or of the models that it can be.

    Of properties with one name, the first counts. There are none where a type has other values.
    """
    found: dict[str, ir.Property] = {}
    for bare in resolved(type_, types):
        if not isinstance(bare, ir.Model):
            return {}
        for prop in bare.properties:
            found.setdefault(prop.name, prop)
    return found


def item_of(type_: ir.Type, types: Types) -> ir.Type | None:
    """Return the type of the items where a type is a list."""
    match list(resolved(type_, types)):
        case [ir.Array(item)]:
            return item
        case _:
            return None


def resolved(type_: ir.Type, types: Types) -> Iterator[ir.Type | ir.Model]:
    """Yield what a type can be, names followed and null left out."""
    seen: set[ir.TypeId] = set()
    pending = [type_]
    while pending:
        bare = without_null(pending.pop(0))
        if isinstance(bare, ir.Union):
            pending[:0] = bare.members
        elif not isinstance(bare, ir.Ref):
            yield bare
        elif bare.target not in seen:
            seen.add(bare.target)
            declared = types[bare.target]
            if isinstance(declared, ir.Model):
                yield declared
            else:
                pending.insert(0, declared.type)
