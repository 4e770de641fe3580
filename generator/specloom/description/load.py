"""Load a description: its entry document at once, every document it references when needed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from specloom.description import overlay
from specloom.description.description import Description as Description
from specloom.description.description import Position as Position
from specloom.description.description import format_diagnostic as format_diagnostic
from specloom.description.description import formatted as formatted
from specloom.description.description import position as position
from specloom.description.dialect import report_null_types
from specloom.description.document import Document
from specloom.description.documents import Absent, Documents
from specloom.description.documents import Access as Access
from specloom.description.selection import Selection, prune, select
from specloom.description.sources import Sources
from specloom.description.tree import Tree
from specloom.description.upgrade import upgrade
from specloom.description.values import is_mapping
from specloom.diagnostics import Origin, Report, Stop

_KNOWN_VERSIONS: Final = re.compile(r"3\.[012](\.\d+)?(-.*)?")


def load(
    entry: Path,
    report: Report,
    *,
    overlays: Sequence[Path] = (),
    base: Path | None = None,
    access: Access | None = None,
    selection: Selection | None = None,
) -> Description:
    """Load the description whose entry document is the file ``entry``.

    ``base`` is the folder that URIs are relative to, by default that of the entry document.
    References may leave it only as far as ``access`` says. What a ``selection`` does not take is
    left out. Raises ``Stop`` when there is nothing to go on with; the report then says why.
    """
    documents = Documents(entry.parent if base is None else base, report, access or Access())
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
            overlay.apply(patch, tree, documents.canonical, report)
        elif not patch.reported:
            report.error(patch.code, patch.message, Origin(overlay_uri))
    used = ""
    if selection is not None:
        used = str(selection)
        select(Description(uri, tree.root, version, used, documents, sources), tree, selection)
        prune(Description(uri, tree.root, version, used, documents, sources), tree)
    description = Description(uri, tree.root, version, used, documents, sources)
    if key == "openapi":
        return description
    upgraded = upgrade(tree.root, Origin(uri), sources, description.final, report)
    return Description(uri, upgraded, version, used, documents, sources, description)


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
