"""The keywords of a schema: which are understood, and what those say that make no type.

A keyword is consumed by ``schemas``, read here, or reported: silence would be a bug.
"""

from __future__ import annotations

from typing import Literal

from .. import ir
from ..diagnostics import Origin, Report
from .nodes import Node, items, node, text

CONSUMED = frozenset(
    "$ref $defs definitions type format enum const oneOf anyOf allOf properties required "
    "additionalProperties items nullable x-nullable discriminator readOnly writeOnly "
    "default".split()
)
"""Keywords that make types, properties and their presence."""

ANNOTATIONS = frozenset(
    "title description summary deprecated example examples externalDocs xml "
    "$schema $id $anchor $comment $vocabulary".split()
)
"""Keywords that say something to people or to other tools (JSON Schema Validation §9)."""

NUMERIC = frozenset("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split())
TEXTUAL = frozenset(
    "minLength maxLength pattern contentEncoding contentMediaType contentSchema".split()
)
LISTED = frozenset("minItems maxItems uniqueItems".split())
KEYED = frozenset("minProperties maxProperties".split())
CONSTRAINTS = NUMERIC | TEXTUAL | LISTED | KEYED
"""Keywords that limit values without changing their type (JSON Schema Validation §6)."""

ON_USE = frozenset("description deprecated default readOnly writeOnly".split())
"""Keywords that speak of the property that holds a schema, even through a reference."""


def report_ignored(schema: Node, origin: Origin, report: Report) -> None:
    """Report every keyword of a schema that nothing here expresses."""
    for keyword in schema:
        known = keyword in CONSUMED or keyword in ANNOTATIONS or keyword in CONSTRAINTS
        if not known and not keyword.startswith("x-"):
            report.warning(
                "unsupported-keyword",
                f"the keyword {keyword!r} is not expressed in the client",
                origin / keyword,
            )


def report_siblings(schema: Node, origin: Origin, report: Report) -> None:
    """Report what stands beside a reference and would change its target."""
    for keyword in schema:
        if keyword in (CONSUMED | CONSTRAINTS) - ON_USE - {"$ref", "nullable", "x-nullable"}:
            report.warning(
                "ignored-sibling", f"{keyword!r} beside '$ref' is not applied", origin / keyword
            )


def constraints(schema: Node, keywords: frozenset[str]) -> ir.Constraints:
    """Return the limits that a schema sets, in its order."""
    return tuple((k, ir.constant(schema[k])) for k in schema if k in keywords)


def nullable(schema: Node) -> bool:
    """Whether a schema admits null in the way of OpenAPI 3.0 or of Swagger's extension."""
    return schema.get("nullable") is True or schema.get("x-nullable") is True


def prose(schema: object) -> tuple[str | None, bool]:
    """Return what the author says about a schema, and whether it is deprecated."""
    stated = node(schema)
    return text(stated.get("description")), stated.get("deprecated") is True


def title(schema: object) -> str | None:
    """Return the title of a schema."""
    return text(node(schema).get("title"))


def access(annotations: Node) -> Literal["both", "read", "write"]:
    """Return in which direction a property travels (OpenAPI 3.0, Schema Object)."""
    if annotations.get("readOnly") is True:
        return "read"
    return "write" if annotations.get("writeOnly") is True else "both"


def is_null(branch: object) -> bool:
    """Whether a branch of a union admits null and adds nothing else.

    OpenAPI 3.0 has no type null: documents write ``nullable`` and no type in its place.
    """
    stated = node(branch)
    telling = stated.keys() - ANNOTATIONS
    return stated.get("type") == "null" or (nullable(stated) and telling <= _NULLABLE)


_NULLABLE = frozenset({"nullable", "x-nullable"})


def tag_of(schema: object) -> str | None:
    """Return the first constant text among the properties of an object: what kind it is."""
    for value in node(node(schema).get("properties")).values():
        stated = node(value)
        values = [stated["const"]] if "const" in stated else items(stated.get("enum"))
        if len(values) == 1 and isinstance(values[0], str):
            return values[0]
    return None
