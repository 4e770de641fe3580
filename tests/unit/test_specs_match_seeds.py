"""The committed OpenAI descriptions say what the user's do, in words of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest
import yaml

Plain: TypeAlias = "Mapping[str, Plain] | Sequence[Plain] | str | int | float | None"
"""A document as plain values."""

SPECS = Path(__file__).resolve().parents[2] / "specs" / "openai"
DOCUMENTS = ("chat.yaml", "completions.yaml")

PROSE = frozenset({"summary", "description", "example", "examples", "x-oaiMeta"})
"""Keywords that may differ."""

NAMES = frozenset({"paths", "responses", "content", "schemas", "securitySchemes", "properties"})
"""Keywords whose keys are names: kept, and in order, even when one is called ``description``."""

DATA = frozenset({"default", "enum", "const"})
"""Keywords whose values are JSON, to be taken as they are."""


def load(path: Path) -> Plain:
    """Return a YAML document as plain values."""
    document: Plain = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return document


def facts(node: Plain, place: str = "", keyword: str = "") -> Iterator[str]:
    """Yield one line for each leaf of a description that is not prose.

    The lines tell ``1`` from ``1.0``, ``true`` and ``"1"``, which Python's equality does not, and
    they count the entries of lists and of maps of names, which makes order a part of the structure.
    """
    if keyword in DATA:
        yield f"{place} = {canonical(node)}"
    elif isinstance(node, Mapping):
        named = keyword in NAMES
        kept = [(key, value) for key, value in node.items() if named or key not in PROSE]
        if not kept:
            yield f"{place} = {{}}"
        for position, (key, value) in enumerate(kept):
            step = f"{position}:{key}" if named else key
            yield from facts(value, f"{place}/{step}", "" if named else key)
    elif isinstance(node, Sequence) and not isinstance(node, str):
        if not node:
            yield f"{place} = []"
        for position, value in enumerate(node):
            yield from facts(value, f"{place}/{position}")
    else:
        yield f"{place} = {canonical(node)}"


def canonical(value: Plain) -> str:
    """Return text that is equal for two values only if their types are equal, too."""
    return f"{type(value).__name__} {value!r}"


def texts(node: Plain) -> Iterator[str]:
    """Yield every string of a document, wherever it stands."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, Mapping):
        for value in node.values():
            yield from texts(value)
    elif isinstance(node, Sequence):
        for value in node:
            yield from texts(value)


def sentences(document: Plain) -> set[str]:
    """Return the sentences of eight words or more, without case, line breaks and full stops."""
    found: set[str] = set()
    for text in texts(document):
        for part in re.split(r"(?<=[.!?])\s+|\n\s*\n", text):
            words = part.casefold().strip().rstrip(".!?").split()
            if len(words) >= 8:
                found.add(" ".join(words))
    return found


@pytest.mark.parametrize("name", DOCUMENTS)
def test_structure_is_the_seeds(shared: Path, name: str) -> None:
    theirs = set(facts(load(shared / "seeds" / name)))
    ours = set(facts(load(SPECS / name)))
    assert sorted(theirs - ours) == [], "in the seed alone"
    assert sorted(ours - theirs) == [], "in ours alone"


def test_prose_is_our_own(shared: Path) -> None:
    theirs = set[str]().union(*(sentences(load(shared / "seeds" / name)) for name in DOCUMENTS))
    ours = set[str]().union(*(sentences(load(path)) for path in sorted(SPECS.glob("*.yaml"))))
    assert theirs and ours
    assert sorted(ours & theirs) == []


def test_a_property_may_be_called_description() -> None:
    schema: Plain = {"description": "prose", "properties": {"description": {"type": "string"}}}
    assert list(facts(schema)) == ["/properties/0:description/type = str 'string'"]


def test_order_of_properties_is_structure_and_order_of_keywords_is_not() -> None:
    one: Plain = {"type": "object", "properties": {"a": {}, "b": {}}}
    other: Plain = {"properties": {"a": {}, "b": {}}, "type": "object"}
    turned: Plain = {"type": "object", "properties": {"b": {}, "a": {}}}
    assert set(facts(one)) == set(facts(other)) != set(facts(turned))


@pytest.mark.parametrize(("one", "other"), [(1, 1.0), (1, True), (0, False), ("1", 1), (None, "")])
def test_equal_defaults_of_different_types_differ(one: Plain, other: Plain) -> None:
    assert set(facts({"default": one})) != set(facts({"default": other}))


def test_a_copied_sentence_is_found_however_it_is_wrapped() -> None:
    theirs = sentences({"description": "Short. One two three four five\nsix seven eight."})
    ours = sentences({"summary": "one two three Four five six  seven eight"})
    assert theirs == ours == {"one two three four five six seven eight"}
