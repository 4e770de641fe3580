"""Characters that ended lines in YAML 1.1 and end none in YAML 1.2 (1.2.2, section 5.4).

libyaml still takes them for line breaks, which would tear apart the texts that they stand in. So it
is given other characters in their place.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Final

from specloom.description.marks import Marks
from specloom.description.text import Finding, Mark
from specloom.description.values import is_list, is_mapping

_FORMER: Final = ("\x85", "\u2028", "\u2029")
_PRIVATE: Final = 0xE000
"""The first code point that the Unicode Standard leaves to private use."""


class Masked:
    """A text in UTF-8 for libyaml; ``data`` is the text as it has to read it."""

    def __init__(self, data: bytes) -> None:
        self._table: dict[int, str] = {}
        found = [character for character in _FORMER if _occurs(character.encode(), data)]
        unused = (c for c in map(chr, count(_PRIVATE)) if c.encode() not in data)
        for character, stand_in in zip(found, unused, strict=False):
            data = data.replace(character.encode(), stand_in.encode())
            self._table[ord(stand_in)] = character
        self.data = data

    def text(self, text: str) -> str:
        """Return a text of the document as its author wrote it."""
        return text.translate(self._table) if self._table else text

    def value(self, value: object) -> object:
        """Return a value of the document as its author wrote it.

        A container stays the object that it is, because it may stand in several places.
        """
        if not self._table:
            return value
        if isinstance(value, str):
            return self.text(value)
        seen: set[int] = set()
        waiting = [value]
        while waiting:
            holder = waiting.pop()
            if id(holder) in seen:
                continue
            seen.add(id(holder))
            if is_mapping(holder):
                members = {self.text(key): self._scalar(child) for key, child in holder.items()}
                holder.clear()
                holder.update(members)
                waiting += members.values()
            elif is_list(holder):
                holder[:] = [self._scalar(item) for item in holder]
                waiting += holder
        return value

    def _scalar(self, value: object) -> object:
        return self.text(value) if isinstance(value, str) else value

    def marks(self, marks: Marks) -> Marks:
        """Return the marks of the text with its names as their author wrote them."""
        if not self._table:
            return marks
        places: dict[str, Mark] = {self.text(at): mark for at, mark in marks.places.items()}
        texts = {self.text(at): self.text(text) for at, text in marks.texts.items()}
        links = {self.text(at): self.text(to) for at, to in marks.links.items()}
        return replace(marks, places=places, texts=texts, links=links)

    def finding(self, finding: Finding) -> Finding:
        """Return a finding with the text that it cites, maybe in quotes, as its author wrote it."""
        message = self.text(finding.message)
        for stand_in, character in self._table.items():
            message = message.replace(ascii(chr(stand_in))[1:-1], ascii(character)[1:-1])
        return replace(finding, message=message)


def _occurs(character: bytes, data: bytes) -> bool:
    """Return ``character in data``; to look for its last, rare byte first is much faster."""
    return character[-1:] in data and character in data
