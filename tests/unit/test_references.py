"""References that are not those of schemas, and what stands beside them."""

from __future__ import annotations

import pytest

from specloom import ir

from .make import Lowered, Plain, document, lowered

NEAR, GONE, LOST = ({name: list[str]()} for name in ("near", "gone", "lost"))
OK: Plain = {"responses": {"200": {"description": "ok"}}}


def api(paths: Plain, components: Plain | None = None, **more: object) -> Lowered:
    """Return the API of paths, components and other members of a document."""
    whole = {**document({}, paths), **more}
    return lowered({**whole, "components": components or {}})


def listed(lowered: Lowered) -> list[tuple[str, str]]:
    """Return the method and the path of each operation."""
    return [(operation.method, operation.path) for operation in lowered.api.operations]


def test_operations_of_any_method() -> None:
    more = {"COPY": OK, "x-note": OK, "no method": OK, "GET": OK}
    found = api({"/a": {"get": OK, "query": OK, "additionalOperations": more}})
    assert listed(found) == [("GET", "/a"), ("QUERY", "/a"), ("COPY", "/a")]
    assert found.codes == ["invalid-method", "hidden-operation"]


def test_a_path_item_is_what_it_refers_to_and_what_stands_beside() -> None:
    limit = {"name": "limit", "in": "query", "schema": {"type": "integer"}}
    text = {"name": "limit", "in": "query", "schema": {"type": "string"}}
    key = {"name": "key", "in": "query", "schema": {"type": "string"}}
    shared = {"get": OK, "put": {**OK, "summary": "theirs"}, "parameters": [limit, key]}
    own = {"$ref": "#/components/pathItems/Shared", "post": OK, "put": {**OK, "summary": "own"}}
    found = api({"/a": {**own, "parameters": [text]}}, {"pathItems": {"Shared": shared}})
    assert listed(found) == [("POST", "/a"), ("PUT", "/a"), ("GET", "/a")]
    assert [operation.doc for operation in found.api.operations] == [None, "own", None]
    for operation in found.api.operations:
        types = {parameter.name: parameter.type for parameter in operation.parameters}
        assert types == {"limit": ir.Primitive("string"), "key": ir.Primitive("string")}
    assert found.codes == ["hidden-operation"]


def test_prose_beside_a_reference_prevails() -> None:
    parameter = {"name": "p", "in": "query", "description": "theirs", "schema": {"type": "string"}}
    ref = {"$ref": "#/components/parameters/P", "description": "ours", "x-a": 1, "required": True}
    found = api({"/a": {"get": {**OK, "parameters": [ref]}}}, {"parameters": {"P": parameter}})
    (operation,) = found.api.operations
    assert [(p.doc, p.required) for p in operation.parameters] == [("ours", False)]
    assert found.codes == ["ignored-sibling"]


def test_the_nearest_prose_prevails() -> None:
    responses = {
        "A": {"$ref": "#/components/responses/B", "summary": "s", "description": "near"},
        "B": {"$ref": "#/components/responses/C", "description": "far"},
        "C": {"description": "farthest"},
    }
    ref = {"$ref": "#/components/responses/A"}
    found = api({"/a": {"get": {"responses": {"200": ref}}}}, {"responses": responses})
    (operation,) = found.api.operations
    assert [response.doc for response in operation.responses] == ["s\n\nnear"]


def test_a_media_type_can_be_a_reference() -> None:
    ref = {"$ref": "#/components/mediaTypes/M"}
    content = {"content": {"application/json": ref}}
    stream = {"content": {"text/event-stream": {"$ref": "#/components/mediaTypes/Events"}}}
    send = {"requestBody": content, "responses": {"200": content}}
    watch = {"responses": {"200": stream}}
    media = {"M": {"schema": {"type": "string"}}, "Events": {"itemSchema": {"type": "integer"}}}
    found = api({"/a": {"post": send, "get": watch}}, {"mediaTypes": media})
    post, get = found.api.operations
    assert [*ir.sent(post), *ir.received(post)] == [ir.Primitive("string")] * 2
    assert get.streaming is not None
    assert get.streaming.item == ir.Primitive("integer")
    assert found.codes == []


def test_items_of_a_body_that_is_one_value() -> None:
    content = {"content": {"application/json": {"itemSchema": {"type": "string"}}}}
    found = api({"/a": {"post": {**OK, "requestBody": content}}})
    assert found.codes == ["unsupported-keyword"]


@pytest.mark.parametrize(
    ("item", "code"),
    [
        ({"$ref": "#/paths/~1b"}, "circular-reference"),
        ({"$ref": "#/gone"}, "dangling-reference"),
        ({"$ref": 3}, "invalid-reference"),
        ("text", "invalid-node"),
        ({"get": {**OK, "parameters": [{"$ref": "#/gone"}]}}, "dangling-reference"),
        ({"get": {**OK, "requestBody": {"$ref": "#/gone"}}}, "dangling-reference"),
    ],
)
def test_a_reference_to_nothing_is_said_once(item: object, code: str) -> None:
    found = api({"/a": item, "/b": {"$ref": "#/paths/~1a"}})
    assert found.codes == [code]


def test_security_schemes_by_reference() -> None:
    schemes = {
        "near": {"$ref": "#/components/securitySchemes/far"},
        "far": {"type": "http", "scheme": "bearer"},
    }
    assert api({}, {"securitySchemes": schemes}, security=[NEAR]).codes == []
    del schemes["far"]
    found = api({}, {"securitySchemes": schemes}, security=[NEAR])
    assert "dangling-reference" in found.codes


def test_a_security_scheme_that_nobody_declares() -> None:
    get: Plain = {**OK, "security": [GONE]}
    found = api({"/a": {"get": get}, "/b": {"get": get}}, {}, security=[LOST])
    assert found.codes == ["undeclared-security", "undeclared-security"]


def test_tags_below_tags() -> None:
    tags = [{"name": "a", "kind": "nav"}, {"name": "b", "parent": "a"}, {"parent": 3}, 3]
    assert api({}, tags=tags).codes == ["unsupported-tag"]
