"""Checking requests before they are sent, for those who ask for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from ._bodies import Content
from ._decoder import parse
from ._deviations import Deviation, deviations, step
from ._errors import RequestValidationError
from ._files import FilePart
from ._json import encode
from ._multipart import is_file
from ._omit import Omit, bare, is_omitted
from ._options import Request, RequestOptions
from ._styles import is_json
from ._written import written_shape

__all__ = ["check"]


def check(request: Request, content: Content) -> None:
    """Raise RequestValidationError if a request is not what is declared for it.

    The request is one that is ``repeatable``, and ``content`` is its body as it is to
    be sent. What the caller adds beside the arguments (``extra_body`` and the like) is
    not for the description to judge. Raises ValueError and TypeError for parameters
    that cannot be sent.
    """
    if request.declared is None:
        return
    declared = request.declared()
    found = tuple(
        replace(one, operation=request.operation)
        for one in (
            *_of_parameters("path", request.path, declared.path),
            *_of_parameters("query", request.query, declared.query),
            *_of_whole(request, declared.querystring),
            *_of_parameters("headers", request.headers, declared.headers),
            *_of_parameters("cookies", request.cookies, declared.cookies),
            *_of_body(request, content, declared.body),
        )
    )
    if found:
        raise RequestValidationError(found)


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


def _of_whole(request: Request, declared: object) -> Iterator[Deviation]:
    """Compare a query that is one value, if it is given."""
    given = request.querystring
    if isinstance(declared, Omit) or given is None or is_omitted(given):
        return
    if isinstance(given, Mapping):
        added = _added(request.extra_query, _options(request).query)
        value, unjudged = _form(cast("Mapping[str, object]", given), added)
        found = _compared(value, declared, unjudged) if value else iter(())
    else:
        found = _compared(parse(encode(bare(given))), declared, set())
    for one in found:
        yield replace(one, path=f"querystring{one.path.removeprefix('$')}")


def _of_body(
    request: Request, content: Content, types: Mapping[str, object]
) -> Iterator[Deviation]:
    """Compare a body with what is declared for its media type."""
    kind, given = request.content_type or "application/json", request.content
    if kind not in types:
        return
    added = _added(request.extra_body, _options(request).body)
    if isinstance(given, Mapping) and not is_json(kind):
        value, unjudged = _form(cast("Mapping[str, object]", given), added)
        yield from _compared(value, types[kind], unjudged)
    elif isinstance(content, bytes) and is_json(kind):
        yield from _compared(parse(content), types[kind], added)


def _compared(
    value: object, declared: object, unjudged: set[str]
) -> Iterator[Deviation]:
    places = ["$" + step(name) for name in unjudged]
    for one in deviations(value, written_shape(declared)):
        if not _is_below(one.path, places):
            yield one


def _form(
    fields: Mapping[str, object], added: set[str]
) -> tuple[dict[str, object], set[str]]:
    """Give the fields of a form as JSON, and the names of those that are not judged."""
    given = dict(_fields(fields))
    unjudged = added | {name for name, value in given.items() if _has_no_text(value)}
    rest = {name: value for name, value in given.items() if name not in unjudged}
    return cast("dict[str, object]", parse(encode(rest))), unjudged


def _fields(form: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield the fields of a form that are given, as they are before they are written."""
    for name, value in form.items():
        if not is_omitted(value):
            yield name, value if isinstance(value, FilePart) else bare(value)


def _has_no_text(value: object) -> bool:
    """Whether a field is none that types speak of: a file, or null, which sends nothing."""
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    return value is None or any(
        isinstance(item, FilePart) or is_file(item) for item in items
    )


def _options(request: Request) -> RequestOptions:
    return request.options or RequestOptions()


def _added(*extras: Mapping[str, object] | None) -> set[str]:
    """Give the names of what the caller adds or replaces."""
    return {name for extra in extras for name in extra or ()}


def _is_below(path: str, others: list[str]) -> bool:
    return any(
        path.startswith(other) and path[len(other) :][:1] in ("", ".", "[")
        for other in others
    )
