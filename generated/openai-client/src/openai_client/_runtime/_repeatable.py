"""Requests that can be looked at, and sent, more than once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from ._bodies import Alternatives
from ._files import FilePart
from ._omit import Wrapped, omit
from ._options import Request
from ._styles import is_json

__all__ = ["repeatable"]


def repeatable(request: Request) -> Request:
    """Return a request in which what iterates only once has become lists; but no files.

    Of the bodies that could be chosen it has the one that is. Raises ValueError and
    TypeError as :meth:`Alternatives.chosen` does.
    """
    json, content, options = request.json, request.content, request.options
    if isinstance(content, Alternatives):
        content = content.chosen(request.content_type)
        if is_json(request.content_type or ""):
            json, content = content, omit
    return replace(
        request,
        path=_listed(request.path),
        query=_listed(request.query),
        querystring=_members(request.querystring),
        headers=_listed(request.headers),
        cookies=_listed(request.cookies),
        json=_list(_members(json)),
        content=_members(content),
        extra_query=_listed(request.extra_query),
        extra_body=_listed(request.extra_body),
        options=options
        and replace(options, query=_listed(options.query), body=_listed(options.body)),
    )


def _members(value: object) -> object:
    if isinstance(value, Mapping):
        return _listed(cast("Mapping[str, object]", value))
    return value


def _listed(values: Mapping[str, object] | None) -> Mapping[str, object] | None:
    if values is None:
        return None
    return {name: _list(value) for name, value in values.items()}


def _list(value: object) -> object:
    if isinstance(value, FilePart) or hasattr(value, "read"):
        return value
    if isinstance(value, Wrapped):
        return value.around(_list(value.value))
    if isinstance(value, Iterator):
        return list(cast("Iterator[object]", value))
    return value
