"""Documents on other machines: fetched only when that is allowed, within limits, and kept.

A reference in a description must not turn the one who reads it into a means to look into a
network: each address is checked before it is connected to, also after a redirect, and it is that
very address that is connected to. Proxies are not used.
"""

from __future__ import annotations

import hashlib
import http.client
import ipaddress
import os
import socket
import ssl
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

from specloom.description.document import MAX_BYTES
from specloom.description.text import Broken

MAX_AGE: Final = 24 * 3600
"""Seconds that a document is kept."""
MAX_CACHE: Final = 256 * 2**20
"""Bytes that are kept; the documents that were fetched first go first."""
_SECONDS: Final = 30.0
_REDIRECTS: Final = 5
_CHUNK: Final = 2**16


def user_caches() -> Path:
    """Return the folder of everything that is kept: that of the XDG Base Directory rules."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "specloom"


@dataclass(frozen=True, slots=True)
class Remote:
    """Fetches documents.

    ``cache`` is the folder that keeps them, ``private`` allows addresses that the Internet does
    not know, ``seconds`` limits the time for one document and ``size`` its bytes.
    """

    cache: Path | None = None
    private: bool = False
    seconds: float = _SECONDS
    size: int = MAX_BYTES

    def fetch(self, uri: str) -> bytes:
        """Return the document at a URI; raises ``Broken``."""
        kept = None if self.cache is None else self.cache / hashlib.sha256(uri.encode()).hexdigest()
        if kept is not None and (content := _kept(kept)) is not None:
            return content
        content = self._get(uri)
        if kept is not None:
            _keep(kept, content)
        return content

    def _get(self, uri: str) -> bytes:
        """Fetch a document, following redirects."""
        deadline = time.monotonic() + self.seconds
        at = uri
        for _ in range(_REDIRECTS + 1):
            try:
                answer = self._ask(at, deadline)
            except (OSError, http.client.HTTPException, ValueError) as error:
                reason = f"{error}" or type(error).__name__
                raise _unreachable(uri, reason[:1].lower() + reason[1:]) from None
            if isinstance(answer, bytes):
                return answer
            if urlsplit(at).scheme == "https" and urlsplit(answer).scheme != "https":
                raise _unreachable(uri, f"it redirects to '{answer}', which is not encrypted")
            at = answer
        raise _unreachable(uri, f"it redirects more than {_REDIRECTS} times")

    def _ask(self, uri: str, deadline: float) -> bytes | str:
        """Return the document at a URI, or where else it is."""
        parts = urlsplit(uri)
        connection = self._connect(uri, deadline)
        # A server may send a byte now and then, so that no single one takes too long.
        alarm = threading.Timer(_left(deadline), _hang_up, [connection])
        alarm.daemon = True
        alarm.start()
        try:
            path = urlunsplit(("", "", parts.path or "/", parts.query, ""))
            path = quote(path, safe="/?%:@!$&'()*+,;=~[]")
            accepted = "application/json, application/yaml, */*"
            headers = {"Accept": accepted, "Host": parts.netloc.rpartition("@")[2]}
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            if response.status in (301, 302, 303, 307, 308):
                return urljoin(uri, response.getheader("Location", ""))
            if response.status != 200:
                raise ValueError(f"the server answers {response.status} {response.reason}")
            return self._body(response)
        except (OSError, http.client.HTTPException, ValueError):
            _left(deadline)
            raise
        finally:
            alarm.cancel()
            connection.close()

    def _body(self, response: http.client.HTTPResponse) -> bytes:
        """Read a body within the limits."""
        content = bytearray()
        while chunk := response.read1(_CHUNK):
            content += chunk
            if len(content) > self.size:
                raise ValueError(f"it is larger than {self.size:,} bytes")
        if response.length:
            raise ValueError("the connection ended before the document")
        return bytes(content)

    def _connect(self, uri: str, deadline: float) -> http.client.HTTPConnection:
        """Connect to the machine of a URI, unless its address is not to be reached."""
        parts = urlsplit(uri)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("only documents of http and https can be fetched")
        port = parts.port or (443 if parts.scheme == "https" else 80)
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
        for *_, address in found:
            if not self.private and not _is_public(str(address[0])):
                message = f"{parts.hostname} is at {address[0]}, which is a private address"
                raise ValueError(f"{message}; --allow-private allows it")
        connection = http.client.HTTPConnection(parts.hostname, port)
        connection.sock = _open([str(address[0]) for *_, address in found], port, deadline)
        if parts.scheme == "https":
            context = ssl.create_default_context()
            connection.sock = context.wrap_socket(connection.sock, server_hostname=parts.hostname)
        return connection


def _open(addresses: list[str], port: int, deadline: float) -> socket.socket:
    """Connect to the first of the addresses of a machine that answers."""
    refusal = OSError("the machine has no address")
    for address in dict.fromkeys(addresses):
        try:
            return socket.create_connection((address, port), _left(deadline))
        except OSError as error:
            refusal = error
    raise refusal


def _hang_up(connection: http.client.HTTPConnection) -> None:
    """End a connection that another thread reads from."""
    with suppress(OSError):
        if connection.sock is not None:
            connection.sock.shutdown(socket.SHUT_RDWR)


def _left(deadline: float) -> float:
    """Return how many seconds are left."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("it takes too long")
    return left


def _is_public(address: str) -> bool:
    """Return whether an address is one of the Internet."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        # Addresses that stand for others, which may be private.
        inner = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo or (None, None))[1]
        if inner is not None:
            return inner.is_global and not inner.is_multicast
        if parsed in ipaddress.IPv6Network("64:ff9b::/96"):
            return _is_public(str(ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)))
    return parsed.is_global and not parsed.is_multicast


def _unreachable(uri: str, reason: str) -> Broken:
    return Broken("unreachable-document", f"'{uri}' cannot be fetched: {reason}")


def _kept(path: Path) -> bytes | None:
    """Return a document that is kept and not too old."""
    try:
        if 0 <= time.time() - path.stat().st_mtime < MAX_AGE:
            return path.read_bytes()
    except OSError:
        pass
    return None


def _keep(path: Path, content: bytes) -> None:
    """Keep a document, in the place of older ones where there are too many."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(content)
        os.replace(file.name, path)
        newest = sorted(
            ((one.stat().st_mtime, one.stat().st_size, one) for one in path.parent.iterdir()),
            reverse=True,
        )
        total = 0
        for _, size, one in newest:
            total += size
            if total > MAX_CACHE:
                one.unlink()
