"""Calling each operation of a client as its code says, and catching what leaves."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, cast

import httpx2

from specloom.description.values import is_mapping
from specloom.generate import Client
from specloom.python.package import Call, Entry, Method, Payload, Resources
from specloom.python.package import Client as ClientModule

from .described import Operation, Parameter
from .draws import ABSENT, Drawn, base

HOST = "api.example"
SECRET = "s3cret"


class Unplaced(Exception):
    """The client's method takes no argument for something that the description declares."""


@dataclass(frozen=True)
class Answer:
    """What the server says."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Server:
    """Stands in for the network: keeps the request, and gives the answer that is due."""

    answer: Callable[[httpx2.Request], Answer] = lambda _: Answer(204, {}, b"")
    requests: list[httpx2.Request] = field(default_factory=list[httpx2.Request])

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request, or grant a token."""
        request.read()
        if request.url.host != HOST:
            granted = {"access_token": SECRET, "token_type": "bearer", "expires_in": 3600}
            return httpx2.Response(200, json=granted)
        self.requests.append(request)
        answer = self.answer(request)
        return httpx2.Response(answer.status, headers=dict(answer.headers), content=answer.body)


@dataclass(frozen=True)
class Caller:
    """Calls the method of one operation."""

    method: Method
    bound: Callable[..., object]

    @property
    def call(self) -> Call:
        """How the method makes its request."""
        return self.method.call

    def arguments(self, operation: Operation, drawn: Drawn) -> dict[str, object]:
        """Return the keywords that say what was drawn.

        Raises ``Unplaced`` if there is none for a parameter or for the body.
        """
        given: dict[str, object] = {}
        for parameter in operation.parameters:
            if parameter.key in drawn.parameters:
                value = drawn.parameters[parameter.key]
                if parameter.place == "querystring":
                    whole = self.call.querystring
                    given.update(self._spread(whole, value, "query", "extra_query"))
                else:
                    given[self.argument(parameter)] = value
        if drawn.body is not ABSENT and drawn.content is not None:
            given.update(self._body(drawn.content.media_type, drawn.body))
        return given

    @property
    def names(self) -> set[str]:
        """The keywords of the method."""
        return {argument.name for argument in self.method.signature.arguments}

    def argument(self, parameter: Parameter) -> str:
        """Return the keyword for a parameter; raises ``Unplaced`` if there is none."""
        place, name = parameter.place, parameter.name
        entries = {
            "path": self.call.path,
            "query": self.call.query,
            "header": self.call.headers,
            "cookie": self.call.cookies,
        }
        for entry in entries.get(place, ()):
            if ast.literal_eval(entry.key) == name:
                return self._named(entry.value, name)
        raise Unplaced(f"{place} {name}")

    def is_optional(self, operation: Operation) -> bool:
        """Whether a call may leave the body of an operation out."""
        if operation.body is None or operation.body_is_required:
            return False
        outside = {
            self.argument(parameter)
            for parameter in operation.parameters
            if parameter.place != "querystring"
        }
        return all(
            parameter.default is not inspect.Parameter.empty
            for name, parameter in inspect.signature(self.bound).parameters.items()
            if name not in outside
        )

    def _named(self, expression: str, what: str) -> str:
        """Return the argument that an expression mentions."""
        for node in ast.walk(ast.parse(expression, mode="eval")):
            if isinstance(node, ast.Name) and node.id in self.names:
                return node.id
        raise Unplaced(what)

    def _body(self, media_type: str, body: object) -> Iterator[tuple[str, object]]:
        payload = self._payload(media_type)
        if "content_type" in self.names:
            yield "content_type", _concrete(media_type)
        yield from self._spread(payload, body, f"a body of type {media_type}", "extra_body")

    def _spread(
        self, payload: Payload | None, value: object, what: str, extra: str
    ) -> Iterator[tuple[str, object]]:
        """Yield the keywords for a value that may be given by its properties."""
        if payload is None:
            raise Unplaced(what)
        if payload.expression is not None:
            yield self._named(payload.expression, what), value
            return
        if not is_mapping(value):
            raise Unplaced(f"{what} that is no object")
        named = {ast.literal_eval(e.key): self._named(e.value, e.key) for e in payload.entries}
        more = {key: one for key, one in value.items() if key not in named}
        yield from ((named[key], value[key]) for key in value if key in named)
        if more:
            yield extra, more

    def _payload(self, media_type: str) -> Payload | None:
        for one in self.call.alternatives:
            if ast.literal_eval(one.media_type) == media_type:
                return one.payload
        return self.call.json or self.call.content


def _concrete(media_type: str) -> str:
    """Return a media type in a range."""
    if media_type in ("*/*", "application/*"):
        return "application/octet-stream"
    return media_type.replace("*", "plain") if base(media_type).endswith("*") else media_type


@dataclass(frozen=True)
class Callers:
    """A client with its server, and how to call each of its operations."""

    server: Server
    runtime: ModuleType
    by_request: Mapping[str, list[Caller]]

    def of(self, operation: Operation) -> Caller | None:
        """Return the caller of an operation, which is then that of no other.

        What comes after ``#`` in a path is not sent: it tells operations of one path apart.
        """
        plain = f"{operation.method} {operation.path.partition('#')[0]}"
        for request in (operation.request, plain):
            if found := self.by_request.get(request):
                return found.pop(0)
        return None

    def dumped(self, value: object) -> bytes:
        """Return a result as the JSON text that the client would send."""
        encoding = importlib.import_module(f"{self.runtime.__name__}._json")
        return cast(bytes, encoding.encode(value))


def callers(client: Client, package: ModuleType) -> Callers:
    """Return the callers of a client, whose package has been imported."""
    server = Server()
    contexts = [module.context for module in client.package.modules]
    (stated, *_) = (one for one in contexts if isinstance(one, ClientModule))
    methods = {
        (method.request, method.name): method
        for one in contexts
        if isinstance(one, Resources)
        for resource in one.resources
        if not resource.flavour.prefix
        for method in resource.methods
    }
    made = _made(stated, package, server)
    found: dict[str, list[Caller]] = {}
    for section in stated.sections:
        for listing in section.listings:
            path = listing.call.partition("(")[0].split(".")[1:]
            bound: Any = made
            for name in path:
                bound = getattr(bound, name)
            caller = Caller(methods[listing.request, path[-1]], bound)
            found.setdefault(listing.request, []).append(caller)
    runtime = importlib.import_module(f"{package.__name__}._runtime")
    return Callers(server, runtime, found)


def _made(stated: ClientModule, package: ModuleType, server: Server) -> object:
    """Return a client that talks to a server of ours, with every credential that it takes."""
    class_ = getattr(package, stated.class_name)
    keywords = dict(_credentials(stated.classes[0].credentials))
    parameters = inspect.signature(class_).parameters
    if "api_key" in parameters:
        keywords["api_key"] = SECRET
    given = {key: value for key, value in keywords.items() if key in parameters}
    http = httpx2.Client(transport=httpx2.MockTransport(server.handle))
    return class_(base_url=f"https://{HOST}", max_retries=0, http_client=http, **given)


_NO_SECRETS = ("scopes", "token_url", "on_token", "cert", "webhook_secret", "client_", "refresh_")


def _credentials(entries: tuple[Entry, ...]) -> Iterator[tuple[str, object]]:
    for entry in entries:
        name = str(ast.literal_eval(entry.key))
        if not any(part in name for part in _NO_SECRETS):
            yield name, SECRET
