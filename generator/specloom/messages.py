"""What is sent and what comes back: parameters, bodies and responses, a part of the IR."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal as OneOf
from typing import assert_never

from .diagnostics import Origin
from .json_types import Constant, Ref, Type

Location = OneOf["path", "query", "querystring", "header", "cookie"]
StyleName = OneOf[
    "simple",
    "label",
    "matrix",
    "form",
    "spaceDelimited",
    "pipeDelimited",
    "tabDelimited",
    "deepObject",
    "cookie",
]
"""OpenAPI's styles, and ``tabDelimited`` for the one of Swagger 2.0 that has no successor."""


@dataclass(frozen=True, slots=True)
class Styled:
    """A value is written as a style says (OpenAPI, Style Values)."""

    style: StyleName
    explode: bool
    reserved: bool = False
    """Whether reserved characters of URLs pass as they are (``allowReserved``)."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A value is written whole, as a document of a media type (``content``).

    ``fields`` are those of a form, where the media type is one.
    """

    media_type: str
    fields: tuple[Field, ...] = ()


Written = Styled | Encoded
"""How a value outside of bodies is written."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value that travels outside of a body; or a header of a response or of a part.

    Of a parameter in the ``querystring``, which is all of the query, the name is not sent.
    """

    name: str
    location: Location
    type: Type
    required: bool
    origin: Origin
    written: Written
    default: Constant | None = None
    doc: str | None = None
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """What is said of how one property of a form is written (OpenAPI, Encoding Object).

    Without a ``style``, a property is text, or JSON if it is an object, or what ``media_types``
    say; an array is one field for each item. ``file`` is whether it holds raw bytes.
    """

    name: str
    style: Styled | None = None
    media_types: tuple[str, ...] = ()
    headers: tuple[Parameter, ...] = ()
    file: bool = False


@dataclass(frozen=True, slots=True)
class Json:
    """A value written as JSON."""

    media_type: str
    type: Type
    origin: Origin


@dataclass(frozen=True, slots=True)
class Form:
    """An object written as ``application/x-www-form-urlencoded``."""

    media_type: str
    type: Type
    fields: tuple[Field, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Multipart:
    """An object written as ``multipart/form-data`` (RFC 7578)."""

    media_type: str
    type: Type
    fields: tuple[Field, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Text:
    """Text that has no structure here."""

    media_type: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Binary:
    """Bytes that have no structure here."""

    media_type: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Example:
    """A value that the description shows, in the order of its author.

    One of several has a ``name``.
    """

    value: Constant
    name: str | None = None


Content = Json | Form | Multipart | Text | Binary
"""One form of a body. The media type may be a range, such as ``image/*``."""


@dataclass(frozen=True, slots=True)
class RequestBody:
    """What is sent, in one of several forms: the preferred one comes first.

    ``required`` is also true where the description does not say so and properties of the body
    are required: ``lower`` reports that.
    """

    contents: tuple[Content, ...]
    required: bool
    origin: Origin
    doc: str | None = None


@dataclass(frozen=True, slots=True, order=True)
class Code:
    """One status code."""

    code: int


@dataclass(frozen=True, slots=True, order=True)
class Range:
    """A hundred status codes: ``Range(4)`` is ``4XX``."""

    hundreds: int


@dataclass(frozen=True, slots=True)
class Default:
    """Every status that is not declared otherwise."""


Status = Code | Range | Default


def is_success(status: Status) -> bool:
    """Whether a declared status is a success, as opposed to an error or to anything else."""
    match status:
        case Code(code):
            return 200 <= code < 300
        case Range(hundreds):
            return hundreds == 2
        case Default():
            return False


@dataclass(frozen=True, slots=True)
class Response:
    """What comes back under one status, in one of several forms; none where it has no body.

    ``headers`` is the model that has the headers as properties, where there are some.
    """

    status: Status
    contents: tuple[Content, ...]
    origin: Origin
    headers: Ref | None = None
    doc: str | None = None


def content_types(contents: tuple[Content, ...]) -> Iterator[Type]:
    """Yield the types that the forms of a body have."""
    for content in contents:
        match content:
            case Json() | Form() | Multipart():
                yield content.type
            case Text() | Binary():
                pass
            case _:
                assert_never(content)
