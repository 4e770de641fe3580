"""G. Requests that are compared with the description before anything is sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from openai_client import RequestValidationError, omit

from .callers import Connect
from .payloads import QUESTION, completion
from .server import Server, answer


def questions() -> Iterator[dict[str, str]]:
    """Give the messages of a question one by one, and only once."""
    yield {"role": "system", "content": "Be brief."}
    yield {"role": "user", "content": "Will it rain?"}


@pytest.mark.parametrize(
    ("arguments", "path", "message"),
    [
        ({"temperature": 3}, "$.temperature", "expected at most 2"),
        ({"n": "two"}, "$.n", "expected an integer, got a string"),
        ({"messages": []}, "$.messages", "expected at least 1 item, got 0"),
        (
            {"messages": [{"role": "user", "content": 5}]},
            "$.messages[0].content",
            "expected a string or an array, got an integer",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "text"}]}]},
            "$.messages[0].content[0].text",
            "required property is absent",
        ),
        (
            {"tools": [{"type": "function", "function": {"name": 1}}]},
            "$.tools[0].function.name",
            "expected a string, got an integer",
        ),
        ({"service_tier": "best"}, "$.service_tier", "expected one of 'auto', 'default'"),
        ({"stream_options": {"include_usage": "yes"}, "stream": True}, None, None),
    ],
)
def test_what_departs_from_the_description_is_not_sent(
    connect: Connect,
    server: Server,
    arguments: dict[str, Any],
    path: str | None,
    message: str | None,
) -> None:
    client = connect(validate_requests=True)

    with pytest.raises(RequestValidationError) as raised:
        client.run(lambda c: c.chat.completions.create(**QUESTION | arguments))

    [first, *_] = raised.value.deviations
    if path is not None:
        assert (first.path, first.message) == (path, message)
    assert str(raised.value).startswith(f"POST /chat/completions: {first.path}: {first.message}")
    assert isinstance(raised.value, ValueError)
    assert server.requests == []


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"temperature": None, "stop": ["\n"], "logit_bias": {"50256": -100}, "user": omit},
        {"extra_body": {"temperature": 3, "top_k": 5}},
    ],
)
def test_what_conforms_is_sent_as_ever(
    connect: Connect, server: Server, arguments: dict[str, Any]
) -> None:
    server.plays(answer(completion("No.")))

    said = connect(validate_requests=True).create(**arguments)

    assert said.choices[0].message.content == "No."
    assert len(server.requests) == 1


def test_what_gives_its_items_only_once_is_sent_whole(connect: Connect, server: Server) -> None:
    server.plays(answer(completion("No.")))

    connect(validate_requests=True).create(messages=questions())

    assert [one["role"] for one in server.request.json()["messages"]] == ["system", "user"]


def test_a_message_that_was_received_can_be_sent_back(connect: Connect, server: Server) -> None:
    server.plays(answer(completion("Hi")), answer(completion("Hi again")))
    client = connect(validate_requests=True)
    said = client.create().choices[0].message

    client.create(messages=[*QUESTION["messages"], said, {"role": "user", "content": "Again"}])

    assert len(server.requests) == 2


def test_requests_are_sent_unseen_unless_it_is_asked_for(connect: Connect, server: Server) -> None:
    server.plays(*[answer(completion("Hi"))] * 2)
    client = connect()
    client.create(temperature=3)
    strict = client.run(lambda c: c.with_options(validate_requests=True))
    with pytest.raises(RequestValidationError):
        client.run(lambda _: strict.chat.completions.create(**QUESTION, temperature=3))
    client.create(temperature=3)
    assert len(server.requests) == 2
