"""Changing a value without changing the document that it was read from."""

from __future__ import annotations

from typing import Final

from specloom.description.refs import child
from specloom.description.sources import Sources
from specloom.description.values import is_list, is_mapping
from specloom.diagnostics import Origin

_MOST_COPIED: Final = 1_000_000
Container = dict[str, object] | list[object]
Path = tuple[str, ...]


class TooLarge(Exception):
    """More values were copied than a description can have."""


class Tree:
    """The root value of a document and the changes to it.

    Containers are copied before they are changed, because the document keeps its own value, and
    because one container may stand in several places. Each change notes where the new value is
    written.
    """

    def __init__(self, root: dict[str, object], origin: Origin, sources: Sources) -> None:
        self.root = root
        self.origin = origin
        self._sources = sources
        self._mine: dict[int, Container] = {}
        self._copied = 0

    def find(self, path: Path) -> tuple[object, Origin]:
        """Return the value at ``path`` and where it is written; raises ``LookupError``."""
        value: object = self.root
        written = self.origin
        for token in path:
            written = self._sources.written(value, token, written)
            value = child(value, token)
        return value, written

    def copied(self, path: Path) -> tuple[object, Origin]:
        """Return a copy of the value at ``path``, and where the value is written.

        Raises ``LookupError``, and ``TooLarge`` when all copies together are.
        """
        value, written = self.find(path)
        return self._deep(value), written

    def _deep(self, value: object) -> object:
        """Copy a value with all that is in it."""
        self._copied += 1
        if self._copied > _MOST_COPIED:
            raise TooLarge
        if is_mapping(value):
            copy: Container = {key: self._deep(child) for key, child in value.items()}
        elif is_list(value):
            copy = [self._deep(item) for item in value]
        else:
            return value
        self._sources.inherit(copy, value)
        return copy

    def merge(self, path: Path, value: object, written: Origin) -> None:
        """Merge ``value`` into what is at ``path``.

        Mappings merge member by member, lists grow, anything else is replaced.
        """
        old, _ = self.find(path)
        if is_mapping(old) and is_mapping(value):
            for key, new in list(value.items()):
                at = self._sources.written(value, key, written)
                both = (old.get(key), new)
                if all(map(is_mapping, both)) or all(map(is_list, both)):
                    self.merge((*path, key), new, at)
                else:
                    self._put(self._own(path), key, new, at)
        elif is_list(old):
            node = self._own(path)
            items = enumerate(list(value)) if is_list(value) else ((None, value),)
            for index, item in items:
                at = written if index is None else self._sources.written(value, index, written)
                self._put(node, len(node), item, at)
        elif path:
            self._put(self._own(path[:-1]), path[-1], value, written)

    def remove(self, paths: list[Path]) -> None:
        """Remove what is at each of ``paths``, none of which is the root."""
        doomed: dict[int, tuple[Container, Origin, set[str]]] = {}
        for path in paths:
            node = self._own(path[:-1])
            _, written = self.find(path[:-1])
            doomed.setdefault(id(node), (node, written, set()))[2].add(path[-1])
        for node, written, tokens in doomed.values():
            if is_mapping(node):
                for token in tokens:
                    node.pop(token, None)
            elif is_list(node):
                places = [self._sources.written(node, i, written) for i in range(len(node))]
                kept = [i for i in range(len(node)) if str(i) not in tokens]
                node[:] = [node[i] for i in kept]
                for index, former in enumerate(kept):
                    self._sources.note(node, index, places[former])

    def _own(self, path: Path) -> Container:
        """Return the container at ``path``, which is ours to change from now on."""
        root = self._copy(self.root)
        if is_mapping(root):
            self.root = root
        node: Container = root
        for token in path:
            below = self._copy(child(node, token))
            if is_mapping(node):
                node[token] = below
            elif is_list(node):
                node[int(token)] = below
            node = below
        return node

    def _copy(self, value: object) -> Container:
        """Return a container as it is when it is ours, else a copy of it."""
        mine = self._mine.get(id(value))
        if mine is not None:
            return mine
        copy: Container = (
            dict(value) if is_mapping(value) else list(value) if is_list(value) else {}
        )
        self._sources.inherit(copy, value)
        self._mine[id(copy)] = copy
        return copy

    def _put(self, node: Container, token: str | int, value: object, written: Origin) -> None:
        """Put a value into a container that is ours."""
        if is_mapping(node):
            node[str(token)] = value
        elif is_list(node):
            if int(token) == len(node):
                node.append(value)
            else:
                node[int(token)] = value
        self._sources.note(node, token, written)
