"""Open enumerations: a server may send what its description does not list yet."""

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


Open: TypeAlias = Annotated[_T | str, _Listed()]
"""``Open[Literal["a", "b"]]`` reads as ``Literal["a", "b"] | str``: checkers complete
the listed values and accept every other text, and a value that is not listed counts as
a deviation from the description all the same."""
