"""What the names of types stand for, while a description is being lowered."""

from __future__ import annotations

from .. import ir
from ..diagnostics import Origin
from .schemas import Schemas
from .unions import without_null


def named(ref: ir.Ref, schemas: Schemas) -> ir.Declaration | None:
    """Return what a name stands for; a name of a name stands for what that one does."""
    seen: set[ir.TypeId] = set()
    target = ref.target
    while target not in seen:
        seen.add(target)
        declared = schemas.types.get(target)
        inner = schemas.expansions.get(target)
        if inner is None and isinstance(declared, ir.Alias):
            inner = declared.type
        bare = inner if inner is None else without_null(inner)
        if isinstance(bare, ir.Ref):
            target = bare.target
        elif bare is not None and declared is None:
            return ir.Alias(target, ir.Component(target), Origin(target), bare)
        else:
            return declared
    return None


def model_of(type_: ir.Type, schemas: Schemas) -> ir.Model | None:
    """Return the object with known properties that a type is, if it is one."""
    bare = without_null(type_)
    found = named(bare, schemas) if isinstance(bare, ir.Ref) else None
    return found if isinstance(found, ir.Model) else None
