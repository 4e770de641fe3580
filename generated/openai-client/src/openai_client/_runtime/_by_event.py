"""Events that differ: what decodes the data of one, by the event's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar, cast

from ._decoder import Decoder, decoder_of, parse

__all__ = ["ByEvent"]

T = TypeVar("T")


class ByEvent(Generic[T]):
    """What the data of an event is, by the name that comes with it.

    ``ByEvent({"moved": models.Movement, "quiet": models.Quiet})``. The data of an event
    of another name is given as it came: JSON values, or text that is no JSON.
    """

    def __init__(self, results: Mapping[str, type[Any] | Decoder[Any]]) -> None:
        """Take what the events of each name decode to: a model class, or a decoder."""
        self._results = results

    def of(self, event: str) -> Decoder[T]:
        """Choose by the name of an event."""
        result = self._results.get(event)
        if result is None:
            return cast("Decoder[T]", _KEPT)
        return decoder_of(result)


class _Kept(Decoder[object]):
    """Gives what came: JSON values, else text."""

    __slots__ = ()

    def decode(self, content: bytes) -> object:
        try:
            return parse(content)
        except ValueError:
            return content.decode("utf-8", "replace")

    def deviations(self, content: bytes) -> tuple[()]:
        return ()


_KEPT = _Kept(object)
