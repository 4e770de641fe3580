"""What leaves a client for given values, as text: written from OpenAPI's tables, not as it is done.

The runtime of clients has code of its own for this, which these texts are compared with.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import quote

from ... import ir
from .values import is_list, is_object

Placed = Sequence[tuple[ir.Parameter, object]]
"""Parameters with their values."""

_QUERY = frozenset("/?:@!$'()*,;=")
_PATH = frozenset(":@[]!$&'()*+,;=")
"""The reserved characters that may stand in a query and in a segment of a path."""
_FIXED = "/:@!$&'()*+,;=%~"
_DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}

Quote = Callable[[str], str]


def target(path: str, parameters: Placed, query: Sequence[str]) -> str:
    """Return path and query of a request; ``query`` are further pieces of it."""
    values = {p.name: segment(p, v) for p, v in parameters if p.location == "path"}
    path, _, fixed = path.partition("?")
    pieces = [
        values[part] if index % 2 else quote(part, safe=_FIXED)
        for index, part in enumerate(ir.path_parts(path))
    ]
    asked = [fixed] if fixed else []
    asked += [piece for p, v in parameters if p.location == "query" for piece in asked_for(p, v)]
    return "".join(pieces) + ("?" if asked or query else "") + "&".join([*asked, *query])


def segment(parameter: ir.Parameter, value: object) -> str:
    """Return a value in a path."""
    written = parameter.written
    if isinstance(written, ir.Encoded):
        return quote(document(value, written.media_type), safe="")
    quoted = _quoted(written.reserved, _PATH)
    match written.style:
        case "matrix":
            found = pairs(parameter.name, value, written, quoted)
            return "".join(f";{k}={v}" if v else f";{k}" for k, v in found)
        case "label":
            return "." + ".".join(_bare(parameter, value, written, quoted))
        case _:
            return ",".join(_bare(parameter, value, written, quoted))


def asked_for(parameter: ir.Parameter, value: object) -> Iterator[str]:
    """Yield the pieces of a query that a value is."""
    written = parameter.written
    if isinstance(written, ir.Encoded):
        text = quote(document(value, written.media_type), safe="")
        yield f"{quote(parameter.name, safe='')}={text}"
        return
    quoted = _quoted(written.reserved, _QUERY)
    yield from (f"{k}={v}" for k, v in pairs(parameter.name, value, written, quoted))


def header(parameter: ir.Parameter, value: object) -> str:
    """Return the value of a header."""
    written = parameter.written
    if isinstance(written, ir.Encoded):
        return document(value, written.media_type)
    return ",".join(_bare(parameter, value, written, str))


def cookies(parameter: ir.Parameter, value: object) -> Iterator[str]:
    """Yield the cookies that a value is."""
    written = parameter.written
    if isinstance(written, ir.Encoded):
        yield f"{parameter.name}={quote(document(value, written.media_type), safe='')}"
        return
    quoted: Quote = str if written.style == "cookie" else _quoted(False, frozenset())
    yield from (f"{k}={v}" for k, v in pairs(parameter.name, value, written, quoted))


def pairs(name: str, value: object, style: ir.Styled, quoted: Quote) -> Iterator[tuple[str, str]]:
    """Yield the names and values that a style makes of one value (OpenAPI, Style Examples)."""
    match value:
        case _ if style.style == "deepObject":
            yield from ((quoted(way), quoted(text)) for way, text in _leaves(name, value))
        case _ if is_object(value):
            members = {k: _text(v) for k, v in value.items()}
            if style.explode:
                yield from ((quoted(k), quoted(v)) for k, v in members.items())
            else:
                flat = [quoted(text) for member in members.items() for text in member]
                yield quoted(name), _joined(flat, style, quoted)
        case _ if is_list(value):
            texts = [quoted(_text(item)) for item in value]
            if style.explode:
                yield from ((quoted(name), text) for text in texts)
            else:
                yield quoted(name), _joined(texts, style, quoted)
        case _:
            yield quoted(name), quoted(_text(value))


def _leaves(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield the texts in a value, with the way to each in brackets.

    OpenAPI says this of one level. Items of a list have numbers if they have members.
    """
    if is_object(value):
        for key, member in value.items():
            yield from _leaves(f"{name}[{key}]", member)
    elif is_list(value):
        numbered = any(is_object(item) or is_list(item) for item in value)
        for index, item in enumerate(value):
            yield from _leaves(f"{name}[{index if numbered else ''}]", item)
    else:
        yield name, _text(value)


def _joined(texts: Sequence[str], style: ir.Styled, quoted: Quote) -> str:
    delimiter = _DELIMITERS.get(style.style)
    return ("," if delimiter is None else quoted(delimiter)).join(texts)


def _bare(parameter: ir.Parameter, value: object, style: ir.Styled, quoted: Quote) -> Iterator[str]:
    """Yield values where the name of the parameter is not written, but those of members are."""
    named = style.explode and is_object(value)
    found = pairs(parameter.name, value, style, quoted)
    yield from (f"{k}={v}" if named else v for k, v in found)


def _quoted(reserved: bool, passing: frozenset[str]) -> Quote:
    safe = "".join(sorted(passing)) if reserved else ""
    return lambda text: quote(text, safe=safe)


def _text(value: object) -> str:
    """Return a value inside of another as text."""
    if isinstance(value, bool) or is_object(value) or is_list(value):
        return document(value)
    return str(value)


def document(value: object, media_type: str = "application/json") -> str:
    """Return a value as a document: JSON without spaces, a form, or text."""
    if isinstance(value, str) and not is_json(media_type):
        return value
    if is_object(value) and media_type.startswith("application/x-www-form-urlencoded"):
        pairs_ = (map(_quoted(False, frozenset()), pair) for pair in fields(value, {}))
        return "&".join(map("=".join, pairs_))
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def is_json(media_type: str) -> bool:
    """Whether documents of a media type are JSON (RFC 6839)."""
    name = media_type.partition(";")[0].strip().lower()
    return name in ("application/json", "text/json") or name.endswith("+json")


def fields(value: Mapping[str, object], stated: Mapping[str, ir.Field]) -> list[tuple[str, str]]:
    """Return the fields of a form (OpenAPI, Encoding Object)."""
    found: list[tuple[str, str]] = []
    for name, inner in value.items():
        field = stated.get(name)
        if field is not None and field.style is not None:
            found += pairs(name, inner, field.style, str)
            continue
        items = inner if is_list(inner) else [inner]
        media_type = field.media_types[0] if field is not None and field.media_types else None
        for item in items:
            found.append((name, document(item, media_type) if media_type else _text(item)))
    return found
