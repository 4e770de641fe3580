"""Polarity: which types requests can reach, and which responses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from .. import ir

Types = Mapping[ir.TypeId, ir.Declaration]
Direction = Literal["read", "write"]


def polarity(
    operations: Sequence[ir.Operation], types: Types, webhooks: tuple[ir.Webhook, ...] = ()
) -> tuple[frozenset[ir.TypeId], frozenset[ir.TypeId]]:
    """Return the types that are read and the types that are written.

    A type that no operation reaches counts as read: it is in the description, so it is in the
    client. A ``readOnly`` property leads nowhere in a request, a ``writeOnly`` one nowhere in a
    response (OpenAPI, Schema Object). What webhooks bring is read as responses are.
    """
    received = [t for o in operations for t in ir.received(o)]
    read = _reached([*received, *ir.notified(webhooks)], types, "read")
    written = _reached((t for o in operations for t in ir.sent(o)), types, "write")
    unused = (ir.Ref(id_) for id_ in types if id_ not in read and id_ not in written)
    return read | _reached(unused, types, "read"), written


def _reached(roots: Iterable[ir.Type], types: Types, direction: Direction) -> frozenset[ir.TypeId]:
    found: set[ir.TypeId] = set()
    pending = [id_ for root in roots for id_ in ir.references(root)]
    while pending:
        id_ = pending.pop()
        if id_ not in found:
            found.add(id_)
            for type_ in ir.held(types[id_], direction):
                pending.extend(ir.references(type_))
    return frozenset(found)
