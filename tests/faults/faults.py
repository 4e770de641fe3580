"""What goes wrong with answers, one function for each way; ``FAULTS`` names them all."""

from __future__ import annotations

import asyncio
import gzip
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from .wire import DONE, EVENT_STREAM, LAST_CHUNK, Asked, chunk, document, event, head

REPORT = b'{"error": {"message": "The loom is out of thread.", "code": "no_thread"}}'
DRIP_SECONDS = 0.05


@dataclass
class Exchange:
    """One request, and the connection that it is answered on."""

    asked: Asked
    random: Random
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    over: bool = False

    async def send(self, *pieces: bytes) -> None:
        """Sends bytes, as packets of their own."""
        for piece in pieces:
            self.writer.write(piece)
            await self.writer.drain()

    def close(self) -> None:
        """Ends the connection in an orderly way (FIN)."""
        self.over = True
        self.writer.close()

    def reset(self) -> None:
        """Ends the connection with a reset (RST)."""
        self.over = True
        own: socket.socket = self.writer.get_extra_info("socket")
        own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    async def hold(self) -> None:
        """Sends nothing more, until the client closes the connection."""
        self.over = True
        while await self.reader.read(65536):
            pass

    async def drip(self, piece: bytes) -> None:
        """Sends the same bytes again and again, until the client closes the connection."""
        self.over = True
        gone = asyncio.ensure_future(self.reader.read(1))
        try:
            while not (await asyncio.wait([gone], timeout=DRIP_SECONDS))[0]:
                await self.send(piece)
        finally:
            gone.cancel()
            await asyncio.gather(gone, return_exceptions=True)

    def cut(self, data: bytes) -> bytes:
        """Return a part of the data from its beginning, which is neither nothing nor all."""
        return data[: self.random.randrange(1, len(data))]

    def cut_body(self) -> bytes:
        """Return a good answer that ends within its body."""
        whole = self.asked.answer()
        begin = whole.index(b"\r\n\r\n") + 4
        return whole[:begin] + self.cut(whole[begin:])


Fault: TypeAlias = Callable[[Exchange], Awaitable[None]]


async def good(exchange: Exchange) -> None:
    await exchange.send(exchange.asked.answer())


async def good_in_pieces(exchange: Exchange) -> None:
    whole = exchange.asked.answer()
    middle = exchange.random.randrange(len(whole))
    await exchange.send(whole[:middle])
    await asyncio.sleep(0.01)
    await exchange.send(whole[middle:])


async def good_in_members(exchange: Exchange) -> None:
    """Compressed in two parts, one after the other (RFC 1952, section 2.2)."""
    if exchange.asked.streams:
        await exchange.send(exchange.asked.answer())
        return
    content = exchange.asked.content()
    middle = exchange.random.randrange(len(content))
    packed = gzip.compress(content[:middle]) + gzip.compress(content[middle:])
    await exchange.send(document(packed, Content_Encoding="x-gzip"))


async def good_after_hints(exchange: Exchange) -> None:
    await exchange.send(head(103, {"Link": "</style.css>"}), exchange.asked.answer())


async def good_then_closed(exchange: Exchange) -> None:
    await exchange.send(exchange.asked.answer())
    exchange.close()


async def good_then_reset(exchange: Exchange) -> None:
    await exchange.send(exchange.asked.answer())
    await asyncio.sleep(0.02)
    exchange.reset()


async def good_then_garbage(exchange: Exchange) -> None:
    await exchange.send(exchange.asked.answer() + exchange.random.randbytes(40))
    await exchange.hold()


async def good_then_another_answer(exchange: Exchange) -> None:
    other = Asked(-1, exchange.asked.streams).answer()
    await exchange.send(exchange.asked.answer() + other)
    await exchange.hold()


async def good_then_garbage_later(exchange: Exchange) -> None:
    await exchange.send(exchange.asked.answer())
    await asyncio.sleep(0.01)
    await exchange.send(exchange.random.randbytes(40))
    await exchange.hold()


async def closed_at_once(exchange: Exchange) -> None:
    exchange.close()


async def reset_at_once(exchange: Exchange) -> None:
    exchange.reset()


async def closed_in_head(exchange: Exchange) -> None:
    await exchange.send(exchange.cut(head(200, EVENT_STREAM)))
    exchange.close()


async def reset_in_head(exchange: Exchange) -> None:
    await exchange.send(exchange.cut(head(200, EVENT_STREAM)))
    await asyncio.sleep(0.01)
    exchange.reset()


async def closed_in_body(exchange: Exchange) -> None:
    await exchange.send(exchange.cut_body())
    exchange.close()


async def reset_in_body(exchange: Exchange) -> None:
    await exchange.send(exchange.cut_body())
    await asyncio.sleep(0.01)
    exchange.reset()


async def silent(exchange: Exchange) -> None:
    await exchange.hold()


async def silent_in_head(exchange: Exchange) -> None:
    await exchange.send(exchange.cut(head(200, EVENT_STREAM)))
    await exchange.hold()


async def silent_in_body(exchange: Exchange) -> None:
    await exchange.send(exchange.cut_body())
    await exchange.hold()


async def dripping_head(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\n")
    await exchange.drip(b"X-More: and more\r\n")


async def dripping_hints(exchange: Exchange) -> None:
    await exchange.drip(head(103, {"Link": "</style.css>"}))


async def dripping_body(exchange: Exchange) -> None:
    kind = "text/event-stream" if exchange.asked.streams else "application/json"
    await exchange.send(head(200, {"Content-Type": kind, "Transfer-Encoding": "chunked"}))
    await exchange.drip(chunk(b": still here\n\n" if exchange.asked.streams else b" "))


async def garbage(exchange: Exchange) -> None:
    await exchange.send(exchange.random.randbytes(200))
    exchange.close()


async def garbage_then_silent(exchange: Exchange) -> None:
    await exchange.send(exchange.random.randbytes(200) + b"\r\n\r\n")
    await exchange.hold()


async def endless_head(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\n" + b"X-More: and more\r\n" * 12_000)
    await exchange.hold()


async def odd_status(exchange: Exchange) -> None:
    status = exchange.random.choice([b"000", b"999", b"2x0", b"", b"20000"])
    await exchange.send(b"HTTP/1.1 " + status + b" Odd\r\nContent-Length: 2\r\n\r\n{}")


async def two_lengths(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ")


async def negative_length(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}")


async def switching_protocols(exchange: Exchange) -> None:
    await exchange.send(head(101, {"Upgrade": "chat", "Connection": "upgrade"}) + b"hello")
    await exchange.hold()


async def broken_chunks(exchange: Exchange) -> None:
    body = exchange.random.choice([b"zz\r\n{}\r\n", b"-1\r\n", b"5\r\n{}xxxxxxxx", b"\r\n\r\n"])
    await exchange.send(head(200, EVENT_STREAM) + body + LAST_CHUNK)
    exchange.close()


async def false_gzip(exchange: Exchange) -> None:
    await exchange.send(document(exchange.asked.content(), Content_Encoding="gzip"))


async def cut_gzip(exchange: Exchange) -> None:
    packed = gzip.compress(exchange.asked.content())
    await exchange.send(document(packed[: len(packed) // 2], Content_Encoding="gzip"))


async def broken_json(exchange: Exchange) -> None:
    await exchange.send(document(exchange.cut(exchange.asked.content())))


async def broken_utf8(exchange: Exchange) -> None:
    await exchange.send(document(exchange.asked.content().replace("糸".encode(), b"\xff\xfe")))


async def another_kind_of_json(exchange: Exchange) -> None:
    await exchange.send(document(exchange.random.choice([b"null", b"[]", b"7", b'"text"'])))


async def a_page(exchange: Exchange) -> None:
    await exchange.send(document(b"<html>Welcome</html>", Content_Type="text/html"))


async def nothing_at_all(exchange: Exchange) -> None:
    await exchange.send(exchange.random.choice([document(b""), head(204, {})]))


async def reported_within(exchange: Exchange) -> None:
    await exchange.send(document(REPORT))


async def too_many(exchange: Exchange) -> None:
    await exchange.send(document(REPORT, 429, Retry_After="0.02"))


async def too_many_for_long(exchange: Exchange) -> None:
    await exchange.send(document(REPORT, 429, Retry_After="3600"))


async def unavailable(exchange: Exchange) -> None:
    await exchange.send(document(b"<html>Later</html>", 503, Content_Type="text/html"))


async def refused(exchange: Exchange) -> None:
    status = exchange.random.choice([400, 401, 403, 404, 409, 422, 500, 599])
    await exchange.send(document(REPORT, status, Retry_After_Ms="10"))


async def refused_cut(exchange: Exchange) -> None:
    status = exchange.random.choice([400, 404, 503])
    await exchange.send(document(REPORT, status)[:-9])
    exchange.close()


async def refused_silent(exchange: Exchange) -> None:
    status = exchange.random.choice([400, 404, 503])
    await exchange.send(document(REPORT, status)[:-9])
    await exchange.hold()


async def refused_dripping(exchange: Exchange) -> None:
    status = exchange.random.choice([400, 404, 503])
    await exchange.send(head(status, {"Transfer-Encoding": "chunked"}))
    await exchange.drip(chunk(b" "))


async def redirected_for_ever(exchange: Exchange) -> None:
    place = "/v1/chat/completions?for=ever"
    await exchange.send(document(b"", 307, Location=place))


async def redirected_nowhere(exchange: Exchange) -> None:
    places = ["http://[", "http://127.0.0.1:1/", "ftp://host/", "http://\x80/", "//:99999/"]
    places += ["http://a..b/", "http://" + "a" * 64 + "/", "http://127.0.0.1:99999/"]
    place = exchange.random.choice(places)
    await exchange.send(document(b"", 307, Location=place))


async def redirected_dripping(exchange: Exchange) -> None:
    await exchange.send(head(307, {"Location": "/", "Transfer-Encoding": "chunked"}))
    await exchange.drip(chunk(b" "))


async def half_a_stream(exchange: Exchange) -> None:
    half = b"".join(exchange.asked.events()[:3])
    await exchange.send(head(200, {"Content-Type": "text/event-stream"}) + half)
    exchange.close()


async def stream_without_end_mark(exchange: Exchange) -> None:
    body = b"".join(chunk(one) for one in exchange.asked.events()[:3])
    await exchange.send(head(200, EVENT_STREAM) + body + LAST_CHUNK)


async def stream_with_broken_event(exchange: Exchange) -> None:
    first, second = exchange.asked.events()[:2]
    broken = second[:-5] + b"\n\n"
    await exchange.send(head(200, EVENT_STREAM) + chunk(first) + chunk(broken) + chunk(DONE))
    await exchange.hold()


async def stream_that_reports(exchange: Exchange) -> None:
    first = exchange.asked.events()[0]
    report = event({"error": {"message": "The loom broke.", "code": "broken"}})
    await exchange.send(head(200, EVENT_STREAM) + chunk(first) + chunk(report))
    await exchange.hold()


async def stream_left_open(exchange: Exchange) -> None:
    body = b"".join(chunk(one) for one in (*exchange.asked.events(), DONE))
    await exchange.send(head(200, EVENT_STREAM) + body)
    await exchange.hold()


async def stream_of_one_line(exchange: Exchange) -> None:
    await exchange.send(head(200, EVENT_STREAM), *[chunk(b"data: " + b"x" * 60_000)] * 4)
    exchange.close()


GOOD: tuple[Fault, ...] = (
    good,
    good_in_pieces,
    good_in_members,
    good_after_hints,
    good_then_closed,
    good_then_reset,
    good_then_garbage,
    good_then_another_answer,
    good_then_garbage_later,
)
"""Answers that are whole, whatever follows them."""

BAD: tuple[Fault, ...] = (
    closed_at_once,
    reset_at_once,
    closed_in_head,
    reset_in_head,
    closed_in_body,
    reset_in_body,
    silent,
    silent_in_head,
    silent_in_body,
    dripping_head,
    dripping_hints,
    dripping_body,
    garbage,
    garbage_then_silent,
    endless_head,
    odd_status,
    two_lengths,
    negative_length,
    switching_protocols,
    broken_chunks,
    false_gzip,
    cut_gzip,
    broken_json,
    broken_utf8,
    another_kind_of_json,
    a_page,
    nothing_at_all,
    reported_within,
    too_many,
    too_many_for_long,
    unavailable,
    refused,
    refused_cut,
    refused_silent,
    refused_dripping,
    redirected_for_ever,
    redirected_nowhere,
    redirected_dripping,
    half_a_stream,
    stream_without_end_mark,
    stream_with_broken_event,
    stream_that_reports,
    stream_left_open,
    stream_of_one_line,
)
"""All that goes wrong."""

FAULTS: Mapping[str, Fault] = {one.__name__: one for one in (*GOOD, *BAD)}
"""Every way to answer, by its name."""
