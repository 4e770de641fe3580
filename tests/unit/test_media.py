"""Media types: which form of a body each is, and which is preferred."""

from __future__ import annotations

import pytest

from specloom.lower.media import base, is_range, kind, preferred


@pytest.mark.parametrize(
    ("media_type", "form"),
    [
        ("application/json", "json"),
        ("Application/JSON; charset=utf-8", "json"),
        ("text/json", "json"),
        ("application/vnd.api+json", "json"),
        ("application/problem+json;v=1", "json"),
        ("application/*+json", "json"),
        ("application/x-www-form-urlencoded", "form"),
        ("multipart/form-data", "multipart"),
        ("multipart/mixed", "binary"),
        ("text/plain", "text"),
        ("text/*", "text"),
        ("application/xml", "text"),
        ("application/atom+xml", "text"),
        ("application/yaml", "text"),
        ("application/vnd.oai+yaml", "text"),
        ("application/octet-stream", "binary"),
        ("image/*", "binary"),
        ("application/zip", "binary"),
        ("application/jsonp", "binary"),
        ("*/*", "any"),
        ("application/*", "any"),
    ],
)
def test_form(media_type: str, form: str) -> None:
    assert kind(media_type) == form


def test_a_media_type_without_its_parameters() -> None:
    assert base(" Text/Plain ; charset=x") == "text/plain"
    assert is_range("image/*;q=1")
    assert not is_range("image/png")


def test_json_comes_first_and_the_rest_as_written() -> None:
    written = ["text/plain", "application/*+json", "application/vnd.a+json", "application/json"]
    assert preferred(written) == [
        "application/json",
        "application/vnd.a+json",
        "text/plain",
        "application/*+json",
    ]
