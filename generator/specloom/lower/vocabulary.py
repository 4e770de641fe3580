"""The keywords of schemas, by what becomes of them. ``docs/schemas.md`` says it in words."""

from __future__ import annotations

from typing import Final, TypeAlias

Words: TypeAlias = frozenset[str]


def _words(text: str) -> Words:
    return frozenset(text.split())


ALL: Final = _words("null boolean integer number string array object")
"""The kinds of JSON value: a whole number is an integer, and any other one a number."""

NUMERIC: Final = _words("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf")
TEXTUAL: Final = _words(
    "minLength maxLength pattern contentEncoding contentMediaType contentSchema"
)
ITEMIZED: Final = _words("minItems maxItems uniqueItems contains minContains maxContains")
KEYED: Final = _words("minProperties maxProperties")
LIMITS: Final = NUMERIC | TEXTUAL | ITEMIZED | KEYED
"""Keywords that limit values without changing their type (JSON Schema Validation §6)."""

PRESENCE: Final = _words("required dependentRequired dependencies propertyNames")
"""Keywords that say which properties there may or must be, and nothing of their values."""

CONDITIONS: Final = _words("not if then else dependentSchemas")
"""Keywords that no type expresses: they are kept as limits, and reported."""

_STRUCTURE: Final = _words(
    "type format enum const oneOf anyOf properties patternProperties additionalProperties "
    "unevaluatedProperties items prefixItems additionalItems unevaluatedItems discriminator"
)

TELLING: Final = _STRUCTURE | LIMITS | PRESENCE | CONDITIONS
"""Keywords that say something about a value, references and ``allOf`` aside."""

REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
"""Keywords that refer to another schema."""

ON_USE: Final = _words("description deprecated default readOnly writeOnly")
"""Keywords that speak of the property that holds a schema, even through a reference."""

ANNOTATIONS: Final = _words(
    "title description summary deprecated example examples externalDocs xml "
    "$schema $id $anchor $dynamicAnchor $recursiveAnchor $comment $vocabulary"
)
"""Keywords that say something to people or to other tools (JSON Schema Validation §9)."""

NULLABLE: Final = _words("nullable x-nullable")

KNOWN: Final = (
    TELLING | ANNOTATIONS | NULLABLE | ON_USE | _words("$defs definitions allOf") | set(REFERENCES)
)
"""All keywords that are read; any other one is reported."""
