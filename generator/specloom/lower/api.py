"""The whole API: the stage ``lower``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from .merge import merge
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
    read, written = polarity(operations, api.types)
    return replace(api, operations=operations, read=read, written=written)


def _one(description: Description, report: Report, names: Collection[str]) -> ir.Api:
    root = Origin(description.entry)
    value = description.value
    schemas = Schemas(description, report, names)
    components = (value.get("components") or {}).get("schemas") or {}
    schemas.components(components, root / "components" / "schemas")
    operations = tuple(Operations(description, schemas, report).lower())
    types = _uses(schemas)
    types = _each(types, lambda type_: infer_tags(type_, types))
    info = value.get("info") or {}
    version = description.text(root / "info" / "version")
    return ir.Api(
        title=str(info.get("title") or "API"),
        version=version if version is not None else str(info.get("version") or "0"),
        doc=info.get("description") if isinstance(info.get("description"), str) else None,
        server=_server(value.get("servers")),
        security=security(description, report),
        types=types,
        operations=tuple(
            map_operation(o, lambda t: infer_tags(_expanded(t, schemas), types))
            for o in operations
        ),
        schemas=len(components),
    )


def _uses(schemas: Schemas) -> dict[ir.TypeId, ir.Declaration]:
    """Return the declared types with every use written out: see ``Schemas.expansions``."""
    return _each(schemas.types, lambda type_: _expanded(type_, schemas))


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
    if not isinstance(servers, list) or not servers or not isinstance(servers[0], Mapping):
        return None
    url = str(servers[0].get("url") or "")
    variables = servers[0].get("variables") or {}
    for name, variable in variables.items():
        url = url.replace(f"{{{name}}}", str(variable.get("default", "")))
    return url.rstrip("/") if url.startswith(("http://", "https://")) else None
