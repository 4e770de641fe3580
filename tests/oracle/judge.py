"""What JSON Schema says about values: a validator for each schema of a description."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import jsonschema_rs

Schema = dict[str, object] | bool
Definitions = dict[str, Schema]
"""Plain schemas by name, which refer to each other as ``#/$defs/NAME``."""

_BACKTRACKING = 100_000
_DECIMAL = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


@dataclass
class Judge:
    """What JSON Schema says about values of the component schemas of a description."""

    definitions: Definitions
    names: dict[str, str]
    """The name of a component's definition, by the name of the component."""
    _registry: jsonschema_rs.Registry = field(init=False)
    _validators: dict[str, jsonschema_rs.Validator] = field(
        default_factory=dict[str, jsonschema_rs.Validator]
    )

    def __post_init__(self) -> None:
        self._registry = jsonschema_rs.Registry([("urn:s", {"$defs": self.definitions})])

    def schema(self, component: str) -> Schema:
        """Return the schema of a component."""
        return self.definitions[self.names[component]]

    def validator(self, component: str) -> jsonschema_rs.Validator:
        """Return the validator of a component; raises ``ValueError`` where it has none."""
        found = self._validators.get(component)
        if found is None:
            found = self._validators[component] = jsonschema_rs.Draft202012Validator(
                {"$ref": f"urn:s#/$defs/{self.names[component]}"},
                registry=self._registry,
                pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKING),
                validate_formats=True,
                formats={"decimal": _is_decimal},
                offline=True,
            )
        return found


def _is_decimal(text: str) -> bool:
    return _DECIMAL.fullmatch(text) is not None
