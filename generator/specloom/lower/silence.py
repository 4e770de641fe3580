"""What stands in documents, paths and operations and is not in the client: said, not hidden."""

from __future__ import annotations

from ..diagnostics import Origin, Report
from .nodes import Node

_UNSUPPORTED = {
    "webhooks": "webhooks are not in the client: their payload types are, where components",
    "callbacks": "callbacks are not in the client",
    "additionalOperations": "operations with other HTTP methods are not in the client",
}


def report_unsupported(stated: Node, origin: Origin, report: Report) -> None:
    """Report the parts of a document, a path item or an operation that the client leaves out."""
    for keyword, sentence in _UNSUPPORTED.items():
        if stated.get(keyword):
            report.warning(f"unsupported-{keyword.lower()}", sentence, origin / keyword)
    if stated.get("servers") and origin.pointer:
        message = "servers of a path or an operation are not used: 'base_url' is the same for all"
        report.warning("unsupported-servers", message, origin / "servers")
    if stated.get("security") == [] and origin.pointer:
        message = "the operation needs no credential, but the client sends it all the same"
        report.warning("unsupported-security", message, origin / "security")
