"""Annotations that say to a reader what a server may do, and to checkers what to expect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias, TypeVar, get_args

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema

_T = TypeVar("_T")


@dataclass(frozen=True)
class _Listed:
    """Marks ``Literal[...] | str``: only the literal is declared."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Build the schema of the literal; called by pydantic."""
        return handler.generate_schema(get_args(source)[0])


@dataclass(frozen=True)
class _NotNull:
    """Marks ``T | None``: only ``T`` is declared, None stands for absence."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Build the schema without null; called by pydantic."""
        schema = handler(source)
        return schema["schema"] if schema["type"] == "nullable" else schema


Maybe: TypeAlias = Annotated[_T | None, _NotNull()]
"""``Maybe[str]`` reads as ``str | None``: a property that the server may leave out, and
that is None then. A null in its place counts as a deviation from the description."""

Open: TypeAlias = Annotated[_T | str, _Listed()]
"""``Open[Literal["a", "b"]]`` reads as ``Literal["a", "b"] | str``: checkers complete
the listed values and accept every other text, and a value that is not listed counts as
a deviation from the description all the same."""
