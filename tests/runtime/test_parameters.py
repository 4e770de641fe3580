"""Parameters as they are sent: where they go, what is left out, what is refused."""

from __future__ import annotations

import enum
from typing import Any
from urllib.parse import quote

import pytest

from runtime import Encoded, Styled, omit
from runtime._parameters import (
    cookie_pairs,
    header_texts,
    path_text,
    query_string,
    segment,
    whole,
)
from runtime._request import merge, with_cookies


class TestSegment:
    def test_encodes_what_would_end_it(self) -> None:
        assert segment("a/b?c#d e%", "id") == "a%2Fb%3Fc%23d%20e%25"
        assert segment(7, "id") == "7"
        assert segment(Colour.RED, "id") == "red"

    @pytest.mark.parametrize("value", ["", ".", ".."])
    def test_refuses_what_changes_the_path(self, value: str) -> None:
        with pytest.raises(ValueError, match="segment"):
            segment(value, "id")

    def test_refuses_none(self) -> None:
        with pytest.raises(ValueError, match="path parameter"):
            segment(None, "id")

    @pytest.mark.parametrize(
        ("value", "written"),
        [
            (Styled(["a/b", "c"], "simple"), "a%2Fb,c"),
            (Styled({"R": 1, "G": 2}, "simple", explode=True), "R=1,G=2"),
            (Styled(["a", "b"], "label", explode=True), ".a.b"),
            (Styled(["a|b", "c"], "pipeDelimited"), "a%7Cb%7Cc"),
            (Styled([3, 4], "spaceDelimited"), "3%204"),
            (Styled([3], "tabDelimited"), "3"),
            (Styled([3, 4], "matrix"), ";id=3,4"),
            (Styled([3, 4], "matrix", explode=True), ";id=3;id=4"),
            (Styled("a/b?c#d:e%2Fé", "simple", reserved=True), "a%2Fb%3Fc%23d:e%2F%C3%A9"),
            (Encoded({"lat": 1}), "%7B%22lat%22%3A1%7D"),
        ],
    )
    def test_is_written_as_declared(self, value: object, written: str) -> None:
        assert segment(value, "id") == written

    @pytest.mark.parametrize(
        "value",
        [
            Styled([], "simple"),
            Styled([], "pipeDelimited"),
            Styled("", "label"),
            Styled([""], "label", explode=True),
            Styled(".", "label"),
            Styled("..", "simple", reserved=True),
            Styled("%2e%2E", "simple", reserved=True),
            Styled("%2e", "label", reserved=True),
            Styled(None, "matrix"),
            Encoded("..", "text/plain"),
            "..",
        ],
    )
    def test_that_would_lead_elsewhere_is_refused(self, value: object) -> None:
        with pytest.raises(ValueError, match=r"'id'.*segment"):
            segment(value, "id")


class Colour(enum.Enum):
    RED = "red"


class TestPath:
    def test_has_its_values_in_the_places_of_their_names(self) -> None:
        values = {"id": "a/b", "pet-kind": Styled(["x"], "matrix")}
        written = path_text("/pets/{id}.json{pet-kind}/{id}?all=1", values)
        assert written == "/pets/a%2Fb.json;pet-kind=x/a%2Fb?all=1"

    def test_of_no_values_stays_as_it_is(self) -> None:
        assert path_text("/a{}/%7Bb%7D", None) == "/a{}/%7Bb%7D"

    def test_names_what_cannot_be_in_it(self) -> None:
        with pytest.raises(ValueError, match="path parameter 'id'"):
            path_text("/pets/{id}", {"id": ".."})


class TestQuery:
    def test_takes_each_value_as_it_is_declared(self) -> None:
        query = {
            "plain": ["a", "b"],
            "csv": Styled(["a", "b"], explode=False),
            "deep": Styled({"a": {"b": 1}}, "deepObject"),
            "own": Styled({"x": 1, "y": None}),
            "json": Encoded({"q": "a b"}),
            "path": Styled("a/b", reserved=True),
        }
        assert query_string(query) == (
            "plain=a&plain=b&csv=a,b&deep%5Ba%5D%5Bb%5D=1&x=1"
            "&json=%7B%22q%22%3A%22a%20b%22%7D&path=a/b"
        )

    def test_leaves_out_what_is_not_there(self) -> None:
        query = {
            "a": Styled(omit, "deepObject"),
            "b": Encoded(omit),
            "c": Styled(None),
            "d": Styled([]),
            "e": [omit, None],
        }
        assert query_string(query) == ""

    def test_writes_null_where_the_value_is_a_document(self) -> None:
        assert query_string({"a": Encoded(None)}) == "a=null"

    def test_reads_a_generator_once(self) -> None:
        assert query_string({"a": Styled((n for n in (1, 2)), explode=False)}) == "a=1,2"

    def test_later_layers_replace_a_value_with_its_style(self) -> None:
        assert query_string({"a": Styled({"x": 1}, "deepObject")}, {"a": 2}) == "a=2"

    def test_can_hold_a_form(self) -> None:
        form = {"x y": "1&2", "l": [1, None, 2], "o": {"k": [True]}, "n": None, "e": ""}
        written = "x%20y=1%262&l=1&l=2&o=%7B%22k%22%3A%5Btrue%5D%7D&e="
        media_type = "application/x-www-form-urlencoded"
        assert query_string({"f": Encoded(form, media_type)}) == "f=" + quote(written, safe="")


class TestWhole:
    @pytest.mark.parametrize(
        ("value", "written"),
        [
            ({"foo": "a + b", "bar": True, "none": omit}, "foo=a%20%2B%20b&bar=true"),
            (
                {"f": Styled({"a": 1}, "deepObject"), "o": {"x": [1]}},
                "f%5Ba%5D=1&o=%7B%22x%22%3A%5B1%5D%7D",
            ),
            # The examples of OpenAPI 3.2 ("querystring").
            (
                Encoded({"numbers": [1, 2], "flag": None}),
                "%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D",
            ),
            (Encoded("$.a.b[1:1]", "application/jsonpath"), "%24.a.b%5B1%3A1%5D"),
            (omit, ""),
            (Encoded(omit), ""),
        ],
    )
    def test_is_the_query(self, value: object, written: str) -> None:
        assert whole(value) == written

    def test_gives_way_to_what_is_added_and_prevails_over_defaults(self) -> None:
        form = {"a": 1, "b": Styled(omit, "deepObject"), "c": 3}
        found = whole(form, {"a": 0, "b": 2, "d": [4, 5]}, None, {"c": {"x": 6}})
        assert found == "a=1&b=2&c=%7B%22x%22%3A6%7D&d=4&d=5"
        assert whole(Encoded([1]), {"a": 0}, {"b": 1}) == "%5B1%5D&a=0&b=1"
        assert whole(omit, {"a": 0}) == "a=0"


class TestHeaders:
    def test_are_not_percent_encoded(self) -> None:
        texts = header_texts(
            {
                "X-Text": "a b/é",
                "X-Ids": [1, 2],
                "X-Object": Styled({"a": 1, "b": True}, "simple"),
                "X-Apart": Styled({"a": 1, "b": True}, "simple", explode=True),
                "X-Json": Encoded({"a": 1}),
                "X-Empty": Styled("", "simple"),
                "X-Pipes": Styled([1, 2], "pipeDelimited"),
                "X-Spaces": Styled(["a", "é"], "spaceDelimited"),
                "X-Tabs": Styled([1, 2], "tabDelimited"),
                "X-None": Styled([], "pipeDelimited"),
            }
        )
        assert texts == {
            "X-Text": "a b/é",
            "X-Ids": "1,2",
            "X-Object": "a,1,b,true",
            "X-Apart": "a=1,b=true",
            "X-Json": '{"a":1}',
            "X-Empty": "",
            "X-Pipes": "1|2",
            "X-Spaces": "a é",
            "X-Tabs": "1\t2",
        }

    def test_that_are_not_there_are_not_sent(self) -> None:
        values = {"a": None, "b": omit, "c": Styled(omit, "simple"), "d": Styled([], "simple")}
        assert header_texts({**values, "e": Encoded(omit)}) == {}
        assert header_texts({"X-Ids": [], "X-Nulls": [None]}) == {}
        assert header_texts({"X-Text": "", "X-Texts": [""]}) == {"X-Text": "", "X-Texts": ""}
        assert header_texts(None) is None

    def test_an_object_needs_a_style(self) -> None:
        with pytest.raises(ValueError, match="X-Object"):
            header_texts({"X-Object": {"a": 1}})


class TestCookies:
    def test_are_percent_encoded_in_a_form(self) -> None:
        """The example of OpenAPI 3.2 for the style that cookies have by default."""
        assert cookie_pairs({"greeting": "Hello, world!"}) == {
            "greeting": "greeting=Hello%2C%20world%21"
        }

    def test_pass_as_they_are_in_their_own_style(self) -> None:
        value = {"greeting": "Hello%2C%20world!", "code": 42}
        found = cookie_pairs({"cookie": Styled(value, "cookie")})
        assert "; ".join(found.values()) == "greeting=Hello%2C%20world!; code=42"

    @pytest.mark.parametrize("value", ["a;b", "a,b", "a b", 'a"b', "a\\b"])
    def test_that_would_need_escapes_are_refused(self, value: str) -> None:
        with pytest.raises(ValueError, match="escaped"):
            cookie_pairs({"c": Styled(value, "cookie")})

    def test_hold_what_separates_their_own_items(self) -> None:
        cookie = {"c": Styled(["a", "b"], "cookie", explode=False)}
        assert cookie_pairs(cookie) == {"c": "c=a,b"}
        with pytest.raises(ValueError, match="escaped"):
            cookie_pairs({"c": Styled(["a", "b,c"], "cookie", explode=False)})

    def test_can_be_several_of_one_name(self) -> None:
        assert cookie_pairs({"c": Styled(["a", "b"])}) == {"c": "c=a; c=b"}

    def test_that_are_not_there_are_not_sent(self) -> None:
        nothing: dict[str, Any] = {"a": None, "b": omit, "c": Styled(omit), "d": Encoded(omit)}
        assert cookie_pairs(nothing) == {}
        assert cookie_pairs(None) == {}

    def test_join_those_of_the_client_in_one_header(self) -> None:
        table = merge({}, {"Cookie": "a=1; b=2"})
        assert with_cookies(table, {"b": "b=3", "c": "c=4"})[b"cookie"] == (
            b"Cookie",
            b"a=1; b=3; c=4",
        )
        assert with_cookies(merge({}, {"Cookie": omit}), {"a": "a=1"})[b"cookie"] == (
            b"Cookie",
            b"a=1",
        )
        assert with_cookies(table, {}) is table
