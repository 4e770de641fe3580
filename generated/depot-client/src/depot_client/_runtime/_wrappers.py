"""Methods that return the whole answer of the server instead of its value.

The wrapped methods keep their signatures. They pass one more word to the client, in
the ``options`` argument that every generated method has.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
)
from dataclasses import replace
from functools import wraps
from typing import ParamSpec, TypeVar, cast

from ._options import Mode, RequestOptions
from ._response import APIResponse, AsyncAPIResponse

__all__ = ["async_raw", "async_streamed", "raw", "streamed"]

P = ParamSpec("P")
R = TypeVar("R")


def _ask(kwargs: dict[str, object], mode: Mode) -> None:
    options = kwargs.get("options")
    if not isinstance(options, RequestOptions):
        options = RequestOptions()
    kwargs["options"] = replace(options, mode=mode)


def raw(method: Callable[P, R]) -> Callable[P, APIResponse[R]]:
    """Make a method return the answer, already read; its ``parse()`` is the value."""

    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> APIResponse[R]:
        _ask(kwargs, "raw")
        return cast("APIResponse[R]", method(*args, **kwargs))

    return call


def async_raw(
    method: Callable[P, Awaitable[R]],
) -> Callable[P, Awaitable[APIResponse[R]]]:
    """Make a method return the answer, already read; its ``parse()`` is the value."""

    @wraps(method)
    async def call(*args: P.args, **kwargs: P.kwargs) -> APIResponse[R]:
        _ask(kwargs, "raw")
        return cast("APIResponse[R]", await method(*args, **kwargs))

    return call


def streamed(
    method: Callable[P, R],
) -> Callable[P, AbstractContextManager[APIResponse[R]]]:
    """Make a method return a context: the answer as it arrives, closed at the end.

    The request is sent when the context is entered.
    """

    @contextmanager
    def call(*args: P.args, **kwargs: P.kwargs) -> Generator[APIResponse[R]]:
        _ask(kwargs, "streamed")
        response = cast("APIResponse[R]", method(*args, **kwargs))
        try:
            yield response
        finally:
            response.close()

    return wraps(method)(call)


def async_streamed(
    method: Callable[P, Awaitable[R]],
) -> Callable[P, AbstractAsyncContextManager[AsyncAPIResponse[R]]]:
    """Make a method return a context: the answer as it arrives, closed at the end.

    The request is sent when the context is entered.
    """

    @asynccontextmanager
    async def call(
        *args: P.args, **kwargs: P.kwargs
    ) -> AsyncGenerator[AsyncAPIResponse[R]]:
        _ask(kwargs, "streamed")
        response = cast("AsyncAPIResponse[R]", await method(*args, **kwargs))
        try:
            yield response
        finally:
            await response.close()

    return wraps(method)(call)
