"""The JSON Schema of a model is what the description says, not what tolerance added."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from typing import Annotated, Any, Literal, cast
from uuid import UUID

import pydantic
import pytest
from pydantic import Field, TypeAdapter
from typing_extensions import TypeAliasType

from runtime._decoder import decoder_of
from runtime._models import BaseModel
from runtime._open import Impossible, Maybe, Open, OpenTuple, Unique
from runtime._tolerance import Tag


class Leaf(BaseModel, closed=True):
    """A leaf
    of a tree.
    """

    kind: Literal["leaf"]
    value: int = Field(ge=0)
    """What it holds."""


class Bush(BaseModel):
    kind: Literal["bush"]
    leaves: list[Leaf]


class Unknown(BaseModel):
    kind: str


Plant = Annotated[Leaf | Bush | Unknown, Tag("kind", ("leaf", "bush", ()), fallback=Unknown)]
Tree = TypeAliasType("Tree", "Leaf | Decimal | list[Tree]")
Code = Annotated[str, Field(pattern=re.compile(r"^(?!x)"))]


class Garden(BaseModel):
    name: str = Field(min_length=1, max_length=64, pattern=r"^(?=a)\w+$")
    """What it is called.

    By everybody.
    """

    size: Maybe[float] = Field(default=None, gt=0, le=2.5, multiple_of=0.5)
    from_: str = Field(alias="from")
    """Where it comes from."""

    tags: Maybe[Unique[list[Annotated[str, Field(max_length=8)]]]] = Field(
        default=None, min_length=1
    )
    labels: Maybe[dict[str, str | None]] = Field(default=None, max_length=16)
    made: dt.datetime
    day: Maybe[dt.date | str] = None
    hour: Maybe[dt.time] = None
    id: UUID | None
    price: Maybe[list[Decimal]] = None
    row: Maybe[OpenTuple[tuple[str, Leaf, *tuple[int, ...]]]] = None
    pair: Maybe[tuple[Decimal, int]] = Field(default=None, min_length=0)
    old: Impossible = None
    plant: Maybe[Plant] = None
    tree: Maybe[Tree] = None
    code: Maybe[Code] = None
    color: Open[Literal["red", "blue"]]
    next: Garden | None = None


EXPECTED: dict[str, dict[str, Any]] = {
    "name": {
        "type": "string",
        "minLength": 1,
        "maxLength": 64,
        "pattern": r"^(?=a)\w+$",
        "description": "What it is called.\n\nBy everybody.",
    },
    "size": {"type": "number", "exclusiveMinimum": 0, "maximum": 2.5, "multipleOf": 0.5},
    "from": {"type": "string", "description": "Where it comes from."},
    "tags": {
        "type": "array",
        "items": {"type": "string", "maxLength": 8},
        "minItems": 1,
        "uniqueItems": True,
    },
    "labels": {
        "type": "object",
        "additionalProperties": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "maxProperties": 16,
    },
    "made": {"type": "string", "format": "date-time"},
    "day": {"anyOf": [{"type": "string", "format": "date"}, {"type": "string"}]},
    "hour": {"type": "string", "format": "time"},
    "id": {"anyOf": [{"type": "string", "format": "uuid"}, {"type": "null"}]},
    "price": {"type": "array", "items": {"type": "string", "format": "decimal"}},
    "row": {
        "type": "array",
        "prefixItems": [{"type": "string"}, {"$ref": "#/$defs/Leaf"}],
        "items": {"type": "integer"},
        "minItems": 2,
    },
    "pair": {
        "type": "array",
        "prefixItems": [{"type": "string", "format": "decimal"}, {"type": "integer"}],
        "minItems": 0,
        "maxItems": 2,
    },
    "old": {"not": {}},
    "plant": {
        "anyOf": [
            {
                "oneOf": [{"$ref": "#/$defs/Leaf"}, {"$ref": "#/$defs/Bush"}],
                "discriminator": {
                    "propertyName": "kind",
                    "mapping": {"leaf": "#/$defs/Leaf", "bush": "#/$defs/Bush"},
                },
            },
            {"$ref": "#/$defs/Unknown"},
        ]
    },
    "tree": {"$ref": "#/$defs/Tree"},
    "code": {"type": "string", "pattern": "^(?!x)"},
    "color": {"type": "string", "enum": ["red", "blue"]},
    "next": {"anyOf": [{"$ref": "#/$defs/Garden"}, {"type": "null"}]},
}


def definitions(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the definitions of a schema."""
    return cast("dict[str, Any]", schema["$defs"])


@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_the_schema_says_what_is_declared(mode: Literal["validation", "serialization"]) -> None:
    found = definitions(Garden.model_json_schema(mode=mode))
    assert found["Garden"]["properties"] == EXPECTED
    assert found["Garden"]["required"] == ["name", "from", "made", "id", "color"]
    assert "additionalProperties" not in found["Garden"]
    assert found["Tree"] == {
        "anyOf": [
            {"$ref": "#/$defs/Leaf"},
            {"type": "string", "format": "decimal"},
            {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
        ]
    }
    assert found["Leaf"] == {
        "type": "object",
        "title": "Leaf",
        "description": "A leaf\nof a tree.",
        "properties": {
            "kind": {"type": "string", "const": "leaf"},
            "value": {"type": "integer", "minimum": 0, "description": "What it holds."},
        },
        "required": ["kind", "value"],
        "additionalProperties": False,
    }


def test_the_schema_is_the_same_before_and_after_decoding_and_inside_others() -> None:
    class Mine(pydantic.BaseModel):
        garden: Garden
        leaves: list[Leaf] = []

    decoder_of(Garden).decode(b'{"next":{}}')
    found = definitions(Mine.model_json_schema())
    alone = definitions(Garden.model_json_schema())
    assert {name: found[name] for name in alone} == alone
    assert definitions(TypeAdapter(list[Garden]).json_schema()) == alone


class Typed(BaseModel, min_properties=2, max_properties=5):
    id: str
    __pydantic_extra__: dict[str, Decimal] = Field(init=False)


def test_further_properties_are_described() -> None:
    found = Typed.model_json_schema()
    assert found["properties"] == {"id": {"type": "string"}}
    assert found["additionalProperties"] == {"type": "string", "format": "decimal"}
    assert (found["minProperties"], found["maxProperties"]) == (2, 5)


def test_a_subclass_describes_its_own_fields_too() -> None:
    class Mine(Leaf):
        extra: int = 5
        more: str = Field(default="x", description="Said here.")
        """And not here."""

    found = Mine.model_json_schema()
    assert found["properties"]["value"]["description"] == "What it holds."
    assert found["properties"]["extra"] == {"type": "integer", "default": 5}
    assert found["properties"]["more"]["description"] == "Said here."
    assert found["required"] == ["kind", "value"]
    assert Mine.model_validate({}).extra == 5


def test_without_a_source_there_are_no_descriptions() -> None:
    space: dict[str, Any] = {"BaseModel": BaseModel, "__name__": __name__}
    exec("class Made(BaseModel):\n    a: int\n    'A.'\n", space)
    assert space["Made"].model_json_schema()["properties"] == {"a": {"type": "integer"}}


def test_a_pattern_that_pydantic_has_not_harms_nobody_who_uses_its_type() -> None:
    assert TypeAdapter[str](Code).validate_python("a") == "a"
    with pytest.raises(pydantic.ValidationError):
        TypeAdapter[str](Code).validate_python("x")
    garden = decoder_of(Garden).decode(b'{"name":"b","code":"x"}')
    assert (garden.name, garden.code) == ("b", "x")
