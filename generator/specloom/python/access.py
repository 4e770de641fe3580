"""How a client reaches its API and proves who calls: servers and security together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from .. import ir
from ..config import Config
from ..diagnostics import Report
from .names import CLIENT_ATTRIBUTES, CLIENT_KEYWORDS, WEBHOOK_SECRET, Scope
from .package import Call
from .security import Security, security
from .servers import Servers, servers


@dataclass(frozen=True, slots=True)
class Access:
    """What the calls of a client have in common, and where one has its own."""

    servers: Servers
    security: Security

    def of(self, operation: ir.Operation, call: Call) -> Call:
        """Return the call of an operation with what is its own."""
        own = self.security.of(operation), self.servers.of(operation)
        return call if own == (None, None) else replace(call, security=own[0], servers=own[1])


def access(
    api: ir.Api, config: Config, prefix: str, attributes: Iterable[str], report: Report
) -> Access:
    """Return how the client of an API reaches it.

    ``prefix`` begins the names of environment variables, ``attributes`` are those that lead to the
    resources.
    """
    keywords, taken = Scope(frozenset({"self", *CLIENT_KEYWORDS})), Scope(CLIENT_ATTRIBUTES)
    if api.message is not None:
        keywords.claim(WEBHOOK_SECRET)
    for name in attributes:
        taken.claim(name)
    placed = servers(api, keywords)
    return Access(placed, security(api, config, prefix, keywords, taken, report))
