"""The marker for "not sent", which JSON has no word for."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Final, Literal, Self, cast, final

__all__ = [
    "Needed",
    "Omit",
    "Wrapped",
    "bare",
    "complete",
    "is_omitted",
    "omit",
    "unless_omitted",
]


@final
class Omit:
    """The type of :data:`omit`; there is no other value of it.

    ``None`` is a value that an API can be sent (``null``), so leaving something out
    needs a value of its own. It is falsy, and stays the same object through copying
    and pickling.
    """

    __slots__ = ()

    def __bool__(self) -> Literal[False]:
        """Be falsy, so that ``if stream:`` reads naturally."""
        return False

    def __repr__(self) -> str:
        """Be shown the way it is written."""
        return "omit"

    def __reduce__(self) -> str:
        """Be pickled and copied as the module's name for it, hence as itself."""
        return "omit"


omit: Final = Omit()


class Wrapped:
    """A value with what the API declares of how it is sent.

    Not a dataclass, nor are those below it: making them is slow, and clients of APIs
    that declare nothing unusual would pay for it.
    """

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        """Take a value."""
        self.value = value

    def around(self, value: object) -> Self:
        """Say the same of another value."""
        other = copy(self)
        other.value = value
        return other

    @property
    def is_omitted(self) -> bool:
        """Whether there is nothing inside, however deep."""
        return isinstance(bare(self), Omit)


class Needed(Wrapped):
    """An argument that a body needs, in a method that can be called without the body."""

    __slots__ = ("name",)

    def __init__(self, value: object, name: str) -> None:
        """Take the value of an argument, and its name."""
        super().__init__(value)
        self.name = name


def bare(value: object) -> object:
    """Give the value inside all that is said of it."""
    while isinstance(value, Wrapped):
        value = value.value
    return value


def is_omitted(value: object) -> bool:
    """Whether a value is ``omit``, or wraps it."""
    return isinstance(bare(value), Omit)


def unless_omitted(properties: Mapping[str, object]) -> object:
    """Give the properties of an optional body, or no body if all of them are omitted.

    Raises TypeError when some are given and one that the body needs is not.
    """
    if all(is_omitted(value) for value in properties.values()):
        return omit
    return complete(properties)


def complete(body: object) -> object:
    """Give a body with all that it needs; raises TypeError where that is omitted."""
    if isinstance(body, Needed):
        if body.is_omitted:
            raise TypeError(f"missing required keyword argument: {body.name!r}")
        return body.value
    if not isinstance(body, dict):
        return body
    properties = cast("dict[str, object]", body)
    return {
        name: complete(value) if isinstance(value, Needed) else value
        for name, value in properties.items()
    }
