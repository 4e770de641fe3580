"""Validation: what is wrong with a description by the rules of its version of OpenAPI and by ours.

Nothing found here hinders generation. The verdict on unchanged documents is remembered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import unquote, urlsplit

from specloom.description.anatomy import parts
from specloom.description.description import Description
from specloom.description.pointed import pointed
from specloom.description.values import is_mapping
from specloom.description.verdicts import Found, Verdict, recall, remember
from specloom.diagnostics import Origin, Report

# What lowering calls a finding that is about an object and not about a value: at the place of an
# object, others may be wrong too.
_OTHER_NAMES: Final = {
    "path-parameter": "undeclared-path-parameter",
    "missing-field": "missing-field",
}
_ENDLESS: Final = frozenset({"circular-reference", "nested-too-deep"})
"""What is found before: openapi-spec-validator follows such references for minutes."""


def validate(
    description: Description,
    report: Report,
    cache: Path | None = None,
    judged: Sequence[Verdict] = (),
) -> None:
    """Report everything that breaks the rules as warnings.

    The description is judged as its authors have written it, overlays included. In the folder
    ``cache`` verdicts are kept; that it cannot be read or written is no problem. ``judged`` are
    verdicts that somebody else came to.
    """
    if is_endless(report):
        return
    verdict = recall(description, cache)
    if verdict is None:
        fitting = (one for one in judged if one.fits(description))
        verdict = next(fitting, None) or judge(description)
        if not report.failed:  # the reason may lie outside the documents, such as in a missing one
            remember(verdict, cache)
    # By other stages, with what becomes of it.
    said = {(d.code, description.written(d.origin)) for d in report.diagnostics}
    places = {origin for _, origin in said}
    for code, message, origin in verdict.found:
        if code == "unchecked" and report.failed:
            continue  # what the report has already is the reason
        at = description.written(origin)
        known = (_OTHER_NAMES[code], at) in said if code in _OTHER_NAMES else at in places
        if not known:
            report.warning(code, message, origin)


def is_endless(report: Report) -> bool:
    """Return whether something was found that makes it useless to begin."""
    return any(d.code in _ENDLESS for d in report.diagnostics)


def judge(description: Description) -> Verdict:
    """Return what is wrong with a description, whatever others have said of it."""
    everything = [*_by_the_rules(description.authored)]
    malformed = [found for found in everything if found[0] == "malformed"]
    found = [found for found in everything if found[0] != "malformed"]
    found += _by_ours(description, found)
    endless = {description.written(at) for code, _, at in found if code == "invalid-number"}
    found = [
        one
        for one in found
        if one[0] == "invalid-number" or description.written(one[2]) not in endless
    ]
    return Verdict.of(description, [*found, *_unexplained(description, malformed, found)])


def _unexplained(
    description: Description, malformed: list[Found], found: list[Found]
) -> Iterator[Found]:
    """Yield the first part that cannot be checked and that nothing else is found wrong with."""
    places = [description.written(origin) for _, _, origin in found]
    for _, message, origin in malformed:
        at = description.written(origin)
        if len(at.tokens) > 1 and at.tokens[0] == "paths" and at.tokens[1].startswith("x-"):
            continue  # the library takes an extension for a path
        around = set(_above(at))
        if not any(place in around or at in set(_above(place)) for place in places):
            yield "unchecked", message, origin
            return


def _by_ours(description: Description, found: list[Found]) -> Iterator[Found]:
    """Yield what our own checks find that is not among ``found``."""
    from specloom.description import checks, contradictions, rules

    everything = list(parts(description))
    known = {at for _, _, origin in found for at in _above(description.written(origin))}
    yield from checks.check(description, everything)
    yield from rules.broken(description, everything)
    for one in contradictions.contradictions(description, everything):
        if description.written(one.value) not in known:
            yield one.code, one.message, one.origin


def _above(origin: Origin) -> Iterator[Origin]:
    """Yield an origin and those of all that it is in."""
    pointer = origin.pointer
    while pointer:
        yield Origin(origin.uri, pointer)
        pointer = pointer.rpartition("/")[0]


def _by_the_rules(description: Description) -> Iterator[Found]:
    """Yield what openapi-spec-validator finds, with the places of its findings."""
    # These take a third of a second to import, which a remembered verdict does not need.
    import openapi_spec_validator as validators

    from specloom.description import semantics, structure

    rules = {
        "2.0": validators.OpenAPIV2SpecValidator,
        "3.0": validators.OpenAPIV30SpecValidator,
        "3.1": validators.OpenAPIV31SpecValidator,
    }.get(description.version[:3], validators.OpenAPIV32SpecValidator)

    def fetch(uri: str) -> object:
        is_file = urlsplit(uri).scheme in ("", "file")
        document = description.document(unquote(urlsplit(uri).path) if is_file else uri)
        if document is None:
            raise LookupError(f"{uri} cannot be read")
        # The library expects a schema in every document, where prose can be too.
        return document.value if is_mapping(document.value) else {}

    schema = dict(cast(Any, rules.schema_validator).schema)
    structural: set[Origin] = set()
    try:
        for code, message, path in structure.check(schema, description.value):
            structural.add(origin := _origin(description, path))
            yield code, message, origin
    except ValueError as error:  # a number that JSON cannot hold
        message = f"the structure cannot be checked ({error})"
        yield "unchecked", message, Origin(description.entry)
    base = Path(description.path).absolute().as_uri()
    unchecked: list[Found] = []
    for code, message, path in semantics.check(rules, pointed(description), base, fetch):
        found = (code, message, _origin(description, path))
        if code == "unchecked":
            unchecked.append(found)
        elif code == "unused-path-parameter":
            pass  # our own check names the place of the parameter
        elif found[2] not in structural:  # both look at schemas
            yield found
    if unchecked:
        code, message, origin = unchecked[0]
        more = f" and {len(unchecked) - 1} more" if len(unchecked) > 1 else ""
        yield code, message.replace("this part", f"this part{more}"), origin


def _origin(description: Description, path: tuple[str, ...]) -> Origin:
    """Return the origin that a path leads to, through references, or of its nearest ancestor."""
    while True:
        origin = description.walk(path)
        if origin is not None:
            return origin
        path = path[:-1]
