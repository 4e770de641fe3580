"""What hooks are told of calls, and what they can change in them: no network here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass

import httpx2

from ._errors import APIConnectionError
from ._request import header_pair

__all__ = [
    "ErrorEvent",
    "HookHeaders",
    "RequestEvent",
    "ResponseEvent",
    "RetryEvent",
]


class HookHeaders(MutableMapping[str, str]):
    """The headers of a request or an answer; names match in any case.

    ``repr`` shows their names alone, since the values hold credentials.
    """

    __slots__ = ("_headers",)

    def __init__(self, headers: httpx2.Headers) -> None:
        """Look at ``headers``, and change them if need be."""
        self._headers = headers

    def __getitem__(self, name: str) -> str:
        """Give the value of a header, joined by commas if it came several times."""
        return self._headers[name]

    def __setitem__(self, name: str, value: str) -> None:
        """Send a header, in place of one of that name.

        Raises ValueError for a name or a value that HTTP cannot carry, and TypeError
        for a value that is not a string.
        """
        written, encoded = header_pair(name, value)
        self._headers.encoding = "utf-8"  # or only what the others need could be set
        self._headers[written.decode()] = encoded.decode()

    def __delitem__(self, name: str) -> None:
        """Do not send a header."""
        del self._headers[name]

    def __iter__(self) -> Iterator[str]:
        """Go over the names, in lower case."""
        return iter(self._headers)

    def __len__(self) -> int:
        """Count the names."""
        return len(self._headers)

    def __repr__(self) -> str:
        """Show the names."""
        return f"<headers {', '.join(self)}>"


@dataclass(
    frozen=True, slots=True, weakref_slot=True, eq=False, repr=False, kw_only=True
)
class RequestEvent:
    """A request that is about to be sent: one for each attempt of a call.

    Redirects are part of the attempt. The same object is in the events that follow of
    the attempt, so that it can serve as a key. ``repr`` shows neither the URL nor the
    value of a header.
    """

    method: str
    """The HTTP method."""

    template: str
    """The path as the API's description has it, such as ``/pets/{petId}``."""

    url: str
    """Where the request goes, without the credentials that may be in there."""

    headers: MutableMapping[str, str]
    """The headers with which it goes, credentials included; they can be changed."""

    attempt: int
    """Which request of the call this is, from 1."""

    @property
    def operation(self) -> str:
        """What is called, such as ``GET /pets/{petId}``."""
        return f"{self.method} {self.template}"

    def __repr__(self) -> str:
        """Show what is called."""
        return f"<RequestEvent {self.operation}, attempt {self.attempt}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ResponseEvent:
    """An answer, whatever its status: there may be one for each attempt.

    That of a stream is told of when its headers are there, any other when it is
    complete.
    """

    request: RequestEvent
    """What it is the answer to."""

    status: int
    """Its status code."""

    headers: Mapping[str, str]
    """Its headers; ``repr`` shows the names alone."""

    elapsed: float
    """Seconds since the request was sent."""

    def __repr__(self) -> str:
        """Show what was called and how it ended."""
        what = f"{self.request.operation}, attempt {self.request.attempt}"
        return f"<ResponseEvent {what}: {self.status} in {self.elapsed:.3f} s>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RetryEvent:
    """An attempt that failed and that another one follows."""

    request: RequestEvent
    """The attempt that failed."""

    reason: int | APIConnectionError
    """Why: the status of the answer, or what went wrong with the connection."""

    delay: float
    """Seconds until the next attempt."""

    def __repr__(self) -> str:
        """Show what failed, why in one word, and for how long to wait."""
        reason = self.reason
        why = reason if isinstance(reason, int) else type(reason).__name__
        what = f"{self.request.operation}, attempt {self.request.attempt}"
        return f"<RetryEvent {what}: {why}, again in {self.delay:.3f} s>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ErrorEvent:
    """A call that fails for good, or a stream that breaks."""

    operation: str
    """What was called, such as ``GET /pets/{petId}``."""

    request: RequestEvent | None
    """The last attempt; None if it never came to one, for want of a credential."""

    error: BaseException
    """What the caller is about to get: an APIError in most cases, but also the
    cancellation of a task (which then cancels what a hook awaits, too), or what another
    hook raised."""

    def __repr__(self) -> str:
        """Show what failed, and the class of the error: its words may be the server's."""
        return f"<ErrorEvent {self.operation}: {type(self.error).__name__}>"
