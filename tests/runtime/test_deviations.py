"""Each departure of an answer from its description is reported once, with its place."""

from __future__ import annotations

import datetime
import json
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from runtime._decoder import Decoder, decoder_of
from runtime._deviations import Deviation
from runtime._models import BaseModel
from runtime._open import Impossible, Maybe, OneOf, OpenTuple, Unique
from runtime._tolerance import Tag


class Text(BaseModel):
    type: Literal["text"]
    text: str


class Image(BaseModel):
    type: Literal["image", "picture"]
    url: str


Part = Annotated[Text | Image, Tag("type", ("text", ("image", "picture")))]


class Message(BaseModel):
    role: Literal["assistant"]
    content: str | list[Part] | None
    refusal: str | None
    open: Literal["a", "b"] | str | None = None
    score: float | None = None
    either: Text | Image | None = None
    counts: dict[str, int] | None = None
    pair: tuple[int, str] | None = None
    parent: Message | None = None
    from_: Annotated[int | None, Field(alias="from-id")] = None


class Logged(BaseModel):
    id: str
    __pydantic_extra__: dict[str, int] = Field(init=False)


GOOD = {"role": "assistant", "content": "hi", "refusal": None}


def found(value: object, annotation: object = Message) -> list[tuple[str, str]]:
    decoder: Decoder[object] = Decoder(annotation)
    return [(one.path, one.message) for one in decoder.deviations(json.dumps(value).encode())]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"content": None},
        {"content": []},
        {"content": [{"type": "text", "text": "a"}, {"type": "picture", "url": "u"}]},
        {"unknown": {"a": 1}},
        {"open": "anything"},
        {"score": 1},
        {"score": 1.5},
        {"either": {"type": "picture", "url": "u"}},
        {"counts": {"a": 1, "b": 2.0}},
        {"pair": [1, "a"]},
        {"parent": GOOD},
        {"from-id": 3},
        {"from_": "an unknown property"},
    ],
)
def test_what_conforms_has_no_deviations(more: dict[str, object]) -> None:
    assert found({**GOOD, **more}) == []


@pytest.mark.parametrize(
    ("more", "path", "message"),
    [
        ({"role": "user"}, "$.role", "expected 'assistant'"),
        ({"role": None}, "$.role", "null where 'assistant' is expected"),
        ({"role": 1}, "$.role", "expected 'assistant', got an integer"),
        ({"refusal": 1}, "$.refusal", "expected a string, got an integer"),
        ({"refusal": True}, "$.refusal", "expected a string, got a boolean"),
        ({"content": 5}, "$.content", "expected a string or an array, got an integer"),
        (
            {"content": [{"type": "video"}]},
            "$.content[0].type",
            "unknown tag, expected one of 'text', 'image', 'picture'",
        ),
        ({"content": [{"a": 1}]}, "$.content[0].type", "the tag of the union is absent"),
        ({"content": [5]}, "$.content[0]", "expected an object, got an integer"),
        (
            {"content": [{"type": "text", "text": "a"}, {"type": "text"}]},
            "$.content[1].text",
            "required property is absent",
        ),
        ({"score": "1"}, "$.score", "expected a number, got a string"),
        ({"score": True}, "$.score", "expected a number, got a boolean"),
        ({"open": 1}, "$.open", "expected one of 'a', 'b' or a string, got an integer"),
        (
            {"either": {"type": "text", "text": 5}},
            "$.either.text",
            "expected a string, got an integer",
        ),
        (
            {"either": {"neither": 1}},
            "$.either",
            "expected an object (Text) or an object (Image), got an object",
        ),
        ({"counts": {"a-b": "x"}}, '$.counts["a-b"]', "expected an integer, got a string"),
        ({"counts": {"a": 1.5}}, "$.counts.a", "expected an integer, got a number"),
        ({"counts": []}, "$.counts", "expected an object, got an array"),
        ({"pair": [1]}, "$.pair", "expected 2 items, got 1"),
        ({"pair": [1, 2]}, "$.pair[1]", "expected a string, got an integer"),
        ({"parent": {**GOOD, "role": "x"}}, "$.parent.role", "expected 'assistant'"),
        ({"parent": []}, "$.parent", "expected an object (Message), got an array"),
        ({"from-id": "x"}, '$["from-id"]', "expected an integer, got a string"),
    ],
)
def test_b84_each_departure_is_reported_at_its_place(
    more: dict[str, object], path: str, message: str
) -> None:
    assert found({**GOOD, **more}) == [(path, message)]


@pytest.mark.parametrize("missing", list(GOOD))
def test_absent_required_properties_are_reported(missing: str) -> None:
    value = {name: one for name, one in GOOD.items() if name != missing}
    assert found(value) == [(f"$.{missing}", "required property is absent")]


def test_all_departures_are_reported_in_the_order_of_the_description() -> None:
    value = {"score": "x", "content": [{"type": "text"}, {"type": "image", "url": 1}]}
    assert [path for path, _ in found(value)] == [
        "$.role",
        "$.content[0].text",
        "$.content[1].url",
        "$.refusal",
        "$.score",
    ]


def test_deviations_carry_the_value_and_leave_the_call_to_be_filled_in() -> None:
    [one] = decoder_of(Text).deviations(b'{"type":"text","text":[1]}')
    assert one == Deviation("$.text", "expected a string, got an array", [1], None, "")


def test_typed_additional_properties_are_checked() -> None:
    assert found({"id": "x", "a": 1, "b": "2"}, Logged) == [
        ("$.b", "expected an integer, got a string")
    ]


class Limited(BaseModel, closed=True):
    name: Maybe[str] = Field(default=None, min_length=2, max_length=4, pattern="^a")
    share: float | None = Field(default=None, ge=0, le=1, multiple_of=0.1)
    tags: Maybe[Unique[list[Annotated[str, Field(max_length=3)]]]] = Field(
        default=None, min_length=1
    )
    by_name: Maybe[dict[str, Annotated[int, Field(gt=0)]]] = Field(default=None, max_length=1)
    either: Maybe[Literal["auto"] | Annotated[int, Field(ge=1, lt=9)]] = None
    at: Maybe[datetime.datetime] = None
    old: Impossible = None
    row: Maybe[OpenTuple[tuple[str, *tuple[int, ...]]]] = Field(default=None, max_length=3)
    pair: Maybe[tuple[str, int]] = None
    short: Maybe[tuple[str, int]] = Field(default=None, min_length=0)
    rate: Maybe[Annotated[float, OneOf(0.5, 2.0)]] = None
    moves: Maybe[Annotated[list[int], OneOf([1, 2], [3])]] = None
    corner: Annotated[dict[str, int], OneOf({"x": 1})] | None = None


@pytest.mark.parametrize(
    "value",
    [
        {"name": "abcd", "share": 0.3, "tags": ["a", "b"], "by_name": {"a": 1}},
        {"share": None, "either": "auto", "at": "2024-02-29T12:30:00Z"},
        {"either": 8, "row": ["a"], "pair": ["a", 1], "short": []},
        {"row": ["a", 1, 2], "short": ["a"]},
        {"rate": 0.5, "moves": [1, 2], "corner": {"x": 1}},
        {"rate": 2, "moves": [3], "corner": None},
    ],
)
def test_what_keeps_to_the_limits_has_no_deviations(value: dict[str, object]) -> None:
    assert found(value, Limited) == []


@pytest.mark.parametrize(
    ("value", "path", "message"),
    [
        ({"name": "a"}, "$.name", "expected at least 2 characters, got 1"),
        ({"name": "abcde"}, "$.name", "expected at most 4 characters, got 5"),
        ({"name": "xx"}, "$.name", "expected text that matches ^a"),
        ({"share": 2}, "$.share", "expected at most 1"),
        ({"share": 0.25}, "$.share", "expected a multiple of 0.1"),
        ({"tags": []}, "$.tags", "expected at least 1 item, got 0"),
        ({"tags": ["a", "a"]}, "$.tags", "expected no item twice"),
        ({"tags": ["abcd"]}, "$.tags[0]", "expected at most 3 characters, got 4"),
        ({"by_name": {"a": 0}}, "$.by_name.a", "expected more than 0"),
        ({"by_name": {"a": 1, "b": 1}}, "$.by_name", "expected at most 1 property, got 2"),
        ({"either": 9}, "$.either", "expected less than 9"),
        ({"either": "off"}, "$.either", "expected 'auto'"),
        ({"either": 1.5}, "$.either", "expected an integer, got a number"),
        ({"either": []}, "$.either", "expected 'auto' or an integer, got an array"),
        ({"at": "2024-02-29T12:30:00"}, "$.at", "expected a date-time"),
        ({"at": 1709209800}, "$.at", "expected a date-time, got an integer"),
        ({"old": None}, "$.old", "null where nothing is expected"),
        ({"old": [1]}, "$.old", "expected nothing, got an array"),
        ({"new": 1}, "$.new", "unknown property"),
        ({"row": []}, "$.row", "expected at least 1 item, got 0"),
        ({"row": ["a", "b"]}, "$.row[1]", "expected an integer, got a string"),
        ({"row": ["a", 1, 2, 3]}, "$.row", "expected at most 3 items, got 4"),
        ({"pair": ["a"]}, "$.pair", "expected 2 items, got 1"),
        ({"pair": ["a", 1, 2]}, "$.pair", "expected 2 items, got 3"),
        ({"short": ["a", 1, 2]}, "$.short", "expected at most 2 items, got 3"),
        ({"rate": 0.7}, "$.rate", "expected one of 0.5, 2.0"),
        ({"moves": [1, 3]}, "$.moves", "expected one of [1, 2], [3]"),
        ({"corner": {"x": 2}}, "$.corner", "expected {'x': 1}"),
    ],
)
def test_a_broken_limit_is_a_deviation_and_nothing_is_lost(
    value: dict[str, object], path: str, message: str
) -> None:
    assert found(value, Limited) == [(path, message)]
    assert decoder_of(Limited).decode(json.dumps(value).encode()).to_dict() == value


class Few(BaseModel, min_properties=1, max_properties=2):
    a: int | None = None


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ({"a": 1}, []),
        ({"b": 1, "c": 2}, []),
        ({}, ["expected at least 1 property, got 0"]),
        ({"a": 1, "b": 1, "c": 1}, ["expected at most 2 properties, got 3"]),
    ],
)
def test_how_many_properties_there_are(value: dict[str, object], messages: list[str]) -> None:
    assert found(value, Few) == [("$", message) for message in messages]


def test_annotations_are_checked_as_models_are() -> None:
    assert found([{"type": "text"}], list[Part]) == [("$[0].text", "required property is absent")]
    assert found({"a": "x"}, dict[str, int]) == [("$.a", "expected an integer, got a string")]
    assert found({"a": "x"}, Any) == []
    assert found(None, Text | None) == []
    assert found(3, None) == [("$", "expected null, got an integer")]


def test_the_model_is_checked_the_same_before_and_after_others_use_it() -> None:
    class Inner(BaseModel):
        value: int

    class Outer(BaseModel):
        inner: Inner

    decoder_of(Inner).decode(b"{}")
    [one] = decoder_of(Outer).deviations(b'{"inner":{"value":"x"}}')
    assert one.path == "$.inner.value"
    outer = decoder_of(Outer).decode(b'{"inner":{"value":"x"}}')
    assert outer.to_dict() == {"inner": {"value": "x"}}
    Inner.model_rebuild(force=True)
    [one] = Decoder[Inner](Inner).deviations(b"{}")
    assert one.message == "required property is absent"


def test_judging_a_deep_value_of_a_recursive_union_takes_polynomial_time() -> None:
    class Left(BaseModel):
        next: Left | Right | int
        name: str

    class Right(BaseModel):
        next: Left | Right | int
        size: str

    value: object = "not what is declared"
    for _ in range(60):
        value = {"next": value, "name": "a", "size": "b"}
    Left.model_rebuild(_types_namespace={"Left": Left, "Right": Right})
    Right.model_rebuild(_types_namespace={"Left": Left, "Right": Right})
    [one] = decoder_of(Left).deviations(json.dumps(value).encode())
    assert one.path == "$" + ".next" * 60
    assert decoder_of(Left).decode(json.dumps(value).encode()).to_dict() == value
