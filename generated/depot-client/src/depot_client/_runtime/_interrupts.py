"""Exceptions of signal handlers, told apart from those of the network.

A handler runs wherever the main thread happens to be, which during a call is inside
``recv``. If it raises an ``OSError``, and ``TimeoutError`` is one, then httpx2 takes
that for a failure of the connection. It is the caller's way of ending the call.
"""

from __future__ import annotations

from types import TracebackType

import httpx2

__all__ = ["raised_by_caller"]

_NETWORK = {"httpcore2", "socket", "ssl"}


def raised_by_caller(error: httpx2.RequestError) -> BaseException | None:
    """Find the exception of the caller's own that httpx2 took for a network failure."""
    origin: BaseException = error
    while (earlier := origin.__cause__ or origin.__context__) is not None:
        origin = earlier
    steps = _packages(origin.__traceback__)
    is_interrupt = (
        isinstance(origin, OSError)
        and steps[:1] == ["httpcore2"]
        and steps[-1] not in _NETWORK
    )
    return origin if is_interrupt else None


def _packages(traceback: TracebackType | None) -> list[str]:
    packages: list[str] = []
    while traceback is not None:
        name = str(traceback.tb_frame.f_globals.get("__name__", ""))
        packages.append(name.partition(".")[0])
        traceback = traceback.tb_next
    return packages
