"""Checking requests before they are sent, for those who ask for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from ._bodies import Content
from ._decoder import parse
from ._deviations import Deviation, deviations, step
from ._errors import RequestValidationError
from ._json import encode
from ._omit import Omit, Wrapped, bare
from ._options import Request
from ._written import written_shape

__all__ = ["check", "repeatable"]


def check(request: Request, content: Content) -> None:
    """Raise RequestValidationError if a request is not what is declared for it.

    ``content`` is its body as it is to be sent, if it is JSON. What the caller adds beside the
    arguments (``extra_body`` and the like) is not for the description to judge. Raises
    ValueError and TypeError for parameters that cannot be sent.
    """
    if request.declared is None:
        return
    declared = request.declared()
    found = tuple(
        replace(one, operation=request.operation)
        for one in (
            *_of_parameters("path", request.path, declared.path),
            *_of_parameters("query", request.query, declared.query),
            *_of_parameters("headers", request.headers, declared.headers),
            *_of_parameters("cookies", request.cookies, declared.cookies),
            *_of_body(request, content, declared.json),
        )
    )
    if found:
        raise RequestValidationError(found)


def repeatable(request: Request) -> Request:
    """Return a request whose parameters can be looked at more than once."""
    return replace(
        request,
        path=_listed(request.path),
        query=_listed(request.query),
        headers=_listed(request.headers),
        cookies=_listed(request.cookies),
    )


def _listed(values: Mapping[str, object] | None) -> Mapping[str, object] | None:
    if values is None:
        return None
    return {name: _list(value) for name, value in values.items()}


def _list(value: object) -> object:
    if isinstance(value, Wrapped):
        return value.around(_list(value.value))
    if isinstance(value, Iterator):
        return list(cast("Iterator[object]", value))
    return value


def _of_parameters(
    place: str, values: Mapping[str, object] | None, types: Mapping[str, object]
) -> Iterator[Deviation]:
    for name, wrapped in (values or {}).items():
        value = bare(wrapped)
        # Null has no text, so None sends nothing.
        if name in types and value is not None and not isinstance(value, Omit):
            shape = written_shape(types[name])
            for one in deviations(parse(encode(value)), shape):
                path = one.path.removeprefix("$")
                yield replace(one, path=f"{place}{step(name)}{path}")


def _of_body(
    request: Request, content: Content, declared: object
) -> Iterator[Deviation]:
    if not isinstance(content, bytes) or isinstance(declared, Omit):
        return
    added = ["$" + step(name) for name in _added(request)]
    for one in deviations(parse(content), written_shape(declared)):
        if not _is_below(one.path, added):
            yield one


def _added(request: Request) -> Iterator[str]:
    """Yield the properties that the caller adds to the body, or replaces in it."""
    for more in (request.extra_body, request.options and request.options.body):
        yield from more or ()


def _is_below(path: str, others: list[str]) -> bool:
    return any(
        path.startswith(other) and path[len(other) :][:1] in ("", ".", "[")
        for other in others
    )
