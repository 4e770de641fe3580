"""Order among things that mention each other: groups of mutual mention, and what comes first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


def components(nodes: Sequence[T], edges: Mapping[T, Iterable[T]]) -> list[list[T]]:
    """Return the strongly connected components, in the order of their first node.

    Two passes of depth-first search (Kosaraju), without recursion: real descriptions have chains
    longer than Python's stack.
    """
    finished = _finished(nodes, edges)
    reverse: dict[T, list[T]] = {node: [] for node in nodes}
    for node in nodes:
        for target in edges[node]:
            reverse[target].append(node)
    group: dict[T, int] = {}
    for number, root in enumerate(reversed(finished)):
        pending = [root]
        while pending:
            node = pending.pop()
            if node not in group:
                group[node] = number
                pending.extend(reverse[node])
    members: dict[int, list[T]] = {}
    for node in nodes:
        members.setdefault(group[node], []).append(node)
    return list(members.values())


def _finished(nodes: Iterable[T], edges: Mapping[T, Iterable[T]]) -> list[T]:
    """Return the nodes in the order in which a depth-first search leaves them."""
    left: list[T] = []
    seen: set[T] = set()
    for root in nodes:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(edges[root]))]
        while stack:
            node, targets = stack[-1]
            for target in targets:
                if target not in seen:
                    seen.add(target)
                    stack.append((target, iter(edges[target])))
                    break
            else:
                stack.pop()
                left.append(node)
    return left


def dependencies_first(
    nodes: Sequence[T], edges: Mapping[T, Iterable[T]], needs_all: Callable[[T], bool]
) -> list[T]:
    """Return the nodes so that each comes after what it mentions, as far as cycles allow.

    A node that ``needs_all`` is evaluated where it stands, so it comes after all that it
    mentions even at the cost of coming after what mentions it.
    """
    inside = set(nodes)
    order = _finished(nodes, {n: [t for t in edges[n] if t in inside] for n in nodes})
    placed: dict[T, None] = {}
    late: list[T] = []
    for node in order:
        if needs_all(node) and any(t in inside and t not in placed for t in edges[node]):
            late.append(node)
        else:
            placed[node] = None
    return [*placed, *late]
