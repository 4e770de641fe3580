"""Which proxy a request goes through, as the environment says."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Proxies"]

Exemption: TypeAlias = Callable[[str, int | None], bool]
"""Says whether a host and a port are reached without a proxy."""


@dataclass(frozen=True, slots=True)
class Proxies:
    """The proxies to use by scheme, and the hosts to reach without one."""

    by_scheme: Mapping[str, str]
    """The URL of the proxy for ``http``, ``https`` and, for the others, ``all``."""

    exemptions: tuple[Exemption, ...] = ()
    """The hosts that ``NO_PROXY`` lists."""

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> Proxies:
        """Read settings as ``urllib.request.getproxies`` returns them.

        An entry of ``no`` that makes no sense is passed over, as other programs that
        share the variable do.
        """
        proxies = {
            scheme: url if "://" in url else f"http://{url}"
            for scheme in ("http", "https", "all")
            if (url := settings.get(scheme, ""))
        }
        entries = settings.get("no", "").replace(",", " ").split()
        if not proxies or "*" in entries:
            return cls({})
        return cls(proxies, tuple(e for e in map(_exemption, entries) if e is not None))

    def proxy_for(self, scheme: str, host: str, port: int | None) -> str | None:
        """Choose the proxy for a host, or None to reach it directly."""
        proxy = self.by_scheme.get(scheme) or self.by_scheme.get("all")
        if proxy is None or any(exempt(host, port) for exempt in self.exemptions):
            return None
        return proxy


def _exemption(entry: str) -> Exemption | None:
    """Read one entry: a domain, an address or a network, with or without a port."""
    if "://" in entry:
        entry = entry.partition("://")[2]
    name, port = _split_port(entry.lower())
    try:
        # Brackets may stand around an address and also around that of a network.
        network = ipaddress.ip_network(
            name.replace("[", "").replace("]", ""), strict=False
        )
    except ValueError:
        domain = name.removeprefix("*").strip(".")
        if not domain or "/" in domain or ":" in domain:
            return None
        return lambda host, to: (
            port in (None, to)
            and (host.lower() == domain or host.lower().endswith("." + domain))
        )
    return lambda host, to: port in (None, to) and _in_network(host, network)


def _split_port(entry: str) -> tuple[str, int | None]:
    name, colon, port = entry.rpartition(":")
    is_port = port.isdecimal() and (":" not in name or name.endswith("]"))
    return (name, int(port)) if colon and is_port else (entry, None)


def _in_network(
    host: str, network: ipaddress.IPv4Network | ipaddress.IPv6Network
) -> bool:
    try:
        return ipaddress.ip_address(host) in network
    except ValueError:
        return False
