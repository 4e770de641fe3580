"""Which author's text each part of a value comes from, when the value was changed after loading."""

from __future__ import annotations

from specloom.diagnostics import Origin


class Sources:
    """Remembers where the members of changed containers are written.

    Containers are told apart by identity, so a subtree that is moved keeps its sources. What
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

    def written(self, container: object, token: str | int, parent: Origin) -> Origin:
        """Return where a member of ``container`` is written, whose own place is ``parent``."""
        moved = self._moved.get(id(container))
        return (moved.get(str(token)) if moved else None) or parent / token

    def inherit(self, copy: object, original: object) -> None:
        """Note for a copy of a container what is known of the original."""
        moved = self._moved.get(id(original))
        if moved is not None:
            self._kept.append(copy)
            self._moved[id(copy)] = dict(moved)
