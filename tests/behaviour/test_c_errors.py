"""C. What failures look like (behaviours 29 to 33)."""

from __future__ import annotations

import pickle
import socket
from typing import Any

import openai_client
import pytest
from openai_client import (
    APIConnectionError,
    APIError,
    APIResponseValidationError,
    APIStatusError,
    APITimeoutError,
    RateLimitError,
)
from openai_client.models import ErrorResponse

from .callers import Connect, trio_too
from .payloads import KEY, error
from .server import Server, answer, hold, reset

CLASSES = {
    400: "BadRequestError",
    401: "AuthenticationError",
    403: "PermissionDeniedError",
    404: "NotFoundError",
    409: "ConflictError",
    418: "APIStatusError",
    422: "UnprocessableEntityError",
    429: "RateLimitError",
    500: "InternalServerError",
    503: "InternalServerError",
}


@pytest.mark.parametrize("status", CLASSES)
def test_b29_status_has_its_class(connect: Connect, server: Server, status: int) -> None:
    body = error("No thread on the loom.", kind="loom_error", param="model", code="no_thread")
    server.plays(answer(body, status, headers={"X-Request-Id": "req_29", "X-Floor": "2"}))

    with pytest.raises(APIStatusError) as raised:
        connect(max_retries=0).create()

    failure = raised.value
    assert type(failure) is getattr(openai_client, CLASSES[status])
    assert failure.status_code == status
    assert failure.request_id == "req_29"
    assert failure.body == body["error"]
    assert (failure.code, failure.param, failure.type) == ("no_thread", "model", "loom_error")
    assert failure.response.status_code == status
    assert failure.response.headers["X-Floor"] == "2"
    assert failure.request is not None
    assert failure.request.url.path == "/v1/chat/completions"
    assert str(status) in str(failure)
    assert "No thread on the loom." in str(failure)
    assert "No thread on the loom." in failure.message
    assert KEY not in str(failure) + repr(failure)


def test_b29_error_is_the_type_of_the_description(connect: Connect, server: Server) -> None:
    body = error("No thread on the loom.", kind="loom_error", code="no_thread")
    server.plays(answer(body, 400), answer("<html>", 400, content_type="text/html"))
    client = connect()

    with pytest.raises(APIStatusError) as raised:
        client.create()
    assert isinstance(raised.value.error, ErrorResponse)
    assert raised.value.error.error.message == "No thread on the loom."
    assert raised.value.error.error.code == "no_thread"

    with pytest.raises(APIStatusError) as raised:
        client.create()
    assert raised.value.error is None


@pytest.mark.parametrize(
    ("name", "parent"),
    [
        ("APIConnectionError", "APIError"),
        ("APITimeoutError", "APIConnectionError"),
        ("APIResponseValidationError", "APIError"),
        ("APIStatusError", "APIError"),
        *[(name, "APIStatusError") for name in CLASSES.values() if name != "APIStatusError"],
    ],
)
def test_b29_classes_form_a_tree(name: str, parent: str) -> None:
    assert issubclass(getattr(openai_client, name), getattr(openai_client, parent))


@pytest.mark.parametrize(
    "body",
    [
        {"error": "No thread on the loom."},
        {"error": {"message": "No thread on the loom.", "code": 17, "type": None}},
        {"error": ["No thread on the loom."]},
        {"message": "No thread on the loom."},
        {"detail": "No thread on the loom."},
        ["No thread on the loom."],
        "No thread on the loom.",
    ],
    ids=repr,
)
def test_b29_other_shapes_of_error_bodies(connect: Connect, server: Server, body: Any) -> None:
    server.plays(answer(body if not isinstance(body, str) else f'"{body}"', 400))

    with pytest.raises(APIStatusError) as raised:
        connect().create()

    assert raised.value.status_code == 400
    assert "No thread on the loom." in str(raised.value)


def test_b30_html_body_is_text(connect: Connect, server: Server) -> None:
    page = "<html><h1>Bad gateway</h1></html>"
    server.plays(answer(page, 502, content_type="text/html"))

    with pytest.raises(APIStatusError) as raised:
        connect(max_retries=0).create()

    assert raised.value.body == page
    assert "Bad gateway" in raised.value.message
    assert raised.value.code is None


@pytest.mark.parametrize("content_type", ["application/json", "text/html"])
def test_b30_empty_body(connect: Connect, server: Server, content_type: str) -> None:
    server.plays(answer(b"", 404, content_type=content_type))

    with pytest.raises(APIStatusError) as raised:
        connect().create()

    assert "404" in raised.value.message
    assert "404" in str(raised.value)


@trio_too
def test_b31_refused_connection(connect: Connect) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

    with pytest.raises(APIConnectionError) as raised:
        connect(base_url=f"http://127.0.0.1:{port}/v1", max_retries=0).create()

    assert type(raised.value) is APIConnectionError
    assert raised.value.__cause__ is not None
    assert raised.value.request is not None
    assert raised.value.request.url.port == port
    assert issubclass(APITimeoutError, APIConnectionError)


def copies(failure: APIError) -> APIError:
    """The error after a trip through pickle, with what every error keeps checked."""
    copy = pickle.loads(pickle.dumps(failure))
    assert type(copy) is type(failure)
    assert copy.message == failure.message
    assert str(copy) == str(failure)
    assert (copy.code, copy.param, copy.type) == (failure.code, failure.param, failure.type)
    assert copy.body == failure.body
    assert isinstance(copy, APIError)
    return copy


@pytest.mark.parametrize("status", CLASSES)
def test_b32_status_errors_pickle(connect: Connect, server: Server, status: int) -> None:
    body = error("No thread on the loom.", kind="loom_error", param="model", code="no_thread")
    server.plays(answer(body, status, headers={"X-Request-Id": "req_32"}))
    with pytest.raises(APIStatusError) as raised:
        connect(max_retries=0).create()

    copy = copies(raised.value)

    assert isinstance(copy, APIStatusError)
    assert copy.status_code == status
    assert copy.code == "no_thread"
    assert copy.request_id == "req_32"


def test_b32_connection_errors_pickle(connect: Connect, server: Server) -> None:
    server.plays(reset, hold)
    client = connect(max_retries=0, timeout=0.2)

    for kind in (APIConnectionError, APITimeoutError):
        with pytest.raises(kind) as raised:
            client.create()
        assert type(copies(raised.value)) is kind


def test_b32_validation_errors_pickle(connect: Connect, server: Server) -> None:
    server.plays(answer({"id": 3}))
    with pytest.raises(APIResponseValidationError) as raised:
        connect(strict_responses=True).create()

    copy = copies(raised.value)

    assert isinstance(copy, APIResponseValidationError)
    assert copy.status_code == 200


@trio_too
def test_b33_status_error_of_a_stream(connect: Connect, server: Server) -> None:
    server.plays(answer(error("Slow down.", code="rate_limit_exceeded"), 429))

    with pytest.raises(RateLimitError) as raised:
        connect(max_retries=0).open()

    assert raised.value.code == "rate_limit_exceeded"
    assert "Slow down." in raised.value.message
    assert raised.value.body
    assert "Slow down." in raised.value.response.text
