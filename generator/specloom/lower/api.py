"""The whole API: the stage ``lower``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from .merge import merge
from .nodes import items, node, text
from .operations import Operations
from .polarity import polarity
from .rewrite import map_declaration, map_operation, rewrite
from .schemas import Schemas
from .security import security
from .streaming import complete
from .unions import infer_tags


def lower(
    descriptions: Sequence[Description], report: Report, names: Collection[str] = ()
) -> ir.Api:
    """Return the IR of one or more descriptions that make one client.

    ``names`` are the origins of inline types that are to be types of their own.
    """
    api = merge([_one(description, report, names) for description in descriptions], report)
    operations = tuple(complete(operation, api.types) for operation in api.operations)
    return replace(api, operations=operations)


def _one(description: Description, report: Report, names: Collection[str]) -> ir.Api:
    root = Origin(description.entry)
    value = description.value
    schemas = Schemas(description, report, names)
    components = node(node(value.get("components")).get("schemas"))
    schemas.components(components, root / "components" / "schemas")
    operations = tuple(Operations(description, schemas, report).lower())
    read, written = _directions(operations, schemas)
    types = _each(schemas.types, lambda type_: _expanded(type_, schemas))
    types = _each(types, lambda type_: infer_tags(type_, types))
    info = node(value.get("info"))
    return ir.Api(
        origin=root,
        title=text(info.get("title")) or "API",
        version=description.text(root / "info" / "version") or "0",
        doc=text(info.get("description")),
        server=_server(value.get("servers")),
        security=security(description, report),
        types=types,
        operations=tuple(
            map_operation(o, lambda t: infer_tags(_expanded(t, schemas), types)) for o in operations
        ),
        schemas=len(components),
        read=read,
        written=written,
    )


def _directions(
    operations: Sequence[ir.Operation], schemas: Schemas
) -> tuple[frozenset[ir.TypeId], frozenset[ir.TypeId]]:
    """Return the types that are read and those that are written.

    Uses are followed as they were written: a name that stands for another type is used too.
    """
    graph = dict(schemas.types)
    for id_, expansion in schemas.expansions.items():
        if id_ not in graph:
            graph[id_] = ir.Alias(id_, ir.Component(id_), Origin(id_), expansion)
    read, written = polarity(operations, graph)
    return read & schemas.types.keys(), written & schemas.types.keys()


def _expanded(type_: ir.Type, schemas: Schemas) -> ir.Type:
    def use(ref: ir.Ref, open_: frozenset[ir.TypeId] = frozenset()) -> ir.Type:
        expansion = schemas.expansions.get(ref.target)
        if expansion is None or ref.target in open_:
            return ref
        return rewrite(expansion, lambda inner: use(inner, open_ | {ref.target}))

    return rewrite(type_, use)


def _each(
    types: Mapping[ir.TypeId, ir.Declaration], change: Callable[[ir.Type], ir.Type]
) -> dict[ir.TypeId, ir.Declaration]:
    return {id_: map_declaration(declared, change) for id_, declared in types.items()}


def _server(servers: object) -> str | None:
    """Return the first server's URL, with its variables at their defaults (Server Object)."""
    first = node(next(iter(items(servers)), None))
    url = text(first.get("url")) or ""
    for name, variable in node(first.get("variables")).items():
        url = url.replace(f"{{{name}}}", str(node(variable).get("default", "")))
    return url.rstrip("/") if url.startswith(("http://", "https://")) else None
