"""Requests are compared with the description before they are sent, where that is wanted."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, Required, TypedDict

import pytest
from pydantic import Field

from runtime import (
    Alternatives,
    Declared,
    Encoded,
    FilePart,
    FileParts,
    Request,
    RequestOptions,
    RequestValidationError,
    Styled,
    omit,
)
from runtime._bodies import content_of
from runtime._checks import check
from runtime._repeatable import repeatable
from runtime._uploads import Upload


class Message(TypedDict, total=False):
    role: Required[Literal["user"]]
    content: Required[str]


class Create(TypedDict, total=False):
    model: Required[str]
    messages: Required[Annotated[Iterable[Message], Field(min_length=1)]]
    temperature: Annotated[float | None, Field(ge=0, le=2)]


def _declared() -> Declared:
    return Declared(
        path={"id": Annotated[int, Field(ge=1)]},
        query={"limit": Annotated[int, Field(le=100)], "ids": Iterable[int]},
        headers={"X-Kind": Literal["a", "b"]},
        body={"application/json": Create},
    )


def departures(request: Request) -> list[tuple[str, str]]:
    """Check a request; return what is wrong with it."""
    ready = repeatable(request)
    content, _ = content_of(ready)
    try:
        check(ready, content)
    except RequestValidationError as error:
        return [(one.path, one.message) for one in error.deviations]
    return []


GOOD: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


def sent(**more: Any) -> Request:
    """Make a request with a good body, or what is given in place of its parts."""
    given: dict[str, Any] = {"json": GOOD, "declared": _declared, **more}
    return Request("POST", "/chat", **given)


@pytest.mark.parametrize(
    "request_",
    [
        sent(),
        sent(json={**GOOD, "temperature": None, "more": {"a": 1}}),
        sent(json={**GOOD, "temperature": omit}),
        sent(path={"id": 1}, query={"limit": 5, "ids": [1, 2]}, headers={"X-Kind": "a"}),
        sent(query={"limit": None, "ids": omit, "unknown": "x"}, headers={"X-Other": "z"}),
        sent(json=omit),
        sent(declared=None, json={"model": 5}),
        sent(declared=Declared, json={"model": 5}, query={"limit": "x"}),
        sent(extra_body={"temperature": "hot", "more": 1}),
        sent(options=RequestOptions(body={"temperature": "hot"})),
        sent(extra_query={"limit": "many"}, extra_headers={"X-Kind": "z"}),
    ],
)
def test_what_conforms_passes(request_: Request) -> None:
    assert departures(request_) == []


@pytest.mark.parametrize(
    ("more", "path", "message"),
    [
        ({"json": {"model": "m"}}, "$.messages", "required property is absent"),
        ({"json": {**GOOD, "messages": []}}, "$.messages", "expected at least 1 item, got 0"),
        (
            {"json": {**GOOD, "messages": [{"role": "user", "content": 5}]}},
            "$.messages[0].content",
            "expected a string, got an integer",
        ),
        (
            {"json": {**GOOD, "messages": [{"role": "usr", "content": ""}]}},
            "$.messages[0].role",
            "expected 'user'",
        ),
        ({"json": {**GOOD, "temperature": 3}}, "$.temperature", "expected at most 2"),
        ({"json": [1]}, "$", "expected an object (Create), got an array"),
        ({"path": {"id": 0}}, "path.id", "expected at least 1"),
        ({"query": {"limit": 500}}, "query.limit", "expected at most 100"),
        ({"query": {"ids": [1, "2"]}}, "query.ids[1]", "expected an integer, got a string"),
        ({"headers": {"X-Kind": "c"}}, 'headers["X-Kind"]', "expected one of 'a', 'b'"),
    ],
)
def test_what_does_not_is_named_with_its_place(
    more: dict[str, Any], path: str, message: str
) -> None:
    assert departures(sent(**more)) == [(path, message)]


def test_the_error_says_what_is_wrong_and_pickles() -> None:
    request = sent(json={"messages": []})
    with pytest.raises(RequestValidationError) as raised:
        check(request, content_of(request)[0])
    error = raised.value
    assert str(error) == "POST /chat: $.model: required property is absent (and 1 more)"
    assert isinstance(error, ValueError) and error.request is None
    assert [one.operation for one in error.deviations] == ["POST /chat"] * 2
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is RequestValidationError
    assert (str(again), again.deviations) == (str(error), error.deviations)


def test_generators_are_still_full_when_they_are_sent() -> None:
    def ids() -> Iterator[int]:
        yield from (1, 2)

    request = repeatable(sent(query={"ids": ids()}))
    check(request, content_of(request)[0])
    assert request.query == {"ids": [1, 2]}


def test_nothing_is_looked_at_before_it_is_needed() -> None:
    def never() -> Declared:
        raise AssertionError("asked for")

    request = sent(declared=never)
    assert content_of(request)[0]


class Fields(TypedDict, total=False):
    name: Required[Annotated[str, Field(min_length=2)]]
    tags: Iterable[int]
    near: Patch
    photo: Required[str]
    photos: Iterable[str]


class Patch(TypedDict, total=False):
    a: str | None


FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
MERGE = "application/merge-patch+json"
STRING_WANTED = "expected a string, got an integer"


def _several() -> Declared:
    return Declared(
        body={"application/json": Iterable[int], MERGE: Patch, FORM: Fields, MULTIPART: Fields}
    )


def several(kind: str, **more: Any) -> Request:
    """Make a request that has a body of each kind to choose from."""
    given: dict[str, Any] = {"name": "ab", "photo": "p", **more}
    bodies = {"application/json": more.get("items", [1]), MERGE: more, FORM: given}
    choice = Alternatives({**bodies, MULTIPART: given, "text/plain": "t"})
    return Request("POST", "/x", content=choice, content_type=kind, declared=_several)


@pytest.mark.parametrize(
    "request_",
    [
        several("application/json"),
        several("application/json", items=(n for n in (1, 2))),
        several(MERGE, a="x"),
        several(MERGE, a=None),
        several("text/plain"),
        several(FORM, tags=[1], near=Styled({"a": "x"}, "deepObject")),
        several(FORM, tags=None, near=omit, extra="x"),
        several(MULTIPART, photo=FilePart(b"p"), photos=FileParts([b"p", Path(__file__)])),
        several(MULTIPART, photo=("p.png", b"p"), photos=[b"p"], near=Encoded({"a": None})),
        several(MULTIPART, tags=(n for n in (1, 2))),
    ],
)
def test_a_body_is_compared_with_what_its_media_type_declares(request_: Request) -> None:
    assert departures(request_) == []


@pytest.mark.parametrize(
    ("request_", "path", "message"),
    [
        (several("application/json", items=["x"]), "$[0]", "expected an integer, got a string"),
        (several(MERGE, a=5), "$.a", STRING_WANTED),
        (several(FORM, name=5), "$.name", STRING_WANTED),
        (several(FORM, name="a"), "$.name", "expected at least 2 characters, got 1"),
        (several(FORM, name=omit), "$.name", "required property is absent"),
        (several(FORM, tags=iter([1, "x"])), "$.tags[1]", "expected an integer, got a string"),
        (several(MULTIPART, photo=FilePart(omit)), "$.photo", "required property is absent"),
        (several(MULTIPART, near=Encoded({"a": 1})), "$.near.a", STRING_WANTED),
    ],
)
def test_what_departs_from_that_is_named(request_: Request, path: str, message: str) -> None:
    assert departures(request_) == [(path, message)]


def test_what_is_added_to_a_form_is_not_judged() -> None:
    request = several(FORM, name=omit)
    assert departures(replace(request, extra_body={"name": 5})) == []


@pytest.mark.parametrize(
    ("given", "path"),
    [
        (omit, None),
        ({"name": omit, "near": Styled(omit)}, None),
        ({"name": "ab", "photo": "p", "near": Styled({"a": "x"}, "deepObject")}, None),
        ({"name": "ab", "photo": "p", "tags": iter(["x"])}, "querystring.tags[0]"),
        ({"name": "ab", "photo": omit}, "querystring.photo"),
        ({"name": omit, "photo": "p", "extra": 1}, None),
        (Encoded({"name": "a", "photo": "p"}), "querystring.name"),
        (Encoded(omit), None),
    ],
)
def test_a_query_that_is_one_value_is_compared_too(given: object, path: str | None) -> None:
    request = Request(
        "GET",
        "/x",
        querystring=given,
        extra_query={"name": 5} if isinstance(given, dict) and "extra" in given else None,
        declared=lambda: Declared(querystring=Fields),
    )
    assert [found for found, _ in departures(request)] == [path] * (path is not None)


def test_a_form_still_has_its_files_when_it_is_sent() -> None:
    pieces = iter([b"a", b"b"])
    request = repeatable(several(MULTIPART, photo=FilePart(pieces), photos=io.BytesIO(b"c")))
    content, _ = content_of(request)
    check(request, content)
    assert isinstance(content, Upload)
    sent = b"".join(content)
    assert b"\r\n\r\nab\r\n" in sent and b"\r\n\r\nc\r\n" in sent
