"""Recorded answers of real servers, read by the clients of their own descriptions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpus.clients import entries
from specloom import files
from specloom.generate import Run, generate

from .payloads import folder_of, read_all, rows
from .readers import imported, readers
from .trial import exact

UNSERVED = {
    "openai": {"POST /v1/traces/ingest": 1},
    "ollama": {"POST /v1/chat/completions": 1, "POST /api/embeddings": 1},
}
"""Recorded answers of operations that a description does not have."""


def described(shared: Path, name: str) -> Path:
    return next(one.path for one in entries(shared) if one.name == name)


def hold(shared: Path, folder: Path, name: str) -> None:
    target = folder_of(described(shared, name), folder / "description", name)
    run = Run(target)
    client = generate(run)
    files.write(client.files, folder / "client", run.report)
    recorded = list(rows(shared / "payloads" / f"{name}.jsonl"))
    with imported(folder / "client" / "src", client.package.import_name) as package:
        tally = read_all(package, client, recorded)
    print(f"{name}: {dict(tally.outcomes)}, {tally.events} events, not served {tally.unserved}")
    assert not tally.wrong
    assert tally.unserved == UNSERVED.get(name, {})
    assert sum(tally.outcomes.values()) + sum(tally.unserved.values()) == len(recorded)


@pytest.mark.parametrize("name", ["weaviate", "ollama"])
def test_some_recorded_answers_are_read_and_dumped(name: str, shared: Path, tmp_path: Path) -> None:
    hold(shared, tmp_path, name)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["openai", "mistral", "together"])
def test_every_recorded_answer_is_read_and_dumped(name: str, shared: Path, tmp_path: Path) -> None:
    hold(shared, tmp_path, name)


@pytest.mark.corpus
def test_every_instance_of_a_component_is_read_and_dumped(shared: Path, tmp_path: Path) -> None:
    instances = (shared / "payloads" / "stripe.jsonl").read_text("utf-8").splitlines()
    departing: list[str] = []
    with readers(described(shared, "stripe-2023-09"), tmp_path) as made:
        for line in map(json.loads, instances):
            reader = made.by_component[line["schema"]]
            content = json.dumps(line["json"]).encode()
            read = reader.read(content)
            assert exact(reader.dump(read)) == exact(line["json"]), line["schema"]
            departing += (f"{line['schema']}{one[1:]}" for one in reader.departures(content))
    print(f"{len(instances)} instances, of which these depart: {departing}")
    assert len(instances) > 50
