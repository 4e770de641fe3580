"""What proves on a request who sends it, and that it stays with its one reader."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias, cast
from urllib.parse import parse_qsl, quote

import httpx2

__all__ = [
    "CARRIED",
    "ELSEWHERE",
    "NO_DISCRETION",
    "Carried",
    "DiscreetURL",
    "Discretion",
    "Proof",
    "Proofs",
    "basic",
    "discreet",
    "secrets_of",
    "told_apart",
    "with_cookie",
    "with_query",
    "without_query",
]

CARRIED = "carried"
"""The request extension that holds what is :class:`Carried`."""

ELSEWHERE = "elsewhere"
"""The request extension that is there when another server than the API's is asked."""

COOKIE_VALUE = r"[!#-+\--:<-\[\]-~]*"
"""What the value of a cookie may consist of (RFC 6265, section 4.1.1)."""


class Proof(NamedTuple):
    """One credential as a request carries it."""

    place: Literal["header", "query", "cookie"]
    name: str
    text: str
    secrets: tuple[str, ...]
    """What must not be repeated to anybody: the credential, however it is written."""


Proofs: TypeAlias = "Sequence[Proof | httpx2.Auth]"
"""The credentials of one request. An ``httpx2.Auth`` answers when it is challenged."""


class Discretion(NamedTuple):
    """What a call keeps from others than the server that it is made to."""

    private: tuple[str, ...] = ()
    """The headers that hold credentials, also where the caller wrote them himself."""
    stays: bool = False
    """Whether it is not for the API: it follows no redirect, and takes nothing along of
    what the caller's HTTP client would add."""
    secrets: tuple[str, ...] = ()
    """What else must not be repeated: secrets in its content."""


NO_DISCRETION = Discretion()


class Carried(NamedTuple):
    """What a request must not take along to another server."""

    home: httpx2.URL
    """Where it was sent at first."""
    proofs: Sequence[Proof] = ()
    auth: httpx2.Auth | None = None
    """What answers a challenge."""
    discretion: Discretion = NO_DISCRETION


class DiscreetURL(httpx2.URL):
    """A URL with a credential in its query, which is not in its text.

    Logs, errors and tracebacks print the text of URLs; connections do not use it.
    """

    def __init__(self, url: httpx2.URL, shown: str) -> None:
        """Take the place of ``url``, and be ``shown`` instead."""
        super().__init__(url)
        self._shown = shown

    def __str__(self) -> str:
        """Show the URL without the credential."""
        return self._shown

    def __repr__(self) -> str:
        """Show the URL without the credential and without a password."""
        return repr(httpx2.URL(self._shown))

    def __reduce__(self) -> tuple[object, ...]:
        """Leave the credential behind when pickled."""
        return httpx2.URL, (self._shown,)


def basic(username: str, password: str) -> Proof:
    """Write a user name and a password in one (RFC 7617, section 2).

    Raises ValueError for a user name that holds a colon.
    """
    if ":" in username:
        raise ValueError("a user name with a colon in it cannot be sent")
    text = b64encode(f"{username}:{password}".encode()).decode()
    return Proof("header", "Authorization", f"Basic {text}", (text, password))


def told_apart(proofs: Proofs) -> tuple[Sequence[Proof], httpx2.Auth | None]:
    """Tell what is written on a request from what answers a challenge."""
    for proof in proofs:
        if not isinstance(proof, Proof):
            return [one for one in proofs if isinstance(one, Proof)], proof
    return cast("Sequence[Proof]", proofs), None


def with_query(url: httpx2.URL, proof: Proof) -> httpx2.URL:
    """Add to a URL a key that goes into its query, unless one is in there."""
    if proof.name in url.params:
        return discreet(url, (proof,))  # a server has repeated it, perhaps
    pair = f"{quote(proof.name, safe='')}={quote(proof.text, safe='')}".encode()
    query = url.query
    full = url.copy_with(query=query + b"&" + pair if query else pair)
    return DiscreetURL(full, str(url))


def discreet(url: httpx2.URL, proofs: Iterable[Proof]) -> httpx2.URL:
    """Keep the keys that are in the query of a URL out of its text."""
    text = httpx2.URL(str(url))
    shown = without_query(text, proofs)
    return url if shown is text else DiscreetURL(url, str(shown))


def without_query(url: httpx2.URL, proofs: Iterable[Proof]) -> httpx2.URL:
    """Take out of a URL the keys that were sent in a query, should it repeat them."""
    keys = [(proof.name, proof.text) for proof in proofs if proof.place == "query"]
    query = url.query.decode("ascii")
    kept = [p for p in query.split("&") if not any(k in keys for k in parse_qsl(p))]
    found = "&".join(kept)
    return url if found == query else url.copy_with(query=found.encode() or None)


def with_cookie(existing: str | None, proof: Proof) -> str:
    """Add to a ``Cookie`` header a key that is a cookie, unless it is in there.

    Raises ValueError for a key that a cookie cannot hold, without repeating it.
    """
    pairs = [pair for pair in (existing or "").split("; ") if pair]
    if not any(pair.partition("=")[0] == proof.name for pair in pairs):
        if not re.fullmatch(COOKIE_VALUE, proof.text):
            raise ValueError(f"cookie {proof.name}: a value that cookies cannot hold")
        pairs.append(f"{proof.name}={proof.text}")
    return "; ".join(pairs)


def secrets_of(request: httpx2.Request) -> Iterator[str]:
    """Find what a request was trusted with: its credentials, and those of its caller."""
    carried = request.extensions.get(CARRIED)
    if isinstance(carried, Carried):
        for proof in carried.proofs:
            yield from proof.secrets
        yield from carried.discretion.secrets
        for name in carried.discretion.private:
            yield request.headers.get(name, "")
    yield request.headers.get("authorization", "").rpartition(" ")[2]
