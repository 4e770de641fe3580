"""Parameters of a call as they are sent: in the path, the query, headers and cookies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import cast
from urllib.parse import quote

from ._omit import Omit
from ._options import Headers, Query
from ._styles import Encoded, Styled, escaped, expand, pair, pairs, text

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
        case Styled():
            written = expand(name, value, escaped(value, _IN_PATH))
        case Encoded():
            written = quote(value.document(), safe="")
        case _:
            written = quote(text(what, value), safe="")
    if written in ("", ".", ".."):
        raise ValueError(f"{what}: {written!r} cannot be a segment of a path")
    return written


def query_string(*layers: Query | None) -> str:
    """Write query parameters; those of later layers replace those of earlier ones.

    A value of which no style is said is text, or repeats its name for each item of an
    array (OpenAPI's ``form`` style, exploded). ``None`` and ``omit`` send nothing.
    Raises ValueError for what a style cannot express, such as an object without one.
    """
    merged: dict[str, object] = {}
    for layer in layers:
        if layer:
            merged.update(layer)
    if not merged:
        return ""
    return "&".join(
        written for name, value in merged.items() for written in _pairs(name, value)
    )


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


def whole(value: object) -> str:
    """Write the value that is all of the query (OpenAPI 3.2, ``in: querystring``).

    The fields of a form are written as parameters are; another document as a whole.
    Raises ValueError for what cannot be written.
    """
    match value:
        case Omit() | None:
            return ""
        case Encoded() if value.is_omitted:
            return ""
        case Encoded():
            return quote(value.document(), safe="")
        case Mapping():
            from ._forms import form_pairs  # rarely needed

            return form_pairs(cast("Mapping[str, object]", value))
        case _:
            return quote(text("querystring", value), safe="")


def header_texts(parameters: Mapping[str, object] | None) -> Headers | None:
    """Write header parameters as text; arrays are separated by commas.

    ``None`` and ``omit`` send nothing. Raises ValueError for an object without a style.
    """
    if not parameters:
        return None
    written = ((name, _header(name, value)) for name, value in parameters.items())
    return {name: value for name, value in written if value is not None}


def _header(name: str, value: object) -> str | None:
    match value:
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
    for written in pairs(name, styled, str):
        if any(char in written for char in _IN_COOKIE):
            raise ValueError(f"cookie {name!r}: a value has to be escaped beforehand")
        yield written


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
