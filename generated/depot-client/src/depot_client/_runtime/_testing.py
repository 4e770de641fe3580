"""Tests without a server: a transport that gives prepared answers and keeps requests."""

from __future__ import annotations

import json as json_
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, quote, unquote

import httpx2

from . import _json
from ._omit import Omit, omit

__all__ = [
    "JSON",
    "MockEvent",
    "MockTransport",
    "SentPart",
    "SentRequest",
    "UnexpectedRequest",
    "as_json",
]

JSON: TypeAlias = "dict[str, JSON] | list[JSON] | str | float | bool | None"
"""A value that JSON can hold."""

_VARIABLE = re.compile(r"\{[^{}]*\}")
_PARAMETER = re.compile(r'; (\w+)="([^"]*)"')


class UnexpectedRequest(AssertionError):
    """A request left for which no answer was prepared."""


@dataclass(frozen=True, slots=True)
class MockEvent:
    """A server-sent event with a name.

    ``data`` is text as it is; anything else is written as JSON.
    """

    name: str
    data: object


@dataclass(frozen=True, slots=True)
class SentPart:
    """One part of a form that was sent as ``multipart/form-data``."""

    name: str
    content: bytes
    filename: str | None = None
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A request as it left the client."""

    method: str
    url: httpx2.URL
    headers: httpx2.Headers
    content: bytes
    """The body, complete; empty where there is none."""

    @property
    def target(self) -> str:
        """Path and query as they were sent, percent-encoded."""
        return self.url.raw_path.decode("ascii")

    @property
    def path(self) -> str:
        """The path as it was sent."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> list[tuple[str, str]]:
        """Names and values of the query, decoded, in their order."""
        written = self.target.partition("?")[2]
        return parse_qsl(written, keep_blank_values=True)

    def json(self) -> Any:
        """Read the body as JSON. Raises ValueError where it is none."""
        return json_.loads(self.content)

    def text(self) -> str:
        """Read the body as text in UTF-8."""
        return self.content.decode()

    def form(self) -> list[tuple[str, str]]:
        """Give the fields of a body that is ``application/x-www-form-urlencoded``."""
        return parse_qsl(self.text(), keep_blank_values=True)

    def parts(self) -> list[SentPart]:
        """Give the parts of a body that is ``multipart/form-data``.

        Raises ValueError for another body.
        """
        kind = self.headers.get("Content-Type", "")
        _, found, boundary = kind.partition("boundary=")
        if not found:
            raise ValueError(f"the body is {kind or 'nothing'}, and has no parts")
        pieces = b"\r\n" + self.content
        _, *inside, _ = pieces.split(b"\r\n--" + boundary.strip('"').encode())
        return [_part(piece) for piece in inside]


def _part(piece: bytes) -> SentPart:
    """Read a part: its headers, an empty line, and its content."""
    head, _, content = piece.removeprefix(b"\r\n").partition(b"\r\n\r\n")
    name = filename = kind = None
    for line in head.decode().split("\r\n"):
        header, _, value = line.partition(": ")
        if header.lower() == "content-disposition":
            found = {str(k): unquote(str(v)) for k, v in _PARAMETER.findall(value)}
            name, filename = found.get("name"), found.get("filename")
        elif header.lower() == "content-type":
            kind = value
    return SentPart(name or "", content, filename, kind)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is given for one request: a response, or an error in its place."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    error: Exception | None = None


@dataclass(slots=True)
class _Route:
    """The requests of one operation, and the answers for them that are left."""

    operation: str
    method: str
    pattern: re.Pattern[str]
    variables: int
    answers: list[_Answer]
    is_used: bool = False
    """Whether the answer that is left was given before, as it is until others come."""

    @classmethod
    def of(cls, operation: str) -> _Route:
        """Make the route of an operation, such as ``GET /items/{item_id}``.

        Raises ValueError for what is no method and path.
        """
        method, _, path = operation.partition(" ")
        if not method or not path.startswith("/"):
            raise ValueError(
                f"{operation!r} is no operation: write it as 'GET /items/{{item_id}}'"
            )
        fixed = _VARIABLE.split(path)
        pattern = "[^/]+".join(re.escape(_uniform(text)) for text in fixed)
        return cls(operation, method.upper(), re.compile(pattern), len(fixed) - 1, [])

    def take(self) -> _Answer:
        """Take the answer whose turn it is; the last stays."""
        if len(self.answers) > 1:
            return self.answers.pop(0)
        self.is_used = True
        return self.answers[0]

    def fits(self, request: SentRequest) -> bool:
        """Whether a request is one of this operation."""
        path = _uniform(request.path)
        return (
            request.method.upper() == self.method
            and self.pattern.fullmatch(path) is not None
        )


def _uniform(path: str) -> str:
    """Write a path in one of the ways that mean the same."""
    return "/".join(quote(unquote(segment), safe="") for segment in path.split("/"))


class MockTransport(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """Answers the requests of a client in place of a server, and keeps them.

    It serves synchronous and asynchronous clients. An operation is its method and its
    path, as in ``api.md``: ``GET /items/{item_id}``, or with a value in place of the
    variable. Paths are those after ``url``, which is for a client's ``base_url``.
    """

    url = "https://mock.test"

    def __init__(self) -> None:
        """Expect no request yet."""
        self.requests: list[SentRequest] = []
        """All requests that left, the latest last."""
        self._routes: dict[str, _Route] = {}

    def client(self) -> httpx2.Client:
        """Make the ``http_client`` of a synchronous client."""
        return httpx2.Client(transport=self)

    def async_client(self) -> httpx2.AsyncClient:
        """Make the ``http_client`` of an asynchronous client."""
        return httpx2.AsyncClient(transport=self)

    @property
    def request(self) -> SentRequest:
        """The latest request. Raises AssertionError where none has left."""
        if not self.requests:
            raise AssertionError("no request has left")
        return self.requests[-1]

    def answer(
        self,
        operation: str,
        json: object = omit,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        text: str | None = None,
        content: bytes | None = None,
        events: Iterable[object] | None = None,
        lines: Iterable[object] | None = None,
    ) -> None:
        """Prepare an answer; several for one operation are given in turn, the last again
        until another is prepared.

        Its body is one of these, or nothing:

        - ``json``: a value, which may hold models of the client;
        - ``text``, or ``content``, which are bytes;
        - ``events``: server-sent events, each a ``MockEvent``, or the data of an event
          without a name: text as it is, and anything else as JSON;
        - ``lines``: values that follow each other as lines of JSON.

        ``headers`` are added to the one that says which of them it is. Raises ValueError
        for what is no operation, TypeError and ValueError for what is no JSON, and
        TypeError for more than one body.
        """
        bodies: list[tuple[str, bytes]] = []
        if not isinstance(json, Omit):
            bodies.append(("application/json", _json.encode(json)))
        if text is not None:
            bodies.append(("text/plain; charset=utf-8", text.encode()))
        if content is not None:
            bodies.append(("application/octet-stream", content))
        if events is not None:
            bodies.append(("text/event-stream", b"".join(map(_event, events))))
        if lines is not None:
            written = b"".join(_json.encode(line) + b"\n" for line in lines)
            bodies.append(("application/jsonl", written))
        if len(bodies) > 1:
            raise TypeError(f"the answer to {operation} has more than one body")
        given = httpx2.Headers(headers or {})
        kind, body = bodies[0] if bodies else (None, b"")
        if kind is not None:
            given.setdefault("Content-Type", kind)
        self._add(operation, _Answer(status, given, body))

    def fail(self, operation: str, error: Exception) -> None:
        """Prepare an error, such as ``httpx2.ConnectError``, in place of an answer."""
        self._add(operation, _Answer(0, {}, b"", error))

    def _add(self, operation: str, answer: _Answer) -> None:
        route = self._routes.setdefault(operation, _Route.of(operation))
        if route.is_used:
            route.answers.clear()
            route.is_used = False
        route.answers.append(answer)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request of a synchronous client."""
        return self._respond(request, request.read())

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request of an asynchronous client."""
        return self._respond(request, await request.aread())

    def _respond(self, request: httpx2.Request, content: bytes) -> httpx2.Response:
        sent = SentRequest(request.method, request.url, request.headers, content)
        self.requests.append(sent)
        fitting = [route for route in self._routes.values() if route.fits(sent)]
        if not fitting:
            raise UnexpectedRequest(self._complaint(sent))
        # The one that says most of the path.
        answer = min(fitting, key=lambda route: route.variables).take()
        if answer.error is not None:
            raise answer.error
        return httpx2.Response(
            answer.status,
            headers=answer.headers,
            content=answer.content,
            request=request,
        )

    def _complaint(self, request: SentRequest) -> str:
        known = "".join(f"\n  {name}" for name in self._routes) or " nothing"
        said = f"no answer was prepared for {request.method} {request.path}"
        hint = ""
        if f"{request.url.scheme}://{request.url.host}" != self.url:
            hint = f"\nthe client calls {request.url.host}: give it base_url=api.url"
        return f"{said}, but for:{known}{hint}"


def _event(event: object) -> bytes:
    """Write a server-sent event."""
    named = event if isinstance(event, MockEvent) else None
    data = event if named is None else named.data
    text = data if isinstance(data, str) else _json.encode(data).decode()
    lines = [] if named is None else [f"event: {named.name}"]
    lines += [f"data: {line}" for line in text.split("\n")]
    return "\n".join([*lines, "", ""]).encode()


def as_json(value: object) -> Any:
    """Give a value that a client has read as the JSON that it came as.

    It can be a model, a date and the like, and a list or an object of such. Raises
    TypeError for what was not read from JSON.
    """
    return json_.loads(_json.encode(value))
