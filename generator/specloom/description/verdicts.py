"""Verdicts: what validation has found in documents, kept until one of the documents changes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from pydantic import BaseModel

from specloom.description.description import Description
from specloom.description.document import Document
from specloom.description.remote import user_caches
from specloom.diagnostics import Origin

# Raised whenever the same documents would get another verdict.
_EDITION: Final = 6
_LIBRARIES: Final = ("openapi-spec-validator", "jsonschema-rs", "jsonschema")
Found = tuple[str, str, Origin]
"""The code, the sentence and the place of a finding."""


class Verdict(BaseModel):
    """What was found, and in what.

    ``subject`` is a hash of what the user has named, ``documents`` has the hashes of the other
    documents by their URIs, empty for one that could not be read. A finding is its code, its
    sentence, and the URI and the pointer of its place.
    """

    subject: str
    documents: dict[str, str]
    findings: list[tuple[str, str, str, str]]

    @classmethod
    def of(cls, description: Description, findings: Iterable[Found]) -> Verdict:
        """Return the verdict that consists of these findings."""
        named = {document.uri for document in description.named}
        documents = {u: _hash(d) for u, d in description.documents.items() if u not in named}
        found = [(code, message, at.uri, at.pointer) for code, message, at in findings]
        return cls(subject=_subject(description), documents=documents, findings=found)

    @property
    def found(self) -> list[Found]:
        """The findings, with their places as origins."""
        return [(code, message, Origin(uri, at)) for code, message, uri, at in self.findings]

    def fits(self, description: Description) -> bool:
        """Return whether it is about a description, and nothing has changed since."""
        return self.subject == _subject(description) and all(
            _hash(description.document(uri)) == digest for uri, digest in self.documents.items()
        )


def user_cache() -> Path:
    """Return the folder where verdicts are remembered."""
    return user_caches() / "validation"


def recall(description: Description, cache: Path | None) -> Verdict | None:
    """Return the verdict on a description that lies in the folder ``cache``, if it still fits."""
    if cache is None:
        return None
    try:
        text = (cache / f"{_subject(description)}.json").read_bytes()
        verdict = Verdict.model_validate_json(text)
    except (OSError, ValueError):
        return None
    return verdict if verdict.fits(description) else None


def remember(verdict: Verdict, cache: Path | None) -> None:
    """Keep a verdict; that the cache cannot be written is no problem."""
    if cache is None:
        return
    with suppress(OSError):
        cache.mkdir(parents=True, exist_ok=True)
        # Another process may do the same at this moment, so the file appears at once.
        with NamedTemporaryFile(dir=cache, delete=False) as file:
            file.write(verdict.model_dump_json().encode())
        os.replace(file.name, cache / f"{verdict.subject}.json")


def _subject(description: Description) -> str:
    """Return a hash of what the user has named, and of who judges."""
    subject = f"{_EDITION} {description.entry} {description.access} {description.selection}\n"
    digest = hashlib.sha256(subject.encode())
    for library in _LIBRARIES:
        digest.update(f"{library} {version(library)}\n".encode())
    for document in description.named:
        digest.update(f"{document.uri} {_hash(document)}\n".encode())
    return digest.hexdigest()


def _hash(document: Document | None) -> str:
    """Return a hash of a document's text; empty when there is none."""
    return "" if document is None else hashlib.sha256(document.data).hexdigest()
