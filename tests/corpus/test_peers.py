"""Two judges of the same values: the models of a client, and pydantic's from ``specloom models``.

They are made of one reading of a description by programs that share nothing else. Where they
disagree, a rule below says why, and a third judge, of JSON Schema, says that it holds.
"""

from __future__ import annotations

import importlib
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import jsonschema_rs
import pytest
from pydantic import TypeAdapter, ValidationError

from specloom.diagnostics import Report
from specloom.json_schema import json_schema
from specloom.models.make import models
from specloom.models.names import class_names
from specloom.python.symbols import layout
from specloom.reading import read
from specloom.run import Run
from unit.models import imported

from .clients import Entry, entries, make
from .instances import Drawing

INSTANCES = 1_000
SAMPLE = ["museum", "ollama", "tgi"]


@dataclass(frozen=True)
class Verdicts:
    """What three judges say of one value: why ours and the peer refuse it, if they do."""

    ours: str | None
    peer: str | None
    schema: bool

    @property
    def agree(self) -> bool:
        """Whether ours and the peer accept it both, or both do not."""
        return (self.ours is None) == (self.peer is None)

    def explanation(self) -> str | None:
        """Return why the two disagree; None if nothing is known to be the reason."""
        for reason, holds in REASONS.items():
            if holds(self):
                return reason
        return None


LIMITS = re.compile(
    "expected (at (least|most)|(more|less) than|a multiple|text that|no item)"
    "|.* that fits no member of the union"
)

BOOLEAN = re.compile(r"got a boolean$|^expected (True|False), got (a number|an integer)$")

REASONS: dict[str, Callable[[Verdicts], bool]] = {
    "the peer reads null where a property may be missing": lambda v: (
        v.ours is not None and v.ours.startswith("null where") and not v.schema
    ),
    "to the peer, true is 1 and false is 0": lambda v: (
        v.ours is not None and BOOLEAN.search(v.ours) is not None and not v.schema
    ),
    "the peer reads a number as a decimal, which stands in text": lambda v: (
        v.ours is not None and v.ours.startswith("expected a decimal number") and not v.schema
    ),
    "to the peer, a decimal may stand in spaces; a schema leaves its format open": lambda v: (
        v.ours == "expected a decimal number" and v.peer is None and v.schema
    ),
    "the peer checks limits of properties, not of what is inside of lists and unions": lambda v: (
        v.ours is not None and LIMITS.match(v.ours) is not None and not v.schema
    ),
    "the peer narrows a tag to the values of its mapping": lambda v: (
        v.ours is None and v.peer == "literal_error" and v.schema
    ),
}
"""Why the two may disagree, and what is then so."""


@dataclass(frozen=True)
class Judges:
    """The three judges of one named type."""

    name: str
    ours: Callable[[bytes], Any]
    peer: TypeAdapter[Any]
    schema: Any

    def verdicts(self, value: object) -> Verdicts:
        """Return what they say of a value."""
        content = json.dumps(value).encode()
        found = self.ours(content)
        try:
            self.peer.validate_json(content, strict=True)
            refused = None
        except ValidationError as error:
            refused = error.errors()[0]["type"]
        ours = found[0].message if found else None
        return Verdicts(ours, refused, self.schema.is_valid(value))


def judged(entry: Entry, folder: Path) -> Iterator[tuple[Judges, object]]:
    """Yield values of the types of a description, each with its judges."""
    run = Run(entry.path)
    reading = read(run)
    api, config, lock = reading.api, reading.config, reading.lock
    peer = imported(models(api, config, lock, "pydantic", Report()))
    names = class_names(api, config, lock, "pydantic", Report())
    symbols = layout(api, "read", config.names, lock.models, Report()).symbols
    document = json_schema(api, names)
    drawing = Drawing(cast("dict[str, Any]", document["$defs"]), random.Random(entry.name))
    client = make(entry, folder)[1]
    sys.path.insert(0, str(folder / "src"))
    try:
        ours = importlib.import_module(f"{client.package.import_name}.models")
        decoder = importlib.import_module(f"{client.package.import_name}._runtime").Decoder
        each = max(4, INSTANCES // len(symbols) + 1)  # the first of a type is always valid
        for id_, symbol in symbols.items():
            judges = Judges(
                symbol.name,
                decoder(getattr(ours, symbol.name)).deviations,
                TypeAdapter(getattr(peer, names[id_])),
                jsonschema_rs.validator_for({**document, "$ref": f"#/$defs/{names[id_]}"}),
            )
            for _, value in zip(range(each), drawing.instances(names[id_]), strict=False):
                yield judges, value
    finally:
        sys.path.remove(str(folder / "src"))


def check(name: str, shared: Path, folder: Path) -> None:
    """Let the judges of a description speak; print what they said."""
    entry = next(e for e in entries(shared) if e.name == name)
    counts: Counter[str] = Counter()
    unexplained: list[tuple[str, str, Verdicts]] = []
    for judges, value in judged(entry, folder):
        found = judges.verdicts(value)
        counts["accepted" if found.ours is None else "refused"] += 1
        if not found.agree:
            reason = found.explanation()
            counts[reason or "unexplained"] += 1
            if reason is None:
                unexplained.append((judges.name, json.dumps(value), found))
    print(name, dict(counts))
    assert unexplained == []
    assert counts["accepted"] + counts["refused"] >= INSTANCES
    assert min(counts["accepted"], counts["refused"]) > INSTANCES / 20


@pytest.mark.parametrize("name", SAMPLE)
def test_models_of_a_sample_agree(name: str, shared: Path, tmp_path: Path) -> None:
    check(name, shared, tmp_path / "client")


@pytest.mark.corpus
def test_models_agree(shared: Path, tmp_path: Path, description: str) -> None:
    check(description, shared, tmp_path / "client")
