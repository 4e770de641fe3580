"""Values that are almost right: one change at a random place of a value that fits its schema."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from random import Random
from typing import cast

from specloom.description.values import is_list, is_mapping

from .judge import Definitions

_NO_ITEMS: list[object] = []
_NO_MEMBERS: dict[str, object] = {}
_OTHERS: Sequence[object] = (
    *(None, "text", "", 0, -1, 1.5, True, ["text"], {"a": 1}),
    *(_NO_ITEMS, _NO_MEMBERS, [_NO_MEMBERS]),
)
_NUMERIC = frozenset(
    "minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems "
    "minProperties maxProperties multipleOf".split()
)
_LONGEST = 3_000

Path = tuple[str | int, ...]


def bounds(definitions: Definitions) -> list[int | float]:
    """Return the numbers that schemas set as limits, and those beside them."""
    found: set[int | float] = set()
    waiting: list[object] = list(definitions.values())
    while waiting:
        schema = waiting.pop()
        if is_mapping(schema):
            for keyword, value in schema.items():
                if keyword in _NUMERIC and isinstance(value, int | float):
                    found |= {value - 1, value + 1, value, value + 0.5}
                waiting.append(value)
        elif is_list(schema):
            waiting += schema
    return sorted(found)


def mutate(value: object, limits: Sequence[int | float], random: Random) -> object:
    """Return a value with one change: another type, something less, something too much."""
    path = random.choice(list(_paths(value)))
    return replaced(value, path, _changed(at(value, path), limits, random))


def at(value: object, path: Path) -> object:
    """Return what is at a place in a value."""
    for step in path:
        value = cast(dict[str | int, object], value)[step]
    return value


def replaced(value: object, path: Path, new: object) -> object:
    """Return a copy of a value with something else at a place."""
    if not path:
        return new
    made = copy.deepcopy(value)
    cast(dict[str | int, object], at(made, path[:-1]))[path[-1]] = new
    return made


def _paths(value: object, path: Path = ()) -> Iterator[Path]:
    yield path
    if is_mapping(value):
        for name, member in value.items():
            yield from _paths(member, (*path, name))
    elif is_list(value):
        for index, item in enumerate(value):
            yield from _paths(item, (*path, index))


def _changed(value: object, limits: Sequence[int | float], random: Random) -> object:
    if random.random() < 0.3:
        return copy.deepcopy(random.choice(_OTHERS))
    sizes = [int(limit) for limit in limits if 0 < limit <= _LONGEST] or [70]
    if is_mapping(value):
        return _changed_object(value, random)
    if is_list(value):
        return _changed_array(value, min(random.choice(sizes), 200), random)
    match value:
        case str():
            size = random.choice(sizes)
            longer = value + "x" * (size - len(value))
            return random.choice(["", value[:-1], f"{value}-unlisted", longer, value.swapcase()])
        case bool() | None:
            return random.choice(_OTHERS)
        case int() | float():
            other = random.choice([*limits, 0])
            larger = value * 1000 + 7 if abs(value) < 1e30 else 7
            return random.choice([-value - 1, larger / 2, larger, other, str(value)])
        case _:
            raise TypeError(value)


def _changed_object(value: dict[str, object], random: Random) -> object:
    names = list(value)
    if names and random.random() < 0.6:
        gone = random.choice(names)
        return {name: one for name, one in value.items() if name != gone}
    added: object = copy.deepcopy(random.choice(_OTHERS))
    return {**value, random.choice(["unknown", "x", *names]): added}


def _changed_array(value: list[object], size: int, random: Random) -> object:
    if not value:
        return [copy.deepcopy(random.choice(_OTHERS))]
    more = (value * size)[: max(size, len(value) + 1)]
    return random.choice([[], value[1:], value[:1], [*value, value[0]], more, value[0]])
