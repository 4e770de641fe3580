"""What callers keep to themselves: given as it is, or by a function that is asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

from ._errors import CredentialError

__all__ = ["Ask", "AsyncSecret", "Secret"]

Secret: TypeAlias = str | Callable[[], str]
"""Something that proves who calls, or a function that gives it for each attempt."""

AsyncSecret: TypeAlias = str | Callable[[], str] | Callable[[], Awaitable[str]]
"""The same; the function may be asynchronous."""


class Ask(NamedTuple):
    """A secret that a function gives whenever it is needed."""

    argument: str
    """What the function was given as."""
    function: Callable[[], object]
    may_be_empty: bool = False

    def checked(self, secret: object) -> str:
        """Check what the function returned; raises CredentialError for what is none."""
        if isinstance(secret, str) and (secret or self.may_be_empty):
            return secret
        empty = "" if self.may_be_empty else " that is not empty"
        raise CredentialError(
            f"the function given as {self.argument} must return a string{empty}"
        )
