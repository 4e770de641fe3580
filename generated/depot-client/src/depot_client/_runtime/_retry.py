"""Whether to try again, and after how long: pure functions, no clock and no chance."""

from __future__ import annotations

import math
from collections.abc import Mapping

__all__ = ["delay"]

FIRST_DELAY = 0.5
LONGEST_DELAY = 8.0
LONGEST_WAIT_ASKED = 120.0

NO_HEADERS: Mapping[str, str] = {}


def delay(
    attempt: int,
    limit: int,
    *,
    status: int | None = None,
    headers: Mapping[str, str] = NO_HEADERS,
    dropped: bool = False,
    now: float,
    jitter: float,
) -> float | None:
    """Say how many seconds to wait before trying again, or None to give up.

    ``attempt`` counts from zero and ``limit`` is the number of further attempts that
    are allowed. ``status`` and ``headers`` (read by lower-case name) are those of the
    failed answer; ``status`` is None when the connection failed. ``dropped`` says that
    the server hung up on us without a word, which is what happens when it closes an
    idle connection just as we send on it: there the first retry does not wait. ``now``
    is the time in seconds since the epoch, ``jitter`` a number from 0 to 1 that takes
    up to a quarter off the delay, so that clients do not come back in step.

    A server overrules the status with ``x-should-retry: true`` or ``false``, and the
    delay with ``retry-after-ms`` or ``retry-after`` (RFC 9110, section 10.2.3); when it
    asks for more than two minutes, waiting is the caller's decision.
    """
    if attempt >= limit or not _worth_it(status, headers):
        return None
    asked = _asked(headers, now)
    if asked is not None:
        return asked if asked <= LONGEST_WAIT_ASKED else None
    if dropped and attempt == 0:
        return 0.0
    longest = min(FIRST_DELAY * 2.0 ** min(attempt, 16), LONGEST_DELAY)
    return longest * (1 - jitter / 4)


def _worth_it(status: int | None, headers: Mapping[str, str]) -> bool:
    match headers.get("x-should-retry", "").strip().lower():
        case "true":
            return True
        case "false":
            return False
        case _:
            return status is None or status in (408, 409, 429) or status >= 500


def _asked(headers: Mapping[str, str], now: float) -> float | None:
    """Read the wait that the server asks for, ignoring what makes no sense."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    if value is None:
        return None
    seconds = _number(value)
    if seconds is not None:
        return seconds
    wait = _date(value, now)
    return wait if wait is not None and wait >= 0 else None


def _number(value: str | None) -> float | None:
    if value is None:
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _date(value: str, now: float) -> float | None:
    from email.utils import parsedate_to_datetime  # only ever needed here

    try:
        return parsedate_to_datetime(value).timestamp() - now
    except (ValueError, OverflowError, OSError):
        return None
