"""Where a schema stands, and so what a type that it declares is named after."""

from __future__ import annotations

from .. import ir
from ..diagnostics import Origin
from .keywords import tag_of, title


def of_target(target: Origin) -> ir.Place:
    """Return the place of what a reference leads to.

    A component has its own name. Anything else is named as it would be where it stands, so that
    a reference to it changes no name.
    """
    several = False
    tokens = list(target.tokens)
    owner = ""
    while tokens:
        match tokens:
            case ["components", "schemas", name] | ["definitions", name] | [*_, "$defs", name]:
                return ir.Component(name)
            case [*outer, "properties", name]:
                return ir.Inline(_uri(target, outer), name, several)
            case [*outer, "items" | "additionalProperties"]:
                tokens, several = outer, True
            case [*outer, "oneOf" | "anyOf" | "allOf", index]:
                return ir.Inline(_uri(target, outer), f"option {index}", several)
            case [*outer, "requestBody"] | [*outer, "requestBodies", _]:
                return ir.Inline(_uri(target, tokens), "request", several)
            case [*outer, "responses", _]:
                return ir.Inline(_uri(target, tokens), "response", several)
            case [*outer, "parameters", index]:
                return ir.Inline(_uri(target, tokens), "value", several)
            case [*outer, last]:
                owner, tokens = owner or last, outer
            case _:
                break
    return ir.Component(owner or target.uri.rsplit("/", 1)[-1].split(".")[0])


def _uri(target: Origin, tokens: list[str]) -> str:
    origin = Origin(target.uri)
    for token in tokens:
        origin /= token
    return str(origin)


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
