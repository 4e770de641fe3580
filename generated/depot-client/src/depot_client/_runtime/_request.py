"""From a call to its request: where it goes, its headers, its body. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias
from uuid import uuid4

import httpx2

from ._bodies import Content
from ._credential import Credential, login_of
from ._hosts import fault_of
from ._omit import Omit
from ._options import Headers, Timeout
from ._proofs import (
    CARRIED,
    NO_DISCRETION,
    Carried,
    Discretion,
    Proofs,
    told_apart,
    with_cookie,
    with_query,
)

__all__ = [
    "Base",
    "Call",
    "bounded",
    "header_pair",
    "limits_of",
    "merge",
    "with_cookies",
    "with_key",
]

HeaderTable: TypeAlias = Mapping[bytes, tuple[bytes, bytes] | None]
"""Headers by lower-case name: the name as written and the value, or None for one that
the caller took out, so that no later default puts it back."""

Limits: TypeAlias = Mapping[str, float | None]
"""Seconds for ``connect``, ``read``, ``write`` and ``pool``."""

LONGEST_WAIT = 2_000_000.0
"""Seconds: poll(2) counts milliseconds in 31 bits."""

# RFC 9110, sections 5.1 and 5.5.
_NAME = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_FORBIDDEN_IN_VALUE = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


@dataclass(frozen=True, slots=True, eq=False)
class Base:
    """The part of the URL that all calls of a client share."""

    prefix: str
    """Scheme, authority and path, without a slash at the end."""

    query: str
    """The query that the base URL came with, without the question mark."""

    login: Credential | None = None
    """The user name and the password that it came with."""

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
        if (fault := fault_of(parsed)) is not None:
            raise ValueError(f"base_url leads nowhere: {fault}")
        own = {"query": None, "fragment": None, "userinfo": b""}
        prefix = str(parsed.copy_with(**own)).rstrip("/")
        login = login_of(parsed.username, parsed.password) if parsed.userinfo else None
        return cls(prefix, parsed.query.decode("ascii"), login)

    def url(self, path: str, query: str) -> str:
        """Join the base with the path and the query of one call."""
        url = self.prefix + path
        for part in (self.query, query):
            if part:
                url += ("&" if "?" in url else "?") + part
        return url

    def url_at(self, address: str) -> str:
        """Give the URL of a path and a query that the server has given.

        Other servers are not to be reached by it, also where it begins like a URL that
        names one (RFC 3986, section 4.2).
        """
        scheme, _, rest = self.prefix.partition("://")
        return f"{scheme}://{rest.partition('/')[0]}{address}"

    def __str__(self) -> str:
        """Show where calls go, but no password and no query."""
        return _without_secrets(httpx2.URL(self.prefix)) + "/"


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A call with everything settled but the credential, which each attempt asks for.

    ``repr`` shows no header and no content.
    """

    method: str
    url: str
    headers: HeaderTable
    content: Content
    limits: Limits
    credentials: Sequence[Credential] = ()
    """How the call proves who makes it; none where the caller took that over."""
    discretion: Discretion = NO_DISCRETION
    """What else must not get to others, should the call be redirected or fail."""
    errors: Callable[[], object] | None = None
    """Gives the types of errors by their status, where they differ from the API's."""

    def __repr__(self) -> str:
        """Show what is called, without the query."""
        return f"<Call {self.method} {self.url.partition('?')[0]}>"

    def request(self, proofs: Proofs, limits: Limits) -> httpx2.Request:
        """Make the request of one attempt, with the proofs and the timeouts of it.

        Raises ValueError for a credential that HTTP cannot carry, and for a URL that is
        too long.
        """
        url = _parse(self.url)
        headers = dict(self.headers)
        extensions: dict[str, object] = {"timeout": limits}
        if proofs or self.discretion is not NO_DISCRETION:
            texts, auth = told_apart(proofs)
            for proof in texts:
                if proof.place == "header":
                    _set(headers, proof.name, proof.text)
                elif proof.place == "query":
                    url = with_query(url, proof)
                else:
                    line = headers.get(b"cookie")
                    cookies = with_cookie(line and line[1].decode(), proof)
                    _set(headers, "Cookie", cookies)
            extensions[CARRIED] = Carried(url, texts, auth, self.discretion)
        is_framed = _is_framed(headers)
        pairs = [pair for pair in headers.values() if pair is not None]
        if b"host" not in headers:
            pairs.insert(0, (b"Host", url.netloc))
        content = self.content
        if content is not None and b"content-type" not in headers:
            pairs.append((b"Content-Type", b"application/json"))
        if isinstance(content, bytes | None):
            length = None if content is None else len(content)
            stream: httpx2.SyncByteStream = httpx2.ByteStream(content or b"")
        else:
            length, stream = content.length, content
        if content is None and self.method in ("POST", "PUT", "PATCH"):
            length = 0
        if length is not None and not is_framed:
            pairs.append((b"Content-Length", b"%d" % length))
        elif content is not None and not is_framed:
            pairs.append((b"Transfer-Encoding", b"chunked"))
        # Handing over a stream and complete headers is several times cheaper than
        # letting the constructor derive the headers from the content.
        request = httpx2.Request(
            self.method, url, headers=pairs, stream=stream, extensions=extensions
        )
        if isinstance(stream, httpx2.ByteStream):
            request.read()
        request.url = url  # the constructor makes a copy, which tells more of itself
        request.method = self.method  # and it changes the case, which counts
        return request


def _is_framed(headers: dict[bytes, tuple[bytes, bytes] | None]) -> bool:
    """Whether the caller has said where the body ends; a length is all that is said.

    Both headers together let two readers disagree (RFC 9112, section 6.2).
    """
    if headers.get(b"content-length"):
        headers[b"transfer-encoding"] = None
        return True
    return bool(headers.get(b"transfer-encoding"))


@lru_cache(maxsize=256)
def _parse(url: str) -> httpx2.URL:
    try:
        return httpx2.URL(url)
    except httpx2.InvalidURL as error:
        raise ValueError(f"the URL of the call cannot be sent: {error}") from None


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
    is_omitted = isinstance(value, Omit)
    pair = header_pair(name, "" if is_omitted else value)
    headers[pair[0].lower()] = None if is_omitted else pair


def header_pair(name: str, value: object) -> tuple[bytes, bytes]:
    """Write a header as HTTP has it.

    Raises ValueError for a name or a value that HTTP cannot carry, and TypeError for a
    value that is not a string. The messages name the header but keep its value quiet.
    """
    written = name.encode()
    if not _NAME.fullmatch(written):
        raise ValueError(f"{name!r} is not a name for a header")
    if not isinstance(value, str):
        raise TypeError(f"header {name}: expected a string or omit")
    encoded = value.strip(" \t").encode()
    if _FORBIDDEN_IN_VALUE.search(encoded):
        raise ValueError(f"header {name}: the value holds a control character")
    return written, encoded


def limits_of(timeout: float | Timeout | None) -> Limits:
    """Spell out a timeout for each step on the network.

    One that is longer than operating systems can wait is none. Raises ValueError for
    what is no number of seconds.
    """
    return {name: bounded(one) for name, one in Timeout(timeout).as_dict().items()}


def bounded(seconds: float | None) -> float | None:
    """Give a number of seconds, None for more than can be waited for.

    Raises ValueError for what is no number, and for a negative one.
    """
    if seconds is None or seconds > LONGEST_WAIT:
        return None
    if not seconds >= 0:  # which NaN is not either
        raise ValueError(f"a timeout is a number of seconds, not {seconds}")
    return seconds


def with_key(headers: HeaderTable, method: str, name: str | None) -> HeaderTable:
    """Add a key in the header ``name`` by which a server knows a call when it is resent.

    Calls whose method HTTP holds to be idempotent need none (RFC 9110, section 9.2.2);
    a header that the caller has written or taken out stays so.
    """
    if name is None or method not in ("POST", "PATCH"):
        return headers
    if name.lower().encode() in headers:
        return headers
    return merge(headers, {name: str(uuid4())})


def with_cookies(headers: HeaderTable, cookies: Mapping[str, str]) -> HeaderTable:
    """Add the cookies of a call to those of a ``Cookie`` header; equal names replace.

    Raises ValueError for a value that HTTP cannot carry.
    """
    if not cookies:
        return headers
    _, before = headers.get(b"cookie") or (b"", b"")
    kept = [
        each
        for each in before.decode().split("; ")
        if each and each.partition("=")[0] not in cookies
    ]
    return merge(headers, {"Cookie": "; ".join([*kept, *cookies.values()])})
