"""What hooks see of headers and URLs, and what they are told when nobody listens."""

from __future__ import annotations

import copy
import gc
import weakref

import httpx2
import pytest

from runtime import ErrorEvent, Hooks, RequestEvent, ResponseEvent, RetryEvent
from runtime._errors import APITimeoutError
from runtime._hook_events import HookHeaders
from runtime._hooked import Hooked
from runtime._watch import UNWATCHED, told


def request_event(url: str = "https://pets.test/v1/pets", private: tuple[str, ...] = ()) -> str:
    """Return the URL that a hook is shown for one."""
    seen: list[RequestEvent] = []
    watch = Hooked([Hooks(on_request=seen.append)], "GET", "/pets", private)
    told(watch.requested(httpx2.Request("GET", url)))
    return seen[0].url


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://pets.test/v1/pets", "https://pets.test/v1/pets"),
        ("https://pets.test/pets?a=1&b=%C3%A9&c", "https://pets.test/pets?a=1&b=%C3%A9&c"),
        ("https://ada:secret@pets.test/pets", "https://pets.test/pets"),
        ("https://pets.test/pets?key=s3cret&a=1", "https://pets.test/pets?key=REDACTED&a=1"),
        ("https://pets.test/pets?k%65y=s3cret", "https://pets.test/pets?k%65y=REDACTED"),
        ("https://pets.test/pets?sig=abc", "https://pets.test/pets?sig=REDACTED"),
        (
            "https://pets.test/pets?X-Amz-Signature=abc&Key=1",
            "https://pets.test/pets?X-Amz-Signature=REDACTED&Key=1",
        ),
    ],
)
def test_urls_are_shown_without_what_grants_access(url: str, shown: str) -> None:
    assert request_event(url, ("key",)) == shown


def test_headers_are_a_mapping_whose_names_match_in_any_case() -> None:
    whole = httpx2.Headers([("Accept", "a/b"), ("X-Key", "s3cret")])
    headers = HookHeaders(whole)
    assert (headers["accept"], headers["x-KEY"]) == ("a/b", "s3cret")
    assert (len(headers), list(headers), "X-Key" in headers) == (2, ["accept", "x-key"], True)
    headers["x-key"] = " other "
    del headers["Accept"]
    headers["X-Note"] = "café"
    assert whole.raw == [(b"x-key", b"other"), (b"X-Note", "café".encode())]
    with pytest.raises(KeyError):
        headers["Accept"]
    with pytest.raises(KeyError):
        del headers["Accept"]


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [("a b", "c", ValueError), ("A", "b\nc", ValueError), ("A", 1, TypeError)],
)
def test_headers_refuse_what_http_cannot_carry(
    name: str, value: str, error: type[Exception]
) -> None:
    headers = HookHeaders(httpx2.Headers())
    with pytest.raises(error):
        headers[name] = value
    assert len(headers) == 0


def test_nothing_that_is_printed_shows_a_value() -> None:
    headers = HookHeaders(httpx2.Headers({"X-Key": "s3cret"}))
    request = RequestEvent(
        method="GET",
        template="/pets/{id}",
        url="https://pets.test/pets/s3cret",
        headers=headers,
        attempt=2,
    )
    error = APITimeoutError(None, message="s3cret")
    shown = [
        *(headers, request),
        ResponseEvent(request, 200, headers, 0.0125),
        RetryEvent(request, 503, 0.5),
        RetryEvent(request, error, 0.5),
        ErrorEvent("GET /pets/{id}", request, error),
        Hooks(on_request=print),
        Hooks(on_retry=print, on_error=print),
    ]
    assert [repr(one) for one in shown] == [
        "<headers x-key>",
        "<RequestEvent GET /pets/{id}, attempt 2>",
        "<ResponseEvent GET /pets/{id}, attempt 2: 200 in 0.013 s>",
        "<RetryEvent GET /pets/{id}, attempt 2: 503, again in 0.500 s>",
        "<RetryEvent GET /pets/{id}, attempt 2: APITimeoutError, again in 0.500 s>",
        "<ErrorEvent GET /pets/{id}: APITimeoutError>",
        "<Hooks on_request>",
        "<Hooks on_retry, on_error>",
    ]


def test_events_are_keys_that_are_not_kept_alive() -> None:
    def event() -> RequestEvent:
        headers = HookHeaders(httpx2.Headers())
        return RequestEvent(method="GET", template="/", url="", headers=headers, attempt=1)

    one, other = event(), event()
    assert one != other
    assert {one: 1, other: 2}[one] == 1
    assert copy.copy(one) is not one
    dead = weakref.ref(one)
    del one
    gc.collect()
    assert dead() is None


def test_nobody_is_told_of_a_call_that_nobody_watches() -> None:
    request = httpx2.Request("GET", "https://pets.test")
    said = [
        *UNWATCHED.requested(request),
        *UNWATCHED.answered(httpx2.Response(200)),
        *UNWATCHED.retried(500, 1),
        *UNWATCHED.failed(ValueError()),
    ]
    assert said == []
    with pytest.raises(ValueError, match="as it is"), UNWATCHED:
        raise ValueError("as it is")
