"""Parameters of a call as they are sent: in the path, the query, headers and cookies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import cast
from urllib.parse import quote, unquote

from ._omit import Omit, is_omitted
from ._options import Headers, Query
from ._styles import (
    ROWS,
    Encoded,
    Styled,
    escaped,
    expand,
    pair,
    pairs,
    text,
    unescaped,
)

__all__ = [
    "cookie_pairs",
    "header_texts",
    "path_text",
    "query_string",
    "segment",
    "whole",
]

_VARIABLE = re.compile(r"\{([^{}]+)\}")
_IN_PATH = "/?#"
_IN_QUERY = "#[]&+"
_IN_COOKIE = ';,"\\ '


def path_text(template: str, values: Mapping[str, object] | None) -> str:
    """Write a path: a template with its values in place of their names.

    Raises ValueError as :func:`segment` does.
    """
    if not values:
        return template
    return _VARIABLE.sub(lambda found: segment(values[found[1]], found[1]), template)


def segment(value: object, name: str) -> str:
    """Write a value of a path (RFC 3986, section 3.3); ``name`` is the parameter's.

    Raises ValueError for a value that would change which path is meant: one that is
    written as the empty string, as ``.`` or as ``..``.
    """
    what = f"path parameter {name!r}"
    match value:
        case Styled(style="spaceDelimited" | "pipeDelimited" | "tabDelimited"):
            written = quote(_delimited(name, value) or "", safe="")
        case Styled():
            written = expand(name, value, escaped(value, _IN_PATH))
        case Encoded():
            written = quote(value.document(), safe="")
        case _:
            written = quote(text(what, value), safe="")
    if unquote(written) in ("", ".", ".."):  # RFC 3986, section 6.2.2.2
        raise ValueError(f"{what}: {written!r} cannot be a segment of a path")
    return written


def query_string(
    defaults: Query | None = None, arguments: Query | None = None, *extras: Query | None
) -> str:
    """Write query parameters; those of later layers replace those of earlier ones.

    An argument that is ``omit`` was not given, and leaves a default as it is; ``omit``
    in the ``extras`` takes out what is there.

    A value of which no style is said is text, or repeats its name for each item of an
    array (OpenAPI's ``form`` style, exploded). ``None`` and ``omit`` send nothing.
    Raises ValueError for what a style cannot express, such as an object without one.
    """
    merged = _merged(defaults, arguments, extras)
    if not merged:
        return ""
    return "&".join(
        written for name, value in merged.items() for written in _pairs(name, value)
    )


def _merged(
    defaults: Query | None, arguments: Query | None, extras: Iterable[Query | None]
) -> dict[str, object]:
    merged = dict(defaults or {})
    for name, value in (arguments or {}).items():
        if not (name in merged and is_omitted(value)):
            merged[name] = value
    for extra in extras:
        if extra:
            merged.update(extra)
    return merged


def _pairs(name: str, value: object) -> Iterator[str]:
    match value:
        case Styled():
            yield from pairs(name, value, escaped(value, _IN_QUERY))
        case Encoded():
            if not value.is_omitted:
                yield pair(name, value.document())
        case _:
            for item in _texts(f"query parameter {name!r}", value):
                yield pair(name, item)


def whole(value: object, defaults: Query | None = None, *extras: Query | None) -> str:
    """Write the value that is all of the query (OpenAPI 3.2, ``in: querystring``).

    The fields of a form are arguments as those of :func:`query_string` are. Another
    document is written as a whole, and what else there is comes after it. Raises
    ValueError for what cannot be written.
    """
    if isinstance(value, Mapping):
        from ._forms import form_pairs  # rarely needed

        own = cast("Query", value)
        found = _merged(defaults, own, extras)
        return form_pairs({name: found[name] for name in (*own, *found)})
    others = query_string(defaults, None, *extras)
    if value is None or is_omitted(value):
        return others
    written = value.document() if isinstance(value, Encoded) else text("query", value)
    return "&".join(filter(None, (quote(written, safe=""), others)))


def header_texts(parameters: Mapping[str, object] | None) -> Headers | None:
    """Write header parameters as text; arrays are separated by commas.

    ``None`` and ``omit`` send nothing. Raises ValueError for an object without a style.
    """
    if not parameters:
        return None
    written = ((name, _header(name, value)) for name, value in parameters.items())
    return {name: value for name, value in written if value is not None}


def _delimited(name: str, value: Styled) -> str | None:
    """Write a list without its name, as Swagger 2.0 has it in paths and headers."""
    pieces = [written for _, written in unescaped(name, value)]
    return ROWS[value.style].within.join(pieces) if pieces else None


def _header(name: str, value: object) -> str | None:
    match value:
        case Styled(style="spaceDelimited" | "pipeDelimited" | "tabDelimited"):
            return _delimited(name, value)
        case Styled():
            pieces = list(pairs(name, value, str))
            return ",".join(pieces) if pieces else None
        case Encoded():
            return None if value.is_omitted else value.document()
        case None | Omit():
            return None
        case _:
            items = list(_texts(f"header {name!r}", value))
            return ",".join(items) if items else None


def cookie_pairs(parameters: Mapping[str, object] | None) -> dict[str, str]:
    """Write cookie parameters: the pairs of a ``Cookie`` header by their names.

    ``None`` and ``omit`` send nothing. Raises ValueError for what a style cannot
    express, and for characters that would end a cookie that is not escaped.
    """
    found: dict[str, str] = {}
    for name, value in (parameters or {}).items():
        for written in _cookies(name, value):
            key = written.partition("=")[0]
            found[key] = f"{found[key]}; {written}" if key in found else written
    return found


def _cookies(name: str, value: object) -> Iterator[str]:
    match value:
        case Encoded():
            if not value.is_omitted:
                yield pair(name, value.document())
            return
        case Styled():
            styled = value
        case _:
            styled = Styled(value)
    if styled.style != "cookie":
        yield from pairs(name, styled, escaped(styled, _IN_COOKIE))
        return

    def unharmed(piece: str) -> str:
        if any(char in piece for char in _IN_COOKIE):
            raise ValueError(f"cookie {name!r}: a value has to be escaped beforehand")
        return piece

    yield from pairs(name, styled, unharmed)


def _texts(what: str, value: object) -> Iterable[str]:
    if value is None or isinstance(value, Omit):
        return
    match value:
        case str() | bytes() | bytearray() | Mapping():
            yield text(what, cast("object", value))
        case Iterable():
            for item in cast("Iterable[object]", value):
                if item is not None and not isinstance(item, Omit):
                    yield text(what, item)
        case _:
            yield text(what, value)
