"""Keys of ``paths``: templates, to which authors add queries and fragments."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..description.path_texts import rooted

_EXPRESSION = re.compile(r"\{[?&]([^{}]*)\}")
"""The query of a URI template (RFC 6570, section 3.2.8), as in ``{?q,limit}``."""

_VARIABLE = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class PathKey:
    """A key taken apart.

    OpenAPI gives a meaning to the path alone. Authors tell operations of one path apart by a
    query (``/messages?beta=true``), which is sent, or by a fragment (``/files/{id}#share``), which
    is not.
    """

    path: str
    query: str
    """The pairs that are fixed, as they are sent."""
    asked: tuple[tuple[str, str], ...]
    """The pairs with a variable: the variable and the name of the parameter."""
    fragment: str | None

    @classmethod
    def of(cls, key: str) -> PathKey:
        """Take a key apart."""
        named = [n for found in _EXPRESSION.findall(key) for n in found.split(",")]
        asked = [(name.rstrip("*"), name.rstrip("*")) for name in named if name]
        rest, _, fragment = _EXPRESSION.sub("", key).partition("#")
        path, _, query = rest.partition("?")
        fixed: list[str] = []
        for pair in query.split("&"):
            name, _, value = pair.partition("=")
            if (variable := _VARIABLE.fullmatch(value)) is not None:
                asked.append((variable[1], name))
            elif pair:
                fixed.append(pair)
        return cls(rooted(path), "&".join(fixed), tuple(asked), fragment or None)

    @property
    def sent(self) -> str:
        """The path with the query that is fixed."""
        return f"{self.path}?{self.query}" if self.query else self.path
