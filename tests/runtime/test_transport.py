"""Connections: routed as the environment says, and opened late."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import Any

import anyio
import httpx2
import pytest

from runtime._proxies import Proxies
from runtime._transport import async_client, client_headers, sync_client

PROXY = "http://proxy:3128"


def direct(no_proxy: str, host: str, port: int | None = 80) -> bool:
    """Whether ``NO_PROXY`` takes a host out."""
    proxies = Proxies.of({"http": PROXY, "no": no_proxy})
    return proxies.proxy_for("http", host, port) is None


class TestProxies:
    def test_each_scheme_has_its_own_or_the_common_one(self) -> None:
        proxies = Proxies.of({"http": PROXY, "all": "socks5://other:1080", "ftp": "x"})
        assert proxies.proxy_for("http", "h", 80) == PROXY
        assert proxies.proxy_for("https", "h", 443) == "socks5://other:1080"
        assert Proxies.of({"http": PROXY}).proxy_for("https", "h", 443) is None

    def test_a_proxy_without_a_scheme_speaks_http(self) -> None:
        assert Proxies.of({"https": "proxy:1"}).proxy_for("https", "h", 443) == "http://proxy:1"

    def test_nothing_set_means_no_proxy(self) -> None:
        assert Proxies.of({}) == Proxies({})
        assert Proxies.of({"http": "", "no": "a"}) == Proxies({})

    @pytest.mark.parametrize(
        ("entry", "host"),
        [
            ("example.com", "example.com"),
            ("example.com", "api.example.com"),
            ("EXAMPLE.com", "Example.COM"),
            (".example.com", "api.example.com"),
            ("*.example.com", "api.example.com"),
            ("example.com:80", "example.com"),
            ("http://example.com", "example.com"),
            ("localhost", "localhost"),
            ("127.0.0.1", "127.0.0.1"),
            ("127.0.0.0/8", "127.1.2.3"),
            ("::1", "::1"),
            ("::1/128", "::1"),
            ("[::1]", "::1"),
            ("[::1]:80", "::1"),
            ("fe80::/10", "fe80::1"),
            ("[fe80::]/10", "fe80::1"),
            ("a, b  example.com", "example.com"),
            ("*", "anything"),
        ],
    )
    def test_no_proxy_takes_out(self, entry: str, host: str) -> None:
        assert direct(entry, host)
        assert direct(f"other, {entry} ,", host)

    @pytest.mark.parametrize(
        ("entry", "host"),
        [
            ("example.com", "badexample.com"),
            ("example.com", "example.com.evil"),
            ("example.com:8080", "example.com"),
            ("127.0.0.0/8", "128.0.0.1"),
            ("::1/128", "::2"),
            ("10.0.0.0/8", "host"),
            ("10.0.0.0/99", "10.0.0.1"),
            ("a/b", "a"),
            ("", "host"),
        ],
    )
    def test_no_proxy_leaves_in(self, entry: str, host: str) -> None:
        assert not direct(entry, host)


@pytest.fixture
def origin() -> Iterator[str]:
    """A server that echoes the first line of each request and whose cookies nobody wants."""
    yield from run_server()


def run_server() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def serve(listener: socket.socket) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection, connection.makefile("rb") as lines:
            while first := lines.readline():
                names: list[bytes] = []
                while (line := lines.readline()) not in (b"\r\n", b""):
                    names.append(line.partition(b":")[0].lower())
                telling = (b"cookie", b"authorization", b"x-key")
                body = first.strip() + b" " + b",".join(n for n in names if n in telling)
                target = first.split()[1]
                status = b"200 OK\r\nSet-Cookie: a=b"
                if target.startswith(b"/to/"):
                    status = b"307 There\r\nLocation: " + target.removeprefix(b"/to/")
                head = b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n"
                connection.sendall(head % (status, len(body)) + body)


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    return monkeypatch


def get(url: str) -> str:
    with sync_client() as client:
        return client.get(url).text


async def get_async(url: str) -> str:
    async with async_client() as client:
        return (await client.get(url)).text


@pytest.mark.parametrize("how", ["sync", "async"])
def test_requests_go_through_the_proxy(
    origin: str, environment: pytest.MonkeyPatch, how: str
) -> None:
    environment.setenv("http_proxy", origin)
    environment.setenv("no_proxy", "::1/128,[::1],fe80::/10,direct.test")
    url = "http://api.test/v1"
    text = get(url) if how == "sync" else anyio.run(get_async, url)
    assert text == "GET http://api.test/v1 HTTP/1.1 "


@pytest.mark.parametrize("how", ["sync", "async"])
def test_exempt_hosts_are_reached_directly(
    origin: str, environment: pytest.MonkeyPatch, how: str
) -> None:
    environment.setenv("all_proxy", "http://127.0.0.1:9")
    environment.setenv("no_proxy", "127.0.0.1")
    text = get(origin) if how == "sync" else anyio.run(get_async, origin)
    assert text == "GET / HTTP/1.1 "


def test_the_proxies_are_those_of_when_the_client_was_made(
    origin: str, environment: pytest.MonkeyPatch
) -> None:
    with sync_client() as client:
        environment.setenv("http_proxy", "http://127.0.0.1:9")
        assert client.get(origin).text == "GET / HTTP/1.1 "


def test_connections_are_kept_alive_and_cookies_are_not(
    origin: str, environment: pytest.MonkeyPatch
) -> None:
    with sync_client() as client:
        for _ in range(2):
            with client.stream("GET", origin) as response:
                connection = response.extensions["network_stream"].get_extra_info("socket")
                assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
                assert response.read() == b"GET / HTTP/1.1 "
        assert not client.cookies


def test_no_certificates_are_loaded_for_plain_http(
    origin: str, environment: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []
    original = httpx2.HTTPTransport.__init__

    def spy(self: httpx2.HTTPTransport, **settings: Any) -> None:
        made.append(settings["verify"])
        original(self, **settings)

    environment.setattr(httpx2.HTTPTransport, "__init__", spy)
    with sync_client() as client:
        assert made == []
        client.get(origin)
        client.get(origin)
        assert made == [False]
        with pytest.raises(httpx2.ConnectError):
            client.get("https://127.0.0.1:9")
        assert made == [False, True]


def test_the_headers_of_httpx2_are_known_without_a_connection() -> None:
    assert "gzip" in client_headers()["accept-encoding"]
