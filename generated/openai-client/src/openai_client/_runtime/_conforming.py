"""Whether a JSON value is what its description declares: yes or no, quickly.

``_deviations`` says the same at length; unions ask this of one member after another.
"""

from __future__ import annotations

from collections.abc import Mapping

from ._limits import within
from ._shapes import (
    Anything,
    Choice,
    Items,
    Kind,
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
    is_array,
    is_object,
    resolve,
)

Known = dict[tuple[int, int], bool]
"""Whether a value (by identity) conforms to a record (by identity). Without it, the
time to judge a recursive union would grow exponentially with the depth of a value."""


def conforms(value: object, shape: Shape, known: Known) -> bool:
    """Whether a value departs nowhere from a shape."""
    match resolve(shape):
        case Scalar(limits=limits) as leaf:
            return fits(value, leaf) and (not limits or within(value, limits))
        case Listed() | Text() as leaf:
            return fits(value, leaf)
        case Record() as record:
            return is_object(value) and _is_record(value, record, known)
        case Nullable(inner=inner):
            return value is None or conforms(value, inner, known)
        case Items(item=item, limits=limits):
            return (
                is_array(value)
                and all(conforms(one, item, known) for one in value)
                and within(value, limits)
            )
        case Values(value=inner, limits=limits):
            return (
                is_object(value)
                and all(conforms(one, inner, known) for one in value.values())
                and within(value, limits)
            )
        case Tagged() as tagged:
            member = tagged.member(value) if is_object(value) else None
            return member is not None and conforms(value, member, known)
        case Choice(members=members):
            return any(conforms(value, member, known) for member in members)
        case Row() as row:
            return is_array(value) and _is_row(value, row, known)
        case Anything() | Named():
            return True
        case Nothing():
            return False


def fits(value: object, leaf: Scalar | Text | Listed) -> bool:
    """Whether a value is of a leaf's kind, format or list; limits are left aside."""
    if isinstance(leaf, Scalar):
        kind = leaf.kind
        # JSON Schema: a number without a fractional part is an integer.
        return type(value) in _TYPES[kind] or (
            kind == "integer" and isinstance(value, float) and value.is_integer()
        )
    if isinstance(leaf, Text):
        return isinstance(value, str) and leaf.format.conforms(value)
    # 1 == True in Python, not in JSON.
    return any(
        value == one and isinstance(value, bool) == isinstance(one, bool)
        for one in leaf.values
    )


_TYPES: Mapping[Kind, tuple[type[object], ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (float, int),
    "boolean": (bool,),
    "null": (type(None),),
}


def _is_record(value: dict[str, object], record: Record, known: Known) -> bool:
    key = id(value), id(record)
    found = known.get(key)
    if found is None:
        found = known[key] = _has_properties(value, record, known)
    return found


def _has_properties(value: dict[str, object], record: Record, known: Known) -> bool:
    for name, declared in record.properties.items():
        if name not in value:
            if declared.required:
                return False
        elif not conforms(value[name], declared.shape, known):
            return False
    return within(value, record.limits) and (
        isinstance(record.extra, Anything)
        or all(
            name in record.properties or conforms(one, record.extra, known)
            for name, one in value.items()
        )
    )


def _is_row(value: list[object], row: Row, known: Known) -> bool:
    places = len(row.places)
    return (
        len(value) >= row.least
        and within(value, row.limits)
        and all(map(lambda one, shape: conforms(one, shape, known), value, row.places))
        and all(conforms(one, row.rest, known) for one in value[places:])
    )
