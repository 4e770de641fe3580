"""Which author's text each part of a value comes from, when the value was changed after loading."""

from __future__ import annotations

from specloom.diagnostics import Origin


class Sources:
    """Remembers where members of changed containers were written.

    Containers are told apart by identity, so that a subtree that is moved keeps its sources. What
    nobody changed needs no entry: its place follows from its parent's.
    """

    def __init__(self) -> None:
        self._moved: dict[int, dict[str, Origin]] = {}
        self._kept: list[object] = []

    def note(self, container: object, token: str | int, origin: Origin) -> None:
        """Note that a member or item of ``container`` is written at ``origin``."""
        if id(container) not in self._moved:
            self._kept.append(container)  # an identity is one only as long as the object lives
        self._moved.setdefault(id(container), {})[str(token)] = origin

    def written(self, container: object, token: str, parent: Origin) -> Origin:
        """Return where a member of ``container`` is written, whose own place is ``parent``."""
        moved = self._moved.get(id(container))
        return (parent / token) if moved is None else moved.get(token, parent / token)
