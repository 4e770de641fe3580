"""Webhooks and callbacks: what an API sends of itself, and what it then brings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from .. import ir
from ..diagnostics import Origin, Report
from . import media
from .nodes import Node, items, node, said
from .references import References
from .schemas import Schemas
from .styles import Values
from .tags import Tags
from .unions import union

_SECTIONS = ("webhooks", "x-webhooks")
"""Where documents have webhooks: since OpenAPI 3.1, and before it by an extension."""


@dataclass(frozen=True, slots=True)
class Webhooks:
    """Lowers the webhooks and the callbacks of one description.

    What they bring is read. What is answered to them is up to whoever serves them.
    """

    schemas: Schemas
    values: Values
    references: References
    report: Report

    def of_document(self, value: Node, root: Origin) -> Iterator[ir.Webhook]:
        """Yield the webhooks of a document."""
        for section in _SECTIONS:
            for name, written in node(value.get(section)).items():
                yield from self._of_item(name, written, root / section / name)

    def of_operation(self, operation: Node, origin: Origin) -> Iterator[ir.Webhook]:
        """Yield the callbacks of an operation."""
        for name, written in node(operation.get("callbacks")).items():
            if name.startswith("x-"):
                continue
            stated, at = self.references.target(written, origin / "callbacks" / name)
            for address, item in stated.items():
                if not address.startswith("x-") and address not in ("summary", "description"):
                    for one in self._of_item(name, item, at / address):
                        yield replace(one, operation=origin, address=address)

    def _of_item(self, name: str, written: object, origin: Origin) -> Iterator[ir.Webhook]:
        """Yield what a path item says is sent: in most of them, one message by POST."""
        known: set[str] = set()
        for item, at in self.references.layers(written, origin):
            for method in ("post", "put", "patch", "delete", "get", "query"):
                if method in item and method not in known:
                    known.add(method)
                    operation, place = self.references.target(item[method], at / method)
                    yield self._webhook(name, method.upper(), operation, place, origin / method)

    def _webhook(
        self, name: str, method: str, operation: Node, origin: Origin, at: Origin
    ) -> ir.Webhook:
        """Return a webhook that is declared at ``origin`` and used at ``at``."""
        written, body_at = operation.get("requestBody"), origin / "requestBody"
        body, place = self.references.target(written or {}, body_at)
        type_ = self._payload(node(body.get("content")), place, at)
        if type_ is None:
            message = f"the webhook {name!r} brings no JSON, so the client does not read it"
            self.report.warning("unread-webhook", message, place if body else origin)
        return ir.Webhook(
            name=name,
            method=method,
            type=type_,
            origin=origin,
            headers=tuple(self._headers(operation, origin, at)),
            doc=said(operation) or said(body),
            deprecated=operation.get("deprecated") is True,
        )

    def _payload(self, content: Node, origin: Origin, at: Origin) -> ir.Type | None:
        """Return what a message is in JSON, or None where it is anything else."""
        for media_type in media.preferred(content):
            if media.kind(media_type) in ("json", "any"):
                place = origin / "content" / media_type
                stated, place = self.references.target(content[media_type], place)
                if "schema" not in stated:
                    return ir.UNKNOWN
                inline = ir.Inline(str(at), "payload")
                return self.schemas.lower(stated["schema"], place / "schema", inline)
        return None

    def _headers(self, operation: Node, origin: Origin, owner: Origin) -> Iterator[ir.Parameter]:
        """Yield the headers that come along."""
        for index, written in enumerate(items(operation.get("parameters"))):
            stated, at = self.references.target(written, origin / "parameters" / index)
            if stated.get("in") == "header":
                name = str(stated.get("name"))
                yield self.values.parameter(name, "header", stated, at, owner)


def message(webhooks: Iterable[ir.Webhook], tags: Tags) -> ir.Type | None:
    """Return what any webhook brings; callbacks count where there are no other webhooks."""
    told = [webhook for webhook in webhooks if webhook.type is not None]
    counted = [webhook for webhook in told if webhook.operation is None] or told
    types = [webhook.type for webhook in counted if webhook.type is not None]
    return tags.tagged(union(types)) if types else None
