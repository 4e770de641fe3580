"""Each departure of an answer from its description is reported once, with its place."""

from __future__ import annotations

import json
import types
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from runtime._decoder import Decoder, decoder_of
from runtime._deviations import Deviation, choose
from runtime._models import BaseModel
from runtime._shapes import Anything, Items, Scalar, Values
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


# Spelt so because type checkers take the annotation of ``__pydantic_extra__`` for an override.
Logged = types.new_class(
    "Logged",
    (BaseModel,),
    exec_body=lambda space: space.update(
        __module__=__name__,
        __annotations__={"__pydantic_extra__": dict[str, int], "id": str},
    ),
)


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


def test_choose_prefers_the_member_that_knows_most_of_the_value() -> None:
    numbers, anything = Items(Scalar("integer")), Anything()
    assert choose([1], (Scalar("string"), numbers)) == 1
    assert choose([1], (Items(Scalar("string")), numbers)) == 1
    assert choose(["a"], (Items(Scalar("null")), numbers)) is None
    assert choose("a", (numbers, Scalar("integer"))) is None
    assert choose({}, (Values(anything), anything)) == 0


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
