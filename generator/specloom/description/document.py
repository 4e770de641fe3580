"""One document: a file's text, its value, and where in the text each part of the value stands."""

from __future__ import annotations

import gc
import json
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from specloom.description import json_text, yaml12, yaml_marks
from specloom.description.line_breaks import Masked
from specloom.description.marks import Marks
from specloom.description.text import Broken, Finding, Mark, decoded

# The largest public descriptions have some 40 MB.
MAX_BYTES: Final = 64 * 2**20


@dataclass(slots=True, eq=False)
class Document:
    """A document that has been read.

    ``uri`` is what origins call it and ``path`` what people call it. ``data`` is its text in
    UTF-8 without a byte order mark. ``value`` consists of ``dict[str, ...]``, ``list``, ``str``,
    ``int``, ``float``, ``bool`` and ``None``; ``json`` says which of the two syntaxes it has.
    """

    uri: str
    path: str
    data: bytes
    value: object
    json: bool
    findings: list[Finding]
    _marks: Marks | None = field(default=None, repr=False)

    @property
    def marks(self) -> Marks:
        """Where its parts stand: found by reading the text again, at the first question."""
        if self._marks is None:
            with no_collection():
                if self.json:
                    self._marks = json_text.marks(self.data.decode())
                else:
                    masked = Masked(self.data)
                    self._marks = masked.marks(yaml_marks.marks(masked.data))
        return self._marks


def read(path: Path) -> bytes:
    """Return the content of a file; raises ``Broken`` when it is none or cannot be read."""
    try:
        # Without O_NONBLOCK, opening a FIFO waits for somebody to write to it.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            kind = "is a folder" if stat.S_ISDIR(status.st_mode) else "is no regular file"
            raise Broken("not-a-file", f"'{path}' {kind}")
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            content = b"" if status.st_size > MAX_BYTES else file.readall()
    except FileNotFoundError:
        raise Broken("missing-file", f"the file '{path}' does not exist") from None
    except (OSError, ValueError) as error:  # a path with a NUL byte is a ValueError
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
        message = f"the file '{path}' cannot be read: {reason[:1].lower()}{reason[1:]}"
        raise Broken("unreadable-file", message) from None
    if max(status.st_size, len(content)) > MAX_BYTES:
        message = f"the file '{path}' is larger than {MAX_BYTES // 2**20} MiB"
        raise Broken("file-too-large", message)
    return content


def parse(data: bytes, uri: str, path: str) -> Document:
    """Return the document that ``data`` is the text of; raises ``Broken``.

    A text that begins like a JSON object is tried as JSON, whatever the file is called, and as
    YAML when that fails: YAML 1.2 contains JSON, and people leave comments and commas behind.
    """
    data = _utf8(data)
    refusal: Broken | None = None
    with no_collection():
        if data.lstrip()[:1] in (b"{", b"["):
            findings: list[Finding] = []
            try:
                value = json_text.parse(data, findings)
                return Document(uri, path, data, value, True, findings)
            except Broken as error:
                if error.code != "invalid-json":
                    raise
                refusal = error
        named_json = path.endswith(".json")
        findings = []
        masked = Masked(data)
        try:
            value = masked.value(yaml12.parse(masked.data, findings))
            findings = [masked.finding(finding) for finding in findings]
        except Broken as error:
            raise refusal if refusal is not None and named_json else error from None
    if refusal is not None and named_json:
        message = f"this is not JSON ({refusal.message}) and is read as YAML"
        findings.append(Finding("warning", refusal.code, message, refusal.mark or Mark(1, 1)))
    return Document(uri, path, data, value, False, findings)


def _utf8(data: bytes) -> bytes:
    """Return a text in UTF-8 without byte order mark; raises ``Broken`` when it is no Unicode.

    What seems to be UTF-8 already is left to the parsers, which find out on their way.
    """
    encoding = json.detect_encoding(data)
    return data if encoding == "utf-8" else decoded(data, encoding).encode()


@contextmanager
def no_collection() -> Generator[None]:
    """Keep the garbage collector still while many values are built that all stay."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            # They count as old from now on, without a first look at each of them.
            gc.freeze()
            gc.unfreeze()
        if enabled:
            gc.enable()
