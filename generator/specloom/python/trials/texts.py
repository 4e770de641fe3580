"""Sample texts: of a format, within limits, matching a pattern, or simply what they are for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ... import ir
from .patterns import matching

_FORMATS = {
    "byte": "aGVsbG8=",
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "decimal": "19.90",
    "duration": "P1D",
    "email": "someone@example.com",
    "hostname": "example.com",
    "idn-email": "someone@example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "iri": "https://example.com",
    "iri-reference": "/example",
    "json-pointer": "/example",
    "regex": "a+",
    "time": "12:00:00Z",
    "uri": "https://example.com",
    "uri-reference": "/example",
    "url": "https://example.com",
    "uuid": "6f1c4f0a-5d3c-4a5e-9d3b-0c8e3f1b2a47",
}
"""What a text of each format looks like. Documentation has names and addresses of its own
(RFC 2606, RFC 5737, RFC 3849)."""


def sample_text(type_: ir.Primitive, purpose: str) -> str:
    """Return a text of a type of text, as far as one is found.

    ``purpose`` is what holds the text, such as the name of a property: where nothing else is
    demanded, it is the text, so that no two of one object are the same.
    """
    limits = {keyword: ir.value_of(value) for keyword, value in type_.constraints}
    candidates = list(_candidates(type_.format, limits, purpose or "text"))
    pattern = limits.get("pattern")
    last = next(matching(pattern), candidates[0]) if isinstance(pattern, str) else candidates[0]
    return next((text for text in candidates if _fits(text, limits)), last)


def _candidates(format_: str | None, limits: Mapping[str, object], word: str) -> Iterator[str]:
    """Yield texts that may be within limits, the most telling first."""
    least, most = _count(limits, "minLength"), _count(limits, "maxLength")
    known = _FORMATS.get(format_ or "")
    if known is not None:
        yield known
    if least is not None and len(word) < least:
        word *= -(-least // len(word))
    yield word if most is None else word[:most]
    pattern = limits.get("pattern")
    if isinstance(pattern, str):
        yield from matching(pattern)


def _fits(text: str, limits: Mapping[str, object]) -> bool:
    least, most = _count(limits, "minLength"), _count(limits, "maxLength")
    pattern = limits.get("pattern")
    if len(text) < (least or 0) or (most is not None and len(text) > most):
        return False
    try:
        return not isinstance(pattern, str) or re.search(pattern, text) is not None
    except re.error:  # which says something in the words of ECMAScript
        return False


def _count(limits: Mapping[str, object], keyword: str) -> int | None:
    value = limits.get(keyword)
    return int(value) if isinstance(value, int | float) and value < 4096 else None
