"""Values of a JSON Schema, drawn at random.

A value has to fit several schemas at once, because of references, ``allOf`` and the branch that is
chosen of a union. So what is drawn from is always a list of schemas, all of which are to hold. What
is drawn fits nearly always; whether it does is for a validator to say (``not``, ``if`` and the like
are left to it).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from specloom.description.values import is_mapping

from .judge import Definitions, Schema
from .parts import (
    KINDS,
    LOWER,
    UPPER,
    Plain,
    is_bounded,
    item_schemas,
    key_of,
    kinds_of,
    least_of,
    mapping,
    member_schemas,
    most_of,
    number,
    several,
    shared_constants,
)
from .patterns import draw_match

_IMPLIED = {
    "object": {"properties", "additionalProperties", "required", "patternProperties"},
    "array": {"items", "prefixItems"},
    "string": {"format", "pattern", "minLength"},
    "number": {"minimum", "maximum"},
}
"""What kind of value a schema without ``type`` is most likely about."""

_TEXTS = {
    "date-time": ["2024-02-29T12:30:00Z", "2024-02-29T12:30:00.250+02:00", "1999-12-31T23:59:59z"],
    "date": ["2024-02-29", "1999-12-31"],
    "time": ["12:30:00Z", "12:30:00.5+02:00"],
    "uuid": ["6f9619ff-8b86-4011-b42d-00c04fc964ff", "6F9619FF-8B86-4011-B42D-00C04FC964FF"],
    "decimal": ["1.50", "-0.001", "12", "1e5"],
}
_WORDS = (
    *("", "a", "loom", "two words", "naïve ✓ 糸", "0", "null", "2024-02-29", "line\nend"),
    "\\\"'",
)
_NAMES = (
    *("extra", "x-note", "two words", "class", "self", "to_dict", "model_fields", "é", "_id"),
    "",
)
_INTEGERS = [0, 1, 2, 7, 42, -1, 65_536, 2**31, 2**53 + 1, -(2**63), 10**20]
_NUMBERS = [0.0, 0.5, -1.25, 3, 1e-7, 1.7e308, 1e22, 100]
_UNENDING = 10_000


class Impossible(Exception):
    """No value fits, or none was found."""


@dataclass
class Drawer:
    """Draws values of schemas that refer to each other."""

    definitions: Definitions
    _heights: dict[int, int] = field(default_factory=dict[int, int])
    """How many levels the smallest value of a schema has, by the identity of the schema."""

    def __post_init__(self) -> None:
        changed = True
        while changed:
            before = dict(self._heights)
            for schema in self.definitions.values():
                self._measure(schema)
            changed = before != self._heights

    def draw(self, schema: Schema, random: Random, budget: int = 4) -> object:
        """Return a value of a schema, with about as many levels as the budget says.

        Raises ``Impossible`` when none is found.
        """
        return _Draw(self, random).value([schema], budget)

    def target(self, ref: object) -> Schema:
        """Return what a reference leads to."""
        return self.definitions[str(ref).rpartition("/")[2]]

    def height(self, schema: object) -> int:
        """Return how many levels the smallest value of a schema has."""
        return self._heights.get(id(schema), 0) if is_mapping(schema) else 0

    def _measure(self, schema: object) -> int:
        if not is_mapping(schema):
            return _UNENDING if schema is False else 0
        inner = [self._measure(one) for one in several(schema, "allOf")]
        if branches := several(schema, "anyOf"):
            inner.append(min(self._measure(one) for one in branches))
        if "$ref" in schema:
            target = self.target(schema["$ref"])
            inner.append(self._heights.get(id(target), _UNENDING if is_mapping(target) else 0))
        properties = mapping(schema, "properties")
        below = {name: self._measure(one) for name, one in properties.items()}
        inner += [1 + below.get(str(name), 0) for name in several(schema, "required")]
        places = [self._measure(one) for one in several(schema, "prefixItems")]
        items = self._measure(schema["items"]) if "items" in schema else 0
        self._measure(schema.get("additionalProperties"))
        least = schema.get("minItems")
        if isinstance(least, int) and least:
            inner.append(1 + max([items, *places]))
        if "null" in kinds_of(schema) or not kinds_of(schema) & {"object", "array"}:
            inner = [0] if "type" in schema else inner
        height = min(max(inner, default=0), _UNENDING)
        self._heights[id(schema)] = height
        return height


@dataclass
class _Draw:
    """One value that is being drawn."""

    drawer: Drawer
    random: Random

    def value(self, schemas: Sequence[object], budget: int) -> object:
        """Draw a value that fits all schemas; other branches are tried when it fails."""
        for last in (False, False, False, True):
            try:
                return self._value(schemas, budget)
            except Impossible:
                if last or budget < -20:
                    raise
        raise Impossible

    def _value(self, schemas: Sequence[object], budget: int) -> object:
        parts: list[Plain] = []
        waiting: list[list[object]] = []
        for schema in schemas:
            self._collect(schema, parts, waiting, set())
        while waiting:
            self._collect(self._branch(waiting.pop(), parts, budget), parts, waiting, set())
        if any(part.keys() & {"enum", "const"} for part in parts):
            if not (shared := shared_constants(parts)):
                raise Impossible
            return self.random.choice(shared)
        return self._of_kind(self._kind(parts, budget), parts, budget)

    def _collect(
        self, schema: object, parts: list[Plain], waiting: list[list[object]], seen: set[str]
    ) -> None:
        """Add to ``parts`` what a value has to fit; the branches of unions wait to be chosen."""
        if schema is False:
            raise Impossible
        if not is_mapping(schema):
            return
        parts.append(schema)
        ref = schema.get("$ref")
        if isinstance(ref, str) and ref not in seen:
            self._collect(self.drawer.target(ref), parts, waiting, seen | {ref})
        for one in several(schema, "allOf"):
            self._collect(one, parts, waiting, seen)
        if branches := several(schema, "anyOf"):
            waiting.append(branches)

    def _branch(self, branches: list[object], parts: Sequence[Plain], budget: int) -> object:
        """Choose a branch, if possible one that the constants so far do not exclude."""
        if any(part.keys() & {"enum", "const"} for part in parts):
            plain = [one for one in branches if is_mapping(one)]
            possible = [one for one in plain if shared_constants([*parts, one])]
            if possible:
                return self.random.choice(possible)
        within = [one for one in branches if self.drawer.height(one) <= max(budget, 0)]
        return self.random.choice(within or [min(branches, key=self.drawer.height)])

    def _kind(self, parts: Sequence[Plain], budget: int) -> str:
        kinds = set(KINDS)
        for part in parts:
            if "type" in part:
                kinds &= kinds_of(part)
        if not kinds:
            raise Impossible
        if len(kinds) == len(KINDS):
            for kind, keywords in _IMPLIED.items():
                if any(keywords & part.keys() for part in parts):
                    return kind
        if budget <= 0 and len(kinds) > 1:
            kinds = kinds - {"object", "array"} or kinds
        return self.random.choice([kind for kind in KINDS if kind in kinds])

    def _of_kind(self, kind: str, parts: Sequence[Plain], budget: int) -> object:
        match kind:
            case "object":
                return self._object(parts, budget)
            case "array":
                return self._array(parts, budget)
            case "string":
                return self._text(parts)
            case "integer" | "number":
                return self._number(kind, parts)
            case "boolean":
                return self.random.random() < 0.5
            case _:
                return None

    def _object(self, parts: Sequence[Plain], budget: int) -> object:
        required = [str(name) for part in parts for name in several(part, "required")]
        names = dict.fromkeys([*required, *(n for p in parts for n in mapping(p, "properties"))])
        most = least_of(parts, "maxProperties", _UNENDING)
        made: dict[str, object] = {}
        share = self.random.choice([0.0, 0.3, 0.6, 1.0])
        for name in names:
            inside = list(member_schemas(parts, name))
            if name not in required:
                deep = max(map(self.drawer.height, inside), default=0) >= budget
                if deep or self.random.random() >= share or len(made) >= most:
                    continue
            try:
                made[name] = self.value(inside, budget - 1)
            except Impossible:
                if name in required:
                    raise
        wanted = self.random.choice([0, 0, 1, 3]) if budget > 0 else 0
        least = most_of(parts, "minProperties")
        for turn in range(100):
            if len(made) >= most or (len(made) >= least and turn >= wanted):
                break
            self._add(made, parts, budget, turn)
        items = list(made.items())
        self.random.shuffle(items)
        return dict(items)

    def _add(self, made: Plain, parts: Sequence[Plain], budget: int, turn: int) -> None:
        """Add a property that is not declared, if there can be one."""
        schemas = [p["propertyNames"] for p in parts if "propertyNames" in p]
        patterns = [pattern for part in parts for pattern in mapping(part, "patternProperties")]
        try:
            if schemas:
                name = str(self.value([{"type": "string"}, *schemas], 0))
            elif patterns and self.random.random() < 0.8:
                name = draw_match(self.random.choice(patterns), self.random)
            else:
                name = self.random.choice(_NAMES) + (str(turn) if turn > 5 else "")
            declared = any(name in mapping(part, "properties") for part in parts)
            if not declared and name not in made:
                made[name] = self.value(list(member_schemas(parts, name)), budget - 1)
        except Impossible:
            if turn > 50:
                raise

    def _array(self, parts: Sequence[Plain], budget: int) -> object:
        least, most = most_of(parts, "minItems"), least_of(parts, "maxItems", _UNENDING)
        length = least
        if budget > 0:
            length += self.random.choice([0, 1, 1, 2, 4])
        unique = any(part.get("uniqueItems") is True for part in parts)
        made: list[object] = []
        for _ in range(4 * min(length, most)):
            if len(made) >= min(length, most):
                break
            try:
                item = self.value(list(item_schemas(parts, len(made))), budget - 1)
            except Impossible:
                if len(made) < least:
                    raise
                break
            if not (unique and key_of(item) in map(key_of, made)):
                made.append(item)
        return made

    def _text(self, parts: Sequence[Plain]) -> str:
        least, most = most_of(parts, "minLength"), least_of(parts, "maxLength", _UNENDING)
        patterns = [pattern for p in parts if isinstance(pattern := p.get("pattern"), str)]
        formats = [str(part["format"]) for part in parts if part.get("format") in _TEXTS]
        if patterns:
            drawn = (draw_match(self.random.choice(patterns), self.random) for _ in range(20))
            found = next((text for text in drawn if least <= len(text) <= most), None)
            if found is None:
                raise Impossible
            return found
        if formats:
            return self.random.choice(_TEXTS[formats[0]])
        text = self.random.choice(_WORDS)
        if len(text) < least:
            text += "x" * (least - len(text))
        return text[:most]

    def _number(self, kind: str, parts: Sequence[Plain]) -> object:
        low = max([number(p, k) for p in parts for k in LOWER if k in p], default=float("-inf"))
        high = min([number(p, k) for p in parts for k in UPPER if k in p], default=float("inf"))
        steps = [step for part in parts if (step := part.get("multipleOf")) is not None]
        pool = [*_INTEGERS, low, high, low + 1, high - 1, (low + high) / 2]
        pool += [] if kind == "integer" else [*_NUMBERS, low + 0.5, high - 0.5]
        finite = [n for n in pool if math.isfinite(n)]
        for step in steps:
            if isinstance(step, int | float):
                finite = [step * round(n / step) for n in finite] + [step]
        whole = kind == "integer"
        numbers = [int(n) if whole or self._rounds(n) else n for n in finite]
        fitting = [n for n in numbers if all(is_bounded(n, part) for part in parts)]
        if not fitting:
            raise Impossible
        return self.random.choice(fitting)

    def _rounds(self, number: float) -> bool:
        """Whether a number without a fraction is written as an integer."""
        return number == int(number) and self.random.random() < 0.5
