"""Servers: where the client sends its calls, and what callers choose of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from .. import ir
from .literals import literal
from .names import Scope, snake, words
from .package import Entry

_LONGEST_NAME = 4
"""A description of so many words names a server; a longer one explains it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A keyword for a part of a server's URL."""

    name: str
    default: str | None
    choices: tuple[str, ...]
    doc: str


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers of a client, as Python.

    ``fixed`` is the one URL of an API that leaves nothing to choose, ``names`` are those of
    several, ``argument`` is the keyword that chooses one of them.
    """

    fixed: str | None
    path: str
    listed: tuple[tuple[str, str], ...] = ()
    argument: str | None = None
    variables: tuple[Choice, ...] = ()
    own: dict[str, tuple[tuple[str, str], ...]] = field(
        default_factory=dict[str, tuple[tuple[str, str], ...]]
    )
    """The servers of operations that have their own, by the origins of operations."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the servers that callers choose from."""
        return tuple(name for name, _ in self.listed) if self.argument else ()

    @property
    def is_known(self) -> bool:
        """Whether clients can be made without saying where the API is."""
        return self.fixed is not None or bool(self.listed)

    def of(self, operation: ir.Operation) -> str | None:
        """Return the expression of the servers of a call that has its own."""
        own = self.own.get(str(operation.origin))
        return None if own is None else literal(own)

    def profile(self) -> Iterator[Entry]:
        """Yield what the runtime must know, as keywords of ``Profile``."""
        if self.fixed is not None:
            yield Entry("base_url", literal(self.fixed))
        if self.path:
            yield Entry("base_path", literal(self.path))
        if self.listed:
            yield Entry("servers", literal(self.listed))
        if self.variables:
            printed = ", ".join(f"{literal(v.name)}: {_variable(v)}" for v in self.variables)
            yield Entry("variables", f"{{{printed}}}")


def servers(api: ir.Api, scope: Scope) -> Servers:
    """Return the servers of the client of an API; ``scope`` holds the keywords that are taken."""
    usable = [server for server in api.servers if server.is_absolute]
    argument = scope.claim("server") if len(usable) > 1 else None
    variables = _Variables(scope)
    names = Scope()
    listed = tuple((_name(server, names), variables.filled(server)) for server in usable)
    own: dict[str, tuple[tuple[str, str], ...]] = {}
    for operation in api.operations:
        if operation.servers is not None:
            inner = Scope()
            own[str(operation.origin)] = tuple(
                (_name(server, inner), variables.filled(server)) for server in operation.servers
            )
    relative = next((s.url for s in api.servers if not s.is_absolute), "")
    fixed = listed[0][1] if len(listed) == 1 and "{" not in listed[0][1] else None
    return Servers(
        fixed,
        "" if listed or "{" in relative else relative,
        () if fixed is not None else listed,
        argument,
        tuple(variables.found),
        own,
    )


class _Variables:
    """Gives the variables of servers keywords: one for all that are the same."""

    def __init__(self, scope: Scope) -> None:
        self.found: list[Choice] = []
        self._scope = scope
        self._names: dict[tuple[str, str | None], str] = {}

    def filled(self, server: ir.Server) -> str:
        """Return the URL of a server with the keywords of its variables in their places."""
        keywords = {variable.name: self._keyword(variable) for variable in server.variables}
        return re.sub(r"\{([^{}]+)\}", lambda place: f"{{{keywords[place[1]]}}}", server.url)

    def _keyword(self, variable: ir.Variable) -> str:
        key = (variable.name, variable.default)
        if key not in self._names:
            name = self._names[key] = self._scope.claim(snake(variable.name))
            doc = variable.doc or f"The `{variable.name}` in the URL of the API."
            self.found.append(Choice(name, variable.default, variable.choices, doc))
            return name
        name = self._names[key]
        index = next(i for i, choice in enumerate(self.found) if choice.name == name)
        known = self.found[index]
        open_ = not known.choices or not variable.choices
        merged = () if open_ else tuple(dict.fromkeys((*known.choices, *variable.choices)))
        self.found[index] = Choice(name, known.default, merged, known.doc)
        return name


def _name(server: ir.Server, taken: Scope) -> str:
    """Return what callers call a server: its name, its description if short, or its host."""
    described = words(server.doc or "")
    if server.name is not None:
        return taken.claim(server.name)
    if 0 < len(described) <= _LONGEST_NAME:
        return taken.claim("_".join(word.lower() for word in described))
    return taken.claim(urlsplit(server.default).netloc or server.url)


def _variable(choice: Choice) -> str:
    """Return how the runtime has a variable."""
    parts = [literal(choice.default)] if choice.default is not None else []
    if choice.choices:
        parts.append(f"choices={literal(choice.choices)}")
    return f"Variable({', '.join(parts)})"


def annotation(choices: Sequence[str]) -> str:
    """Return the type of a keyword that takes one of these, or any text."""
    return f"Literal[{', '.join(literal(c) for c in choices)}]" if choices else "str"
