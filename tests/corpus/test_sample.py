"""A few of the real descriptions: each kind of what they contain, in seconds."""

from __future__ import annotations

from pathlib import Path

import pytest

from specloom import files

from .clients import entries, make, models, modules

SAMPLE = ["museum", "ollama", "tgi", "prometheus-3.2", "ory-kratos", "docker-engine", "together"]


@pytest.mark.parametrize("name", SAMPLE)
def test_client_of_a_real_description_works(name: str, shared: Path, tmp_path: Path) -> None:
    entry = next(e for e in entries(shared) if e.name == name)
    run, client = make(entry, tmp_path / "client")
    assert not run.report.failed
    assert client.api.operations
    built = 0
    for module in modules(tmp_path / "client", client.package.import_name):
        for model in models(module):
            assert model.model_validate({}).model_dump(exclude_unset=True) == {}
            built += 1
    assert built > 0
    assert not list(files.compare(make(entry, tmp_path / "again")[1].files, tmp_path / "client"))
