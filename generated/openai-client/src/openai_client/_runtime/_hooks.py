"""Functions that a program hands to a client, to hear of its calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._hook_events import ErrorEvent, RequestEvent, ResponseEvent, RetryEvent

__all__ = ["Hooks"]


class Hooks:
    """Functions that a client calls while it works; each of them may be left out.

    Those of an asynchronous client may be ``async``, and are awaited. Whatever a hook
    raises ends the call and reaches its caller as it is; connections are closed as
    ever. Hooks hear of calls to the API alone, not of requests for tokens.
    """

    __slots__ = ("on_error", "on_request", "on_response", "on_retry")

    def __init__(
        self,
        *,
        on_request: Callable[[RequestEvent], object] | None = None,
        on_response: Callable[[ResponseEvent], object] | None = None,
        on_retry: Callable[[RetryEvent], object] | None = None,
        on_error: Callable[[ErrorEvent], object] | None = None,
    ) -> None:
        """Choose what to hear of.

        - ``on_request`` is called before each attempt, and may change its headers.
        - ``on_response`` is called with each answer, whatever its status.
        - ``on_retry`` is called before the pause that precedes another attempt.
        - ``on_error`` is called once when a call fails for good, and when a stream
          breaks.
        """
        self.on_request = on_request
        self.on_response = on_response
        self.on_retry = on_retry
        self.on_error = on_error

    def __repr__(self) -> str:
        """Show which hooks there are; what they are may show what they hold."""
        names = ("on_request", "on_response", "on_retry", "on_error")
        given = [name for name in names if getattr(self, name) is not None]
        return f"<Hooks {', '.join(given)}>"
