"""A page of a list, and the way to the others, for both kinds of client."""

from __future__ import annotations

from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterator,
)
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

__all__ = ["AsyncPage", "AsyncPages", "Page"]

T = TypeVar("T")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Page(Generic[T, B]):
    """One page of a list.

    Iterating over it gives its items, and then those of the pages after it, which are
    fetched when their turn comes.
    """

    body: B
    """The whole answer."""
    items: list[T]
    """The items of this page."""
    _following: Callable[[], Page[T, B]] | None

    def has_next_page(self) -> bool:
        """Whether the server has said that this is not the last page.

        Where it says nothing, there may be one more page, which is empty.
        """
        return self._following is not None

    def get_next_page(self) -> Page[T, B] | None:
        """Fetch the next page; None after the last."""
        return None if self._following is None else self._following()

    def iter_pages(self) -> Iterator[Page[T, B]]:
        """This page, and then those after it."""
        page: Page[T, B] | None = self
        while page is not None:
            yield page
            page = page.get_next_page()

    def __iter__(self) -> Iterator[T]:
        """The items of this page and of those after it."""
        for page in self.iter_pages():
            yield from page.items

    def __repr__(self) -> str:
        """Say how much there is, not what."""
        more = ", and more pages" if self.has_next_page() else ""
        return f"{type(self).__name__}({len(self.items)} items{more})"


@dataclass(frozen=True, slots=True)
class AsyncPage(Generic[T, B]):
    """One page of a list.

    Iterating over it gives its items, and then those of the pages after it, which are
    fetched when their turn comes.
    """

    body: B
    """The whole answer."""
    items: list[T]
    """The items of this page."""
    _following: Callable[[], Awaitable[AsyncPage[T, B]]] | None

    def has_next_page(self) -> bool:
        """Whether the server has said that this is not the last page.

        Where it says nothing, there may be one more page, which is empty.
        """
        return self._following is not None

    async def get_next_page(self) -> AsyncPage[T, B] | None:
        """Fetch the next page; None after the last."""
        return None if self._following is None else await self._following()

    async def iter_pages(self) -> AsyncIterator[AsyncPage[T, B]]:
        """This page, and then those after it."""
        page: AsyncPage[T, B] | None = self
        while page is not None:
            yield page
            page = await page.get_next_page()

    async def __aiter__(self) -> AsyncIterator[T]:
        """The items of this page and of those after it."""
        async for page in self.iter_pages():
            for item in page.items:
                yield item

    def __repr__(self) -> str:
        """Say how much there is, not what."""
        more = ", and more pages" if self.has_next_page() else ""
        return f"{type(self).__name__}({len(self.items)} items{more})"


class AsyncPages(Generic[T, B]):
    """A list that was asked for: awaiting it gives its first page, iterating its items.

    Nothing is sent before either. ``async for item in client.things.list()`` goes over
    all items, ``page = await client.things.list()`` stops at the first page.
    """

    def __init__(self, first: Callable[[], Awaitable[AsyncPage[T, B]]]) -> None:
        """Take what fetches the first page."""
        self._first = first

    def __await__(self) -> Generator[Any, Any, AsyncPage[T, B]]:
        """Fetch the first page."""
        return self._first().__await__()

    async def iter_pages(self) -> AsyncIterator[AsyncPage[T, B]]:
        """Every page, fetched when its turn comes."""
        async for page in (await self).iter_pages():
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        """Every item of every page."""
        async for item in await self:
            yield item
