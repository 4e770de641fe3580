"""Answers of every kind: by status, by media type, to disk; errors with their declared types."""

from __future__ import annotations

import hashlib
import os
import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from .made import Send
from .server import LAST_CHUNK, Server, answer, close, head, http_chunk, sends

PDF = {"Content-Type": "application/pdf"}


def test_k30_the_status_says_what_an_answer_is(send: Send, parcels: Any, server: Server) -> None:
    server.plays(
        answer({"id": "p"}),
        answer({"of": "p"}, 206),
        answer("soon", 202, content_type="text/plain"),
        answer(status=204),
        answer({"id": "q"}, 203),
    )
    caller = send()
    found = [caller.run(lambda c: c.parcels.find(id="p")) for _ in range(5)]
    models = parcels.models
    assert [type(one) for one in found] == [
        models.Parcel,
        models.Part,
        type(None),
        type(None),
        models.Parcel,
    ]


def test_k31_the_media_type_says_what_an_answer_is(
    send: Send, parcels: Any, server: Server
) -> None:
    server.plays(answer({"id": "p"}), answer(b"\x89PNG", content_type="image/png"))
    caller = send()
    assert caller.run(lambda c: c.desk.notes(text="a")) == parcels.models.Parcel(id="p")
    assert caller.run(lambda c: c.desk.notes(text="a")) == b"\x89PNG"
    assert server.requests[0].header("Accept") == "application/json, image/png"


def test_k32_anything_is_what_it_says(send: Send, server: Server) -> None:
    server.plays(
        answer({"a": 1}, content_type="application/vnd.x+json"),
        answer("text", content_type="text/html"),
        answer(b"\x00", content_type="application/zip"),
    )
    caller = send()
    assert [caller.run(lambda c: c.desk.anything()) for _ in range(3)] == [
        {"a": 1},
        "text",
        b"\x00",
    ]
    assert server.requests[0].header("Accept") == "*/*"


def test_k33_head_has_nothing_to_read(send: Send, server: Server) -> None:
    server.plays(
        sends(head(200, {"Content-Type": "application/json", "Content-Length": "7", "X-A": "1"}))
    )
    caller = send()
    assert caller.run(lambda c: c.parcels.check(id="p")) is None
    raw = caller.run(lambda c: c.parcels.with_raw_response.check(id="p"))
    assert raw.headers["x-a"] == "1"


def test_k34_bytes(send: Send, server: Server) -> None:
    server.plays(answer(b"%PDF", content_type="application/pdf"))
    assert send().run(lambda c: c.desk.label(id="1")) == b"%PDF"
    assert server.request.header("Accept") == "application/pdf"


def test_k35_a_large_answer_goes_to_disk_piece_by_piece(
    send: Send, server: Server, tmp_path: Path
) -> None:
    block = os.urandom(256 * 1024)
    count = 64
    server.plays(
        sends(head(200, {**PDF, "Content-Length": str(len(block) * count)}), *[block] * count)
    )
    told: list[tuple[int, int | None]] = []

    def progress(come: int, total: int | None) -> None:
        told.append((come, total))

    path = tmp_path / "label.pdf"
    caller = send()
    manager = caller.client.desk.with_streaming_response.label(id="1")
    with caller.context(manager) as response:
        found = caller.run(lambda _: response.write_to(path, progress=progress))
    assert found == path
    assert told[-1] == (len(block) * count, len(block) * count)
    steps = [later[0] - earlier[0] for earlier, later in pairwise(told)]
    assert max(steps) < 1024 * 1024
    assert hashlib.sha256(path.read_bytes()).digest() == hashlib.sha256(block * count).digest()
    assert list(tmp_path.iterdir()) == [path]


def test_k36_a_download_that_breaks_off_leaves_nothing(
    send: Send, parcels: Any, server: Server, tmp_path: Path
) -> None:
    server.plays(sends(head(200, {**PDF, "Content-Length": "100"}), b"%PDF", close))
    caller = send()
    manager = caller.client.desk.with_streaming_response.label(id="1")
    with pytest.raises(parcels.APIConnectionError), caller.context(manager) as response:
        caller.run(lambda _: response.write_to(tmp_path / "label.pdf"))
    assert list(tmp_path.iterdir()) == []


def test_k37_the_total_is_unknown_where_the_server_is_silent(
    send: Send, server: Server, tmp_path: Path
) -> None:
    chunked = {**PDF, "Transfer-Encoding": "chunked"}
    server.plays(sends(head(200, chunked), http_chunk(b"%PDF"), LAST_CHUNK))
    told: list[int | None] = []

    def progress(come: int, total: int | None) -> None:
        told.append(total)

    path = str(tmp_path / "a")
    caller = send()
    with caller.context(caller.client.desk.with_streaming_response.label(id="1")) as response:
        caller.run(lambda _: response.write_to(path, progress=progress))
    assert told == [None]
    assert (tmp_path / "a").read_bytes() == b"%PDF"


def test_k38_an_error_has_the_type_of_its_status(send: Send, parcels: Any, server: Server) -> None:
    missing = {"id": "p", "message": "No such parcel."}
    problem = {"title": "Teapot", "code": 7, "extra": True}
    server.plays(
        answer(missing, 404),
        answer(problem, 418, content_type="application/problem+json"),
        answer("<h1>Gone</h1>", 404, content_type="text/html"),
        answer({"anything": 1}, 501, headers={"X-Should-Retry": "false"}),
    )
    caller = send()
    errors: list[Any] = []
    for _ in range(4):
        with pytest.raises(parcels.APIStatusError) as caught:
            caller.run(lambda c: c.parcels.find(id="p"))
        errors.append(caught.value)
    first, second, third, fourth = errors
    models = parcels.models
    assert type(first) is parcels.NotFoundError
    assert first.error == models.Missing(**missing)
    assert first.body == missing
    assert "No such parcel." in first.message
    assert type(second.error) is models.Problem
    assert (second.body, second.code, second.error.to_dict()) == (problem, "7", problem)
    assert (third.error, third.body) == (None, "<h1>Gone</h1>")
    assert (fourth.error, fourth.body) == (None, {"anything": 1})
    copied = pickle.loads(pickle.dumps(first))
    assert (copied.error, copied.body, copied.status_code) == (first.error, missing, 404)
