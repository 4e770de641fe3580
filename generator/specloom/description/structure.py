"""Whether a document has the structure of an OpenAPI document, by the official schemas."""

from __future__ import annotations

from collections.abc import Iterator

import jsonschema_rs

from specloom.description.anatomy import METHODS
from specloom.description.sentences import sentence

Path = tuple[str, ...]
Found = tuple[str, str, Path]


def check(rules: dict[str, object], root: object) -> Iterator[Found]:
    """Yield the code, the sentence and the path of everything that breaks ``rules``.

    A choice between forms that fails is followed to what fails in the form that is nearest.
    """
    validator = jsonschema_rs.validator_cls_for(rules)(rules)
    found = [cause for error in validator.iter_errors(root) for cause in causes(error)]
    inside = {
        tuple(cause.instance_path[: depth + 1])
        for cause in found
        for depth in range(len(cause.instance_path))
    }
    for cause in found:
        for code, message, path in _found(cause):
            # Something is wrong in the field, which is why it does not count as a known one.
            follows = cause.kind.name == "unevaluatedProperties" and path in inside
            if not follows:
                yield code, message, path


def causes(error: jsonschema_rs.ValidationError) -> list[jsonschema_rs.ValidationError]:
    """Return what is really wrong where none of several forms fits."""
    match error.kind:
        case jsonschema_rs.ValidationErrorKind.OneOfNotValid(
            context
        ) | jsonschema_rs.ValidationErrorKind.AnyOf(context):
            forms = [[c for inner in form for c in causes(inner)] for form in context]
            return min((form for form in forms if form), key=_distance, default=[error])
        case _:
            return [error]


def _distance(form: list[jsonschema_rs.ValidationError]) -> tuple[bool, int, int]:
    """Return how far a value is from a form, judged by what is wrong with it as that form.

    A reference that lacks ``$ref`` is no reference, and a form whose tag differs is another one;
    otherwise that form is meant in which one has to look deepest to find something wrong.
    """
    other = any(
        (error.kind.name == "required" and error.kind.value == "$ref")
        or (error.kind.name in ("enum", "const") and error.instance_path[-1:] in (["type"], ["in"]))
        for error in form
    )
    depth = max((len(error.instance_path) for error in form), default=0)
    return other, -depth, len(form)


def _found(error: jsonschema_rs.ValidationError) -> Iterator[Found]:
    """Say what an error says."""
    path = tuple(str(token) for token in error.instance_path)
    name = path[-1] if path else ""
    keyword, expected = error.kind.name, error.kind.value
    match error.kind:
        case jsonschema_rs.ValidationErrorKind.AdditionalProperties(
            unexpected
        ) | jsonschema_rs.ValidationErrorKind.UnevaluatedProperties(unexpected):
            for field in unexpected:
                text = sentence(keyword, None, error.instance, field)
                if path == ("paths",):
                    text = f"a path begins with a slash: '{field}' is read as '/{field}'"
                yield "unexpected-field", text, (*path, field)
        case jsonschema_rs.ValidationErrorKind.PropertyNames(inner):
            field = str(inner.instance)
            text = sentence(keyword, None, None, field)
            if name == "additionalOperations":
                text = f"'{field}' cannot be the name of an HTTP method"
                if field.lower() in METHODS:
                    text = f"this method has a field of its own: write '{field.lower()}'"
            yield "invalid-name", text, (*path, field)
        case jsonschema_rs.ValidationErrorKind.Required(field):
            yield "missing-field", sentence(keyword, field, None, name), path
        case jsonschema_rs.ValidationErrorKind.Type(types):
            yield "invalid-type", sentence(keyword, types, error.instance, name), path
        case _:
            yield "invalid-value", sentence(keyword, expected, error.instance, name), path
