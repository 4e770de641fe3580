"""Helpers for tests that load descriptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from specloom.description.load import Access, Description, format_diagnostic, load
from specloom.diagnostics import Origin, Report, Stop


@dataclass
class Desk:
    """A folder to write documents to and load them from; ``said`` is what loading reported."""

    folder: Path
    report: Report = field(default_factory=Report)

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write files by their paths in the folder."""
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def load(self, *overlays: str, entry: str = "api.yaml", outside: bool = False) -> Description:
        """Load the description in the folder."""
        paths = [self.folder / overlay for overlay in overlays]
        entry_path = self.folder / entry
        return load(entry_path, self.report, overlays=paths, access=Access(outside))

    def loads(self, content: str | bytes, *overlays: str, entry: str = "api.yaml") -> Description:
        """Write the entry document and load the description."""
        self.write({entry: content})
        return self.load(*overlays, entry=entry)

    def refuses(self, content: str | bytes | None, entry: str = "api.yaml") -> str:
        """Return the one diagnostic of an entry document that cannot be loaded."""
        if content is not None:
            self.write({entry: content})
        with pytest.raises(Stop):
            self.load(entry=entry)
        (said,) = self.said()
        return said

    def said(self, description: Description | None = None) -> list[str]:
        """Return the diagnostics as text, with paths relative to the folder."""
        texts = [
            format_diagnostic(d, self.folder) if description is None else description.format(d)
            for d in self.report.diagnostics
        ]
        return [text.replace(f"{self.folder}/", "") for text in texts]

    def follow(self, description: Description, ref: str, uri: str = "api.yaml") -> Origin:
        """Return the target of a reference, which has one."""
        found = description.resolve(ref, Origin(uri))
        assert found is not None
        return found

    def where(self, description: Description, pointer: str, uri: str = "api.yaml") -> str:
        """Return the position of an origin, with a path relative to the folder."""
        return str(description.position(Origin(uri, pointer))).replace(f"{self.folder}/", "")
