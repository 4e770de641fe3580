"""Pages: what of them follows from the parameters and the body of an operation."""

from __future__ import annotations

import pytest

from specloom import ir

from .make import Plain, document, lowered

ITEMS: Plain = {"type": "array", "items": {"type": "string"}}


def paged(said: Plain, *, body: Plain | None = None, **query: Plain) -> ir.Pagination | None:
    """Lower a list, of which something is said, and return what it says of its pages."""
    operation: dict[str, object] = {
        "x-specloom-pagination": {"items": "", **said},
        "parameters": [{"name": n, "in": "query", "schema": s} for n, s in query.items()],
        "responses": {
            "200": {"description": "ok", "content": {"application/json": {"schema": ITEMS}}}
        },
    }
    if body is not None:
        operation["requestBody"] = {"content": body}
    schemas: Plain = {"Page": {"type": "integer", "minimum": 0}}
    return lowered(document(schemas, {"/x": {"post": operation}})).api.operations[0].pagination


def number(**more: object) -> Plain:
    return {"type": "integer", **more}


@pytest.mark.parametrize(
    ("schema", "start"),
    [
        (number(), 1),
        (number(default=0), 0),
        (number(default=1, minimum=0), 1),
        (number(default=3), 3),
        (number(minimum=0), 0),
        (number(minimum=0.0), 0),
        (number(minimum=1), 1),
        ({"type": ["integer", "null"], "minimum": 0}, 0),
        ({"$ref": "#/components/schemas/Page"}, 0),
        ({"type": "string", "default": "0"}, 1),
        ({"type": "boolean", "default": False}, 1),
    ],
)
def test_pages_begin_where_their_parameter_does(schema: Plain, start: int) -> None:
    made = paged({"page": "p"}, p=schema)
    assert made is not None and made.way == ir.PageNumber("p", None, start)
    said = paged({"page": "p", "start": 7}, p=schema)
    assert said is not None and said.way == ir.PageNumber("p", None, 7)


@pytest.mark.parametrize(
    "media_type", ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_a_body_of_any_structure_can_ask_for_pages(media_type: str) -> None:
    schema = {"type": "object", "properties": {"p": number(default=0), "q": number()}}
    body = {media_type: {"schema": schema}}
    made = paged({"page": "p"}, body=body)
    assert made is not None and made.way == ir.PageNumber("p", None, 0, "body")
    asked = paged({"offset": "q"}, body=body)
    assert asked is not None and asked.way == ir.Offset("q", None, "body")
