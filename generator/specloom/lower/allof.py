"""Objects put together: what an ``allOf`` and its siblings declare between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..description.load import Description
from ..diagnostics import Origin, Report
from .keywords import report_ignored
from .nodes import Node, is_node, items, node

Placed = tuple[object, Origin]
"""A schema and where it stands."""

_PROSE = frozenset(
    "title description deprecated example examples externalDocs nullable x-nullable default "
    "readOnly writeOnly summary".split()
)


@dataclass(slots=True)
class Parts:
    """The members of an object, each with every declaration of it, in order."""

    properties: dict[str, list[Placed]] = field(default_factory=dict[str, list[Placed]])
    required: dict[str, Origin] = field(default_factory=dict[str, Origin])
    additional: Placed | None = None


def single(schema: Node, branches: Sequence[object]) -> int | None:
    """Return the index of the one branch that says more than prose, if nothing else does.

    ``allOf: [{$ref: ...}]`` with a description or ``nullable`` beside it is the way OpenAPI 3.0
    documents annotate a reference.
    """
    if any(k not in _PROSE and k not in ("allOf", "type") and k[:2] != "x-" for k in schema):
        return None
    telling = [
        index
        for index, branch in enumerate(branches)
        if not (is_node(branch) and node(branch).keys() <= _PROSE)
    ]
    return telling[0] if len(telling) == 1 else None


def collect(description: Description, schema: Node, origin: Origin, report: Report) -> Parts | None:
    """Return the members that a schema and its ``allOf`` declare; None if they are no object."""
    gathering = _Gathering(description, report)
    return gathering.parts if gathering.add(schema, origin, frozenset()) else None


@dataclass(slots=True)
class _Gathering:
    """Parts that are being put together."""

    description: Description
    report: Report
    parts: Parts = field(default_factory=Parts)

    def add(self, written: object, origin: Origin, open_: frozenset[Origin]) -> bool:
        """Add what one schema declares; return whether it can be an object."""
        if not is_node(written) or origin in open_:
            return written is True or origin in open_
        schema = node(written)
        if isinstance(ref := schema.get("$ref"), str):
            target = self.description.target(ref, origin / "$ref", self.report)
            if target is None:
                return False
            inside = open_ | {origin}
            return self.add(self.description.lookup(target), target, inside)
        if schema.get("type", "object") not in ("object", ["object"], ["object", "null"]):
            return False
        if "enum" in schema or "const" in schema:
            return False
        if open_:
            self._report_inner(schema, origin)
        for index, branch in enumerate(items(schema.get("allOf"))):
            if not self.add(branch, origin / "allOf" / index, open_ | {origin}):
                return False
        for name, value in node(schema.get("properties")).items():
            placed = (value, origin / "properties" / name)
            self.parts.properties.setdefault(name, []).append(placed)
        for index, required in enumerate(items(schema.get("required"))):
            if isinstance(required, str):
                self.parts.required.setdefault(required, origin / "required" / index)
        if "additionalProperties" in schema:
            self.parts.additional = (
                schema["additionalProperties"],
                origin / "additionalProperties",
            )
        return True

    def _report_inner(self, schema: Node, origin: Origin) -> None:
        """Report what a branch says beside properties: nobody else looks at it as a whole."""
        report_ignored(schema, origin, self.report)
        for keyword in ("oneOf", "anyOf"):
            if keyword in schema:
                self.report.warning(
                    "unsupported-keyword",
                    f"{keyword!r} inside an allOf is not expressed; what its branches add is "
                    "kept as it comes",
                    origin / keyword,
                )
