"""Which path templates one request can fit."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

_VARIABLE: Final = re.compile(r"\{[^{}]*\}")
_MANY: Final = 20
"""How many overlapping paths of one path are found: more say nothing new."""
_STEPS: Final = 1_000_000
"""How much work all paths together may make: thousands of paths that people write make less."""


@dataclass(slots=True)
class _Node:
    """The templates that begin alike, variables aside."""

    concrete: dict[str, _Node] = field(default_factory=dict[str, "_Node"])
    variable: dict[str, _Node] = field(default_factory=dict[str, "_Node"])
    path: str | None = None


class Overlaps:
    """Finds overlapping path templates in a tree of their segments.

    ``steps`` counts the work so far.
    """

    def __init__(self) -> None:
        self.steps = 0
        self._root = _Node()

    def add(self, path: str) -> list[str]:
        """Add a template; return those added before that a request for it can fit as well.

        A template that is more concrete in every segment is matched first, so it does not count
        (OpenAPI, Paths Object).
        """
        segments = _segments(path)
        found = self._matching(segments)
        node = self._root
        for segment in segments:
            below = node.variable if "{}" in segment else node.concrete
            node = below.setdefault(segment, _Node())
        node.path = node.path or path
        return found

    def _matching(self, segments: list[str]) -> list[str]:
        found: list[str] = []
        # What is left of the way, and in which of the two a segment was more concrete so far.
        waiting = [(self._root, 0, False, False)]
        while waiting and len(found) < _MANY and self.steps < _STEPS:
            node, depth, ours, theirs = waiting.pop()
            if depth == len(segments):
                if node.path is not None and ours == theirs:
                    found.append(node.path)
                continue
            segment = segments[depth]
            self.steps += len(node.variable) + len(node.concrete) * ("{}" in segment) + 1
            for other, below in _candidates(node, segment):
                more, less = _is_concrete(segment, other), _is_concrete(other, segment)
                waiting.append((below, depth + 1, ours or more, theirs or less))
        return sorted(found)


def same(first: str, second: str) -> bool:
    """Return whether two templates differ in the names of their variables at most."""
    return _segments(first) == _segments(second)


def _segments(path: str) -> list[str]:
    """Return the segments of a template, with ``{}`` for each variable."""
    return _VARIABLE.sub("{}", path).split("/")


def _candidates(node: _Node, segment: str) -> list[tuple[str, _Node]]:
    """Return what can stand where a segment stands."""
    if "{}" in segment:
        concrete = node.concrete.items()
        same = [(o, b) for o, b in node.variable.items() if o == segment or "{}" in (o, segment)]
        return [*((o, b) for o, b in concrete if _fits(o, segment)), *same]
    exact = node.concrete.get(segment)
    found = [(o, b) for o, b in node.variable.items() if _fits(segment, o)]
    return found if exact is None else [(segment, exact), *found]


def _fits(text: str, segment: str) -> bool:
    """Return whether a variable segment can be a concrete one."""
    first, *others = segment.split("{}")
    if "{}" in text or not others or not text.startswith(first):
        return False
    at = len(first)
    for piece in others[:-1]:
        at = text.find(piece, at + 1)
        if at < 0:
            return False
        at += len(piece)
    return len(text) - len(others[-1]) > at and text.endswith(others[-1])


def _is_concrete(segment: str, other: str) -> bool:
    """Return whether a segment says more than another that it overlaps."""
    return segment != other and ("{}" not in segment or other == "{}")
