"""Objects put together: what an ``allOf`` and its siblings declare between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..description.load import Description
from ..diagnostics import Origin, Report
from .nodes import Node, is_node, items, node

Placed = tuple[object, Origin]
"""A schema and where it stands."""

_PROSE = frozenset(
    "title description deprecated example examples externalDocs nullable x-nullable default "
    "readOnly writeOnly summary".split()
)


@dataclass(slots=True)
class Parts:
    """The members of an object, each with the place that declared it last."""

    properties: dict[str, Placed] = field(default_factory=dict[str, Placed])
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
    """Return the members that a schema and its ``allOf`` declare; None if they are no object.

    A later declaration of a property wins over an earlier one: authors narrow what they inherit.
    """
    parts = Parts()
    return parts if _gather(description, schema, origin, report, parts, frozenset()) else None


def _gather(
    description: Description,
    written: object,
    origin: Origin,
    report: Report,
    parts: Parts,
    open_: frozenset[Origin],
) -> bool:
    """Add what one schema declares; return whether it can be an object."""
    if not is_node(written) or origin in open_:
        return written is True or origin in open_
    schema = node(written)
    open_ |= {origin}
    if isinstance(ref := schema.get("$ref"), str):
        target = description.target(ref, origin, report)
        if target is None:
            return False
        value = description.lookup(target)
        return _gather(description, value, target, report, parts, open_)
    if schema.get("type", "object") not in ("object", ["object"], ["object", "null"]):
        return False
    if "enum" in schema or "const" in schema:
        return False
    for keyword in ("oneOf", "anyOf", "not", "if", "patternProperties", "dependentRequired"):
        if keyword in schema:
            report.warning(
                "unsupported-keyword",
                f"{keyword!r} inside an object that is put together is not expressed; "
                "what it adds is kept as additional properties",
                origin / keyword,
            )
    for index, branch in enumerate(items(schema.get("allOf"))):
        at = origin / "allOf" / index
        if not _gather(description, branch, at, report, parts, open_):
            return False
    for name, value in node(schema.get("properties")).items():
        parts.properties[name] = (value, origin / "properties" / name)
    for index, required in enumerate(items(schema.get("required"))):
        if isinstance(required, str):
            parts.required.setdefault(required, origin / "required" / index)
    if "additionalProperties" in schema:
        parts.additional = (schema["additionalProperties"], origin / "additionalProperties")
    return True
