"""Modules of resources: one for each, and more for one with very many methods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from .. import ir
from ..config import Config
from ..diagnostics import Report
from .access import Access
from .annotations import Passed, Symbols
from .arguments import Arguments
from .flavours import ASYNC, SYNC
from .imports import Imports
from .methods import Methods
from .module_types import ModuleTypes
from .package import Child, Flavour, Listing, Method, Module, Resource, Resources, Section
from .resources import Node, class_names
from .results import usual_error
from .types import lazy_package

FOLDER = PurePosixPath("resources")
LONGEST = 2_000
"""About how many lines a module has at most."""

Planned = tuple[Method, Method]
"""A method of the sync and of the async client."""


@dataclass(frozen=True, slots=True)
class Made:
    """A method of the synchronous client, and what it was made of."""

    operation: ir.Operation
    path: str
    """The expression that leads to its resource."""
    method: Method
    arguments: Arguments

    @property
    def is_paged(self) -> bool:
        """Whether it gives pages."""
        return self.method.call.pages is not None


@dataclass(frozen=True, slots=True)
class ResourceModules:
    """Plans the modules of resources, with what their methods need of the API."""

    api: ir.Api
    models: Symbols
    params: Symbols
    passed: Passed
    access: Access
    config: Config
    report: Report

    def plan(self, root: Node) -> tuple[list[Module], list[Section], list[tuple[Node, list[Made]]]]:
        """Return the modules of all resources with their package, and their sections in api.md.

        With each resource that has methods comes what these were made of.
        """
        modules: list[Module] = []
        made: list[tuple[Node, list[Made]]] = []
        sections: list[Section] = []
        names: list[tuple[str, str]] = []
        for node in root.walk():
            group = self._group(node, node.operations)
            if sum(map(_length, group.planned)) <= LONGEST:
                modules.append(_whole(node, group))
            else:
                modules += self._parts(node, group)
            names += [(name, node.module) for name in class_names(node.class_name)]
            if group.planned:
                sections.append(_section(node, [sync for sync, _ in group.planned]))
                made.append((node, group.made(node)))
        modules += lazy_package(FOLDER, tuple(sorted(names)))
        return modules, sections, made

    def _group(self, node: Node, operations: Sequence[tuple[str, ir.Operation]]) -> Group:
        """Plan methods that stand in one module."""
        attributes = {
            *(name for name, _ in node.operations),
            *(c.attribute for c in node.children.values()),
        }
        types = ModuleTypes(self.api, self.models, self.params, self.passed, attributes)
        error = usual_error(self.api)
        usual = None if error is None else ir.Ref(error)
        methods = Methods(types, usual, self.access, self.config, self.report)
        planned = [methods.method(operation, name) for name, operation in operations]
        return Group(operations, planned, types, methods)

    def _parts(self, node: Node, whole: Group) -> Iterator[Module]:
        """Yield the module of a resource that inherits its methods, and those that have them."""
        bases: list[tuple[str, str]] = []
        for number, operations in enumerate(_portions(whole), 1):
            group = self._group(node, operations)
            name, stem = f"{node.class_name}{number}", f"_{node.module}_{number}"
            bases.append((name, stem))
            classes = _classes(name, f"Methods of `{node.path}`.", (), group.planned)
            imports = group.types.imports
            imports.add(".._runtime", SYNC.resource, ASYNC.resource)
            context = Resources(tuple(group.types.constants.values()), classes)
            path = FOLDER / f"{stem}.py"
            yield Module(path, "resources/part.py.jinja", context, imports=imports.lines())
        yield _heir(node, bases, whole)


@dataclass(frozen=True, slots=True)
class Group:
    """Methods that stand in one module."""

    operations: Sequence[tuple[str, ir.Operation]]
    planned: Sequence[Planned]
    types: ModuleTypes
    methods: Methods

    def made(self, node: Node) -> list[Made]:
        """Return the methods of the synchronous client with what they were made of."""
        return [
            Made(operation, node.path, sync, self.methods.arguments[operation.origin])
            for (_, operation), (sync, _) in zip(self.operations, self.planned, strict=True)
        ]


def _portions(group: Group) -> Iterator[list[tuple[str, ir.Operation]]]:
    """Yield the operations of a group in portions whose modules are not too long."""
    portion: list[tuple[str, ir.Operation]] = []
    length = 0
    for operation, planned in zip(group.operations, group.planned, strict=True):
        if portion and length + _length(planned) > LONGEST:
            yield portion
            portion, length = [], 0
        portion.append(operation)
        length += _length(planned)
    yield portion


def _length(planned: Planned) -> int:
    """Return about how many lines a method takes in both flavours."""
    return sum(
        40  # its name, its request, its constants, its wrappers
        + method.doc.count("\n")
        + sum(len(one.arguments) + 8 for one in (*method.overloads, method.signature))
        for method in planned
    )


def _classes(
    name: str, doc: str, children: tuple[Child, ...], planned: Sequence[Planned]
) -> tuple[Resource, ...]:
    """Return the classes of both flavours with their methods."""
    return tuple(
        Resource(
            name, doc, flavour, children, flavour.resource, tuple(both[index] for both in planned)
        )
        for index, flavour in enumerate((SYNC, ASYNC))
    )


def _whole(node: Node, group: Group) -> Module:
    """Return the module of a resource that has its methods itself."""
    doc = f"Methods of `{node.path}`."
    classes = _classes(node.class_name, doc, node.listed(), group.planned)
    imports = group.types.imports if group.planned else Imports()
    imports.add(".._runtime", SYNC.resource, ASYNC.resource)
    context = Resources(tuple(group.types.constants.values()), classes)
    return _module(node, context, imports)


def _heir(node: Node, bases: Sequence[tuple[str, str]], whole: Group) -> Module:
    """Return the module of a resource that inherits its methods."""
    imports = Imports()
    for name, stem in bases:
        imports.add(f".{stem}", name, f"{ASYNC.prefix}{name}")

    def inheriting(flavour: Flavour) -> Resource:
        return Resource(
            node.class_name,
            f"Methods of `{node.path}`.",
            flavour,
            node.listed(),
            ", ".join(f"{flavour.prefix}{name}" for name, _ in bases),
            inherited=tuple(sync.name for sync, _ in whole.planned),
        )

    return _module(node, Resources((), (inheriting(SYNC), inheriting(ASYNC))), imports)


def _module(node: Node, context: Resources, imports: Imports) -> Module:
    imports.add("functools", "cached_property")
    if node.operations:
        imports.add(".._runtime", SYNC.raw, SYNC.streamed, ASYNC.raw, ASYNC.streamed)
    if node.children:
        imports.add("..", "resources")
    path = FOLDER / f"{node.module}.py"
    return Module(path, "resources/resource.py.jinja", context, imports=imports.lines())


def _section(node: Node, methods: Sequence[Method]) -> Section:
    listings: list[Listing] = []
    for method in methods:
        required = [a.name for a in method.signature.arguments if a.default is None]
        more = "..." if len(required) < len(method.signature.arguments) else None
        arguments = ", ".join([*required, *([more] if more else [])])
        result = method.signature.result.replace("models.", "").replace("List[", "list[")
        call = f"{node.path}.{method.name}"
        example = f"{call}({method.example})"
        listings.append(Listing(f"{call}({arguments})", result, method.request, example))
    return Section(node.path, tuple(listings))
