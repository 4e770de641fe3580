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

RUNTIME: dict[Flavour, frozenset[str]] = {
    SYNC: frozenset({"Stream", "Page", SYNC.resource, SYNC.raw, SYNC.streamed}),
    ASYNC: frozenset({"AsyncStream", "AsyncPages", ASYNC.resource, ASYNC.raw, ASYNC.streamed}),
}
"""What the resources of a flavour import of the runtime, and those of the other do not."""
