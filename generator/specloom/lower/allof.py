"""Objects put together: what an ``allOf`` and its siblings declare between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..description.load import Description
from ..diagnostics import Origin, Report

Schema = Mapping[str, Any]
Placed = tuple[object, Origin]
"""A schema and where it stands."""

_PROSE = frozenset(
    "title description deprecated example examples externalDocs nullable x-nullable default "
    "readOnly writeOnly summary".split()
)


@dataclass(slots=True)
class Parts:
    """The members of an object, each with the place that declared it last."""

    properties: dict[str, Placed] = field(default_factory=dict)
    required: dict[str, Origin] = field(default_factory=dict)
    additional: Placed | None = None


def single(schema: Schema, branches: Sequence[object]) -> int | None:
    """Return the index of the one branch that says more than prose, if nothing else does.

    ``allOf: [{$ref: ...}]`` with a description or ``nullable`` beside it is the way OpenAPI 3.0
    documents annotate a reference.
    """
    if any(k not in _PROSE and k not in ("allOf", "type") and k[:2] != "x-" for k in schema):
        return None
    telling = [
        index
        for index, branch in enumerate(branches)
        if not (isinstance(branch, Mapping) and branch.keys() <= _PROSE)
    ]
    return telling[0] if len(telling) == 1 else None


def collect(
    description: Description, schema: Schema, origin: Origin, report: Report
) -> Parts | None:
    """Return the members that a schema and its ``allOf`` declare; None if they are no object.

    A later declaration of a property wins over an earlier one: authors narrow what they inherit.
    """
    parts = Parts()
    return parts if _gather(description, schema, origin, report, parts, frozenset()) else None


def _gather(
    description: Description,
    schema: object,
    origin: Origin,
    report: Report,
    parts: Parts,
    open_: frozenset[Origin],
) -> bool:
    """Add what one schema declares; return whether it can be an object."""
    if not isinstance(schema, Mapping) or origin in open_:
        return schema is True or origin in open_
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
    branches = schema.get("allOf")
    for index, branch in enumerate(branches if isinstance(branches, list) else ()):
        at = origin / "allOf" / index
        if not _gather(description, branch, at, report, parts, open_):
            return False
    properties = schema.get("properties")
    for name, value in properties.items() if isinstance(properties, Mapping) else ():
        parts.properties[name] = (value, origin / "properties" / name)
    required = schema.get("required")
    for index, name in enumerate(required if isinstance(required, list) else ()):
        if isinstance(name, str):
            parts.required.setdefault(name, origin / "required" / index)
    if "additionalProperties" in schema:
        parts.additional = (schema["additionalProperties"], origin / "additionalProperties")
    return True
