"""Reading the declared shapes out of the annotations of what is written.

Pydantic is not asked here: typed dictionaries need no validators of their own, and this
runs only when requests are to be checked. The annotations are those of ``params``:

* a mapping of objects beside a typed dictionary stands for its further properties;
* an iterable beside a tuple stands for another way to write the tuple;
* a model stands for the JSON that it is sent as.
"""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Iterable, Mapping
from decimal import Decimal
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ForwardRef,
    Literal,
    Never,
    NotRequired,
    Required,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)
from uuid import UUID

from typing_extensions import TypeAliasType

from ._decoder import decoder_of
from ._formats import FORMATS
from ._limits import LIMITS, Limits
from ._models import BaseModel
from ._open import unpacked
from ._shapes import (
    Anything,
    Choice,
    Items,
    Listed,
    Named,
    Nothing,
    Nullable,
    Property,
    Record,
    Row,
    Scalar,
    Shape,
    Text,
    Values,
    declare,
)

_LEAVES: Mapping[object, Shape] = {
    str: Scalar("string"),
    bytes: Scalar("string"),
    int: Scalar("integer"),
    float: Scalar("number"),
    bool: Scalar("boolean"),
    NoneType: Scalar("null"),
    Never: Nothing(),
    dt.datetime: Text(FORMATS["datetime"]),
    dt.date: Text(FORMATS["date"]),
    dt.time: Text(FORMATS["time"]),
    UUID: Text(FORMATS["uuid"]),
    Decimal: Text(FORMATS["decimal"]),
}


def written_shape(annotation: object) -> Shape:
    """Read the shape of the JSON that is sent for values of a type."""
    leaf: object = NoneType if annotation is None else annotation
    if isinstance(annotation, TypeAliasType):
        return _alias(annotation)
    if is_typeddict(annotation):
        return _record(cast("type[object]", annotation))
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return decoder_of(annotation).shape
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _within(written_shape(arguments[0]), _limits(arguments[1:]))
    if origin in (Union, UnionType):
        return _union(arguments)
    if origin is Literal:
        return Listed(arguments)
    if origin in (Required, NotRequired):
        return written_shape(arguments[0])
    if origin is tuple:
        return _row(arguments)
    if origin in (Mapping, dict):
        return Values(written_shape(arguments[1]))
    if origin in (Iterable, list):
        return Items(written_shape(arguments[0]))
    return _LEAVES.get(leaf, Anything())


def _union(members: tuple[object, ...]) -> Shape:
    kinds = [_kind(member) for member in members]
    has_record = any(is_typeddict(kind) for kind in kinds)
    shapes = [
        written_shape(member)
        for member, kind in zip(members, kinds, strict=True)
        if member is not NoneType
        and not (has_record and kind is Mapping)
        and not (tuple in kinds and kind is Iterable)
    ]
    union = shapes[0] if len(shapes) == 1 else Choice(tuple(shapes))
    return Nullable(union) if NoneType in members else union


def _kind(member: object) -> object:
    """Return what an annotation is, without its arguments and its marks."""
    while get_origin(member) is Annotated:
        member = get_args(member)[0]
    return get_origin(member) or member


def _record(record: type[object]) -> Shape:
    """Read a typed dictionary, once: it may hold itself."""
    ref = f"{record.__module__}.{record.__qualname__}:{id(record)}"
    if ref not in _SEEN:
        _SEEN[ref] = record
        hints = get_type_hints(record, include_extras=True)
        properties = {
            name: Property(written_shape(hint), get_origin(hint) is Required)
            for name, hint in hints.items()
        }
        declare(ref, Record(record, properties, Anything()))
    return Named(ref)


def _alias(alias: TypeAliasType) -> Shape:
    """Read what a name stands for, once: it may mention itself."""
    ref = f"{alias.__module__}.{alias.__name__}:{id(alias)}"
    if ref not in _SEEN:
        _SEEN[ref] = alias
        value: object = alias.__value__
        if isinstance(value, str):
            value = _evaluated(value, vars(sys.modules[alias.__module__ or ""]))
        declare(ref, written_shape(value))
    return Named(ref)


_SEEN: dict[str, object] = {}
# What was read, by what refers to it, kept so that no identity is given out twice.


def _evaluated(annotation: str, names: dict[str, Any]) -> object:
    """Evaluate the text of an annotation in its module."""
    holder = type("_", (), {"__annotations__": {"it": ForwardRef(annotation)}})
    return cast("object", get_type_hints(holder, names, include_extras=True)["it"])


def _row(places: tuple[object, ...]) -> Shape:
    rest = unpacked(places[-1]) if places else None
    first = places if rest is None else places[:-1]
    after = Nothing() if rest is None else written_shape(rest)
    return Row(tuple(map(written_shape, first)), after, len(first))


def _limits(metadata: tuple[object, ...]) -> Limits:
    """Read the limits that ``Field`` sets, and marks such as that of ``Unique``."""
    found: list[tuple[str, Any]] = []
    for mark in metadata:
        for one in getattr(mark, "metadata", [mark]):
            found += [
                (name, bound)
                for name in LIMITS
                if (bound := getattr(one, name, None)) is not None
            ]
    return tuple((n, getattr(b, "pattern", b)) for n, b in found)


def _within(shape: Shape, limits: Limits) -> Shape:
    match shape:
        case Scalar() | Items() | Values():
            return shape._replace(limits=shape.limits + limits)
        case Row():
            stated = dict(limits)
            least = stated.pop("min_length", shape.least)
            return shape._replace(least=least, limits=tuple(stated.items()))
        case Nullable(inner=inner):
            return Nullable(_within(inner, limits))
        case _:
            return shape
