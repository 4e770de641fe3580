"""What authors say in words about single values and patterns, by extensions and by keywords."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from .kinds import constants
from .nodes import Node, items, node, text
from .patterns import matches_all

_LONGEST = 120
"""How many characters of a schema are shown."""

_NAMES = ("x-enum-varnames", "x-enumNames", "x-enum-names")
_DOCS = ("x-enum-descriptions", "x-enumDescriptions", "x-enum-description")
_OBJECTS = ("x-ms-enum", "x-enum-values")


def remarks(schema: Node) -> str | None:
    """Return paragraphs about the values that a schema lists and the names that it has patterns of.

    Each is in Markdown; None where there is nothing to say.
    """
    paragraphs = [*_values(schema), *_patterns(schema)]
    return "\n\n".join(paragraphs) or None


def _values(schema: Node) -> Iterator[str]:
    """Yield what is said about constants, be it those of the items of a list."""
    values = constants(schema) or ()
    if not values:
        inner = node(schema.get("items"))
        if "$ref" not in inner and constants(inner):
            yield from _values(inner)
        return
    names, docs = _by_value(schema, values, _NAMES), _by_value(schema, values, _DOCS)
    for key, name, doc in _described(schema):
        names.setdefault(key, name)
        docs.setdefault(key, doc)
    lines: list[str] = []
    for key in map(_key, values):
        name, doc = names.get(key), docs.get(key)
        said = ": ".join(part for part in (name if name != key else None, doc) if part)
        if said:
            lines.append(f"- `{key}`: {said}")
    if lines:
        yield "Values:"
        yield "\n".join(lines)


def _by_value(schema: Node, values: object, extensions: tuple[str, ...]) -> dict[str, str | None]:
    """Return texts by the values that they are about: a list beside theirs, or an object."""
    found: dict[str, str | None] = {}
    for extension in extensions:
        stated = schema.get(extension)
        for value, said in zip(items(values), items(stated), strict=False):
            found.setdefault(_key(value), _line(said))
        for value, said in node(stated).items():
            found.setdefault(value, _line(said))
    return found


def _described(schema: Node) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield value, name and description from the extensions that have an object for each value."""
    for extension in _OBJECTS:
        stated = schema.get(extension)
        for each in items(stated) or items(node(stated).get("values")):
            one = node(each)
            value = next((one[k] for k in ("value", "numericValue") if k in one), None)
            name = next((one[k] for k in ("name", "identifier") if k in one), None)
            if value is not None:
                yield _key(value), _line(name), _line(one.get("description"))


def _patterns(schema: Node) -> Iterator[str]:
    """Yield which names have values of their own type, where no type can tell them apart."""
    patterns: Mapping[str, object] = node(schema.get("patternProperties"))
    if schema.get("additionalProperties") is False:
        return
    denied = [pattern for pattern, value in patterns.items() if value is False]
    typed = {p: v for p, v in patterns.items() if p not in denied and not matches_all(p)}
    if typed and schema.get("additionalProperties", True) is True:  # which no type tells apart
        yield from (
            f"The value of a name that matches `{p}` is {shown(v)}." for p, v in typed.items()
        )
    elif typed:
        yield f"Names that match {_listed(typed)} have other types than the rest."
    if denied:
        yield f"No name matches {_listed(denied)}."


def shown(schema: object) -> str:
    """Return a schema in Markdown where no type says what it does, shortened if it is long."""
    text = json.dumps(schema, ensure_ascii=False, default=str)
    return f"`{text}`" if len(text) <= _LONGEST else f"`{text[:_LONGEST]}...`"


def _listed(patterns: Iterable[str]) -> str:
    return " or ".join(f"`{pattern}`" for pattern in patterns)


def _key(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _line(said: object) -> str | None:
    """Return text on one line."""
    found = text(said)
    return None if found is None else " ".join(found.split())
