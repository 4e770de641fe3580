"""How many ways lead through a schema: what a validator goes that does not remember its steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from specloom.description.values import is_list, is_mapping

MOST: Final = 5_000
"""With more ways than these, a value is not held against a schema."""
_LISTS: Final = ("allOf", "anyOf", "oneOf")
_PREFIX: Final = "#/$defs/"


class Ways:
    """Counts the ways through the definitions of a document, at one place of a value."""

    def __init__(self, definitions: Mapping[str, object]) -> None:
        self._definitions = definitions
        self._known: dict[str, int] = {}

    def through(self, name: str) -> int:
        """Return the number of ways through a definition; what leads in a circle is no way."""
        waiting, open_ = [name], set[str]()
        while waiting:
            at = waiting[-1]
            if at in self._known:
                waiting.pop()
                continue
            needed = list(_mentioned(self._definitions[at]))
            new = [one for one in needed if one not in self._known and one not in open_]
            if new and at not in open_:
                open_.add(at)
                waiting += new
                continue
            waiting.pop()
            open_.discard(at)
            self._known[at] = 1 + sum(self._known.get(one, 0) for one in needed)
        return self._known[name]


def _mentioned(schema: object) -> Iterator[str]:
    """Yield the definitions that a schema refers to for the same value, as often as it does."""
    waiting = [schema]
    while waiting:
        one = waiting.pop()
        if not is_mapping(one):
            continue
        if isinstance(ref := one.get("$ref"), str):
            yield ref.removeprefix(_PREFIX)
        for keyword in _LISTS:
            if is_list(forms := one.get(keyword)):
                waiting += forms
        if "not" in one:
            waiting.append(one["not"])
