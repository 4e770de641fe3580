"""Server-sent events, as the HTML standard says and as real servers send them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime._sse import Event, EventDecoder


def decoded(*pieces: bytes) -> list[Event]:
    decoder = EventDecoder()
    events = [event for piece in pieces for event in decoder.feed(piece)]
    return events + decoder.flush()


def data(*pieces: bytes) -> list[bytes]:
    return [event.data for event in decoded(*pieces)]


STREAM = (
    '\ufeff: hello\nid: 7\nevent: café\ndata: {"a":\ndata: "é€😀"}\n\nretry: 10\n\n'
    "data:no space\ndata\ndata:  two\n\n: ping\n\nevent: lost\n\ndata\n\ndata:\n\n"
    "data: u\u2028v\u2029w\u0085x\x0by\x0cz\n\nid\ndata: end\n\n"
)
EVENTS = [
    Event('{"a":\n"é€😀"}'.encode(), "café", "7"),
    Event(b"no space\n\n two", "message", "7"),
    Event("u\u2028v\u2029w\u0085x\x0by\x0cz".encode(), "message", "7"),
    Event(b"end", "message", ""),
]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_b46_b47_b48_b49_b50_b51_every_line_end_and_every_split(end: str) -> None:
    stream = STREAM.replace("\n", end).encode()
    assert decoded(stream) == EVENTS
    assert decoded(*(bytes([byte]) for byte in stream)) == EVENTS
    for at in range(len(stream)):
        assert decoded(stream[:at], stream[at:]) == EVENTS
        assert decoded(stream[:at], b"", stream[at:]) == EVENTS


@given(st.lists(st.integers(0, len(STREAM.encode())), max_size=8))
def test_b46_pieces_of_any_size(cuts: list[int]) -> None:
    stream = STREAM.replace("\n", "\r\n").encode()
    edges = [0, *sorted(cuts), len(stream)]
    pieces = [stream[a:b] for a, b in itertools.pairwise(edges)]
    assert decoded(*pieces) == EVENTS


def test_mixed_line_ends() -> None:
    assert data(b"data: a\r\ndata: b\rdata: c\n\r\n") == [b"a\nb\nc"]
    assert data(b"data: a\r\rdata: b\n\rdata: c\n\n") == [b"a", b"b", b"c"]


def test_an_event_comes_as_soon_as_its_blank_line() -> None:
    decoder = EventDecoder()
    assert decoder.feed(b"data: a\r") == []
    assert decoder.feed(b"\r") == [Event(b"a")]
    assert decoder.feed(b"\ndata: b\n") == []
    assert decoder.feed(b"\n") == [Event(b"b")]
    assert decoder.flush() == []


@pytest.mark.parametrize(
    "frame", [b": ping", b":", b"retry: 1", b"id: 1", b"event: x", b"data:", b"data: ", b"data"]
)
def test_b50_control_only_frames_are_no_events(frame: bytes) -> None:
    assert data(frame + b"\n\ndata: a\n\n" + frame + b"\n\n") == [b"a"]


def test_the_event_type_holds_for_one_frame_and_the_id_for_all_that_follow() -> None:
    assert decoded(b"event: x\n\ndata: a\n\nid: 1\nevent: y\ndata: b\n\ndata: c\n\n") == [
        Event(b"a"),
        Event(b"b", "y", "1"),
        Event(b"c", "message", "1"),
    ]
    assert decoded(b"id: 1\0\ndata: a\n\n") == [Event(b"a")]


def test_fields_are_matched_exactly() -> None:
    assert data(b"datax: 1\n Data: 2\nDATA: 3\n data: 4\ndata : 5\ndata: 6\n\n") == [b"6"]


def test_b51_only_one_mark_at_the_very_beginning_is_ignored() -> None:
    bom = b"\xef\xbb\xbf"
    assert data(bom + b"data: a\n\n" + bom + b"data: b\n\ndata: c\n\n") == [b"a", b"c"]
    assert data(bom + bom + b"data: a\n\n") == []


def test_what_is_not_utf_8_is_replaced() -> None:
    assert data(b"data: a\xffb\xc3\n\ndata: \xe2\x82\xac\n\n") == ["a�b�".encode(), "€".encode()]


@pytest.mark.parametrize(
    ("line", "counts"),
    [("[DONE]", True), ('{"n": 2', True), ('"ab', True), ("25", False), ("transfer 2", False)],
)
def test_a_line_that_was_cut_short_counts_where_json_can_tell(line: str, counts: bool) -> None:
    expected = [b"a", line.encode()] if counts else [b"a"]
    assert data(b"data: a\n\ndata: " + line.encode()) == expected
    assert data(b"data: a\n\ndata: b\nda") == [b"a", b"b"]


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_the_end_of_the_stream_completes_the_last_event(end: bytes) -> None:
    assert data(b"data: a\n\ndata: b" + end) == [b"a", b"b"]
    assert data(b"data: a\n\nevent: x" + end) == [b"a"]


def test_a_large_event_and_many_lines_come_in_pieces() -> None:
    stream = b"data: " + b"x" * (2 << 20) + b"\n\n"
    pieces = [stream[at : at + 1024] for at in range(0, len(stream), 1024)]
    assert len(data(*pieces)[0]) == 2 << 20
    lines = b"".join(b"data: %d\n" % n for n in range(200_000)) + b"\n"
    (event,) = data(*(lines[at : at + 1024] for at in range(0, len(lines), 1024)))
    assert event.count(b"\n") == 199_999
