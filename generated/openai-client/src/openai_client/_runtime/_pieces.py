"""Reading a body under asyncio or trio, so that it ends in order.

httpx2 reads through half a dozen nested asynchronous generators. An event loop that
ends closes all generators that are still open, in no order: the outer ones, which wait
for the inner ones to close, then meet some that are being closed already, and the loop
complains. So these generators are kept from the loop's sight, and one that closes them
from the outside in takes their place there. It gets those, too, that their users forget,
as httpx2 does when it cannot decompress what has come: closing them means waiting, and
who merely drops one ends in the midst of that, in whatever task happens to run.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any

import httpx2

from ._forgotten import close_with

__all__ = ["Pieces"]


class Pieces:
    """The pieces of a body as they arrive, decompressed."""

    def __init__(self, response: httpx2.Response) -> None:
        """Take over the body of a response; what is not read is closed some day."""
        self._response = response
        self._reading: list[AsyncGenerator[bytes]] = []
        self._guard = _guard(response, self._reading)
        _start(self._guard)
        close_with(self, self._guard)

    async def next(self) -> bytes | None:
        """Wait for the next piece; None at the end."""
        if self._reading:
            return await anext(self._reading[0], None)
        pieces = self._response.aiter_bytes()
        self._reading.append(pieces)
        return await _FirstPiece(pieces, self._reading.append)

    async def aclose(self) -> None:
        """Close the body, and the connection if it was not read to its end."""
        await self._guard.aclose()


async def _guard(
    response: httpx2.Response, reading: list[AsyncGenerator[bytes]]
) -> AsyncGenerator[None]:
    try:
        yield
    finally:
        # First the connection: without it, the generators have nothing to wait for.
        await response.aclose()
        for pieces in reading:  # which may become more on the way
            try:
                await pieces.aclose()
            except RuntimeError:
                pass  # A task waits for the next piece; it gets an error instead.


def _start(generator: AsyncGenerator[None]) -> None:
    """Run a generator up to its first ``yield``, which it reaches without waiting."""
    try:
        generator.asend(None).send(None)
    except StopIteration:
        pass


class _FirstPiece:
    """Waits for the first piece, during which all the generators begin.

    Where a generator begins, it is shown to the event loop by way of hooks (PEP 525).
    Setting those aside until the loop takes over again affects nothing else. One that
    is forgotten before its end goes to ``forgotten``.
    """

    def __init__(
        self,
        pieces: AsyncGenerator[bytes],
        forgotten: Callable[[AsyncGenerator[bytes]], None],
    ) -> None:
        self._pieces = pieces
        self._forgotten = forgotten

    def __await__(self) -> Generator[Any, Any, bytes | None]:
        hooks = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(None, self._forgotten)
        try:
            step = anext(self._pieces, None).__await__()
            try:
                signal = step.send(None)
            finally:
                sys.set_asyncgen_hooks(*hooks)
            # From here on this is ``yield from step``, which cannot start half-way.
            while True:
                try:
                    reply = yield signal
                except BaseException as error:
                    signal = step.throw(error)
                else:
                    signal = step.send(reply)
        except StopIteration as end:
            piece: bytes | None = end.value
            return piece
