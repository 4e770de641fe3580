"""Load a description: its entry document at once, every document it references when needed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from specloom.description import overlay, refs
from specloom.description.dialect import report_null_types
from specloom.description.document import Document
from specloom.description.documents import Absent, Access, Documents
from specloom.description.resolver import Resolver
from specloom.description.sources import Sources
from specloom.description.tree import Tree
from specloom.description.upgrade import upgrade
from specloom.description.values import is_mapping
from specloom.diagnostics import Diagnostic, Origin, Report, Stop

_MAX_CHAIN: Final = 100
_KNOWN_VERSIONS: Final = re.compile(r"3\.[012](\.\d+)?(-.*)?")


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
    ``"3.0.3"``.
    """

    entry: str
    value: dict[str, object]
    version: str
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
    def path(self) -> str:
        """The path to the entry document, as the user gave it."""
        return self._documents.path(self.entry)

    @property
    def named(self) -> list[Document]:
        """The documents that the user named: the entry document and the overlays."""
        return self._documents.named

    def document(self, uri: str) -> Document | None:
        """Return the document with a URI, read if it was not yet, or None."""
        found = self._documents.get(self._documents.canonical(uri))
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
        return _position(self._documents, self._written(origin))

    def text(self, origin: Origin) -> str | None:
        """Return a scalar as its author spelled it, such as ``1.10`` or ``007``; else None."""
        try:
            value = self.lookup(origin)
        except LookupError:
            return None
        if isinstance(value, str):
            return value
        written = self._written(origin)
        document = self._documents.get(written.uri)
        return document.marks.text(written.tokens) if isinstance(document, Document) else None

    def format(self, diagnostic: Diagnostic) -> str:
        """Return a diagnostic as text: ``file:line:column: severity[code]: message``.

        Each further line is a place that belongs to it.
        """
        places = [self.position(origin) for origin in diagnostic.related]
        return _format(diagnostic, self.position(diagnostic.origin), places)

    def _written(self, origin: Origin) -> Origin:
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


def load(
    entry: Path,
    report: Report,
    *,
    overlays: Sequence[Path] = (),
    base: Path | None = None,
    allow_outside: bool = False,
) -> Description:
    """Load the description whose entry document is the file ``entry``.

    ``base`` is the folder that URIs are relative to, by default that of the entry document.
    References may leave it only when ``allow_outside``. Raises ``Stop`` when there is nothing to
    go on with; the report then says why.
    """
    documents = Documents(entry.parent if base is None else base, report, Access(allow_outside))
    uri, document = documents.add(entry)
    if isinstance(document, Absent):
        if document.reported:
            raise Stop(document.message)
        raise report.fatal(document.code, document.message, Origin(uri))
    root = document.value
    if not is_mapping(root):
        message = f"a description is a mapping, and this document is {_kind(root)}"
        raise report.fatal("not-a-mapping", message, Origin(uri))
    key, version = _version(document, root, report)
    documents.watch(lambda opened: report_null_types(opened, version, report))
    sources = Sources()
    tree = Tree({**root, key: version}, Origin(uri), sources)
    for path in overlays:
        overlay_uri, patch = documents.add(path)
        if isinstance(patch, Document):
            overlay.apply(patch.value, Origin(overlay_uri), tree, report)
        elif not patch.reported:
            report.error(patch.code, patch.message, Origin(overlay_uri))
    description = Description(uri, tree.root, version, documents, sources)
    if key == "openapi":
        return description
    upgraded = upgrade(tree.root, Origin(uri), sources, description.final, report)
    return Description(uri, upgraded, version, documents, sources, description)


def format_diagnostic(diagnostic: Diagnostic, base: Path) -> str:
    """Return a diagnostic as ``Description.format`` does, when loading gave no description."""
    documents = Documents(base, Report(), Access(outside=True))
    places = [_position(documents, origin) for origin in diagnostic.related]
    return _format(diagnostic, _position(documents, diagnostic.origin), places)


def _version(document: Document, root: dict[str, object], report: Report) -> tuple[str, str]:
    """Return the key that states the version of the document, and the version as text."""
    key = next((key for key in ("openapi", "swagger") if key in root), None)
    origin = Origin(document.uri)
    if key is None:
        message = "the document has neither 'openapi' nor 'swagger', so it is no description"
        raise report.fatal("no-version", message, origin)
    # Unquoted, 3.0 and 2.0 are numbers.
    version = str(root[key]) if isinstance(root[key], str) else document.marks.text((key,)) or ""
    if key == "swagger" and version != "2.0":
        message = f"Swagger {version or '?'} is not supported; the versions are 2.0 and 3.0 to 3.2"
        raise report.fatal("unsupported-version", message, origin / key)
    if key == "openapi" and not _KNOWN_VERSIONS.fullmatch(version):
        message = f"OpenAPI {version or '?'} is not known and is read as if it were 3.2"
        report.warning("unknown-version", message, origin / key)
    return key, version


def _kind(value: object) -> str:
    """Name the kind of a root value that is no mapping."""
    match value:
        case None:
            return "empty"
        case list():
            return "a list"
        case _:
            return "a single value"


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


def _format(diagnostic: Diagnostic, position: Position, related: list[Position]) -> str:
    """Lay out a diagnostic and its places."""
    first = f"{position}: {diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"
    return "\n".join([first, *(f"{place}: note: see also here" for place in related)])
