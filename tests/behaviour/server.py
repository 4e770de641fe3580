"""A loopback HTTP/1.1 server that sends exactly the bytes a test scripts, when it scripts them.

A test hands the server one *step* for each request it expects (:meth:`Server.plays`); a step is a
function of the :class:`Exchange`. The functions at the end of this module make the usual ones, so
that a script reads as what happens on the wire::

    server.plays(answer({"error": ...}, 500), reset, stream(frame(chunk), until(gate), DONE))

Every request is recorded as it came: raw head, headers in order, body, arrival, connection.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import pairwise
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlsplit

Step: TypeAlias = "Callable[[Exchange], None]"
Choose: TypeAlias = "Callable[[Request], Step]"

_TICK = 0.01  # how often a waiting step looks whether the server is being stopped, in seconds


@dataclass(frozen=True)
class Request:
    """One request as it came over the wire."""

    method: str
    target: str
    raw_head: bytes
    headers: tuple[tuple[str, str], ...]
    body: bytes
    at: float
    """When the last byte had arrived, on the monotonic clock."""
    connection: int
    """Number of the connection it came over, from 0."""

    def all(self, name: str) -> list[str]:
        """The values of each header line of that name, whatever its case."""
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def header(self, name: str) -> str | None:
        """The value of the one header line of that name; fails when there are several."""
        values = self.all(name)
        assert len(values) < 2, f"{name} was sent {len(values)} times"
        return values[0] if values else None

    @property
    def path(self) -> str:
        """The path of the target, still percent-encoded."""
        return urlsplit(self.target).path

    @property
    def query(self) -> list[tuple[str, str]]:
        """The decoded pairs of the query, in the order of the wire."""
        return parse_qsl(urlsplit(self.target).query, keep_blank_values=True)

    def json(self) -> Any:
        """The body as JSON; a bare NaN or Infinity in it is an error."""

        def refuse(token: str) -> Any:
            raise AssertionError(f"{token} in a JSON body")

        return json.loads(self.body, parse_constant=refuse)


@dataclass
class Connection:
    """One accepted connection."""

    number: int
    port: int
    """The client's port."""
    closed_by_client: threading.Event = field(default_factory=threading.Event)


class Exchange:
    """What a step does with: the request, and the socket it may answer on."""

    def __init__(
        self, sock: socket.socket, request: Request, connection: Connection, stop: threading.Event
    ) -> None:
        self.request = request
        self.over = False
        self._sock = sock
        self._connection = connection
        self._stop = stop

    @property
    def stopped(self) -> bool:
        """Whether the test is over."""
        return self._stop.is_set()

    def send(self, data: bytes) -> None:
        """Sends these bytes, as packets of their own."""
        self._sock.sendall(data)

    def close(self) -> None:
        """Ends the connection in an orderly way (FIN)."""
        self.over = True
        self._sock.close()

    def reset(self) -> None:
        """Ends the connection with a reset (RST)."""
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def wait(self, gate: threading.Event) -> None:
        """Waits until the test opens the gate."""
        while not gate.wait(_TICK) and not self._stop.is_set():
            pass

    def hold(self) -> None:
        """Sends nothing and keeps the connection open until the client closes it."""
        self.over = True
        while not self._stop.is_set():
            if select.select([self._sock], [], [], _TICK)[0] and not self._sock.recv(65536):
                self._connection.closed_by_client.set()
                return


class Server:
    """The server: scripted by the test, listening while it is used as a context manager."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.connections: list[Connection] = []
        self._choose: Choose = lambda request: answer({"error": {"message": "no script"}}, 501)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._failures: list[Exception] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self._listener.settimeout(_TICK)
        self.port: int = self._listener.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.url = f"{self.origin}/v1"

    def plays(self, *steps: Step) -> None:
        """Answers the next requests with these steps, in order; the last one serves all others."""
        left = list(steps)
        self._choose = lambda request: left.pop(0) if len(left) > 1 else left[0]

    def chooses(self, choose: Choose) -> None:
        """Answers each request with the step that ``choose`` picks for it."""
        self._choose = choose

    @property
    def request(self) -> Request:
        """The one request that came; fails when there were none or several."""
        assert len(self.requests) == 1, f"{len(self.requests)} requests"
        return self.requests[0]

    @property
    def gaps(self) -> list[float]:
        """Seconds between each request and the one after it."""
        times = [request.at for request in self.requests]
        return [later - earlier for earlier, later in pairwise(times)]

    def __enter__(self) -> Server:
        self._spawn(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._listener.close()
        with self._lock:
            for sock in self._open:
                _shut(sock)
        for thread in self._threads:
            thread.join(5)
            assert not thread.is_alive(), "a scripted step does not end"
        if self._failures:
            raise self._failures[0]

    def _spawn(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._stop.is_set():
            try:
                sock, (_, port) = self._listener.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            sock.settimeout(None)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                connection = Connection(len(self.connections), port)
                self.connections.append(connection)
                self._open.add(sock)
            self._spawn(self._serve, sock, connection)

    def _serve(self, sock: socket.socket, connection: Connection) -> None:
        received = bytearray()
        try:
            while request := _read_request(sock, received, connection):
                with self._lock:
                    self.requests.append(request)
                    step = self._choose(request)
                exchange = Exchange(sock, request, connection, self._stop)
                step(exchange)
                if exchange.over:
                    return
            connection.closed_by_client.set()
        except OSError:
            connection.closed_by_client.set()
        except Exception as error:
            self._failures.append(error)  # a mistake in the script: fails the test at its end
        finally:
            with self._lock:
                self._open.discard(sock)
            sock.close()


def _shut(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):  # the peer may have been faster
        sock.shutdown(socket.SHUT_RDWR)


def _read_request(
    sock: socket.socket, received: bytearray, connection: Connection
) -> Request | None:
    """Reads the next request, or ``None`` when the client ends the connection instead."""
    while (end := received.find(b"\r\n\r\n")) < 0:
        if not _receive(sock, received):
            return None
    head = bytes(received[: end + 4])
    del received[: end + 4]
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ")
    pairs = [line.split(":", 1) for line in lines]
    headers = tuple((name, value.strip()) for name, value in pairs)
    stated = {name.lower(): value for name, value in headers}
    if stated.get("transfer-encoding") == "chunked":
        assert "content-length" not in stated, "a body has one kind of length"
        body = _read_chunks(sock, received)
    else:
        body = _read_bytes(sock, received, int(stated.get("content-length", 0)))
    if body is None:
        return None
    return Request(method, target, head, headers, body, time.monotonic(), connection.number)


def _read_bytes(sock: socket.socket, received: bytearray, length: int) -> bytes | None:
    while len(received) < length:
        if not _receive(sock, received):
            return None
    body = bytes(received[:length])
    del received[:length]
    return body


def _read_chunks(sock: socket.socket, received: bytearray) -> bytes | None:
    body = b""
    while True:
        while (end := received.find(b"\r\n")) < 0:
            if not _receive(sock, received):
                return None
        size = int(received[:end], 16)
        del received[: end + 2]
        chunk = _read_bytes(sock, received, size + 2)
        if chunk is None:
            return None
        if size == 0:
            return body
        body += chunk[:-2]


def _receive(sock: socket.socket, received: bytearray) -> bool:
    data = sock.recv(65536)
    received += data
    return bool(data)


# Bytes -----------------------------------------------------------------------------------------


def head(status: int, headers: Mapping[str, str]) -> bytes:
    """The status line and the header lines of a response, with the empty line after them."""
    phrases = {known.value: known.phrase for known in HTTPStatus}
    lines = [f"HTTP/1.1 {status} {phrases.get(status, 'Unknown')}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def encoded(value: object) -> bytes:
    """JSON in UTF-8, without escapes; bytes and text are taken as they are."""
    match value:
        case bytes():
            return value
        case str():
            return value.encode()
        case _:
            return json.dumps(value, ensure_ascii=False).encode()


def frame(value: object, *, event: str | None = None, end: str = "\n") -> bytes:
    """One server-sent event whose data is this value as JSON."""
    name = f"event: {event}{end}".encode() if event else b""
    return name + b"data: " + encoded(value) + (end * 2).encode()


def http_chunk(data: bytes) -> bytes:
    """One chunk of a body sent with ``Transfer-Encoding: chunked``."""
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def bytewise(data: bytes) -> list[bytes]:
    """The same bytes, one by one."""
    return [data[i : i + 1] for i in range(len(data))]


AT_ONCE = {"Retry-After-Ms": "1"}
"""Headers that ask for the next attempt without the usual delay, where no test is about delays."""

DONE = b"data: [DONE]\n\n"
LAST_CHUNK = b"0\r\n\r\n"


# Steps -----------------------------------------------------------------------------------------


def answer(
    body: object = b"",
    status: int = 200,
    *,
    content_type: str = "application/json",
    headers: Mapping[str, str] | None = None,
) -> Step:
    """A whole response with its length; the connection stays open for the next request."""
    data = encoded(body)
    lines = {"Content-Type": content_type, "Content-Length": str(len(data)), **(headers or {})}

    def step(exchange: Exchange) -> None:
        exchange.send(head(status, lines) + data)

    return step


def stream(
    *pieces: bytes | Step, headers: Mapping[str, str] | None = None, end: bool = True
) -> Step:
    """A chunked event stream: bytes go out as one HTTP chunk each, steps run in between.

    With ``end=False`` the chunk that ends the body is left out.
    """
    kind = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"}
    lines = {**kind, **(headers or {})}

    def step(exchange: Exchange) -> None:
        exchange.send(head(200, lines))
        for piece in pieces:
            if isinstance(piece, bytes):
                exchange.send(http_chunk(piece))
            else:
                piece(exchange)
            if exchange.over:
                return
        if end:
            exchange.send(LAST_CHUNK)

    return step


def sends(*pieces: bytes | Step) -> Step:
    """Any bytes at all, sent as they are, with steps run in between."""

    def step(exchange: Exchange) -> None:
        for piece in pieces:
            if isinstance(piece, bytes):
                exchange.send(piece)
            else:
                piece(exchange)
            if exchange.over:
                return

    return step


def until(gate: threading.Event) -> Step:
    """Goes on when the test opens the gate."""
    return lambda exchange: exchange.wait(gate)


def pause(seconds: float) -> Step:
    """Goes on after a while."""
    return lambda exchange: time.sleep(seconds)


def reset(exchange: Exchange) -> None:
    """Ends the connection with a reset (RST)."""
    exchange.reset()


def close(exchange: Exchange) -> None:
    """Ends the connection in an orderly way (FIN)."""
    exchange.close()


def hold(exchange: Exchange) -> None:
    """Sends nothing and keeps the connection open until the client closes it."""
    exchange.hold()
