"""Results: what a call gives, and what its errors carry, by status and by media type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from .. import ir
from .literals import literal
from .module_types import ModuleTypes

_JSON = "application/json"
_PLAIN: Mapping[str, str] = {
    "None": "NOTHING",
    "bytes": "BYTES",
    "str": "TEXT",
    "Any": "ANYTHING",
}
"""What decodes an answer that is not JSON, by its annotation."""

Outcome = ir.Type | str
"""What an answer decodes to: a type that is read from JSON, or one of those in ``_PLAIN``."""

Forms = tuple[tuple[str, Outcome], ...]
"""(media type, what it decodes to) pairs, the preferred one first."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a call gives: its annotation, what decodes it, what is asked for."""

    annotation: str
    decoder: str
    accept: str | None


def result(operation: ir.Operation, name: str, types: ModuleTypes) -> Result:
    """Return what a call gives in all, as printed in the module that ``types`` is about.

    Where no success is declared, ``default`` speaks for it (OpenAPI, Responses Object). Of HEAD
    there is never any content (RFC 9110, section 9.3.2).
    """
    responses = successes(operation)
    if operation.method == "HEAD":
        responses = []
    found = [(response.status, _forms(response.contents)) for response in responses]
    found = found or [(ir.Default(), (("", "None"),))]
    outcomes = tuple(dict.fromkeys(o for _, forms in found for _, o in forms))
    kept = [(status, forms) for status, forms in found if not _says_nothing(status, forms)]
    annotation = _annotation(outcomes, types)
    accept = _accept([m for _, forms in found for m, o in forms if o != "None"])
    if not kept:
        return Result(annotation, _plain("None", types, False), None)
    distinct = tuple(dict.fromkeys(forms for _, forms in kept))
    if len(distinct) == 1:
        return Result(annotation, _of_forms(distinct[0], name, types), accept)
    pairs = [f"{_status(status)}: {_inline(forms, types, inside=True)}" for status, forms in kept]
    types.imports.add(".._runtime", "ByStatus")
    value = f"ByStatus({{{', '.join(pairs)}}})"
    made = types.constant(f"_{name}_result", f"ByStatus[{annotation}]", value)
    return Result(annotation, f"{made}()", accept)


def successes(operation: ir.Operation) -> list[ir.Response]:
    """Return the responses that are successes, or else the default one."""
    found = [r for r in operation.responses if ir.is_success(r.status)]
    return found or [r for r in operation.responses if isinstance(r.status, ir.Default)]


def outcomes(operation: ir.Operation) -> list[tuple[ir.Response, str, Outcome]]:
    """Return the successes with the media types of their bodies, and what these decode to."""
    found = [] if operation.method == "HEAD" else successes(operation)
    return [(r, media_type, o) for r in found for media_type, o in _forms(r.contents)]


def errors(operation: ir.Operation, usual: ir.Type | None, types: ModuleTypes) -> str | None:
    """Return the function that gives the types of errors; None where all are the usual one."""
    declared = list(_failures(operation))
    if all(type_ == usual for _, type_ in declared):
        return None
    pairs = [
        f"{_status(status)}: {types.decoder(type_, inside=True)}" for status, type_ in declared
    ]
    types.imports.add(".._runtime", "ByStatus")
    value = f"ByStatus({{{', '.join(pairs)}}})"
    return types.constant("_errors", "ByStatus[object]", value, shared=True)


def usual_error(api: ir.Api) -> ir.TypeId | None:
    """Return the model that most of the errors of an API are, if there is one."""
    found = Counter(type_ for operation in api.operations for _, type_ in _failures(operation))
    for type_, count in found.most_common(1):
        most = 2 * count > found.total()
        if most and isinstance(type_, ir.Ref) and isinstance(api.types[type_.target], ir.Model):
            return type_.target
    return None


def _failures(operation: ir.Operation) -> Iterator[tuple[ir.Status, ir.Type]]:
    """Yield the errors that have JSON in them."""
    whole = successes(operation)
    for response in operation.responses:
        if response not in whole and _fails(response.status):
            json = next((c for c in response.contents if isinstance(c, ir.Json)), None)
            if json is not None and json.type != ir.UNKNOWN:
                yield response.status, json.type


def _fails(status: ir.Status) -> bool:
    match status:
        case ir.Code(code):
            return code >= 400
        case ir.Range(hundreds):
            return hundreds >= 4
        case ir.Default():
            return True


def _forms(contents: tuple[ir.Content, ...]) -> Forms:
    """Return what a body decodes to: text is not asked for where there is JSON."""
    if not contents:
        return (("", "None"),)
    has_json = any(isinstance(content, ir.Json) for content in contents)
    kept = [c for c in contents if not (has_json and isinstance(c, ir.Text | ir.Form))]
    return tuple((content.media_type, _outcome(content)) for content in kept)


def _outcome(content: ir.Content) -> Outcome:
    match content:
        case ir.Json("*/*", ir.Unknown()):
            return "Any"
        case ir.Json():
            return content.type
        case ir.Text() | ir.Form():
            return "str"
        case ir.Binary() | ir.Multipart():
            return "bytes"
        case _:
            assert_never(content)


def _says_nothing(status: ir.Status, forms: Forms) -> bool:
    """Whether a status is one of those that never have content, which all decode to None."""
    return status in (ir.Code(204), ir.Code(205)) and forms == (("", "None"),)


def _annotation(outcomes: tuple[Outcome, ...], types: ModuleTypes) -> str:
    """Return the annotation of what is one of several; None comes last."""
    if "Any" in outcomes:
        types.imports.add("typing", "Any")
        return "Any"
    read = [o for o in outcomes if not isinstance(o, str)]
    other = [o for o in outcomes if isinstance(o, str)]
    last = ["None"] if "None" in other else []
    found: list[str] = []
    if read:
        annotation = types.read(read[0] if len(read) == 1 else ir.Union(tuple(read)))
        if last and (annotation == "Any" or annotation.endswith("None")):
            last = []
        found.append(annotation)
    return " | ".join([*found, *(o for o in other if o != "None"), *last])


def _of_forms(forms: Forms, name: str, types: ModuleTypes) -> str:
    """Return what decodes a body: a model, or a constant made for it."""
    outcomes = tuple(dict.fromkeys(outcome for _, outcome in forms))
    value = _inline(forms, types)
    if "(" not in value:
        return value
    kind = value.partition("(")[0]
    annotation = f"{kind}[{_annotation(outcomes, types)}]"
    return f"{types.constant(f'_{name}_result', annotation, value)}()"


def _inline(forms: Forms, types: ModuleTypes, *, inside: bool = False) -> str:
    """Return what decodes a body; ``inside`` of another expression with less said of its type."""
    outcomes = dict.fromkeys(outcome for _, outcome in forms)
    if len(outcomes) == 1:
        return _plain(next(iter(outcomes)), types, inside)
    types.imports.add(".._runtime", "ByType")
    pairs = (f"{literal(media_type)}: {_plain(o, types, True)}" for media_type, o in forms)
    if inside:
        types.imports.add("typing", "Any")
    return f"{'ByType[Any]' if inside else 'ByType'}({{{', '.join(pairs)}}})"


def _plain(outcome: Outcome, types: ModuleTypes, inside: bool) -> str:
    if not isinstance(outcome, str):
        return types.decoder(outcome, inside=inside)
    types.imports.add(".._runtime", _PLAIN[outcome])
    return _PLAIN[outcome]


def _status(status: ir.Status) -> str:
    match status:
        case ir.Code(code):
            return str(code)
        case ir.Range(hundreds):
            return literal(f"{hundreds}XX")
        case ir.Default():
            return literal("default")


def _accept(media_types: Sequence[str]) -> str | None:
    """Return what to ask for, where that is not plain JSON or anything."""
    wanted: dict[str, None] = {}
    for media_type in media_types:
        name, _, parameters = media_type.partition(";")
        plain = not parameters or "charset" in parameters
        wanted[name.strip() if plain else media_type] = None
    if not wanted or wanted.keys() <= {_JSON, "*/*", "*"}:
        return None
    return literal(", ".join(wanted))
