"""Where the parts of a document stand in its text."""

from __future__ import annotations

from dataclasses import dataclass, field

from specloom.description.text import Mark
from specloom.diagnostics import escape


@dataclass(slots=True)
class Marks:
    """The places of the parts of one document, by JSON Pointer.

    ``places`` has the mark of the key of each member and of each item of a list; ``texts`` has
    scalars as written; ``links`` leads from an alias of YAML to the value it stands for.
    """

    places: dict[str, Mark] = field(default_factory=dict[str, Mark])
    texts: dict[str, str] = field(default_factory=dict[str, str])
    links: dict[str, str] = field(default_factory=dict[str, str])
    duplicates: list[tuple[str, Mark, Mark]] = field(default_factory=list[tuple[str, Mark, Mark]])

    def place(self, tokens: tuple[str, ...]) -> Mark:
        """Return the mark of the part that ``tokens`` lead to, or of its nearest ancestor."""
        return self.places.get(self._find(tokens)[0], Mark(1, 1))

    def text(self, tokens: tuple[str, ...]) -> str | None:
        """Return the scalar that ``tokens`` lead to as it is written, if they lead to one."""
        pointer, whole = self._find(tokens)
        return self.texts.get(self.links.get(pointer, pointer)) if whole else None

    def _find(self, tokens: tuple[str, ...]) -> tuple[str, bool]:
        """Return the pointer of the last part on the way and whether it is the whole way."""
        here = ""
        for token in tokens:
            below = self._step(here, escape(token))
            if below is None:
                return here, False
            here = below
        return here, True

    def _step(self, here: str, token: str) -> str | None:
        """Return the pointer of a child, also through aliases and merge keys."""
        here = self.links.get(here, here)
        if f"{here}/{token}" in self.places:
            return f"{here}/{token}"
        merged = f"{here}/<<"
        if merged not in self.places:
            return None
        found = self._step(merged, token)
        item = 0
        while found is None and f"{merged}/{item}" in self.places:
            found = self._step(f"{merged}/{item}", token)
            item += 1
        return found


@dataclass(slots=True)
class _Container:
    """An open mapping or list on the way through a text."""

    pointer: str
    keys: dict[str, Mark] | None  # the keys so far with their marks; None for a list
    key: str | None = None  # of the member whose value comes next
    index: int = 0


class Trail:
    """Collects marks while a reader goes through a text from its start to its end."""

    def __init__(self) -> None:
        self.marks = Marks()
        self._stack: list[_Container] = []

    @property
    def takes_key(self) -> bool:
        """Whether the next scalar is a key."""
        parent = self._stack[-1] if self._stack else None
        return parent is not None and parent.keys is not None and parent.key is None

    def key(self, key: str, place: Mark) -> None:
        """Note a key, and both places when the mapping has it already."""
        parent = self._stack[-1]
        if parent.keys is not None:
            if key in parent.keys:
                self.marks.duplicates.append((key, parent.keys[key], place))
            parent.keys[key] = place
        parent.key = key
        self.marks.places[f"{parent.pointer}/{escape(key)}"] = place

    def value(self, place: Mark) -> str:
        """Return the pointer of the value that begins, noting the place of an item of a list."""
        parent = self._stack[-1] if self._stack else None
        if parent is None:
            pointer = ""
        elif parent.key is not None:
            key, parent.key = parent.key, None
            return f"{parent.pointer}/{escape(key)}"
        else:
            pointer = f"{parent.pointer}/{parent.index}"
            parent.index += 1
        self.marks.places[pointer] = place
        return pointer

    def open(self, pointer: str, *, mapping: bool) -> None:
        """Enter the mapping or list at ``pointer``."""
        self._stack.append(_Container(pointer, {} if mapping else None))

    def close(self) -> None:
        """Leave the innermost mapping or list."""
        self._stack.pop()
