"""Certificates of the client's own, for APIs that want to see one."""

from __future__ import annotations

import ssl
from os import PathLike, fspath
from typing import TypeAlias, cast

import httpx2

__all__ = ["Certificate", "context_of"]

Path: TypeAlias = "str | PathLike[str]"

Certificate: TypeAlias = (
    "Path | tuple[Path, Path] | tuple[Path, Path, str] | ssl.SSLContext"
)
"""A PEM file with a certificate and its key; two files; two and the key's password; or
everything there is to say about TLS."""


def context_of(argument: str, certificate: object) -> ssl.SSLContext:
    """Make the context in which a certificate is shown, and those of servers checked.

    Raises TypeError for what is no certificate, OSError for what cannot be read.
    """
    if isinstance(certificate, ssl.SSLContext):
        return certificate
    parts: tuple[object, ...] = (certificate,)
    if isinstance(certificate, tuple):
        parts = cast("tuple[object, ...]", certificate)
    names = [_name(part) for part in parts]
    if not 1 <= len(names) <= 3 or any(name is None for name in names):
        raise TypeError(
            f"{argument} must be a path, (certificate, key), (certificate, key, password)"
            " or an ssl.SSLContext"
        )
    context = httpx2.create_ssl_context()
    context.load_cert_chain(*cast("list[str]", names))
    return context


def _name(part: object) -> str | None:
    return fspath(part) if isinstance(part, str | PathLike) else None
