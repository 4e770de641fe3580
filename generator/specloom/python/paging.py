"""Pages: what a method says of them, and how one leads to the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from .. import ir
from .literals import literal
from .module_types import ModuleTypes
from .package import Method


@dataclass(frozen=True, slots=True)
class Paging:
    """Plans the pages of one module of resources."""

    types: ModuleTypes

    def paged(self, method: Method, pagination: ir.Pagination, class_: str) -> Method:
        """Return a method that gives pages in place of one answer: of the class, items first."""
        self.types.imports.add(".._runtime", class_)
        read = f"{self.types.read(pagination.item)}, {self.types.read(pagination.body)}"
        annotation = f"{class_}[{read}]"
        return replace(
            method,
            overloads=tuple(replace(s, result=annotation) for s in method.overloads),
            signature=replace(method.signature, result=annotation),
        )

    def pages(self, pagination: ir.Pagination, result: str, name: str) -> str:
        """Return the expression of how answers, which ``result`` decodes, lead on."""
        self.types.imports.add(".._runtime", "Pages")
        read = f"{self.types.read(pagination.item)}, {self.types.read(pagination.body)}"
        way = self._way(pagination.way)
        value = f"Pages({result}, {_path(pagination.items)}, {way})"
        return f"{self.types.constant(f'_{name}_pages', f'Pages[{read}]', value)}()"

    def _way(self, way: ir.Way) -> str:
        self.types.imports.add(".._runtime", type(way).__name__)
        return f"{type(way).__name__}({', '.join(_arguments(way))})"


def _arguments(way: ir.Way) -> Iterator[str]:
    """Yield what the runtime's class of the same name is given."""
    match way:
        case ir.Cursor(send, take, place):
            yield literal(send)
            yield _path(take)
        case ir.PageNumber(send, last, start, place):
            yield literal(send)
            if last is not None:
                yield f"last={_path(last)}"
            if start != 1:
                yield f"start={start}"
        case ir.Offset(send, total, place):
            yield literal(send)
            if total is not None:
                yield f"total={_path(total)}"
        case ir.NextLink():
            return
        case ir.NextURL(take):
            yield _path(take)
            return
        case _:
            assert_never(way)
    if place != "query":
        yield f"place={literal(place)}"


def _path(path: ir.Path) -> str:
    """Return the expression of a path; one name stands for itself."""
    return literal(path[0] if len(path) == 1 else path)
