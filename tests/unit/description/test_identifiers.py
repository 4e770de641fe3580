"""References by the names that schemas and documents give to themselves."""

from __future__ import annotations

import pytest

from specloom.description.validate import validate
from specloom.diagnostics import Origin

from .desk import Desk

API = """\
openapi: 3.1.0
components:
  schemas:
    Tree:
      $id: https://example.com/schemas/tree
      $dynamicAnchor: node
      $defs:
        leaf: {type: string, $anchor: leaf}
        inner:
          $id: inner
          $defs: {deep: {type: integer}}
      properties:
        leaf: {$ref: '#/$defs/leaf'}
    Named: {$anchor: named, type: object}
    Plain: {type: object, properties: {$id: {type: string}}}
    Data: {example: {$id: 'https://example.com/schemas/data', $anchor: data}}
"""
SCHEMAS = "/components/schemas"
TREE = f"{SCHEMAS}/Tree"


@pytest.mark.parametrize(
    ("ref", "at", "pointer"),
    [
        ("#named", "", f"{SCHEMAS}/Named"),
        ("https://example.com/schemas/tree", "", TREE),
        ("https://example.com/schemas/tree#/$defs/leaf", "", f"{TREE}/$defs/leaf"),
        ("https://example.com/schemas/tree#leaf", "", f"{TREE}/$defs/leaf"),
        ("https://example.com/schemas/inner#/$defs/deep", "", f"{TREE}/$defs/inner/$defs/deep"),
        ("#/$defs/leaf", f"{TREE}/properties/leaf", f"{TREE}/$defs/leaf"),
        ("#leaf", f"{TREE}/properties/leaf", f"{TREE}/$defs/leaf"),
        ("#node", f"{TREE}/properties/leaf", TREE),
        ("inner", f"{TREE}/properties/leaf", f"{TREE}/$defs/inner"),
        ("#/$defs/deep", f"{TREE}/$defs/inner/x", f"{TREE}/$defs/inner/$defs/deep"),
        ("#/components/schemas/Named", f"{TREE}/properties/leaf", f"{SCHEMAS}/Named"),
        ("#/components/schemas/Plain", "", f"{SCHEMAS}/Plain"),
    ],
)
def test_names_lead_to_their_schemas(desk: Desk, ref: str, at: str, pointer: str) -> None:
    description = desk.loads(API)
    assert description.resolve(ref, Origin("api.yaml", at)) == Origin("api.yaml", pointer)


@pytest.mark.parametrize(
    ("ref", "code"),
    [
        ("#gone", "dangling-reference"),
        ("#data", "dangling-reference"),
        ("#leaf", "dangling-reference"),
        ("https://example.com/schemas/data", "remote-reference"),
    ],
)
def test_what_is_no_name_leads_nowhere(desk: Desk, ref: str, code: str) -> None:
    description = desk.loads(API)
    assert description.target(ref, Origin("api.yaml", "/x"), desk.report) is None
    assert [d.code for d in desk.report.diagnostics] == [code]


def test_a_schema_with_a_name_may_still_refer_to_files(desk: Desk) -> None:
    desk.write({"b.yaml": "B: {$anchor: b, type: object}\n"})
    text = "openapi: 3.1.0\nA: {$id: 'https://example.com/a', x: {$ref: 'b.yaml#/B'}}\n"
    description = desk.loads(text)
    at = Origin("api.yaml", "/A/x/$ref")
    assert description.resolve("b.yaml#/B", at) == Origin("b.yaml", "/B")
    assert description.resolve("b.yaml#b", at) == Origin("b.yaml", "/B")


def test_a_document_names_itself(desk: Desk) -> None:
    desk.write({"shared/b.yaml": "B: {type: object}\n"})
    text = "openapi: 3.2.0\n$self: https://example.com/v1/api.yaml\ncomponents: {}\n"
    description = desk.loads(text)
    at = Origin("api.yaml", "/x")
    itself = description.resolve("https://example.com/v1/api.yaml#/components", at)
    assert itself == Origin("api.yaml", "/components")
    assert description.resolve("#/components", at) == itself
    assert description.resolve("api.yaml#/components", at) == itself
    other = Origin("shared/b.yaml", "/B")
    assert description.resolve("shared/b.yaml#/B", at) == other
    assert description.resolve("https://example.com/v1/shared/b.yaml#/B", at) == other
    assert description.resolve("https://example.com/b.yaml#/B", at) is None


def test_the_validator_knows_the_name_of_a_document(desk: Desk) -> None:
    description = desk.loads(
        "openapi: 3.2.0\n"
        "$self: https://example.com/v1/api.yaml\n"
        "info: {title: T, version: '1'}\n"
        "paths: {}\n"
        "components:\n"
        "  schemas:\n"
        "    A: {$ref: 'https://example.com/v1/api.yaml#/components/schemas/B'}\n"
        "    B: {type: string}\n"
    )
    validate(description, desk.report)
    assert desk.said(description) == []
    document = description.document("https://example.com/v1/api.yaml")
    assert document is not None
    assert document.uri == "api.yaml"
