"""Where a schema stands, and so what a type that it declares is named after."""

from __future__ import annotations

from .. import ir
from ..diagnostics import Origin
from .keywords import tag_of, title


def of_target(target: Origin) -> ir.Place:
    """Return the place of what a reference leads to: a component, or the end of its pointer."""
    match target.tokens:
        case ("components", "schemas", name) | ("definitions", name):
            return ir.Component(name)
        case (*_, last):
            return ir.Component(last)
        case _:  # a whole document
            return ir.Component(target.uri.rsplit("/", 1)[-1].split(".")[0])


def of_item(place: ir.Place, origin: Origin, schema: object) -> ir.Place:
    """Return the place of the items of a list, or of the values of a map."""
    match place:
        case ir.Component():
            return ir.Inline(str(origin), "item", title=title(schema))
        case ir.Inline(owner, part):
            return ir.Inline(owner, part, several=True, title=title(schema))


def of_branch(place: ir.Place, origin: Origin, schema: object, index: int) -> ir.Place:
    """Return the place of one of several branches: named by its title, its tag or its number."""
    part = tag_of(schema) or f"option {index + 1}"
    match place:
        case ir.Component():
            return ir.Inline(str(origin), part, title=title(schema))
        case ir.Inline(owner, outer):
            return ir.Inline(owner, f"{outer} {part}", title=title(schema))
