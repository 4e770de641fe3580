"""Connections: pooled, kept alive, routed as the environment says, opened late.

``httpx2.Client`` loads the system's certificates when it is made, and drops socket
options when there are proxies. These transports load certificates when the first
``https`` request is made, and keep to both.
"""

from __future__ import annotations

import os
import socket
import threading
import urllib.request
import weakref
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypedDict, TypeVar

import anyio.to_thread
import httpx2

from ._connections import early, head_in_time, is_early, prepare, prepare_async
from ._hosts import fault_of
from ._proofs import ELSEWHERE
from ._proxies import Proxies

if TYPE_CHECKING:
    import ssl

__all__ = ["async_client", "client_headers", "sync_client"]

LIMITS = httpx2.Limits(max_connections=1000, max_keepalive_connections=100)
MAX_REDIRECTS = 20
PROXY_SCHEMES = ("http", "https", "socks5", "socks5h")
OPENED = ("connect_tcp.complete", "start_tls.complete")

# Seconds of silence before the first probe, seconds between probes, and how many may
# stay unanswered. Not every platform has each of these names.
_KEEP_ALIVE = (
    ("TCP_KEEPIDLE", 60),
    ("TCP_KEEPALIVE", 60),  # what macOS calls TCP_KEEPIDLE
    ("TCP_KEEPINTVL", 60),
    ("TCP_KEEPCNT", 5),
)

Route: TypeAlias = tuple[bool, str | None, bool]
"""Whether the target is reached over TLS, through which proxy, and whether it is not the
API but somebody that it sends its callers to."""

PoolT = TypeVar("PoolT", httpx2.HTTPTransport, httpx2.AsyncHTTPTransport)


class _Settings(TypedDict):
    verify: bool | ssl.SSLContext
    limits: httpx2.Limits
    proxy: str | None
    socket_options: list[tuple[int, int, int]]


class _Pools(Generic[PoolT]):
    """One pool of connections for each route, made when it is first needed."""

    def __init__(self, make: Callable[[Route], PoolT]) -> None:
        self._make: Callable[[Route], PoolT] = make
        self._proxies = Proxies.of(urllib.request.getproxies())
        self._lock = threading.Lock()
        self.open: dict[Route, PoolT] = {}

    def route(self, request: httpx2.Request) -> Route:
        """Choose the way that a request takes."""
        url = request.url
        scheme = url.scheme
        proxy = None
        if self._proxies.by_scheme:
            port = url.port or _default_port(scheme)
            proxy = self._proxies.proxy_for(scheme, url.host, port)
        return scheme == "https", proxy, ELSEWHERE in request.extensions

    def make(self, route: Route) -> PoolT:
        """Make the pool of a route, unless another thread was faster."""
        with self._lock:
            pool = self.open.get(route)
            if pool is None:
                with _certificates_named():
                    pool = self.open[route] = self._make(route)
            return pool


def _socket_options() -> list[tuple[int, int, int]]:
    options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    for name, value in _KEEP_ALIVE:
        option: int | None = getattr(socket, name, None)
        if option is not None:
            options.append((socket.IPPROTO_TCP, option, value))
    return options


def _opened(event: str, info: Mapping[str, Any]) -> None:
    """Prepare a connection; httpx2 calls this as the ``trace`` of a request."""
    if event.endswith(OPENED):
        prepare(info["return_value"])


def _opened_to_proxy(event: str, info: Mapping[str, Any]) -> None:
    _keep_alive(event, info)
    _opened(event, info)


def _keep_alive(event: str, info: Mapping[str, Any]) -> None:
    """Set the options of a socket as soon as it is connected.

    httpx2 does not apply socket options to connections that go through a proxy.
    """
    if event.endswith("connect_tcp.complete"):
        connection = info["return_value"].get_extra_info("socket")
        for option in _socket_options():
            connection.setsockopt(*option)


async def _opened_async(event: str, info: Mapping[str, Any]) -> None:
    if event.endswith(OPENED):
        prepare_async(info["return_value"])


async def _opened_to_proxy_async(event: str, info: Mapping[str, Any]) -> None:
    _keep_alive(event, info)
    await _opened_async(event, info)


@contextmanager
def _certificates_named() -> Generator[None]:
    """Name the certificates of the environment in an error of the file system."""
    try:
        yield
    except OSError as error:
        named = os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR")
        error.filename = error.filename or named
        raise


def _checked(proxy: str | None) -> str | None:
    """Refuse a proxy to which there is no way; raises ProxyError."""
    try:
        url = None if proxy is None else httpx2.URL(proxy)
        fault = None if url is None else fault_of(url)
    except httpx2.InvalidURL as error:
        url, fault = None, str(error)
    if url is not None and url.scheme not in PROXY_SCHEMES:
        fault = f"it speaks {url.scheme!r}"
    if fault is not None:
        raise httpx2.ProxyError(f"The proxy of the environment is none: {fault}")
    return proxy


def _default_port(scheme: str) -> int | None:
    return {"http": 80, "https": 443}.get(scheme)


def _settings(route: Route, certificate: ssl.SSLContext | None) -> _Settings:
    tls, proxy, elsewhere = route
    shown = certificate if tls and not elsewhere else None
    # Without TLS to the target there is no certificate to check, hence none to load.
    return {
        "verify": tls if shown is None else shown,
        "limits": LIMITS,
        "proxy": _checked(proxy),
        "socket_options": _socket_options(),
    }


class SyncTransport(httpx2.BaseTransport):
    """The transport of a synchronous client."""

    def __init__(self, certificate: ssl.SSLContext | None = None) -> None:
        """Read the proxies of the environment, and open nothing yet."""
        self._pools = _Pools(
            lambda route: httpx2.HTTPTransport(**_settings(route, certificate))
        )
        # Sockets left open when the interpreter exits make it warn about each.
        weakref.finalize(self, _close_all, self._pools.open)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request over its route."""
        route = self._pools.route(request)
        trace = _opened if route[1] is None else _opened_to_proxy
        request.extensions["trace"] = trace
        pool = self._pools.open.get(route) or self._pools.make(route)
        with head_in_time(request):
            response = pool.handle_request(request)
        if is_early(response):
            response.close()
            raise early(request)
        return response

    def close(self) -> None:
        """Close the connections of every route."""
        _close_all(self._pools.open)


def _close_all(pools: dict[Route, httpx2.HTTPTransport]) -> None:
    while pools:
        pools.popitem()[1].close()


class AsyncTransport(httpx2.AsyncBaseTransport):
    """The transport of an asynchronous client in one event loop."""

    def __init__(self, certificate: ssl.SSLContext | None = None) -> None:
        """Read the proxies of the environment, and open nothing yet."""
        self._pools = _Pools(
            lambda route: httpx2.AsyncHTTPTransport(**_settings(route, certificate))
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request over its route."""
        route = self._pools.route(request)
        trace = _opened_async if route[1] is None else _opened_to_proxy_async
        request.extensions["trace"] = trace
        pool = self._pools.open.get(route)
        if pool is None:
            # Loading httpx2's lower half, and certificates, takes a tenth of a second
            # in which the event loop had better do something else.
            pool = await anyio.to_thread.run_sync(self._pools.make, route)
        try:
            response = await pool.handle_async_request(request)
        except OSError as error:
            if _is_about_tls(error):  # which httpx2 lets through
                raise httpx2.ReadError(str(error), request=request) from error
            raise
        if is_early(response):
            await response.aclose()
            raise early(request)
        return response

    async def aclose(self) -> None:
        """Close the connections of every route."""
        pools = self._pools.open
        while pools:
            await pools.popitem()[1].aclose()


def _is_about_tls(error: OSError) -> bool:
    import ssl  # which is loaded by now, if it is

    return isinstance(error, ssl.SSLError)


def sync_client(certificate: ssl.SSLContext | None = None) -> httpx2.Client:
    """Make the HTTP client of a client that was given none.

    The ``certificate`` is the context in which it shows one of its own.
    """
    return httpx2.Client(
        transport=SyncTransport(certificate),
        follow_redirects=True,
        max_redirects=MAX_REDIRECTS,
        cookies=_no_cookies(),
    )


def async_client(certificate: ssl.SSLContext | None = None) -> httpx2.AsyncClient:
    """Make the HTTP client of an asynchronous client, for one event loop."""
    return httpx2.AsyncClient(
        transport=AsyncTransport(certificate),
        follow_redirects=True,
        max_redirects=MAX_REDIRECTS,
        cookies=_no_cookies(),
    )


@lru_cache(maxsize=1)
def client_headers() -> Mapping[str, str]:
    """The headers that httpx2 sends of itself: what it can decompress, and the like."""
    return dict(httpx2.Client(transport=httpx2.BaseTransport()).headers)


def _no_cookies() -> CookieJar:
    """Make a jar that takes no cookie: calls are independent of one another."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))
