"""Documents on other machines: only when allowed, within limits, kept for a while."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from specloom.description import remote
from specloom.description.load import Access, load
from specloom.description.remote import Remote
from specloom.description.text import Broken
from specloom.description.validate import validate
from specloom.diagnostics import Origin, Report

from .desk import Desk

HEAD = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\n"


@dataclass
class Server:
    """A server on this machine; ``asked`` has the paths that were asked for."""

    url: str = ""
    answers: dict[str, tuple[int, dict[str, str], bytes]] = field(
        default_factory=dict[str, tuple[int, dict[str, str], bytes]]
    )
    asked: list[str] = field(default_factory=list[str])

    def has(self, path: str, content: str | bytes, status: int = 200, **headers: str) -> str:
        """Answer with a content at a path; return its URI."""
        data = content if isinstance(content, bytes) else content.encode()
        self.answers[path] = (status, headers, data)
        return f"{self.url}{path}"


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that answers what tests tell it to."""
    told = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.asked.append(self.path)
            status, headers, data = told.answers.get(self.path, (404, {}, b""))
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.url = f"http://127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield told
    http.shutdown()
    thread.join()
    http.server_close()


def refusal(uri: str, fetcher: Remote) -> str:
    """Return why a document cannot be fetched."""
    with pytest.raises(Broken) as caught:
        fetcher.fetch(uri)
    assert caught.value.code == "unreachable-document"
    return caught.value.message


def test_references_into_remote_documents(desk: Desk, server: Server) -> None:
    server.has("/deep/b.yaml", "B: {$ref: 'd.yaml'}\n")
    server.has("/deep/d.yaml", "$ref: ../c.json#/C\n")
    server.has("/c.json", '{"C": {"type": "integer", "default": "x"}}')
    ref = f"{server.url}/deep/b.yaml#/B"
    desk.write({"api.yaml": f"{HEAD}components: {{schemas: {{A: {{$ref: '{ref}'}}}}}}\n"})
    access = Access(remote=Remote(private=True))
    description = load(desk.folder / "api.yaml", desk.report, access=access)
    found = desk.follow(description, ref)
    assert found == Origin(f"{server.url}/deep/b.yaml", "/B")
    assert description.resolve("d.yaml", found) == Origin(f"{server.url}/deep/d.yaml")
    validate(description, desk.report)
    (said,) = desk.said(description)
    assert said.startswith(f"{server.url}/c.json:1:27: warning[invalid-default]: ")
    assert server.asked == ["/deep/b.yaml", "/deep/d.yaml", "/c.json"]


def test_without_permission_nothing_is_asked(desk: Desk, server: Server) -> None:
    uri = server.has("/b.yaml", "B: {}\n")
    description = desk.loads(HEAD)
    assert description.target(f"{uri}#/B", Origin("api.yaml"), desk.report) is None
    (said,) = desk.said(description)
    assert "error[remote-reference]" in said
    assert "--allow-remote" in said
    assert server.asked == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "127.1"])
def test_private_addresses_need_a_permission_of_their_own(server: Server, host: str) -> None:
    port = server.url.rpartition(":")[2]
    message = refusal(f"http://{host}:{port}/b.yaml", Remote())
    assert "private address" in message or "address family" in message.lower()
    assert server.asked == []


def test_a_redirect_leads_to_no_private_address(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    uri = server.has("/a", b"", 302, Location=f"{server.url.replace('127.0.0.1', 'localhost')}/b")
    checked: list[str] = []

    def first_only(address: str) -> bool:
        checked.append(address)
        return len(checked) == 1

    monkeypatch.setattr(remote, "_is_public", first_only)
    assert "private address" in refusal(uri, Remote())
    assert server.asked == ["/a"]


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.0.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:8.8.8.8", True),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert remote._is_public(address) == public  # pyright: ignore[reportPrivateUsage]


def test_redirects_end(server: Server) -> None:
    uri = server.has("/a", b"", 307, Location="/a")
    assert "redirects more than 5 times" in refusal(uri, Remote(private=True))
    assert len(server.asked) == 6
    server.has("/b", "x", 301, Location="c")
    server.has("/c", "found")
    assert Remote(private=True).fetch(f"{server.url}/b") == b"found"


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("ftp://example.com/a", "http and https"),
        ("http://", "http and https"),
        ("http://127.0.0.1:99999/a", "port"),
        ("http://127.0.0.1:1/a", "refused"),
    ],
)
def test_what_cannot_be_fetched(uri: str, reason: str) -> None:
    assert reason in refusal(uri, Remote(private=True)).lower()


def test_other_answers(server: Server) -> None:
    fetcher = Remote(private=True, size=1000)
    assert "answers 404" in refusal(f"{server.url}/gone", fetcher)
    assert "larger than 1,000 bytes" in refusal(server.has("/a", b"x" * 1001), fetcher)
    assert fetcher.fetch(server.has("/b", b"x" * 1000)) == b"x" * 1000
    server.answers["/c"] = (200, {"Content-Length": "500"}, b"short")
    cut = f"{server.url}/c"
    assert "ended before" in refusal(cut, fetcher)
    assert fetcher.fetch(server.has("/d%20e?f=%C3%A9", b"y")) == b"y"
    assert fetcher.fetch(f"{server.url}/d%20e?f=é") == b"y"


def test_a_server_that_says_a_byte_now_and_then() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        done = threading.Event()

        def drip() -> None:
            connection, _ = listener.accept()
            with connection:
                while not done.wait(0.02):
                    try:
                        connection.sendall(b"H")
                    except OSError:
                        return

        thread = threading.Thread(target=drip)
        thread.start()
        uri = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        assert "takes too long" in refusal(uri, Remote(private=True, seconds=0.2))
        done.set()
        thread.join()


def test_documents_are_kept_for_a_while(server: Server, tmp_path: Path) -> None:
    uri = server.has("/a", "one")
    fetcher = Remote(tmp_path / "cache", private=True)
    assert fetcher.fetch(uri) == fetcher.fetch(uri) == b"one"
    assert server.asked == ["/a"]
    (kept,) = (tmp_path / "cache").iterdir()
    server.has("/a", "two")
    past = kept.stat().st_mtime - remote.MAX_AGE
    os.utime(kept, (past, past))
    assert fetcher.fetch(uri) == b"two"
    assert [p.read_bytes() for p in (tmp_path / "cache").iterdir()] == [b"two"]


def test_what_is_kept_has_a_limit(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "MAX_CACHE", 25)
    fetcher = Remote(tmp_path, private=True)
    for index in range(5):
        fetcher.fetch(server.has(f"/{index}", b"x" * 10))
        for age, path in enumerate(sorted(tmp_path.iterdir(), key=os.path.getmtime), 1):
            os.utime(path, (1_000_000 + age, 1_000_000 + age))
    assert len(list(tmp_path.iterdir())) == 2


def test_a_cache_that_cannot_be_written_is_no_problem(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    fetcher = Remote(tmp_path / "file" / "cache", private=True)
    assert fetcher.fetch(server.has("/a", "one")) == b"one"


def test_a_remote_document_reaches_no_file(desk: Desk, server: Server) -> None:
    server.has("/b.yaml", "B: {$ref: 'file:///etc/hostname#/x'}\nC: {$ref: /etc/hostname}\n")
    desk.write({"api.yaml": HEAD})
    access = Access(outside=True, remote=Remote(private=True))
    description = load(desk.folder / "api.yaml", Report(), access=access)
    at = Origin(f"{server.url}/b.yaml", "/B")
    assert description.resolve("file:///etc/hostname", at) is None
    assert description.resolve("/etc/hostname", at) is None
    assert server.asked[-1] == "/etc/hostname"
