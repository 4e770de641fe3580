"""Constants: ``const`` and ``enum`` (JSON Schema Validation §6.1.2 and §6.1.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from .. import ir
from ..description.load import Description
from ..diagnostics import Report
from .conjuncts import Flat
from .kinds import Kinds, constants, is_of, of_types
from .nodes import items
from .unions import union
from .vocabulary import ALL


def listed(
    flats: Sequence[Flat], description: Description, report: Report
) -> Sequence[object] | None:
    """Return the constants that all conjuncts list; None where none of them lists any.

    They stand in the order of the shortest list, which narrows the others down. Constants that
    contradict the type of their own schema are reported and left out.
    """
    lists = [
        own
        for flat in flats
        if (values := constants(flat.schema)) is not None
        and (own := _own(flat, values, description, report))
    ]
    if not lists:
        return None
    sets = [{ir.constant(value) for value in each} for each in lists]
    return [
        value for value in min(lists, key=len) if all(ir.constant(value) in each for each in sets)
    ]


def _own(
    flat: Flat, values: Sequence[object], description: Description, report: Report
) -> list[object]:
    """Return the constants of one schema, as its author spelled them and of its type."""
    types = of_types(flat.schema.get("type"))
    is_const = "const" in flat.schema
    at = flat.origin / ("const" if is_const else "enum")
    found: list[object] = []
    if is_const:
        _report_const(flat, types, report)
    for index, value in enumerate(values):
        if value is None or (types == ALL or is_of(value, types)):
            is_whole = isinstance(value, float) and types <= {"integer", "null"}
            found.append(int(cast(float, value)) if is_whole else value)  # 2.0 is the integer 2
            continue
        place = at if is_const else at / index
        if types <= {"string", "null"} and isinstance(value, int | float):
            # Written without quotes, 007 and no mean what the author wrote.
            found.append(description.text(place) or str(value))
            if is_const:
                message = f"{value!r} is no string; it is read as {found[-1]!r}"
                report.warning("unsupported-enum", message, place)
        else:
            message = f"{value!r} is not of the type that is stated, and is left out"
            report.warning("unsupported-enum", message, place)
    return found


def _report_const(flat: Flat, types: Kinds, report: Report) -> None:
    """Report a constant that contradicts what stands beside it, and is followed all the same."""
    value, enum = flat.schema["const"], items(flat.schema.get("enum"))
    at = flat.origin / "const"
    if value is None and "null" not in types and not flat.nullable:
        message = "null is not of the type that is stated; it is read all the same"
        report.warning("unsupported-enum", message, at)
    elif enum and ir.constant(value) not in map(ir.constant, enum):
        message = f"{value!r} is none of the values that 'enum' lists; 'const' is followed"
        report.warning("unsupported-enum", message, at, flat.origin / "enum")


def literals(values: Sequence[object], kinds: Kinds) -> ir.Type:
    """Return the type of constants, null apart, as far as they are of these kinds.

    Lists and objects are no constants of any language: they are typed by what they hold, and
    limited to those that are listed.
    """
    kept = [value for value in values if value is not None and is_of(value, kinds)]
    scalars = [value for value in kept if isinstance(value, str | int | float)]
    members: list[ir.Type] = []
    if scalars:
        members.append(ir.Literal(tuple(dict.fromkeys(ir.constant(v) for v in scalars))))
    lists = [cast("list[object]", value) for value in kept if isinstance(value, list)]
    if lists:
        inner = _all(each for value in lists for each in value)
        members.append(ir.Array(inner, (("enum", ir.constant(lists)),)))
    objects = [cast("Mapping[str, object]", value) for value in kept if isinstance(value, dict)]
    if objects:
        inner = _all(each for value in objects for each in value.values())
        members.append(ir.Map(inner, (("enum", ir.constant(objects)),)))
    return union(members) if members else ir.NEVER


def _all(values: Iterable[object]) -> ir.Type:
    """Return the type of constants, null among them."""
    members = [ir.NULL if value is None else literals([value], ALL) for value in values]
    return union(members) if members else ir.NEVER
