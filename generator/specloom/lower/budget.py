"""How much is put together: unions inside unions multiply, and so do objects inside objects.

A description of a few lines can ask for more types than there is time to make. What goes beyond
the budget is reported, and stays the plain, wider type.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

_COMBINATIONS: Final = 64
"""How many types the unions inside the unions of one schema may add to it."""

_JOINED: Final = 1_000
"""How many properties of properties of one schema may be put together of several declarations."""

_ALL: Final = 10_000
"""How many of each one description may ask for: the real ones that we know ask for two at most."""


@dataclass(slots=True)
class Allowance:
    """What is left of one kind of work: for one schema, and for all of them."""

    each: int
    left: int = 0
    of_all: int = _ALL

    def takes(self, count: int) -> bool:
        """Take so much of what is left, if there is as much."""
        if count > min(self.left, self.of_all):
            return False
        self.left -= count
        self.of_all -= count
        return True


def _combinations() -> Allowance:
    return Allowance(_COMBINATIONS)


def _joined() -> Allowance:
    return Allowance(_JOINED)


@dataclass(slots=True)
class Budget:
    """What may still be put together of the schemas of one description."""

    combinations: Allowance = field(default_factory=_combinations)
    joined: Allowance = field(default_factory=_joined)

    @contextmanager
    def afresh(self) -> Generator[None]:
        """Let the body have what one schema has, whichever schema it stands in."""
        allowances = (self.combinations, self.joined)
        before = [one.left for one in allowances]
        for one in allowances:
            one.left = one.each
        yield
        for one, left in zip(allowances, before, strict=True):
            one.left = left
