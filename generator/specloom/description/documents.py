"""The documents of one description: found by URI, read once, within limits."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from specloom.description import document, refs
from specloom.description.document import Document
from specloom.description.remote import Remote
from specloom.description.text import Broken
from specloom.diagnostics import Origin, Report

# The most scattered public description has 2,907 files.
MAX_FILES: Final = 3_200
MAX_TOTAL_BYTES: Final = 128 * 2**20


@dataclass(frozen=True, slots=True)
class Access:
    """What references may reach besides the files in the description's folder.

    ``outside`` allows files elsewhere, ``remote`` documents that it can fetch.
    """

    outside: bool = False
    remote: Remote | None = None


@dataclass(frozen=True, slots=True)
class Absent:
    """Why a document cannot be used; ``reported`` when its own text was found to be wrong."""

    code: str
    message: str
    reported: bool


class Documents:
    """Reads documents when they are first asked for.

    What is wrong inside a document is reported as soon as it is read.
    """

    def __init__(self, base: Path, report: Report, access: Access) -> None:
        self.base = base
        self.report = report
        self.access = access
        self._known: dict[str, Document | Absent] = {}
        self._real_base = _real(base)
        self.named: list[Document] = []
        self._names: dict[str, str] = {}  # of files that were asked for by path
        self._canonical: dict[str, str] = {}
        self._watcher: Callable[[Document], None] = lambda _: None
        self._files = self._bytes = 0

    def __iter__(self) -> Iterator[Document]:
        """Yield the documents that were read so far."""
        return iter([known for known in self._known.values() if isinstance(known, Document)])

    @property
    def asked(self) -> dict[str, Document | None]:
        """The documents that were asked for so far, by URI; None for one that cannot be read."""
        known = self._known.items()
        return {uri: one if isinstance(one, Document) else None for uri, one in known}

    def watch(self, watcher: Callable[[Document], None]) -> None:
        """Call ``watcher`` with each document that was read, now or later."""
        self._watcher = watcher
        for opened in self:
            watcher(opened)

    def add(self, path: Path) -> tuple[str, Document | Absent]:
        """Read a file that the user named, wherever it lies; return its URI with it."""
        uri = Path(os.path.relpath(path, self.base)).as_posix()
        self._names[_real(path)] = uri
        known = self._known[uri] = self._open(uri, str(path), trusted=True)
        if isinstance(known, Document):
            self.named.append(known)
        return uri, known

    def get(self, uri: str) -> Document | Absent:
        """Return the document with a canonical URI, or why there is none."""
        known = self._known.get(uri)
        if known is None:
            known = self._known[uri] = self._open(uri, self.path(uri), trusted=False)
        return known

    def canonical(self, uri: str) -> str:
        """Return the one URI of a document that several paths may lead to."""
        if refs.is_remote(uri):
            return uri
        name = self._canonical.get(uri)
        if name is None:
            real = _real(os.path.join(self._real_base, uri))
            relative = Path(os.path.relpath(real, self._real_base)).as_posix()
            name = self._canonical[uri] = self._names.get(real, relative)
        return name

    def path(self, uri: str) -> str:
        """Return what people call a document: the path to it from where the command runs."""
        known = self._known.get(uri)
        if isinstance(known, Document):
            return known.path
        return uri if refs.is_remote(uri) else os.path.normpath(os.path.join(self.base, uri))

    def _open(self, uri: str, path: str, *, trusted: bool) -> Document | Absent:
        """Read a document; what is wrong inside it is reported, its absence is not."""
        try:
            if not trusted:
                self._admit(uri, path)
            opened = document.parse(self._read(uri, path), uri, path)
        except Broken as broken:
            if broken.mark is not None:
                related = [Origin.spot(uri, *mark) for mark in broken.related]
                place = Origin.spot(uri, *broken.mark)
                self.report.error(broken.code, broken.message, place, *related)
            return Absent(broken.code, broken.message, broken.mark is not None)
        for finding in opened.findings:
            related = [Origin.spot(uri, *mark) for mark in finding.related]
            note = self.report.error if finding.severity == "error" else self.report.warning
            note(finding.code, finding.message, Origin.spot(uri, *finding.mark), *related)
        self._watcher(opened)
        return opened

    def _admit(self, uri: str, path: str) -> None:
        """Refuse a document that no reference may reach."""
        if refs.is_remote(uri):
            if self.access.remote is None:
                message = f"'{uri}' is not a file; --allow-remote allows to fetch it"
                raise Broken("remote-reference", message)
            return
        if (posixpath.isabs(uri) or uri.startswith("../")) and not self.access.outside:
            message = (
                f"'{path}' is outside the description's folder; --allow-outside allows to read it"
            )
            raise Broken("outside-reference", message)

    def _read(self, uri: str, path: str) -> bytes:
        """Read a document as long as the description is of a size that people can mean."""
        # No place in the text is to blame, so none is worked out: it may be a long text.
        origin = Origin.spot(next(iter(self._known), ""), 1, 1)
        if self._files >= MAX_FILES:
            message = f"the description has more than {MAX_FILES:,} files"
            raise self.report.fatal("too-many-files", message, origin)
        if refs.is_remote(uri) and self.access.remote is not None:
            content = self.access.remote.fetch(uri)
        else:
            content = document.read(Path(path))
        self._files += 1
        self._bytes += len(content)
        if self._bytes > MAX_TOTAL_BYTES:
            message = f"the description has more than {MAX_TOTAL_BYTES // 2**20} MiB"
            raise self.report.fatal("too-large", message, origin)
        return content


def _real(path: str | os.PathLike[str]) -> str:
    """Return a path without links; what cannot be a path stays as it is."""
    try:
        return os.path.realpath(path)
    except ValueError:  # a NUL byte
        return os.path.normpath(path)
