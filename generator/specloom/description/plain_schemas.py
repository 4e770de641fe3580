"""Schemas of a description as JSON Schema 2020-12, so that values can be held against them.

Whatever the version, ``nullable`` and boolean bounds are understood. What is no valid keyword, or
leads nowhere, is left out: it says nothing about a value, and others report it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Final

import jsonschema_rs

from specloom.description.anatomy import target
from specloom.description.description import Description
from specloom.description.values import is_list, is_mapping
from specloom.description.ways import MOST, Ways
from specloom.diagnostics import Origin

_TYPES: Final = frozenset("array boolean integer null number object string".split())
_COUNTS: Final = frozenset("Length Items Properties".split())
BACKTRACKING: Final = 10_000
"""How far back a pattern may be tried."""


class PlainSchemas:
    """Collects schemas, and then judges values by them.

    ``hidden`` has the names of properties that only requests or only responses have: whether one
    is required depends on where a value stands.
    """

    def __init__(self, description: Description) -> None:
        self.hidden: set[str] = set()
        self._description = description
        self._keys: dict[tuple[Origin, bool], str] = {}
        self._waiting: list[tuple[str, object, Origin, bool]] = []
        self._patterns: dict[str, bool] = {}

    def key(self, schema: object, origin: Origin, *, bare: bool = False) -> str:
        """Return the name of a schema for ``validators``; ``bare`` leaves its constants out."""
        schema, origin = target(self._description, schema, origin)
        name = self._keys.get((origin, bare))
        if name is None:
            name = self._keys[origin, bare] = str(len(self._keys))
            self._waiting.append((name, schema, origin, bare))
        return name

    def validators(self) -> Callable[[str], jsonschema_rs.Validator]:
        """Return a function from the names of schemas to their validators.

        That raises ``ValueError`` for a schema that cannot be compiled, or has too many ways
        through it.
        """
        schemas: dict[str, object] = {}
        while self._waiting:
            name, schema, origin, bare = self._waiting.pop()
            schemas[name] = self._plain(schema, origin, bare=bare)
        registry = jsonschema_rs.Registry([("urn:s", {"$defs": schemas})])
        options = jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACKING)

        ways = Ways(schemas)

        def validator(name: str) -> jsonschema_rs.Validator:
            if ways.through(name) > MOST:
                raise ValueError("there are too many ways through it")
            return jsonschema_rs.Draft202012Validator(
                {"$ref": f"urn:s#/$defs/{name}"},
                registry=registry,
                pattern_options=options,
                offline=True,
            )

        return validator

    def _plain(self, schema: object, origin: Origin, *, bare: bool = False) -> object:
        """Return a schema in the one dialect."""
        if not is_mapping(schema):
            return schema if isinstance(schema, bool) else True
        plain: dict[str, object] = {}
        if isinstance(ref := schema.get("$ref"), str):
            plain = self._reference(schema, ref, origin)
        else:
            for keyword, value in schema.items():
                if not (bare and keyword in ("enum", "const")):
                    plain |= self._keyword(keyword, value, schema, origin)
            if is_list(forms := schema.get("oneOf")) and forms:
                # That a value fits several forms is a matter of the forms, not of the value.
                one = {"anyOf": self._all(forms, origin / "oneOf")}
                plain = {"allOf": [plain, one]}
        if schema.get("nullable") is True or schema.get("x-nullable") is True:
            return {"anyOf": [plain, {"type": "null"}]}
        return plain

    def _reference(self, schema: dict[str, object], ref: str, origin: Origin) -> dict[str, object]:
        """Return a schema with a reference."""
        if self._description.resolve(ref, origin) is None:
            return {}
        plain: dict[str, object] = {"$ref": f"#/$defs/{self.key({'$ref': ref}, origin)}"}
        if self._description.joins_siblings and len(schema) > 1:
            rest = {keyword: value for keyword, value in schema.items() if keyword != "$ref"}
            plain["allOf"] = [self._plain(rest, origin)]
        return plain

    def _keyword(
        self, keyword: str, value: object, schema: dict[str, object], origin: Origin
    ) -> dict[str, object]:
        """Return what a keyword with a value becomes: nothing, or usually itself."""
        at = origin / keyword
        match keyword:
            case "type":
                stated = value if is_list(value) else [value]
                types = [t for t in stated if isinstance(t, str) and t in _TYPES]
                return {"type": list(dict.fromkeys(types))} if types else {}
            case "enum" if is_list(value) and value and is_json(value):
                return {"enum": self._constants(value, schema, at)}
            case "const" if is_json(value):
                return {"const": value}
            case "properties" | "patternProperties" if is_mapping(value):
                self._note_hidden(value, at)
                usable = [k for k in value if keyword == "properties" or self._is_pattern(k)]
                return {keyword: {k: self._plain(value[k], at / k) for k in usable}}
            case "allOf" | "anyOf" | "prefixItems" if is_list(value) and value:
                return {keyword: self._all(value, at)}
            case "items" if is_list(value) and value:
                return {"prefixItems": self._all(value, at)}
            case "items" | "additionalProperties" | "not" | "propertyNames" | "contains":
                return {keyword: self._plain(value, at)}
            case "required" if is_list(value):
                names = [name for name in value if isinstance(name, str)]
                return {keyword: list(dict.fromkeys(names))}
            case "pattern" if isinstance(value, str) and self._is_pattern(value):
                return {"pattern": value}
            case "uniqueItems" if isinstance(value, bool):
                return {"uniqueItems": value}
            case "minimum" | "maximum" if _is_number(value):
                exclusive = f"exclusive{keyword.capitalize()}"
                return {exclusive if schema.get(exclusive) is True else keyword: value}
            case "exclusiveMinimum" | "exclusiveMaximum" if _is_number(value):
                return {keyword: value}
            case "multipleOf" if isinstance(value, int | float) and _is_number(value) and value > 0:
                return {keyword: value}
            case _ if keyword[:3] in ("min", "max") and keyword[3:] in _COUNTS:
                counts = isinstance(value, int) and not isinstance(value, bool) and value >= 0
                return {keyword: value} if counts else {}
            case _:
                return {}

    def _all(self, schemas: list[object], origin: Origin) -> list[object]:
        return [self._plain(schema, origin / index) for index, schema in enumerate(schemas)]

    def _constants(
        self, values: list[object], schema: dict[str, object], origin: Origin
    ) -> list[object]:
        """Return the values of an enum, those of strings also as their author spelled them."""
        constants = list(values)
        if schema.get("type") == "string":
            for index, value in enumerate(values):
                text = None if isinstance(value, str) else self._description.text(origin / index)
                if text is not None and text not in constants:
                    constants.append(text)
        return constants

    def _note_hidden(self, properties: dict[str, object], origin: Origin) -> None:
        for name, written in properties.items():
            schema, _ = target(self._description, written, origin / name)
            for holder in (schema, written):
                if is_mapping(holder) and True in (holder.get("readOnly"), holder.get("writeOnly")):
                    self.hidden.add(name)

    def _is_pattern(self, pattern: str) -> bool:
        """Return whether a regular expression is one (ECMA-262, as far as it is supported)."""
        if pattern not in self._patterns:
            try:
                jsonschema_rs.Draft202012Validator({"pattern": pattern})
            except ValueError:
                self._patterns[pattern] = False
            else:
                self._patterns[pattern] = True
        return self._patterns[pattern]


def _is_number(value: object) -> bool:
    """Return whether a value is a number that JSON can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) if isinstance(value, float) else True


def is_json(value: object) -> bool:
    """Return whether JSON can hold a value, which may have an infinity somewhere in it."""
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return False
    return True
