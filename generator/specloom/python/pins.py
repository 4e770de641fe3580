"""Where operations stood before: paths of resources and methods that stay as users know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Chain = tuple[str, ...]


@dataclass(slots=True)
class Pins:
    """The attributes of resources and methods that ``names.lock`` has.

    Resources are found by the chain of names that a route gives them; ``attributes`` says what
    the last name of a chain is called on the client.
    """

    locked: Mapping[str, str]
    attributes: dict[Chain, str] = field(default_factory=dict[Chain, str])
    _chains: dict[Chain, Chain] = field(default_factory=dict[Chain, Chain])

    def pin(self, origin: str, chain: Chain) -> tuple[Chain, str | None]:
        """Return the chain of an operation, and the locked name of its method if there is one.

        An operation whose route has changed stays where it was.
        """
        if origin not in self.locked:
            return chain, None
        *resources, method = self.locked[origin].split(".")
        named = chain if len(chain) == len(resources) else tuple(resources)
        path: Chain = ()
        pinned: Chain = ()
        for name, attribute in zip(named, resources, strict=True):
            path = (*path, attribute)
            if path not in self._chains:
                wanted = (*pinned, name)
                self._chains[path] = wanted if wanted not in self.attributes else path
                self.attributes[self._chains[path]] = attribute
            pinned = self._chains[path]
        return pinned, method
