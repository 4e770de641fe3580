"""References: from the text of a ``$ref`` to the one origin that it means.

RFC 3986 (URI references), RFC 6901 (JSON Pointer and its form as a fragment).
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote, urljoin

from specloom.description.values import is_list, is_mapping
from specloom.diagnostics import escape, unescape

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_INDEX: Final = re.compile(r"0|[1-9][0-9]*")


@dataclass(frozen=True, slots=True)
class Target:
    """Where a reference points: a document's URI and the fragment, still percent-encoded."""

    uri: str
    fragment: str


def is_remote(uri: str) -> bool:
    """Return whether a document's URI has a scheme, so that it is no file of the description."""
    return _SCHEME.match(uri) is not None


def target(ref: str, base: str) -> Target:
    """Resolve ``ref`` as written in the document that ``base`` is the URI of.

    The URI of a local document is its path relative to the description's folder, or an absolute
    path; it comes out normalised and percent-decoded.
    """
    address, _, fragment = ref.partition("#")
    if not address:
        return Target(base, fragment)
    if address.startswith("file://"):
        address = address.removeprefix("file://").removeprefix("localhost")
    if is_remote(address):
        return Target(address, fragment)
    if is_remote(base):
        return Target(urljoin(base, address), fragment)
    path = unquote(address).replace("\\", "/")
    return Target(posixpath.normpath(posixpath.join(posixpath.dirname(base), path)), fragment)


def respell(ref: str, written: str, read: str) -> str:
    """Return ``ref``, written in the document ``written``, as the document ``read`` spells it."""
    aim = target(ref, written)
    if is_remote(aim.uri) or posixpath.isabs(aim.uri):
        return f"{aim.uri}#{aim.fragment}"
    path = posixpath.relpath(aim.uri, posixpath.dirname(read) or ".")
    return f"{quote(path)}#{aim.fragment}"


def pointers(fragment: str) -> list[str]:
    """Return the JSON Pointers that a fragment may mean, the likeliest first.

    By RFC 6901 a fragment is percent-decoded once and then unescaped. Authors also write names
    that hold a percent sign as they are.
    """
    decoded = unquote(fragment)
    return [decoded] if decoded == fragment else [decoded, fragment]


def tokens(pointer: str) -> tuple[str, ...]:
    """Return the unescaped reference tokens of a pointer."""
    return tuple(unescape(token) for token in pointer.split("/")[1:])


def pointer(path: tuple[str, ...]) -> str:
    """Return the pointer of unescaped reference tokens, in its one canonical spelling."""
    return "".join(f"/{escape(token)}" for token in path)


def child(value: object, token: str) -> object:
    """Return a member of a mapping or an item of a list; raises ``LookupError``."""
    if is_mapping(value):
        return value[token]
    if is_list(value) and _INDEX.fullmatch(token):
        return value[int(token)]
    raise LookupError(token)
