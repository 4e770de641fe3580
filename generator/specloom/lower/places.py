"""Where a schema stands, and so what a type that it declares is named after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .. import ir
from ..diagnostics import Origin
from .keywords import tag_of, title
from .lowering import Placed


def of_target(target: Origin, schema: object) -> ir.Place:
    """Return the place of what a reference leads to.

    A component has its own name. Anything else is named as it would be where it stands, so that
    a reference to it changes no name.
    """
    several, depth = False, 0
    tokens = list(target.tokens)
    owner = ""
    while tokens:
        match tokens:
            case ["components", "schemas", name] | ["definitions", name] | [*_, "$defs", name]:
                if several:
                    return ir.Inline(_uri(target, tokens), "item", depth > 1, title(schema))
                return ir.Component(name)
            case [*outer, "properties", name]:
                return ir.Inline(_uri(target, outer), name, several, title(schema))
            case [*outer, "items" | "additionalProperties"]:
                tokens, several, depth = outer, True, depth + 1
            case [*outer, "oneOf" | "anyOf" | "allOf" | "prefixItems", index]:
                around = above(target, len(target.tokens) - len(outer))
                part = tag_of(schema) or f"option {_number(index)}"
                place = of_part(of_target(around, {}), around, part, title(schema))
                return replace(place, several=several)
            case [*outer, "requestBody"] | [*outer, "requestBodies", _]:
                return ir.Inline(_uri(target, tokens), "request", several, title(schema))
            case [*outer, "responses", _]:
                return ir.Inline(_uri(target, tokens), "response", several, title(schema))
            case [*outer, "parameters", index]:
                return ir.Inline(_uri(target, tokens), "value", several, title(schema))
            case [*outer, last]:
                owner, tokens = owner or last, outer
            case _:
                break
    return ir.Component(owner or target.uri.rsplit("/", 1)[-1].split(".")[0])


def _number(index: str) -> int | str:
    """Return an index as people count; what is no index stays."""
    return int(index) + 1 if index.isdecimal() else index


def _uri(target: Origin, tokens: list[str]) -> str:
    origin = Origin(target.uri)
    for token in tokens:
        origin /= token
    return str(origin)


def above(origin: Origin, steps: int) -> Origin:
    """Return the place some steps above another."""
    return Origin(origin.uri, origin.pointer.rsplit("/", steps)[0])


def is_within(origin: Origin, site: Origin) -> bool:
    """Whether a place is another, or below it."""
    return origin == site or (
        origin.uri == site.uri and origin.pointer.startswith(f"{site.pointer}/")
    )


def own(declarations: Sequence[Placed], site: Origin, otherwise: Origin) -> Origin:
    """Return the place that stands for several declarations that hold together at ``site``.

    The last one that stands there itself: nothing else is declared at it.
    """
    within = [placed.origin for placed in declarations if is_within(placed.origin, site)]
    return within[-1] if within else otherwise


def of_shared(place: ir.Place, origin: Origin) -> ir.Place:
    """Return the place of what operations share, which is named after none of them."""
    match place, origin.tokens:
        case (
            ir.Inline(),
            ("components", "requestBodies" | "responses" as kind, name, "content", _, _),
        ):
            owner = Origin(origin.uri) / "components" / kind / name
            return replace(place, owner=str(owner))
        case _:
            return place


def of_property(origin: Origin, name: str, schema: object) -> ir.Place:
    """Return the place of a property, whoever else has it through ``allOf``."""
    return ir.Inline(str(above(origin, 2)), name, title=title(schema))


def of_item(place: ir.Place, origin: Origin, schema: object) -> ir.Place:
    """Return the place of the items of a list."""
    return of_value(place, origin, schema, "")


def of_value(place: ir.Place, origin: Origin, schema: object, part: str) -> ir.Place:
    """Return the place of the values of a list or a map, those of one ``part`` if there is one."""
    match place:
        case ir.Component():
            return ir.Inline(str(origin), part or "item", title=title(schema))
        case ir.Inline(owner, outer):
            return ir.Inline(owner, f"{outer} {part}".strip(), several=True, title=title(schema))


def of_branch(place: ir.Place, origin: Origin, schema: object, index: int) -> ir.Place:
    """Return the place of one of several branches: named by its title, its tag or its number."""
    return of_part(place, origin, tag_of(schema) or f"option {index + 1}", title(schema))


def of_part(place: ir.Place, origin: Origin, part: str, titled: str | None) -> ir.Inline:
    """Return the place of a part of what stands at a place."""
    match place:
        case ir.Component():
            return ir.Inline(str(origin), part, title=titled)
        case ir.Inline(owner, outer):
            return ir.Inline(owner, f"{outer} {part}", title=titled)
