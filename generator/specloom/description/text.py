"""What the readers of YAML and JSON share: places in a text, findings, limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

# A description nests some 15 levels deep, an extreme one 60. Later stages recurse over the
# values, so the bound also keeps them within Python's stack.
MAX_DEPTH: Final = 200
# How many values the aliases of one document may stand for, when all are written out.
MAX_ALIASED: Final = 1_000_000


class Mark(NamedTuple):
    """A place in a text; both numbers count from 1, the column in characters."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with a text that still has a value."""

    severity: Literal["error", "warning"]
    code: str
    message: str
    mark: Mark
    related: tuple[Mark, ...] = ()


class Broken(Exception):
    """A text, or the file that should hold it, has no value that could be used."""

    def __init__(self, code: str, message: str, mark: Mark | None = None, *related: Mark) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.mark = mark
        self.related = related


def too_deep(mark: Mark | None = None) -> Broken:
    """Return the refusal of a document that nests deeper than ``MAX_DEPTH``."""
    return Broken("nested-too-deep", f"more than {MAX_DEPTH} levels are nested here", mark)


def survey(root: object) -> int:
    """Return how many members the mappings of ``root`` have in all; refuse what nests too deep."""
    level: list[object] = [root]
    depth = members = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH + 2:  # the root is no level, and the last level holds scalars only
            raise too_deep()
        below: list[object] = []
        for value in level:
            if type(value) is dict:
                members += len(value)
                below += [child for child in value.values() if type(child) is not str]
            elif type(value) is list:
                below += [child for child in value if type(child) is not str]
        level = below
    return members
