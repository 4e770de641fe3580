"""What a caller says about one call, and one call with its arguments filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from httpx2 import Timeout

from ._omit import Omit, omit
from ._schemes import Security
from ._servers import Servers

__all__ = [
    "Body",
    "Declared",
    "Headers",
    "Mode",
    "Query",
    "Request",
    "RequestOptions",
    "Timeout",
]

Headers: TypeAlias = Mapping[str, str | Omit]
Query: TypeAlias = Mapping[str, object]
Body: TypeAlias = Mapping[str, object]

Mode: TypeAlias = Literal["parsed", "raw", "streamed"]


@dataclass(frozen=True, kw_only=True)
class RequestOptions:
    """How one call differs from what the client does by default.

    The values may hold secrets, so ``repr`` shows none of them but the numbers.
    """

    headers: Headers | None = field(default=None, repr=False)
    """Headers to add or replace; :data:`omit` as a value removes one."""

    query: Query | None = field(default=None, repr=False)
    """Query parameters to add or replace."""

    body: Body | None = field(default=None, repr=False)
    """Top-level properties to add to the JSON body or replace in it."""

    timeout: float | Timeout | Omit | None = omit
    """Seconds to wait on the network for each step; ``None`` waits for ever."""

    max_retries: int | None = None
    """How often to try again after a failure; ``None`` is as the client does."""

    deadline: float | None = None
    """Seconds that the whole call may take: every attempt, the pauses between them,
    and reading the answer or the stream to its end."""

    require_end: bool = False
    """Whether a stream that ends without its declared end marker is an error."""

    mode: Mode = field(default="parsed", repr=False)
    """What the call returns; set by ``with_raw_response`` and its kin, not by hand."""


class Declared(NamedTuple):
    """What a description declares of a call, for those who have requests checked.

    ``path``, ``query``, ``headers`` and ``cookies`` hold the types of parameters by
    their names on the wire, ``querystring`` has the type of a query that is one value,
    and ``body`` those of the body by its media types.
    """

    path: Mapping[str, object] = MappingProxyType({})
    query: Mapping[str, object] = MappingProxyType({})
    querystring: object = omit
    headers: Mapping[str, object] = MappingProxyType({})
    cookies: Mapping[str, object] = MappingProxyType({})
    body: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """One call with its arguments filled in, as the generated methods hand it over.

    ``template`` is the path as the description has it, such as ``/pets/{petId}``, and
    ``path`` has what goes into it. The values of ``query``, ``headers`` and ``cookies``,
    and the top level of a body that is an object, may be :data:`omit`: those are not
    sent. So may ``querystring``, which is the whole query where an API describes it as
    one value.

    A body is either ``json``, or ``content`` of the media type ``content_type``: the
    fields of a form, text, bytes, or a file; both :data:`omit` when there is none.

    ``declared`` says what the description declares of it all. ``security`` and
    ``servers`` are those of the call, where they are not the client's.
    """

    method: str
    template: str
    path: Mapping[str, object] | None = field(default=None, kw_only=True)
    query: Query | None = field(default=None, kw_only=True)
    querystring: object = field(default=omit, kw_only=True)
    headers: Mapping[str, object] | None = field(default=None, kw_only=True)
    cookies: Mapping[str, object] | None = field(default=None, kw_only=True)
    json: object = field(default=omit, kw_only=True)
    content: object = field(default=omit, kw_only=True)
    content_type: str | None = field(default=None, kw_only=True)
    accept: str | None = field(default=None, kw_only=True)
    """The media types to ask for, where that is not what the result says."""
    errors: Callable[[], object] | None = field(default=None, kw_only=True)
    """Gives the types of errors by their status, where they differ from the API's."""
    declared: Callable[[], Declared] | None = field(default=None, kw_only=True)
    security: Security | None = field(default=None, kw_only=True)
    servers: Servers | None = field(default=None, kw_only=True)
    address: str | None = field(default=None, kw_only=True)
    """Path and query that the server itself has given, in place of all others."""
    extra_headers: Headers | None = field(default=None, kw_only=True)
    extra_query: Query | None = field(default=None, kw_only=True)
    extra_body: Body | None = field(default=None, kw_only=True)
    timeout: float | Timeout | Omit | None = field(default=omit, kw_only=True)
    options: RequestOptions | None = field(default=None, kw_only=True)

    @property
    def operation(self) -> str:
        """The call in a few words, such as ``GET /pets/{petId}``."""
        return f"{self.method} {self.template.partition('?')[0]}"
