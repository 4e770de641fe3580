"""What several schemas say together, all of which a value has to fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import cast

from specloom.description.values import is_list, is_mapping

Plain = dict[str, object]
"""A schema that is no boolean."""

KINDS = ("object", "array", "string", "integer", "number", "boolean", "null")

LOWER = ("minimum", "exclusiveMinimum")
UPPER = ("maximum", "exclusiveMaximum")


def is_bounded(value: float, part: Plain) -> bool:
    """Whether a number is within the bounds of a schema."""
    low, high = number(part, "minimum"), number(part, "maximum")
    above, below = number(part, "exclusiveMinimum"), number(part, "exclusiveMaximum")
    return not (
        ("minimum" in part and value < low)
        or ("maximum" in part and value > high)
        or ("exclusiveMinimum" in part and value <= above)
        or ("exclusiveMaximum" in part and value >= below)
    )


def number(part: Plain, keyword: str) -> float:
    """Return a bound of a schema; 0 where it has none."""
    value = part.get(keyword)
    return value if isinstance(value, int | float) else 0.0


def member_schemas(parts: Sequence[Plain], name: str) -> Iterator[object]:
    """Yield the schemas of the property with a name."""
    for part in parts:
        properties, patterns = mapping(part, "properties"), mapping(part, "patternProperties")
        matching = [schema for pattern, schema in patterns.items() if matches(pattern, name)]
        yield from matching
        if name in properties:
            yield properties[name]
        elif not matching and "additionalProperties" in part:
            yield part["additionalProperties"]


def matches(pattern: str, name: str) -> bool:
    """Whether a name matches an expression, as far as Python can read that."""
    try:
        return re.search(pattern, name) is not None
    except re.error:
        return False


def item_schemas(parts: Sequence[Plain], index: int) -> Iterator[object]:
    """Yield the schemas of the item with an index."""
    for part in parts:
        places = several(part, "prefixItems")
        if index < len(places):
            yield places[index]
        elif "items" in part:
            yield part["items"]


def kinds_of(part: Plain) -> set[str]:
    """Return the kinds of values that a schema admits."""
    stated = part.get("type")
    kinds = set(map(str, stated if is_list(stated) else [stated] if stated else KINDS))
    return kinds | ({"integer"} if "number" in kinds else set())


def constants_of(part: Plain) -> list[object]:
    """Return the constants of a schema, which has some."""
    return [part["const"]] if "const" in part else several(part, "enum")


def shared_constants(parts: Sequence[Plain]) -> list[object]:
    """Return the constants that all schemas with constants have."""
    first, *others = [constants_of(part) for part in parts if part.keys() & {"enum", "const"}]
    keys = [{key_of(value) for value in other} for other in others]
    return [value for value in first if all(key_of(value) in some for some in keys)]


def several(part: Plain, keyword: str) -> list[object]:
    """Return the list that a keyword has; an empty one where it has none."""
    value = part.get(keyword)
    return value if is_list(value) else []


def mapping(part: Plain, keyword: str) -> Plain:
    """Return the mapping that a keyword has; an empty one where it has none."""
    value = part.get(keyword)
    return value if is_mapping(value) else {}


def most_of(parts: Sequence[Plain], keyword: str) -> int:
    """Return the largest number that a keyword has."""
    return max([cast(int, part[keyword]) for part in parts if keyword in part], default=0)


def least_of(parts: Sequence[Plain], keyword: str, without: int) -> int:
    """Return the smallest number that a keyword has."""
    return min([cast(int, part[keyword]) for part in parts if keyword in part], default=without)


def key_of(value: object) -> str:
    """Return what two values share if they are one to JSON."""
    return repr(value)
