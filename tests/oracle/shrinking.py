"""The smallest value that still shows what a larger one does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from specloom.description.values import is_list, is_mapping

from .mutation import Path, at, replaced

_MOST = 400
"""How many smaller values are tried."""


def shrunk(value: object, shows: Callable[[object], bool]) -> object:
    """Return a part of a value, or a value with less in it, that shows the same."""
    tried = 0
    smaller = True
    while smaller and tried < _MOST:
        smaller = False
        for candidate in _smaller(value):
            tried += 1
            if tried > _MOST:
                break
            if shows(candidate):
                value, smaller = candidate, True
                break
    return value


def _smaller(value: object) -> Iterator[object]:
    """Yield values with one member less, then values with one scalar simpler."""
    paths = list(_containers(value))
    for path in paths:
        inner = at(value, path)
        if is_mapping(inner):
            for name in inner:
                yield replaced(value, path, {n: one for n, one in inner.items() if n != name})
        elif is_list(inner):
            for index in range(len(inner)):
                yield replaced(value, path, inner[:index] + inner[index + 1 :])
    for path in paths:
        inner = at(value, path)
        members = inner.items() if is_mapping(inner) else ()
        for name, one in members:
            for simple in ("", 0, None):
                if isinstance(one, str | int | float) and one not in ("", 0):
                    yield replaced(value, (*path, name), simple)


def _containers(value: object, path: Path = ()) -> Iterator[Path]:
    if is_mapping(value):
        yield path
        for name, member in value.items():
            yield from _containers(member, (*path, name))
    elif is_list(value):
        yield path
        for index, item in enumerate(value):
            yield from _containers(item, (*path, index))
