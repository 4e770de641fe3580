"""How much of the descriptions is in their client.

What is described is counted in the descriptions themselves, and what is made in the package, so
that what a stage between them lost cannot be missing on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .description.anatomy import METHODS, target
from .description.load import Description
from .description.values import is_mapping
from .diagnostics import Origin, Report
from .python.package import Package


@dataclass(frozen=True, slots=True)
class Share:
    """How many things of a kind there are in a client, of how many that are described."""

    total: int
    emitted: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """The operations and the component schemas of the descriptions of one client."""

    operations: Share
    schemas: Share


# Where null is the only other alternative, the name of the whole is that of the one.
_ALTERNATIVE: Final = re.compile(r"/(?:anyOf|oneOf)/\d+$")
NOTHING = Coverage(Share(0, 0), Share(0, 0))


def coverage(descriptions: Sequence[Description], package: Package, report: Report) -> Coverage:
    """Return how much of its descriptions a client has; each thing it lacks is reported."""
    methods = {*package.names.methods}
    types = {*package.names.models, *package.names.params}
    types |= {_ALTERNATIVE.sub("", origin) for origin in types}
    operations = [one for description in descriptions for one in _operations(description)]
    lost = [places[0] for places in operations if methods.isdisjoint(map(str, places))]
    schemas = [one for description in descriptions for one in _schemas(description)]
    here = {name for name, places in schemas if not types.isdisjoint(map(str, places))}
    gone = [places[0] for name, places in schemas if name not in here]
    for origin in (*lost, *gone):
        report.warning("left-out", "this is described, but the client does not have it", origin)
    return Coverage(
        Share(len(operations), len(operations) - len(lost)),
        Share(len(schemas), len(schemas) - len(gone)),
    )


_Places = tuple[Origin, Origin]
"""Where a thing stands, and where it is when references have been followed."""


def _operations(description: Description) -> Iterator[_Places]:
    """Yield the places of the operations of a description."""
    paths = description.value.get("paths")
    for path, item in paths.items() if is_mapping(paths) else ():
        if not path.startswith("x-"):
            found: dict[str, _Places] = {}
            for layer, at in _layers(description, item, Origin(description.entry) / "paths" / path):
                for method, value, place in _methods(layer, at):
                    found.setdefault(method, (place, target(description, value, place)[1]))
            yield from found.values()


def _layers(
    description: Description, item: object, origin: Origin
) -> Iterator[tuple[dict[str, object], Origin]]:
    """Yield a path item and what it refers to."""
    while is_mapping(item):
        yield item, origin
        if not isinstance(item.get("$ref"), str):
            return
        step, place = target(description, {"$ref": item["$ref"]}, origin)
        if place == origin:
            return
        item, origin = step, place


def _methods(item: dict[str, object], origin: Origin) -> Iterator[tuple[str, object, Origin]]:
    """Yield the methods of a path item, and their operations with their places."""
    yield from ((name.upper(), item[name], origin / name) for name in METHODS if name in item)
    more = item.get("additionalOperations")
    for name, value in more.items() if is_mapping(more) else ():
        if not name.startswith("x-"):
            yield name, value, origin / "additionalOperations" / name


def _schemas(description: Description) -> Iterator[tuple[str, _Places]]:
    """Yield the names and places of the component schemas of a description."""
    components = description.value.get("components")
    schemas = components.get("schemas") if is_mapping(components) else None
    for name, value in schemas.items() if is_mapping(schemas) else ():
        place = Origin(description.entry) / "components" / "schemas" / name
        yield name, (place, target(description, value, place)[1])
