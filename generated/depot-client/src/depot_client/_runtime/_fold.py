"""Folding the chunks of a stream into the whole object that they are the pieces of.

It works on JSON values, so it knows no chunk class, and unknown properties fold too:

* an object merges property by property; null never erases a value;
* a list whose items are objects with an integer ``index`` merges item by item, in the
  order of the index; any other list is extended;
* inside such an item, strings are pieces and concatenate, unless their path is one of
  ``replace``; everywhere else, and for numbers and booleans, the last value wins.

A path is dotted and leaves lists out: ``choices.delta.tool_calls.id``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ._decoder import decoder_of, parse
from ._models import BaseModel
from ._shapes import Shape, declares, is_array, is_object, property_of

W = TypeVar("W")

_INDEX = "index"


@dataclass(frozen=True)
class Fold(Generic[W]):
    """How the chunks of one kind of stream make up a whole."""

    whole: type[W]
    """What they make up."""
    rename: Mapping[str, str] = field(default_factory=dict[str, str])
    """The whole's name of a property, by its path in a chunk."""
    constants: Mapping[str, object] = field(default_factory=dict[str, object])
    """Properties of the whole whose values do not come from the chunks."""
    replace: frozenset[str] = frozenset()
    """Paths, in a chunk, of strings that come complete and do not concatenate."""

    def whole_of(self, chunks: Iterable[object]) -> W:
        """Fold chunks (JSON in bytes, models or JSON values) and decode the result.

        Raises ValueError for text that is not JSON.
        """
        decoder = decoder_of(self.whole)
        return decoder.decode_value(self.merged(chunks, decoder.shape))

    def merged(self, chunks: Iterable[object], shape: Shape) -> dict[str, object]:
        """Fold chunks to a JSON object; ``shape`` is what the whole declares."""
        state = _Object()
        for chunk in chunks:
            value = _json_value(chunk)
            if is_object(value):
                self._merge_object(state, value, "", inside=False)
        return {**self._finish_object(state, "", shape), **self.constants}

    def _merge(self, state: object, value: object, path: str, inside: bool) -> object:
        """Merge a value into what its place holds, which is changed or replaced."""
        if value is None:
            return state
        if is_object(value):
            found = state if isinstance(state, _Object) else _Object()
            self._merge_object(found, value, path, inside)
            return found
        if is_array(value):
            return self._merge_array(state, value, path)
        if isinstance(value, str) and inside and path not in self.replace:
            text = state if isinstance(state, _Text) else _Text()
            text.pieces.append(value)
            return text
        return value

    def _merge_object(
        self, state: _Object, value: dict[str, object], path: str, inside: bool
    ) -> None:
        for name, member in value.items():
            place = f"{path}.{name}" if path else name
            held = state.members.get(name)
            state.members[name] = self._merge(held, member, place, inside)

    def _merge_array(self, state: object, value: list[object], path: str) -> object:
        if isinstance(state, _Items):
            found = state
        elif is_array(state) and state:
            return [*state, *value]
        elif value and all(_index_of(item) is not None for item in value):
            found = _Items()
        else:
            return list(value)
        for item in value:
            # An item without an index among others that have one goes to the end.
            index = _index_of(item)
            if index is None:
                index = max(found.members, default=-1) + 1
            held = found.members.get(index)
            found.members[index] = self._merge(held, item, path, inside=True)
        return found

    def _finish(self, state: object, path: str, shape: Shape) -> object:
        match state:
            case _Object():
                return self._finish_object(state, path, shape)
            case _Items():
                items = sorted(state.members.items())
                return [self._finish_item(item, path, shape) for _, item in items]
            case _Text():
                return "".join(state.pieces)
            case _:
                return state

    def _finish_object(
        self, state: _Object, path: str, shape: Shape
    ) -> dict[str, object]:
        finished: dict[str, object] = {}
        for name, member in state.members.items():
            place = f"{path}.{name}" if path else name
            renamed = self.rename.get(place, name)
            inner = property_of(shape, renamed)
            finished[renamed] = self._finish(member, place, inner)
        return finished

    def _finish_item(self, state: object, path: str, shape: Shape) -> object:
        finished = self._finish(state, path, shape)
        if is_object(finished) and not declares(shape, _INDEX):
            finished.pop(_INDEX, None)
        return finished


class _Object:
    """An object under construction."""

    def __init__(self) -> None:
        self.members: dict[str, object] = {}


class _Items:
    """A list under construction whose items are known by their index."""

    def __init__(self) -> None:
        self.members: dict[int, object] = {}


class _Text:
    """A string under construction: joined once, as pieces are many and short."""

    def __init__(self) -> None:
        self.pieces: list[str] = []


def _json_value(chunk: object) -> object:
    match chunk:
        case bytes():
            return parse(chunk)
        case BaseModel():
            return chunk.to_dict()
        case _:
            return chunk


def _index_of(item: object) -> int | None:
    index = item.get(_INDEX) if is_object(item) else None
    return index if isinstance(index, int) and not isinstance(index, bool) else None
