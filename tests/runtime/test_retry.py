"""Whether to try again, and after how long."""

from __future__ import annotations

from email.utils import formatdate

import pytest

from runtime._retry import delay

NOW = 1_700_000_000.0


def after(status: int | None = 500, /, **headers: str) -> float | None:
    """What follows the first failure."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return delay(0, 9, status=status, headers=named, now=NOW, jitter=0)


def test_doubles_up_to_a_limit() -> None:
    delays = [delay(n, 9, now=NOW, jitter=0) for n in range(7)]
    assert delays == [0.5, 1, 2, 4, 8, 8, 8]


def test_huge_counts_do_not_overflow() -> None:
    assert delay(5000, 9999, now=NOW, jitter=0) == 8


def test_comes_up_to_a_quarter_early() -> None:
    assert delay(0, 9, now=NOW, jitter=1) == 0.375
    assert delay(0, 9, now=NOW, jitter=0.5) == 0.4375
    assert delay(0, 9, headers={"retry-after": "7"}, now=NOW, jitter=1) == 7


def test_gives_up_at_the_limit() -> None:
    assert delay(1, 2, status=500, now=NOW, jitter=0) == 1
    assert delay(2, 2, status=500, now=NOW, jitter=0) is None
    assert delay(0, 0, now=NOW, jitter=0) is None


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529, 599, None])
def test_what_may_pass_is_tried_again(status: int | None) -> None:
    assert after(status) == 0.5


@pytest.mark.parametrize("status", [301, 304, 400, 401, 403, 404, 418, 422, 499])
def test_what_will_not_pass_is_not(status: int) -> None:
    assert after(status) is None


def test_the_server_overrules_the_status() -> None:
    assert after(400, x_should_retry="true") == 0.5
    assert after(500, x_should_retry="false") is None
    assert after(400, x_should_retry="maybe") is None
    assert delay(2, 2, status=500, headers={"x-should-retry": "true"}, now=NOW, jitter=0) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after_ms": "1500"}, 1.5),
        ({"retry_after_ms": "1500", "retry_after": "7"}, 1.5),
        ({"retry_after_ms": "soon", "retry_after": "7"}, 7),
        ({"retry_after": "7"}, 7),
        ({"retry_after": " 0.25 "}, 0.25),
        ({"retry_after": "0"}, 0),
        ({"retry_after": "120"}, 120),
        ({"retry_after": formatdate(NOW + 5, usegmt=True)}, 5),
    ],
)
def test_the_server_overrules_the_delay(headers: dict[str, str], seconds: float) -> None:
    assert after(429, **headers) == seconds


@pytest.mark.parametrize(
    "value",
    ["-1", "nan", "inf", "soon", "", "Fri, 99 Foo 2020", formatdate(NOW - 60, usegmt=True)],
)
def test_nonsense_is_ignored(value: str) -> None:
    assert after(429, retry_after=value) == 0.5
    assert after(429, retry_after_ms=value) == 0.5


@pytest.mark.parametrize("value", ["121", "3600", formatdate(NOW + 3600, usegmt=True)])
def test_no_wait_is_longer_than_two_minutes(value: str) -> None:
    assert after(429, retry_after=value) is None


def test_a_dropped_connection_is_replaced_at_once_but_only_once() -> None:
    assert delay(0, 2, dropped=True, now=NOW, jitter=0) == 0
    assert delay(1, 2, dropped=True, now=NOW, jitter=0) == 1
