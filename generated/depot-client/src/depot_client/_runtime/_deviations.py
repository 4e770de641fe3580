"""Where a JSON value departs from what its description declares.

Servers break their descriptions all the time, so decoding accepts everything; the
functions here say what was wrong. They are pure: a value and a shape in, deviations
out. Properties that the description does not know are deviations only where it says
that there are no others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ._choice import Chooser
from ._conforming import Known, conforms, fits
from ._limits import Limits, broken
from ._shapes import (
    NAMES,
    Anything,
    Choice,
    Items,
    Listed,
    Named,
    Nothing,
    Nullable,
    Record,
    Row,
    Scalar,
    Shape,
    Tagged,
    Text,
    Values,
    describe,
    is_array,
    is_object,
    kind_of,
    kinds,
    resolve,
)


@dataclass(frozen=True)
class Deviation:
    """One place where an answer of the server departs from the API's description.

    ``path`` is a JSON path by wire names (``$.choices[0].logprobs``), ``message``
    says what is wrong there, ``value`` is what the server sent (None for an absent
    property), ``operation`` is the method and path of the call
    (``POST /chat/completions``), ``request_id`` what the server called it.
    """

    path: str
    message: str
    value: object
    request_id: str | None = None
    operation: str = ""


def deviations(value: object, shape: Shape) -> Iterator[Deviation]:
    """Yield each place where a JSON value departs from its declared shape."""
    return _deviations(value, shape, "$", {})


def _deviations(
    value: object, shape: Shape, path: str, known: Known
) -> Iterator[Deviation]:
    match resolve(shape):
        case Anything() | Named():
            pass
        case Nothing():
            yield Deviation(path, _unlike(value, Nothing()), value)
        case Scalar() | Text() | Listed() as leaf if not fits(value, leaf):
            yield Deviation(path, _unlike(value, leaf), value)
        case Scalar(limits=limits):
            yield from _beyond(value, limits, path)
        case Text() | Listed():
            pass
        case Nullable(inner=inner):
            if value is not None:
                yield from _deviations(value, inner, path, known)
        case Items(item=item, limits=limits) if is_array(value):
            yield from _beyond(value, limits, path)
            for index, one in enumerate(value):
                yield from _deviations(one, item, f"{path}[{index}]", known)
        case Row() as row if is_array(value):
            yield from _in_row(value, row, path, known)
        case Values(value=inner, limits=limits) if is_object(value):
            yield from _beyond(value, limits, path)
            for name, one in value.items():
                yield from _deviations(one, inner, path + step(name), known)
        case Record() as record if is_object(value):
            yield from _in_record(value, record, path, known)
        case Tagged() as tagged if is_object(value):
            yield from _in_tagged(value, tagged, path, known)
        case Choice(members=members):
            yield from _in_choice(value, members, path, known)
        case Items() | Row() | Values() | Record() | Tagged() as container:
            yield Deviation(path, _unlike(value, container), value)


def _beyond(value: object, limits: Limits, path: str) -> Iterator[Deviation]:
    for message in broken(value, limits):
        yield Deviation(path, message, value)


def _in_row(
    value: list[object], row: Row, path: str, known: Known
) -> Iterator[Deviation]:
    places, count = len(row.places), len(value)
    closed = isinstance(row.rest, Nothing)
    if closed and row.least == places and count != places:
        yield Deviation(path, f"expected {_items(places)}, got {count}", value)
    elif count < row.least:
        message = f"expected at least {_items(row.least)}, got {count}"
        yield Deviation(path, message, value)
    elif closed and count > places:
        message = f"expected at most {_items(places)}, got {count}"
        yield Deviation(path, message, value)
    yield from _beyond(value, row.limits, path)
    for index, one in enumerate(value[:places] if closed else value):
        shape = row.places[index] if index < places else row.rest
        yield from _deviations(one, shape, f"{path}[{index}]", known)


def _items(count: int) -> str:
    return f"{count} item" if count == 1 else f"{count} items"


def _in_record(
    value: dict[str, object], record: Record, path: str, known: Known
) -> Iterator[Deviation]:
    for name, declared in record.properties.items():
        place = path + step(name)
        if name in value:
            yield from _deviations(value[name], declared.shape, place, known)
        elif declared.required:
            yield Deviation(place, "required property is absent", None)
    yield from _beyond(value, record.limits, path)
    if isinstance(record.extra, Anything):
        return
    for name, one in value.items():
        if name not in record.properties:
            place = path + step(name)
            if isinstance(record.extra, Nothing):
                yield Deviation(place, "unknown property", one)
            else:
                yield from _deviations(one, record.extra, place, known)


def _in_tagged(
    value: dict[str, object], union: Tagged, path: str, known: Known
) -> Iterator[Deviation]:
    place = path + step(union.name)
    member = union.member(value)
    if member is not None:
        yield from _deviations(value, member, path, known)
    elif union.name not in value:
        yield Deviation(place, "the tag of the union is absent", None)
    else:
        listed = ", ".join(map(repr, union.members))
        message = f"unknown tag, expected one of {listed}"
        yield Deviation(place, message, value[union.name])


def _in_choice(
    value: object, members: tuple[Shape, ...], path: str, known: Known
) -> Iterator[Deviation]:
    """Give one answer for the union, not one for each of its members."""
    if any(conforms(value, member, known) for member in members):
        return
    closest = Chooser(members).choose(value)
    if closest is None:
        yield Deviation(path, _unlike(value, Choice(members)), value)
    else:
        yield from _deviations(value, members[closest], path, known)


def _unlike(value: object, shape: Shape) -> str:
    if value is None:
        return f"null where {describe(shape)} is expected"
    kind = kind_of(value)
    if isinstance(shape, (Listed, Text)) and kind in kinds(shape):
        return f"expected {describe(shape)}"
    found = NAMES[kind] if kind else type(value).__name__
    expected = describe(shape)
    if found in expected.split(" or "):  # of several kinds of text, say, it is none
        return f"{found} that fits no member of the union"
    return f"expected {expected}, got {found}"


def step(name: str) -> str:
    """Write one step of a JSON path: ``.name``, or ``["na-me"]`` where that is needed."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        return f".{name}"
    return f"[{json.dumps(name, ensure_ascii=False)}]"
