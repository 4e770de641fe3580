"""Bodies on the wire: forms, files, text, and which of several; sent again only if they can be."""

from __future__ import annotations

import email
import email.policy
import io
from collections.abc import AsyncIterator
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from .callers import only_async
from .made import Send
from .server import AT_ONCE, Request, Server, answer, reset

DONE = answer(status=204)


def upload(body: object, client: Any) -> Any:
    """Upload a body, whichever client it is."""
    return client.desk.upload(id="1", body=body)


FAILED = answer({"error": "busy"}, 503, headers=AT_ONCE)


def parts(request: Request) -> list[tuple[str, str | None, str | None, bytes]]:
    """Return name, file name, media type and content of each part of a form."""
    head = f"Content-Type: {request.header('Content-Type')}\r\n\r\n".encode()
    message = email.message_from_bytes(head + request.body, policy=email.policy.HTTP)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    found: list[tuple[str, str | None, str | None, bytes]] = []
    for part in message.iter_parts():
        assert isinstance(part, EmailMessage)
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        name = part["content-disposition"].params["name"]
        found.append((name, part.get_filename(), part["content-type"], content))
    return found


def test_k10_a_form(send: Send, server: Server) -> None:
    server.plays(DONE)
    address = {"street": "A & B", "lines": ["1", "2"]}
    send().run(
        lambda c: c.desk.form(name="ü", tags=["x", "y"], address=address, meta={"street": "S"})
    )
    assert server.request.header("Content-Type") == "application/x-www-form-urlencoded"
    assert server.request.body == (
        b"name=%C3%BC&tags=x&tags=y"
        b"&address%5Bstreet%5D=A%20%26%20B&address%5Blines%5D%5B%5D=1&address%5Blines%5D%5B%5D=2"
        b"&meta=%7B%22street%22%3A%22S%22%7D"
    )


def test_k11_a_form_with_files(send: Send, server: Server, tmp_path: Path) -> None:
    server.plays(DONE)
    path = tmp_path / "a.jpg"
    path.write_bytes(b"jpeg")
    send().run(
        lambda c: c.desk.photo(
            file=path,
            more=[b"raw", ("b.txt", io.BytesIO(b"open")), ("c", iter([b"1", b"2"]), "text/css")],
            title="é",
            meta={"street": "S"},
        )
    )
    assert parts(server.request) == [
        ("file", "a.jpg", "image/jpeg", b"jpeg"),
        ("more", "upload", "application/octet-stream", b"raw"),
        ("more", "b.txt", "text/plain", b"open"),
        ("more", "c", "text/css", b"12"),
        ("title", None, None, "é".encode()),
        ("meta", None, "application/json", b'{"street":"S"}'),
    ]
    assert server.request.header("Transfer-Encoding") == "chunked"


def test_k12_a_form_of_known_length_says_so(send: Send, server: Server, tmp_path: Path) -> None:
    server.plays(DONE)
    path = tmp_path / "a.png"
    path.write_bytes(b"x" * 100_000)
    send().run(lambda c: c.desk.photo(file=path))
    assert server.request.header("Content-Length") == str(len(server.request.body))
    assert parts(server.request)[0][3] == b"x" * 100_000


@pytest.mark.parametrize("kind", ["bytes", "path", "open", "again"])
def test_k13_what_can_be_sent_again_is(
    send: Send, server: Server, tmp_path: Path, kind: str
) -> None:
    server.plays(FAILED, reset, DONE)
    path = tmp_path / "a.pdf"
    path.write_bytes(b"pdf" * 50_000)
    with path.open("rb") as file:
        contents: dict[str, Any] = {
            "bytes": path.read_bytes(),
            "path": path,
            "open": file,
            "again": [b"pdf"] * 50_000,
        }
        send().run(lambda c: c.desk.photo(file=contents[kind]))
        assert not file.closed
    bodies = {request.body for request in server.requests if request.body}
    assert len(server.requests) == 3
    assert len(bodies) == 1


def test_k14_what_passes_once_is_not_sent_again(send: Send, parcels: Any, server: Server) -> None:
    server.plays(FAILED, DONE)
    pieces = iter([b"a", b"b"])
    with pytest.raises(parcels.InternalServerError):
        send().run(lambda c: c.desk.upload(id="1", body=pieces))
    assert [request.body for request in server.requests] == [b"ab"]


def test_k15_what_was_not_begun_can_still_be_sent(send: Send, server: Server) -> None:
    """A call that fails for its arguments leaves an iterator alone."""
    server.plays(DONE)
    pieces = iter([b"a", b"b"])
    with pytest.raises(ValueError):
        send().run(lambda c: c.desk.upload(id="", body=pieces))
    send().run(lambda c: c.desk.upload(id="1", body=pieces))
    assert server.request.body == b"ab"


def test_k16_a_redirect_sends_a_file_again_and_is_the_answer_to_an_iterator(
    send: Send, server: Server, tmp_path: Path
) -> None:
    elsewhere = answer(status=307, headers={"Location": f"{server.url}/labels/2"})
    server.chooses(lambda request: DONE if request.path.endswith("2") else elsewhere)
    path = tmp_path / "a.pdf"
    path.write_bytes(b"pdf")
    send().run(lambda c: c.desk.upload(id="1", body=path))
    assert [request.body for request in server.requests] == [b"pdf", b"pdf"]
    with pytest.raises(Exception, match="307 Temporary Redirect"):
        send().run(lambda c: c.desk.upload(id="1", body=iter([b"pdf"])))
    assert len(server.requests) == 3


def test_k17_bytes_of_any_kind(send: Send, server: Server, tmp_path: Path) -> None:
    server.plays(DONE)
    path = tmp_path / "a.pdf"
    path.write_bytes(b"path")
    bodies: list[tuple[Any, bytes, str | None]] = [
        (b"bytes", b"bytes", "5"),
        (path, b"path", "4"),
        (io.BytesIO(b"open"), b"open", "4"),
        ((piece for piece in (b"a", b"", b"b")), b"ab", None),
    ]
    for body, expected, length in bodies:
        call = partial(upload, body)
        send().run(call)
        request = server.requests[-1]
        assert request.body == expected
        assert request.header("Content-Type") == "application/pdf"
        assert request.header("Content-Length") == length


@only_async
def test_k18_an_asynchronous_iterator(send: Send, server: Server) -> None:
    server.plays(DONE)

    async def pieces() -> AsyncIterator[bytes]:
        yield b"a" * 70_000
        yield b"b"

    send().run(lambda c: c.desk.upload(id="1", body=pieces()))
    assert server.request.body == b"a" * 70_000 + b"b"


@pytest.mark.parametrize("flavour", ["sync"], indirect=True)
def test_k19_an_asynchronous_iterator_needs_a_loop(send: Send, server: Server) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"a"

    with pytest.raises(TypeError, match="asynchronous client"):
        send().run(lambda c: c.desk.upload(id="1", body=pieces()))
    assert server.requests == []


def test_k20_a_file_that_is_not_there_costs_no_request(
    send: Send, server: Server, tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError):
        send().run(lambda c: c.desk.upload(id="1", body=tmp_path / "gone"))
    assert server.requests == []


def test_k21_an_iterator_that_raises_ends_the_call(send: Send, server: Server) -> None:
    server.plays(DONE)

    def pieces() -> Any:
        yield b"a"
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone") as caught:
        send().run(lambda c: c.desk.upload(id="1", body=pieces()))
    assert type(caught.value) is OSError
    server.plays(DONE)
    send().run(lambda c: c.desk.upload(id="1", body=b"next"))
    assert server.requests[-1].body == b"next"


def test_k22_text(send: Send, server: Server) -> None:
    server.plays(answer("bonjour é".encode("latin-1"), content_type="text/plain; charset=latin-1"))
    assert send().run(lambda c: c.desk.note(body="é")) == "bonjour é"
    assert server.request.body == "é".encode()
    assert server.request.header("Content-Type") == "text/plain; charset=utf-8"
    assert server.request.header("Accept") == "text/plain"


def test_k23_the_media_type_is_chosen_by_a_keyword(send: Send, server: Server) -> None:
    server.plays(answer({"id": "p"}))
    caller = send()
    caller.run(lambda c: c.desk.notes(text="a"))
    caller.run(lambda c: c.desk.notes(body="b", content_type="text/plain"))
    caller.run(lambda c: c.desk.notes(text="c", file=b"f", content_type="multipart/form-data"))
    first, second, third = server.requests
    assert (first.header("Content-Type"), first.json()) == ("application/json", {"text": "a"})
    assert (second.header("Content-Type"), second.body) == ("text/plain; charset=utf-8", b"b")
    assert [part[::3] for part in parts(third)] == [("text", b"c"), ("file", b"f")]


def test_k24_what_the_chosen_form_needs_must_be_given(send: Send, server: Server) -> None:
    caller = send()
    with pytest.raises(TypeError, match="'text'"):
        caller.run(lambda c: c.desk.notes())
    with pytest.raises(TypeError, match="'file'"):
        caller.run(lambda c: c.desk.notes(text="a", content_type="multipart/form-data"))
    with pytest.raises(ValueError, match="content_type"):
        caller.run(lambda c: c.desk.notes(text="a", content_type="text/csv"))
    assert server.requests == []


def test_k25_an_optional_body_is_all_or_nothing(send: Send, parcels: Any, server: Server) -> None:
    server.plays(DONE)
    caller = send()
    caller.run(lambda c: c.desk.maybe())
    caller.run(lambda c: c.desk.maybe(text="a", tone=parcels.omit))
    with pytest.raises(TypeError, match="'text'"):
        caller.run(lambda c: c.desk.maybe(tone="b"))
    first, second = server.requests
    assert (first.body, first.header("Content-Type")) == (b"", None)
    assert (second.json(), second.header("Content-Type")) == ({"text": "a"}, "application/json")


def test_k26_delete_and_patch_have_bodies(send: Send, server: Server) -> None:
    server.plays(DONE)
    caller = send()
    caller.run(lambda c: c.parcels.remove(id="p", reason="lost"))
    caller.run(lambda c: c.parcels.change(id="p", label=None))
    first, second = server.requests
    assert (first.method, first.json()) == ("DELETE", {"reason": "lost"})
    assert (second.header("Content-Type"), second.json()) == (
        "application/merge-patch+json",
        {"label": None},
    )
