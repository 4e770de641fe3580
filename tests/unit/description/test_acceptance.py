"""What takes minutes: all real descriptions, thousands of damaged ones. ``make corpus`` runs it."""

from __future__ import annotations

import csv
import json
import random
import signal
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import openapi_spec_validator
import pytest

from specloom.description.load import load
from specloom.description.values import is_list, is_mapping
from specloom.diagnostics import Origin
from specloom.formats import write
from specloom.run import Run
from specloom.summary import located
from specloom.validation import inspect

from .test_fuzz import mutated

pytestmark = pytest.mark.corpus
FOLDER = Path(__file__).resolve().parents[4] / "shared" / "corpus"
ROWS = (
    list(csv.DictReader((FOLDER / "index.csv").open()))
    if FOLDER.is_dir()
    else [{"name": "none", "entry": ""}]
)
VALIDATORS = {
    "2.0": openapi_spec_validator.OpenAPIV2SpecValidator,
    "3.0": openapi_spec_validator.OpenAPIV30SpecValidator,
    "3.1": openapi_spec_validator.OpenAPIV31SpecValidator,
    "3.2": openapi_spec_validator.OpenAPIV32SpecValidator,
}


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remember no verdicts."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def inspected(path: Path) -> Run:
    """Return what is found in a description, written in every format without a crash."""
    run = Run(path)
    inspect(run)
    found = sorted(located(run), key=lambda one: one.position)
    for style in ("text", "json", "github", "sarif"):
        for line in write(found, str(path), style):
            line.encode()
    return run


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_every_finding_of_the_validator_is_said_at_its_line(
    shared: Path, row: dict[str, str]
) -> None:
    path = shared / "corpus" / row["entry"]
    run = inspected(path)
    places = Counter(one.position for one in located(run))
    assert not run.report.failed
    for position in places:
        assert 1 <= position.line <= Path(position.path).read_text("utf-8").count("\n") + 1
    description = load(path, run.report).authored
    validator = VALIDATORS[description.version[:3]](
        cast(Any, description.value), base_uri=path.as_uri()
    )
    # What has a place of its own is at it, or more exactly inside of it; the rest is counted.
    lines = {(place.path, place.line) for place in places}
    inside = {at for one in located(run) for at in above(one.diagnostic.origin)}
    checked = 0
    for found in findings(validator, row.get("validator") == "crash"):
        origin = Origin(description.entry)
        for token in found.absolute_path:
            origin /= token
        position = description.position(origin)
        if found.absolute_path and is_written(description.value, origin):
            assert origin in inside or (position.path, position.line) in lines, found
        checked += 1
    assert sum(places.values()) >= max(checked, int(row.get("validator_errors") or 0))


def findings(validator: Any, crashes: bool) -> Iterator[Any]:
    """Yield what the library finds, until it crashes if it is known to."""
    try:
        yield from validator.iter_errors()
    except Exception:
        if not crashes:
            raise


def above(origin: Origin) -> Iterator[Origin]:
    """Yield an origin and those of all that it is in."""
    pointer = origin.pointer
    while pointer:
        yield Origin(origin.uri, pointer)
        pointer = pointer.rpartition("/")[0]


def is_written(value: object, origin: Origin) -> bool:
    """Return whether there is anything at an origin; findings in values have other paths."""
    for token in origin.tokens:
        if is_mapping(value) and token in value:
            value = value[token]
        elif is_list(value) and token.isdecimal() and int(token) < len(value):
            value = value[int(token)]
        else:
            return False
    return True


@contextmanager
def no_hang(what: object) -> Generator[None]:
    """Fail after a minute."""

    def late(*_: object) -> None:
        raise AssertionError(f"{what} takes too long")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("seed", range(20))
def test_damaged_descriptions(shared: Path, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    sources = sorted([*(shared / "cases").glob("*.yaml"), *(shared / "seeds").glob("*.yaml")])
    real = [FOLDER / n for n in ("tgi/openapi.json", "museum/openapi.yaml", "ollama/openapi.yaml")]
    for count in range(100):
        source = chance.choice(real if count % 5 == 0 else sources)
        path = tmp_path / source.name
        path.write_bytes(mutated(source.read_bytes(), chance))
        with no_hang((seed, count)):
            inspected(path)


def changed(value: object, chance: random.Random, pool: list[object]) -> object:
    """Return a value in which some parts have been swapped for other values."""
    if chance.random() < 0.01:
        return chance.choice(pool)
    if is_mapping(value):
        kept = {k: changed(v, chance, pool) for k, v in value.items() if chance.random() > 0.005}
        if chance.random() < 0.02 and kept:
            kept["$ref"] = chance.choice(["#/components/schemas/" + k for k in kept] or ["#"])
        return kept
    if is_list(value):
        return [changed(item, chance, pool) for item in value]
    return value


@pytest.mark.parametrize("seed", range(10))
def test_descriptions_with_other_values_in_them(shared: Path, tmp_path: Path, seed: int) -> None:
    chance = random.Random(1000 + seed)
    pool: list[object] = [None, True, 3, -1, 1e300, "", "x", "null", [], {}, [[]], {"$ref": "#"}]
    pool += [{"$ref": 3}, {"type": []}, {"enum": []}, ["a", 1, None], {"": {"": 0}}, "\udcff"[:0]]
    sources = [FOLDER / n for n in ("tgi/openapi.json", "superset/superset.json")]
    sources += sorted((shared / "cases").glob("*.yaml"))
    for count in range(100):
        source = sources[0] if count % 10 == 0 else chance.choice(sources[2:])
        description = load(source, Run(source).report)
        path = tmp_path / "api.json"
        path.write_text(json.dumps(changed(description.authored.value, chance, pool)), "utf-8")
        with no_hang((seed, count)):
            inspected(path)
