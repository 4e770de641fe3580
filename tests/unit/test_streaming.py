"""What streams: what an item is, what asks for it, and whether items add up to a whole."""

from __future__ import annotations

import pytest

from specloom import ir

from .make import Lowered, Plain, document, lowered, ref


def of(*properties: str, **more: object) -> Plain:
    """Return an object of integers, and of what else is said."""
    return {
        "type": "object",
        "properties": {name: {"type": "integer"} for name in properties} | more,
    }


def stream(
    schema: Plain | None,
    whole: Plain | None = None,
    *,
    media: str = "text/event-stream",
) -> Plain:
    """Return an operation that streams, or answers with a whole if it is not asked to."""
    content: dict[str, Plain] = {media: {} if schema is None else {"schema": schema}}
    if whole is not None:
        content["application/json"] = {"schema": whole}
    asked = of(stream={"type": "boolean"})
    return {
        "requestBody": {"required": True, "content": {"application/json": {"schema": asked}}},
        "responses": {"200": {"description": "ok", "content": content}},
    }


def streamed(found: Lowered) -> ir.Streaming:
    """Return the one stream of an API."""
    (operation,) = found.api.operations
    assert operation.streaming is not None
    return operation.streaming


def made(operation: Plain, **schemas: Plain) -> Lowered:
    """Return the API of one operation."""
    return lowered(document(schemas, {"/x": {"post": operation}}))


TEXT: Plain = {"type": "string"}
ITEM: Plain = of("n")


@pytest.mark.parametrize(
    "envelope",
    [
        of(data=ref("Item")),
        of("retry", id=TEXT, event=TEXT, data=ref("Item")),
        {"allOf": [of(data=ref("Item")), of(event=TEXT)]},
        of(
            data={
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": ref("Item"),
            }
        ),
        of(data={"type": "string", "contentSchema": ref("Item")}),
        {"oneOf": [of(data=ref("Item")), of(data={"enum": ["[DONE]"]})]},
        ref("Envelope"),
    ],
)
def test_an_envelope_is_opened(envelope: Plain) -> None:
    found = made(stream(envelope), Item=ITEM, Envelope=of(data=ref("Item")))
    assert streamed(found).item == ir.Ref(found.id("Item"))
    assert streamed(found).text is False


@pytest.mark.parametrize(
    "payload",
    [
        of("data", "more"),
        of("event", "id"),
        {"oneOf": [of("data"), of("more")]},
        {"oneOf": [of("data"), {"type": "integer"}]},
        {"type": "array", "items": of("data", "more")},
    ],
)
def test_what_has_other_properties_is_the_data_itself(payload: Plain) -> None:
    found = streamed(made(stream(payload)))
    assert found.end is None and found.events == ()
    assert any(isinstance(member, ir.Ref) for member in members(found.item))


def members(type_: ir.Type) -> tuple[ir.Type, ...]:
    return type_.members if isinstance(type_, ir.Union) else (type_,)


@pytest.mark.parametrize(
    ("data", "event", "end"),
    [
        ({"const": "[DONE]"}, None, "[DONE]"),
        ({"const": "over"}, None, "over"),
        ({"const": "[DONE]"}, {"const": "done"}, "[DONE]"),
        ({"const": "ping"}, {"const": "ping"}, None),
        ({"const": "1"}, None, None),
        ({"enum": ["a", "b"]}, None, None),
    ],
)
def test_what_can_only_be_a_text_marks_the_end(
    data: Plain, event: Plain | None, end: str | None
) -> None:
    last = of(data=data) if event is None else of(data=data, event=event)
    found = streamed(made(stream({"oneOf": [of(data=ITEM, event={"const": "new"}), last]})))
    assert found.end == end


def test_names_decide_only_where_each_has_one_meaning() -> None:
    one, other = of(event={"const": "a"}, data=ITEM), of(event={"const": "b"}, data=TEXT)
    found = streamed(made(stream({"oneOf": [one, other]})))
    assert [(event.name, event.text) for event in found.events] == [("a", False), ("b", True)]
    again = of(event={"const": "a"}, data=TEXT)
    assert streamed(made(stream({"oneOf": [one, again]}))).events == ()
    assert streamed(made(stream({"oneOf": [one, again]}))).item == ir.UNKNOWN
    assert streamed(made(stream({"oneOf": [one, of(data=ITEM)]}))).events == ()


@pytest.mark.parametrize(
    ("media", "framing"),
    [
        ("application/jsonl", "lines"),
        ("application/x-ndjson; charset=utf-8", "lines"),
        ("application/x-jsonlines", "lines"),
        ("application/json-lines", "lines"),
        ("application/stream+json", "values"),
        ("application/json-seq", "values"),
        ("application/geo+json-seq", "values"),
    ],
)
def test_media_types_say_how_a_body_is_cut(media: str, framing: str) -> None:
    for schema in (ITEM, {"type": "array", "items": ITEM}):
        found = streamed(made(stream(schema, media=media)))
        assert (found.framing, found.media_type) == (framing, media)
        assert isinstance(found.item, ir.Ref)
    data_is_a_property = streamed(made(stream(of(data=TEXT), media=media)))
    assert isinstance(data_is_a_property.item, ir.Ref)


def listed(**more: object) -> Plain:
    """Return an object with a list of pieces that have an index."""
    return of(parts={"type": "array", "items": of("index", **more)})


@pytest.mark.parametrize(
    ("item", "whole"),
    [
        (listed(text=TEXT), listed(text=TEXT)),
        (listed(delta=of(a=TEXT, b=TEXT)), listed(message=of(a=TEXT, b=TEXT))),
        (
            listed(delta={"oneOf": [of(a=TEXT), of(b=TEXT)]}),
            listed(message={"oneOf": [of(a=TEXT), of(b=TEXT)]}),
        ),
        ({**listed(text=TEXT), "required": ["parts"]}, {"allOf": [listed(text=TEXT), of("total")]}),
        ({"allOf": [listed(text=TEXT), of("number")]}, listed(text=TEXT)),
    ],
)
def test_items_that_mirror_the_whole_add_up(item: Plain, whole: Plain) -> None:
    found = streamed(made(stream(item, ref("Whole")), Whole=whole))
    assert found.toggle == ir.Toggle("stream", False)
    assert found.mirror is not None


@pytest.mark.parametrize(
    ("item", "whole"),
    [
        (of(text=TEXT), of(text=TEXT)),  # nothing says whether the text comes in pieces
        (listed(text=TEXT), of("total")),
        ({"allOf": [listed(text=TEXT), of(token=of("id"))]}, listed(text=TEXT)),
        (listed(delta=of(a=TEXT, b=TEXT)), listed(message=of(c=TEXT, d=TEXT))),
        (listed(text=TEXT), {"type": "array", "items": listed(text=TEXT)}),
    ],
)
def test_other_items_do_not_add_up(item: Plain, whole: Plain) -> None:
    assert streamed(made(stream(item, ref("Whole")), Whole=whole)).mirror is None


def test_a_default_is_kept() -> None:
    operation = stream(ITEM, ITEM)
    asked = of(stream={"type": "boolean", "default": True})
    body = {"content": {"application/json": {"schema": asked}}}
    assert streamed(made({**operation, "requestBody": body})).toggle == ir.Toggle("stream", True)


def test_a_union_of_bodies_can_be_asked_for_a_stream() -> None:
    asked = {"oneOf": [of("a", stream={"type": "boolean"}), of("b", stream={"type": "boolean"})]}
    body = {"content": {"application/json": {"schema": asked}}}
    found = made({**stream(ITEM, ITEM), "requestBody": body})
    assert streamed(found).toggle == ir.Toggle("stream", False)


@pytest.mark.parametrize(
    ("extension", "expected"),
    [
        ({"x-specloom-streaming": {"end": "."}}, ("events", "Item", "stream", ".")),
        ({"x-specloom-streaming": {"format": "jsonl"}}, ("lines", "Item", "stream", None)),
        ({"x-specloom-streaming": {"item": ref("Other")}}, ("events", "Other", "stream", None)),
        ({"x-fern-streaming": True}, ("events", "Item", "stream", None)),
        ({"x-fern-streaming": {"terminator": "."}}, ("events", "Item", "stream", ".")),
        ({"x-fern-streaming": {"format": "json"}}, ("values", "Item", "stream", None)),
    ],
)
def test_extensions_say_what_differs(
    extension: Plain, expected: tuple[str, str, str | None, str | None]
) -> None:
    found = made(
        {**stream(ref("Item"), of("whole")), **extension},
        Item=ITEM,
        Other=ITEM,
    )
    one = streamed(found)
    framing, item, toggle, end = expected
    assert (one.framing, one.item, one.end) == (framing, ir.Ref(found.id(item)), end)
    assert one.toggle is not None and one.toggle.property == toggle
