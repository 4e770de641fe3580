"""Where an operation hangs on the client: the chain of resources, and the method's name."""

from __future__ import annotations

import re

from .. import ir
from ..config import Methods
from .literals import literal
from .names import snake, words

_VERSION = re.compile(r"api|v\d+([a-z]+\d*)?")
"""Segments that say which version of an API a path belongs to, and name no resource."""

_ACTIONS = {"get": "retrieve", "post": "create", "put": "update", "patch": "update"}
_VERBS = frozenset(
    "accept activate approve archive assign cancel check clone close complete confirm copy "
    "deactivate disable download enable execute export generate import invite lock login logout "
    "merge move open pause preview publish query refresh reject release reload remove rename "
    "reopen reset restart restore resume retry revoke rotate run search send start stop submit "
    "subscribe sync test trigger unarchive unlock unpublish unsubscribe update upload validate "
    "verify".split()
)


def route(operation: ir.Operation, methods: Methods, patched: bool) -> tuple[tuple[str, ...], str]:
    """Return the names of the resources that lead to an operation, and of its method.

    With ``tags`` an operation hangs on its first tag under its operation id. With ``paths`` the
    fixed segments of the path are the resources, versions aside, and the HTTP method gives the
    name: ``create``, ``list``, ``retrieve``, ``update``, ``delete``, or a last segment that is a
    verb. PUT is ``replace`` where the path can also be ``patched``.
    """
    segments = [s for s in operation.path.split("/") if s]
    fixed = [s for s in segments if "{" not in s and words(s)]
    chain = tuple(snake(s) for s in fixed if not _VERSION.fullmatch(s))
    if methods == "tags":
        group = next((t for t in operation.tags if words(t)), None) or (chain or ("api",))[0]
        return (snake(group),), snake(operation.id or f"{operation.method} {operation.path}")
    ends_in_parameter = bool(segments) and "{" in segments[-1]
    method = operation.method.lower()
    if not ends_in_parameter and len(chain) > 1 and chain[-1] in _VERBS:
        return chain[:-1], chain[-1]
    if method == "get":
        return chain or ("api",), "retrieve" if ends_in_parameter else "list"
    if method == "put" and patched:
        return chain or ("api",), "replace"
    return chain or ("api",), _ACTIONS.get(method, method)


def path_expression(path: str, arguments: dict[str, str]) -> str:
    """Return the Python expression of a path with its variables percent-encoded."""
    parts = ir.path_parts(path)
    if len(parts) == 1:
        return literal(path)
    printed = ""
    for index, part in enumerate(parts):
        if index % 2:
            printed += f"{{segment({arguments[part]})}}"
        else:
            text = part.replace("\\", "\\\\").replace('"', '\\"')
            printed += text.replace("{", "{{").replace("}", "}}")
    return f'f"{printed}"'
