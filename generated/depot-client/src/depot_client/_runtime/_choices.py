"""Answers that differ: what decodes one, by its status and by its media type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeAlias, TypeVar, cast

import httpx2

from ._decoder import BYTES, NOTHING, TEXT, Decoder, decoder_of
from ._styles import is_json

__all__ = ["ANYTHING", "ByStatus", "ByType", "Result", "accept_of", "chosen"]

T = TypeVar("T")


class ByType(Generic[T]):
    """What an answer decodes to in each media type that an API declares for it.

    ``ByType({"application/json": models.Report, "application/pdf": BYTES})``. Ranges
    are keys as well: ``image/*``, ``*/*``. An answer of a type that is not declared is
    taken for the first.
    """

    def __init__(self, results: Mapping[str, object]) -> None:
        """Take the results by media type, the preferred one first."""
        self._results = results

    def of(self, media_type: str) -> object:
        """Choose by the media type of an answer: the most specific key that fits."""
        name = media_type.partition(";")[0].strip().lower()
        kinds = {key.partition(";")[0].strip().lower(): key for key in self._results}
        json = next((key for key in kinds if is_json(name) and is_json(key)), name)
        for wanted in (name, json, f"{name.partition('/')[0]}/*", "*/*"):
            if wanted in kinds:
                return self._results[kinds[wanted]]
        return next(iter(self._results.values()))


class ByStatus(Generic[T]):
    """What an answer decodes to under each status that an API declares.

    ``ByStatus({200: models.Pet, "4XX": models.Problem, "default": models.Error})``.
    """

    def __init__(self, results: Mapping[int | str, object]) -> None:
        """Take the results by status: a code, a range, or ``default``."""
        self._results = results

    def of(self, status: int) -> object | None:
        """Choose by status: its own code over its range over the default."""
        for key in (status, f"{status // 100}XX", "default"):
            if key in self._results:
                return self._results[key]
        return None

    @property
    def first(self) -> object:
        """What is declared first."""
        return next(iter(self._results.values()))


Result: TypeAlias = "type[T] | Decoder[T] | ByStatus[T] | ByType[T]"
"""What a method says of its answer."""

ANYTHING: ByType[Any] = ByType(
    {"*/*": BYTES, "application/json": Decoder[Any](Any), "text/*": TEXT}
)
"""For answers of which nothing is declared: JSON, text or bytes, as they say."""


def chosen(result: object, response: httpx2.Response) -> Decoder[Any]:
    """Choose what decodes an answer.

    Without content, an answer that would be JSON is None (RFC 9110, section 15.3.5). A
    success that is not declared is taken for the first that is.
    """
    if isinstance(result, ByStatus):
        result = result.of(response.status_code) or result.first
    if isinstance(result, ByType):
        media_type: str = response.headers.get("content-type", "")
        result = result.of(media_type)
    if response.status_code in (204, 205) and result not in (BYTES, TEXT):
        return NOTHING
    return decoder_of(cast("type[Any] | Decoder[Any]", result))


def accept_of(result: object) -> str:
    """The media type to ask for, so that an answer is what ``result`` decodes."""
    plain = result not in (NOTHING, BYTES, TEXT, ANYTHING)
    return "application/json" if plain else "*/*"
