"""Validation: what is wrong with a description by the rules of its version of OpenAPI and by ours.

Nothing found here hinders generation. The verdict on unchanged documents is remembered.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final, cast
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel

from specloom.description.anatomy import parts
from specloom.description.description import Description
from specloom.description.document import Document
from specloom.description.remote import user_caches
from specloom.diagnostics import Origin, Report

# Raised whenever the same documents would get another verdict.
_EDITION: Final = 2
_LIBRARIES: Final = ("openapi-spec-validator", "jsonschema-rs", "jsonschema")
# What lowering calls a finding that is about an object and not about a value: at the place of an
# object, others may be wrong too.
_OTHER_NAMES: Final = {
    "path-parameter": "undeclared-path-parameter",
    "missing-field": "missing-field",
}
Found = tuple[str, str, Origin]


class _Verdict(BaseModel):
    """What is kept of a validation: hashes of documents by URI, and the findings."""

    documents: dict[str, str]
    findings: list[tuple[str, str, str, str]]


def user_cache() -> Path:
    """Return the folder where verdicts are remembered."""
    return user_caches() / "validation"


def validate(description: Description, report: Report, cache: Path | None = None) -> None:
    """Report everything that breaks the rules as warnings.

    The description is judged as its authors have written it, overlays included. In the folder
    ``cache`` verdicts are kept; that it cannot be read or written is no problem.
    """
    if any(d.code in _ENDLESS for d in report.diagnostics):
        return
    found = _recall(description, cache)
    if found is None:
        found = [*_by_the_rules(description.authored)]
        found += _by_ours(description, found)
        if not report.failed:  # the reason may lie outside the documents, such as in a missing one
            _remember(description, cache, found)
    # By other stages, with what becomes of it.
    said = {(d.code, description.written(d.origin)) for d in report.diagnostics}
    places = {origin for _, origin in said}
    for code, message, origin in found:
        if code == "unchecked" and report.failed:
            continue  # what the report has already is the reason
        at = description.written(origin)
        known = (_OTHER_NAMES[code], at) in said if code in _OTHER_NAMES else at in places
        if not known:
            report.warning(code, message, origin)


_ENDLESS = frozenset({"circular-reference", "nested-too-deep"})
"""What is found before: openapi-spec-validator follows such references for minutes."""


def _by_ours(description: Description, found: list[Found]) -> Iterator[Found]:
    """Yield what our own checks find that is not among ``found``."""
    from specloom.description import checks, contradictions

    everything = list(parts(description))
    known = {at for _, _, origin in found for at in _above(description.written(origin))}
    yield from checks.check(description, everything)
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
        return document.value

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
    for code, message, path in semantics.check(rules, description.value, base, fetch):
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


def _key(description: Description) -> str:
    """Return the name of the verdict on a description: a hash of what the user has named."""
    subject = f"{_EDITION} {description.entry} {description.access} {description.selection}\n"
    digest = hashlib.sha256(subject.encode())
    for library in _LIBRARIES:
        digest.update(f"{library} {version(library)}\n".encode())
    for document in description.named:
        digest.update(f"{document.uri} {_hash(document)}\n".encode())
    return digest.hexdigest()


def _hash(document: Document) -> str:
    """Return a hash of a document's text."""
    return hashlib.sha256(document.data).hexdigest()


def _recall(description: Description, cache: Path | None) -> list[Found] | None:
    """Return the verdict from the cache if none of the documents that it depends on has changed."""
    if cache is None:
        return None
    try:
        text = (cache / f"{_key(description)}.json").read_bytes()
        verdict = _Verdict.model_validate_json(text)
    except (OSError, ValueError):
        return None
    for uri, digest in verdict.documents.items():
        document = description.document(uri)
        if document is None or _hash(document) != digest:
            return None
    return [(code, message, Origin(uri, at)) for code, message, uri, at in verdict.findings]


def _remember(description: Description, cache: Path | None, found: list[Found]) -> None:
    """Keep a verdict, and the documents that it depends on besides those that the user named."""
    if cache is None:
        return
    named = {document.uri for document in description.named}
    verdict = _Verdict(
        documents={d.uri: _hash(d) for d in description.documents if d.uri not in named},
        findings=[(code, text, at.uri, at.pointer) for code, text, at in found],
    )
    path = cache / f"{_key(description)}.json"
    with suppress(OSError):
        cache.mkdir(parents=True, exist_ok=True)
        # Another process may do the same at this moment, so the file appears at once.
        with NamedTemporaryFile(dir=cache, delete=False) as file:
            file.write(verdict.model_dump_json().encode())
        os.replace(file.name, path)
