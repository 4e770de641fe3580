"""Instances of JSON Schemas, drawn at random from a seed: good ones, and ones that are not."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

DEEPEST = 6
"""Below so many levels, only what must be there is drawn."""

SCALARS: tuple[Any, ...] = ("", "a", "x y", "é", 0, 1, -1, 7, 1.5, -0.25, True, False, None)
OTHERS: tuple[Any, ...] = (*SCALARS, [], {}, ["a"], [1], {"a": 1}, {"b": None})
FORMATS: Mapping[str, tuple[str, ...]] = {
    "date-time": ("2020-02-29T12:30:00Z", "1999-12-31T23:59:59.123+02:00"),
    "date": ("2020-02-29", "1999-12-31"),
    "time": ("12:30:00Z", "23:59:59+02:00"),
    "uuid": ("12345678-1234-5678-1234-567812345678",),
    "uri": ("https://example.com/a?b=c",),
    "email": ("someone@example.com",),
}


@dataclass(frozen=True)
class Drawing:
    """Draws instances of the definitions of a document."""

    definitions: Mapping[str, Any]
    chance: random.Random

    def instances(self, name: str) -> Iterator[Any]:
        """Yield instances of a definition without an end: a good one, then one with a change."""
        while True:
            value = self.draw(self.definitions[name], 0)
            yield value
            yield self.changed(value)

    def draw(self, schema: Any, depth: int) -> Any:
        """Return an instance of a schema; limits that no draw meets are not met."""
        match schema:
            case {"$ref": str(target)}:
                return self.draw(self.definitions[target.rpartition("/")[2]], depth + 1)
            case {"const": value}:
                return value
            case {"enum": values}:
                return self.chance.choice(values)
            case {"anyOf": members}:
                return self.draw(self._member(members, depth), depth + 1)
            case {"type": [*kinds]}:
                return self.draw({**schema, "type": self.chance.choice(kinds)}, depth)
            case {"type": "string"}:
                return self._text(schema)
            case {"type": "integer" | "number" as kind}:
                return self._number(schema, kind)
            case {"type": "boolean"}:
                return self.chance.choice((True, False))
            case {"type": "null"}:
                return None
            case {"type": "array"}:
                return self._list(schema, depth)
            case {"type": "object"}:
                return self._object(schema, depth)
            case _:
                return copy.deepcopy(self.chance.choice(OTHERS))

    def _member(self, members: list[Any], depth: int) -> Any:
        flat = [m for m in members if "$ref" not in m]
        return self.chance.choice(flat if flat and depth > DEEPEST else members)

    def _text(self, schema: Mapping[str, Any]) -> str:
        if schema.get("format") in FORMATS:
            return self.chance.choice(FORMATS[schema["format"]])
        shortest = schema.get("minLength", 0)
        longest = min(schema.get("maxLength", shortest + 9), shortest + 9)
        length = self.chance.randint(shortest, max(shortest, longest))
        return "".join(self.chance.choice("abz09 é") for _ in range(length))

    def _number(self, schema: Mapping[str, Any], kind: str) -> float:
        low = schema.get("minimum", schema.get("exclusiveMinimum", -5))
        high = schema.get("maximum", schema.get("exclusiveMaximum", low + 10))
        if kind == "integer":
            return self.chance.randint(int(low), max(int(low), int(high)))
        return self.chance.choice((low, round(self.chance.uniform(low, high), 2)))

    def _list(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        first = [self.draw(place, depth + 1) for place in schema.get("prefixItems", ())]
        shortest = schema.get("minItems", 0)
        items = schema.get("items", True)
        if items is False:
            return first
        more = 0 if depth > DEEPEST else self.chance.randint(0, 2)
        count = min(max(shortest - len(first), more), schema.get("maxItems", 99))
        return first + [self.draw(items, depth + 1) for _ in range(count)]

    def _object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        required = schema.get("required", ())
        rare = 0.1 if depth > DEEPEST else 0.5
        value = {
            name: self.draw(inner, depth + 1)
            for name, inner in schema.get("properties", {}).items()
            if name in required or self.chance.random() < rare
        }
        extra = schema.get("additionalProperties")
        if extra not in (None, False) and depth <= DEEPEST:
            for name in self.chance.sample(("k1", "k2", "k 3"), self.chance.randint(0, 2)):
                value[name] = self.draw(extra, depth + 1)
        return value

    def changed(self, value: Any) -> Any:
        """Return an instance with a change in one place, which may be one for the worse."""
        value = copy.deepcopy(value)
        places = list(_places(value))
        if not places or self.chance.random() < 0.05:
            return copy.deepcopy(self.chance.choice(OTHERS))
        holder, key = self.chance.choice(places)
        match self.chance.randint(0, 3):
            case 0 if isinstance(holder, dict):
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder["unheard of"] = copy.deepcopy(self.chance.choice(OTHERS))
            case _:
                holder[key] = copy.deepcopy(self.chance.choice(OTHERS))
        return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each place inside a value: what holds it, and its key there."""
    members: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value).items()
    elif isinstance(value, list):
        members = enumerate(cast("Iterable[Any]", value))
    for key, inner in members:
        yield value, key
        yield from _places(inner)
