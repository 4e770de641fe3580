"""Which member of a union a JSON value belongs to, where no tag says it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ._conforming import Known, conforms
from ._shapes import (
    Choice,
    Items,
    Kind,
    Listed,
    Nullable,
    Record,
    Shape,
    Tagged,
    is_array,
    is_object,
    kind_of,
    kinds,
    records,
    resolve,
)

_HASHABLE = (str, int, float)

_ENOUGH_VOTES = 16
"""So many items decide what their array is."""


class Chooser:
    """Chooses the member of an untagged union that a JSON value belongs to.

    Only members of the value's JSON kind (object, array, ...) compete, and a single one
    wins without further questions. Of several, an object belongs to

    1. the one that it conforms to and that declares most of its properties, at least
       one; on a tie the first;
    2. else the same among those that it merely resembles: all required properties are
       there and no constant, such as a type, is another one;
    3. else the one whose constants it has, however incomplete the rest is;
    4. else the first that it conforms to.

    An array belongs where most of its items do, everything else to the first member
    that it conforms to. Failing that there is no answer, and the value should be kept
    as it came rather than be dressed up as something that it is not.
    """

    def __init__(self, members: tuple[Shape, ...]) -> None:
        """Take the members; they are looked at when the first value comes."""
        self._members = members
        self._choosers: dict[Kind | None, Callable[[object], int | None]] = {}
        self._made: dict[type[object], int] | None = None

    def choose(self, value: object) -> int | None:
        """Choose for a JSON value; None if there is no answer."""
        kind = kind_of(value)
        chooser = self._choosers.get(kind)
        if chooser is None:
            chooser = self._choosers[kind] = self._chooser(kind)
        return chooser(value)

    def maker(self, model: type[object]) -> int | None:
        """Find the member that values of a class are made by."""
        if self._made is None:
            made: dict[type[object], int] = {}
            for index, member in enumerate(self._members):
                for record in records(member):
                    made.setdefault(record.model, index)
            self._made = made
        return self._made.get(model)

    def _chooser(self, kind: Kind | None) -> Callable[[object], int | None]:
        """Prepare what chooses among the members of one JSON kind."""
        rivals = [
            (index, shape)
            for index, shape in enumerate(map(resolve, self._members))
            if kind in kinds(shape)
        ]
        if len(rivals) < 2:
            only = rivals[0][0] if rivals else None
            return lambda _: only
        match kind:
            case "object":
                return _Objects(rivals).choose
            case "array":
                return _Arrays(rivals).choose
            case _:
                return lambda value: _first_that_fits(value, rivals)


Rival = tuple[int, Shape]
"""A member with its index in the union."""


def _first_that_fits(value: object, rivals: Iterable[Rival]) -> int | None:
    known: Known = {}
    return next((i for i, shape in rivals if conforms(value, shape, known)), None)


class _Arrays:
    """Chooses among arrays."""

    def __init__(self, rivals: list[Rival]) -> None:
        self._rivals = rivals
        items = [shape.item for _, shape in rivals if isinstance(shape, Items)]
        self._items = Chooser(tuple(items)) if len(items) == len(rivals) else None

    def choose(self, value: object) -> int | None:
        if self._items is None or not is_array(value) or not value:
            return _first_that_fits(value, self._rivals)
        votes: Counter[int] = Counter()
        cast = 0
        for item in value:
            vote = self._items.choose(item)
            if vote is not None:
                votes[vote] += 1
                cast += 1
                if cast == _ENOUGH_VOTES:
                    break
        if not votes:
            return None
        most = max(votes.values())
        return self._rivals[min(i for i, n in votes.items() if n == most)][0]


class _Candidate(NamedTuple):
    """A record among the members of a union, with what tells it from others."""

    member: int
    record: Record
    required: frozenset[str]
    constants: tuple[tuple[str, object], ...]


class _Objects:
    """Chooses among objects, without trying one record after another.

    A record is found by one of its required properties: by the value of one that must
    be a constant, else by the presence of the one that fewest others require.
    """

    def __init__(self, rivals: list[Rival]) -> None:
        self._others = [r for r in rivals if not isinstance(r[1], Record)]
        self._by_constant: dict[str, dict[object, list[_Candidate]]] = {}
        self._by_name: dict[str, list[_Candidate]] = {}
        self._always: list[_Candidate] = []
        found = [_candidate(i, one) for i, one in rivals if isinstance(one, Record)]
        common = Counter(name for one in found for name in one.required)
        for one in found:
            rarest = min(one.required, key=common.__getitem__, default=None)
            told = next((c for c in one.constants if c[0] in one.required), None)
            if told is not None:
                by_value = self._by_constant.setdefault(told[0], {})
                by_value.setdefault(_exact(told[1]), []).append(one)
            elif rarest is not None:
                self._by_name.setdefault(rarest, []).append(one)
            else:
                self._always.append(one)

    def choose(self, value: object) -> int | None:
        if not is_object(value):
            return None
        told = self._told(value)
        found = [one for one in told + self._present(value) if _is_like(value, one)]
        if len(found) == 1 and not self._others:
            only = found[0]
            if not value.keys().isdisjoint(only.record.properties):
                return only.member
        return _best(
            value, [*((c.member, c.record) for c in found), *self._others], told
        )

    def _told(self, value: dict[str, object]) -> list[_Candidate]:
        """Find the records of which a constant is there."""
        told: list[_Candidate] = []
        for name, by_value in self._by_constant.items():
            constant = value.get(name)
            if isinstance(constant, _HASHABLE):
                told += by_value.get(_exact(constant), ())
        return told

    def _present(self, value: dict[str, object]) -> list[_Candidate]:
        """Find the records that are told by the presence of a property."""
        present = [*self._always]
        for name in value.keys() & self._by_name.keys():
            present += self._by_name[name]
        return present


def _best(
    value: dict[str, object], rivals: list[Rival], told: list[_Candidate]
) -> int | None:
    """Choose among records that are like the value, and members that are no records."""
    known: Known = {}
    ranked = sorted(
        ((_familiar(value, shape), -index, shape) for index, shape in rivals),
        key=lambda rank: rank[:2],
        reverse=True,
    )
    for familiar, negated, shape in ranked:
        if familiar and conforms(value, shape, known):
            return -negated
    for familiar, negated, shape in ranked:
        if familiar and (isinstance(shape, Record) or _resembles(value, shape)):
            return -negated
    incomplete = _only_told(value, told)
    if incomplete is not None:
        return incomplete
    strangers = [(-index, shape) for familiar, index, shape in ranked if not familiar]
    return _first_that_fits(value, strangers)


def _only_told(value: dict[str, object], told: list[_Candidate]) -> int | None:
    """The one record that the constants of a value tell, if there is just one."""
    found = [one.member for one in told if _has_constants(value, one.constants)]
    return found[0] if len(found) == 1 else None


def _candidate(index: int, record: Record) -> _Candidate:
    required = frozenset(n for n, one in record.properties.items() if one.required)
    return _Candidate(index, record, required, tuple(_constants(record)))


def _constants(record: Record) -> Iterator[tuple[str, object]]:
    """Yield the properties that have one value only, with it."""
    for name, declared in record.properties.items():
        match resolve(declared.shape):
            case Listed(values=(only,)):
                yield name, only
            case _:
                pass


def _is_like(value: dict[str, object], one: _Candidate) -> bool:
    return one.required <= value.keys() and (
        not one.constants or _has_constants(value, one.constants)
    )


def _has_constants(
    value: dict[str, object], constants: tuple[tuple[str, object], ...]
) -> bool:
    """Whether a value contradicts no constant; one that is absent contradicts none."""
    for name, constant in constants:
        if name in value and not _equal(value[name], constant):
            return False
    return True


def _equal(one: object, other: object) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _exact(constant: object) -> object:
    """Return what tells a constant from others: 1 == True in Python, not in JSON."""
    return ("boolean", constant) if isinstance(constant, bool) else constant


def _resembles(value: dict[str, object], shape: Shape) -> bool:
    """Whether a value is an incomplete or odd value of the shape."""
    match resolve(shape):
        case Record() as record:
            like = _is_like(value, _candidate(0, record))
            return like and not value.keys().isdisjoint(record.properties)
        case Tagged() as tagged:
            member = tagged.member(value)
            if member is None or member is not tagged.untagged:
                return member is not None
            return _resembles(value, member)
        case Nullable(inner=inner):
            return _resembles(value, inner)
        case Choice(members=members):
            return any(_resembles(value, member) for member in members)
        case _:
            return False


def _familiar(value: dict[str, object], shape: Shape) -> int:
    """How many of the value's properties the shape declares."""
    match resolve(shape):
        case Record(properties=properties):
            return len(value.keys() & properties.keys())
        case Tagged() as tagged:
            member = tagged.member(value)
            return 0 if member is None else _familiar(value, member)
        case Nullable(inner=inner):
            return _familiar(value, inner)
        case Choice(members=members):
            return max((_familiar(value, member) for member in members), default=0)
        case _:
            return 0
