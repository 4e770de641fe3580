"""What stands in documents and is not in the client: said, not hidden."""

from __future__ import annotations

from ..diagnostics import Origin, Report
from .nodes import Node, items, node, text


def report_tags(stated: Node, origin: Origin, report: Report) -> None:
    """Report tags that stand below others (OpenAPI 3.2): each has a resource of its own."""
    for index, tag in enumerate(items(stated.get("tags"))):
        name, parent = text(node(tag).get("name")), text(node(tag).get("parent"))
        if name and parent:
            message = f"the methods of {name!r} are not below those of {parent!r} in the client"
            report.warning("unsupported-tag", message, origin / "tags" / index / "parent")
