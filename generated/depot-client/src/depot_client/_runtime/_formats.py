"""Values that travel as text: dates, times, UUIDs and decimal numbers.

Reading them loses nothing. Text in the canonical form, the one that this module
writes, becomes the plain Python object. Other text of the form (``.000Z``, ``+00:00``,
upper-case UUIDs, ``1e5``) becomes an object of a subclass that remembers it, is equal
to the plain object, and is written back as it came; what is computed from it is plain.
Text that is not of the form stays text.

Reading is a little wider than RFC 3339, which date-times without an offset or without
seconds are not: ``conforms`` says what a description means by the format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple, Self, TypeAlias, cast
from uuid import UUID

Written: TypeAlias = datetime | date | time | UUID | Decimal
"""What is an object in Python and text in JSON."""


def text_of(value: Written) -> str:
    """The text of a value: as it was received, else in the canonical form.

    Date-times and times in UTC end in ``Z``, those without a time zone have no offset.
    Raises ValueError for a decimal that is no number, or no finite one.
    """
    received: object = getattr(value, "received", None)
    if isinstance(received, str):
        return received
    if isinstance(value, date | time):  # a datetime is a date
        text = value.isoformat()
        return f"{text[:-6]}Z" if text.endswith("+00:00") else text
    if isinstance(value, Decimal) and not value.is_finite():
        raise ValueError(f"{value} is no number that can be sent")
    return str(value)


class _Datetime(datetime):
    """A date-time that remembers its text."""

    __slots__ = ("received",)
    received: str

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Be a plain one, since it is arithmetic that calls this."""
        return cast("Self", datetime(*args, **kwargs))

    @classmethod
    def of(cls, text: str, value: datetime) -> Self:
        """Remember the text of a value."""
        made = datetime.__new__(
            cls,
            *(value.year, value.month, value.day),
            *(value.hour, value.minute, value.second, value.microsecond),
            value.tzinfo,
        )
        made.received = text
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Be pickled and copied with the text."""
        text: str | None = getattr(self, "received", None)
        if text is None:
            return super().__reduce_ex__(protocol)
        return read_datetime, (text,)

    def __repr__(self) -> str:
        """Be shown as the plain one is."""
        return repr(datetime.combine(self.date(), self.timetz()))


class _Time(time):
    """A time of day that remembers its text."""

    __slots__ = ("received",)
    received: str

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Be a plain one, since it is ``replace`` that calls this."""
        return cast("Self", time(*args, **kwargs))

    @classmethod
    def of(cls, text: str, value: time) -> Self:
        """Remember the text of a value."""
        clock = value.hour, value.minute, value.second, value.microsecond
        made = time.__new__(cls, *clock, value.tzinfo)
        made.received = text
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Be pickled and copied with the text."""
        text: str | None = getattr(self, "received", None)
        if text is None:
            return super().__reduce_ex__(protocol)
        return read_time, (text,)

    def __repr__(self) -> str:
        """Be shown as the plain one is."""
        clock = self.hour, self.minute, self.second, self.microsecond
        return repr(time(*clock, self.tzinfo))


class _UUID(UUID):
    """A UUID that remembers its text."""

    __slots__ = ("received",)
    received: str

    @classmethod
    def of(cls, text: str) -> Self:
        """Read a UUID and remember its text."""
        made = cls(text)
        object.__setattr__(made, "received", text)  # UUIDs refuse assignments
        return made

    def __reduce__(self) -> tuple[object, ...]:
        """Be pickled and copied with the text."""
        return read_uuid, (self.received,)

    def __repr__(self) -> str:
        """Be shown as the plain one is."""
        return repr(UUID(int=self.int))


class _Decimal(Decimal):
    """A decimal number that remembers its text."""

    __slots__ = ("received",)
    received: str

    @classmethod
    def of(cls, text: str) -> Self:
        """Read a number and remember its text."""
        made = cls(text)
        made.received = text
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Be pickled and copied with the text."""
        return read_decimal, (self.received,)

    def __repr__(self) -> str:
        """Be shown as the plain one is."""
        return repr(Decimal(self))


_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_HOUR = r"(?:[01][0-9]|2[0-3])"
_OFFSET = rf"[+-]{_HOUR}:?[0-5][0-9]"
_CLOCK = rf"{_HOUR}:[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?(?:[Zz]|{_OFFSET})?"
_CANONICAL_CLOCK = (
    rf"{_HOUR}:[0-5][0-9]:[0-5][0-9](?:\.(?!000000)[0-9]{{6}})?"
    rf"(?:Z|(?![+-]00:00)[+-]{_HOUR}:[0-5][0-9])?"
)
_RFC_CLOCK = (
    rf"{_HOUR}:[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?"
    rf"(?:[Zz]|[+-]{_HOUR}:[0-5][0-9])"
)

_DATETIME = rf"{_DAY}[Tt ]{_CLOCK}"
_CANONICAL_DATETIME = rf"{_DAY}T{_CANONICAL_CLOCK}"
_RFC_DATETIME = rf"{_DAY}[Tt]{_RFC_CLOCK}"
_UUID_TEXT = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_DECIMAL = r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,9})?"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile an expression when it is needed: that takes a part of a millisecond."""
    return re.compile(pattern)


def _is(pattern: str, text: str) -> bool:
    return _compiled(pattern).fullmatch(text) is not None


def read_datetime(text: str) -> datetime | str:
    """Read a date-time, such as ``2024-02-29T12:30:00Z``."""
    try:
        if _is(_CANONICAL_DATETIME, text):
            return datetime.fromisoformat(text)
        if _is(_DATETIME, text):
            return _Datetime.of(text, datetime.fromisoformat(text.upper()))
    except ValueError:  # there is no such day
        pass
    return text


def read_date(text: str) -> date | str:
    """Read a date, such as ``2024-02-29``."""
    try:
        return date.fromisoformat(text) if _is(_DAY, text) else text
    except ValueError:
        return text


def read_time(text: str) -> time | str:
    """Read a time of day, such as ``12:30:00Z``."""
    if _is(_CANONICAL_CLOCK, text):
        return time.fromisoformat(text)
    if _is(_CLOCK, text):
        return _Time.of(text, time.fromisoformat(text.upper()))
    return text


def read_uuid(text: str) -> UUID | str:
    """Read a UUID (RFC 9562, section 4), such as ``6f9619ff-8b86-d011-b42d-...``."""
    if not _is(_UUID_TEXT, text):
        return text
    return UUID(text) if text == text.lower() else _UUID.of(text)


def read_decimal(text: str) -> Decimal | str:
    """Read a decimal number, such as ``1.50``."""
    if not _is(_DECIMAL, text):
        return text
    value = Decimal(text)
    return value if str(value) == text else _Decimal.of(text)


def _is_datetime(text: str) -> bool:
    """Whether text is a ``date-time`` (RFC 3339, section 5.6)."""
    return _is(_RFC_DATETIME, text) and _is_moment(text)


def _is_time(text: str) -> bool:
    """Whether text is a ``full-time`` (RFC 3339, section 5.6)."""
    return _is(_RFC_CLOCK, text) and _is_moment(f"2000-01-01T{text}")


def _is_moment(text: str) -> bool:
    """Whether a day exists, and a leap second is at the end of a day in UTC.

    Python knows neither the year 0, which is a leap year, nor second 60.
    """
    if text.startswith("0000"):
        text = f"2000{text[4:]}"
    leaps = text[17:19] == "60"
    try:
        moment = datetime.fromisoformat(text.replace(":60", ":59", leaps).upper())
        return not leaps or f"{moment.astimezone(UTC):%H:%M}" == "23:59"
    except (ValueError, OverflowError):  # no such day, or one beyond Python's years
        return False


def _is_date(text: str) -> bool:
    """Whether text is a ``full-date`` (RFC 3339, section 5.6)."""
    year_0 = text.startswith("0000")
    return not isinstance(read_date(f"2000{text[4:]}" if year_0 else text), str)


def _is_uuid(text: str) -> bool:
    return _is(_UUID_TEXT, text)


def _is_decimal(text: str) -> bool:
    return _is(_DECIMAL, text)


class Format(NamedTuple):
    """One format of text: how to say it, how to read it, and what is of it."""

    name: str
    read: Callable[[str], object]
    conforms: Callable[[str], bool]


FORMATS: Mapping[str, Format] = {
    "datetime": Format("a date-time", read_datetime, _is_datetime),
    "date": Format("a date", read_date, _is_date),
    "time": Format("a time", read_time, _is_time),
    "uuid": Format("a UUID", read_uuid, _is_uuid),
    "decimal": Format("a decimal number", read_decimal, _is_decimal),
}
"""The formats that are objects in Python, by the kind of pydantic's core schema."""


def reader(formats: tuple[Format, ...]) -> Callable[[object], object]:
    """Make what reads text of the first format that it has; all else it gives back."""
    reads = tuple(format_.read for format_ in formats)
    if len(reads) == 1:
        (only,) = reads

        def read_one(value: object) -> object:
            return only(value) if isinstance(value, str) else value

        return read_one

    def read_any(value: object) -> object:
        if isinstance(value, str):
            for read in reads:
                if not isinstance(found := read(value), str):
                    return found
        return value

    return read_any


def written(value: object) -> object:
    """Write what is text in JSON as that text; all else stays as it is."""
    return text_of(value) if isinstance(value, Written) else value
