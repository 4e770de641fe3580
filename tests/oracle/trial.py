"""Values of one component, held against JSON Schema and against the client."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from .causes import ALIKE, Court
from .drawing import Drawer, Impossible
from .mutation import mutate
from .readers import Reader
from .shrinking import shrunk
from .unread import unread

_SHOWN = 2
"""How many values are kept that show one kind of defect of a component."""

Kind = Literal["refused", "missed", "changed", "unread"]
"""What is wrong.

* ``refused``: JSON Schema accepts the value, and the client reports a deviation;
* ``missed``: JSON Schema rejects the value, and the client reports none;
* ``changed``: what the client dumps is not what it read;
* ``unread``: nothing departs from the description, and yet a part was not read as declared.
"""


@dataclass(frozen=True)
class Defect:
    """A value that the client does not treat as JSON Schema says, for no known cause."""

    kind: Kind
    component: str
    value: object
    said: str
    """What the client reports, or what JSON Schema does."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.component}: {json.dumps(self.value)}: {self.said}"


@dataclass
class Tally:
    """What came of many values."""

    accepted: int = 0
    rejected: int = 0
    """How many JSON Schema accepts and rejects, by the word of the schemas."""
    causes: Counter[str] = field(default_factory=Counter[str])
    """How often the client differs from it, by cause."""
    defects: list[Defect] = field(default_factory=list[Defect])
    never: list[str] = field(default_factory=list[str])
    """The components of which no accepted value was drawn."""

    def add(self, other: Tally) -> None:
        """Add what came of other values."""
        self.accepted += other.accepted
        self.rejected += other.rejected
        self.causes += other.causes
        self.defects += other.defects
        self.never += other.never


@dataclass(frozen=True)
class Effort:
    """How many values of each component are drawn, and how many changes of each are tried."""

    draws: int
    changes: int


@dataclass(frozen=True)
class Trial:
    """The trial of one component."""

    court: Court
    reader: Reader
    drawer: Drawer
    limits: Sequence[int | float]

    def run(self, effort: Effort, random: Random) -> Tally:
        """Draw values, change them, and hold all of them against JSON Schema and the client."""
        tally = Tally()
        for value in self._values(effort, random):
            self._judge(value, tally)
        if not tally.accepted:
            tally.never.append(self.reader.component)
        return tally

    def _values(self, effort: Effort, random: Random) -> Iterator[object]:
        schema = self.court.judge.schema(self.reader.component)
        for turn in range(effort.draws):
            try:
                value = self.drawer.draw(schema, random, budget=1 + turn % 5)
            except Impossible:
                continue
            yield value
            for _ in range(effort.changes):
                yield mutate(value, self.limits, random)

    def _judge(self, value: object, tally: Tally) -> None:
        component = self.reader.component
        valid = self.court.literal.validator(component).is_valid(value)
        tally.accepted += valid
        tally.rejected += not valid
        for kind in self._wrong(value):
            cause = None
            if kind in ("refused", "missed"):
                cause = self.court.cause(component, value, client_accepts=kind == "missed")
            elif kind == "unread":
                cause = ALIKE if not self._unread(value, alike=False) else None
            if cause is not None:
                tally.causes[cause] += 1
            elif sum(one.kind == kind for one in tally.defects) < _SHOWN:
                tally.defects.append(self._defect(kind, value))

    def _wrong(self, value: object) -> Iterator[Kind]:
        """Yield what is wrong with how the client reads a value."""
        content = json.dumps(value).encode()
        departs = bool(self.reader.departures(content))
        read = self.reader.read(content)
        if exact(self.reader.dump(read)) != exact(value):
            yield "changed"
        if not departs and self._unread(value):
            yield "unread"
        if self.court.literal.validator(self.reader.component).is_valid(value) is departs:
            yield "refused" if departs else "missed"

    def _unread(self, value: object, *, alike: bool = True) -> list[str]:
        read = self.reader.read(json.dumps(value).encode())
        return unread(value, read, self.reader, alike=alike)

    def _defect(self, kind: Kind, value: object) -> Defect:
        """Return a defect with a value that is as small as it shows it."""
        component = self.reader.component

        def shows(smaller: object) -> bool:
            if kind not in self._wrong(smaller):
                return False
            accepts = kind == "missed"
            match kind:
                case "changed":
                    return True
                case "unread":
                    return bool(self._unread(smaller, alike=False))
                case _:
                    return self.court.cause(component, smaller, client_accepts=accepts) is None

        small = shrunk(value, shows)
        content = json.dumps(small).encode()
        match kind:
            case "refused":
                said = "; ".join(self.reader.departures(content))
            case "missed":
                errors = self.court.judge.validator(component).iter_errors(small)
                said = "; ".join(f"{error.kind.name}: {error.message}" for error in errors)
            case "changed":
                said = exact(self.reader.dump(self.reader.read(content)))
            case "unread":
                said = "; ".join(self._unread(small, alike=False))
        return Defect(kind, component, small, said)


def exact(value: object) -> str:
    """Return a JSON value as text that tells 1, 1.0 and true apart, whatever the order of keys."""
    return json.dumps(value, sort_keys=True)
