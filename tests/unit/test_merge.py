"""Several descriptions make one API: equal types once, different ones apart."""

from __future__ import annotations

from specloom import ir

from .make import Lowered, Plain, document, lowered, operation, ref

TEXT: Plain = {"type": "string"}
NODE: Plain = {"type": "object", "properties": {"next": ref("Node"), "value": TEXT}}


def merged(first: Plain, second: Plain, name: str = "It") -> Lowered:
    """Return one API of two descriptions that each receive a component."""
    return lowered(
        document({name: first}, {"/a": {"get": operation(received=ref(name))}}),
        document({name: second}, {"/b": {"get": operation(received=ref(name))}}),
    )


def results(described: Lowered) -> list[ir.Type]:
    """Return what the operations receive, in order."""
    return [type_ for o in described.api.operations for type_ in ir.received(o)]


def test_equal_types_are_one() -> None:
    described = merged(NODE, NODE, "Node")
    first, second = results(described)
    assert first == second
    assert len(described.api.types) == 1
    assert described.codes == []


def test_prose_and_the_order_of_properties_make_no_difference() -> None:
    first: Plain = {"type": "object", "properties": {"a": TEXT, "b": TEXT}}
    second: Plain = {
        "type": "object",
        "description": "Again.",
        "properties": {"b": {**TEXT, "description": "B."}, "a": TEXT},
    }
    assert len(set(results(merged(first, second)))) == 1


def test_different_types_stay_apart_and_are_reported() -> None:
    first: Plain = {"type": "object", "properties": {"a": TEXT}}
    for change in (
        {"properties": {"a": {"type": "integer"}}},
        {"properties": {"a": TEXT, "b": TEXT}},
        {"required": ["a"]},
        {"properties": {"a": {**TEXT, "default": "x"}}},
        {"properties": {"a": {**TEXT, "maxLength": 3}}},
        {"properties": {"a": {**TEXT, "readOnly": True}}},
        {"additionalProperties": TEXT},
    ):
        described = merged(first, {**first, **change})
        assert len(set(results(described))) == 2, change
        assert described.codes.count("different-types") == 1, change


def test_a_type_differs_when_what_it_mentions_differs() -> None:
    def one(kind: str) -> Plain:
        return document(
            {
                "Outer": {"type": "object", "properties": {"inner": ref("Inner")}},
                "Inner": {"type": "object", "properties": {"x": {"type": kind}}},
                "Same": {"type": "object", "properties": {"y": TEXT}},
            }
        )

    described = lowered(one("string"), one("integer"))
    assert described.codes == ["different-types"] * 2
    assert len(described.api.types) == 5


def test_inline_types_are_shared_with_their_owner() -> None:
    inline: Plain = {"type": "object", "properties": {"x": TEXT}}
    owner: Plain = {"type": "object", "properties": {"i": inline}}
    described = merged(owner, owner)
    assert len(described.api.types) == 2


def test_the_result_knows_both() -> None:
    first: Plain = {
        **document({"A": TEXT}, {"/a": {"get": operation()}}),
        "info": {"title": "First", "version": "1"},
    }
    second: Plain = {
        **document({"B": TEXT}, {"/b": {"get": operation()}}),
        "servers": [{"url": "https://b.example.com/"}],
    }
    api = lowered(first, second).api
    assert api.title == "First"
    assert [server.url for server in api.servers] == ["https://b.example.com"]
    assert [o.path for o in api.operations] == ["/a", "/b"]


def test_one_type_written_here_and_read_there_is_both() -> None:
    schemas: Plain = {"It": {"type": "object", "properties": {"v": TEXT}}}
    described = lowered(
        document(schemas, {"/a": {"post": operation(sent=ref("It"))}}),
        document(schemas, {"/b": {"get": operation(received=ref("It"))}}),
    )
    (id_,) = described.api.types
    assert id_ in described.api.read & described.api.written
