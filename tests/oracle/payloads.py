"""Recorded answers of real servers, each read by the client of the server's own description."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import shutil
import typing
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, cast

import httpx2

from specloom.generate import Client
from specloom.python import package as code

from .trial import exact

# "apart" is a stream for which the client offers none: its events were read one by one.
Outcome = Literal["json", "events", "apart", "text", "empty", "error"]

END = "[DONE]"
"""The data of the event that ends a stream, by the custom of these servers."""

_VARIABLE = re.compile(r"\{[^{}]*\}")
_FILLER = "x"
"""What every argument is: nobody looks at the requests."""


@dataclass(frozen=True)
class Row:
    """One recorded answer."""

    place: str
    method: str
    path: str
    status: int
    content_type: str
    request: Any
    content: bytes

    @property
    def json(self) -> Any:
        """The answer as a JSON value."""
        return json.loads(self.content)

    @property
    def streams(self) -> bool:
        """Whether the answer is a stream, of server-sent events or of lines of JSON."""
        return "event-stream" in self.content_type or "ndjson" in self.content_type

    @property
    def pieces(self) -> list[tuple[str, Any]]:
        """What a stream consists of: the name of each event, and its data as JSON."""
        text = self.content.decode()
        if "event-stream" in self.content_type:
            return list(_sent(text))
        return [("", json.loads(line)) for line in text.splitlines() if self.streams]


@dataclass
class Tally:
    """What came of the recorded answers of one server."""

    outcomes: Counter[Outcome] = field(default_factory=Counter[Outcome])
    events: int = 0
    unserved: Counter[str] = field(default_factory=Counter[str])
    """Answers to what the description does not describe, by method and path."""
    wrong: list[str] = field(default_factory=list[str])


def rows(file: Path) -> Iterator[Row]:
    """Yield the recorded answers in a file; those of ``stripe.jsonl`` were to no request."""
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            row = json.loads(line)
            text = json.dumps(row["json"]) if "json" in row else row.get("text") or ""
            yield Row(
                place=f"{file.name}:{number}",
                method=(row.get("method") or "").upper(),
                path=row.get("path") or "",
                status=row.get("status") or 200,
                content_type=row.get("content_type") or "",
                request=row.get("request_body"),
                content=text.encode(),
            )


def read_all(package: ModuleType, client: Client, recorded: Iterable[Row]) -> Tally:
    """Read recorded answers with a client, by calling the methods that they are answers of."""
    tally = Tally()
    methods = Methods(client)
    for row in recorded:
        path = methods.find(row.method, row.path)
        if path is None:
            tally.unserved[f"{row.method} {row.path}"] += 1
            continue
        try:
            outcome, events = _read(package, path, row)
        except Exception as error:  # whatever it is, this answer was not read
            said = f"{type(error).__name__}: {error}"
            tally.wrong.append(f"{row.place}: {row.method} {row.path}: {said:.300}")
        else:
            tally.outcomes[outcome] += 1
            tally.events += events
    return tally


def folder_of(entry: Path, folder: Path, server: str) -> Path:
    """Make the folder of a description as its user would: the end of streams, and an overlay."""
    folder.mkdir(parents=True)
    shutil.copyfile(entry, folder / entry.name)
    stated = f'descriptions = ["{entry.name}"]\n[streaming]\nend = "{END}"\n'
    if server in UNDECLARED:
        actions = [
            {
                "target": f"$.paths['{path}'].post.responses['200'].content",
                "update": {
                    "text/event-stream": {"schema": {"$ref": f"#/components/schemas/{name}"}}
                },
            }
            for path, name in UNDECLARED[server].items()
        ]
        about = {"title": "Streams that the description does not declare", "version": "1"}
        overlay = {"overlay": "1.0.0", "info": about, "actions": actions}
        (folder / "streams.json").write_text(json.dumps(overlay), "utf-8")
        stated += f'[overlays]\n"{entry.name}" = ["streams.json"]\n'
    (folder / "specloom.toml").write_text(stated, "utf-8")
    return folder


UNDECLARED: Mapping[str, Mapping[str, str]] = {
    "openai": {
        "/completions": "CreateCompletionResponse",
        "/threads/{thread_id}/runs": "AssistantStreamEvent",
    }
}
"""Operations that stream though their description says nothing of it, and what their events are."""


class Methods:
    """The methods of a client by the requests that they make."""

    def __init__(self, client: Client) -> None:
        self._paths: dict[tuple[str, str], str] = {}
        for section in _sections(client):
            for listing in section.listings:
                method, _, path = listing.request.partition(" ")
                call = listing.call.partition("(")[0].removeprefix("client.")
                self._paths.setdefault((method, path), call)

    def find(self, method: str, path: str) -> str | None:
        """Return the dotted name of the method that makes a request, as of a client.

        A server may stand at a path of its own, so the end of a path decides.
        """
        best: tuple[int, int, str] | None = None
        for (verb, template), call in self._paths.items():
            bare = template.partition("?")[0]
            pattern = "".join(
                re.escape(part) if index % 2 == 0 else "[^/]+"
                for index, part in enumerate(_parts(bare))
            )
            if verb == method and re.search(f"{pattern}$", path) and bare == template:
                rank = (len(bare.split("/")), -len(_VARIABLE.findall(bare)), call)
                best = rank if best is None else max(best, rank)
        return None if best is None else best[2]


def _parts(template: str) -> list[str]:
    return re.split(r"(\{[^{}]*\})", template)


def _sections(client: Client) -> Iterator[code.Section]:
    for module in client.package.modules:
        sections = getattr(module.context, "sections", ())
        yield from cast(tuple[code.Section, ...], sections)


def _read(package: ModuleType, path: str, row: Row) -> tuple[Outcome, int]:
    """Make the call that a row answers, and compare; ``AssertionError`` says what is wrong.

    Where the client offers no stream, each event is read as an answer of its own.
    """
    method = _method(package, path)
    offered = any("Stream[" in str(inspect.signature(o).return_annotation) for o in _forms(method))
    if row.pieces and not offered:
        for _, piece in row.pieces:
            alone = replace(
                row, content_type="application/json", content=json.dumps(piece).encode()
            )
            _call(package, path, alone)
        return "apart", len(row.pieces)
    outcome = _call(package, path, row)
    return outcome, len(row.pieces) if outcome == "events" else 0


def _method(made: Any, path: str) -> Any:
    """Return a method by its path, of a client or of a package's client class."""
    if isinstance(made, ModuleType):
        with make(made) as client:
            return _method(client, path)
    for name in path.split("."):
        made = getattr(made, name)
    return made


def _call(package: ModuleType, path: str, row: Row) -> Outcome:
    def respond(request: httpx2.Request) -> httpx2.Response:
        assert request.method == row.method, f"{request.method} was sent"
        headers = {"content-type": row.content_type} if row.content_type else {}
        return httpx2.Response(row.status, headers=headers, content=row.content)

    transport = httpx2.Client(transport=httpx2.MockTransport(respond))
    with make(package, http_client=transport, max_retries=0) as made:
        method = _method(made, path)
        arguments = required(method, streams=row.streams)
        if row.status >= 400:
            return _error(package, method, arguments, row)
        answer = method(**arguments)
        return _events(answer, row) if row.streams else _answer(answer, row)


def make(package: ModuleType, **settings: Any) -> Any:
    """Return an instance of a package's client, with something for every credential."""
    module = importlib.import_module(f"{package.__name__}._client")
    made = next(one for one in vars(module).values() if _is_client(one))
    own = inspect.signature(made).parameters
    every = next(base for base in made.__mro__ if base.__name__ == "SyncClient")
    common = inspect.signature(every).parameters  # what is left are credentials, and places
    given = {name: _FILLER for name in own if name not in common}
    return made(base_url="https://recorded.test", **given, **settings)


def _is_client(value: Any) -> bool:
    return isinstance(value, type) and "_profile" in vars(value) and hasattr(value, "close")


def required(method: Any, *, streams: bool = False) -> Mapping[str, Any]:
    """Return something for every argument that a method has to be given.

    A method that can stream is asked to, or not to.
    """
    forms = _forms(method)
    found = [inspect.signature(form).parameters for form in forms]
    wanted = f"Literal[{streams}]"
    toggled = [p for p in found if "stream" in p and wanted in str(p["stream"].annotation)]
    parameters = (toggled or found)[0]
    empty = inspect.Parameter.empty
    needed = [p for p in parameters.values() if p.default is empty and p.name != "self"]
    values = {p.name: b"x" if "File" in str(p.annotation) else _FILLER for p in needed}
    return values | ({"stream": streams} if toggled else {})


def _forms(method: Any) -> list[Any]:
    """Return the overloads of a method, or itself."""
    return list(typing.get_overloads(inspect.unwrap(method))) or [method]


def _answer(answer: Any, row: Row) -> Outcome:
    if not row.content:
        assert answer is None or answer == b"" or answer == "", f"{answer!r} from nothing"
        return "empty"
    if "json" not in row.content_type:
        held: Any = answer.read() if hasattr(answer, "read") else answer
        text = held.decode() if isinstance(held, bytes) else held
        assert text == row.content.decode(), f"{text!r:.60} is not the text that came"
        return "text"
    assert exact(dumped(answer)) == exact(row.json), "the dump is not what came"
    return "json"


def _events(answer: Any, row: Row) -> Outcome:
    sent = row.pieces
    read = [dumped(event) for event in answer]
    assert len(read) == len(sent), f"{len(read)} events of {len(sent)}"
    for one, (name, data) in zip(read, sent, strict=True):
        enveloped = {"event": name, "data": data}
        assert exact(one) in (exact(data), exact(enveloped)), f"the event {name} is not what came"
    return "events"


def _sent(text: str) -> Iterator[tuple[str, Any]]:
    """Yield the events of a stream: what each is called, and its data as JSON."""
    for block in text.replace("\r\n", "\n").split("\n\n"):
        fields = [line.partition(":")[::2] for line in block.splitlines()]
        data = "\n".join(value.removeprefix(" ") for name, value in fields if name == "data")
        called = [value.strip() for name, value in fields if name == "event"]
        if data and data != END:
            yield (called or [""])[0], json.loads(data)


def _error(package: ModuleType, method: Any, arguments: Mapping[str, Any], row: Row) -> Outcome:
    try:
        method(**arguments)
    except package.APIStatusError as error:
        body = error.body
        assert error.status_code == row.status, f"the status is {error.status_code}"
        whole: Any = row.json
        bodies = [whole, whole["error"]] if "error" in whole else [whole]
        assert exact(dumped(body)) in map(exact, bodies), f"the body is {body!r}"
        return "error"
    raise AssertionError("no error was raised")


def dumped(value: Any) -> Any:
    """Return what was read as a JSON value."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, list):
        return [dumped(one) for one in cast(Iterable[Any], value)]
    if isinstance(value, dict):
        return {key: dumped(one) for key, one in cast(dict[str, Any], value).items()}
    return value
