"""A description that has been loaded: its values, its references, its positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from specloom.description import refs
from specloom.description.document import Document
from specloom.description.documents import Absent, Access, Documents
from specloom.description.resolver import Resolver
from specloom.description.sources import Sources
from specloom.description.values import is_mapping
from specloom.diagnostics import Diagnostic, Origin, Report

_MAX_CHAIN: Final = 100


class Position(NamedTuple):
    """A place to print: a path, and a line and a column that count from 1."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        """Return ``path:line:column``."""
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, eq=False)
class Description:
    """An entry document and every document that it references.

    ``entry`` is the URI of the entry document. ``value`` is its root after all overlays, in the
    shape of OpenAPI 3 whatever its version. ``version`` is the version that it states, such as
    ``"3.0.3"``. ``selection`` says which part of the document is used; it is empty for all of it.
    """

    entry: str
    value: dict[str, object]
    version: str
    selection: str
    _documents: Documents = field(repr=False)
    _sources: Sources = field(repr=False)
    _authored: Description | None = field(default=None, repr=False)
    _resolver: Resolver = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Make references resolvable."""
        upgraded = self._authored is not None
        resolver = Resolver(self.entry, self.value, self._documents, upgraded=upgraded)
        object.__setattr__(self, "_resolver", resolver)

    @property
    def authored(self) -> Description:
        """The description as its authors wrote it, overlays included, in their version's shape."""
        return self if self._authored is None else self._authored

    @property
    def joins_siblings(self) -> bool:
        """Whether a schema is both its reference's target and what stands beside (since 3.1)."""
        return not self.version.startswith(("2.0", "3.0"))

    @property
    def path(self) -> str:
        """The path to the entry document, as the user gave it."""
        return self._documents.path(self.entry)

    @property
    def access(self) -> str:
        """What references may reach, as text."""
        return str(self._documents.access)

    @property
    def named(self) -> list[Document]:
        """The documents that the user named: the entry document and the overlays."""
        return self._documents.named

    @property
    def documents(self) -> dict[str, Document | None]:
        """The documents that were asked for so far, by URI; None for one that cannot be read."""
        return self._documents.asked

    @property
    def size(self) -> int:
        """The number of bytes that were read so far."""
        return sum(len(one.data) for one in self.documents.values() if one is not None)

    def document(self, uri: str) -> Document | None:
        """Return the document with a URI, read if it was not yet, or None."""
        found = self._documents.get(self._documents.canonical(self._resolver.named(uri)))
        return found if isinstance(found, Document) else None

    def lookup(self, origin: Origin) -> object:
        """Return the value at ``origin``; raises ``LookupError`` when there is none."""
        return self._resolver.lookup(origin)

    def resolve(self, ref: str, at: Origin) -> Origin | None:
        """Return the origin that ``ref``, written at ``at``, leads to.

        However a reference is spelled, its target has one origin. A target that is itself a
        reference is not followed. None when the reference leads nowhere.
        """
        return self._resolver.resolve(ref, at)

    def target(self, ref: str, at: Origin, report: Report) -> Origin | None:
        """Resolve ``ref`` as ``resolve`` does, and report at ``at`` when it leads nowhere."""
        found = self.resolve(ref, at)
        if found is None:
            self._resolver.report_nowhere(ref, at, report)
        return found

    def final(self, ref: str) -> tuple[object, Origin] | None:
        """Return the value and origin that ``ref``, written in the entry document, ends at."""
        at, origin = Origin(self.entry), None
        for _ in range(_MAX_CHAIN):
            origin = self.resolve(ref, at)
            if origin is None:
                return None
            value = self.lookup(origin)
            link = value.get("$ref") if is_mapping(value) else None
            if not isinstance(link, str):
                return value, origin
            ref, at = link, origin
        return None

    def walk(self, path: tuple[str, ...]) -> Origin | None:
        """Return where ``path`` leads from the root of the entry document, through references."""
        return self._resolver.walk(Origin(self.entry), path)

    def position(self, origin: Origin) -> Position:
        """Return where ``origin`` is written: the key of a member, or the item of a list.

        A place that nobody wrote has the position of its nearest ancestor.
        """
        return _position(self._documents, self.written(origin))

    def text(self, origin: Origin) -> str | None:
        """Return a scalar as its author spelled it, such as ``1.10`` or ``007``; else None."""
        try:
            value = self.lookup(origin)
        except LookupError:
            return None
        if isinstance(value, str):
            return value
        written = self.written(origin)
        document = self._documents.get(written.uri)
        return document.marks.text(written.tokens) if isinstance(document, Document) else None

    def format(self, diagnostic: Diagnostic) -> str:
        """Return a diagnostic as text: ``file:line:column: severity[code]: message``.

        Each further line is a place that belongs to it.
        """
        places = [self.position(origin) for origin in diagnostic.related]
        return formatted(diagnostic, self.position(diagnostic.origin), places)

    def written(self, origin: Origin) -> Origin:
        """Return where ``origin`` is written, when an overlay or an upgrade has moved it."""
        if origin.pointer.startswith("@"):
            return origin
        written = Origin(origin.uri)
        try:
            value = self._resolver.root(origin.uri)
        except LookupError:
            return origin
        for token in origin.tokens:
            written = self._sources.written(value, token, written)
            try:
                value = refs.child(value, token)
            except LookupError:
                value = None
        return written


def position(origin: Origin, base: Path) -> Position:
    """Return a position as ``Description.position`` does, when loading gave no description."""
    return _position(Documents(base, Report(), Access(outside=True)), origin)


def format_diagnostic(diagnostic: Diagnostic, base: Path) -> str:
    """Return a diagnostic as ``Description.format`` does, when loading gave no description."""
    places = [position(origin, base) for origin in diagnostic.related]
    return formatted(diagnostic, position(diagnostic.origin, base), places)


def _position(documents: Documents, origin: Origin) -> Position:
    """Return where an origin is in the text of its document."""
    path = documents.path(origin.uri)
    if origin.pointer.startswith("@"):
        line, _, column = origin.pointer[1:].partition(":")
        return Position(path, int(line), int(column))
    document = documents.get(origin.uri)
    if isinstance(document, Absent):
        return Position(path, 1, 1)
    return Position(path, *document.marks.place(origin.tokens))


def formatted(diagnostic: Diagnostic, position: Position, related: Sequence[Position]) -> str:
    """Lay out a diagnostic and its places, a line each."""
    first = f"{position}: {diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"
    return "\n".join([first, *(f"{place}: note: see also here" for place in related)])
