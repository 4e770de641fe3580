"""Request bodies become compact JSON; what JSON cannot say is refused in clear words."""

from __future__ import annotations

import copy
import datetime
import decimal
import enum
import json
import math
import types
import uuid
from collections.abc import Iterator
from typing import Literal

import pydantic
import pytest

from runtime._decoder import decoder_of
from runtime._json import encode
from runtime._models import BaseModel
from runtime._omit import omit


class Message(BaseModel):
    role: Literal["assistant"]
    content: str | None = None
    from_: str | None = pydantic.Field(default=None, alias="from")


class Foreign(pydantic.BaseModel):
    a: int = pydantic.Field(serialization_alias="A")
    b: int | None = None


class Size(enum.Enum):
    SMALL = "s"


class Level(enum.IntEnum):
    HIGH = 3


def test_b02_bodies_are_compact_utf_8() -> None:
    assert encode({"a": ["é", 1, None, True]}) == '{"a":["é",1,null,true]}'.encode()


def test_b03_integers_are_exact() -> None:
    assert encode(2**53 - 1) == b"9007199254740991"
    assert encode({"n": 2**64}) == b'{"n":18446744073709551616}'


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_b04_what_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(ValueError):
        encode({"temperature": value})


def pieces() -> Iterator[object]:
    yield {"a": 1}
    yield from [2, 3]


def test_b11_iterables_become_arrays() -> None:
    assert encode({"g": pieces()}) == b'{"g":[{"a":1},2,3]}'
    assert encode([(1, 2), range(2), {5}, frozenset((6,)), {"a": 1}.keys()]) == (
        b'[[1,2],[0,1],[5],[6],["a"]]'
    )
    assert encode(types.MappingProxyType({"a": (x for x in "bc")})) == b'{"a":["b","c"]}'


def test_b12_models_become_what_the_server_sent() -> None:
    message = decoder_of(Message).decode(b'{"role":"assistant","from":null,"new":[1]}')
    assert json.loads(encode({"messages": [message, {"role": "user"}]})) == {
        "messages": [{"role": "assistant", "from": None, "new": [1]}, {"role": "user"}]
    }
    assert encode(Foreign(a=1)) == b'{"A":1}'


def test_b13_nothing_is_changed() -> None:
    value = {"a": [{"b": omit, "c": (1, omit)}], "m": Message(role="assistant")}
    before = copy.deepcopy(value)
    assert encode(value) == b'{"a":[{"c":[1]}],"m":{"role":"assistant"}}'
    assert value == before


def test_omit_deep_inside_is_left_out_and_generators_survive_it() -> None:
    value = {"g": pieces(), "deep": {"x": [omit, {"y": omit, "z": None}]}, "last": omit}
    assert encode(value) == b'{"g":[{"a":1},2,3],"deep":{"x":[{"z":null}]}}'
    assert encode(types.MappingProxyType({"a": omit, "b": (o for o in (omit, 1))})) == b'{"b":[1]}'
    with pytest.raises(ValueError, match="omit"):
        encode(omit)


def test_other_values_have_a_sensible_text() -> None:
    value = [
        datetime.datetime(2024, 2, 29, 1, 2, 3, tzinfo=datetime.UTC),
        datetime.date(2024, 2, 29),
        datetime.time(1, 2),
        datetime.timedelta(hours=1),
        uuid.UUID(int=1),
        decimal.Decimal("1.50"),
        Size.SMALL,
        Level.HIGH,
        b"\xff\xfe\xfd>?",
    ]
    assert json.loads(encode(value)) == [
        "2024-02-29T01:02:03Z",
        "2024-02-29",
        "01:02:00",
        "PT1H",
        "00000000-0000-0000-0000-000000000001",
        "1.50",
        "s",
        3,
        "//79Pj8=",
    ]


def test_what_json_has_no_word_for_is_named() -> None:
    with pytest.raises(TypeError, match="'object'"):
        encode({"a": object()})
    with pytest.raises(TypeError, match="function"):
        encode([pieces])


def test_lone_surrogates_are_refused_without_quoting_the_body() -> None:
    with pytest.raises(ValueError, match=r"U\+D800") as caught:
        encode({"secret": "body", "a": "x\ud800"})
    assert not isinstance(caught.value, UnicodeError)
    assert "body" not in str(caught.value).replace("request body", "")
    assert caught.value.__suppress_context__


def test_circular_values_are_refused() -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(ValueError):
        encode(value)
    with pytest.raises((ValueError, RecursionError)):
        encode([omit, value])
