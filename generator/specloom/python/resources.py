"""Resources: the tree that leads from the client to its methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from .. import ir
from ..config import Config
from ..diagnostics import Report
from .access import Access
from .annotations import Passed, Symbols
from .arguments import Arguments
from .flavours import ASYNC, RUNTIME, SYNC
from .imports import Imports
from .methods import Methods
from .module_types import ModuleTypes
from .names import CLIENT_ATTRIBUTES, RESOURCE_ATTRIBUTES, RESOURCE_CLASSES, Scope, pascal, snake
from .package import Child, Flavour, Listing, Method, Module, Resource, Resources, Section
from .pins import Pins
from .results import usual_error
from .routes import route
from .types import lazy_package

FOLDER = PurePosixPath("resources")
LONGEST = 2_000
"""About how many lines a module may have with the classes of both flavours in it."""
SUFFIXES = ("", "WithRawResponse", "WithStreamingResponse")


@dataclass(slots=True)
class Node:
    """One resource: the attribute that leads to it, its operations, the resources below it."""

    chain: tuple[str, ...]
    reserved: frozenset[str] = RESOURCE_ATTRIBUTES
    attribute: str = ""
    class_name: str = ""
    module: str = ""
    second_module: str = ""
    """Where the asynchronous classes are when one module would be too long for both."""
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
    for node in root.walk():
        node.second_module = files.claim(f"{node.module}_async")
    return root


def class_names(name: str, *flavours: Flavour) -> list[str]:
    """Return the names of the classes of a resource in some flavours, plain and wrapped."""
    return [f"{flavour.prefix}{name}{suffix}" for flavour in flavours for suffix in SUFFIXES]


def _class_name(wanted: str, taken: set[str]) -> str:
    """Return the name of a resource's class so that none of its classes has a taken name."""
    name, count = wanted, 2
    while not taken.isdisjoint(class_names(name, SYNC, ASYNC)):
        name = f"{wanted}Resource" if count == 2 else f"{wanted}Resource{count}"
        count += 1
    taken.update(class_names(name, SYNC, ASYNC))
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


def resource_modules(
    root: Node,
    api: ir.Api,
    models: Symbols,
    params: Symbols,
    passed: Passed,
    access: Access,
    config: Config,
    report: Report,
) -> tuple[list[Module], list[Section], list[tuple[Node, list[Made]]]]:
    """Return one module for each resource with their package, and their sections in api.md.

    With each resource that has methods comes what these were made of.
    """
    modules: list[Module] = []
    made: list[tuple[Node, list[Made]]] = []
    sections: list[Section] = []
    names: list[tuple[str, str]] = []
    error = usual_error(api)
    usual = None if error is None else ir.Ref(error)
    for node in root.walk():
        attributes = {
            *(name for name, _ in node.operations),
            *(c.attribute for c in node.children.values()),
        }
        types = ModuleTypes(api, models, params, passed, attributes)
        methods = Methods(types, usual, access, config, report)
        planned = [methods.method(operation, name) for name, operation in node.operations]
        for module, classes in _modules(node, types, planned):
            modules.append(module)
            flavours = (resource.flavour for resource in classes)
            names += [(n, module.path.stem) for n in class_names(node.class_name, *flavours)]
        if planned:
            sections.append(_section(node, [sync for sync, _ in planned]))
            pairs = zip(node.operations, planned, strict=True)
            made.append(
                (
                    node,
                    [
                        Made(operation, node.path, sync, methods.arguments[operation.origin])
                        for (_, operation), (sync, _) in pairs
                    ],
                )
            )
    modules += lazy_package(FOLDER, tuple(sorted(names)))
    return modules, sections, made


def _modules(
    node: Node, types: ModuleTypes, planned: Sequence[tuple[Method, Method]]
) -> Iterator[tuple[Module, tuple[Resource, ...]]]:
    """Yield the module of a resource, or one for each flavour when it would be too long."""
    doc = f"Methods of `{node.path}`."
    both = tuple(
        Resource(node.class_name, doc, flavour, node.listed(), tuple(p[index] for p in planned))
        for index, flavour in enumerate((SYNC, ASYNC))
    )
    if sum(map(_length, both)) <= LONGEST:
        yield _module(node, node.module, types, both), both
    else:
        yield _module(node, node.module, types, both[:1]), both[:1]
        yield _module(node, node.second_module, types, both[1:]), both[1:]


def _length(resource: Resource) -> int:
    """Return about how many lines a class takes."""
    return sum(
        40  # its name, its request, its constants
        + method.doc.count("\n")
        + sum(len(one.arguments) + 8 for one in (*method.overloads, method.signature))
        for method in resource.methods
    )


def _module(node: Node, name: str, types: ModuleTypes, resources: tuple[Resource, ...]) -> Module:
    """Return a module with some of the classes of a resource, and with all its constants."""
    methods = [method for resource in resources for method in resource.methods]
    imports = Imports({module: {*names} for module, names in types.imports.names.items()})
    if not methods:
        imports.names.clear()
    imports.add("functools", "cached_property")
    for flavour in (resource.flavour for resource in resources):
        imports.add(".._runtime", flavour.resource)
        if methods:
            imports.add(".._runtime", flavour.raw, flavour.streamed)
    for flavour in {SYNC, ASYNC} - {resource.flavour for resource in resources}:
        imports.names[".._runtime"] -= RUNTIME[flavour]
    if node.children:
        imports.add("..", "resources")
    context = Resources(tuple(types.constants.values()), resources)
    path = FOLDER / f"{name}.py"
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
