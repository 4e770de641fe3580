"""The code model of a client's tests: statements in their final layout, in print order."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trial:
    """One call of a method, in both flavours.

    ``constants`` are what both use, ``calls`` and ``awaited`` the statements of the two tests, and
    ``checks`` those of the function that both end with, which ``parameters`` are given.
    """

    name: str
    request: str
    constants: tuple[str, ...]
    calls: tuple[str, ...]
    awaited: tuple[str, ...]
    parameters: str
    checks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trials:
    """The content of a module of tests: those of the methods of one resource, or some of them.

    ``untried`` names methods of which no value was found that they could be given, or give.
    """

    path: str
    client: str
    async_client: str
    trials: tuple[Trial, ...]
    untried: str


@dataclass(frozen=True, slots=True)
class Fixtures:
    """What the tests have in common: how clients are made, with the keywords in ``arguments``."""

    package: str
    client: str
    async_client: str
    arguments: tuple[str, ...]
