"""D. Retries and timeouts (behaviours 34 to 42)."""

from __future__ import annotations

import email.utils
import time
from typing import Any

import httpx2
import pytest
from openai_client import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    RateLimitError,
    omit,
)

from .callers import Connect, trio_too
from .payloads import completion, error
from .server import AT_ONCE, Server, answer, close, encoded, head, hold, reset, sends


@trio_too
def test_b34_two_retries_with_growing_gaps(connect: Connect, server: Server) -> None:
    server.plays(answer(b"", 500), answer(b"", 503), answer(completion()))

    connect().create()

    first, second, third = server.requests
    assert first.body == second.body == third.body
    assert first.target == second.target == third.target
    gap, next_gap = server.gaps
    assert 0.3 <= gap < 0.9 + 1  # a second more than the rule, for a machine under load
    assert 0.7 <= next_gap < 1.4 + 1


def test_b34_permanent_failure_gives_up_after_three(connect: Connect, server: Server) -> None:
    server.plays(answer(error(), 500, headers=AT_ONCE))

    with pytest.raises(APIStatusError):
        connect().create()

    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_b35_is_retried(connect: Connect, server: Server, status: int) -> None:
    server.plays(answer(error(), status, headers=AT_ONCE), answer(completion()))

    connect().create()

    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 405, 410, 413, 418, 422, 451])
def test_b35_is_not_retried(connect: Connect, server: Server, status: int) -> None:
    server.plays(answer(error(), status, headers=AT_ONCE), answer(completion()))

    with pytest.raises(APIStatusError):
        connect().create()

    assert len(server.requests) == 1


def test_b36_the_server_forbids_a_retry(connect: Connect, server: Server) -> None:
    server.plays(answer(error(), 500, headers={**AT_ONCE, "X-Should-Retry": "false"}))

    with pytest.raises(APIStatusError):
        connect().create()

    assert len(server.requests) == 1


def test_b36_the_server_asks_for_a_retry(connect: Connect, server: Server) -> None:
    again = answer(error(), 400, headers={**AT_ONCE, "X-Should-Retry": "true"})
    server.plays(again, answer(completion()))

    connect().create()

    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After-Ms": "600", "Retry-After": "110"}, 0.6),
        ({"Retry-After": "1"}, 1.0),
        ({"Retry-After": "0.6", "Retry-After-Ms": "x"}, 0.6),
    ],
    ids=["milliseconds", "integer", "float"],
)
def test_b37_delay_of_the_server_is_honoured(
    connect: Connect, server: Server, headers: dict[str, str], seconds: float
) -> None:
    server.plays(answer(error(), 429, headers=headers), answer(completion()))

    connect().create()

    (gap,) = server.gaps
    assert seconds <= gap < seconds + 5  # the usual delay is at most 0.5 s


def test_b37_short_delay_is_honoured_too(connect: Connect, server: Server) -> None:
    server.plays(answer(error(), 429, headers=AT_ONCE), answer(completion()))
    client = connect()

    for _ in range(5):
        client.create()
        server.plays(answer(error(), 429, headers=AT_ONCE), answer(completion()))

    assert min(server.gaps[::2]) < 0.3  # the usual delay is at least 0.375 s


def test_b37_date_is_honoured(connect: Connect, server: Server) -> None:
    def wait_two_seconds(exchange: Any) -> None:
        then = email.utils.formatdate(time.time() + 2, usegmt=True)  # in whole seconds
        answer(error(), 429, headers={"Retry-After": then})(exchange)

    server.plays(wait_two_seconds, answer(completion()))

    connect().create()

    (gap,) = server.gaps
    assert 0.9 <= gap < 7


@pytest.mark.parametrize("value", ["-5", "soon", "Wed, 99 Nob 2026"])
def test_b37_nonsense_means_the_usual_delay(connect: Connect, server: Server, value: str) -> None:
    server.plays(answer(error(), 429, headers={"Retry-After": value}), answer(completion()))

    connect().create()

    (gap,) = server.gaps
    assert 0.3 <= gap < 5


@pytest.mark.parametrize(
    "headers",
    [
        {"Retry-After": "3600"},
        {"Retry-After-Ms": "3600000"},
        {"Retry-After": "Fri, 31 Dec 2100 23:59:59 GMT"},
    ],
    ids=repr,
)
def test_b38_an_hour_is_not_waited_for(
    connect: Connect, server: Server, headers: dict[str, str]
) -> None:
    server.plays(answer(error("Come back later."), 429, headers=headers))
    start = time.monotonic()

    with pytest.raises(RateLimitError, match="Come back later"):
        connect().create()

    assert time.monotonic() - start < 5


def test_b38_no_retry_after_an_hour(connect: Connect, server: Server) -> None:
    server.plays(answer(error(), 429, headers={"Retry-After": "3600"}))

    with pytest.raises(RateLimitError):
        connect().create()

    assert len(server.requests) == 1


def test_b39_number_of_retries_is_an_option(connect: Connect, server: Server) -> None:
    server.plays(answer(error(), 503, headers=AT_ONCE))
    client = connect(max_retries=0)

    with pytest.raises(APIStatusError):
        client.create()
    assert len(server.requests) == 1

    with pytest.raises(APIStatusError):
        client.with_options(max_retries=3).create()
    assert len(server.requests) == 1 + 4


@trio_too
def test_b40_reset_before_the_response_is_retried(connect: Connect, server: Server) -> None:
    server.plays(reset, answer(completion("Here I am.")))

    assert connect().create().choices[0].message.content == "Here I am."
    assert len(server.requests) == 2


def test_b40_reset_within_the_response_is_retried(connect: Connect, server: Server) -> None:
    begun = head(200, {"Content-Type": "application/json", "Content-Length": "500"})
    server.plays(sends(begun, b'{"id"', close), answer(completion("Here I am.")))

    assert connect().create().choices[0].message.content == "Here I am."
    assert len(server.requests) == 2


def test_b40_permanent_resets_are_a_connection_error(connect: Connect, server: Server) -> None:
    server.plays(reset)

    with pytest.raises(APIConnectionError) as raised:
        connect(max_retries=1).create()

    assert raised.value.__cause__ is not None
    assert len(server.requests) == 2


@trio_too
def test_b41_stale_connection_is_replaced_at_once(connect: Connect, server: Server) -> None:
    server.plays(sends_and_closes(), answer(completion("Still here.")))
    client = connect()
    client.create()
    time.sleep(0.05)  # the connection, kept alive by the client, is closed by now
    start = time.monotonic()

    response = client.raw()

    assert response.parse().choices[0].message.content == "Still here."
    assert response.retries_taken == 0
    assert time.monotonic() - start < 0.3
    assert [request.connection for request in server.requests] == [0, 1]


def test_b41_connection_that_closes_on_the_next_request(connect: Connect, server: Server) -> None:
    """The other half of the race: the server hangs up while the request is on its way."""
    server.plays(answer(completion()), close, answer(completion("Still here.")))
    client = connect()
    client.create()
    start = time.monotonic()

    assert client.create().choices[0].message.content == "Still here."

    assert time.monotonic() - start < 0.3
    assert [request.connection for request in server.requests] == [0, 0, 1]


def sends_and_closes() -> Any:
    """A whole answer that promises to keep the connection, and breaks the promise."""

    def step(exchange: Any) -> None:
        answer(completion())(exchange)
        exchange.close()

    return step


@trio_too
@pytest.mark.parametrize("surplus", [completion("Somebody else's."), b"garbage"])
def test_b41_what_follows_an_answer_is_no_answer(
    connect: Connect, server: Server, surplus: object
) -> None:
    """A server sends more than it was asked for; the next call must not take it for its own."""
    more = surplus if isinstance(surplus, bytes) else whole(surplus)
    server.plays(sends(whole(completion("First.")) + more), answer(completion("Second.")))
    client = connect()

    first, second = client.create(), client.create()

    assert first.choices[0].message.content == "First."
    assert second.choices[0].message.content == "Second."
    assert len(server.connections) == 2


@trio_too
def test_b41_what_follows_an_answer_is_no_answer_without_retries(
    connect: Connect, server: Server
) -> None:
    server.plays(sends(whole(completion()) * 2), answer(completion()))
    client = connect(max_retries=0)
    client.create()

    with pytest.raises(APIConnectionError, match="more than the answer"):
        client.create()

    client.create()


def whole(value: object) -> bytes:
    """The bytes of an answer with its length."""
    content = encoded(value)
    stated = {"Content-Type": "application/json", "Content-Length": str(len(content))}
    return head(200, stated) + content


def test_b42_usual_timeout_and_retries(connect: Connect) -> None:
    client = connect(timeout=omit).client

    assert client.timeout == httpx2.Timeout(600, connect=5)
    assert client.max_retries == 2


@trio_too
def test_b42_timeout_of_one_call(connect: Connect, server: Server) -> None:
    server.plays(hold)
    client = connect(timeout=30, max_retries=0)
    start = time.monotonic()

    with pytest.raises(APITimeoutError) as raised:
        client.create(timeout=0.3)

    assert 0.3 <= time.monotonic() - start < 5
    assert raised.value.__cause__ is not None
    assert len(server.requests) == 1


def test_b42_timeout_counts_for_each_attempt(connect: Connect, server: Server) -> None:
    server.plays(hold)
    start = time.monotonic()

    with pytest.raises(APITimeoutError):
        connect(max_retries=1, timeout=0.3).create()

    assert len(server.requests) == 2
    assert 0.9 <= time.monotonic() - start < 6  # twice the timeout and the delay between


def test_b42_timeout_does_not_count_the_retry_delay(connect: Connect, server: Server) -> None:
    again = answer(error(), 429, headers={"Retry-After-Ms": "600"})
    server.plays(again, answer(completion()))

    connect().create(timeout=0.5)

    assert len(server.requests) == 2
