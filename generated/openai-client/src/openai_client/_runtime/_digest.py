"""Digest authentication (RFC 7616): imported by those who have an API that wants it.

A challenge that cannot be answered stays the answer of the server.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Generator, Iterator, Mapping
from itertools import count

import httpx2

__all__ = ["DigestAuth"]

HASHES = {
    "md5": "md5",
    "sha-256": "sha256",
    "sha-512-256": "sha512_256",
    # These are in no specification; some servers have them.
    "sha": "sha1",
    "sha-512": "sha512",
}
"""The names that algorithms have here, by those that challenges have for them."""

SESSION = "-sess"

# RFC 9110, sections 5.6 and 11.2. Commas stand between challenges and inside them.
_TEXT = r'"(?:[^"\\]|\\.)*+"?'
_ELEMENT = re.compile(rf'(?:[^",]|{_TEXT})+')
_PARAMETER = re.compile(rf"([^\s=,\"]+)\s*=\s*({_TEXT}|[^\s,\"]*)")
_SCHEME = re.compile(r"([^\s=,\"]+)(?:\s+(.*))?", re.DOTALL)


class _Challenge:
    """What a server has asked, and how often it was answered."""

    def __init__(self, parameters: Mapping[str, str]) -> None:
        self.parameters = parameters
        self.counter = count(1)

    @property
    def algorithm(self) -> str:
        return self.parameters.get("algorithm", "MD5")

    @property
    def hash_name(self) -> str | None:
        return HASHES.get(self.algorithm.lower().removesuffix(SESSION))

    @property
    def is_protected(self) -> bool:
        """Whether the answer covers more than the oldest clients have to know."""
        return "qop" in self.parameters

    @property
    def is_understood(self) -> bool:
        words = self.parameters.get("qop", "auth").lower().replace(",", " ").split()
        named = {"realm", "nonce"} <= self.parameters.keys()
        return (
            named and "auth" in words and self.hash_name in hashlib.algorithms_available
        )


class DigestAuth(httpx2.Auth):
    """Answers the challenges of servers, which it remembers from call to call."""

    def __init__(self, username: str, password: str) -> None:
        """Prove by a password who calls."""
        self._username = username
        self._password = password
        self._known: dict[tuple[bytes, bytes, int | None], _Challenge] = {}

    def auth_flow(
        self, request: httpx2.Request
    ) -> Generator[httpx2.Request, httpx2.Response, None]:
        """Send a request, and send it again with an answer when it is challenged."""
        url = request.url
        origin = url.raw_scheme, url.raw_host, url.port
        known = self._known.get(origin)
        if known is not None:
            request.headers["Authorization"] = self._answer(known, request)
        response = yield request
        if response.status_code != 401 or getattr(request.stream, "spent", False):
            return
        for challenge in _challenges(response):
            if challenge.is_understood:
                self._known[origin] = challenge
                if response.cookies:
                    httpx2.Cookies(response.cookies).set_cookie_header(request)
                request.headers["Authorization"] = self._answer(challenge, request)
                yield request
                return

    def _answer(self, challenge: _Challenge, request: httpx2.Request) -> str:
        """Write the header that answers a challenge (RFC 7616, section 3.4)."""
        told, name = challenge.parameters, challenge.hash_name or ""
        realm, nonce = told["realm"], told["nonce"]
        target = request.url.raw_path.decode("ascii")
        number, own = f"{next(challenge.counter):08x}", os.urandom(16).hex()
        key = _hash(name, self._username, realm, self._password)
        if challenge.algorithm.lower().endswith(SESSION):
            key = _hash(name, key, nonce, own)
        asked = _hash(name, request.method, target)
        username = self._username.replace("\\", "\\\\").replace('"', '\\"')
        quoted = {"username": username, "realm": realm, "nonce": nonce, "uri": target}
        plain: dict[str, str] = {}
        if "algorithm" in told:
            plain["algorithm"] = challenge.algorithm
        if challenge.is_protected:
            quoted["response"] = _hash(name, key, nonce, number, own, "auth", asked)
            quoted["cnonce"] = own
            plain |= {"qop": "auth", "nc": number}
        else:
            quoted["response"] = _hash(name, key, nonce, asked)
        if "opaque" in told:
            quoted["opaque"] = told["opaque"]
        pairs = [f'{name}="{value}"' for name, value in quoted.items()]
        return "Digest " + ", ".join(pairs + [f"{n}={v}" for n, v in plain.items()])


def _hash(name: str, *parts: str) -> str:
    return hashlib.new(name, ":".join(parts).encode()).hexdigest()


def _challenges(response: httpx2.Response) -> Iterator[_Challenge]:
    """Find the digest challenges of an answer (RFC 9110, section 11.6.1)."""
    for line in response.headers.get_list("www-authenticate"):
        found: list[tuple[str, dict[str, str]]] = []
        for element in _ELEMENT.findall(line):
            parameter = _PARAMETER.fullmatch(element.strip())
            if parameter is None:
                scheme = _SCHEME.fullmatch(element.strip())
                if scheme is None:
                    continue
                found.append((scheme[1].lower(), {}))
                parameter = _PARAMETER.fullmatch((scheme[2] or "").strip())
            if parameter is not None and found:
                found[-1][1].setdefault(parameter[1].lower(), _bare(parameter[2]))
        yield from (_Challenge(told) for scheme, told in found if scheme == "digest")


def _bare(text: str) -> str:
    """Take off the quotation marks; what is escaped inside is given back as it came."""
    return text.removeprefix('"').removesuffix('"')
