"""The marker for "not sent", which JSON has no word for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, final

__all__ = ["Omit", "omit", "unless_omitted"]


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


def unless_omitted(properties: Mapping[str, object]) -> Mapping[str, object] | Omit:
    """Give the properties of an optional body, or no body if all of them are omitted."""
    given = any(not isinstance(value, Omit) for value in properties.values())
    return properties if given else omit
