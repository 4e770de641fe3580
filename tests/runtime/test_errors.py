"""What failures look like to the caller."""

from __future__ import annotations

import json
import pickle
from typing import Any

import httpx2
import pytest

import runtime
from runtime import (
    APIConnectionError,
    APIError,
    APIResponseValidationError,
    APIStatusError,
    APITimeoutError,
    BadRequestError,
    BaseModel,
    Profile,
    RateLimitError,
)
from runtime._answer import Reader, connection_error

KEY = "sk-very-secret"
REQUEST = httpx2.Request("POST", "http://h/v1/x", headers={"Authorization": f"Bearer {KEY}"})
DETAILS = {"message": "Too fast", "type": "requests", "param": "model", "code": "rate_limited"}


class Details(BaseModel):
    message: str
    code: str | None


class ErrorBody(BaseModel):
    error: Details


def reader(**more: Any) -> Reader:
    facts: dict[str, Any] = {
        "title": "Test",
        "package": "test",
        "version": "1",
        "error_envelope": "error",
        "error": lambda: ErrorBody,
        **more,
    }
    return Reader(Profile(**facts))


def failed(status: int, content: bytes, **more: Any) -> APIStatusError:
    headers = {"x-request-id": "req-1"}
    response = httpx2.Response(status, content=content, headers=headers, request=REQUEST)
    return reader(**more).status_error(response, content)


@pytest.mark.parametrize(
    ("status", "name"),
    [
        (400, "BadRequestError"),
        (401, "AuthenticationError"),
        (403, "PermissionDeniedError"),
        (404, "NotFoundError"),
        (409, "ConflictError"),
        (418, "APIStatusError"),
        (422, "UnprocessableEntityError"),
        (429, "RateLimitError"),
        (500, "InternalServerError"),
        (503, "InternalServerError"),
        (599, "InternalServerError"),
        (304, "APIStatusError"),
    ],
)
def test_each_status_has_its_class(status: int, name: str) -> None:
    error = failed(status, json.dumps({"error": DETAILS}).encode())
    assert type(error) is getattr(runtime, name)
    assert error.status_code == status
    assert error.message == str(error)
    assert str(error).startswith(str(status))
    assert str(error).endswith(": Too fast")
    assert error.body == DETAILS
    assert (error.code, error.param, error.type) == ("rate_limited", "model", "requests")
    assert error.request_id == error.headers["x-request-id"] == "req-1"
    assert error.request is REQUEST
    assert error.error == ErrorBody(error=Details.model_validate(DETAILS))


@pytest.mark.parametrize(
    ("content", "body", "said"),
    [
        (b"", None, "502 Bad Gateway"),
        (b"<html>\n  <b>Oops</b>", "<html>\n  <b>Oops</b>", "502 Bad Gateway: <html> <b>Oops</b>"),
        (b'{"error":"no model"}', "no model", "502 Bad Gateway: no model"),
        (b'{"detail":"gone"}', {"detail": "gone"}, "502 Bad Gateway: gone"),
        (
            b'{"error":null,"a":1}',
            {"error": None, "a": 1},
            '502 Bad Gateway: {"error": null, "a": 1}',
        ),
        (b"[1]", [1], "502 Bad Gateway: [1]"),
        (b"\xff", "\ufffd", "502 Bad Gateway: \ufffd"),
    ],
)
def test_any_body_is_understood_as_far_as_possible(content: bytes, body: object, said: str) -> None:
    error = failed(502, content)
    assert error.body == body
    assert str(error) == said


def test_long_bodies_are_quoted_in_part() -> None:
    error = failed(500, b"x" * 100_000)
    assert len(str(error)) < 600
    assert error.body == "x" * 100_000


def test_without_an_envelope_the_body_is_the_error() -> None:
    error = failed(400, b'{"message":"bad","code":7}', error_envelope=None, error=None)
    assert error.body == {"message": "bad", "code": 7}
    assert error.code == "7"
    assert error.error is None


def test_a_body_that_is_not_the_declared_error_has_no_model() -> None:
    assert failed(500, b"<html>").error is None
    assert failed(500, b"[1]").error is None


def test_the_credential_is_not_repeated() -> None:
    content = json.dumps({"error": {"message": f"Wrong key {KEY}!"}}).encode()
    assert str(failed(401, content)) == "401 Unauthorized: Wrong key [secret]!"


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        (httpx2.ReadTimeout("slow"), APITimeoutError),
        (httpx2.ConnectTimeout("slow"), APITimeoutError),
        (httpx2.PoolTimeout("slow"), APITimeoutError),
        (httpx2.ConnectError("refused"), APIConnectionError),
        (httpx2.LocalProtocolError(f"Illegal header value b'Bearer {KEY}'"), APIConnectionError),
        (httpx2.TooManyRedirects("loop"), APIConnectionError),
    ],
)
def test_failures_of_the_network(cause: httpx2.RequestError, kind: type[APIError]) -> None:
    error = connection_error(cause, REQUEST)
    assert type(error) is kind
    assert error.request is REQUEST
    assert KEY not in str(error)
    assert isinstance(error, APIConnectionError)


def test_every_class_can_be_made_by_hand() -> None:
    response = httpx2.Response(429, request=REQUEST, headers={"x-request-id": "r"})
    limited = RateLimitError("slow down", response=response, body={"code": "x"})
    assert (limited.message, limited.code, limited.request_id) == ("slow down", "x", "r")
    assert str(APIConnectionError(request=REQUEST)) == "Connection error."
    assert str(APITimeoutError(REQUEST)) == "Request timed out."
    assert APIResponseValidationError(response, None).status_code == 429
    assert str(APIError("plain", REQUEST, body=None)) == "plain"


def test_all_survive_pickling() -> None:
    response = httpx2.Response(200, content=b"text", request=REQUEST)
    errors: list[APIError] = [
        failed(429, json.dumps({"error": DETAILS}).encode()),
        APIError("reported", REQUEST, body=DETAILS),
        APIConnectionError(message="broke", request=REQUEST),
        APITimeoutError(REQUEST),
        APIResponseValidationError(response, "text", message="not JSON"),
        runtime.CredentialError("no key"),
    ]
    for error in errors:
        again: APIError = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == str(error)
        for name in ("message", "body", "code", "param", "type", "request_id", "error"):
            assert getattr(again, name) == getattr(error, name)
        if isinstance(error, APIStatusError | APIResponseValidationError):
            assert isinstance(again, APIStatusError | APIResponseValidationError)
            assert again.status_code == error.status_code
            assert again.response.content == error.response.content


def test_a_pickled_error_holds_no_credential() -> None:
    request = httpx2.Request(
        "POST", "https://api.test/x", headers={"Authorization": "Bearer s3cret"}
    )
    response = httpx2.Response(400, json={"error": {"message": "no"}}, request=request)
    error = pickle.loads(pickle.dumps(BadRequestError("no", response=response, body=None)))
    assert error.request.url == error.response.request.url == "https://api.test/x"
    assert b"s3cret" not in pickle.dumps(BadRequestError("no", response=response, body=None))
    assert response.request.headers["authorization"] == "Bearer s3cret"
