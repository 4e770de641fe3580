"""The words in which synchronous and asynchronous code differ."""

from __future__ import annotations

from .package import Flavour

SYNC = Flavour("", "def", "", "SyncResource", "httpx2.Client", "raw", "streamed")
ASYNC = Flavour(
    "Async",
    "async def",
    "await ",
    "AsyncResource",
    "httpx2.AsyncClient",
    "async_raw",
    "async_streamed",
)
