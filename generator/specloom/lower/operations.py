"""Operations: paths, and what stands at them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from .bodies import Bodies
from .envelopes import Envelopes
from .forms import Forms
from .nodes import Node, items, node, said, text
from .parameters import Layers, Parameters
from .path_keys import PathKey
from .references import References
from .responses import Responses
from .schemas import Schemas
from .security import Securities
from .servers import own_servers
from .silence import report_tags
from .streaming_extensions import Extensions
from .streams import Streams
from .styles import Values
from .webhooks import Webhooks

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


@dataclass(frozen=True, slots=True)
class Operations:
    """Lowers the operations of one description."""

    description: Description
    securities: Securities
    servers: tuple[ir.Server, ...]
    report: Report
    webhooks: Webhooks
    """Lowers what the API sends of itself."""
    _references: References
    _parameters: Parameters
    _bodies: Bodies
    _responses: Responses
    _extensions: Extensions

    @classmethod
    def of(
        cls,
        description: Description,
        schemas: Schemas,
        securities: Securities,
        servers: tuple[ir.Server, ...],
        report: Report,
    ) -> Operations:
        """Return what lowers the operations of a description; ``schemas`` gathers their types."""
        references = References(description, report)
        values = Values(schemas, references, report)
        forms = Forms(schemas, values, report)
        bodies = Bodies(schemas, forms, references, report)
        streams = Streams(schemas, Envelopes(schemas), references, report)
        return cls(
            description,
            securities,
            servers,
            report,
            Webhooks(schemas, values, references, report),
            references,
            Parameters(values, forms, references, report),
            bodies,
            Responses(streams, bodies, values, references, report),
            Extensions(schemas, streams, report),
        )

    def lower(self) -> Iterator[ir.Operation]:
        """Yield every operation in the order of the description."""
        root = Origin(self.description.entry)
        ids: dict[str, Origin] = {}
        report_tags(self.description.value, root, self.report)
        for path, written in node(self.description.value.get("paths")).items():
            if path.startswith("x-"):
                continue
            layers = list(self._references.layers(written, root / "paths" / path))
            for method, value, at in self._methods(layers):
                operation, origin = self._references.target(value, at)
                self._note_id(text(operation.get("operationId")), origin / "operationId", ids)
                yield self._operation(operation, origin, method, PathKey.of(path), layers)

    def _methods(self, layers: Layers) -> Iterator[tuple[str, object, Origin]]:
        """Yield the operations of a path item and of those it refers to, the nearest first.

        ``additionalOperations`` has those of methods that have no field (OpenAPI 3.2).
        """
        known: dict[str, Origin] = {}
        for item, origin in layers:
            fields = [(m.upper(), v, origin / m) for m, v in item.items() if m in METHODS]
            at = origin / "additionalOperations"
            more = node(item.get("additionalOperations"))
            fields += [(m, v, at / m) for m, v in more.items() if self._is_method(m, at)]
            for method, value, place in fields:
                if known.setdefault(method, place) != place:
                    message = f"another {method} operation of this path is nearer and used instead"
                    self.report.warning("hidden-operation", message, place, known[method])
                else:
                    yield method, value, place

    def _is_method(self, name: str, origin: Origin) -> bool:
        """Return whether a name can be that of a method (RFC 9110, section 9.1)."""
        if name.startswith("x-") or _TOKEN.fullmatch(name):
            return not name.startswith("x-")
        message = f"{name!r} cannot be the name of an HTTP method, so this operation is left out"
        self.report.warning("invalid-method", message, origin / name)
        return False

    def _note_id(self, id_: str | None, origin: Origin, ids: dict[str, Origin]) -> None:
        """Report an operation id that another operation has (OpenAPI, Operation Object)."""
        if id_ is not None and ids.setdefault(id_, origin) != origin:
            message = f"the operation id {id_!r} is taken; every operation needs one of its own"
            self.report.warning("duplicate-operation-id", message, origin, ids[id_])

    def _operation(
        self, operation: Node, origin: Origin, method: str, key: PathKey, layers: Layers
    ) -> ir.Operation:
        body: ir.RequestBody | None = None
        if (stated := operation.get("requestBody")) is not None:
            body = self._bodies.request(stated, origin / "requestBody")
        answers = self._responses.lower(operation.get("responses"), origin / "responses")
        responses, stream = self._extensions.applied(operation, origin, *answers)
        return ir.Operation(
            id=text(operation.get("operationId")),
            method=method,
            path=key.sent,
            origin=origin,
            tags=tuple(tag for t in items(operation.get("tags")) if (tag := text(t))),
            parameters=self._parameters.lower(operation, origin, layers, key),
            body=body,
            responses=responses,
            streaming=stream,
            doc=said(operation),
            deprecated=operation.get("deprecated") is True,
            variant=key.fragment,
            security=self.securities.stated(operation, origin),
            servers=own_servers(((operation, origin), *layers), self.servers, self.report),
        )
