"""Real descriptions: all of them load, every reference of theirs leads somewhere."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from specloom.description.document import no_collection
from specloom.description.load import Description, load
from specloom.description.values import is_list, is_mapping
from specloom.diagnostics import Origin, Report

FOLDER = Path(__file__).resolve().parents[4] / "shared" / "corpus"
ENTRIES = (
    [row["entry"] for row in csv.DictReader((FOLDER / "index.csv").open())]
    if FOLDER.is_dir()
    else [""]
)


def references(description: Description, report: Report) -> Iterator[tuple[str, Origin | None]]:
    """Yield every reference within reach and its target."""
    seen = {Origin(description.entry)}
    waiting: list[tuple[object, Origin]] = [(description.value, Origin(description.entry))]
    while waiting:
        value, origin = waiting.pop()
        if is_mapping(value):
            ref = value.get("$ref")
            if isinstance(ref, str):
                target = description.target(ref, origin / "$ref", report)
                yield ref, target
                if target is not None and target not in seen and target.uri != description.entry:
                    seen.add(target)
                    waiting.append((description.lookup(target), target))
            waiting += [(child, origin / key) for key, child in value.items()]
        elif is_list(value):
            waiting += [(child, origin / index) for index, child in enumerate(value)]


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_real_description_loads(shared: Path, entry: str) -> None:
    report = Report()
    description = load(shared / "corpus" / entry, report)
    count = 0
    for ref, target in references(description, report):
        count += 1
        assert target is not None, ref
    assert count > 10
    assert {d.code for d in report.diagnostics} <= {"null-type"}
    for diagnostic in report.diagnostics[:5]:
        position = description.position(diagnostic.origin)
        line = Path(position.path).read_text().splitlines()[position.line - 1]
        assert "null" in line[position.column - 1 :]


@pytest.mark.parametrize("entry", ["openai/openapi.yaml", "discord/openapi.json"])
def test_every_position_is_that_of_its_key(shared: Path, entry: str) -> None:
    path = shared / "corpus" / entry
    description = load(path, Report())
    lines = path.read_text().split("\n")
    waiting: list[tuple[object, Origin]] = [(description.value, Origin(description.entry))]
    checked = 0
    while waiting:
        value, origin = waiting.pop()
        if is_list(value):
            waiting += [(child, origin / index) for index, child in enumerate(value)]
        elif is_mapping(value):
            for key, child in value.items():
                waiting.append((child, origin / key))
                position = description.position(origin / key)
                written = lines[position.line - 1][position.column - 1 :].lstrip("\"'")
                assert written.startswith(key.replace('"', '\\"')), position
                checked += 1
    assert checked > 10_000


def test_loading_leaves_the_garbage_collector_as_it_was() -> None:
    import gc

    assert gc.isenabled()
    with no_collection():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_was_built_without_collection_counts_as_old() -> None:
    import gc

    with no_collection():
        built = [[index] for index in range(10_000)]
    young = {id(one) for generation in (0, 1) for one in gc.get_objects(generation)}
    assert not any(id(one) in young for one in built)
    assert gc.get_freeze_count() == 0
