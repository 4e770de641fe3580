"""Answers that differ by status and by media type."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from runtime import (
    ANYTHING,
    BYTES,
    NOTHING,
    TEXT,
    APIResponseValidationError,
    APIStatusError,
    BaseModel,
    ByStatus,
    ByType,
    Decoder,
    Profile,
)
from runtime._answer import Reader
from runtime._choices import accept_of


class Cat(BaseModel):
    lives: int


class Dog(BaseModel):
    tricks: int


PROFILE = Profile(title="Pets", package="pets", version="1")


def response(
    content: bytes = b"{}", status: int = 200, media_type: str | None = "application/json"
) -> httpx2.Response:
    headers = {} if media_type is None else {"Content-Type": media_type}
    request = httpx2.Request("GET", "http://h/")
    return httpx2.Response(status, headers=headers, content=content, request=request)


def value(result: Any, answer: httpx2.Response, *, strict: bool = False) -> Any:
    return Reader(PROFILE, strict=strict).value(answer, result, "GET /")


class TestByStatus:
    RESULT: ByStatus[Any] = ByStatus({201: Dog, "2XX": Cat, "default": Decoder[int](int)})

    @pytest.mark.parametrize(
        ("status", "content", "read"),
        [
            (201, b'{"tricks": 1}', Dog(tricks=1)),
            (200, b'{"lives": 9}', Cat(lives=9)),
            (299, b'{"lives": 9}', Cat(lives=9)),
        ],
    )
    def test_a_code_prevails_over_its_range(
        self, status: int, content: bytes, read: BaseModel
    ) -> None:
        assert value(self.RESULT, response(content, status)) == read

    def test_the_default_speaks_for_the_rest(self) -> None:
        assert value(ByStatus({"default": Decoder[int](int)}), response(b"3", 200)) == 3

    def test_a_success_that_is_not_declared_is_the_first(self) -> None:
        assert value(ByStatus({200: Cat, 201: Dog}), response(b'{"lives": 1}', 203)) == Cat(lives=1)

    @pytest.mark.parametrize("status", [204, 205])
    def test_no_content_is_none(self, status: int) -> None:
        assert value(Cat, response(b"", status, None)) is None
        assert value(self.RESULT, response(b"", status, None)) is None
        assert value(BYTES, response(b"", status, None)) == b""
        assert value(TEXT, response(b"", status, None)) == ""

    def test_content_that_is_missing_is_an_error(self) -> None:
        with pytest.raises(APIResponseValidationError):
            value(self.RESULT, response(b"", 200))

    def test_departures_are_those_from_the_type_of_the_status(self) -> None:
        assert value(self.RESULT, response(b'{"tricks": 1}', 201), strict=True) == Dog(tricks=1)
        with pytest.raises(APIResponseValidationError, match="lives"):
            value(self.RESULT, response(b'{"tricks": 1}', 200), strict=True)


class TestByType:
    RESULT: ByType[Any] = ByType(
        {
            "application/json; charset=utf-8": Cat,
            "image/png": BYTES,
            "text/*": TEXT,
        }
    )

    @pytest.mark.parametrize(
        ("media_type", "content", "read"),
        [
            ("application/json", b'{"lives": 9}', Cat(lives=9)),
            ("APPLICATION/JSON;charset=UTF-8", b'{"lives": 9}', Cat(lives=9)),
            ("application/vnd.cat+json", b'{"lives": 9}', Cat(lives=9)),
            ("image/png", b"\x89PNG", b"\x89PNG"),
            ("text/csv; charset=latin-1", b"caf\xe9", "café"),
            ("application/zip", b'{"lives": 9}', Cat(lives=9)),
            (None, b'{"lives": 9}', Cat(lives=9)),
        ],
    )
    def test_the_answer_says_what_it_is(
        self, media_type: str | None, content: bytes, read: object
    ) -> None:
        assert value(self.RESULT, response(content, 200, media_type)) == read

    def test_anything_is_what_it_says(self) -> None:
        assert value(ANYTHING, response(b"[1]")) == [1]
        assert value(ANYTHING, response(b"[1]", 200, "application/problem+json")) == [1]
        assert value(ANYTHING, response(b"[1]", 200, "text/plain")) == "[1]"
        assert value(ANYTHING, response(b"[1]", 200, "image/png")) == b"[1]"
        assert value(ANYTHING, response(b"[1]", 200, None)) == b"[1]"

    def test_within_a_status(self) -> None:
        result: ByStatus[Any] = ByStatus({200: self.RESULT, 202: NOTHING})
        assert value(result, response(b"\x89", 200, "image/png")) == b"\x89"
        assert value(result, response(b"later", 202, "text/plain")) is None


def test_text_is_read_in_its_charset() -> None:
    assert value(TEXT, response("é".encode(), 200, "text/plain")) == "é"
    assert value(TEXT, response("é".encode("latin-1"), 200, "text/plain; charset=latin-1")) == "é"
    assert value(TEXT, response(b"\xff", 200, "text/plain")) == "\ufffd"


@pytest.mark.parametrize(
    ("result", "accept"),
    [
        (Cat, "application/json"),
        (ByStatus[Cat]({200: Cat}), "application/json"),
        (NOTHING, "*/*"),
        (BYTES, "*/*"),
        (TEXT, "*/*"),
        (ANYTHING, "*/*"),
    ],
)
def test_json_is_asked_for_where_it_is_read(result: object, accept: str) -> None:
    assert accept_of(result) == accept


class Problem(BaseModel):
    title: str


class Missing(BaseModel):
    id: int


class TestErrors:
    DECLARED: ByStatus[object] = ByStatus(
        {404: Missing, "4XX": Problem, 500: Decoder[list[Problem]](list[Problem])}
    )

    def error(
        self, content: bytes, status: int, *, profile: Profile = PROFILE, declared: bool = True
    ) -> APIStatusError:
        errors = (lambda: self.DECLARED) if declared else None
        return Reader(profile).status_error(response(content, status), content, errors)

    def test_carry_the_type_of_their_status(self) -> None:
        assert self.error(b'{"id": 1}', 404).error == Missing(id=1)
        assert self.error(b'{"title": "t"}', 409).error == Problem(title="t")
        assert self.error(b'[{"title": "t"}]', 500).error == [Problem(title="t")]
        assert self.error(b'{"title": "t"}', 503).error is None

    def test_keep_the_body_as_it_came(self) -> None:
        error = self.error(b'{"title": "t", "code": 7}', 400)
        assert error.body == {"title": "t", "code": 7}
        assert error.code == "7"
        assert error.error.to_dict() == error.body
        html = self.error(b"<h1>Oh</h1>", 404)
        assert html.error is None
        assert html.body == "<h1>Oh</h1>"
        assert self.error(b"[1]", 404).error is None

    def test_fall_back_to_the_usual_type_of_the_api(self) -> None:
        usual = Profile(title="P", package="p", version="1", error=lambda: Problem)
        assert self.error(b'{"title": "t"}', 503, profile=usual).error == Problem(title="t")
        assert self.error(b'{"id": 1}', 404, profile=usual).error == Missing(id=1)
        assert self.error(b'{"title": "t"}', 404, profile=usual, declared=False).error == Problem(
            title="t"
        )
