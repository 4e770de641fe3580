"""Why a client and JSON Schema differ about a value: established by experiment.

Each cause is a reading of the schemas, or a keyword that clients are known not to check. It is the
cause when JSON Schema, read that way or without that keyword, says what the client says.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from specloom.description.description import Description

from .judge import Judge
from .schemas import READINGS, Reading, judge

READ: Mapping[Reading, str] = {
    "objects": "a schema without a type that declares properties or items is about objects or "
    "arrays",
    "tags": "a discriminator decides which branch a value has to fit",
    "one": "a value may fit several branches of oneOf",
    "received": "a writeOnly property is none in what is received",
    "null": "a branch of a union that is nullable and says no more is null",
    "choice": "a list as items has what each item may be, in any order",
    "formats": "a declared format is asserted, as JSON Schema leaves open",
}
"""What a client reads into schemas that JSON Schema does not."""

UNCHECKED: Mapping[str, str] = {
    "not": "'not' is not expressed",
    "if": "'if' is not expressed",
    "contains": "'contains' is not expressed",
    "propertyNames": "'propertyNames' is not expressed",
    "patternProperties": "'patternProperties' is not expressed",
    "dependentRequired": "'dependentRequired' is not expressed",
    "dependentSchemas": "'dependentSchemas' is not expressed",
    "type beside a union": "the branches of a union count, and a type beside it that excludes them "
    "does not",
    "enum of objects": "an enum value that is a list or an object is left out",
    "undeclared required": "a required property that is not declared is not asked for",
}
"""The keywords that a client does not check; each is reported when the client is made."""

ALIKE = (
    "an object that breaks the branch that declares its properties is read as that branch, "
    "though it fits one that declares none of them"
)

SEVERAL = "several of these at once"


@dataclass
class Court:
    """The judges of one description: by the word, as it is meant, and those that explain."""

    description: Description
    literal: Judge = field(init=False)
    judge: Judge = field(init=False)
    _others: dict[tuple[Set[Reading], Set[str]], Judge] = field(
        default_factory=dict[tuple[Set[Reading], Set[str]], Judge]
    )

    def __post_init__(self) -> None:
        self.literal = self._with(frozenset(), frozenset())
        self.judge = self._with(READINGS, frozenset())

    def cause(self, component: str, value: object, *, client_accepts: bool) -> str | None:
        """Return why the client says otherwise than JSON Schema; None if it should not."""

        def agrees(readings: Set[Reading], without: Set[str]) -> bool:
            validator = self._with(readings, without).validator(component)
            return validator.is_valid(value) is client_accepts

        for reading, why in READ.items():
            if agrees(frozenset({reading}), frozenset()):
                return why
        if agrees(READINGS, frozenset()):
            return SEVERAL
        for keyword, why in UNCHECKED.items():
            if agrees(READINGS, frozenset({keyword})):
                return why
        return SEVERAL if agrees(READINGS, UNCHECKED.keys()) else None

    def _with(self, readings: Set[Reading], without: Set[str]) -> Judge:
        key = frozenset(readings), frozenset(without)
        found = self._others.get(key)
        if found is None:
            found = self._others[key] = judge(self.description, *key)
        return found
