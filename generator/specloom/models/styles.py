"""The styles of models, and what each of them can express."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Style = Literal["pydantic", "dataclass", "typeddict", "msgspec"]


@dataclass(frozen=True, slots=True)
class Abilities:
    """What the models of a style can say.

    ``formats`` are the formats of text that have a Python type, ``constraints`` whether limits of
    values are checked, ``extra`` whether properties that are not declared can have a type,
    ``aliases`` whether a field can have another name than its property, ``unions`` whether a
    union may hold several kinds of object, or of list, that no tag tells apart.
    """

    output: str
    formats: frozenset[str] = frozenset()
    constraints: bool = False
    extra: bool = False
    aliases: bool = False
    unions: bool = True


_FORMATS: Final = frozenset({"date-time", "date", "time", "uuid", "decimal"})

ABILITIES: Final[Mapping[Style, Abilities]] = {
    "pydantic": Abilities(
        "pydantic_v2.BaseModel", _FORMATS, constraints=True, extra=True, aliases=True
    ),
    "dataclass": Abilities("dataclasses.dataclass"),
    "typeddict": Abilities("typing.TypedDict"),
    "msgspec": Abilities("msgspec.Struct", _FORMATS, aliases=True, unions=False),
}
