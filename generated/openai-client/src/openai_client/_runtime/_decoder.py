"""Decoding of answers: bytes in, the declared type out, tolerantly."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar, cast

from pydantic import ValidationError

from ._declared import reference
from ._deviations import Deviation, deviations
from ._models import BaseModel
from ._room import with_room
from ._shapes import Anything, Named, Shape
from ._tolerance import Tolerated

T = TypeVar("T")

_CACHE = "__decoder__"


class Decoder(Generic[T]):
    """Decodes JSON into a type: a model class, or any annotation built from them.

    ``Decoder(list[Pet])``, ``Decoder(dict[str, Pet])``,
    ``Decoder(Annotated[Cat | Dog, Tag("kind", ("cat", "dog"))])``. Building waits for
    the first use. A value that is not what the annotation says is returned as it came.
    """

    __slots__ = ("_annotation", "_shape", "_validate_json", "_validate_value")

    def __init__(self, annotation: object) -> None:
        """Take the annotation; nothing is looked at yet."""
        self._annotation = annotation
        self._shape: Shape = Anything()
        self._validate_json: Callable[..., Any] | None = None
        self._validate_value: Callable[..., Any] | None = None

    def decode(self, content: bytes) -> T:
        """Decode JSON text.

        Raises ValueError when it is not JSON, and for nothing else.
        """
        validate = self._validate_json or self._build()
        try:
            return cast("T", validate(content, by_alias=True, by_name=False))
        except ValidationError:
            return self.decode_value(parse(content))

    def decode_value(self, value: object) -> T:
        """Decode a value that was parsed from JSON already."""
        if self._validate_value is None:
            self._build()
        validate = cast("Callable[..., Any]", self._validate_value)
        try:
            return cast("T", validate(value, by_alias=True, by_name=False))
        except ValidationError:
            return cast("T", value)

    def deviations(self, content: bytes) -> tuple[Deviation, ...]:
        """Say where JSON text departs from what is declared.

        Raises ValueError when it is not JSON.
        """
        if self._validate_json is None:
            self._build()
        value = parse(content)
        try:
            return tuple(deviations(value, self._shape))
        except RecursionError:
            return (Deviation("$", "nested too deeply to be checked", value),)

    @property
    def shape(self) -> Shape:
        """What the annotation declares."""
        if self._validate_json is None:
            self._build()
        return self._shape

    def _build(self) -> Callable[..., Any]:
        """Build what decodes; doing it twice at once, in two threads, is harmless."""
        annotation = self._annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            annotation.model_rebuild()
            validator = annotation.__pydantic_validator__
            self._shape = Named(reference(annotation.__pydantic_core_schema__))
        else:
            declared: list[Shape] = []
            marked: Any = Annotated[cast("Any", annotation), Tolerated(declared)]
            from pydantic import TypeAdapter  # costs as much to import as all of us

            validator = with_room(lambda: TypeAdapter[Any](marked)).validator
            self._shape = declared[0]
        self._validate_value = validator.validate_python
        # Last, as it is what says that everything is there.
        self._validate_json = validator.validate_json
        return validator.validate_json


class _Nothing(Decoder[None]):
    """Decodes an answer that has no content; whatever comes is ignored."""

    __slots__ = ()

    def decode(self, content: bytes) -> None:
        return None

    def deviations(self, content: bytes) -> tuple[Deviation, ...]:
        return ()


class _Bytes(Decoder[bytes]):
    """Gives the content as it is."""

    __slots__ = ()

    def decode(self, content: bytes) -> bytes:
        return content

    def deviations(self, content: bytes) -> tuple[Deviation, ...]:
        return ()


class _Text(Decoder[str]):
    """Gives the content as text, in UTF-8."""

    __slots__ = ()

    def decode(self, content: bytes) -> str:
        return content.decode("utf-8", "replace")

    def deviations(self, content: bytes) -> tuple[Deviation, ...]:
        return ()


NOTHING: Decoder[None] = _Nothing(None)
"""For answers without content: gives None."""

BYTES: Decoder[bytes] = _Bytes(bytes)
"""For binary answers: gives the bytes."""

TEXT: Decoder[str] = _Text(str)
"""For answers in plain text: gives the text."""


def decoder_of(result: type[T] | Decoder[T]) -> Decoder[T]:
    """The decoder of a class, kept with the class; a decoder is its own."""
    if isinstance(result, Decoder):
        return result
    known: Decoder[T] | None = result.__dict__.get(_CACHE)
    if known is None:
        known = Decoder(result)
        if issubclass(result, BaseModel):
            setattr(result, _CACHE, known)
    return known


def parse(content: bytes) -> object:
    """Parse JSON text in any of its encodings.

    Pydantic's parser comes first everywhere and is strict; this one also takes a byte
    order mark, lone surrogates and hundreds of levels. Raises ValueError when the
    content is not JSON.
    """
    try:
        return cast("object", json.loads(content))
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
