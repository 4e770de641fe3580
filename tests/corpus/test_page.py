"""The page about real descriptions says what holds, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import document
from .clients import Entry
from .document import Findings, examine
from .table import head, publish, row, shortfalls

CASE = Path(__file__).resolve().parents[1] / "cases" / "prose" / "spec.yaml"


@pytest.fixture(autouse=True)
def no_checkers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the type checkers, which take a minute each."""
    monkeypatch.setattr(document, "_CHECKERS", dict[str, list[str]]())


def test_a_client_that_is_complete_has_no_failures(tmp_path: Path) -> None:
    found = examine(Entry("own", CASE, 0, 0), tmp_path)
    assert found.failures == []
    assert found.modules > found.models > 0
    assert found.megabytes > 10 and found.seconds > 0
    assert found.longest_file > 0 and found.longest_name > 3


def test_what_is_missing_is_a_failure(tmp_path: Path) -> None:
    found = examine(Entry("own", CASE, 1_000, 0), tmp_path)
    assert len(found.failures) == 1 and "of (1000, 0)" in found.failures[0]


def test_a_description_without_a_client_is_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "openapi.yaml"
    path.write_text("openapi: 3.1.0\ninfo: [", "utf-8")
    (failure,) = examine(Entry("own", path, 0, 0), tmp_path).failures
    assert "ended with 1" in failure


def test_a_row_has_a_cell_for_each_column() -> None:
    found = Findings("own", (3, 2), (3, 1), failures=["one schema is missing"])
    assert row(found).count("|") == head().splitlines()[0].count("|")
    assert row(found).startswith("| own | 3/3 | 1/2 |") and row(found).endswith("| no |")


def test_shortfalls_are_named_with_their_number() -> None:
    found = Findings("own", (0, 0))
    found.shortfalls.update(["renamed", "unsupported-keyword", "renamed"])
    assert shortfalls([found, Findings("other", (0, 0))]) == (
        "* own: renamed 2, unsupported-keyword 1\n* other: nothing"
    )


def test_a_part_of_the_page_is_replaced_in_place(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    publish("First", "make first", "old text", page)
    publish("Second", "make second", "other text", page)
    publish("First", "make first", "new text", page)
    text = page.read_text("utf-8")
    assert "old text" not in text
    assert text.index("# The real") < text.index("## First\n") < text.index("## Second\n")
    assert text.index("make first") < text.index("new text") < text.index("other text")
    before = text
    publish("Second", "make second", "other text", page)
    assert page.read_text("utf-8") == before
