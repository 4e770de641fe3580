"""The whole API: the stage ``lower``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from .defaults import Defaults
from .examples import Examples
from .merge import merge
from .nodes import node, text
from .operations import Operations
from .pagination import NOTHING, Configured, Paginations, report_unused
from .polarity import polarity
from .references import References
from .rewrite import map_declaration, map_operation, map_webhook, rewrite
from .schemas import Schemas
from .security import Securities
from .servers import api_servers, hoisted
from .stack import room
from .streaming import complete
from .tags import Tags
from .webhooks import Webhooks, message


def lower(
    descriptions: Sequence[Description],
    report: Report,
    names: Collection[str] = (),
    pagination: Configured = NOTHING,
) -> ir.Api:
    """Return the IR of one or more descriptions that make one client.

    ``names`` are the origins of inline types that are to be types of their own; ``pagination`` is
    what is said of operations besides their descriptions.
    """
    with room():
        lowered = [_one(description, report, names, pagination) for description in descriptions]
    api = merge(lowered, report)
    report_unused(api.operations, pagination, report)
    operations = tuple(complete(operation, api.types, report) for operation in api.operations)
    return replace(api, operations=operations, message=message(api.webhooks, Tags(api.types)))


def _one(
    description: Description, report: Report, names: Collection[str], pagination: Configured
) -> ir.Api:
    root = Origin(description.entry)
    value = description.value
    schemas = Schemas(description, report, names)
    components = node(node(value.get("components")).get("schemas"))
    schemas.components(components, root / "components" / "schemas")
    securities = Securities(description, References(description, report), report)
    servers = api_servers(value, root, report)
    lowering = Operations.of(description, schemas, securities, servers, report)
    operations = tuple(lowering.lower())
    servers, operations = hoisted(servers, operations)
    webhooks = tuple(_webhooks(lowering.webhooks, description, operations))
    read, written = _directions(operations, webhooks, schemas)
    types = _each(schemas.types, lambda type_: _expanded(type_, schemas))
    tags, defaults = Tags(types), Defaults(types, report)
    types = _each(types, tags.tagged)
    paginations = Paginations(description, pagination, types, report)
    info = node(value.get("info"))
    required = securities.stated(value, root) or ()
    return ir.Api(
        origin=root,
        title=text(info.get("title")) or "API",
        version=description.text(root / "info" / "version") or "0",
        doc=text(info.get("description")),
        servers=servers,
        schemes=tuple(securities.schemes.values()),
        security=required,
        types={id_: defaults.of_declaration(declared) for id_, declared in types.items()},
        operations=tuple(
            paginations.applied(
                defaults.of_operation(
                    map_operation(
                        replace(o, security=None if o.security == required else o.security),
                        lambda t: tags.tagged(_expanded(t, schemas)),
                    )
                )
            )
            for o in operations
        ),
        webhooks=tuple(
            map_webhook(one, lambda t: tags.tagged(_expanded(t, schemas))) for one in webhooks
        ),
        read=read,
        written=written,
        examples=Examples(description).of(operations, types),
    )


def _webhooks(
    webhooks: Webhooks, description: Description, operations: Sequence[ir.Operation]
) -> Iterator[ir.Webhook]:
    """Yield the webhooks of a description, and then the callbacks, each once."""
    yield from webhooks.of_document(description.value, Origin(description.entry))
    known: set[Origin] = set()
    for operation in operations:
        stated = node(description.lookup(operation.origin))
        for callback in webhooks.of_operation(stated, operation.origin):
            if callback.origin not in known:
                known.add(callback.origin)
                yield callback


def _directions(
    operations: Sequence[ir.Operation], webhooks: tuple[ir.Webhook, ...], schemas: Schemas
) -> tuple[frozenset[ir.TypeId], frozenset[ir.TypeId]]:
    """Return the types that are read and those that are written.

    Uses are followed as they were written: a name that stands for another type is used too.
    """
    graph = dict(schemas.types)
    for id_, expansion in schemas.expansions.items():
        if id_ not in graph:
            graph[id_] = ir.Alias(id_, ir.Component(id_), Origin(id_), expansion)
    read, written = polarity(operations, graph, webhooks)
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
