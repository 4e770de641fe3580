"""Examples: values that a description shows of what is sent and of what comes back."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from .nodes import is_node, items, node
from .references import References

_VALUES = ("value", "dataValue")
"""What holds the value of an Example Object; the second since OpenAPI 3.2."""

_Shown = tuple[str | None, object]
"""A value, and its name where it is one of several."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Collects the examples in one description."""

    description: Description

    def of(
        self, operations: Iterable[ir.Operation], types: Mapping[ir.TypeId, ir.Declaration]
    ) -> dict[str, tuple[ir.Example, ...]]:
        """Return what is shown of parameters, bodies, types and properties, by their origins.

        What is written as text in JSON is read, since many write examples of bodies so.
        """
        found: dict[str, tuple[ir.Example, ...]] = {}
        for origin, is_schema in _places(operations, types):
            if str(origin) not in found:
                stated = self._stated(origin)
                shown = self._schema(stated) if is_schema else self._holder(stated, origin)
                found[str(origin)] = tuple(_sound(shown))
        return {origin: examples for origin, examples in found.items() if examples}

    def _stated(self, origin: Origin) -> Mapping[str, object]:
        try:
            return node(self.description.lookup(origin))
        except LookupError:
            return {}

    def _schema(self, stated: Mapping[str, object]) -> Iterator[_Shown]:
        """Yield the examples in a schema: one, or a list of them since OpenAPI 3.1."""
        if "example" in stated:
            yield None, stated["example"]
        yield from ((None, value) for value in items(stated.get("examples")))

    def _holder(self, stated: Mapping[str, object], origin: Origin) -> Iterator[_Shown]:
        """Yield the examples of a parameter or a media type, or else those in its schema."""
        shown: list[_Shown] = [(None, stated["example"])] if "example" in stated else []
        shown += self._named(node(stated.get("examples")), origin / "examples")
        if not shown:
            shown += self._schema(node(stated.get("schema")))
        yield from ((name, _read(value)) for name, value in shown)

    def _named(self, named: Mapping[str, object], origin: Origin) -> Iterator[_Shown]:
        references = References(self.description, Report())  # what is wrong is reported elsewhere
        for name, written in named.items():
            if is_node(written):
                example, _ = references.target(written, origin / name)
                yield from ((name, example[key]) for key in _VALUES if key in example)


def _places(
    operations: Iterable[ir.Operation], types: Mapping[ir.TypeId, ir.Declaration]
) -> Iterator[tuple[Origin, bool]]:
    """Yield where examples may be, and whether that is a schema."""
    for operation in operations:
        yield from ((parameter.origin, False) for parameter in operation.parameters)
        if operation.body is not None:
            yield from ((content.origin, False) for content in operation.body.contents)
        for response in operation.responses:
            yield from ((content.origin, False) for content in response.contents)
    for declared in types.values():
        yield declared.origin, True
        if isinstance(declared, ir.Model):
            yield from ((prop.origin, True) for prop in declared.properties)


def _sound(shown: Iterable[_Shown]) -> Iterator[ir.Example]:
    """Yield the examples that JSON can hold."""
    for name, value in shown:
        if _is_finite(value):
            yield ir.Example(ir.Constant(json.dumps(value, ensure_ascii=False)), name)


def _is_finite(value: object) -> bool:
    match value:
        case float():
            return math.isfinite(value)
        case list():
            return all(map(_is_finite, cast("list[object]", value)))
        case dict():
            return all(map(_is_finite, cast("dict[str, object]", value).values()))
        case _:
            return True


def _read(value: object) -> object:
    """Return what an example shows that is written as text in JSON."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            pass
    return value
