"""What an API sends of itself: webhooks and callbacks, and what any of them is."""

from __future__ import annotations

from specloom import ir

from .make import Plain, document, lowered, operation, ref


def kind(name: str, **more: Plain) -> Plain:
    """Return an object that says its kind."""
    return {"type": "object", "required": ["kind"], "properties": {"kind": {"const": name}, **more}}


def api(
    schemas: Plain, section: str = "webhooks", callbacks: Plain | None = None, **webhooks: Plain
) -> Plain:
    """Return a document with webhooks that bring these schemas, and one operation."""
    items = {name: {"post": operation(sent=schema)} for name, schema in webhooks.items()}
    paths: dict[str, Plain] = {"/x": {"post": {**operation(), "callbacks": callbacks or {}}}}
    return {**document(schemas, paths), section: items}


def test_webhooks_are_read_and_told_apart() -> None:
    schemas = {"A": kind("a"), "B": kind("b")}
    for section in ("webhooks", "x-webhooks"):
        found = lowered(api(schemas, section, a=ref("A"), b=ref("B")))
        a, b = found.id("A"), found.id("B")
        assert [(w.name, w.method, w.type) for w in found.api.webhooks] == [
            ("a", "POST", ir.Ref(a)),
            ("b", "POST", ir.Ref(b)),
        ]
        tagging = ir.Inferred("kind", (("a", a), ("b", b)))
        assert found.api.message == ir.Union((ir.Ref(a), ir.Ref(b)), tagging)
        assert {a, b} <= found.api.read and not {a, b} & found.api.written
        assert found.codes == []


def test_what_is_answered_to_a_webhook_is_not_lowered() -> None:
    inline = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
    webhook = {"post": operation(sent=ref("A"), received=inline)}
    found = lowered({**document({"A": kind("a")}), "webhooks": {"a": webhook}})
    assert list(found.api.types) == [found.id("A")]


def test_properties_that_are_only_written_lead_nowhere() -> None:
    schemas = {"A": kind("a", secret={"allOf": [ref("S")], "writeOnly": True}), "S": kind("s")}
    put = {"/s": {"put": operation(sent=ref("S"))}}
    found = lowered(
        {**document(schemas, put), "webhooks": {"a": {"post": operation(sent=ref("A"))}}}
    )
    assert found.id("S") not in found.api.read


def test_callbacks_count_where_there_are_no_webhooks() -> None:
    callbacks = {"done": {"{$request.body#/url}": {"post": operation(sent=ref("B"))}}}
    schemas = {"A": kind("a"), "B": kind("b")}
    alone = lowered(api(schemas, callbacks=callbacks))
    (callback,) = alone.api.webhooks
    assert (callback.name, callback.address) == ("done", "{$request.body#/url}")
    assert callback.operation == alone.api.operations[0].origin
    assert alone.api.message == ir.Ref(alone.id("B"))
    beside = lowered(api(schemas, callbacks=callbacks, a=ref("A")))
    assert beside.api.message == ir.Ref(beside.id("A"))
    assert [webhook.name for webhook in beside.api.webhooks] == ["a", "done"]


def test_descriptions_that_make_one_client_share_what_is_equal() -> None:
    one, other = {"A": kind("a")}, {"A": kind("a"), "B": kind("b")}
    found = lowered(api(one, a=ref("A")), api(other, b=ref("B"), again=ref("A")))
    assert [webhook.name for webhook in found.api.webhooks] == ["a", "b", "again"]
    first, second, third = (webhook.type for webhook in found.api.webhooks)
    assert first == third
    assert isinstance(found.api.message, ir.Union)
    assert found.api.message.members == (first, second)
    assert found.api.message.tagging is not None


def test_several_methods_and_headers_of_one_webhook() -> None:
    header = {"name": "X-Try", "in": "header", "schema": {"type": "integer"}}
    item = {"post": {**operation(sent=ref("A")), "parameters": [header]}, "put": operation()}
    found = lowered({**document({"A": kind("a")}), "webhooks": {"a": item}})
    post, put = found.api.webhooks
    assert [(h.name, h.type) for h in post.headers] == [("X-Try", ir.Primitive("integer"))]
    assert (put.method, put.type) == ("PUT", None)
    assert found.codes == ["unread-webhook"]
