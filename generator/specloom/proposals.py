"""Lists that look as if they came in pages, as tables for ``specloom.toml``.

Nothing here has an effect by itself: somebody who knows the API takes what is right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from . import ir
from .lower.members import Types, item_of, properties_of
from .lower.pagination import first_page

MARK: Final = "# Lists that look as if they came in pages."
"""The first line of what is proposed, which tells it from other files."""

_CURSORS: Final = frozenset(
    "after continuation continuationtoken cursor exclusivestartkey lastid marker nextcursor "
    "nextpagetoken nexttoken pagecursor pagetoken paginationtoken startcursor startingafter "
    "startingtoken".split()
)
_NEXT: Final = frozenset(
    "after continuation continuationtoken cursor endcursor lastevaluatedkey lastid marker next "
    "nextcursor nextid nextmarker nextpage nextpagetoken nexttoken pagetoken "
    "paginationtoken".split()
)
_ADDRESSES: Final = frozenset(
    "next nexthref nextlink nextpagelink nextpageurl nexturi nexturl odatanextlink".split()
)
_PAGES: Final = frozenset("p page pageindex pageno pagenum pagenumber".split())
_LAST: Final = frozenset("lastpage numpages pagecount pages totalpages".split())
_OFFSETS: Final = frozenset("offset skip startindex".split())
_TOTALS: Final = frozenset("total totalcount totalitems totalresults totalsize".split())
_ITEMS: Final = frozenset("content data entries items objects records results value values".split())

_DEPTH: Final = 2
"""How many properties inside each other are looked at: ``data.items``, ``meta.next``."""


@dataclass(frozen=True, slots=True)
class _Property:
    """A property of an answer, or of one of its properties: where it is, and its type."""

    path: ir.Path
    type: ir.Type

    @property
    def word(self) -> str:
        return _word(self.path[-1])


def proposals(api: ir.Api) -> str:
    """Return TOML with a table for each operation that looks like pages and is not said to be."""
    tables = [table for operation in api.operations for table in _tables(operation, api.types)]
    if not tables:
        return f"{MARK} There are none.\n"
    return f"{MARK} Take into specloom.toml what is right.\n\n" + "\n".join(tables)


def _tables(operation: ir.Operation, types: Types) -> Iterator[str]:
    """Yield the table of an operation that looks like pages."""
    if operation.pagination is None and operation.streaming is None:
        said = _said(operation, types)
        if said is not None:
            key = operation.id or f"{operation.method} {operation.path}"
            lines = [f"# {operation.method} {operation.path}", f"[pagination.{_key(key)}]"]
            lines += [f"{name} = {json.dumps(value)}" for name, value in said.items()]
            yield "\n".join(lines) + "\n"


def _said(operation: ir.Operation, types: Types) -> Mapping[str, str | int | bool] | None:
    """Return what could be said of the pages of an operation."""
    bodies = {
        content.type
        for response in operation.responses
        if ir.is_success(response.status)
        for content in response.contents
        if isinstance(content, ir.Json)
    }
    if len(bodies) != 1:
        return None
    body = bodies.pop()
    held = list(_held(body, types))
    items = _items(body, held, types)
    way = None if items is None else _way(operation, held, types)
    return None if way is None else {"items": ".".join(items or ()), **way}


def _items(body: ir.Type, held: list[_Property], types: Types) -> ir.Path | None:
    """Return where the items are: the only list, or the only one with a usual name."""
    if item_of(body, types) is not None:
        return ()
    for depth in range(1, _DEPTH + 1):
        lists = [p for p in held if len(p.path) == depth and item_of(p.type, types) is not None]
        usual = [p for p in lists if p.word in _ITEMS]
        for found in (lists, usual):
            if len(found) == 1:
                return found[0].path
        if lists:
            return None
    return None


def _way(
    operation: ir.Operation, held: list[_Property], types: Types
) -> Mapping[str, str | int | bool] | None:
    """Return how one page seems to lead to the next: by what is most certain."""
    sent = dict(_sent(operation, types))
    texts = [p for p in held if _is(p.type, "string")]
    numbers = [p for p in held if _is(p.type, "integer")]
    cursor, following = _name(sent, _CURSORS), _path(texts, _NEXT)
    if cursor is not None and following is not None:
        return {"cursor": cursor, "next": following}
    if (address := _path(texts, _ADDRESSES)) is not None:
        return {"url": address}
    if (page := _name(sent, _PAGES, "integer")) is not None:
        start = first_page(operation, page, types)
        # A server that counts from another number than one can mean either by "last page".
        last = _path(numbers, _LAST if start == 1 else _LAST - {"lastpage"})
        counted: dict[str, str | int] = {"start": start} if start != 1 else {}
        return {"page": page, **counted, **({} if last is None else {"last": last})}
    if (offset := _name(sent, _OFFSETS, "integer")) is not None:
        total = _path(numbers, _TOTALS)
        return {"offset": offset} if total is None else {"offset": offset, "total": total}
    successes = (r for r in operation.responses if ir.is_success(r.status))
    headers = [r.headers for r in successes if r.headers is not None]
    if any(_word(name) == "link" for ref in headers for name in properties_of(ref, types)):
        return {"link": True}
    return None


def _held(body: ir.Type, types: Types, above: ir.Path = ()) -> Iterator[_Property]:
    """Yield the properties of an answer, and of those that are objects."""
    for name, prop in properties_of(body, types).items():
        if "." not in name or not above:  # a path is written with dots
            yield _Property((*above, name), prop.type)
            if len(above) + 1 < _DEPTH:
                yield from _held(prop.type, types, (*above, name))


def _sent(operation: ir.Operation, types: Types) -> Iterator[tuple[str, ir.Type]]:
    """Yield what can be said in the query or, where the body is JSON, at its top."""
    yield from ((p.name, p.type) for p in operation.parameters if p.location == "query")
    for content in () if operation.body is None else operation.body.contents:
        if isinstance(content, ir.Json):
            yield from ((n, p.type) for n, p in properties_of(content.type, types).items())


def _name(sent: Mapping[str, ir.Type], words: Collection[str], kind: str = "") -> str | None:
    """Return the first name that is one of some words, and of a kind."""
    fitting = (
        n for n, type_ in sent.items() if _word(n) in words and (not kind or _is(type_, kind))
    )
    return next(fitting, None)


def _path(properties: list[_Property], words: Collection[str]) -> str | None:
    """Return the path of the outermost property that is called by one of some words."""
    found = sorted((p for p in properties if p.word in words), key=lambda p: len(p.path))
    return ".".join(found[0].path) if found else None


def _is(type_: ir.Type, kind: str) -> bool:
    """Whether a type is a scalar of a kind, null aside."""
    match type_:
        case ir.Primitive():
            return type_.kind == kind
        case ir.Union(members):
            return any(_is(member, kind) for member in members)
        case _:
            return False


def _word(name: str) -> str:
    """Return a name without what conventions differ in."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)
