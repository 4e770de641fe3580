"""Requests are compared with the description before they are sent, where that is wanted."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, Required, TypedDict

import pytest
from pydantic import Field

from runtime import Declared, Request, RequestOptions, RequestValidationError, omit
from runtime._bodies import content_of
from runtime._checks import check, repeatable


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
        json=Create,
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
