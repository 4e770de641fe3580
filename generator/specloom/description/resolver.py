"""From a reference to the one origin of its target."""

from __future__ import annotations

import posixpath
from difflib import get_close_matches
from typing import Final

from specloom.description import refs
from specloom.description.documents import Absent, Documents
from specloom.description.identifiers import Identifiers, identify
from specloom.description.upgrade import moved
from specloom.description.values import is_mapping
from specloom.diagnostics import Origin, Report

# How many names are compared with those that lead nowhere: thousands of both would take minutes.
_MAX_COMPARED: Final = 20_000
# How many references may lie on the way of references to their own targets.
_MAX_DEPTH: Final = 50


class Resolver:
    """Resolves the references in the documents of one description.

    ``value`` is the root of the entry document as it is used, ``upgraded`` whether its parts have
    moved from where the author of a Swagger 2.0 document has them.
    """

    def __init__(
        self, entry: str, value: dict[str, object], documents: Documents, *, upgraded: bool
    ) -> None:
        self._entry = entry
        self._value = value
        self._documents = documents
        self._upgraded = upgraded
        self._names: dict[str, Identifiers] = {}
        self._resources: dict[str, Origin] = {}  # schemas and documents that have given names
        self._depth = 0
        self._compared = 0
        self._resolved: dict[tuple[str, str, str], Origin | None] = {}

    def root(self, uri: str) -> object:
        """Return the root value of a document; raises ``LookupError`` when there is none."""
        if uri == self._entry:
            return self._value
        document = self._documents.get(uri)
        if isinstance(document, Absent):
            raise LookupError(uri)
        return document.value

    def lookup(self, origin: Origin) -> object:
        """Return the value at ``origin``; raises ``LookupError`` when there is none."""
        value = self.root(origin.uri)
        for token in origin.tokens:
            value = refs.child(value, token)
        return value

    def named(self, uri: str) -> str:
        """Return the URI of the document that calls itself ``uri``, or ``uri``."""
        self._identifiers(self._entry)
        own = self._resources.get(uri)
        return uri if own is None or own.pointer else own.uri

    def resolve(self, ref: str, at: Origin) -> Origin | None:
        """Return the origin that ``ref``, written at ``at``, leads to, or None."""
        scope = self._identifiers(at.uri).scope(at)
        key = (at.uri, scope, ref)
        if key not in self._resolved:
            if self._depth == _MAX_DEPTH:
                return None
            self._depth += 1
            self._resolved[key] = None  # a reference that needs itself leads nowhere
            self._resolved[key] = self._resolve(ref, at, scope)
            self._depth -= 1
        return self._resolved[key]

    def walk(self, start: Origin, path: tuple[str, ...]) -> Origin | None:
        """Follow ``path`` from ``start``, also through references that lie on the way."""
        passed: set[Origin] = set()
        try:
            origin, path = start, self._moved(start, path)
            value = self.lookup(origin)
            while path:
                try:
                    value = refs.child(value, path[0])
                    origin, path = origin / path[0], path[1:]
                except LookupError:
                    ref = value.get("$ref") if is_mapping(value) else None
                    target = self.resolve(ref, origin) if isinstance(ref, str) else None
                    if target is None or target in passed:
                        return None
                    passed.add(target)
                    origin, value = target, self.lookup(target)
        except LookupError:
            return None
        return origin

    def report_nowhere(self, ref: str, at: Origin, report: Report) -> None:
        """Say at ``at`` why ``ref`` leads nowhere, and what may have been meant."""
        start, fragment = self._starts(ref, at, self._identifiers(at.uri).scope(at))[-1]
        document = self._documents.get(start.uri)
        if isinstance(document, Absent):
            if not document.reported:
                report.error(document.code, f"'{ref}' leads nowhere: {document.message}", at)
            return
        path = refs.tokens(refs.pointers(fragment)[0])
        parent = self.walk(start, path[:-1]) if path else None
        siblings = self.lookup(parent) if parent is not None else None
        names = list(siblings) if is_mapping(siblings) else []
        hint = self._hint(path[-1], names) if path else ""
        report.error("dangling-reference", f"'{ref}' leads nowhere{hint}", at)

    def _hint(self, name: str, names: list[str]) -> str:
        """Return which of the names there are may have been meant."""
        self._compared += len(names)
        close = get_close_matches(name, names, 1) if self._compared <= _MAX_COMPARED else []
        return f"; did you mean '{close[0]}'?" if close else ""

    def _resolve(self, ref: str, at: Origin, scope: str) -> Origin | None:
        """Try the ways to read ``ref``, the likeliest first."""
        for start, fragment in self._starts(ref, at, scope):
            for pointer in refs.pointers(fragment):
                if pointer[:1] in ("", "/"):
                    found = self.walk(start, refs.tokens(pointer))
                else:
                    found = self._anchor(pointer, start, refs.target(ref, scope).uri)
                if found is not None:
                    return found
        return None

    def _starts(self, ref: str, at: Origin, scope: str) -> list[tuple[Origin, str]]:
        """Return the origins that ``ref`` may be relative to, each with its fragment.

        By the specification a name that a schema or a document gives to itself comes first. Many
        authors give names and go on to refer to files.
        """
        target = refs.target(ref, scope)
        named = self._resources.get(target.uri)
        starts = [] if named is None else [(named, target.fragment)]
        local = refs.target(ref, at.uri)
        if refs.is_remote(local.uri):
            local = self._beside_self(local, at.uri)
        uri = local.uri if local.uri == at.uri else self._documents.canonical(local.uri)
        return [*starts, (Origin(uri), local.fragment)]

    def _beside_self(self, target: refs.Target, uri: str) -> refs.Target:
        """Return the local file that a URI stands for if it is beside the ``$self`` of ``uri``."""
        base = self._identifiers(uri).base
        folder = posixpath.dirname(base)
        if (
            refs.is_remote(uri)
            or not refs.is_remote(base)
            or not target.uri.startswith(f"{folder}/")
        ):
            return target
        path = posixpath.join(posixpath.dirname(uri), target.uri.removeprefix(f"{folder}/"))
        return refs.Target(posixpath.normpath(path), target.fragment)

    def _anchor(self, name: str, start: Origin, resource: str) -> Origin | None:
        """Return the schema with an anchor in the resource at ``start``."""
        names = self._identifiers(start.uri)
        return names.anchors.get((resource, name)) or names.anchors.get((names.scope(start), name))

    def _identifiers(self, uri: str) -> Identifiers:
        """Return the names in a document."""
        names = self._names.get(uri)
        if names is None:
            document = self._documents.get(uri)
            if isinstance(document, Absent):
                return Identifiers(uri)
            names = identify(self.root(uri), uri, document.data)
            self._names[uri] = names
            self._resources |= names.resources
        return names

    def _moved(self, start: Origin, path: tuple[str, ...]) -> tuple[str, ...]:
        """Return where the upgrade of Swagger 2.0 has put what its author has at ``path``."""
        if self._upgraded and start == Origin(self._entry):
            return moved(self._value, path)
        return path
