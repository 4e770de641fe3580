"""What is forgotten under trio is closed without a word.

Event loops close the asynchronous generators that nobody holds any more, and that is how
streams and clients which were forgotten end their connections. trio does so, too, but
complains of each.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import AsyncGenerator
from types import AsyncGeneratorType
from typing import Any

import anyio.lowlevel

__all__ = ["close_with"]

_held: list[AsyncGeneratorType[None, None]] = []


def close_with(owner: object, guard: AsyncGenerator[None]) -> None:
    """Have a generator closed when its owner is forgotten; asyncio does that itself."""
    trio: Any = sys.modules.get("trio")  # which another thread may be importing yet
    if trio is None or not isinstance(guard, AsyncGeneratorType):
        return
    token: Any = anyio.lowlevel.current_token().native_token
    if type(token).__module__.partition(".")[0] == "trio":
        weakref.finalize(owner, _forgotten, trio, token, guard).atexit = False


def _forgotten(trio: Any, token: Any, guard: AsyncGeneratorType[None, None]) -> None:
    async def close() -> None:
        try:
            await guard.aclose()
        except Exception:
            pass  # There is nobody left to tell.

    def begin() -> None:
        try:
            trio.lowlevel.spawn_system_task(close)
        except RuntimeError:
            # The loop is about to end, and closes all generators that somebody holds.
            _held[:] = [one for one in _held if one.ag_frame is not None]
            _held.append(guard)

    if guard.ag_frame is None:
        return  # It was closed in time.
    try:
        token.run_sync_soon(begin)
    except trio.RunFinishedError:
        pass  # The end of the loop has closed it.
