"""Envelopes: schemas that describe a server-sent event with its fields, instead of its data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .. import ir
from ..diagnostics import Origin
from .kinds import constants
from .lowering import Placed
from .nodes import Node, items, node
from .schemas import Schemas
from .unions import union

FIELDS = frozenset({"event", "id", "data", "retry"})
"""The fields of a server-sent event (WHATWG HTML §9.2.5)."""

_DEEPEST = 20
"""How many references and branches are followed: enough, and no loop."""

Fields = Mapping[str, tuple[Placed, ...]]
"""What is stated of each field, by every schema that states something."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What the data of events is: in all, by the names of events, and at the end of a stream."""

    item: ir.Type
    text: bool = False
    events: tuple[ir.Event, ...] = ()
    end: str | None = None


@dataclass(frozen=True, slots=True)
class Envelopes:
    """Recognises envelopes, and lowers what is in them."""

    schemas: Schemas

    def opened(self, schema: object, origin: Origin, place: ir.Inline) -> Opened | None:
        """Return what is in an envelope; None for a schema that is none.

        It is an object, or a choice of several, that has the property ``data`` and otherwise only
        those of an event. Data whose only value is a text that is no JSON marks the end, such as
        ``[DONE]``; one with a name of its own does so only in brackets.
        """
        branches = list(self._branches(Placed(schema, origin), {}, 0))
        if not all("data" in fields and fields.keys() <= FIELDS for fields in branches):
            return None
        kept: list[tuple[list[str], ir.Type, bool]] = []
        end: str | None = None
        for fields in branches:
            names = [n for n in self._constants(fields.get("event", ())) if isinstance(n, str)]
            mark = self._mark(fields["data"])
            if mark is not None and (mark.startswith("[") or not names):
                end = mark
                continue
            part = f"{place.part} {names[0]}" if len(branches) > 1 and len(names) == 1 else None
            inner = place if part is None else replace(place, part=part)
            kept.append((names, *self._data(fields["data"], inner)))
        if not kept:
            return None
        item = union([type_ for _, type_, _ in kept])
        events = tuple(ir.Event(n, type_, text) for names, type_, text in kept for n in names)
        texts = {text for *_, text in kept}
        distinct = {event.name for event in events}
        decides = len(kept) > 1 and all(n for n, *_ in kept) and len(distinct) == len(events)
        if not decides:
            return Opened(item if len(texts) == 1 else ir.UNKNOWN, texts == {True}, (), end)
        return Opened(item, False, events, end)

    def _branches(self, placed: Placed, outer: Fields, depth: int) -> Iterator[Fields]:
        """Yield the fields that each kind of event has."""
        stated, origin = self.followed(placed)
        if depth > _DEEPEST:
            return
        found = [(stated, origin)]
        for index, part in enumerate(items(stated.get("allOf"))):
            found.append(self.followed(Placed(part, origin / "allOf" / index)))
        fields = dict(outer)
        choices: list[Placed] = []
        for each, at in found:
            for name, schema in node(each.get("properties")).items():
                inner = Placed(schema, at / "properties" / name)
                fields[name] = (*fields.get(name, ()), inner)
            for keyword in ("oneOf", "anyOf"):
                choices += [
                    Placed(branch, at / keyword / index)
                    for index, branch in enumerate(items(each.get(keyword)))
                ]
        if not choices:
            yield fields
        for choice in choices:
            yield from self._branches(choice, fields, depth + 1)

    def _mark(self, data: Sequence[Placed]) -> str | None:
        """Return the text that ends a stream, where that is all that the data can be."""
        values = self._constants(data)
        if len(values) != 1 or not isinstance(values[0], str):
            return None
        try:
            json.loads(values[0])
        except ValueError:
            return values[0]
        return None

    def _data(self, data: Sequence[Placed], place: ir.Inline) -> tuple[ir.Type, bool]:
        """Return what data is, and whether it is text as it is.

        A string with ``contentSchema`` is JSON in text, and so is what is no string at all: that
        is how data looks once it is decoded.
        """
        followed = [self.followed(each) for each in data]
        for stated, origin in reversed(followed):
            if "contentSchema" in stated:
                at = origin / "contentSchema"
                return self.schemas.lower(stated["contentSchema"], at, place), False
        if any(stated.get("contentMediaType") == "application/json" for stated, _ in followed):
            return ir.UNKNOWN, False
        schema, origin = data[-1]
        type_ = self.schemas.lower(schema, origin, place)
        return type_, is_text(type_)

    def _constants(self, placed: Sequence[Placed]) -> Sequence[object]:
        """Return the values that are listed last."""
        listed = [constants(self.followed(each)[0]) for each in placed]
        return next((values for values in reversed(listed) if values), ())

    def followed(self, placed: Placed) -> tuple[Node, Origin]:
        """Return a schema, or the one that it refers to, and where that is."""
        schema, origin = placed
        description = self.schemas.description
        for _ in range(_DEEPEST):
            stated = node(schema)
            ref = stated.get("$ref")
            target = description.resolve(ref, origin) if isinstance(ref, str) else None
            if target is None:
                return stated, origin
            schema, origin = description.lookup(target), target
        return {}, origin


def is_text(type_: ir.Type) -> bool:
    """Whether a type is that of texts alone, so that data of it is not JSON but itself."""
    match type_:
        case ir.Primitive(kind):
            return kind == "string"
        case ir.Literal(values):
            return all(isinstance(ir.value_of(value), str) for value in values)
        case _:
            return False
