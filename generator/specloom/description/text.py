"""What the readers of YAML and JSON share: places in a text, findings, limits."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal, NamedTuple, cast

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


def decoded(data: bytes, encoding: str = "utf-8") -> str:
    """Return a text in Unicode; raises ``Broken`` when it is not in that encoding."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, errors="replace")
        place = Mark(before.count("\n") + 1, len(before) - before.rfind("\n"))
        name = encoding.removesuffix("-sig").upper()
        raise Broken("not-utf-8", f"this is not {name}: {error.reason}", place) from None


class TooDeep(Exception):
    """A value nests deeper than ``MAX_DEPTH``."""


def too_deep(mark: Mark) -> Broken:
    """Return the refusal of a document that nests deeper than ``MAX_DEPTH``."""
    return Broken("nested-too-deep", f"more than {MAX_DEPTH} levels are nested here", mark)


def check_depth(root: object) -> None:
    """Raise ``TooDeep`` when ``root`` nests deeper than ``MAX_DEPTH``."""
    level = [root]
    for _ in range(MAX_DEPTH + 1):
        mappings = cast("list[dict[str, object]]", [v for v in level if type(v) is dict])
        lists = cast("list[list[object]]", [v for v in level if type(v) is list])
        if not mappings and not lists:
            return
        level = [value for mapping in mappings for value in mapping.values()]
        level += chain.from_iterable(lists)
    raise TooDeep
