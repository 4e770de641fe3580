"""Headers of answers as the types that are declared for them."""

from __future__ import annotations

import datetime as dt
from typing import Literal

import httpx2
import pytest
from pydantic import Field

from runtime import APIResponse, BaseModel, Maybe, Open
from runtime._headers import read_headers


class Meta(BaseModel):
    a: Maybe[int] = None
    b: Maybe[str] = None


class Headers(BaseModel):
    tag: str = Field(alias="ETag")
    left: Maybe[int] = Field(default=None, alias="X-Left")
    load: Maybe[float] = Field(default=None, alias="x-load")
    fresh: Maybe[bool] = Field(default=None, alias="X-Fresh")
    ids: Maybe[list[int]] = Field(default=None, alias="X-Ids")
    names: Maybe[list[str]] = Field(default=None, alias="X-Names")
    kind: Maybe[Open[Literal["big", "small"]]] = Field(default=None, alias="X-Kind")
    since: Maybe[dt.datetime] = Field(default=None, alias="X-Since")
    meta: Maybe[Meta] = Field(default=None, alias="X-Meta")
    limits: Maybe[dict[str, int]] = Field(default=None, alias="X-Limits")
    number_or_text: Maybe[int | str] = Field(default=None, alias="X-Either")


def read(*pairs: tuple[str, str]) -> Headers:
    return read_headers(httpx2.Headers(list(pairs)), Headers)


def test_values_are_read_as_they_are_declared() -> None:
    found = read(
        ("etag", '"7"'),
        ("x-left", "12"),
        ("X-Load", "0.5"),
        ("X-Fresh", "true"),
        ("X-Ids", "1, 2,3"),
        ("X-Kind", "big"),
        ("X-Since", "2026-01-02T03:04:05Z"),
        ("X-Meta", '{"a": 1}'),
        ("X-Either", "12"),
        ("X-Undeclared", "1"),
    )
    assert found.tag == '"7"'
    assert (found.left, found.load, found.fresh, found.ids) == (12, 0.5, True, [1, 2, 3])
    assert found.kind == "big"
    assert found.since == dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
    assert found.meta == Meta(a=1)
    assert found.number_or_text == "12"
    assert not found.model_extra


@pytest.mark.parametrize("text", ["a,1,b,x", "a=1,b=x", "a=1, b=x", '{"a":1,"b":"x"}'])
def test_an_object_is_read_however_it_is_written(text: str) -> None:
    """OpenAPI 3.2, "Style Examples": ``simple``, with and without ``explode``."""
    assert read(("X-Meta", text)).meta == Meta(a=1, b="x")


def test_the_members_of_an_object_have_types() -> None:
    assert read(("X-Limits", "day=10,hour=many")).limits == {"day": 10, "hour": "many"}
    assert read(("X-Meta", "a=x,c=1")).to_dict() == {"X-Meta": {"a": "x", "c": "1"}}


def test_lines_of_one_name_are_one_list() -> None:
    assert read(("X-Names", "a, b"), ("X-Names", "c")).names == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("pair", "name", "value"),
    [
        (("X-Left", "many"), "left", "many"),
        (("X-Fresh", "yes"), "fresh", "yes"),
        (("X-Ids", "1, b"), "ids", [1, "b"]),
        (("X-Kind", "huge"), "kind", "huge"),
        (("X-Meta", "{"), "meta", "{"),
        (("X-Meta", '{"a": 1, "b"'), "meta", '{"a": 1, "b"'),
        (("X-Meta", "a,1,b"), "meta", "a,1,b"),
        (("X-Meta", "a"), "meta", "a"),
        (("X-Left", ""), "left", ""),
    ],
)
def test_what_has_another_type_stays_text(pair: tuple[str, str], name: str, value: object) -> None:
    assert getattr(read(pair), name) == value


def test_what_is_missing_reads_as_none() -> None:
    found = read()
    assert found.tag is None
    assert found.model_fields_set == set()


def test_the_response_reads_its_own() -> None:
    answer = httpx2.Response(200, headers={"ETag": "1"}, request=httpx2.Request("GET", "http://h/"))
    response: APIResponse[None] = APIResponse(
        answer, lambda: None, retries_taken=0, request_id=None, reads=False
    )
    assert response.parse_headers(Headers).tag == "1"
