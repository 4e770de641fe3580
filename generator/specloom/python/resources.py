"""Resources: the tree that leads from the client to its methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from .. import ir
from ..config import Config
from ..diagnostics import Report
from .flavours import ASYNC, SYNC
from .names import CLIENT_ATTRIBUTES, RESOURCE_ATTRIBUTES, RESOURCE_CLASSES, Scope, pascal, snake
from .package import Child
from .pins import Pins
from .routes import route

FOLDER = PurePosixPath("resources")
SUFFIXES = ("", "WithRawResponse", "WithStreamingResponse")


@dataclass(slots=True)
class Node:
    """One resource: the attribute that leads to it, its operations, the resources below it."""

    chain: tuple[str, ...]
    reserved: frozenset[str] = RESOURCE_ATTRIBUTES
    attribute: str = ""
    class_name: str = ""
    module: str = ""
    operations: list[tuple[str, ir.Operation]] = field(
        default_factory=list[tuple[str, ir.Operation]]
    )
    children: dict[str, Node] = field(default_factory=lambda: {})
    pinned: dict[str, str] = field(default_factory=dict[str, str])
    """What methods were called before, by the origins of their operations."""

    def walk(self) -> Iterator[Node]:
        """Yield the resources below this one, outer ones first."""
        for child in self.children.values():
            yield child
            yield from child.walk()

    def methods(self) -> Iterator[tuple[str, str]]:
        """Yield the origin of each operation below, and the path that leads to its method."""
        for node in self.walk():
            for name, operation in node.operations:
                yield str(operation.origin), ".".join((*node.chain, name))

    @property
    def path(self) -> str:
        """The expression that leads to the resource, as users write it."""
        return ".".join(("client", *self.chain))

    def listed(self) -> tuple[Child, ...]:
        """Return the resources below this one as the templates print them."""
        return tuple(Child(n.attribute, n.class_name, n.path) for n in self.children.values())


def tree(
    operations: Sequence[ir.Operation], config: Config, locked: Mapping[str, str], report: Report
) -> Node:
    """Return the root of the resources, every name in it claimed.

    ``locked`` are the paths that operations had before, by their origins.
    """
    root = Node((), CLIENT_ATTRIBUTES)
    patched = {o.path for o in operations if o.method == "PATCH"}
    pins = Pins(locked)
    routes = [route(o, config.methods, o.path in patched) for o in operations]
    pinned = [
        pins.pin(str(o.origin), chain) for o, (chain, _) in zip(operations, routes, strict=True)
    ]
    for operation, (_, method), (chain, before) in zip(operations, routes, pinned, strict=True):
        node = root
        for name in chain:
            node = node.children.setdefault(name, Node((*node.chain, name)))
        node.operations.append((method, operation))
        if before is not None:
            node.pinned[str(operation.origin)] = before
    _claim_attributes(root, pins.attributes, report)
    taken: set[str] = set(RESOURCE_CLASSES)
    for node in root.walk():
        node.class_name = _class_name(pascal(" ".join(node.chain)), taken)
    files = Scope(frozenset(node.class_name for node in root.walk()), folded=True)
    for node in root.walk():  # a module named like a class would hide it
        node.module = files.claim(snake(" ".join(node.chain)))
    return root


def class_names(name: str) -> list[str]:
    """Return the names of the classes of a resource: in both flavours, plain and wrapped."""
    return [f"{flavour.prefix}{name}{suffix}" for flavour in (SYNC, ASYNC) for suffix in SUFFIXES]


def _class_name(wanted: str, taken: set[str]) -> str:
    """Return the name of a resource's class so that none of its classes has a taken name."""
    name, count = wanted, 2
    while not taken.isdisjoint(class_names(name)):
        name = f"{wanted}Resource" if count == 2 else f"{wanted}Resource{count}"
        count += 1
    taken.update(class_names(name))
    return name


def _claim_attributes(node: Node, pinned: Mapping[tuple[str, ...], str], report: Report) -> None:
    """Give every child and every method of a resource an attribute: first those of before."""
    scope = Scope(node.reserved)
    for child in node.children.values():
        if scope.is_free(before := pinned.get(child.chain, "")):
            child.attribute = scope.claim(before)
    kept = {
        origin: scope.claim(before)
        for origin, before in node.pinned.items()
        if scope.is_free(before)
    }
    for name, child in node.children.items():
        child.attribute = child.attribute or scope.claim(name)
        child.chain = (*node.chain, child.attribute)
        _claim_attributes(child, pinned, report)
    for index, (name, operation) in enumerate(node.operations):
        claimed = kept.get(str(operation.origin)) or scope.claim(name)
        if claimed != name and str(operation.origin) not in kept:
            report.warning(
                "renamed",
                f"the method is called {node.path}.{claimed}: {name!r} is taken",
                operation.origin,
            )
        node.operations[index] = (claimed, operation)
