"""Limits that concern several parts of a value at once, in sentences."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from .. import ir

_LONGEST = 160
"""How long a part of a schema may be that is shown as it is."""


def demands(constraints: ir.Constraints) -> Iterator[str]:
    """Yield what limits demand, in a sentence each; those of single numbers and texts aside."""
    found = {keyword: ir.value_of(value) for keyword, value in constraints}
    for keyword, value in found.items():
        match keyword:
            case "enum":
                yield f"One of {_listed(map(_code, value), 'or')}."
            case "required":
                yield f"{_named(value)} {_is(value)} needed."
            case "anyOf" | "oneOf":
                yield _presence(keyword, value)
            case "dependentRequired":
                for name, needed in value.items():
                    yield f"With `{name}`, {_named(needed)} {_is(needed)} needed."
            case "propertyNames":
                yield from _names(value)
            case "contains":
                yield from _contained(found)
            case "not":
                yield from _denied(value)
            case "allOf":
                for each in value:
                    yield from demands(tuple((k, ir.constant(v)) for k, v in each.items()))
            case _:
                continue


def _presence(keyword: str, branches: Sequence[Mapping[str, Any]]) -> str:
    """Return which properties must be there, of several choices."""
    choices = [_choice(branch) for branch in branches]
    several = any(" " in choice for choice in choices)
    if several:
        return f"Either {_listed(choices, 'or')}{'' if keyword == 'anyOf' else ', not both'}."
    count = "At least" if keyword == "anyOf" else "Exactly"
    return f"{count} one of {_listed(choices, 'and')} is needed."


def _choice(branch: Mapping[str, Any]) -> str:
    denied = _forbidden(branch.get("not", {}))
    needed = _named(branch.get("required", []))
    without = f"without {_listed(denied, 'and')}" if denied else ""
    return " ".join(part for part in (needed, without) if part) or "neither"


def _forbidden(denied: Mapping[str, Any]) -> list[str]:
    """Return what must not be there: properties, or several of them together."""
    inner: object = denied.get("anyOf")
    several = cast("list[object]", inner) if isinstance(inner, list) else []
    branches = [denied, *map(_object, several)]
    required: list[object] = [branch.get("required") for branch in branches]
    names = [cast("list[object]", each) for each in required if isinstance(each, list) and each]
    return [_named(each) + (" together" if len(each) > 1 else "") for each in names]


def _names(limits: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the names of entries must be like."""
    if "enum" in limits:
        yield f"Each key is one of {_named(limits['enum'], 'or')}."
    for keyword, words in (("minLength", "at least"), ("maxLength", "at most")):
        if keyword in limits:
            count = limits[keyword]
            yield f"Each key has {words} {count} character{'' if count == 1 else 's'}."
    patterns = [limits, *limits.get("anyOf", [])]
    matched = [f"`{each['pattern']}`" for each in patterns if "pattern" in each]
    declared = any("enum" in each for each in limits.get("anyOf", []))
    if matched:
        other = "other key" if declared else "key"
        yield f"Each {other} matches {_listed(matched, 'or')}."


def _contained(limits: Mapping[str, Any]) -> Iterator[str]:
    least, most = limits.get("minContains", 1), limits.get("maxContains")
    bounds = f"at least {least}" + ("" if most is None else f" and at most {most}")
    yield f"Has {bounds} of {_code(limits['contains'])}."


def _object(schema: object) -> Mapping[str, Any]:
    """Return a part of a schema that is an object, or an empty one in place of anything else."""
    return cast("Mapping[str, Any]", schema) if isinstance(schema, dict) else {}


def _denied(schema: object) -> Iterator[str]:
    names = _forbidden(_object(schema))
    if names:
        yield f"Without {_listed(names, 'and')}."
    elif len(shown := _code(schema)) <= _LONGEST:
        yield f"Not {shown}."


def _named(names: Iterable[object], word: str = "and") -> str:
    return _listed((f"`{name}`" for name in names), word)


def _listed(parts: Iterable[str], word: str) -> str:
    *first, last = list(parts) or [""]
    return f"{', '.join(first)} {word} {last}" if first else last


def _is(names: Sequence[object]) -> str:
    return "is" if len(names) == 1 else "are"


def _code(value: object) -> str:
    return f"`{json.dumps(value, ensure_ascii=False)}`"
