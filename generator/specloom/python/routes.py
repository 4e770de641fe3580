"""Where an operation hangs on the client: the chain of resources, and the method's name."""

from __future__ import annotations

import re

from .. import ir
from ..config import Methods
from .names import singular, snake, words

_VERSION = re.compile(r"api|v\d+([a-z]+\d*)?")
"""Segments that say which version of an API a path belongs to, and name no resource."""

_FORMAT = re.compile(r"\.(json|xml)$")
_VERB = re.compile(r"([^:]*):([A-Za-z][A-Za-z0-9_-]*)")

_ACTIONS = {"get": "retrieve", "post": "create", "put": "update", "patch": "update"}
_VERBS = frozenset(
    "accept activate approve archive assign cancel check clone close complete confirm copy "
    "deactivate disable download enable execute export generate import invite lock login logout "
    "merge move open pause preview publish query refresh reject release reload remove rename "
    "reopen reset restart restore resume retry revoke rotate run search send start stop submit "
    "subscribe sync test trigger unarchive unlock unpublish unsubscribe update upload validate "
    "verify watch".split()
)


def route(operation: ir.Operation, methods: Methods, patched: bool) -> tuple[tuple[str, ...], str]:
    """Return the names of the resources that lead to an operation, and of its method.

    With ``tags`` an operation hangs on its first tag under its operation id. With ``paths`` the
    fixed segments of the path are the resources, versions aside, and the HTTP method gives the
    name: ``create``, ``list``, ``retrieve``, ``update``, ``delete``, or a last segment that is a
    verb. What is one thing is ``retrieve``d by its own path too. PUT is ``replace`` where the path
    can also be ``patched``. A fragment of the path's key is the name, and a query that is always
    sent is added to it.
    """
    path, _, query = operation.path.partition("?")
    segments, verb = _segments(path)
    chain = tuple(name for segment in segments if (name := _resource(segment)))
    if methods == "tags":
        group = next((t for t in operation.tags if words(t)), None) or (chain or ("api",))[0]
        return (snake(group),), snake(operation.id or f"{operation.method} {operation.path}")
    if operation.variant is not None and words(operation.variant):
        return chain or ("api",), snake(operation.variant)
    if verb is not None:
        return chain or ("api",), snake(verb)
    method, extra = operation.method.lower(), _words_of(query)
    ends_in_parameter = bool(segments) and "{" in segments[-1]
    if not ends_in_parameter and len(chain) > 1 and chain[-1] in _VERBS:
        return chain[:-1], chain[-1] + extra
    if method == "get":
        several = not ends_in_parameter and _is_collection(operation, segments)
        return chain or ("api",), ("list" if several else "retrieve") + extra
    if method == "put" and patched:
        return chain or ("api",), "replace" + extra
    return chain or ("api",), snake(_ACTIONS.get(method, method)) + extra


def _is_collection(operation: ir.Operation, segments: list[str]) -> bool:
    """Return whether what a path ends in has several things: by its word, or by the answer."""
    word = next(iter(reversed(words(segments[-1]))), "") if segments else ""
    if singular(word) != word or operation.pagination is not None:
        return True
    successes = (r.contents for r in operation.responses if ir.is_success(r.status))
    return any(
        isinstance(content, ir.Json) and isinstance(content.type, ir.Array)
        for contents in successes
        for content in contents
    )


def _segments(path: str) -> tuple[list[str], str | None]:
    """Return the segments of a path, and the verb that its last one ends in (``/{id}:cancel``).

    A format at the end (``/{id}.json``) says nothing that names need.
    """
    segments = [s for s in _FORMAT.sub("", path).split("/") if s]
    if segments and (found := _VERB.fullmatch(segments[-1])) is not None:
        before = [found[1]] if found[1] else []
        return [*segments[:-1], *before], found[2]
    return segments, None


def _resource(segment: str) -> str | None:
    """Return the name of the resource that a segment is: of one with a variable, what precedes."""
    fixed = segment.partition("{")[0]
    return snake(fixed) if words(fixed) and not _VERSION.fullmatch(fixed) else None


def _words_of(query: str) -> str:
    """Return the words of a fixed query as the end of a name: ``true`` adds nothing to its key."""
    found = [w for w in words(query) if w.lower() != "true"]
    return f"_{snake(' '.join(found))}" if found else ""
