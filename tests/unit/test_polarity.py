"""Which types are read and which are written, and what exists in one direction only."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from specloom import ir

from .make import Lowered, Plain, document, lowered, operation, ref

TEXT: Plain = {"type": "string"}


def obj(**properties: Plain) -> Plain:
    """Return an object schema."""
    return {"type": "object", "properties": properties}


def described(schemas: Mapping[str, Plain], **operations: Plain) -> Lowered:
    """Return an API with an operation ``post`` at ``/<name>`` for each keyword."""
    return lowered(document(schemas, {f"/{n}": {"post": o} for n, o in operations.items()}))


def names(api: Lowered, chosen: frozenset[ir.TypeId]) -> set[str]:
    """Return the component names of types."""
    places = [api.api.types[id_].place for id_ in chosen]
    return {place.name for place in places if isinstance(place, ir.Component)}


def read(api: Lowered) -> set[str]:
    """Return the components that are read."""
    return names(api, api.api.read)


def written(api: Lowered) -> set[str]:
    """Return the components that are written."""
    return names(api, api.api.written)


SCHEMAS: Mapping[str, Plain] = {
    "Sent": obj(inner={"type": "array", "items": ref("Shared")}),
    "Received": obj(inner={"type": "object", "additionalProperties": ref("Shared")}),
    "Shared": obj(x=TEXT),
    "Unused": obj(y=ref("Below")),
    "Below": obj(z=TEXT),
}


def test_each_direction_reaches_what_it_mentions() -> None:
    api = described(SCHEMAS, a=operation(sent=ref("Sent"), received=ref("Received")))
    assert written(api) == {"Sent", "Shared"}
    assert read(api) == {"Received", "Shared", "Unused", "Below"}


def test_what_nobody_uses_counts_as_read() -> None:
    api = described(SCHEMAS)
    assert read(api) == set(SCHEMAS)
    assert written(api) == set()


def test_every_type_has_a_direction() -> None:
    api = described(SCHEMAS, a=operation(sent=ref("Sent")))
    assert api.api.read | api.api.written == api.api.types.keys()


def test_parameters_are_written() -> None:
    parameter = {"name": "q", "in": "query", "schema": {"type": "array", "items": ref("Kind")}}
    asks: Plain = {"parameters": [parameter], **operation()}
    api = described({"Kind": {"enum": ["a", "b"]}}, a=asks)
    assert (written(api), read(api)) == ({"Kind"}, set())


def test_events_are_read() -> None:
    stream = {"text/event-stream": {"schema": ref("Shared")}}
    listens: Plain = {"responses": {"200": {"description": "ok", "content": stream}}}
    api = described({**SCHEMAS, "Sent": obj()}, a=listens)
    assert "Shared" in read(api)
    assert "Shared" not in written(api)


def test_errors_are_read() -> None:
    failing: Plain = {
        "responses": {
            "404": {"description": "no", "content": {"application/json": {"schema": ref("Below")}}}
        }
    }
    api = described(SCHEMAS, a=failing, b=operation(sent=ref("Unused")))
    assert "Below" in read(api)


@pytest.mark.parametrize(
    ("keyword", "is_read", "is_written"),
    [("readOnly", True, False), ("writeOnly", False, True), ("deprecated", True, True)],
)
def test_one_way_properties_lead_one_way(keyword: str, is_read: bool, is_written: bool) -> None:
    holder = obj(way={keyword: True, "type": "array", "items": ref("Shared")})
    both = operation(sent=ref("Holder"), received=ref("Holder"))
    api = described({"Holder": holder, "Shared": SCHEMAS["Shared"]}, a=both)
    assert ("Shared" in read(api), "Shared" in written(api)) == (is_read, is_written)


def test_one_way_is_said_through_a_reference_too() -> None:
    secret: Plain = {"type": "string", "writeOnly": True}
    both = operation(sent=ref("User"), received=ref("User"))
    api = described({"User": obj(password=ref("Secret")), "Secret": secret}, a=both)
    (prop,) = api.model("User").properties
    assert prop.access == "write"


def test_a_wrapper_travels_as_what_it_wraps() -> None:
    api = described(
        {
            "Id": {"type": "string", "readOnly": True},
            "Wrapped": {"allOf": [ref("Id")]},
            "Secret": {"type": "string", "writeOnly": True},
            "A": obj(
                direct=ref("Id"),
                wrapped={"allOf": [ref("Id")]},
                twice={"allOf": [{"allOf": [ref("Wrapped")]}, {"description": "d"}]},
                named=ref("Wrapped"),
                secret={"allOf": [ref("Secret"), {"maxLength": 9}]},
                free={"allOf": [ref("Id")], "readOnly": False},
                plain=TEXT,
            ),
        }
    )
    assert {p.name: p.access for p in api.model("A").properties} == {
        **dict.fromkeys(["direct", "wrapped", "twice", "named"], "read"),
        "secret": "write",
        **dict.fromkeys(["free", "plain"], "both"),
    }
