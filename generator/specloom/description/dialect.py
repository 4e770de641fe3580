"""What a document says in the dialect of another version of OpenAPI: understood, and reported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from specloom.description.document import Document
from specloom.description.values import children, is_mapping
from specloom.diagnostics import Origin, Report

# Looking for the words first spares most documents the way through all their values.
_NULL_TYPE: Final = re.compile(rb"""type["']?\s*:\s*["']null["']""")
# Below these, anything is data.
_DATA: Final = frozenset({"example", "examples", "default", "enum", "const", "value"})


def report_null_types(document: Document, version: str, report: Report) -> None:
    """Warn of ``type: 'null'`` in a version before 3.1, which has ``nullable`` instead."""
    if version.startswith(("2.0", "3.0")) and _NULL_TYPE.search(document.data):
        instead = "x-nullable" if version == "2.0" else "nullable"
        message = (
            f"version {version} has no type 'null' ('{instead}: true' stands for it);"
            " it is read as in version 3.1"
        )
        for origin in _null_types(document.value, Origin(document.uri)):
            report.warning("null-type", message, origin)


def _null_types(root: object, origin: Origin) -> Iterator[Origin]:
    """Yield the places of ``type: 'null'`` in the order of the document."""
    waiting: list[tuple[object, Origin]] = [(root, origin)]
    while waiting:
        value, here = waiting.pop()
        if is_mapping(value) and value.get("type") == "null":
            yield here / "type"
        below = [(child, at) for key, child, at in children(value, here) if key not in _DATA]
        waiting += reversed(below)
