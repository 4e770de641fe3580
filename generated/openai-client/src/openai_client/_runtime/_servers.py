"""Where an API is served: several servers, and URLs with parts to choose."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

__all__ = ["Servers", "Variable", "server_url"]

Servers: TypeAlias = tuple[tuple[str, str], ...]
"""Names of servers, each with its URL, in which ``{name}`` is the place of a variable.

The first is the one that is used unless the caller names another.
"""

PLACE = r"\{([^{}]+)\}"

# What a value must not contain, by the part of the URL that it stands in.
ENDS_AUTHORITY = r"[/?#@\\\s]"
ENDS_PATH = r"[?#\s]"
NOTHING = r"(?!)"


class Variable(NamedTuple):
    """A part of a URL that the caller may choose."""

    default: str | None = None
    choices: tuple[str, ...] = ()
    """All values that it can have; any text where there are none."""


def server_url(
    servers: Servers,
    name: str | None,
    variables: Mapping[str, Variable],
    values: Mapping[str, str | None],
    *,
    lenient: bool = False,
) -> str:
    """Give the URL of the server of a name, or of the first, with its variables filled.

    Raises ValueError for a name that no server has, which a ``lenient`` search takes
    for the first, and for a variable without a value or with one that does not fit.
    """
    by_name = dict(servers)
    if name is None or (lenient and name not in by_name):
        template = servers[0][1]
    elif name in by_name:
        template = by_name[name]
    else:
        known = ", ".join(repr(one) for one in by_name)
        raise ValueError(f"there is no server {name!r}; the servers are {known}")

    def fill(place: re.Match[str]) -> str:
        argument = place[1]
        value = _value(argument, variables.get(argument, Variable()), values)
        if re.search(_forbidden(template, place.start()), value):
            raise ValueError(f"{argument}: {value!r} would change the rest of the URL")
        return value

    return re.sub(PLACE, fill, template)


def _value(argument: str, variable: Variable, values: Mapping[str, str | None]) -> str:
    value = values.get(argument)
    if value is None:
        value = variable.default
    if value is None:
        raise ValueError(f"the URL of the API has a part to choose: pass {argument}")
    if variable.choices and value not in variable.choices:
        known = ", ".join(repr(choice) for choice in variable.choices)
        raise ValueError(f"{argument} must be one of {known}, not {value!r}")
    return value


def _forbidden(template: str, position: int) -> str:
    """Choose what a value must not contain, by the part of the URL that it stands in."""
    before = template[:position]
    scheme, _, rest = before.partition("://")
    in_authority = rest != "" or before.endswith("://")
    if in_authority and "/" not in rest:
        return ENDS_AUTHORITY
    return ENDS_PATH if scheme != before or "/" in before else NOTHING
