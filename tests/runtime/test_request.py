"""From the arguments of a call to the bytes of a request."""

from __future__ import annotations

import copy
import datetime
import enum
import math
import pickle
import uuid
from decimal import Decimal
from typing import Any

import pytest

from runtime import Omit, RequestOptions, Styled, omit
from runtime._bodies import body_bytes
from runtime._parameters import query_string
from runtime._proofs import Proof
from runtime._request import Base, Call, limits_of, merge
from runtime._uploads import Upload, source


class Colour(enum.Enum):
    RED = "red"


class TestOmit:
    def test_is_falsy_and_prints_as_written(self) -> None:
        assert not omit
        assert repr(omit) == "omit"

    def test_stays_itself_through_copies_and_pickles(self) -> None:
        assert copy.deepcopy({"a": omit})["a"] is omit
        assert pickle.loads(pickle.dumps([omit])) == [omit]
        assert pickle.loads(pickle.dumps(omit)) is omit
        assert isinstance(omit, Omit)


class TestBase:
    @pytest.mark.parametrize(
        ("base", "url"),
        [
            ("http://h/v1", "http://h/v1/chat"),
            ("http://h/v1/", "http://h/v1/chat"),
            ("https://h:8443/proxy/a/v1/", "https://h:8443/proxy/a/v1/chat"),
            ("http://h", "http://h/chat"),
            ("http://[::1]:80/v1?api-version=2", "http://[::1]/v1/chat?api-version=2"),
        ],
    )
    def test_joins_exactly_once(self, base: str, url: str) -> None:
        assert Base.parse(base).url("/chat", "") == url

    def test_queries_come_after_one_another(self) -> None:
        base = Base.parse("http://h/v1?a=1")
        assert base.url("/x", "b=2") == "http://h/v1/x?a=1&b=2"
        assert base.url("/x?c=3", "") == "http://h/v1/x?c=3&a=1"

    @pytest.mark.parametrize("base", ["h/v1", "ftp://h/v1", "http://", "http://h:port/"])
    def test_refuses_what_is_no_http_url(self, base: str) -> None:
        with pytest.raises(ValueError, match="base_url"):
            Base.parse(base)

    def test_shows_neither_password_nor_query(self) -> None:
        base = Base.parse("http://user:secret@h/v1?key=hidden")
        assert str(base) == "http://h/v1/"
        with pytest.raises(ValueError, match="absolute") as caught:
            Base.parse("ftp://user:secret@h/?key=hidden")
        assert "secret" not in str(caught.value)
        assert "hidden" not in str(caught.value)


class TestMerge:
    def test_matches_names_in_any_case(self) -> None:
        merged = merge(merge({}, {"User-Agent": "a", "X-One": "1"}), {"user-agent": "b"})
        assert list(merged.values()) == [(b"user-agent", b"b"), (b"X-One", b"1")]

    def test_omit_takes_out_and_later_layers_put_back(self) -> None:
        base = merge({}, {"A": "1"}, {"a": omit})
        assert base[b"a"] is None
        assert merge(base, {"A": "2"})[b"a"] == (b"A", b"2")

    def test_leaves_its_arguments_alone(self) -> None:
        base = merge({}, {"A": "1"})
        layer = {"a": "2"}
        merge(base, layer)
        assert base[b"a"] == (b"A", b"1")
        assert layer == {"a": "2"}

    @pytest.mark.parametrize("value", ["sk-secret\n", "sk-secret\r\nX: y", "sk-\0secret"])
    def test_refuses_control_characters_without_repeating_the_value(self, value: str) -> None:
        with pytest.raises(ValueError, match="X-Key") as caught:
            merge({}, {"X-Key": value})
        assert "secret" not in str(caught.value)

    def test_drops_blanks_around_a_value(self) -> None:
        assert merge({}, {"A": " \tb c "})[b"a"] == (b"A", b"b c")

    def test_refuses_other_types_and_names_that_are_none(self) -> None:
        wrong: Any = {"A": 1}
        with pytest.raises(TypeError, match="header A"):
            merge({}, wrong)
        with pytest.raises(ValueError, match="not a name"):
            merge({}, {"A B": "1"})


class TestQuery:
    def test_later_layers_replace_earlier_ones(self) -> None:
        assert query_string({"a": 1, "b": 2}, None, {"b": 3}, {"c": 4}) == "a=1&b=3&c=4"

    def test_percent_encodes_names_and_values(self) -> None:
        assert query_string({"a b&": "ü/+=&"}) == "a%20b%26=%C3%BC%2F%2B%3D%26"

    def test_spells_values_as_json_does(self) -> None:
        day = datetime.date(2020, 1, 2)
        query = {
            "yes": True,
            "no": False,
            "half": 0.5,
            "money": Decimal("1.10"),
            "day": day,
            "moment": datetime.datetime(2020, 1, 2, 3, 4, tzinfo=datetime.UTC),
            "id": uuid.UUID(int=1),
            "colour": Colour.RED,
        }
        assert query_string(query) == (
            "yes=true&no=false&half=0.5&money=1.10&day=2020-01-02"
            "&moment=2020-01-02T03%3A04%3A00Z"
            "&id=00000000-0000-0000-0000-000000000001&colour=red"
        )

    def test_repeats_the_key_of_an_array(self) -> None:
        assert query_string({"a": ["x", None, 2], "b": (n for n in (1, 2))}) == "a=x&a=2&b=1&b=2"

    def test_sends_nothing_for_none_and_omit(self) -> None:
        assert query_string({"a": None, "b": omit, "c": []}) == ""
        assert query_string({"a": 1}, None, {"a": omit}) == ""

    def test_an_argument_that_was_not_given_leaves_a_default(self) -> None:
        defaults = {"a": 1, "b": 2, "c": 3, "d": 4}
        arguments = {"a": omit, "b": Styled(omit), "c": None, "d": 5, "e": omit}
        assert query_string(defaults, arguments) == "a=1&b=2&d=5"

    @pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, Decimal("nan")])
    def test_refuses_what_is_no_number(self, value: object) -> None:
        with pytest.raises(ValueError, match="no number that can be sent"):
            query_string({"n": value})
        with pytest.raises(ValueError):
            body_bytes({"n": value})

    @pytest.mark.parametrize("value", [{"a": 1}, [{"a": 1}], [["a"]], b"bytes", object()])
    def test_refuses_what_has_no_one_spelling(self, value: object) -> None:
        with pytest.raises(ValueError, match="'filter'"):
            query_string({"filter": value})


class TestBody:
    def test_drops_omit_at_the_top_and_keeps_none(self) -> None:
        assert body_bytes({"a": 1, "b": omit, "c": None}) == b'{"a":1,"c":null}'

    def test_extras_replace_and_add(self) -> None:
        body = {"a": {"x": 1}, "b": 2}
        extra = {"a": {"y": 1}, "c": 3, "b": omit}
        assert body_bytes(body, None, extra) == b'{"a":{"y":1},"c":3}'
        assert body == {"a": {"x": 1}, "b": 2}
        assert extra == {"a": {"y": 1}, "c": 3, "b": omit}

    def test_there_is_none_without_body_and_extras(self) -> None:
        assert body_bytes(omit, None, {}) is None
        assert body_bytes(omit, {"a": 1}) == b'{"a":1}'

    def test_may_be_any_json(self) -> None:
        assert body_bytes([1, "ü"]) == '[1,"ü"]'.encode()
        assert body_bytes(None) == b"null"
        with pytest.raises(TypeError, match="extra_body"):
            body_bytes([1], {"a": 1})

    def test_refuses_nan(self) -> None:
        with pytest.raises(ValueError):
            body_bytes({"temperature": float("nan")})


def call(content: bytes | None = b"{}", **more: Any) -> Call:
    values: dict[str, Any] = {"method": "POST", "url": "http://h/v1/x", "headers": {}, **more}
    return Call(content=content, limits=limits_of(5.0), **values)


class TestCall:
    def test_makes_a_complete_request(self) -> None:
        made = call(headers=merge({}, {"A": "1"}))
        proof = Proof("header", "Authorization", "Bearer sk", ("sk",))
        request = made.request([proof], made.limits)
        assert request.headers.multi_items() == [
            ("host", "h"),
            ("a", "1"),
            ("authorization", "Bearer sk"),
            ("content-type", "application/json"),
            ("content-length", "2"),
        ]
        assert request.content == b"{}"
        assert request.extensions["timeout"] == dict.fromkeys(
            ("connect", "read", "write", "pool"), 5.0
        )

    def test_without_a_body_there_is_no_content_type(self) -> None:
        got = call(None, method="GET")
        assert got.request((), got.limits).headers.multi_items() == [("host", "h")]
        posted = call(None)
        request = posted.request((), posted.limits)
        assert request.headers.multi_items() == [("host", "h"), ("content-length", "0")]

    def test_the_caller_decides_about_host_and_content_type(self) -> None:
        headers = merge({}, {"Host": "other", "Content-Type": omit})
        made = call(headers=headers)
        request = made.request((), made.limits)
        assert request.headers.multi_items() == [("host", "other"), ("content-length", "2")]

    @pytest.mark.parametrize("content", [b"abc", Upload([source(iter([b"abc"]))])])
    @pytest.mark.parametrize(
        ("given", "sent"),
        [
            ({"Content-Length": "3"}, ["content-length"]),
            ({"Transfer-Encoding": "chunked"}, ["transfer-encoding"]),
            ({"transfer-encoding": "chunked", "content-length": "3"}, ["content-length"]),
        ],
    )
    def test_says_once_where_the_body_ends(
        self, content: Any, given: dict[str, str], sent: list[str]
    ) -> None:
        """RFC 9112, section 6.2."""
        made = call(content, headers=merge({}, given))
        pairs = made.request((), made.limits).headers.multi_items()
        framing = [name for name, _ in pairs if name in ("content-length", "transfer-encoding")]
        assert framing == sent

    def test_the_end_of_a_body_is_said_also_if_the_caller_takes_that_out(self) -> None:
        made = call(headers=merge({}, {"Content-Length": omit}))
        assert made.request((), made.limits).headers["content-length"] == "2"

    def test_the_case_of_a_method_counts(self) -> None:
        """RFC 9110, section 9.1."""
        made = call(None, method="CoPy")
        assert made.request((), made.limits).method == "CoPy"

    def test_a_key_leaves_other_cookies_as_they_are(self) -> None:
        cookies = merge({}, {"Cookie": "c=é"})
        request = call(headers=cookies).request([Proof("cookie", "sid", "k", ("k",))], {})
        assert dict(request.headers.raw)[b"Cookie"] == "c=é; sid=k".encode()

    def test_a_key_goes_where_the_api_wants_it(self) -> None:
        headed = call().request([Proof("header", "X-Key", "a b", ("a b",))], {})
        assert headed.headers["x-key"] == "a b"
        asked = call().request([Proof("query", "key", "a&b", ("a&b",))], {})
        assert asked.url.raw_path == b"/v1/x?key=a%26b"
        both = call(url="http://h/x?a=1").request([Proof("query", "key", "k", ("k",))], {})
        assert both.url.raw_path == b"/x?a=1&key=k"
        baked = call().request([Proof("cookie", "sid", "k", ("k",))], {})
        assert baked.headers["cookie"] == "sid=k"

    def test_a_key_joins_the_cookies_that_are_there(self) -> None:
        cookies = merge({}, {"Cookie": "a=1; sid=mine"})
        proofs = [Proof("cookie", "sid", "k", ("k",)), Proof("cookie", "b", "2", ("2",))]
        request = call(headers=cookies).request(proofs, {})
        assert request.headers.get_list("cookie") == ["a=1; sid=mine; b=2"]

    @pytest.mark.parametrize("key", ["a b", "a;b", 'a"b', "a,b", "a\\b", "ü", "a\n"])
    def test_a_key_that_no_cookie_can_hold_is_not_sent_and_not_shown(self, key: str) -> None:
        with pytest.raises(ValueError, match="cookie sid") as caught:
            call().request([Proof("cookie", "sid", key, (key,))], {})
        assert key not in str(caught.value)

    def test_a_key_in_a_query_is_sent_and_not_shown(self) -> None:
        request = call(url="http://h/x?a=1").request([Proof("query", "key", "sk", ("sk",))], {})
        assert request.url.raw_path == b"/x?a=1&key=sk"
        for text in (str(request.url), repr(request.url), repr(request), f"{request.url}"):
            assert "sk" not in text
        assert b"sk" not in pickle.dumps(request.url)

    def test_shows_no_secret(self) -> None:
        made = call(b"body", headers=merge({}, {"A": "value"}), url="http://h/x?key=hidden")
        assert repr(made) == "<Call POST http://h/x>"
        options = RequestOptions(headers={"A": "value"}, query={"k": "value"}, body={"b": "value"})
        assert "value" not in repr(options)
