"""What single conjuncts are at a glance: unions that offer a choice, kinds alone, false."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ..diagnostics import Origin
from .conjuncts import CHOICES, NEVER, Conjunct, Flat, Named
from .limits import is_presence
from .nodes import Node, items

KIND_ONLY: Final = frozenset({"type", "discriminator"})
"""Keywords that say no more than what kind values are of."""

_MEMBERS: Final = frozenset({"properties", "required", "additionalProperties"})


class Choice(NamedTuple):
    """A union among conjuncts: the schema that it stands in, and its branches."""

    flat: Flat
    keyword: str
    branches: Sequence[object]

    @property
    def origin(self) -> Origin:
        """Where the list of branches stands."""
        return self.flat.origin / self.keyword


def choices(flat: Flat) -> list[Choice]:
    """Return the unions of a schema, less those that only say which properties there must be."""
    return [
        Choice(flat, keyword, items(flat.schema[keyword]))
        for keyword in CHOICES
        if _is_choice(flat, keyword)
    ]


def less_choices(flat: Flat) -> Flat:
    """Return a schema without its unions."""
    return flat.without(*(keyword for keyword in CHOICES if _is_choice(flat, keyword)))


def _is_choice(flat: Flat, keyword: str) -> bool:
    branches = items(flat.schema.get(keyword))
    return bool(branches) and not is_presence(branches)


def identity(one: Conjunct) -> tuple[object, ...]:
    """Return what a conjunct is the same by, also when it is met again."""
    return (one.target,) if isinstance(one, Named) else (one.origin, *one.schema)


def is_false(schema: Node) -> bool:
    """Whether a schema is false, or a union of such."""
    unions = [items(schema.get(keyword)) for keyword in CHOICES]
    return schema.get("not") in (NEVER["not"], True) or any(
        branches and all(branch is False for branch in branches) for branches in unions
    )


def is_kind_only(schema: Node) -> bool:
    """Whether a schema says no more than what kind its values are of."""
    return all(
        keyword in KIND_ONLY or (keyword in _MEMBERS and value in ([], {}, True))
        for keyword, value in schema.items()
    )
