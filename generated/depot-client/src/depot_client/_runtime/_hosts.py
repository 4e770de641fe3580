"""Whether the network has a way to what a URL names: what libraries do not look at.

They fail in ways of their own where it has none, or take another port instead.
"""

from __future__ import annotations

import httpx2

__all__ = ["fault_of"]

LONGEST_LABEL = 63
LAST_PORT = 65535


def fault_of(url: httpx2.URL) -> str | None:
    """Say what is wrong with the host or the port of a URL; None if nothing is.

    Names consist of labels of 1 to 63 characters (RFC 1035, section 2.3.4); httpx2
    escapes others than those of names.
    """
    if url.port is not None and url.port > LAST_PORT:
        return f"there is no port {url.port}"
    host = url.raw_host.decode("ascii")
    labels = host.removesuffix(".").split(".")
    is_name = "%" not in host and all(0 < len(one) <= LONGEST_LABEL for one in labels)
    if is_name or ":" in host:
        return None
    return f"{host[:LONGEST_LABEL]!r} is no name of a host"
