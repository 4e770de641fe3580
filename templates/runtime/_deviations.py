"""Where a JSON value departs from what its description declares.

Servers break their descriptions all the time, so decoding accepts everything; the
functions here say what was wrong. They are pure: a value and a shape in, deviations
out. Properties that the description does not know are not deviations.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ._shapes import (
    NAMES,
    Anything,
    Choice,
    Items,
    Listed,
    Named,
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


def choose(value: object, members: tuple[Shape, ...]) -> int | None:
    """Choose the member of an untagged union that a JSON value belongs to.

    1. Only members of the value's JSON kind (object, array, ...) compete; a single
       one wins without further questions.
    2. Of those to which the value conforms, and which declare some property of it, the
       one that declares most of its properties wins; on a tie the first.
    3. Else the same among the members that the value merely *resembles*: all required
       properties are there and at least one declared one, or the tag is known.
    4. Else the first to which the value conforms, having no property that it declares.
    5. Else there is no answer, and the value should be kept as it came rather than be
       dressed up as something that it is not.
    """
    rivals = _rivals(value, members)
    if len(rivals) == 1:
        return rivals[0]
    known: _Known = {}
    conforming = [i for i in rivals if _conforms(value, members[i], known)]
    familiar = {i: _familiar(value, members[i]) for i in rivals}
    fitting = (
        [i for i in conforming if familiar[i]]
        or [i for i in rivals if _resembles(value, members[i])]
        or conforming
    )
    return max(fitting, key=familiar.__getitem__, default=None)


_Known = dict[tuple[int, int], bool]
# Whether a value (by identity) conforms to a record (by identity). Without it, the
# time to judge a recursive union would grow exponentially with the depth of a value.


def _conforms(value: object, shape: Shape, known: _Known) -> bool:
    shape = resolve(shape)
    key = id(value), id(shape)
    if key not in known:
        found = next(_deviations(value, shape, "", known), None) is None
        if not isinstance(shape, Record):
            return found
        known[key] = found
    return known[key]


def _deviations(
    value: object, shape: Shape, path: str, known: _Known
) -> Iterator[Deviation]:
    match resolve(shape):
        case Anything() | Named():
            pass
        case Scalar() | Text() | Listed() as leaf if not _is(value, leaf):
            yield Deviation(path, _unlike(value, leaf), value)
        case Scalar() | Text() | Listed():
            pass
        case Nullable(inner=inner):
            if value is not None:
                yield from _deviations(value, inner, path, known)
        case Items(item=item) if is_array(value):
            for index, one in enumerate(value):
                yield from _deviations(one, item, f"{path}[{index}]", known)
        case Row() as row if is_array(value):
            yield from _in_row(value, row, path, known)
        case Values(value=inner) if is_object(value):
            for name, one in value.items():
                yield from _deviations(one, inner, path + _step(name), known)
        case Record() as record if is_object(value):
            yield from _in_record(value, record, path, known)
        case Tagged() as tagged if is_object(value):
            yield from _in_tagged(value, tagged, path, known)
        case Choice(members=members):
            yield from _in_choice(value, members, path, known)
        case Items() | Row() | Values() | Record() | Tagged() as container:
            yield Deviation(path, _unlike(value, container), value)


def _is(value: object, leaf: Scalar | Text | Listed) -> bool:
    match leaf:
        case Scalar(kind="number"):
            return kind_of(value) in ("number", "integer")
        case Scalar(kind="integer"):
            # JSON Schema: a number without a fractional part is an integer.
            return kind_of(value) == "integer" or (
                isinstance(value, float) and value.is_integer()
            )
        case Scalar(kind=kind):
            return kind_of(value) == kind
        case Text(pattern=pattern):
            return isinstance(value, str) and pattern.fullmatch(value) is not None
        case Listed(values=values):
            # 1 == True in Python, not in JSON.
            return any(
                value == one and isinstance(value, bool) == isinstance(one, bool)
                for one in values
            )


def _in_row(
    value: list[object], row: Row, path: str, known: _Known
) -> Iterator[Deviation]:
    declared = len(row.places)
    if len(value) < declared or (row.rest is None and len(value) > declared):
        yield Deviation(path, f"expected {declared} items, got {len(value)}", value)
    for index, one in enumerate(value):
        shape = row.places[index] if index < declared else row.rest
        if shape is not None:
            yield from _deviations(one, shape, f"{path}[{index}]", known)


def _in_record(
    value: dict[str, object], record: Record, path: str, known: _Known
) -> Iterator[Deviation]:
    for name, declared in record.properties.items():
        place = path + _step(name)
        if name in value:
            yield from _deviations(value[name], declared.shape, place, known)
        elif declared.required:
            yield Deviation(place, "required property is absent", None)
    if not isinstance(record.extra, Anything):
        for name, one in value.items():
            if name not in record.properties:
                place = path + _step(name)
                yield from _deviations(one, record.extra, place, known)


def _in_tagged(
    value: dict[str, object], union: Tagged, path: str, known: _Known
) -> Iterator[Deviation]:
    place = path + _step(union.name)
    if union.name not in value:
        yield Deviation(place, "the tag of the union is absent", None)
        return
    tag = value[union.name]
    if isinstance(tag, str) and tag in union.members:
        yield from _deviations(value, union.members[tag], path, known)
    else:
        listed = ", ".join(map(repr, union.members))
        yield Deviation(place, f"unknown tag, expected one of {listed}", tag)


def _in_choice(
    value: object, members: tuple[Shape, ...], path: str, known: _Known
) -> Iterator[Deviation]:
    """Give one answer for the union, not one for each of its members."""
    rivals = _rivals(value, members)
    if any(_conforms(value, members[i], known) for i in rivals):
        return
    if len(rivals) > 1:
        rivals = [i for i in rivals if _resembles(value, members[i])]
    if rivals:
        closest = max(rivals, key=lambda i: _familiar(value, members[i]))
        yield from _deviations(value, members[closest], path, known)
    else:
        yield Deviation(path, _unlike(value, Choice(members)), value)


def _rivals(value: object, members: tuple[Shape, ...]) -> list[int]:
    """The members whose JSON kind the value has."""
    kind = kind_of(value)
    return [i for i, member in enumerate(members) if kind in kinds(member)]


def _resembles(value: object, shape: Shape) -> bool:
    match resolve(shape):
        case Record(properties=properties) if is_object(value):
            return not value.keys().isdisjoint(properties) and all(
                name in value for name, one in properties.items() if one.required
            )
        case Tagged(name=name, members=members) if is_object(value):
            tag = value.get(name)
            return isinstance(tag, str) and tag in members
        case Nullable(inner=inner):
            return _resembles(value, inner)
        case Choice(members=members):
            return any(_resembles(value, member) for member in members)
        case _:
            return False


def _familiar(value: object, shape: Shape) -> int:
    """How many of the value's properties the shape declares."""
    match resolve(shape):
        case Record(properties=properties) if is_object(value):
            return len(value.keys() & properties.keys())
        case Tagged(name=name, members=members) if is_object(value):
            tag = value.get(name)
            if isinstance(tag, str) and tag in members:
                return _familiar(value, members[tag])
            return 0
        case Nullable(inner=inner):
            return _familiar(value, inner)
        case Choice(members=members):
            return max((_familiar(value, member) for member in members), default=0)
        case _:
            return 0


def _unlike(value: object, shape: Shape) -> str:
    if value is None:
        return f"null where {describe(shape)} is expected"
    kind = kind_of(value)
    if isinstance(shape, (Listed, Text)) and kind in kinds(shape):
        return f"expected {describe(shape)}"
    found = NAMES[kind] if kind else type(value).__name__
    return f"expected {describe(shape)}, got {found}"


def _step(name: str) -> str:
    """One step of a JSON path: ``.name``, or ``["na-me"]`` where that is needed."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        return f".{name}"
    return f"[{json.dumps(name, ensure_ascii=False)}]"
