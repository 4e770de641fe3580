"""Where requests cannot go, and how long they cannot wait: said in words of our own."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from behaviour.plain import call, every_flavour, using
from behaviour.server import AT_ONCE, Server, answer, sends, until
from runtime import APIConnectionError, APIError, APITimeoutError, Request, RequestOptions
from runtime import Timeout as Timeouts
from runtime._decoder import BYTES
from runtime._hosts import fault_of
from runtime._request import bounded, limits_of

GET = Request("GET", "/x")
LABEL = "a" * 64
NOWHERE = ["http://a..b/x", f"http://{LABEL}.test/", "http://h:99999/", "http://.h/", "http://h../"]


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        server.plays(answer(b"fine"))
        yield server


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    return monkeypatch


@pytest.mark.parametrize("url", NOWHERE)
def test_no_host_no_port(url: str) -> None:
    assert fault_of(httpx2.URL(url)) is not None


@pytest.mark.parametrize(
    "url",
    [
        "http://h/",
        "http://h./",
        "http://h:65535/",
        "http://127.0.0.1:1/",
        "http://[::1]:1/",
        f"http://{LABEL[1:]}.test/",
        "http://bücher.test/",
        "http://a_b.test/",
    ],
)
def test_hosts_and_ports_that_may_be_there(url: str) -> None:
    assert fault_of(httpx2.URL(url)) is None


@every_flavour
@pytest.mark.parametrize("url", NOWHERE)
def test_a_base_url_leads_somewhere(flavour: str, url: str) -> None:
    with pytest.raises(ValueError, match="base_url leads nowhere"):
        call(flavour, GET, base_url=url)


@every_flavour
@pytest.mark.parametrize("url", NOWHERE)
def test_a_redirect_to_nowhere_is_a_failure_of_the_connection(
    server: Server, flavour: str, url: str
) -> None:
    server.plays(answer(b"", 307, headers={"Location": url, **AT_ONCE}))
    with pytest.raises(APIConnectionError, match="redirects to nowhere"):
        call(flavour, GET, base_url=server.url, max_retries=0)


@every_flavour
@pytest.mark.parametrize("proxy", [*NOWHERE, "http://h:x", "gopher://h", "http://[x/"])
def test_a_proxy_that_is_none_is_a_failure_of_the_connection(
    environment: pytest.MonkeyPatch, flavour: str, proxy: str
) -> None:
    environment.setenv("http_proxy", proxy)
    with pytest.raises(APIConnectionError, match="proxy of the environment is none"):
        call(flavour, GET, base_url="http://h.test", max_retries=0)


@every_flavour
def test_a_url_that_is_too_long_is_a_mistake_of_the_caller(server: Server, flavour: str) -> None:
    request = Request("GET", "/x", query={"q": "x" * 70_000})
    with pytest.raises(ValueError, match="URL of the call cannot be sent: URL too long"):
        call(flavour, request, base_url=server.url)
    assert server.requests == []


@every_flavour
def test_certificates_that_are_not_there_are_named(
    monkeypatch: pytest.MonkeyPatch, flavour: str, tmp_path: Path
) -> None:
    path = str(tmp_path / "none.pem")
    monkeypatch.setenv("SSL_CERT_FILE", path)
    with pytest.raises(FileNotFoundError, match=r"none\.pem"):
        call(flavour, GET, base_url="https://h.test", max_retries=0)
    Path(path).write_text("nothing")
    with pytest.raises(ssl.SSLError) as caught:
        call(flavour, GET, base_url="https://h.test", max_retries=0)
    assert caught.value.filename == path


FOREVER = float("inf")


@every_flavour
@pytest.mark.parametrize("timeout", [FOREVER, 1e300, 5e6, Timeouts(FOREVER, connect=1.0), None])
def test_a_timeout_may_be_as_long_as_it_likes(server: Server, flavour: str, timeout: Any) -> None:
    assert call(flavour, GET, base_url=server.url, timeout=timeout) == b"fine"
    request = Request("GET", "/x", timeout=timeout)
    assert call(flavour, request, base_url=server.url) == b"fine"


@every_flavour
@pytest.mark.parametrize("deadline", [FOREVER, 1e300, 5e6])
@pytest.mark.parametrize("mode", ["parsed", "streamed"])
def test_a_deadline_may_be_as_late_as_it_likes(
    server: Server,
    flavour: str,
    deadline: float,
    mode: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    complaints: list[object] = []
    monkeypatch.setattr(threading, "excepthook", complaints.append)
    options = RequestOptions(deadline=deadline, mode=mode, timeout=None)
    found = call(flavour, Request("GET", "/x", options=options), base_url=server.url)
    assert mode == "streamed" or found == b"fine"
    assert complaints == []


@every_flavour
@pytest.mark.parametrize("seconds", [float("nan"), -1.0])
def test_what_is_no_time_is_a_mistake_of_the_caller(
    server: Server, flavour: str, seconds: float
) -> None:
    with pytest.raises(ValueError, match="a timeout is a number of seconds"):
        call(flavour, GET, base_url=server.url, timeout=seconds)
    with pytest.raises(ValueError, match="a timeout is a number of seconds"):
        call(flavour, Request("GET", "/x", timeout=seconds), base_url=server.url)
    options = RequestOptions(deadline=seconds)
    with pytest.raises(APITimeoutError if seconds < 0 else ValueError):
        call(flavour, Request("GET", "/x", options=options), base_url=server.url)
    assert server.requests == []


def test_limits_are_bounded() -> None:
    assert [bounded(one) for one in (None, 0, 1.5, 3e6, FOREVER)] == [None, 0, 1.5, None, None]
    assert limits_of(FOREVER) == dict.fromkeys(("connect", "read", "write", "pool"))


@every_flavour
def test_a_call_whose_client_is_closed_meanwhile_fails_with_an_error_of_ours(
    flavour: str,
) -> None:
    """The server hangs up after that; before, the client would have tried again."""
    gate = threading.Event()
    with Server() as server:
        server.plays(sends(until(gate), lambda exchange: exchange.close()))

        def closing(client: Any) -> Any:
            def close() -> None:
                while not server.requests:
                    pass
                client.close()
                gate.set()

            thread = threading.Thread(target=close)
            thread.start()
            try:
                client.send(GET, BYTES)
            finally:
                thread.join()

        async def closing_too(client: Any) -> None:
            import anyio

            async with anyio.create_task_group() as tasks:

                async def close() -> None:
                    while not server.requests:
                        await anyio.sleep(0.01)
                    await client.close()
                    gate.set()

                tasks.start_soon(close)
                with pytest.raises(APIConnectionError, match="closed during the call"):
                    await client.send(GET, BYTES)

        if flavour == "sync":
            with pytest.raises(APIConnectionError, match="closed during the call"):
                using(flavour, closing, base_url=server.url)
        else:
            using(flavour, closing_too, base_url=server.url)
    with pytest.raises(RuntimeError, match="closed"):
        using(flavour, sent_after_close, base_url="http://h.test")


def sent_after_close(client: Any) -> Any:
    if hasattr(client, "aclose"):

        async def main() -> None:
            await client.close()
            await client.send(GET, BYTES)

        return main()
    client.close()
    return client.send(GET, BYTES)


CHARSETS = ["hex", "rot13", "undefined", "idna", "punycode", "none-such", "utf-16", "base64"]


@every_flavour
@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("mode", ["raw", "streamed"])
def test_text_is_text_in_every_charset(
    server: Server, flavour: str, charset: str, mode: Any
) -> None:
    content = "bücher\n".encode("utf-16" if charset == "utf-16" else "utf-8")
    server.plays(answer(content, content_type=f"text/plain; charset={charset}"))
    request = Request("GET", "/x", options=RequestOptions(mode=mode))

    def reading(client: Any) -> Any:
        if flavour != "sync":
            return reading_too(client)
        return [client.send(request, BYTES).text(), *client.send(request, BYTES).iter_lines()]

    async def reading_too(client: Any) -> list[str]:
        if mode == "raw":
            found = await client.send(request, BYTES)
            return [found.text(), *found.iter_lines()]
        text = await (await client.send(request, BYTES)).text()
        return [text, *[line async for line in (await client.send(request, BYTES)).iter_lines()]]

    assert using(flavour, reading, base_url=server.url) == ["bücher\n", "bücher"]


@every_flavour
def test_what_was_read_or_given_up_cannot_be_read(server: Server, flavour: str) -> None:
    request = Request("GET", "/x", options=RequestOptions(mode="streamed"))

    def reading(client: Any) -> Any:
        if flavour != "sync":
            return reading_too(client)
        found = client.send(request, BYTES)
        assert list(found.iter_bytes()) == [b"fine"]
        closed = client.send(request, BYTES)
        closed.close()
        for one in (found, closed):
            for read in (one.read, one.text, one.parse):
                with pytest.raises(APIError, match="read already, or given up"):
                    read()
            with pytest.raises(APIError, match="read already, or given up"):
                list(one.iter_bytes())

    async def reading_too(client: Any) -> None:
        found = await client.send(request, BYTES)
        assert [piece async for piece in found.iter_bytes()] == [b"fine"]
        closed = await client.send(request, BYTES)
        await closed.close()
        for one in (found, closed):
            for read in (one.read, one.text, one.parse):
                with pytest.raises(APIError, match="read already, or given up"):
                    await read()
            with pytest.raises(APIError, match="read already, or given up"):
                [piece async for piece in one.iter_bytes()]

    using(flavour, reading, base_url=server.url)
