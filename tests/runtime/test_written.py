"""The types of what is written are read out of their annotations, without pydantic."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, Never, Required, TypeAlias, TypedDict
from uuid import UUID

import pytest
from pydantic import Field
from typing_extensions import TypeAliasType

from runtime._deviations import deviations
from runtime._models import BaseModel
from runtime._open import OpenTuple, Unique
from runtime._written import written_shape


class Leaf(BaseModel):
    kind: Literal["leaf"]
    value: int | None = Field(default=None, ge=0)


class LeafParam(TypedDict, total=False):
    kind: Required[Literal["leaf"]]
    value: Annotated[int | None, Field(ge=0)]


Tree = TypeAliasType("Tree", "str | Iterable[Tree]")
LooseParam = TypedDict("LooseParam", {"a-b": "Required[Iterable[str]]", "n": "int"}, total=False)


class BranchParam(TypedDict, total=False):
    kind: Required[Literal["branch"]]
    parts: Required[Annotated[Iterable[NodeParam | Leaf], Field(min_length=1)]]
    labels: Mapping[str, str]
    at: str | dt.datetime
    day: dt.date
    id: UUID
    price: Decimal
    size: float
    open: bool
    pair: tuple[str, int] | Iterable[str | int]
    row: OpenTuple[tuple[str, *tuple[int, ...]]] | Iterable[str | int]
    tags: Annotated[Unique[Iterable[str]], Field(max_length=2)]
    old: Never
    anything: object
    wide: LooseParam | Mapping[str, object]
    tree: Tree
    color: Literal["red", "blue"] | str | None


NodeParam: TypeAlias = LeafParam | BranchParam


def found(value: object, annotation: object = BranchParam) -> list[tuple[str, str]]:
    return [(one.path, one.message) for one in deviations(value, written_shape(annotation))]


GOOD: dict[str, Any] = {"kind": "branch", "parts": [{"kind": "leaf"}]}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"unknown": 1},
        {"parts": [{"kind": "leaf", "value": None}, GOOD]},
        {"labels": {"a": "b"}, "at": "2024-02-29T12:30:00Z", "day": "2024-02-29"},
        {"id": "6f9619ff-8b86-d011-b42d-00c04fc964ff", "price": "1.50", "size": 1, "open": True},
        {"pair": ["a", 1], "row": ["a", 1, 2], "tags": ["a", "b"], "anything": [None]},
        {"wide": {"a-b": ["x"], "more": 1}, "tree": ["a", ["b"]], "color": None},
    ],
)
def test_what_conforms(more: dict[str, object]) -> None:
    assert found({**GOOD, **more}) == []


@pytest.mark.parametrize(
    ("more", "path", "message"),
    [
        ({"kind": "twig"}, "$.kind", "expected 'branch'"),
        ({"parts": []}, "$.parts", "expected at least 1 item, got 0"),
        ({"parts": [{"kind": "leaf", "value": -1}]}, "$.parts[0].value", "expected at least 0"),
        ({"parts": [{"kind": "branch"}]}, "$.parts[0].parts", "required property is absent"),
        ({"labels": {"a": 1}}, "$.labels.a", "expected a string, got an integer"),
        ({"at": 5}, "$.at", "expected a string or a date-time, got an integer"),
        ({"day": "today"}, "$.day", "expected a date"),
        ({"id": "x"}, "$.id", "expected a UUID"),
        ({"price": 1.5}, "$.price", "expected a decimal number, got a number"),
        ({"size": "1"}, "$.size", "expected a number, got a string"),
        ({"open": 1}, "$.open", "expected a boolean, got an integer"),
        ({"pair": ["a"]}, "$.pair", "expected 2 items, got 1"),
        ({"pair": ["a", "b"]}, "$.pair[1]", "expected an integer, got a string"),
        ({"row": ["a", "b"]}, "$.row[1]", "expected an integer, got a string"),
        ({"tags": ["a", "a"]}, "$.tags", "expected no item twice"),
        ({"tags": ["a", "b", "c"]}, "$.tags", "expected at most 2 items, got 3"),
        ({"old": None}, "$.old", "null where nothing is expected"),
        ({"wide": {"n": 1}}, '$.wide["a-b"]', "required property is absent"),
        ({"tree": [[1]]}, "$.tree[0][0]", "expected a string or an array, got an integer"),
        ({"color": 5}, "$.color", "expected one of 'red', 'blue' or a string, got an integer"),
    ],
)
def test_each_departure_is_found(more: dict[str, object], path: str, message: str) -> None:
    assert found({**GOOD, **more}) == [(path, message)]


def test_plain_annotations() -> None:
    assert found(None, None) == []
    assert found("x", bytes) == []
    assert found(5, str) == [("$", "expected a string, got an integer")]
    assert found(None, str | None) == []
    assert found([1], list[int]) == []
    assert found({"a": "x"}, dict[str, int]) == [("$.a", "expected an integer, got a string")]
    assert found({"kind": "leaf"}, Leaf) == []
    assert found(150, Annotated[int, Field(ge=1, le=100)]) == [("$", "expected at most 100")]
    assert found("ab", Annotated[str, Field(pattern="^b")]) == [
        ("$", "expected text that matches ^b")
    ]
    assert found([], Any) == found([], object) == []
