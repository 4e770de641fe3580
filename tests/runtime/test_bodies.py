"""Bodies that are not JSON: forms, files, text; and which of several is sent."""

from __future__ import annotations

import email
import email.policy
import io
import threading
import tracemalloc
from collections.abc import AsyncIterator, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import anyio
import pytest

from runtime import (
    Alternatives,
    BaseModel,
    Encoded,
    FilePart,
    FileParts,
    Needed,
    Request,
    RequestOptions,
    Styled,
    omit,
    unless_omitted,
)
from runtime._bodies import content_of
from runtime._uploads import Upload, source


class Point(BaseModel):
    x: int


FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"


def body(content: object, kind: str | None, **more: Any) -> tuple[bytes, str | None]:
    """Encode a body that needs no reading, and give it with its media type."""
    made, media_type = content_of(Request("POST", "/x", content=content, content_type=kind, **more))
    assert isinstance(made, bytes)
    return made, media_type


def form(content: object, **more: Any) -> str:
    """Encode a form."""
    return body(content, FORM, **more)[0].decode()


def parts(fields: object) -> list[EmailMessage]:
    """Encode a form with files, and take it apart with the parser of the standard library."""
    made, media_type = content_of(Request("POST", "/x", content=fields, content_type=MULTIPART))
    assert made is not None
    data = made if isinstance(made, bytes) else b"".join(made)
    head = f"Content-Type: {media_type}\r\n\r\n".encode()
    message = email.message_from_bytes(head + data, policy=email.policy.HTTP)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    found = list(message.iter_parts())
    return [part for part in found if isinstance(part, EmailMessage)]


def told(part: EmailMessage) -> tuple[str, str | None, str | None, bytes]:
    """Return name, file name, stated media type and content of a part."""
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    name = part["content-disposition"].params["name"]
    stated = part["content-type"]
    return name, part.get_filename(), stated and str(stated), content


class TestForm:
    def test_writes_text_and_repeats_arrays(self) -> None:
        fields = {"a": True, "b": ["x y", 2], "c": None, "d": omit, "e": ""}
        assert form(fields) == "a=true&b=x%20y&b=2&e="

    def test_writes_objects_as_json_and_as_their_style_says(self) -> None:
        address = {"street": "A & B", "zip": None}
        assert form({"address": address}) == (
            "address=%7B%22street%22%3A%22A%20%26%20B%22%2C%22zip%22%3Anull%7D"
        )
        assert form({"address": Styled(address, "deepObject")}) == "address%5Bstreet%5D=A%20%26%20B"
        assert form({"a": [{"x": 1}, {"x": 2}]}) == "a=%7B%22x%22%3A1%7D&a=%7B%22x%22%3A2%7D"
        assert form({"ids": Styled([1, 2], "pipeDelimited")}) == "ids=1%7C2"

    def test_writes_what_is_declared_as_a_document(self) -> None:
        """The example of OpenAPI 3.2: an id as JSON has its quotes."""
        assert form({"id": Encoded("f81d")}) == "id=%22f81d%22"
        assert form({"ids": Encoded(["a", "b"])}) == "ids=%22a%22&ids=%22b%22"

    def test_writes_bytes_as_base64(self) -> None:
        assert form({"icon": b"\x00\xff"}) == "icon=AP8%3D"

    def test_takes_additions(self) -> None:
        options = RequestOptions(body={"b": 2})
        extra = {"c": 3, "a": omit}
        assert form({"a": 1}, extra_body=extra, options=options) == "b=2&c=3"
        assert form(omit, extra_body={"a": 1}) == "a=1"


class TestMultipart:
    def test_knows_parts_by_what_they_are(self) -> None:
        fields = {
            "text": "é",
            "flag": True,
            "tags": ["a", "b"],
            "meta": {"m": "é"},
            "rows": [{"a": 1}, [2]],
            "none": None,
            "omitted": omit,
            "loose": b"raw",
        }
        assert [told(part) for part in parts(fields)] == [
            ("text", None, None, "é".encode()),
            ("flag", None, None, b"true"),
            ("tags", None, None, b"a"),
            ("tags", None, None, b"b"),
            ("meta", None, "application/json", '{"m":"é"}'.encode()),
            ("rows", None, "application/json", b'{"a":1}'),
            ("rows", None, "application/json", b"[2]"),
            ("loose", "upload", "application/octet-stream", b"raw"),
        ]

    def test_takes_files_in_every_form(self, tmp_path: Path) -> None:
        path = tmp_path / "on disk.txt"
        path.write_bytes(b"disk")
        fields = {
            "bytes": FilePart(b"b"),
            "path": FilePart(path),
            "open": FilePart(io.BytesIO(b"io")),
            "pieces": FilePart(iter([b"p", b"q"])),
            "again": FilePart([b"r", b"s"]),
            "named": FilePart(("a.json", b"{}")),
            "typed": FilePart(("a", b"t", "image/png")),
            "headed": FilePart((None, b"h", None, {"X-A": "1"})),
            "none": FilePart(None),
            "omitted": FilePart(omit),
        }
        found = parts(fields)
        assert [told(part) for part in found] == [
            ("bytes", "upload", "application/octet-stream", b"b"),
            ("path", "on disk.txt", "text/plain", b"disk"),
            ("open", "upload", "application/octet-stream", b"io"),
            ("pieces", "upload", "application/octet-stream", b"pq"),
            ("again", "upload", "application/octet-stream", b"rs"),
            ("named", "a.json", "application/json", b"{}"),
            ("typed", "a", "image/png", b"t"),
            ("headed", "upload", "application/octet-stream", b"h"),
        ]
        assert found[-1]["x-a"] == "1"

    def test_takes_the_object_that_may_stand_for_a_file(self) -> None:
        fields = {
            "one": FilePart({"url": "é"}, ("image/png",)),
            "model": FilePart(Point.model_validate({"x": 1})),
            "several": FileParts([{"url": "u"}, b"file"]),
        }
        assert [told(part) for part in parts(fields)] == [
            ("one", None, "application/json", '{"url":"é"}'.encode()),
            ("model", None, "application/json", b'{"x":1}'),
            ("several", None, "application/json", b'{"url":"u"}'),
            ("several", "upload", "application/octet-stream", b"file"),
        ]

    def test_repeats_the_part_of_an_array(self) -> None:
        found = parts({"files": FileParts([b"a", ("b.txt", b"b")]), "none": FileParts(omit)})
        assert [told(part)[1:] for part in found] == [
            ("upload", "application/octet-stream", b"a"),
            ("b.txt", "text/plain", b"b"),
        ]
        generated = parts({"files": FileParts(content for content in (b"a", b"b"))})
        assert [told(part)[3] for part in generated] == [b"a", b"b"]

    def test_follows_what_is_declared(self) -> None:
        png_or_jpeg = ("image/png", "image/jpeg")
        fields = {
            "first": FilePart(b"1", png_or_jpeg),
            "guessed": FilePart(("a.jpg", b"2"), png_or_jpeg),
            "other": FilePart(("a.txt", b"3"), png_or_jpeg),
            "range": FilePart(("a.gif", b"4"), ("image/*",)),
            "own": FilePart(("a.gif", b"5", "image/webp"), png_or_jpeg),
            "headed": FilePart(b"6", ("image/png",), {"X-C": "1"}),
            "json": Encoded("text"),
            "sdp": Encoded("v=0", "application/sdp"),
            "deep": Styled({"a": "b c"}, "deepObject"),
        }
        found = parts(fields)
        assert [told(part)[2] for part in found] == [
            "image/png",
            "image/jpeg",
            "image/png",
            "image/gif",
            "image/webp",
            "image/png",
            "application/json",
            "application/sdp",
            None,
        ]
        assert found[5]["x-c"] == "1"
        assert told(found[6])[3] == b'"text"'
        assert told(found[8])[::3] == ("deep[a]", b"b c")

    def test_escapes_names(self) -> None:
        made, _ = body({'a"b\r\n': FilePart(('q"\n.txt', b""))}, MULTIPART)
        assert b'name="a%22b%0D%0A"; filename="q%22%0A.txt"\r\n' in made

    @pytest.mark.parametrize(
        ("file", "error"),
        [
            ("text", "pathlib"),
            (("a",), "tuple"),
            ((b"a", b"b"), "name"),
            (("a", "text"), "pathlib"),
            (io.StringIO("text"), "binary"),
            (3, "'int'"),
        ],
    )
    def test_refuses_what_is_no_file(self, file: object, error: str) -> None:
        with pytest.raises(TypeError, match=error):
            parts({"file": FilePart(file)})

    def test_refuses_headers_that_do_not_end(self) -> None:
        with pytest.raises(ValueError, match="line break"):
            parts({"file": FilePart(("a", b"", "text/plain\r\nX: y"))})

    def test_refuses_a_path_that_leads_nowhere(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            parts({"file": FilePart(tmp_path / "gone")})
        with pytest.raises(IsADirectoryError):
            parts({"file": FilePart(tmp_path)})

    def test_states_its_length_when_it_can(self, tmp_path: Path) -> None:
        path = tmp_path / "a"
        path.write_bytes(b"x" * 1000)
        request = Request("POST", "/x", content={"a": FilePart(path)}, content_type=MULTIPART)
        upload, _ = content_of(request)
        assert isinstance(upload, Upload)
        assert upload.length == len(b"".join(upload))
        pieces = Request("POST", "/", content={"a": FilePart(iter([b"a"]))}, content_type=MULTIPART)
        endless, _ = content_of(pieces)
        assert isinstance(endless, Upload)
        assert endless.length is None


class TestOther:
    def test_text_says_its_charset(self) -> None:
        assert body("é", "text/plain") == ("é".encode(), "text/plain; charset=utf-8")
        assert body("é", "text/plain; charset=utf-8")[1] == "text/plain; charset=utf-8"
        assert body("<a/>", "application/xml") == (b"<a/>", "application/xml")

    def test_bytes_are_sent_as_they_are(self) -> None:
        assert body(b"\x00", "image/png") == (b"\x00", "image/png")

    def test_json_can_be_one_of_several(self) -> None:
        assert body({"a": omit, "b": None}, "application/json")[0] == b'{"b":null}'
        assert body([1], "application/vnd.x+json; v=1")[0] == b"[1]"

    def test_there_may_be_none(self) -> None:
        request = Request("POST", "/x", content=omit, content_type="text/plain")
        assert content_of(request)[0] is None
        assert content_of(Request("POST", "/x"))[0] is None

    def test_an_object_is_neither_text_nor_bytes(self) -> None:
        with pytest.raises(TypeError, match="text/csv"):
            body({"a": 1}, "text/csv")

    def test_additions_need_properties(self) -> None:
        with pytest.raises(TypeError, match="extra_body"):
            body(b"raw", "image/png", extra_body={"a": 1})


class TestAlternatives:
    EITHER = Alternatives({"application/json": {"a": Needed(1, "a")}, "text/plain": "b"})

    def test_the_media_type_chooses(self) -> None:
        assert body(self.EITHER, "application/json")[0] == b'{"a":1}'
        assert body(self.EITHER, "text/plain")[0] == b"b"

    def test_others_are_refused(self) -> None:
        with pytest.raises(ValueError, match="application/json, text/plain"):
            body(self.EITHER, "text/csv")

    def test_any_of_a_range_is_sent_as_what_it_is(self) -> None:
        ranged = Alternatives({"application/json": {"a": 1}, "image/*": b"i", "image/gif": b"g"})
        assert body(ranged, "image/png") == (b"i", "image/png")
        assert body(ranged, "IMAGE/png") == (b"i", "IMAGE/png")
        assert body(ranged, "image/gif") == (b"g", "image/gif")
        for other in ("image/*", "image", "audio/mpeg", None):
            with pytest.raises(ValueError, match="image/\\*"):
                body(ranged, other)

    def test_bytes_of_any_type_are_sent_as_they_are(self) -> None:
        anything = Alternatives({"text/plain": "t", "*/*": b'{"a": 1}'})
        assert body(anything, "application/json") == (b'{"a": 1}', "application/json")

    def test_only_what_is_chosen_is_needed(self) -> None:
        either = Alternatives(
            {"application/json": {"a": Needed(Styled(omit), "a")}, "text/plain": Needed("b", "b")}
        )
        assert body(either, "text/plain")[0] == b"b"
        with pytest.raises(TypeError, match="'a'"):
            body(either, "application/json")
        with pytest.raises(TypeError, match="'b'"):
            body(Alternatives({"text/plain": Needed(omit, "b")}), "text/plain")


class TestOptional:
    def test_is_left_out_as_a_whole(self) -> None:
        assert unless_omitted({"a": omit, "b": Styled(omit), "c": Needed(omit, "c")}) is omit

    def test_needs_what_it_needs_once_it_is_there(self) -> None:
        assert unless_omitted({"a": Needed(1, "a"), "b": omit}) == {"a": 1, "b": omit}
        with pytest.raises(TypeError, match="'a'"):
            unless_omitted({"a": Needed(omit, "a"), "b": None})


class Pipe(io.RawIOBase):
    """A file that cannot be rewound."""

    def __init__(self, content: bytes) -> None:
        self._left = content

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)


class TestUpload:
    def test_begins_again_where_it_can(self, tmp_path: Path) -> None:
        path = tmp_path / "a"
        path.write_bytes(b"disk")
        file = io.BytesIO(b"-open")
        file.read(1)
        upload = Upload([source(b"bytes "), source(path), source(file), source([b"!"])])
        assert [b"".join(upload), b"".join(upload)] == [b"bytes diskopen!"] * 2
        assert not upload.spent
        assert not file.closed

    @pytest.mark.parametrize("once", [iter([b"a"]), Pipe(b"a")])
    def test_that_can_be_read_once_says_so(self, once: object) -> None:
        upload = Upload([source(once)])
        assert not upload.spent
        assert upload.length is None
        assert b"".join(upload) == b"a"
        assert upload.spent
        with pytest.raises(ValueError, match="cannot be sent again"):
            b"".join(upload)

    def test_is_never_in_memory_as_a_whole(self, tmp_path: Path) -> None:
        path = tmp_path / "large"
        with path.open("wb") as file:
            file.truncate(64 * 1024 * 1024)
        upload = Upload([source(path)])
        tracemalloc.start()
        sent = sum(len(piece) for piece in upload)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert sent == upload.length == 64 * 1024 * 1024
        assert peak < 1024 * 1024

    @pytest.mark.parametrize("backend", ["asyncio", "trio"])
    def test_is_read_in_an_event_loop(self, backend: str, tmp_path: Path) -> None:
        path = tmp_path / "a"
        path.write_bytes(b"disk")

        async def pieces() -> AsyncIterator[bytes]:
            yield b"a"
            yield b"b"

        async def read() -> list[bytes]:
            upload = Upload([source(path), source(pieces()), source(iter([b"c"])), source(b"")])
            first = b"".join([piece async for piece in upload])
            assert upload.spent
            return [first]

        assert anyio.run(read, backend=backend) == [b"diskabc"]

    @pytest.mark.parametrize("backend", ["asyncio", "trio"])
    def test_does_not_keep_an_event_loop_waiting(self, backend: str) -> None:
        def pieces() -> Iterator[bytes]:
            yield str(threading.get_ident()).encode()

        async def read() -> tuple[int, bytes]:
            upload = Upload([source(pieces()), source([b""])])
            return threading.get_ident(), b"".join([piece async for piece in upload])

        loop, elsewhere = anyio.run(read, backend=backend)
        assert int(elsewhere) != loop

    def test_without_an_event_loop_refuses_what_needs_one(self) -> None:
        async def pieces() -> AsyncIterator[bytes]:
            yield b"a"

        with pytest.raises(TypeError, match="asynchronous client"):
            Upload([source(pieces())]).check_sync()

    def test_refuses_pieces_that_are_no_bytes(self) -> None:
        def pieces() -> Iterator[Any]:
            yield "text"

        with pytest.raises(TypeError, match="not str"):
            b"".join(Upload([source(pieces())]))
