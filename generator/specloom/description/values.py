"""Telling apart the values that documents consist of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from specloom.diagnostics import Origin


def is_mapping(value: object) -> TypeGuard[dict[str, object]]:
    """Return whether a value of a document is a mapping; its keys are strings then."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[object]]:
    """Return whether a value of a document is a list."""
    return isinstance(value, list)


def children(value: object, origin: Origin) -> Iterator[tuple[str, object, Origin]]:
    """Yield the members or items of a value, each with its key or index and its origin."""
    if is_mapping(value):
        for key, child in value.items():
            yield key, child, origin / key
    elif is_list(value):
        for index, item in enumerate(value):
            yield str(index), item, origin / index
