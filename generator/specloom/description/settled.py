"""One order for what openapi-spec-validator finds.

Its libraries go through sets, so that every process says something else: which of the errors in a
schema is the first, and in which order the others come.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, cast

from jsonschema_path.paths import SchemaPath
from openapi_schema_validator import OAS30Validator, OAS31Validator, OAS32Validator, validators
from openapi_spec_validator.validation import keywords
from openapi_spec_validator.validation.exceptions import (
    ExtraParametersError,
    OpenAPIValidationError,
)

from specloom.description.patterns import is_regular
from specloom.description.values import is_mapping

Check = type[keywords.KeywordValidator]
Path = tuple[str, ...]


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
            yield from _every(check, subject.read_value(), error)
        else:
            yield error


def _every(check: Check, schema: object, error: Error) -> list[Error]:
    """Return all errors of a schema that the library has found one error in."""
    own, validator_for = cast(Any, _dialect(check)), cast(Any, keywords).validator_for
    meta = validator_for(schema, default=own).META_SCHEMA
    registry = cast(Any, validators).OPENAPI_SPECIFICATIONS
    formats = getattr(check, "schema_validator_format_checker", None)
    validator = validator_for(meta, default=own)(meta, registry=registry, format_checker=formats)
    found = sorted(cast(Iterable[Error], validator.iter_errors(schema)), key=_order) or [error]
    if own is OAS30Validator:
        found = found[:1]  # the others are found by the structure, or follow from the first
    places = [_path(one) for one in found]
    return [one for one in found if not _follows(one, places) and not _is_fine(one)]


def _is_fine(error: Error) -> bool:
    """Whether the library misses what JSON Schema has: it takes patterns for Python's."""
    return (
        error.validator == "format"
        and error.validator_value == "regex"
        and (is_regular(str(error.instance)))
    )


def _follows(error: Error, places: Sequence[Path]) -> bool:
    """Whether fields are only unexpected because something is wrong inside of each."""
    if error.validator != "unevaluatedProperties":
        return False
    at = _path(error)
    return all(
        any(place[: len(at) + 1] == (*at, field) for place in places) for field in unexpected(error)
    )


def _path(error: Error) -> Path:
    return tuple(str(token) for token in error.absolute_path)


def missing(error: Error) -> str:
    """Return the name of the property that an error of ``required`` is about."""
    return str(ast.literal_eval(error.message.removesuffix(" is a required property")))


def unexpected(error: Error) -> list[str]:
    """Return the names of the properties that an error says were unexpected."""
    instance: object = error.instance
    names = list(instance) if is_mapping(instance) else []
    said = error.message.partition("(")[2]
    return [name for name in names if repr(name) in said] or names[:1]


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
