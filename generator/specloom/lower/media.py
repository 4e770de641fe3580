"""Media types: which form a body has, and which of several is preferred."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from ..ir import Framing

Kind = Literal["json", "form", "multipart", "text", "binary", "stream", "any"]

FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
_LINES = "jsonl x-jsonl jsonlines x-jsonlines json-lines ndjson x-ndjson x-json-stream".split()
_FRAMINGS: dict[str, Framing] = {
    "text/event-stream": "events",
    **dict.fromkeys((f"application/{name}" for name in _LINES), "lines"),
    "application/stream+json": "values",
}

_TEXTUAL = frozenset(
    f"application/{name}"
    for name in "xml yaml x-yaml javascript ecmascript graphql sql sdp toml x-sh rtf "
    "xml-dtd x-httpd-php jsonpath openmetrics-text pem-certificate-chain".split()
)
"""Types outside of ``text/`` that are text all the same (IANA, Media Types)."""


def base(media_type: str) -> str:
    """Return a media type without its parameters, in lower case (RFC 9110, section 8.3.1)."""
    return media_type.partition(";")[0].strip().lower()


def kind(media_type: str) -> Kind:
    """Return the form of a body of a media type; of ``*/*`` and the like, its schema decides."""
    name = base(media_type)
    if framing(name) is not None:
        return "stream"
    if name in ("application/json", "text/json") or name.endswith("+json"):
        return "json"
    if name == FORM:
        return "form"
    if name == MULTIPART:
        return "multipart"
    if name in ("*/*", "*", "application/*"):
        return "any"
    if name.startswith("text/") or name in _TEXTUAL or name.endswith(("+xml", "+yaml", "-seq")):
        return "text"
    return "binary"


def framing(media_type: str) -> Framing | None:
    """Return how a body of a media type is cut into items, or None where it is one value.

    Those are server-sent events (WHATWG HTML §9.2), JSON lines under each of their names, and JSON
    text sequences (RFC 7464, and RFC 8091 for types that are built on them).
    """
    name = base(media_type)
    if name == "application/json-seq" or name.endswith("+json-seq"):
        return "values"
    return _FRAMINGS.get(name)


def is_range(media_type: str) -> bool:
    """Whether a media type stands for several, as ``image/*`` does."""
    return "*" in base(media_type)


def preferred(media_types: Iterable[str]) -> list[str]:
    """Return media types with JSON first, the plainest before all; the rest as they come."""

    def rank(media_type: str) -> int:
        if base(media_type) == "application/json":
            return 1 if ";" in media_type else 0
        return 2 if kind(media_type) == "json" and not is_range(media_type) else 3

    return sorted(media_types, key=rank)
