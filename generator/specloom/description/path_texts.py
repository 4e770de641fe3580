"""What is wrong with the text of a path (OpenAPI, Paths Object and Path Templating)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_VARIABLE: Final = re.compile(r"\{([^{}]*)\}")
_DOTS: Final = (".", "..")


EXTRAS: Final = {
    "?": "has a query, which is sent; OpenAPI has parameters in 'query' for that",
    "#": "has a fragment, which is not sent: it only tells operations apart",
}
"""What authors add to paths, and what becomes of it, by the sign that begins it."""


def has_extra(path: str, sign: str) -> bool:
    """Whether a path has a query or a fragment, outside of its variables."""
    return sign in _VARIABLE.sub("", path)


def faults(path: str) -> Iterator[str]:
    """Yield what is wrong with a path, in a sentence each."""
    names = _VARIABLE.findall(path)
    around = _VARIABLE.sub("", path)
    if "{" in around or "}" in around:
        yield f"a brace of the path '{path}' has no counterpart: a variable is {{name}}"
    if "" in names:
        yield f"a variable of the path '{path}' has no name"
    for name in dict.fromkeys(name for name in names if name and names.count(name) > 1):
        yield f"the path '{path}' has the variable {{{name}}} more than once"
    if (sent := without_dots(path)) != path:
        yield f"a segment of dots is taken out of the path '{path}': it is read as '{sent}'"


def rooted(path: str) -> str:
    """Return a path as it is sent: with a slash before it, and without segments of dots."""
    return without_dots(path if path.startswith("/") else f"/{path}")


def without_dots(path: str) -> str:
    """Return a path as every sender of it reads it (RFC 3986, section 5.2.4)."""
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == ".." and len(kept) > 1:
            kept.pop()
        if segment not in _DOTS:
            kept.append(segment)
    return "/".join([*kept, ""] if segments[-1] in _DOTS else kept)
