"""How the answers of a list lead from one page to the next. Pure functions of values.

What is particular to an operation is said by its generated method: where the items are
in an answer, and what asks for the next page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeAlias, TypeVar, cast

import httpx2

from ._choices import Result
from ._models import BaseModel
from ._omit import Omit, omit
from ._options import Request

__all__ = ["Cursor", "NextLink", "NextURL", "Offset", "PageNumber", "Pages"]

T = TypeVar("T")
B = TypeVar("B")

Path: TypeAlias = str | tuple[str, ...]
"""The name of a property on the wire, or the names that lead to one; ``()`` is all."""

Place: TypeAlias = Literal["query", "body"]


@dataclass(frozen=True, slots=True)
class Cursor:
    """The answer says what to send for the next page; the last one says nothing."""

    send: str
    """The parameter that takes it."""
    take: Path
    """Where the answer has it."""
    place: Place = "query"


@dataclass(frozen=True, slots=True)
class PageNumber:
    """Pages are numbered; the last has no items, or is said to be the last."""

    send: str
    """The parameter that takes the number."""
    last: Path | None = None
    """Where the answer says how many pages there are."""
    start: int = 1
    """The number of the first page."""
    place: Place = "query"


@dataclass(frozen=True, slots=True)
class Offset:
    """Pages begin after so many items; the last has none, or reaches the total."""

    send: str
    """The parameter that takes how many items to pass over."""
    total: Path | None = None
    """Where the answer says how many items there are."""
    place: Place = "query"


@dataclass(frozen=True, slots=True)
class NextLink:
    """The ``Link`` header has the address of the next page (RFC 8288)."""


@dataclass(frozen=True, slots=True)
class NextURL:
    """The answer has the address of the next page."""

    take: Path
    """Where the answer has it."""


Way: TypeAlias = Cursor | PageNumber | Offset | NextLink | NextURL


@dataclass(frozen=True, slots=True)
class Pages(Generic[T, B]):
    """The pages of one operation: what each decodes to, and the way to the next."""

    result: Result[B]
    items: Path
    """Where an answer has its items."""
    way: Way

    def items_of(self, body: B) -> list[T]:
        """The items of an answer; none where it has no list."""
        found = at(body, self.items)
        return cast("list[T]", found) if isinstance(found, list) else []

    def following(
        self, request: Request, body: B, response: httpx2.Response
    ) -> Request | None:
        """The request for the page after an answer, or None if that was the last."""
        count = len(self.items_of(body))
        request = _parsed(request)
        match self.way:
            case Cursor(send, take, place):
                token = at(body, take)
                if token is None or token in ("", _sent(request, send, place)):
                    return None  # a server that repeats itself would never end
                return _with(request, send, token, place)
            case PageNumber(send, last, start, place):
                number = _number(_sent(request, send, place), start) + 1
                end = None if last is None else at(body, last)
                done = number > end if isinstance(end, int) else False
                return (
                    None if done or not count else _with(request, send, number, place)
                )
            case Offset(send, total, place):
                after = _number(_sent(request, send, place), 0) + count
                all_ = None if total is None else at(body, total)
                done = after >= all_ if isinstance(all_, int) else False
                return None if done or not count else _with(request, send, after, place)
            case NextLink():
                return _at_address(
                    request, response, response.links.get("next", {}).get("url")
                )
            case NextURL(take):
                address = at(body, take)
                return _at_address(
                    request, response, address if isinstance(address, str) else None
                )


def again(request: Request) -> Request:
    """A request that can be sent more than once: what iterates only once becomes lists.

    Next pages are asked for with the same parameters.
    """
    json = request.json
    if isinstance(json, Mapping):
        json = _listed(cast("Mapping[str, object]", json))
    return replace(
        request,
        query=_listed(request.query),
        json=json,
        extra_query=_listed(request.extra_query),
        extra_body=_listed(request.extra_body),
    )


def _listed(values: Mapping[str, object] | None) -> Mapping[str, object] | None:
    if values is None or not any(isinstance(v, Iterator) for v in values.values()):
        return values
    return {
        name: (
            list(cast("Iterator[object]", value))
            if isinstance(value, Iterator)
            else value
        )
        for name, value in values.items()
    }


def _parsed(request: Request) -> Request:
    """The request without the wish for the whole answer, which was for one page."""
    if request.options is None or request.options.mode == "parsed":
        return request
    return replace(request, options=replace(request.options, mode="parsed"))


def at(value: object, path: Path) -> object:
    """What stands at a path in a decoded answer; None where nothing does."""
    for name in (path,) if isinstance(path, str) else path:
        if isinstance(value, BaseModel):
            value = _property(value, name)
        elif isinstance(value, Mapping):
            value = cast("Mapping[str, object]", value).get(name)
        else:
            return None
    return value


def _property(model: BaseModel, name: str) -> object:
    """The property of a model by its name on the wire."""
    for attribute, field in type(model).model_fields.items():
        if (field.alias or attribute) == name:
            return getattr(model, attribute)
    return (model.model_extra or {}).get(name)


def _sent(request: Request, name: str, place: Place) -> object:
    """What a request sends already, from the caller's extras first."""
    extra, own = (
        (request.extra_query, request.query)
        if place == "query"
        else (request.extra_body, cast("Mapping[str, object] | None", request.json))
    )
    for values in (extra, own):
        if isinstance(values, Mapping) and not isinstance(values.get(name, omit), Omit):
            return values[name]
    return None


def _with(request: Request, name: str, value: object, place: Place) -> Request:
    """The request with one parameter changed, which outdoes the caller's extras."""
    if place == "query":
        return replace(
            request,
            query={**(request.query or {}), name: value},
            extra_query=_without(request.extra_query, name),
        )
    whole = _members(request.json)
    return replace(
        request,
        json={**whole, name: value},
        extra_body=_without(request.extra_body, name),
    )


def _members(json: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", json) if isinstance(json, Mapping) else {}


def _without(
    values: Mapping[str, object] | None, name: str
) -> Mapping[str, object] | None:
    if values is None or name not in values:
        return values
    return {key: value for key, value in values.items() if key != name}


def _number(value: object, default: int) -> int:
    return value if isinstance(value, int) else default


def _at_address(
    request: Request, response: httpx2.Response, address: str | None
) -> Request | None:
    """The request for an address that a server gave; None if it gave none, or the same.

    Only path and query count: the call goes to the server that answered, with what it
    proves its sender by, and a proxy may not know its own name.
    """
    if not address:
        return None
    url = response.url.join(address)
    if url.raw_path == response.url.raw_path:
        return None
    return replace(request, address=url.raw_path.decode("ascii"))
