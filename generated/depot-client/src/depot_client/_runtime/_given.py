"""What a caller gave: by keyword, else in the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import cast

from ._errors import CredentialError
from ._schemes import Input, Schemes
from ._secrets import Ask

__all__ = ["Given", "environment"]


def environment(name: str | None) -> str | None:
    """Read a variable; an empty one is as good as unset."""
    return (os.environ.get(name) or None) if name else None


class Given:
    """The keywords that a caller gave for its credentials; never shown."""

    def __init__(self, title: str, values: Mapping[str, object]) -> None:
        """Take the keywords of a client of the API that is called ``title``."""
        self.title = title
        self.values = values

    def value(self, input_: Input | None, *, may_be_empty: bool = False) -> object:
        """Give what was given, or what the environment says instead."""
        if input_ is None:
            return None
        value = self.values.get(input_.argument)
        if value or (may_be_empty and value == ""):
            return value
        return environment(input_.variable)

    def by_argument(self, argument: str, schemes: Schemes) -> object:
        """Give what was given by a keyword, or what the environment says instead."""
        for scheme in schemes.values():
            for part in scheme:
                if isinstance(part, Input) and part.argument == argument:
                    return self.value(part)
        return None

    def is_argument(self, *inputs: Input | None) -> bool:
        """Whether any of these was given by keyword."""
        return any(one and self.values.get(one.argument) for one in inputs)

    def want(
        self, input_: Input | None, *, may_be_empty: bool = False
    ) -> str | Ask | None:
        """Give a text, or what gives it; None where there is nothing.

        Raises TypeError for something else.
        """
        value = self.value(input_, may_be_empty=may_be_empty)
        if input_ is None or value is None or isinstance(value, str):
            return value if isinstance(value, str) else None
        if not callable(value):
            raise TypeError(f"{input_.argument} must be a string or a function")
        function = cast("Callable[[], object]", value)
        return Ask(input_.argument, function, may_be_empty)

    def both(self, first: Input, second: Input) -> tuple[str | Ask, str | Ask] | None:
        """Give a user name and a password, which may be empty; None without both.

        Raises CredentialError where the caller gave one of them.
        """
        name, word = self.want(first), self.want(second, may_be_empty=True)
        if name is not None and word is not None:
            return name, word
        for one, other in ((first, second), (second, first)):
            if self.is_argument(one):
                raise CredentialError(
                    f"{self.title}: {one.argument} is given without {other.argument}:"
                    f" pass {other.argument} or set {other.variable}"
                )
        return None
