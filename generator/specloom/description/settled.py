"""One order for what openapi-spec-validator finds.

Its libraries go through sets, so that every process says something else: which of the errors in a
schema is the first, and in which order the others come.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, cast

from jsonschema_path.paths import SchemaPath
from openapi_schema_validator import OAS30Validator, OAS31Validator, OAS32Validator, validators
from openapi_spec_validator.validation import keywords
from openapi_spec_validator.validation.exceptions import (
    ExtraParametersError,
    OpenAPIValidationError,
)

Check = type[keywords.KeywordValidator]


class Error(Protocol):
    """What a finding of the library says, be it a class of its own or one of jsonschema."""

    message: str
    absolute_path: Iterable[str | int]
    instance: object
    validator: object
    validator_value: object


def settled(check: Check, subject: Any, errors: Iterator[Error]) -> Iterator[Error]:
    """Yield what a check finds in its subject, in an order that depends on nothing else."""
    if issubclass(check, keywords.ValueValidator):
        yield from sorted(errors, key=_order)
        return
    is_schema = issubclass(check, keywords.SchemaValidator) and isinstance(subject, SchemaPath)
    for error in errors:
        kind = cast(object, type(error))
        if kind is ExtraParametersError:
            said, _, names = error.message.partition(": ")
            listed = sorted(ast.literal_eval(names), key=str)
            yield cast(Error, ExtraParametersError(f"{said}: {listed}"))
        elif kind is OpenAPIValidationError and is_schema:
            yield _first(check, subject.read_value(), error)
        else:
            yield error


def _first(check: Check, schema: object, error: Error) -> Error:
    """Return the first error of a schema that the library has found some error in."""
    own, validator_for = cast(Any, _dialect(check)), cast(Any, keywords).validator_for
    meta = validator_for(schema, default=own).META_SCHEMA
    registry = cast(Any, validators).OPENAPI_SPECIFICATIONS
    validator = validator_for(meta, default=own)(meta, registry=registry)
    return min(cast(Iterable[Error], validator.iter_errors(schema)), key=_order, default=error)


def _dialect(check: Check) -> object:
    """Return what validates by the schemas of the version that a check belongs to."""
    if issubclass(check, keywords.OpenAPIV32SchemaValidator):
        return OAS32Validator
    is_31 = issubclass(check, keywords.OpenAPIV31SchemaValidator)
    return OAS31Validator if is_31 else OAS30Validator


def _order(error: Error) -> tuple[list[str], str, str]:
    """Sort by the place in the value, what is inside before what it is in, then by the rule."""
    place = [str(token) for token in error.absolute_path]
    return [*place, "\U0010ffff"], str(error.validator), error.message
