"""Clients of real descriptions agree with JSON Schema about values of their components."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.clients import entries

from .run import tried
from .trial import Effort

SAMPLE = ("museum", "ollama", "weaviate")


def entry(shared: Path, name: str) -> Path:
    return next(one.path for one in entries(shared) if one.name == name)


def hold(path: Path, folder: Path, effort: Effort) -> None:
    tally = tried(path, folder, effort)
    print(f"{tally.accepted} accepted, {tally.rejected} rejected, {dict(tally.causes)}")
    assert tally.accepted and tally.rejected
    assert not [str(defect) for defect in tally.defects]


@pytest.mark.parametrize("name", SAMPLE)
def test_some_clients_agree_with_json_schema(name: str, shared: Path, tmp_path: Path) -> None:
    hold(entry(shared, name), tmp_path, Effort(draws=3, changes=2))
