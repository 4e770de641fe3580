"""The checks of openapi-spec-validator within bounds: what it makes of a document takes no hours.

By itself the library goes every way through schemas that meet again, of which there can be more
than anybody can wait for, and matches patterns that backtrack as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, cast

import jsonschema_rs
from jsonschema_path.paths import SchemaPath
from openapi_schema_validator import validators
from openapi_spec_validator.validation import keywords

from specloom.description.plain_schemas import BACKTRACKING
from specloom.description.values import is_list, is_mapping

_STEPS: Final = 20_000
"""How often defaults are held against a schema, or a part of one: real documents need hundreds."""
_HOLDERS: Final = ("allOf", "anyOf", "oneOf")
Check = type[keywords.KeywordValidator]
Errors = Iterator[object]
Keyword = Callable[[Any, object, object, Any], Errors | None]


class Exhausted(Exception):
    """What a document demands takes too long."""


@dataclass(slots=True)
class Budget:
    """The steps that are left for one document."""

    left: int = _STEPS

    def spend(self) -> None:
        """Take a step. Raises ``Exhausted`` when there is none left."""
        self.left -= 1
        if self.left < 0:
            raise Exhausted("there are too many ways through its schemas")


def bounded(check: Check, budget: Budget) -> Check:
    """Return a check that finds the same, as far as the budget reaches."""
    members: dict[str, object] = {}
    if issubclass(check, keywords.ValueValidator):
        own = _validator(cast(Any, check).value_validator_cls, budget)
        members["value_validator_cls"] = own
    elif issubclass(check, keywords.SchemaValidator):
        collected = _Collected()

        def start(self: object, registry: object) -> None:
            cast(Any, check).__init__(self, registry)
            of_schemas = cast(Any, self)
            of_schemas.visited_schema_ids, of_schemas.meta_checked_schema_ids = _Seen(), _Seen()

        def collect(_: object, schema: SchemaPath) -> set[str]:
            return collected.below(schema)

        members |= {"__init__": start, "_collect_properties": collect}
    return cast(Check, type(check.__name__, (check,), members))


class _Seen(set[int]):
    """What the library keeps a list of, and looks for in it each time."""

    append = set[int].add


@dataclass(slots=True)
class _Collected:
    """The names of properties that schemas have, each schema looked at once.

    ``known`` has the names that a schema itself has and what is in it, by its identity.
    """

    known: dict[int, tuple[set[str], list[int]]] = field(
        default_factory=dict[int, "tuple[set[str], list[int]]"]
    )

    def below(self, schema: SchemaPath) -> set[str]:
        """Return the names of all properties within reach of a schema."""
        found: set[str] = set()
        seen: set[int] = set()
        waiting = [self._look(schema)]
        while waiting:
            at = waiting.pop()
            if at not in seen:
                seen.add(at)
                names, inside = self.known[at]
                found |= names
                waiting += inside
        return found

    def _look(self, start: SchemaPath) -> int:
        """Look at a schema and at all that it leads to; return its identity."""
        first = id(start.read_value())
        waiting = [start]
        while waiting:
            schema = waiting.pop()
            value: object = schema.read_value()
            if id(value) in self.known:
                continue
            inside = list(_inside(schema, value))
            stated = value.get("properties") if is_mapping(value) else None
            names = set(stated) if is_mapping(stated) else set[str]()
            self.known[id(value)] = (names, [id(one.read_value()) for one in inside])
            waiting += inside
        return first


def _inside(schema: SchemaPath, value: object) -> Iterator[SchemaPath]:
    """Yield the schemas whose properties count as those of a schema to the library."""
    if not is_mapping(value):
        return
    for keyword in _HOLDERS:
        if is_list(branches := value.get(keyword)):
            yield from (schema / keyword / index for index in range(len(branches)))
    for keyword in ("items", "not"):
        if keyword in value:
            yield schema / keyword


def _validator(own: object, budget: Budget) -> object:
    """Return a validator of values that counts its steps and matches patterns within limits."""
    patterns = {"pattern": _pattern, "patternProperties": _pattern_properties}
    bounded_ = cast(Any, validators).extend(
        own, {**patterns, "additionalProperties": _additional(own)}
    )
    evolve = bounded_.evolve

    def counted(self: object, **changes: object) -> object:
        budget.spend()
        return evolve(self, **changes)

    bounded_.evolve = counted
    return bounded_


def _pattern(validator: Any, pattern: str, instance: object, _: object) -> Errors:
    if validator.is_type(instance, "string") and not _matches(pattern, cast(str, instance)):
        error = cast(Any, keywords).ValidationError
        yield error(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Any, properties: Mapping[str, object], instance: object, _: object
) -> Errors:
    if is_mapping(instance):
        for pattern, schema in properties.items():
            for name, value in instance.items():
                if _matches(pattern, name):
                    yield from validator.descend(value, schema, path=name, schema_path=pattern)


def _additional(own: object) -> Keyword:
    """Return the keyword with the properties left out that fit a pattern."""
    original: Keyword = cast(Any, own).VALIDATORS["additionalProperties"]

    def additional(validator: Any, value: object, instance: object, schema: Any) -> Errors | None:
        patterns: Mapping[str, object] = schema.get("patternProperties", {})
        if patterns and is_mapping(instance):
            fits = [n for n in instance if any(_matches(pattern, n) for pattern in patterns)]
            instance = {n: v for n, v in instance.items() if n not in fits}
            schema = {k: v for k, v in schema.items() if k != "patternProperties"}
        return original(validator, value, instance, schema)

    return additional


def _matches(pattern: str, text: str) -> bool:
    """Whether a text has a form; a pattern that is none, or takes too long, does not refuse it."""
    matcher = _matcher(pattern)
    try:
        return matcher is None or matcher.is_valid(text)
    except ValueError:
        return True


@cache
def _matcher(pattern: str) -> jsonschema_rs.Validator | None:
    options = jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACKING)
    try:
        return jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=options)
    except ValueError:
        return None
