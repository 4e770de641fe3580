"""How the answers of a list lead from one page to the next. Pure functions of values.

What is particular to an operation is said by its generated method: where the items are
in an answer, and what asks for the next page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, Literal, Never, TypeAlias, TypeVar, cast

import httpx2

from ._choices import Result
from ._errors import APIError
from ._links import link_to
from ._models import BaseModel
from ._omit import Omit, Wrapped, bare, omit
from ._options import Query, Request, RequestOptions
from ._styles import is_json

__all__ = ["Cursor", "NextLink", "NextURL", "Offset", "PageNumber", "Pages"]

A = TypeVar("A")
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
    seen: frozenset[str] = frozenset()
    """What asked for this page and for those before it, where servers say that."""

    def items_of(self, body: B) -> list[T]:
        """The items of an answer; none where it has no list."""
        found = at(body, self.items)
        return cast("list[T]", found) if isinstance(found, list) else []

    def more(
        self,
        ask: Callable[[Request, Pages[T, B]], A],
        request: Request,
        body: B,
        response: httpx2.Response,
        defaults: Query | None = None,
    ) -> Callable[[], A] | None:
        """Give what asks for the page after an answer; None if that was the last.

        A page that was there before is not asked for again, or a server that sends its
        callers in a circle would never end. An address that is none is an error when
        the page is asked for: the answer itself is good.
        """
        try:
            following = self.following(request, body, response, defaults)
        except APIError as error:
            return partial(_fail, error)
        if following is None:
            return None
        match self.way:
            case Cursor(send=send, place=place):
                before, asked = (
                    str(_sent(one, send, place, defaults) or "")
                    for one in (request, following)
                )
            case NextLink() | NextURL():
                before = response.url.raw_path.decode("ascii")
                asked = following.address or ""
            case PageNumber() | Offset():
                return partial(ask, following, self)
        if asked in self.seen:
            return None
        seen = self.seen | {before, asked}
        return partial(ask, following, replace(self, seen=seen))

    def following(
        self,
        request: Request,
        body: B,
        response: httpx2.Response,
        defaults: Query | None = None,
    ) -> Request | None:
        """The request for the page after an answer, or None if that was the last.

        ``defaults`` are what the client adds to the query where a request says nothing.
        """
        count = len(self.items_of(body))
        request = _parsed(request)
        match self.way:
            case Cursor(send, take, place):
                token = at(body, take)
                if token is None or token in (
                    "",
                    _sent(request, send, place, defaults),
                ):
                    return None  # a server that repeats itself would never end
                return _with(request, send, token, place)
            case PageNumber(send, last, start, place):
                number = _number(_sent(request, send, place, defaults), start) + 1
                end = None if last is None else at(body, last)
                done = number - start >= end if isinstance(end, int) else False
                return (
                    None if done or not count else _with(request, send, number, place)
                )
            case Offset(send, total, place):
                after = _number(_sent(request, send, place, defaults), 0) + count
                all_ = None if total is None else at(body, total)
                done = after >= all_ if isinstance(all_, int) else False
                return None if done or not count else _with(request, send, after, place)
            case NextLink():
                link = link_to("next", response.headers.get_list("link"))
                return _at_address(request, response, link)
            case NextURL(take):
                address = at(body, take)
                return _at_address(
                    request, response, address if isinstance(address, str) else None
                )


def _fail(error: APIError) -> Never:
    raise error


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


def _sent(request: Request, name: str, place: Place, defaults: Query | None) -> object:
    """What a request sends already: what the caller added, the argument, the default."""
    options = request.options or RequestOptions()
    if place == "query":
        added, own = (request.extra_query, options.query), request.query or {}
    else:
        added, own = (request.extra_body, options.body), _members(request)
        defaults = None
    for extra in added:
        if extra and name in extra:
            return bare(extra[name])
    value = bare(own.get(name, omit))
    return (defaults or {}).get(name) if isinstance(value, Omit) else value


def _with(request: Request, name: str, value: object, place: Place) -> Request:
    """The request with one parameter changed, which outdoes the caller's extras."""
    options = request.options
    if place == "query":
        return replace(
            request,
            query=_changed(request.query or {}, name, value),
            extra_query=_without(request.extra_query, name),
            options=options and replace(options, query=_without(options.query, name)),
        )
    whole = _changed(_members(request), name, value)
    request = replace(
        request,
        extra_body=_without(request.extra_body, name),
        options=options and replace(options, body=_without(options.body, name)),
    )
    if _is_form(request):
        return replace(request, content=whole)
    return replace(request, json=whole)


def _changed(
    values: Mapping[str, object], name: str, value: object
) -> Mapping[str, object]:
    """The values with another one in a place, written as the API declares it there."""
    before = values.get(name)
    written = before.around(value) if isinstance(before, Wrapped) else value
    return {**values, name: written}


def _is_form(request: Request) -> bool:
    return not is_json(request.content_type or "application/json")


def _members(request: Request) -> Mapping[str, object]:
    """The properties of a body, or the fields of one that is a form."""
    body = request.content if _is_form(request) else request.json
    return cast("Mapping[str, object]", body) if isinstance(body, Mapping) else {}


def _without(
    values: Mapping[str, object] | None, name: str
) -> Mapping[str, object] | None:
    if values is None or name not in values:
        return values
    return {key: value for key, value in values.items() if key != name}


def _number(value: object, default: int) -> int:
    """The number that was sent, as one or as its text; where none was, the default."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value)
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
    try:
        url = response.url.join(address)
    except (httpx2.InvalidURL, ValueError) as error:
        raise APIError(
            f"{request.operation}: the address of the next page is none: {error}",
            response.request,
        ) from error
    if url.raw_path == response.url.raw_path:
        return None
    return replace(request, address=url.raw_path.decode("ascii"))
