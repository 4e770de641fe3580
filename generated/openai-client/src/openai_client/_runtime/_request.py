"""From the arguments of a call to the bytes of a request: pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from typing import TypeAlias, cast
from urllib.parse import quote
from uuid import UUID

import httpx2

from . import _json
from ._omit import Omit
from ._options import Body, Headers, Query, Request, Timeout
from ._profile import ApiKey, Auth, Bearer

__all__ = [
    "Base",
    "Call",
    "body_bytes",
    "content_of",
    "header_texts",
    "limits_of",
    "merge",
    "place_of",
    "query_string",
    "segment",
]

HeaderTable: TypeAlias = Mapping[bytes, tuple[bytes, bytes] | None]
"""Headers by lower-case name: the name as written and the value, or None for one that
the caller took out, so that no later default puts it back."""

Limits: TypeAlias = Mapping[str, float | None]
"""Seconds for ``connect``, ``read``, ``write`` and ``pool``."""

KEPT_AT_HOME = "kept_at_home"
"""The request extension that names a header for the eyes of one server, and its URL."""

# RFC 9110, sections 5.1 and 5.5.
_NAME = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_FORBIDDEN_IN_VALUE = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Base:
    """The part of the URL that all calls of a client share."""

    prefix: str
    """Scheme, authority and path, without a slash at the end."""

    query: str
    """The query that the base URL came with, without the question mark."""

    @classmethod
    def parse(cls, url: str | httpx2.URL) -> Base:
        """Take a base URL apart.

        Raises ValueError when it is not an absolute ``http`` or ``https`` URL.
        """
        try:
            parsed = httpx2.URL(url)
        except httpx2.InvalidURL as error:
            raise ValueError(f"base_url is not a URL: {error}") from None
        if parsed.scheme not in ("http", "https") or not parsed.host:
            raise ValueError(
                "base_url must be an absolute http or https URL,"
                f" not {_without_secrets(parsed)!r}"
            )
        prefix = str(parsed.copy_with(query=None, fragment=None)).rstrip("/")
        return cls(prefix, parsed.query.decode("ascii"))

    def url(self, path: str, query: str) -> str:
        """Join the base with the path and the query of one call."""
        url = self.prefix + path
        for part in (self.query, query):
            if part:
                url += ("&" if "?" in url else "?") + part
        return url

    def __str__(self) -> str:
        """Show where calls go, but no password and no query."""
        return _without_secrets(httpx2.URL(self.prefix)) + "/"


@dataclass(frozen=True, slots=True)
class Call:
    """A call with everything settled but the credential, which each attempt asks for.

    ``repr`` shows no header and no content.
    """

    method: str
    url: str
    headers: HeaderTable
    content: bytes | None
    limits: Limits
    auth: Auth | None
    """How the call proves who makes it; None when the caller took that over."""

    def __repr__(self) -> str:
        """Show what is called, without the query."""
        return f"<Call {self.method} {self.url.partition('?')[0]}>"

    def request(self, secret: str | None, limits: Limits) -> httpx2.Request:
        """Make the request of one attempt, with the credential and the timeouts of it.

        Raises ValueError for a credential that HTTP cannot carry.
        """
        url = _parse(self.url)
        headers = dict(self.headers)
        extensions: dict[str, object] = {"timeout": limits}
        match self.auth:
            case Bearer() if secret is not None:
                _set(headers, "Authorization", f"Bearer {secret}")
            case ApiKey(name=name, place="header") if secret is not None:
                _set(headers, name, secret)
                extensions[KEPT_AT_HOME] = name, url
            case ApiKey(name=name, place="query") if secret is not None:
                joint = "&" if "?" in self.url else "?"
                url = httpx2.URL(f"{self.url}{joint}{_pair(name, secret)}")
            case _:
                pass
        pairs = [pair for pair in headers.values() if pair is not None]
        if b"host" not in headers:
            pairs.insert(0, (b"Host", url.netloc))
        content = self.content
        if content is not None and b"content-type" not in headers:
            pairs.append((b"Content-Type", b"application/json"))
        if content is not None or self.method in ("POST", "PUT", "PATCH"):
            pairs.append((b"Content-Length", b"%d" % len(content or b"")))
        # Handing over a stream and complete headers is several times cheaper than
        # letting the constructor derive the headers from the content.
        request = httpx2.Request(
            self.method,
            url,
            headers=pairs,
            stream=httpx2.ByteStream(content or b""),
            extensions=extensions,
        )
        request.read()
        return request


@lru_cache(maxsize=256)
def _parse(url: str) -> httpx2.URL:
    return httpx2.URL(url)


def _without_secrets(url: httpx2.URL) -> str:
    shown = url.copy_with(query=None, fragment=None, userinfo=b"")
    return str(shown).rstrip("/")


def merge(base: HeaderTable, *layers: Headers | None) -> HeaderTable:
    """Lay headers over others: names match in any case, ``omit`` takes one out.

    Raises ValueError for a name or a value that HTTP cannot carry, and TypeError for a
    value that is not a string. The messages name the header but keep its value quiet.
    """
    merged: dict[bytes, tuple[bytes, bytes] | None] | None = None
    for layer in layers:
        if not layer:
            continue
        if merged is None:
            merged = dict(base)
        for name, value in layer.items():
            _set(merged, name, value)
    return base if merged is None else merged


def _set(
    headers: dict[bytes, tuple[bytes, bytes] | None], name: str, value: object
) -> None:
    written = name.encode()
    if not _NAME.fullmatch(written):
        raise ValueError(f"{name!r} is not a name for a header")
    key = written.lower()
    if isinstance(value, Omit):
        headers[key] = None
        return
    if not isinstance(value, str):
        raise TypeError(f"header {name}: expected a string or omit")
    encoded = value.strip(" \t").encode()
    if _FORBIDDEN_IN_VALUE.search(encoded):
        raise ValueError(f"header {name}: the value holds a control character")
    headers[key] = (written, encoded)


def place_of(auth: Auth | None) -> bytes:
    """The lower-case name of the header that holds the credential, if one does."""
    match auth:
        case Bearer():
            return b"authorization"
        case ApiKey(name=name, place="header"):
            return name.lower().encode()
        case _:
            return b""


def limits_of(timeout: float | Timeout | None) -> Limits:
    """Spell out a timeout for each step on the network."""
    return Timeout(timeout).as_dict()


def header_texts(parameters: Mapping[str, object] | None) -> Headers | None:
    """Write header parameters as text (OpenAPI's ``simple`` style for arrays).

    ``None`` and ``omit`` send nothing. Raises ValueError for an object.
    """
    if not parameters:
        return None
    return {
        name: ",".join(_texts(f"header {name!r}", value))
        for name, value in parameters.items()
        if value is not None and not isinstance(value, Omit)
    }


def content_of(request: Request) -> bytes | None:
    """Encode the body of a call, with what the caller adds to it.

    Raises ValueError for what JSON cannot express, and TypeError for additions to a
    body that is no JSON object.
    """
    added = (request.options.body if request.options else None, request.extra_body)
    if isinstance(request.content, Omit):
        return body_bytes(request.json, *added)
    if any(added):
        raise TypeError("extra_body needs a body that is a JSON object")
    return request.content


def body_bytes(json: object, *extras: Body | None) -> bytes | None:
    """Encode a JSON body once, whatever number of times it is sent.

    Properties of ``extras`` replace those of ``json`` or come after them; those that
    are ``omit`` are left out. Without any of these there is no body. Raises ValueError
    for what JSON cannot express, and TypeError for ``extras`` where ``json`` is not an
    object.
    """
    added = [extra for extra in extras if extra]
    if isinstance(json, Omit):
        if not added:
            return None
        json = {}
    if isinstance(json, Mapping):
        # No list of pairs in between: bodies can be wide, and their values lazy.
        properties = dict(cast("Mapping[str, object]", json))
        for extra in added:
            properties.update(extra)
        json = {k: v for k, v in properties.items() if not isinstance(v, Omit)}
    elif added:
        raise TypeError("extra_body needs a body that is a JSON object")
    return _json.encode(json)


def query_string(*layers: Query | None) -> str:
    """Encode query parameters; those of later layers replace those of earlier ones.

    An array repeats its key (OpenAPI's ``form`` style, exploded); ``None`` and ``omit``
    send nothing. Raises ValueError for an object, which has no one spelling in a query.
    """
    merged: dict[str, object] = {}
    for layer in layers:
        if layer:
            merged.update(layer)
    if not merged:
        return ""
    return "&".join(
        _pair(name, text)
        for name, value in merged.items()
        for text in _texts(f"query parameter {name!r}", value)
    )


def _pair(name: str, value: str) -> str:
    return f"{quote(name, safe='')}={quote(value, safe='')}"


def _texts(what: str, value: object) -> Iterable[str]:
    if value is None or isinstance(value, Omit):
        return
    match value:
        case str() | bytes() | bytearray() | Mapping():
            yield _text(what, cast("object", value))
        case Iterable():
            for item in cast("Iterable[object]", value):
                if item is not None:
                    yield _text(what, item)
        case _:
            yield _text(what, value)


def _text(what: str, value: object) -> str:
    if isinstance(value, Enum):
        value = value.value
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float() | Decimal() | UUID():
            return str(value)
        case date() | time():  # a datetime is a date
            return value.isoformat()
        case _:
            raise ValueError(f"{what}: a {type(value).__name__} has no text form")


def segment(value: object) -> str:
    """Encode one value as a segment of a path (RFC 3986, section 3.3).

    Raises ValueError for a value that would change which path is meant: the empty
    string, ``.`` and ``..``.
    """
    text = _text("path parameter", value)
    if text in ("", ".", ".."):
        raise ValueError(f"path parameter: {text!r} cannot be a segment of a path")
    return quote(text, safe="")
