"""Several descriptions, one client: each operation goes where its own description says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .. import ir
from ..diagnostics import Report
from .servers import same_servers


def joined_access(first: ir.Api, second: ir.Api, report: Report) -> tuple[ir.Api, ir.Api]:
    """Return two APIs that are to be one, with the same servers and security.

    Their operations say where they differ from these. Schemes of the second that the first has too
    are left out of it.
    """
    first, second = _joined_security(first, second, report)
    return _joined_servers(first, second, report)


def _joined_security(first: ir.Api, second: ir.Api, report: Report) -> tuple[ir.Api, ir.Api]:
    """Let equal schemes be one, and let the security of the first be that of both."""
    names = _names(first, second, report)
    known = {scheme.name for scheme in first.schemes}
    second = replace(
        second,
        schemes=tuple(
            replace(scheme, name=names[scheme.name])
            for scheme in second.schemes
            if names[scheme.name] not in known
        ),
        security=_renamed(second.security, names),
        operations=tuple(
            replace(o, security=None if o.security is None else _renamed(o.security, names))
            for o in second.operations
        ),
    )
    shared = first.security if first.operations else second.security
    return _with_security(first, shared), _with_security(second, shared)


def _names(first: ir.Api, second: ir.Api, report: Report) -> dict[str, str]:
    """Return what the schemes of the second are called in both.

    A scheme that proves the same in the same way is one, whatever its name. Another scheme of a
    name that is taken gets a new one.
    """
    by_proof = {_bare(scheme): scheme for scheme in reversed(first.schemes)}
    by_name = {scheme.name: scheme for scheme in first.schemes}
    taken = {scheme.name for scheme in (*first.schemes, *second.schemes)}
    names: dict[str, str] = {}
    for scheme in second.schemes:
        twin = by_name.get(scheme.name)
        if twin is not None and _bare(twin) == _bare(scheme):
            names[scheme.name] = scheme.name
        elif _bare(scheme) in by_proof:
            names[scheme.name] = by_proof[_bare(scheme)].name
        elif twin is None:
            names[scheme.name] = scheme.name
        else:
            number = next(n for n in range(2, len(taken) + 3) if f"{scheme.name}{n}" not in taken)
            names[scheme.name] = f"{scheme.name}{number}"
            taken.add(names[scheme.name])
            message = f"{scheme.name!r} is declared differently in another description: "
            hint = f"the client has both, this one as {names[scheme.name]!r}"
            report.warning("different-security", message + hint, scheme.origin, twin.origin)
    return names


def _bare(scheme: ir.Scheme) -> ir.Proof:
    """Return what tells a scheme from others: hints at how tokens look do not."""
    return ir.Bearer() if isinstance(scheme.proof, ir.Bearer) else scheme.proof


def _renamed(security: ir.Security, names: Mapping[str, str]) -> ir.Security:
    return tuple(
        tuple(replace(need, scheme=names[need.scheme]) for need in requirement)
        for requirement in security
    )


def _with_security(api: ir.Api, shared: ir.Security) -> ir.Api:
    """Return an API with this security, and with operations that say what theirs is otherwise."""

    def own(operation: ir.Operation) -> ir.Security | None:
        security = api.security if operation.security is None else operation.security
        return None if security == shared else security

    operations = tuple(replace(o, security=own(o)) for o in api.operations)
    return replace(api, security=shared, operations=operations)


def _joined_servers(first: ir.Api, second: ir.Api, report: Report) -> tuple[ir.Api, ir.Api]:
    """Let the servers of the first that says where it is be those of both."""
    placed = next((api for api in (first, second) if _is_placed(api)), first)
    for api in (first, second):
        if placed.servers and api.servers and not _is_placed(api) and api is not placed:
            message = "where this server is, is not known: its operations go to "
            report.warning(
                "different-servers",
                f"{message}{placed.servers[0].url!r} with the others",
                api.servers[0].origin,
                placed.servers[0].origin,
            )
    return _with_servers(first, placed.servers), _with_servers(second, placed.servers)


def _is_placed(api: ir.Api) -> bool:
    return any(server.is_absolute for server in api.servers)


def _with_servers(api: ir.Api, shared: tuple[ir.Server, ...]) -> ir.Api:
    """Return an API with these servers, and with operations that say what theirs are otherwise."""

    def own(operation: ir.Operation) -> tuple[ir.Server, ...] | None:
        servers = operation.servers
        if servers is None and _is_placed(api):
            servers = api.servers
        return None if servers is None or same_servers(servers, shared) else servers

    operations = tuple(replace(o, servers=own(o)) for o in api.operations)
    return replace(api, servers=shared, operations=operations)
