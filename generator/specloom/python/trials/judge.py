"""Whether values are what types say: a validator of JSON Schema judges samples and examples."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import cast

import jsonschema_rs

from ... import ir
from ...json_schema import DIALECT, json_schema, type_schema

_PATTERNS = frozenset({"pattern", "patternProperties", "propertyNames"})


@dataclass(frozen=True)
class Judge:
    """Compares values with types of an API, which are all made ready at once."""

    api: ir.Api
    types: tuple[ir.Type, ...]

    @classmethod
    def of(cls, api: ir.Api, types: Iterable[ir.Type]) -> Judge:
        """Return the judge of some types."""
        return cls(api, tuple(dict.fromkeys(types)))

    def accepts(self, type_: ir.Type, value: object) -> bool:
        """Whether a value is what a type says, its formats and limits included.

        Raises KeyError for a type that the judge does not know.
        """
        return self._validator.is_valid({self._keys[type_]: value})

    @cached_property
    def _keys(self) -> Mapping[ir.Type, str]:
        return {type_: str(number) for number, type_ in enumerate(self.types)}

    @cached_property
    def _validator(self) -> jsonschema_rs.Validator:
        names = {id_: str(number) for number, id_ in enumerate(self.api.types)}
        definitions = json_schema(self.api, names)["$defs"]
        properties = {key: type_schema(t, self.api, names) for t, key in self._keys.items()}
        document = {"$schema": DIALECT, "properties": properties, "$defs": definitions}
        try:
            return _compiled(document)
        except ValueError:  # a pattern that is none
            return _compiled(_without_patterns(document))


def _compiled(document: object) -> jsonschema_rs.Validator:
    schema = cast("dict[str, object]", document)
    return jsonschema_rs.validator_for(schema, validate_formats=True, formats=_FORMATS)


def _without_patterns(node: object) -> object:
    if isinstance(node, dict):
        members = cast("dict[str, object]", node).items()
        return {k: _without_patterns(v) for k, v in members if k not in _PATTERNS}
    if isinstance(node, list):
        return [_without_patterns(item) for item in cast("list[object]", node)]
    return node


def _is_decimal(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False


def _is_base64(text: str) -> bool:
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


_FORMATS = {"decimal": _is_decimal, "byte": _is_base64}
"""The formats of OpenAPI that JSON Schema does not have."""
