"""E. From bytes to events (behaviours 46 to 53, 61 and 62)."""

from __future__ import annotations

import gc
import gzip
import json
import sys
from typing import Any

import pytest
from openai_client import APIConnectionError, APIError

from .callers import Connect, trio_too
from .payloads import TEXT, WORDS, chunk, spoken
from .server import (
    DONE,
    Server,
    answer,
    bytewise,
    close,
    encoded,
    frame,
    hold,
    sends,
    stream,
)


def frames(*words: str) -> bytes:
    """A chunk for each word, as one run of bytes, and the end mark."""
    return b"".join(frame(chunk(word)) for word in words) + DONE


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("bits", ["whole", "byte by byte"])
def test_b46_line_ends_and_other_fields(
    connect: Connect, server: Server, end: str, bits: str
) -> None:
    body = b": a comment" + end.encode() * 2
    for number, word in enumerate(WORDS):
        body += f"id: {number}{end}retry: 10{end}: hm{end}x-unknown: 1{end}".encode()
        body += frame(chunk(word), event="message", end=end)
    body += f"data: [DONE]{end}{end}".encode()
    server.plays(stream(*([body] if bits == "whole" else bytewise(body))))

    assert spoken(connect().stream()) == TEXT


def test_b46_space_after_the_colon_is_optional(connect: Connect, server: Server) -> None:
    server.plays(stream(b"data:" + encoded(chunk("Hi")) + b"\n\ndata:[DONE]\n\n"))

    assert spoken(connect().stream()) == "Hi"


def test_b47_split_at_every_byte(connect: Connect, server: Server) -> None:
    """Each copy of one event is cut in two at another byte; each part is an HTTP chunk."""
    event = frame({"choices": [{"index": 0, "delta": {"content": "é€𝄞"}}]})
    pieces: list[bytes] = []
    for cut in range(1, len(event)):
        pieces += [event[:cut], event[cut:]]
    server.plays(stream(*pieces, DONE))

    chunks = connect().stream()

    assert [one.choices[0].delta.content for one in chunks] == ["é€𝄞"] * (len(event) - 1)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_b48_data_lines_make_one_event(connect: Connect, server: Server, end: str) -> None:
    lines = json.dumps(chunk("Hi"), indent=1).split("\n")
    event = "".join(f"data: {line}{end}" for line in lines) + end
    server.plays(stream(event.encode(), *bytewise(event.encode()), DONE))

    assert spoken(connect().stream()) == "HiHi"


def test_b48_data_lines_are_joined_with_newlines(connect: Connect, server: Server) -> None:
    """With nothing between them, these would be the number 12."""
    server.plays(stream(b'data: {"created": 1\ndata: 2}\n\n', DONE))

    with pytest.raises(APIError):
        connect().stream()


@pytest.mark.parametrize("bits", ["whole", "byte by byte"])
def test_b49_unicode_line_separators_split_nothing(
    connect: Connect, server: Server, bits: str
) -> None:
    text = "a\u2028b\u2029c\u0085d\u000be\u000cf\u001cg"
    body = frame(chunk(text))
    assert "\u2028".encode() in body, "not escaped"
    server.plays(stream(*([body] if bits == "whole" else bytewise(body)), DONE))

    (one,) = connect().stream()

    assert one.choices[0].delta.content == text


@pytest.mark.parametrize(
    "control", [": ping", "retry: 100", "id: 7", "event: ping", "data:", "data"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_b50_frames_without_data_are_ignored(
    connect: Connect, server: Server, control: str, end: str
) -> None:
    nothing = f"{control}{end}{end}".encode()
    first, second = frame(chunk("a"), end=end), frame(chunk("b"), end=end)
    server.plays(stream(nothing, first, nothing, nothing, second, nothing, DONE))

    chunks = connect().stream()

    assert [one.choices[0].delta.content for one in chunks] == ["a", "b"]


@pytest.mark.parametrize("bits", ["whole", "byte by byte"])
def test_b51_byte_order_mark_is_ignored(connect: Connect, server: Server, bits: str) -> None:
    body = b"\xef\xbb\xbf" + frames("Hi", " you")
    server.plays(stream(*([body] if bits == "whole" else bytewise(body))))

    chunks = connect().stream()

    assert [one.choices[0].delta.content for one in chunks] == ["Hi", " you"]


@pytest.mark.parametrize(
    ("event", "envelope"), [(None, True), ("error", True), ("error", False)], ids=repr
)
def test_b52_error_event(
    connect: Connect, server: Server, event: str | None, envelope: bool
) -> None:
    failure = {"message": "The loom broke.", "type": "server_error", "param": None, "code": "snap"}
    data = {"error": failure} if envelope else failure
    server.plays(stream(frame(chunk("Hi")), frame(data, event=event), DONE))
    events = connect().open()

    assert next(events).choices[0].delta.content == "Hi"
    with pytest.raises(APIError) as raised:
        next(events)

    assert raised.value.message == "The loom broke."
    assert raised.value.code == "snap"
    assert raised.value.type == "server_error"
    assert raised.value.body == failure
    assert len(server.requests) == 1


def test_b52_error_event_first(connect: Connect, server: Server) -> None:
    server.plays(stream(frame({"error": {"message": "The loom broke."}}), DONE))

    with pytest.raises(APIError, match=r"The loom broke\."):
        connect().stream()

    assert len(server.requests) == 1


def test_b52_null_error_is_no_error(connect: Connect, server: Server) -> None:
    server.plays(stream(frame({**chunk("Hi"), "error": None}), DONE))

    assert spoken(connect().stream()) == "Hi"


NO_CHUNKS = ['{"choices": [', "hello", "{'choices': []}", "[1]", "null", "5", "[" * 5000]


@pytest.mark.parametrize("data", NO_CHUNKS, ids=range(len(NO_CHUNKS)))
def test_b53_malformed_event(connect: Connect, server: Server, data: str) -> None:
    server.plays(stream(frame(chunk("Hi")), f"data: {data}\n\n".encode(), DONE))
    events = connect().open()

    assert next(events).choices[0].delta.content == "Hi"
    with pytest.raises(APIError):
        next(events)

    assert len(server.requests) == 1


def test_b61_a_large_event_in_small_pieces(connect: Connect, server: Server) -> None:
    event = frame(chunk("x" * (2 << 20)))
    pieces = [event[i : i + 1024] for i in range(0, len(event), 1024)]
    server.plays(stream(*pieces, DONE))

    assert len(spoken(connect().stream())) == 2 << 20


def test_b62_gzip(connect: Connect, server: Server) -> None:
    body = gzip.compress(frames(*WORDS))
    pieces = [body[i : i + 10] for i in range(0, len(body), 10)]
    server.plays(stream(*pieces, headers={"Content-Encoding": "gzip"}))

    assert spoken(connect().stream()) == TEXT


@trio_too
def test_b62_what_is_not_gzip(
    connect: Connect, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends in an error, and the generators that httpx2 forgets then end in order."""
    unraisable: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    server.plays(stream(frames(*WORDS), hold, headers={"Content-Encoding": "gzip"}))
    client = connect()

    for _ in range(3):
        with pytest.raises(APIConnectionError):
            client.stream()
        gc.collect()

    assert unraisable == []


def test_b62_content_length_instead_of_chunks(connect: Connect, server: Server) -> None:
    server.plays(answer(frames(*WORDS), content_type="text/event-stream; charset=utf-8"))

    assert spoken(connect().stream()) == TEXT


def test_b62_no_length_at_all(connect: Connect, server: Server) -> None:
    top = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    server.plays(sends(top, frames(*WORDS), close))

    assert spoken(connect().stream()) == TEXT


def test_b62_unknown_and_missing_properties(connect: Connect, server: Server) -> None:
    odd = {
        "choices": [{"index": 0, "delta": {"content": "Hi", "reasoning": "hm"}, "seen": 1}],
        "provider": "loom",
    }
    bare: list[dict[str, Any]] = [{"choices": []}, odd, {}, {"choices": None}]
    server.plays(stream(*[frame(one) for one in bare], DONE))

    chunks: list[Any] = connect().stream()

    assert [one.to_dict() for one in chunks] == bare
    assert chunks[0].choices == []
    assert chunks[1].provider == "loom"
    assert chunks[1].choices[0].seen == 1
    assert chunks[1].choices[0].delta.reasoning == "hm"
    assert chunks[2].choices is None
