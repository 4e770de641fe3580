"""One HTTP client for each event loop that an asynchronous client is used in.

Connections belong to the event loop that opened them. A client that outlives its loop
(``asyncio.run`` twice, a test suite, a worker per thread) needs others in the next.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

import anyio.lowlevel
import httpx2

from ._forgotten import close_with
from ._transport import async_client

if TYPE_CHECKING:
    import ssl

__all__ = ["HTTPClients"]


class HTTPClients:
    """Gives the HTTP client of the event loop that is running."""

    def __init__(
        self,
        given: httpx2.AsyncClient | None,
        certificate: ssl.SSLContext | None = None,
    ) -> None:
        """Use the ``given`` client in any loop, else make one for each."""
        self.given = given
        self._certificate = certificate
        self._closed = False
        self._lock = threading.Lock()
        self._of_loop: weakref.WeakKeyDictionary[
            object, tuple[httpx2.AsyncClient, AsyncGenerator[None]]
        ] = weakref.WeakKeyDictionary()
        # Held by this, the connections are no garbage yet when their owner is: they
        # are still to be closed then, and would complain about being thrown away.
        weakref.finalize(self, self._of_loop.clear).atexit = False

    @property
    def is_closed(self) -> bool:
        """Whether the clients were closed."""
        return self._closed if self.given is None else self.given.is_closed

    async def here(self) -> httpx2.AsyncClient:
        """Find the client of this loop; raises RuntimeError when they were closed."""
        if self.given is not None:
            return self.given
        if self._closed:
            raise RuntimeError("the client has been closed, so it cannot send requests")
        loop = anyio.lowlevel.current_token().native_token
        known = self._of_loop.get(loop)
        if known is not None:
            return known[0]
        client = async_client(self._certificate)
        guard = _close_with_loop(client)
        await anext(guard)
        close_with(self, guard)
        with self._lock:
            # The clients of loops that have ended would keep those in memory.
            for ended in [k for k, (c, _) in self._of_loop.items() if c.is_closed]:
                del self._of_loop[ended]
            self._of_loop[loop] = client, guard
        return client

    async def aclose(self) -> None:
        """Close the client of this loop; other loops close theirs by themselves."""
        if self.given is not None:
            await self.given.aclose()
            return
        self._closed = True
        with self._lock:
            known = self._of_loop.pop(anyio.lowlevel.current_token().native_token, None)
            self._of_loop.clear()
        if known is not None:
            await known[1].aclose()


async def _close_with_loop(client: httpx2.AsyncClient) -> AsyncGenerator[None]:
    """Close ``client`` when its event loop ends, or when nobody holds this any more.

    Event loops see to it that generators which have begun are closed: as their last
    act, and whenever one is garbage. Started and kept, this one makes the connections
    go the same way, instead of outliving the loop that they need in order to close.
    """
    try:
        yield
    finally:
        await client.aclose()
