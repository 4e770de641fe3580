"""What openapi-core read, held against what was meant."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from specloom.description.values import is_list, is_mapping

from .core import Reading
from .described import Operation
from .draws import Drawn, is_json, is_undefined, kept_of
from .wire import exact


def same(read: object, meant: object) -> bool:
    """Whether what was read is what was meant, as text or as the object of a format."""
    if is_mapping(read) and read.keys() == {"bytes"}:
        return _bytes(str(read["bytes"]), meant)
    if is_mapping(read) and is_mapping(meant):
        return read.keys() == meant.keys() and all(same(read[key], meant[key]) for key in read)
    if is_list(read) and is_list(meant):
        return len(read) == len(meant) and all(map(same, read, meant))
    if isinstance(read, str) and isinstance(meant, str):
        return read == meant or _moment(read) == _moment(meant) or _uuid(read) == _uuid(meant)
    if isinstance(read, bool) or isinstance(meant, bool):
        return read is meant
    if isinstance(read, int | float) and isinstance(meant, int | float):
        return read == meant
    return exact(read) == exact(meant)


def _bytes(read: str, meant: object) -> bool:
    """Whether bytes are a file's, or are what text stands for in Base64."""
    if isinstance(meant, bytes):
        return base64.b64decode(read) == meant
    return read == meant or base64.b64decode(read).decode("utf-8", "replace") == meant


def _moment(text: str) -> object:
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError:
        return object()


def _uuid(text: str) -> object:
    try:
        return UUID(text)
    except ValueError:
        return object()


def differences(reading: Reading, operation: Operation, drawn: Drawn) -> Iterator[tuple[str, str]]:
    """Yield each part of a request that was read as something else, and what is wrong with it."""
    yield from reading.errors.items()
    if reading.errors.keys() & {"path", "operation", "crash", "security"}:
        return
    whole = {one.key for one in operation.parameters if one.style is None}
    for key, value in drawn.parameters.items():
        kept = value if key in whole else kept_of(value)
        if key in reading.errors or is_undefined(kept):
            continue
        if key not in reading.parameters:
            yield key, "was not read"
        elif not same(reading.parameters[key], kept):
            yield key, f"reads {reading.parameters[key]!r}, not {kept!r}"
    if drawn.content is not None and "body" not in reading.errors:
        meant = drawn.body if is_json(drawn.content.media_type) else kept_of(drawn.body)
        if not same(reading.body, meant):
            yield "body", f"reads {reading.body!r}, not {meant!r}"
