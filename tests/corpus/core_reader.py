"""Reads requests with openapi-core, in an environment of its own: a line of JSON for each.

    python core_reader.py DOCUMENT VERSION

DOCUMENT is the description as JSON. A line of input is a request, a line of output what
openapi-core read in it and what it found wrong.
"""

from __future__ import annotations

import base64
import json
import logging
import sys
import warnings
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, TypeGuard
from urllib.parse import parse_qsl, unquote, urlparse

core: Any = import_module("openapi_core")
finders: Any = import_module("openapi_core.templating.paths.finders")
iterators: Any = import_module("openapi_core.templating.paths.iterators")
structures: Any = import_module("werkzeug.datastructures")
schemas: Any = import_module("jsonschema_path")

_UNMARSHALLERS = {
    "3.0": core.V30RequestUnmarshaller,
    "3.1": core.V31RequestUnmarshaller,
    "3.2": core.V32RequestUnmarshaller,
}
_TEMPLATES = iterators.TemplatePathsIterator("paths")


def paths(name: str, spec: Any, base_url: str | None = None) -> Iterator[Any]:
    """Yield the paths that a whole path fits; to openapi-core the end of one is enough.

    A path has as many segments as its template, since a slash in a value is percent-encoded.
    """
    segments = urlparse(name).path.count("/")
    for found in _TEMPLATES(name, spec, base_url=base_url):
        if found.path_result.pattern.count("/") == segments:
            yield found


def finder(spec: Any, base_url: str | None = None) -> Any:
    """Return what finds the operation of a path, wherever the servers are."""
    made = finders.APICallPathFinder(spec, base_url=base_url)
    made.paths_iterator = paths
    made.servers_iterator = iterators.SimpleServersIterator()
    return made


class Parameters:
    """Parameters, of which those in the path are decoded, as servers do it before all else."""

    def __init__(self, query: Any, header: Any, cookie: Any) -> None:
        """Take what was sent outside of the path."""
        self.query, self.header, self.cookie = query, header, cookie
        self._path: dict[str, str] = {}

    @property
    def path(self) -> dict[str, str]:
        """The values of the variables of the path, which openapi-core finds."""
        return self._path

    @path.setter
    def path(self, found: dict[str, str]) -> None:
        self._path = {key: unquote(text) for key, text in found.items()}

    def __getitem__(self, place: str) -> Any:
        """Return the parameters in a place."""
        return getattr(self, place)


class Request:
    """One request, as openapi-core asks for it."""

    host_url = "https://api.example"

    def __init__(self, sent: dict[str, Any]) -> None:
        """Take what was sent."""
        self.method = sent["method"].lower()
        self.path, _, query = sent["target"].partition("?")
        self.content_type = sent["content_type"] or ""
        self.body = base64.b64decode(sent["body"]) or None
        cookies = [one.partition("=") for one in sent["cookie"].split("; ") if one]
        self.parameters = Parameters(
            query=structures.ImmutableMultiDict(parse_qsl(query, keep_blank_values=True)),
            header=structures.Headers([(key, value) for key, value in sent["headers"]]),
            cookie=structures.ImmutableMultiDict([(k, unquote(text)) for k, _, text in cookies]),
        )


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a value is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is an array."""
    return isinstance(value, list)


def plain(value: Any) -> Any:
    """Return what was read as JSON, in which the objects of formats are the text that they are."""
    if is_object(value):
        return {key: plain(one) for key, one in value.items()}
    if is_list(value):
        return [plain(one) for one in value]
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    if value is None or isinstance(value, str | int | float):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def said(error: BaseException) -> str:
    """Return what an error says, and what it comes from."""
    causes: list[str] = []
    found: BaseException | None = error
    while found is not None:
        causes.append(f"{type(found).__name__}: {found}")
        causes += [f"{type(e).__name__}: {e}" for e in getattr(found, "schema_errors", ())]
        found = found.__cause__
    return " < ".join(causes)[:2000]


def where(error: BaseException) -> str:
    """Return which part of a request an error is about."""
    location, name = getattr(error, "location", None), getattr(error, "name", None)
    if location is not None:
        return f"{location} {name}"
    kind = type(error).__name__
    for part in ("Body", "Security", "Path", "Operation"):
        if part in kind:
            return part.lower()
    return kind


def read(unmarshaller: Any, sent: dict[str, Any]) -> dict[str, Any]:
    """Return what is found in one request."""
    try:
        result = unmarshaller.unmarshal(Request(sent))
    except Exception as error:  # what it is not made for, it fails at in many ways
        return {"errors": [["crash", said(error)]], "parameters": {}, "body": None}
    parameters = {}
    if result.parameters is not None:
        for place in ("path", "query", "header", "cookie"):
            for name, value in getattr(result.parameters, place).items():
                parameters[f"{place} {name}"] = plain(value)
    errors = [[where(error), said(error)] for error in result.errors]
    return {"errors": errors, "parameters": parameters, "body": plain(result.body)}


_KNOWN = frozenset("date date-time binary uuid byte".split())


def as_it_is(value: Any) -> Any:
    """Return the value of a format that openapi-core does not know, and would refuse."""
    return value


def json_of(value: bytes, **parameters: str) -> Any:
    """Return what is JSON under a name of its own, of which openapi-core knows but two."""
    return json.loads(value)


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a document."""
    inside: Iterable[Any] = ()
    if is_object(value):
        yield value
        inside = value.values()
    elif is_list(value):
        inside = value
    for one in inside:
        yield from nodes(one)


def texts(document: Any, keyword: str) -> set[str]:
    """Return the texts that a keyword has anywhere."""
    found = {node[keyword] for node in nodes(document) if isinstance(node.get(keyword), str)}
    return found - _KNOWN


def json_types(document: Any) -> set[str]:
    """Return the media types that are JSON under a name of their own."""
    names = {str(name) for node in nodes(document) for name in node}
    return {name for name in names if "/" in name and name.endswith("+json")}


def main(path: str, version: str) -> None:
    """Answer line by line."""
    warnings.simplefilter("ignore")
    logging.disable()
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    spec = schemas.SchemaPath.from_dict(document)
    unmarshaller = _UNMARSHALLERS[version](
        spec,
        path_finder_cls=finder,
        extra_format_unmarshallers={name: as_it_is for name in texts(document, "format")},
        extra_media_type_deserializers={name: json_of for name in json_types(document)},
    )
    for line in sys.stdin:
        print(json.dumps(read(unmarshaller, json.loads(line))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
