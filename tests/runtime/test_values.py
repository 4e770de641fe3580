"""JSON lines, JSON text sequences and JSON values that follow each other."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime._framing import Framing, framing_of, splitter
from runtime._lines import LineDecoder
from runtime._values import ValueDecoder

Maker = Callable[[], LineDecoder | ValueDecoder]


def data(make: Maker, *pieces: bytes) -> list[bytes]:
    decoder = make()
    events = [event for piece in pieces for event in decoder.feed(piece)]
    return [event.data for event in events + decoder.flush()]


VALUES = ['{"a": "é€😀\u2028\x85"}', "12", '"{\\"\\\\"', "null", '[{"b": []}, "]"]', "{}", "-1.5e3"]
LINES = "\ufeff" + "\r\n".join([*VALUES, "", "  ", '{"last": 1}'])
SEQUENCE = "\ufeff" + "".join(f"\x1e{value}\n" for value in VALUES)
SPREAD = '\ufeff{"a":\n "é€😀"}{"b": [1,\r\n{}]}\n\n"x\\\\""y" 1 true[]\tnull\n2'
SPREAD_VALUES = [
    '{"a":\n "é€😀"}',
    '{"b": [1,\r\n{}]}',
    '"x\\\\"',
    '"y"',
    "1",
    "true",
    "[]",
    "null",
]

EACH: list[tuple[Maker, str, list[str]]] = [
    (LineDecoder, LINES, [*(f"{value}\r" for value in VALUES), '{"last": 1}']),
    (ValueDecoder, LINES, [*VALUES, '{"last": 1}']),
    (ValueDecoder, SEQUENCE, VALUES),
    (ValueDecoder, SPREAD, [*SPREAD_VALUES, "2"]),
]
each = pytest.mark.parametrize(("make", "text", "values"), EACH, ids=["jsonl", "b", "seq", "json"])


@each
def test_every_split(make: Maker, text: str, values: list[str]) -> None:
    stream, expected = text.encode(), [value.encode() for value in values]
    assert data(make, stream) == expected
    assert data(make, *(bytes([byte]) for byte in stream)) == expected
    for at in range(len(stream)):
        assert data(make, stream[:at], stream[at:]) == expected
        assert data(make, stream[:at], b"", stream[at:]) == expected


@each
@given(cuts=st.lists(st.integers(0, 90), max_size=8))
def test_pieces_of_any_size(make: Maker, text: str, values: list[str], cuts: list[int]) -> None:
    stream = text.encode()
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    pieces = [stream[a:b] for a, b in itertools.pairwise(edges)]
    assert data(make, *pieces) == [value.encode() for value in values]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(json_values), st.booleans(), st.integers(1, 7), st.sampled_from([None, 1]))
def test_whatever_json_is_sent_comes_back(
    values: list[object], plain: bool, size: int, indent: int | None
) -> None:
    texts = [json.dumps(value, ensure_ascii=plain, indent=indent) for value in values]
    for stream in ("".join(f"\x1e{text}\n" for text in texts), "\n".join(texts)):
        sent = stream.encode()
        pieces = [sent[at : at + size] for at in range(0, len(sent), size)]
        assert [json.loads(one) for one in data(ValueDecoder, *pieces)] == values
    if indent is None:
        sent = "\n".join(texts).encode()
        pieces = [sent[at : at + size] for at in range(0, len(sent), size)]
        assert [json.loads(one) for one in data(LineDecoder, *pieces)] == values


def test_a_value_comes_as_soon_as_it_is_complete() -> None:
    lines, values = LineDecoder(), ValueDecoder()
    assert [event.data for event in lines.feed(b'{"a": 1}\n{"b"')] == [b'{"a": 1}']
    assert [event.data for event in values.feed(b'\x1e{"a": 1}')] == [b'{"a": 1}']
    assert values.feed(b"\n\x1e7") == []
    assert [event.data for event in values.feed(b"\n")] == [b"7"]


@pytest.mark.parametrize(
    ("make", "stream", "kept", "whole"),
    [
        (LineDecoder, b'{"a": 1}\n{"a": ', [b'{"a": 1}', b'{"a": '], [b'{"a": 1}']),
        (ValueDecoder, b'{"a": 1}\n{"a": ', [b'{"a": 1}', b'{"a": '], [b'{"a": 1}']),
        (ValueDecoder, b'{"a": 1} "x', [b'{"a": 1}', b'"x'], [b'{"a": 1}']),
        (ValueDecoder, b'\x1e{"a": \x1e{"a": 2}\n', [b'{"a": ', b'{"a": 2}'], [b'{"a": 2}']),
        (ValueDecoder, b'\x1e"a\x1e"b"\n', [b'"a', b'"b"'], [b'"b"']),
        (ValueDecoder, b"\x1e12\x1e3\n", [b"12\x1e", b"3"], [b"3"]),
        (ValueDecoder, b"\x1e12", [b"12\x1e"], []),
        (ValueDecoder, b"}\n1", [b"}", b"1"], [b"1"]),
    ],
)
def test_what_was_cut_short_is_kept_and_is_no_json(
    make: Maker, stream: bytes, kept: list[bytes], whole: list[bytes]
) -> None:
    assert data(make, stream) == kept
    assert [one for one in kept if is_json(one)] == whole


def is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def test_an_end_without_anything_open() -> None:
    assert data(LineDecoder) == data(ValueDecoder) == []
    assert data(LineDecoder, b"\n\r\n \n") == data(ValueDecoder, b" \n\x1e\n\x1e") == []


@pytest.mark.parametrize("make", [LineDecoder, ValueDecoder])
def test_a_large_item_in_small_pieces(make: Maker) -> None:
    item = json.dumps({"text": 'é"{' * 100_000, "list": [[{}] * 3] * 100_000}).encode()
    assert len(item) > 2 << 20
    pieces = [item[at : at + 997] for at in range(0, len(item), 997)]
    assert data(make, *pieces, b"\n", *pieces) == [item, item]


@pytest.mark.parametrize(
    ("declared", "media_type", "framing"),
    [
        ("events", "text/event-stream; charset=utf-8", "events"),
        ("events", "application/json", "events"),
        ("events", "application/x-ndjson", "lines"),
        ("lines", "Text/Event-Stream", "events"),
        ("lines", "application/json", "values"),
        ("lines", "text/plain", "lines"),
        ("lines", "", "lines"),
        ("values", "application/json", "values"),
        ("values", "application/jsonl", "lines"),
        ("lines", "application/json-seq", "values"),
    ],
)
def test_the_media_type_of_an_answer_decides(
    declared: Framing, media_type: str, framing: Framing
) -> None:
    assert framing_of(declared, media_type) == framing
    assert splitter(framing).feed(b"") == []
