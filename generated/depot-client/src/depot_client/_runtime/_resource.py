"""The base of the classes that group the operations of an API."""

from __future__ import annotations

from ._async import AsyncClient
from ._sync import SyncClient

__all__ = ["AsyncResource", "SyncResource"]


class SyncResource:
    """Operations that belong together, on a synchronous client."""

    def __init__(self, client: SyncClient) -> None:
        """Take the client through which the operations go."""
        self._client = client


class AsyncResource:
    """Operations that belong together, on an asynchronous client."""

    def __init__(self, client: AsyncClient) -> None:
        """Take the client through which the operations go."""
        self._client = client
