"""What streaming follows from once all types are known: what asks for it, what it adds up to."""

from __future__ import annotations

from dataclasses import replace

from .. import ir
from ..diagnostics import Report
from .members import Types, properties_of
from .mirror import mirror
from .unions import without_null

_TOGGLE = "stream"


def complete(operation: ir.Operation, types: Types, report: Report) -> ir.Operation:
    """Return an operation with what its streaming follows from: the types of both answers.

    Where a success is a whole, too, a boolean property ``stream`` of the request chooses, unless
    an extension names another one.
    """
    stream = operation.streaming
    if stream is None:
        _report_undeclared(operation, types, report)
        return operation
    contents = [c for r in operation.responses if ir.is_success(r.status) for c in r.contents]
    whole = next((c.type for c in contents if isinstance(c, ir.Json)), None)
    if stream.toggle is not None:
        toggle = _toggle(operation, stream.toggle.property, types)
        if toggle is None:
            name = stream.toggle.property
            message = (
                f"the body has no boolean property {name!r}, so the operation is taken to stream "
                "always"
            )
            report.warning("invalid-extension", message, stream.origin)
    else:
        toggle = _toggle(operation, _TOGGLE, types) if contents else None
        if contents and toggle is None:
            message = (
                "an answer is a stream or a whole, and no boolean property 'stream' of the body "
                "chooses, so the client asks for the whole; 'x-specloom-streaming: {toggle: ...}' "
                "names another property, and an overlay that removes one form leaves the other"
            )
            report.warning("unused-stream", message, stream.origin)
            return replace(operation, streaming=None)
    mirrored = mirror(stream.item, whole, types)
    return replace(operation, streaming=replace(stream, toggle=toggle, mirror=mirrored))


def _report_undeclared(operation: ir.Operation, types: Types, report: Report) -> None:
    """Report an operation that can be asked for a stream of which nothing is declared."""
    if _toggle(operation, _TOGGLE, types) is not None:
        message = (
            "the body has a boolean 'stream' and no answer is declared to be one, so the client "
            "reads one whole answer whatever is asked for; if the server streams, let an overlay "
            "add 'x-specloom-streaming: {format: sse, item: <schema>, toggle: stream}' here"
        )
        report.warning("undeclared-stream", message, operation.origin)


def _toggle(operation: ir.Operation, name: str, types: Types) -> ir.Toggle | None:
    """Return the property of the body that asks for a stream."""
    body = None if operation.body is None else operation.body.contents[0]
    if not isinstance(body, ir.Json | ir.Form | ir.Multipart):
        return None
    prop = properties_of(body.type, types).get(name)
    if prop is None or not _is_boolean(prop.type):
        return None
    default = prop.default is not None and ir.value_of(prop.default) is True
    return ir.Toggle(name, default)


def _is_boolean(type_: ir.Type) -> bool:
    bare = without_null(type_)
    return isinstance(bare, ir.Primitive) and bare.kind == "boolean"
