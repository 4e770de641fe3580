"""Schemas with subtypes: their discriminator stands in a base that they extend by ``allOf``.

A value of the base is one of a subtype when the discriminator's property says so, although nothing
in the base mentions the subtype (OpenAPI, Discriminator Object).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from specloom.description.description import Description
from specloom.description.values import is_list, is_mapping
from specloom.diagnostics import Origin


@dataclass(frozen=True)
class Base:
    """A base: the property of its discriminator, and the values of it that select each subtype."""

    property: str
    subtypes: Mapping[Origin, list[str]]


def bases(description: Description) -> dict[Origin, Base]:
    """Return the bases among the components of a description."""
    at = description.walk(("components", "schemas"))
    schemas = None if at is None else description.lookup(at)
    if at is None or not is_mapping(schemas):
        return {}
    children: dict[Origin, list[Origin]] = {}
    for name, schema in schemas.items():
        for parent in _parents(schema, at / name, description):
            children.setdefault(parent, []).append(at / name)
    found: dict[Origin, Base] = {}
    for name, schema in schemas.items():
        stated = schema.get("discriminator") if is_mapping(schema) else None
        if is_mapping(schema) and is_mapping(stated) and not schema.keys() & {"oneOf", "anyOf"}:
            below = list(_below(at / name, children))
            if below and isinstance(prop := stated.get("propertyName"), str):
                found[at / name] = Base(prop, _tags(stated, below, at / name, description))
    return found


def _parents(schema: object, at: Origin, description: Description) -> Iterator[Origin]:
    """Yield the schemas that a component extends."""
    branches = schema.get("allOf") if is_mapping(schema) else None
    for index, branch in enumerate(branches if is_list(branches) else ()):
        ref = branch.get("$ref") if is_mapping(branch) else None
        target = description.resolve(ref, at / "allOf" / index) if isinstance(ref, str) else None
        if target is not None:
            yield target


def _below(base: Origin, children: Mapping[Origin, list[Origin]]) -> Iterator[Origin]:
    """Yield the schemas that extend a base and that nothing extends further."""
    seen: set[Origin] = set()
    waiting = [base]
    while waiting:
        origin = waiting.pop()
        if origin not in seen:
            seen.add(origin)
            waiting += reversed(children.get(origin, []))
            if origin not in children:
                yield origin


def _tags(
    stated: dict[str, object], below: list[Origin], base: Origin, description: Description
) -> dict[Origin, list[str]]:
    mapping = stated.get("mapping")
    tags: dict[Origin, list[str]] = {origin: [] for origin in below}
    for value, ref in (mapping if is_mapping(mapping) else {}).items():
        at = base / "discriminator" / "mapping" / value
        target = description.resolve(ref, at) if isinstance(ref, str) else None
        named = description.walk(("components", "schemas", str(ref))) or target
        if named in tags:
            tags[named].append(value)
    return {origin: own or [origin.tokens[-1]] for origin, own in tags.items()}
