"""What the schema of OpenAPI cannot say: the checks of openapi-spec-validator, with places.

The library walks through the document and finds defaults that contradict their schemas,
parameters that are not declared, and the like, but says of few findings where they are. Here each
of its checks is wrapped, so that a finding has the place that the check had arrived at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, cast

from jsonschema_path.paths import SchemaPath
from openapi_spec_validator.validation import keywords
from openapi_spec_validator.validation.exceptions import (
    DuplicateOperationIDError,
    ExtraParametersError,
    OpenAPIValidationError,
    ParameterDuplicateError,
    UnresolvableParameterError,
)
from openapi_spec_validator.validation.registries import KeywordValidatorRegistry
from openapi_spec_validator.validation.validators import OpenAPIV2SpecValidator, SpecValidator
from referencing.exceptions import Unresolvable

from specloom.description.bounded import Budget, Exhausted, bounded
from specloom.description.sentences import kind, sentence, shown
from specloom.description.settled import Error, missing, settled, unexpected

_VARIABLE: Final = re.compile(r"\{([^{}]*)\}")
Path = tuple[str, ...]
Found = tuple[str, str, Path]


def check(
    version: type[SpecValidator], root: object, uri: str, read: Callable[[str], object]
) -> Iterator[Found]:
    """Yield the code, the sentence and the path of every finding.

    ``read`` returns the document with a URI. A path may lead through references. A part that the
    library fails on is a finding too, and the walk goes on beside it.
    """
    handlers: dict[str, Callable[[str], object]] = {
        scheme: read for scheme in ("<all_urls>", "http", "https", "file")
    }
    path = SchemaPath.from_dict(cast(Any, root), base_uri=uri, handlers=handlers)
    budget = Budget()
    checks = {
        name: _located(bounded(check, budget)) for name, check in version.keyword_validators.items()
    }
    walk = cast(Any, KeywordValidatorRegistry(checks)["__root__"])
    for error in walk(path):
        if not (issubclass(version, OpenAPIV2SpecValidator) and _is_file(error)):
            yield from _found(error)


class _Located(OpenAPIValidationError):
    """A finding and the path that the check was at."""

    place: Path = ()
    found: Error


class _Unfinished(OpenAPIValidationError):
    """A check could not be made."""


class _Malformed(OpenAPIValidationError):
    """A check could not be made of something that is not built as the check expects."""


def _located(check: type[keywords.KeywordValidator]) -> type[keywords.KeywordValidator]:
    """Return a check whose findings know their places."""
    is_default = issubclass(check, keywords.ValueValidator)
    run: Callable[..., Iterator[Error]] = cast(Any, check).__call__

    def call(self: object, *args: object, **options: object) -> Iterator[_Located]:
        place = next((_parts(arg) for arg in args if isinstance(arg, SchemaPath)), ())
        try:
            for error in settled(check, args[0], run(self, *args, **options)):
                yield _place(error, (*place, "default") if is_default else place)
        except Unresolvable as error:  # whose text may have the whole document in it
            reason = _Unfinished(f"it does not follow the reference {shown(error.ref)}")
            yield _place(cast(Error, reason), place)
        except (Exhausted, RecursionError) as error:
            text = "it is nested too deep" if isinstance(error, RecursionError) else str(error)
            yield _place(cast(Error, _Unfinished(text)), place)
        except Exception:  # the library assumes a well-formed document
            yield _place(cast(Error, _Malformed("malformed")), place)

    return type(check.__name__, (check,), {"__call__": call})


def _is_file(error: _Located) -> bool:
    """Whether what is wrong is that a response is a file, as it may be in Swagger 2.0.

    The library takes the word for a type of JSON Schema.
    """
    return error.place[-2:] == ("schema", "type") and (
        error.place[-4:-3] == ("responses",) and error.found.instance == "file"
    )


def _parts(path: SchemaPath) -> Path:
    """Return the steps that a path takes from the root."""
    return tuple(str(part) for part in path.parts)


def _place(error: Error | _Located, place: Path) -> _Located:
    """Give a finding the place of the innermost check that had it."""
    if isinstance(error, _Located):
        return error
    located = _Located(error.message)
    located.place = (*place, *(str(token) for token in error.absolute_path))
    located.found = error
    return located


def _found(error: _Located) -> Iterator[Found]:
    """Say what a finding says, for each of the fields that it speaks of."""
    cause, place = error.found, error.place
    if cause.validator in ("additionalProperties", "unevaluatedProperties") and (
        place[-1:] != ("default",)
    ):
        for field in unexpected(cause):
            text = sentence(str(cause.validator), None, cause.instance, field)
            yield "unexpected-field", text, (*place, field)
    else:
        yield _one(error)


def _one(error: _Located) -> Found:
    """Say what a finding says that is about one place."""
    cause, place = error.found, error.place
    name = place[-1] if place else ""
    match cast(object, cause):
        case _Unfinished():
            reason = cause.message.partition("\n")[0][:120]
            return "unchecked", f"this part cannot be checked ({reason})", place
        case _Malformed():
            message = (
                "openapi-spec-validator does not get through this part: not all of it is checked"
            )
            return "malformed", message, place
        case UnresolvableParameterError():
            unused = cause.message.split("'")[1] not in _VARIABLE.findall("/".join(place))
            code = "unused-path-parameter" if unused else "path-parameter"
            return code, _first_lower(cause.message), place
        case DuplicateOperationIDError():
            return "duplicate-operation-id", _first_lower(cause.message), (*place, "operationId")
        case ParameterDuplicateError():
            return "duplicate-parameter", _first_lower(cause.message), place
        case ExtraParametersError():
            return "undeclared-required", _first_lower(cause.message), (*place, "required")
        case _ if name == "default":
            return "invalid-default", _default(cause), place
        case _ if cause.validator == "required":
            text = sentence("required", missing(cause), cause.instance, name)
            return "missing-field", text, place
        case _ if isinstance(cause.validator, str):
            text = sentence(cause.validator, cause.validator_value, cause.instance, name)
            code = "invalid-type" if cause.validator == "type" else "invalid-value"
            return code, text, place
        case _:
            return "invalid-value", _first_lower(cause.message)[:200], place


def _default(cause: Error) -> str:
    """Say that a default contradicts its schema."""
    value: object = cause.instance
    if value is None:
        return (
            "the default is null, which its schema does not allow; allow null, or omit the default"
        )
    if cause.validator == "type":
        return sentence("type", cause.validator_value, value, "default")
    return f"the default {shown(value)}, {kind(value)}, contradicts its schema ({cause.validator})"


def _first_lower(message: str) -> str:
    return message[:1].lower() + message[1:]
