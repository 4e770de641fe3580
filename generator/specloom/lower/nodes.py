"""Nodes of a description, whatever their author made of them.

A description may hold anything anywhere. These readers give the expected shape or an empty one;
where the difference matters to the author, the caller reports it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import dedent
from typing import TypeAlias, cast

Node: TypeAlias = Mapping[str, object]
"""An object of a description: its keys are strings, its values anything."""

_NOTHING: Node = {}


def is_node(value: object) -> bool:
    """Whether a value is an object."""
    return isinstance(value, dict)


def node(value: object) -> Node:
    """Return an object, or an empty one in place of anything else."""
    return cast(Node, value) if isinstance(value, dict) else _NOTHING


def items(value: object) -> Sequence[object]:
    """Return a list, or an empty one in place of anything else."""
    return cast(Sequence[object], value) if isinstance(value, list) else ()


def said(stated: Node) -> str | None:
    """Return the summary and the description of a node, once where they say the same."""
    texts = (text(stated.get("summary")), text(stated.get("description")))
    return "\n\n".join(dict.fromkeys(t for t in texts if t)) or None


def text(value: object) -> str | None:
    """Return text that says something, without the space around it, or None."""
    return (dedent(value).strip() or None) if isinstance(value, str) else None
