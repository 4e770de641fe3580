"""Limits: what schemas demand of a value beyond its type, put together and in plain JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final, cast

from .. import ir
from ..diagnostics import Report
from .conjuncts import CHOICES, Flat
from .nodes import Node, is_node, items, node
from .vocabulary import CONDITIONS, NUMERIC, REFERENCES, TELLING, Words

_LOWER: Final = frozenset(
    "minimum exclusiveMinimum minLength minItems minProperties minContains".split()
)
_UPPER: Final = frozenset(
    "maximum exclusiveMaximum maxLength maxItems maxProperties maxContains".split()
)


def limits(flats: Iterable[Flat], words: Words, report: Report) -> ir.Constraints:
    """Return the limits that conjuncts set by these keywords, each in the form of JSON Schema.

    What refers to another schema cannot stand apart from it: it is reported and left out. So is,
    by whoever validates the description, what has not the form of a limit.
    """
    found: dict[str, object] = {}
    for flat in flats:
        for keyword, value in _bounds(flat.schema).items():
            if keyword not in words or not is_sound(keyword, value):
                continue
            if is_self_contained(value):
                add(found, keyword, value)
            else:
                message = f"{keyword!r} with a reference is not expressed in the client"
                report.warning("unsupported-keyword", message, flat.origin / keyword)
        report_contradictions(found, flat, report)
    return constraints(found)


def report_contradictions(found: Mapping[str, object], flat: Flat, report: Report) -> None:
    """Report pairs of limits that no value keeps to, at the schema that states one of them."""
    for lower, upper in _PAIRS:
        least, most = found.get(lower), found.get(upper)
        if not (_is_number(least) and _is_number(most)):
            continue
        low, high = cast(float, least), cast(float, most)
        is_open = "exclusive" in lower + upper
        stated = next((k for k in (upper, lower) if k in _bounds(flat.schema)), None)
        if stated is not None and (low > high or (is_open and low == high)):
            message = f"no value keeps to {lower!r} and {upper!r} both, {least} and {most}"
            report.warning("conflicting-limits", message, flat.origin / stated)


def _bounds(schema: Node) -> Node:
    """Return a schema with bounds as JSON Schema has them; OpenAPI 3.0 marks exclusive ones."""
    if not any(isinstance(schema.get(each), bool) for each in _EXCLUSIVE.values()):
        return schema
    found = dict(schema)
    for inclusive, exclusive in _EXCLUSIVE.items():
        if found.get(exclusive) is True and inclusive in found:
            found[exclusive] = found.pop(inclusive)
    return found


_PAIRS: Final = (
    ("minimum", "maximum"),
    ("exclusiveMinimum", "maximum"),
    ("minimum", "exclusiveMaximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
)
_EXCLUSIVE: Final = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}


def is_sound(keyword: str, value: object) -> bool:
    """Whether a value has the form that a keyword asks for."""
    if keyword in NUMERIC:
        return _is_number(value) and (keyword != "multipleOf" or cast(float, value) > 0)
    if keyword in _COUNTS:
        return _is_number(value) and cast(float, value) >= 0
    if keyword in ("contains", "contentSchema"):
        return is_node(value) or isinstance(value, bool)
    return isinstance(value, bool if keyword == "uniqueItems" else str)


_COUNTS: Final = _LOWER | _UPPER


def constraints(found: Mapping[str, object]) -> ir.Constraints:
    """Return limits as the IR has them."""
    return tuple((keyword, ir.constant(value)) for keyword, value in found.items())


def add(found: dict[str, object], keyword: str, value: object) -> None:
    """Add a limit to others: of two bounds the tighter holds, of two other limits both."""
    if keyword not in found or found[keyword] == value:
        found[keyword] = value
        return
    other = found[keyword]
    if keyword in _LOWER | _UPPER and _is_number(value) and _is_number(other):
        bounds = (cast(float, other), cast(float, value))
        found[keyword] = max(bounds) if keyword in _LOWER else min(bounds)
    elif keyword == "multipleOf" and (common := _common_multiple(value, other)) is not None:
        found[keyword] = common
    elif keyword == "uniqueItems":
        found[keyword] = True in (value, other)
    elif keyword == "dependentRequired":
        found[keyword] = {**node(other), **node(value)}
    elif keyword == "required":
        found[keyword] = list(dict.fromkeys([*items(other), *items(value)]))
    else:
        found["allOf"] = [*items(found.get("allOf")), {keyword: value}]


def _common_multiple(one: object, other: object) -> float | None:
    """Return the least number that is a multiple of both, as they are written."""
    if not (_is_number(one) and _is_number(other)):
        return None
    first, second = Fraction(str(one)), Fraction(str(other))
    whole = math.lcm(first.numerator, second.numerator)
    found = Fraction(whole, math.gcd(first.denominator, second.denominator))
    if found.denominator == 1:
        return int(found)
    return float(found) if Fraction(str(float(found))) == found else None


def conditions(flats: Iterable[Flat], report: Report) -> ir.Constraints:
    """Return what ``not``, ``if`` and ``dependentSchemas`` demand, and report each.

    No type says such a thing. Where it refers to no other schema it is kept as a limit.
    """
    found: dict[str, object] = {}
    for flat in flats:
        if any(map(is_node, node(flat.schema.get("dependencies")).values())):
            message = "what the schemas of 'dependencies' demand is not part of the type"
            report.warning("untyped-condition", message, flat.origin / "dependencies")
        if flat.schema.keys().isdisjoint(CONDITIONS):
            continue
        for keyword in ("not", "if", "dependentSchemas"):
            if keyword in flat.schema:
                message = f"what {keyword!r} demands is not part of the type"
                report.warning("untyped-condition", message, flat.origin / keyword)
        stated = {k: v for k, v in flat.schema.items() if k in CONDITIONS}
        if all(is_node(v) or isinstance(v, bool) for v in stated.values()) and all(
            is_self_contained(value) for value in stated.values()
        ):
            if "if" in stated and "if" in found:
                add(found, "allOf", [stated])
            else:
                for keyword, value in stated.items():
                    add(found, keyword, value)
    return constraints(found)


def presence(flats: Iterable[Flat]) -> dict[str, object]:
    """Return the choices that only say which properties must be there, as limits."""
    found: dict[str, object] = {}
    for flat in flats:
        for keyword in CHOICES:
            branches = items(flat.schema.get(keyword))
            if is_presence(branches):
                add(found, keyword, [_presence(branch) for branch in branches])
    return found


def is_presence(branches: Iterable[object]) -> bool:
    """Whether branches of a union say no more than which properties must be there."""
    stated = [node(branch) for branch in branches]
    telling = [branch.keys() & _SAYING for branch in stated]
    return (
        any("required" in keys for keys in telling)
        and all(isinstance(branch.get("required", []), list) for branch in stated)
        and all(keys <= {"required", "not"} for keys in telling)
        and all(branch.get("type", "object") == "object" for branch in stated)
        and all(_forbids_properties(branch.get("not", {"required": []})) for branch in stated)
    )


_SAYING: Final = (TELLING | {*REFERENCES, "allOf"}) - {"type"}


def _forbids_properties(denied: object) -> bool:
    stated = node(denied)
    return stated.keys() <= {"required"} or (
        list(stated) == ["anyOf"] and is_presence(items(stated["anyOf"]))
    )


def _presence(branch: object) -> object:
    return {k: v for k, v in node(branch).items() if k in ("required", "not")}


def is_self_contained(value: object) -> bool:
    """Whether a part of a schema refers to no other schema."""
    if is_node(value):
        stated = node(value)
        return not stated.keys() & set(REFERENCES) and all(map(is_self_contained, stated.values()))
    return all(map(is_self_contained, items(value)))


def _is_number(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return math.isfinite(value)
