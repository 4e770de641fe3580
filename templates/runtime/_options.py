"""What a caller says about one call, and one call with its arguments filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from httpx2 import Timeout

from ._omit import Omit, omit

__all__ = ["Body", "Headers", "Mode", "Query", "Request", "RequestOptions", "Timeout"]

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


@dataclass(frozen=True, slots=True)
class Request:
    """One call with its arguments filled in, as the generated methods hand it over.

    ``path`` starts with a slash and is already percent-encoded. The values of
    ``query`` and ``headers``, and the top level of ``json``, may be :data:`omit`:
    those are not sent. A body is either ``json`` or the bytes of ``content``, both
    :data:`omit` when there is none; ``content_type`` says what it is where that is not
    plain ``application/json``.
    """

    method: str
    path: str
    query: Query | None = field(default=None, kw_only=True)
    headers: Mapping[str, object] | None = field(default=None, kw_only=True)
    json: object = field(default=omit, kw_only=True)
    content: bytes | Omit = field(default=omit, kw_only=True)
    content_type: str | None = field(default=None, kw_only=True)
    extra_headers: Headers | None = field(default=None, kw_only=True)
    extra_query: Query | None = field(default=None, kw_only=True)
    extra_body: Body | None = field(default=None, kw_only=True)
    timeout: float | Timeout | Omit | None = field(default=omit, kw_only=True)
    options: RequestOptions | None = field(default=None, kw_only=True)

    @property
    def operation(self) -> str:
        """The call in a few words, such as ``POST /chat/completions``."""
        return f"{self.method} {self.path}"
