"""The intermediate representation: what an API is, with no word of Python or YAML in it.

Everything here is frozen and comparable, so that two descriptions are compared by comparing two
``Api`` values. Named types are referred to by ``TypeId``, never by object: recursion costs nothing
and the tree prints. ``Type``, ``Declaration``, ``Status``, ``Content``, ``Written`` and ``Tagging``
are closed unions; every ``match`` over one of them ends in ``assert_never``.

There is one normal form (``lower`` is the only place that makes it):

* absence is ``Property.required``, null is a member of a union, and null comes last;
* a union never holds a union, never holds a member twice, and never has one member;
* all constants of a union stand in one ``Literal``; ``const`` and a one-value ``enum`` are equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal as OneOf
from typing import assert_never

from .access import ApiKey as ApiKey
from .access import Basic as Basic
from .access import Bearer as Bearer
from .access import Digest as Digest
from .access import Flow as Flow
from .access import Grant as Grant
from .access import MutualTls as MutualTls
from .access import Need as Need
from .access import OAuth2 as OAuth2
from .access import OpenIdConnect as OpenIdConnect
from .access import OtherHttp as OtherHttp
from .access import Proof as Proof
from .access import Requirement as Requirement
from .access import Scheme as Scheme
from .access import Security as Security
from .access import Server as Server
from .access import Variable as Variable
from .diagnostics import Origin
from .json_types import NEVER as NEVER
from .json_types import NULL as NULL
from .json_types import UNKNOWN as UNKNOWN
from .json_types import Array as Array
from .json_types import Constant as Constant
from .json_types import Constraints as Constraints
from .json_types import Discriminated as Discriminated
from .json_types import Inferred as Inferred
from .json_types import Literal as Literal
from .json_types import Map as Map
from .json_types import Never as Never
from .json_types import Primitive as Primitive
from .json_types import Ref as Ref
from .json_types import Tagging as Tagging
from .json_types import Tuple as Tuple
from .json_types import Type as Type
from .json_types import TypeId as TypeId
from .json_types import Union as Union
from .json_types import Unknown as Unknown
from .json_types import constant as constant
from .json_types import references as references
from .json_types import value_of as value_of
from .messages import Binary as Binary
from .messages import Code as Code
from .messages import Content as Content
from .messages import Default as Default
from .messages import Encoded as Encoded
from .messages import Example as Example
from .messages import Field as Field
from .messages import Form as Form
from .messages import Json as Json
from .messages import Location as Location
from .messages import Multipart as Multipart
from .messages import Parameter as Parameter
from .messages import Range as Range
from .messages import RequestBody as RequestBody
from .messages import Response as Response
from .messages import Status as Status
from .messages import Styled as Styled
from .messages import StyleName as StyleName
from .messages import Text as Text
from .messages import Written as Written
from .messages import content_types as content_types
from .messages import is_success as is_success


@dataclass(frozen=True, slots=True)
class Component:
    """The author named this type."""

    name: str


@dataclass(frozen=True, slots=True)
class Inline:
    """The type stands inside another one, or inside an operation.

    ``owner`` is a ``TypeId`` or the origin of an operation, ``part`` the property or role that
    leads to it, ``several`` whether it is the item of a list or the value of a map there.
    """

    owner: str
    part: str
    several: bool = False
    title: str | None = None


Place = Component | Inline


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a model. Null is part of ``type``; ``required`` speaks of presence alone."""

    name: str
    type: Type
    required: bool
    origin: Origin
    default: Constant | None = None
    access: OneOf["both", "read", "write"] = "both"
    doc: str | None = None
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class Model:
    """An object with known properties.

    ``additional`` is the type of the others: ``UNKNOWN`` where the description does not speak of
    them, ``NEVER`` where it says that there are none. A tolerant client keeps them all the same.
    ``constraints`` limit which properties there may or must be together, and how many.
    """

    id: TypeId
    place: Place
    origin: Origin
    properties: tuple[Property, ...]
    additional: Type = UNKNOWN
    doc: str | None = None
    deprecated: bool = False
    constraints: Constraints = ()


@dataclass(frozen=True, slots=True)
class Alias:
    """A name for a type that is not an object with properties."""

    id: TypeId
    place: Place
    origin: Origin
    type: Type
    doc: str | None = None
    deprecated: bool = False


Declaration = Model | Alias


@dataclass(frozen=True, slots=True)
class Mirror:
    """How the events of a stream add up to the object that the whole answer would have been.

    Paths are dotted property names of the event, list steps left out. ``renamed`` maps a path to
    the name of that property in the whole, ``constants`` are the whole's own values, and
    ``replaced`` lists the strings that arrive complete in one event instead of in pieces.
    """

    whole: TypeId
    renamed: tuple[tuple[str, str], ...]
    constants: tuple[tuple[str, Constant], ...]
    replaced: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Toggle:
    """A boolean property of the request body that asks for a stream.

    ``default`` is what leaving it out means.
    """

    property: str
    default: bool


@dataclass(frozen=True, slots=True)
class Event:
    """What the data of the events of one name is: JSON, or ``text`` as it is."""

    name: str
    type: Type
    text: bool = False


Framing = OneOf["events", "lines", "values"]
"""Server-sent events, JSON lines, or JSON values that follow each other (as in RFC 7464)."""


@dataclass(frozen=True, slots=True)
class Streaming:
    """An answer of many items, one after the other.

    An item is one JSON value or, where ``text``, the data of an event as it is; ``events`` says
    what it is by the name of the event, where that decides. ``toggle`` is what asks for the
    stream; ``None`` means that the operation always streams. ``end`` is the data that marks the
    end.
    """

    media_type: str
    framing: Framing
    item: Type
    origin: Origin
    text: bool = False
    events: tuple[Event, ...] = ()
    toggle: Toggle | None = None
    end: str | None = None
    mirror: Mirror | None = None


@dataclass(frozen=True, slots=True)
class Webhook:
    """A message that the API sends of itself.

    ``name`` is the key that it is declared under; ``operation`` is the one that asks for it, where
    it is a callback, and ``address`` the expression of where it then goes. ``type`` is what its
    JSON body is, and None where it has none.
    """

    name: str
    method: str
    type: Type | None
    origin: Origin
    headers: tuple[Parameter, ...] = ()
    operation: Origin | None = None
    address: str | None = None
    doc: str | None = None
    deprecated: bool = False


Path = tuple[str, ...]
"""The names of the properties that lead to a value; ``()`` is the whole value."""

Sent = OneOf["query", "body"]
"""Where a value that asks for a page is sent."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """An answer says at ``take`` what ``send`` must be for the next page."""

    send: str
    take: Path
    place: Sent = "query"


@dataclass(frozen=True, slots=True)
class PageNumber:
    """``send`` is the number of a page; an answer may say at ``last`` how many there are."""

    send: str
    last: Path | None = None
    start: int = 1
    place: Sent = "query"


@dataclass(frozen=True, slots=True)
class Offset:
    """``send`` is how many items to pass over; an answer may say at ``total`` how many exist."""

    send: str
    total: Path | None = None
    place: Sent = "query"


@dataclass(frozen=True, slots=True)
class NextLink:
    """The ``Link`` header has the address of the next page (RFC 8288)."""


@dataclass(frozen=True, slots=True)
class NextURL:
    """An answer has at ``take`` the address of the next page."""

    take: Path


Way = Cursor | PageNumber | Offset | NextLink | NextURL
"""How one page leads to the next."""


@dataclass(frozen=True, slots=True)
class Pagination:
    """A list that comes in pages: where the items are in ``body``, and the way to the next."""

    body: Type
    items: Path
    item: Type
    way: Way
    origin: Origin


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path. The path may end in a fixed query, such as ``?beta=true``.

    ``variant`` is the fragment of the path's key, which tells operations of one method and path
    apart. ``security`` and ``servers`` are None where they are the API's.
    """

    id: str | None
    method: str
    path: str
    origin: Origin
    tags: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    body: RequestBody | None = None
    responses: tuple[Response, ...] = ()
    streaming: Streaming | None = None
    doc: str | None = None
    deprecated: bool = False
    variant: str | None = None
    security: Security | None = None
    servers: tuple[Server, ...] | None = None
    pagination: Pagination | None = None


@dataclass(frozen=True, slots=True)
class Api:
    """One or more descriptions, normalised.

    ``types`` is in the order of the description. ``read`` and ``written`` say which of them
    responses and requests can reach. ``servers`` and ``security`` are those of the operations that
    have none of their own. ``message`` is what any webhook is: callbacks count where there are no
    other webhooks. ``examples`` are those of parameters, bodies, types and properties, by the
    text of their origins.
    """

    origin: Origin
    title: str
    version: str
    doc: str | None
    servers: tuple[Server, ...]
    schemes: tuple[Scheme, ...]
    security: Security
    types: Mapping[TypeId, Declaration]
    operations: tuple[Operation, ...]
    webhooks: tuple[Webhook, ...] = ()
    message: Type | None = None
    read: frozenset[TypeId] = frozenset()
    written: frozenset[TypeId] = frozenset()
    examples: Mapping[str, tuple[Example, ...]] = field(
        default_factory=dict[str, tuple[Example, ...]]
    )


_VARIABLE = re.compile(r"\{([^{}]+)\}")


def path_parts(path: str) -> list[str]:
    """Return a path template cut into fixed text and names of variables, in turn."""
    return _VARIABLE.split(path)


def held(declared: Declaration, direction: OneOf["read", "write"]) -> Iterator[Type]:
    """Yield the types that a declaration holds in one direction."""
    match declared:
        case Alias():
            yield declared.type
        case Model():
            yield from (p.type for p in declared.properties if p.access in ("both", direction))
            yield declared.additional
        case _:
            assert_never(declared)


def notified(webhooks: tuple[Webhook, ...]) -> Iterator[Type]:
    """Yield the types that webhooks bring."""
    for webhook in webhooks:
        if webhook.type is not None:
            yield webhook.type
        yield from (header.type for header in webhook.headers)


def sent(operation: Operation) -> Iterator[Type]:
    """Yield the types that an operation sends."""
    yield from (parameter.type for parameter in operation.parameters)
    if operation.body is not None:
        yield from content_types(operation.body.contents)


def received(operation: Operation) -> Iterator[Type]:
    """Yield the types that an operation receives."""
    for response in operation.responses:
        yield from content_types(response.contents)
        if response.headers is not None:
            yield response.headers
    if operation.streaming is not None:
        yield operation.streaming.item
