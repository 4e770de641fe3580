"""Rules that the text of OpenAPI states and its schemas do not, one function for each."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Final

from specloom.description.anatomy import Part, target
from specloom.description.description import Description
from specloom.description.path_texts import EXTRAS, faults, has_extra
from specloom.description.values import children, is_mapping
from specloom.diagnostics import Origin

Found = tuple[str, str, Origin]
_NAME: Final = re.compile(r"[a-zA-Z0-9._-]+")
_ENDLESS: Final = re.compile(rb"inf|nan|[0-9]{300}|[eE]\+?[0-9]{3}", re.IGNORECASE)
_BODILESS: Final = re.compile(r"1..|204|304")
_EARLIER: Final = ("2.0", "3.0")


def broken(description: Description, parts: Sequence[Part]) -> Iterator[Found]:
    """Yield the code, the sentence and the place of what breaks a rule; ``parts`` are all objects.

    The description is as its authors have written it.
    """
    yield from _endless(description)
    yield from _paths(description)
    yield from _component_names(description)
    yield from _scopes(description, parts)
    operations = _operations(parts)
    for part in parts:
        match part.kind:
            case "schema":
                yield from _schema(part, description.version)
            case "link" if not description.selection:  # which may have left it out
                yield from _link(part, operations)
            case "operation":
                yield from _bodies(part, description)
            case _:
                pass


def _endless(description: Description) -> Iterator[Found]:
    """Numbers are those of JSON (RFC 8259, section 6), which are finite."""
    for uri, document in description.documents.items():
        if document is None or not _ENDLESS.search(document.data):
            continue
        waiting: list[tuple[object, Origin]] = [(document.value, Origin(uri))]
        while waiting:
            value, at = waiting.pop()
            if isinstance(value, float) and not math.isfinite(value):
                message = "this number is infinite, or too long to be read: JSON has no such number"
                yield "invalid-number", message, at
            waiting += [(child, place) for _, child, place in children(value, at)]


def _paths(description: Description) -> Iterator[Found]:
    """Paths begin with a slash, and have variables with names (Paths Object, Path Templating)."""
    listed = children(description.value.get("paths"), _entry(description) / "paths")
    paths = {path: origin for path, _, origin in listed if not path.startswith("x-")}
    for path, origin in paths.items():
        yield from (("invalid-path", fault, origin) for fault in faults(path))
    for sign, said in EXTRAS.items():
        found = [path for path in paths if has_extra(path, sign)]
        if found:
            more = f", as {len(found) - 1:,} more," if len(found) > 1 else ""
            yield "invalid-path", f"the path '{found[0]}'{more} {said}", paths[found[0]]


def _component_names(description: Description) -> Iterator[Found]:
    """Names of components are of few characters (Components Object); later schemas say so."""
    if description.version[:3] != "3.0":
        return
    at = _entry(description) / "components"
    for section, held, place in children(description.value.get("components"), at):
        if section.startswith("x-") or not is_mapping(held):
            continue
        for name, _, origin in children(held, place):
            if not _NAME.fullmatch(name):
                message = (
                    f"the name '{name}' is not allowed here; use letters, digits, '.', '_' and '-'"
                )
                yield "invalid-name", message, origin


def _schema(part: Part, version: str) -> Iterator[Found]:
    """A list says what its items are, before 3.1; no property travels neither way."""
    schema = part.value
    if version[:3] in _EARLIER and schema.get("type") == "array" and "items" not in schema:
        message = "a list has to say what its items are: 'items' is missing here"
        yield "missing-field", message, part.origin
    if schema.get("readOnly") is True and schema.get("writeOnly") is True:
        message = "what is 'readOnly' and 'writeOnly' is neither sent nor received"
        yield "invalid-value", message, part.origin / "writeOnly"


def _operations(parts: Sequence[Part]) -> frozenset[str]:
    names = (part.value.get("operationId") for part in parts if part.kind == "operation")
    return frozenset(name for name in names if isinstance(name, str))


def _link(part: Part, operations: frozenset[str]) -> Iterator[Found]:
    """A link names an operation that there is (Link Object, ``operationId``)."""
    name = part.value.get("operationId")
    if isinstance(name, str) and name not in operations:
        message = f"there is no operation '{name}'"
        yield "unknown-operation", message, part.origin / "operationId"


def _bodies(part: Part, description: Description) -> Iterator[Found]:
    """Some answers have no body (RFC 9110, sections 6.4.1, 15.3.5 and 15.4.5)."""
    at = part.origin / "responses"
    for status, written, place in children(part.value.get("responses"), at):
        response, origin = target(description, written, place)
        if _BODILESS.fullmatch(status) and is_mapping(response) and response.get("content"):
            message = f"an answer with the status {status} has no content"
            yield "content-without-body", message, origin / "content"


def _scopes(description: Description, parts: Sequence[Part]) -> Iterator[Found]:
    """Scopes that are needed are declared (Security Requirement Object)."""
    entry = _entry(description)
    declared = dict(_declared_scopes(description))
    holders = [(description.value, entry)]
    holders += [(part.value, part.origin) for part in parts if part.kind == "operation"]
    for holder, at in holders:
        for _, requirement, place in children(holder.get("security"), at / "security"):
            for scheme, scopes, origin in children(requirement, place):
                known = declared.get(scheme)
                for _, scope, here in children(scopes, origin):
                    if known is not None and isinstance(scope, str) and scope not in known:
                        message = f"the scope '{scope}' is not among those of '{scheme}'"
                        yield "undeclared-scope", message, here


def _declared_scopes(description: Description) -> Iterator[tuple[str, set[str]]]:
    """Yield the OAuth2 schemes and the scopes of all of their flows."""
    components = description.value.get("components")
    schemes = components.get("securitySchemes") if is_mapping(components) else None
    at = _entry(description) / "components" / "securitySchemes"
    for name, written, place in children(schemes, at):
        scheme, origin = target(description, written, place)
        if is_mapping(scheme) and scheme.get("type") == "oauth2":
            found: set[str] = set()
            for _, flow, _ in children(scheme.get("flows"), origin / "flows"):
                scopes = flow.get("scopes") if is_mapping(flow) else None
                found |= set(scopes) if is_mapping(scopes) else set()
            yield name, found


def _entry(description: Description) -> Origin:
    return Origin(description.entry)
