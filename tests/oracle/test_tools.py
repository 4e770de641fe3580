"""What holds clients against JSON Schema would notice if they did not agree."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from specloom.description.load import load
from specloom.diagnostics import Report

from .causes import READ, UNCHECKED, Court
from .drawing import Drawer
from .mutation import bounds, mutate
from .patterns import draw_match
from .readers import Reader
from .schemas import READINGS, judge
from .shrinking import shrunk
from .trial import Effort, Tally, Trial


@pytest.fixture
def court(tmp_path: Path) -> Callable[..., Court]:
    """Makes the judges of schemas."""

    def made(version: str = "3.1.0", **schemas: object) -> Court:
        document = {
            "openapi": version,
            "info": {"title": "T", "version": "1"},
            "paths": {},
            "components": {"schemas": schemas},
        }
        path = tmp_path / "description.json"
        path.write_text(json.dumps(document), "utf-8")
        return Court(load(path, Report()))

    return made


PATTERNS = [
    "^[a-z]{2,4}$",
    r"^\d+(\.\d{1,2})?$",
    "^(cat|dog)s?$",
    r"^[^\s/]+$",
    r"\bword\b",
    "^(?:[A-F0-9]{2}:){5}[A-F0-9]{2}$",
    r"^\+?[1-9]\d{1,14}$",
    "^.{3,}$",
    r"^[\w.-]+@[\w-]+\.[a-z]{2,}$",
    "",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_drawn_text_matches(pattern: str) -> None:
    drawn = {draw_match(pattern, Random(seed)) for seed in range(50)}
    assert all(re.search(pattern, text) for text in drawn)
    assert len(drawn) > 1 or pattern in ("", r"\bword\b")


NODE = {
    "type": "object",
    "required": ["kind"],
    "properties": {
        "kind": {"const": "node"},
        "next": {"anyOf": [{"$ref": "#/components/schemas/Node"}, {"type": "null"}]},
        "size": {"type": "integer", "minimum": 1, "exclusiveMaximum": 9},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "maxItems": 2},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}], "items": False},
    },
    "additionalProperties": {"type": "string", "maxLength": 3},
}
NARROWED = {
    "allOf": [{"$ref": "#/components/schemas/Node"}],
    "required": ["size"],
    "properties": {"size": {"multipleOf": 4}},
}


def test_drawn_values_fit_and_changed_ones_often_do_not(court: Callable[..., Court]) -> None:
    judges = court(Node=NODE, Narrowed=NARROWED)
    drawer, limits = Drawer(judges.judge.definitions), bounds(judges.judge.definitions)
    for name in ("Node", "Narrowed"):
        validator, schema = judges.judge.validator(name), judges.judge.schema(name)
        drawn = [drawer.draw(schema, Random(seed)) for seed in range(100)]
        assert all(map(validator.is_valid, drawn))
        assert len({json.dumps(value) for value in drawn}) > 50
        changed = [mutate(value, limits, Random(seed)) for seed, value in enumerate(drawn)]
        assert 10 < sum(map(validator.is_valid, changed)) < 80


@pytest.mark.parametrize(
    ("reading", "schemas", "value"),
    [
        ("objects", {"A": {"properties": {"a": {"type": "string"}}}}, 1),
        ("formats", {"A": {"type": "string", "format": "date"}}, "yesterday"),
        ("null", {"A": {"anyOf": [{"type": "string"}, {"nullable": True}]}}, 1),
        ("choice", {"A": {"type": "array", "items": [{"type": "string"}]}}, ["a", 1]),
        ("one", {"A": {"oneOf": [{"type": "integer"}, {"type": "number"}]}}, 1),
        ("received", {"A": {"properties": {"a": {"type": "string", "writeOnly": True}}}}, {"a": 1}),
        (
            "tags",
            {
                "A": {
                    "anyOf": [{"$ref": "#/components/schemas/B"}],
                    "discriminator": {"propertyName": "t"},
                },
                "B": {"type": "object", "properties": {"t": {"type": "string"}}},
            },
            {"t": "C"},
        ),
    ],
)
def test_each_reading_explains_a_difference(
    court: Callable[..., Court], reading: str, schemas: dict[str, object], value: object
) -> None:
    judges = court(**schemas)
    literally = judges.literal.validator("A").is_valid(value)
    assert judges.judge.validator("A").is_valid(value) is not literally
    cause = judges.cause("A", value, client_accepts=not literally)
    assert cause == {str(name): why for name, why in READ.items()}[reading]
    assert judges.cause("A", value, client_accepts=literally) is not None or reading == "formats"


def test_a_keyword_that_is_not_checked_explains_a_difference(court: Callable[..., Court]) -> None:
    judges = court(A={"not": {"type": "string"}}, B={"type": "string"})
    assert judges.cause("A", "text", client_accepts=True) == UNCHECKED["not"]
    assert judges.cause("B", 1, client_accepts=True) is None
    assert judges.cause("B", "text", client_accepts=False) is None


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_dialects_become_one(court: Callable[..., Court], version: str) -> None:
    judges = court(
        version,
        A={"type": "number", "minimum": 0, "exclusiveMinimum": True},
        B={"$ref": "#/components/schemas/A", "nullable": True},
        C={"$ref": "#/components/schemas/A", "maximum": 5},
    )
    assert [judges.literal.validator("A").is_valid(value) for value in (0, 0.1)] == [False, True]
    assert judges.literal.validator("B").is_valid(None)
    assert judges.literal.validator("C").is_valid(6) is (version == "3.0.3")


def test_each_judge_of_a_description_is_made_once(court: Callable[..., Court]) -> None:
    judges = court(A={"type": "string"})
    assert judges.judge.names == judge(judges.description, READINGS).names


def test_shrinking_keeps_what_shows() -> None:
    value = {"a": [1, 2, {"b": "wrong", "c": 3}], "d": {"e": None}}

    def shows(smaller: Any) -> bool:
        return "wrong" in json.dumps(smaller)

    assert shrunk(value, shows) == {"a": [{"b": "wrong"}]}


@dataclass(frozen=True)
class Told:
    """A decoder that reads everything as it comes, and says what it is told to."""

    says: tuple[SimpleNamespace, ...] = ()
    reads: Callable[[bytes], object] = json.loads
    shape: object = None

    def decode(self, content: bytes) -> object:
        return self.reads(content)

    def deviations(self, content: bytes) -> tuple[SimpleNamespace, ...]:
        return self.says


def outcome(court: Court, decoder: Told, definition: str = "A") -> Tally:
    shapes = SimpleNamespace(resolve=same)
    reader = Reader(definition, decoder, lambda value: json.dumps(value).encode(), shapes, never)
    drawer = Drawer(court.judge.definitions)
    trial = Trial(court, reader, drawer, bounds(court.judge.definitions))
    return trial.run(Effort(draws=10, changes=10), Random(0))


def same(shape: object) -> object:
    return shape


def never(value: object, shape: object) -> bool:
    return False


def test_what_a_client_does_not_notice_is_found(court: Callable[..., Court]) -> None:
    tally = outcome(court(A={"type": "string", "maxLength": 3}), Told())
    assert tally.accepted and tally.rejected
    assert {defect.kind for defect in tally.defects} == {"missed"}


def test_what_a_client_refuses_without_reason_is_found(court: Callable[..., Court]) -> None:
    says = (SimpleNamespace(path="$", message="wrong"),)
    tally = outcome(court(A={"type": "array", "items": {"type": "string"}}), Told(says))
    assert {defect.kind for defect in tally.defects} == {"refused"}
    assert [] in [defect.value for defect in tally.defects]


def test_what_a_client_loses_is_found(court: Callable[..., Court]) -> None:
    def reads(content: bytes) -> object:
        value = json.loads(content)
        return float(value) if isinstance(value, int) else value

    tally = outcome(court(A={"type": "integer"}), Told(reads=reads))
    assert "changed" in {defect.kind for defect in tally.defects}
