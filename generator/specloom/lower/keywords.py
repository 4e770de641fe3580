"""The keywords of a schema: which are understood, and what those say that make no type.

A keyword makes a type or a limit, is read here, or is reported: silence would be a bug.
"""

from __future__ import annotations

from typing import Literal

from .. import ir
from ..diagnostics import Origin, Report
from .nodes import Node, items, node, text
from .remarks import remarks
from .vocabulary import ALL, KNOWN, ON_USE, REFERENCES, TELLING


def report_ignored(schema: Node, origin: Origin, report: Report) -> None:
    """Report every keyword of a schema that nothing here expresses."""
    for keyword in schema:
        if keyword not in KNOWN and not keyword.startswith("x-"):
            message = f"the keyword {keyword!r} is not expressed in the client"
            report.warning("unsupported-keyword", message, origin / keyword)
    if schema.get("enum") == []:
        message = "'enum' lists no value, which none could satisfy; it is not applied"
        report.warning("unsupported-enum", message, origin / "enum")
    for kind in items(schema.get("type")) or (schema.get("type"),):
        if kind is not None and not (isinstance(kind, str) and kind in ALL):
            message = f"{kind!r} is no type of JSON Schema; any value is accepted here"
            report.warning("unsupported-type", message, origin / "type")


def reference(schema: Node) -> str | None:
    """Return the keyword by which a schema refers to another, if it does.

    What ``$dynamicRef`` means may depend on the way to it (JSON Schema Core §8.2.3.2): where it
    does not, its first target is followed.
    """
    return next((keyword for keyword in REFERENCES if keyword in schema), None)


def siblings(schema: Node) -> Node:
    """Return what stands beside a reference and narrows its target down."""
    return {k: v for k, v in schema.items() if k in TELLING or k == "allOf"}


def report_siblings(schema: Node, origin: Origin, report: Report) -> None:
    """Report what stands beside a reference and has no meaning there before OpenAPI 3.1."""
    for keyword in siblings(schema):
        report.warning(
            "ignored-sibling", f"{keyword!r} beside '$ref' is not applied", origin / keyword
        )


def nullable(schema: Node) -> bool:
    """Whether a schema admits null in the way of OpenAPI 3.0 or of Swagger's extension."""
    return schema.get("nullable") is True or schema.get("x-nullable") is True


def prose(*schemas: object) -> tuple[str | None, bool]:
    """Return what the first schema that says anything says, and whether the first is deprecated."""
    docs = (described(node(schema)) for schema in schemas)
    deprecated = bool(schemas) and node(schemas[0]).get("deprecated") is True
    return next((doc for doc in docs if doc is not None), None), deprecated


def described(schema: Node, description: object = None) -> str | None:
    """Return the description of a schema, with what its extensions say of single values.

    ``description`` is another one, which stands for its own.
    """
    said = (text(description or schema.get("description")), remarks(schema))
    return "\n\n".join(part for part in said if part is not None) or None


def on_use(schema: Node) -> Node:
    """Return what a schema says of the property that holds it, in words or by branches of words."""
    found: dict[str, object] = {}
    for branch in items(schema.get("allOf")):
        if reference(node(branch)) is None:
            found = {k: v for k, v in node(branch).items() if k in ON_USE} | found
    return found | {k: v for k, v in schema.items() if k in ON_USE}


def default(annotations: Node) -> ir.Constant | None:
    """Return the stated default; one of null says no more than that there is none."""
    value = annotations.get("default")
    return None if value is None else ir.constant(value)


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
    if stated.get("type") in ("null", ["null"]) or stated.get("enum") == [None]:
        return True
    if "const" in stated:
        return stated["const"] is None
    return nullable(stated) and not stated.keys() & (TELLING | {*REFERENCES, "allOf"})


def tag_of(schema: object) -> str | None:
    """Return the first constant text among the properties of an object: what kind it is."""
    for value in node(node(schema).get("properties")).values():
        stated = node(value)
        values = [stated["const"]] if "const" in stated else items(stated.get("enum"))
        if len(values) == 1 and isinstance(values[0], str):
            return values[0]
    return None
