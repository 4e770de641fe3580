"""What templates are given is documented, with a number that changes when it does."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import nodes

from specloom.python import package
from specloom.python.trials import package as trials
from specloom.render import NAMES, TEMPLATES, environment

DOCS = Path(__file__).resolve().parents[2] / "docs" / "templates.md"
HEADING = "## Contract "
CLASSES = [
    cls
    for module in (package, trials)
    for cls in vars(module).values()
    if isinstance(cls, type) and dataclasses.is_dataclass(cls) and cls.__module__ == module.__name__
]


def blocks(name: str) -> list[str]:
    """Return the names of the blocks of a template, in order."""
    parsed = environment().parse((TEMPLATES / "package" / name).read_text("utf-8"))
    return [block.name for block in parsed.find_all(nodes.Block)]


def contract() -> Iterator[str]:
    """Yield the lines that say what templates are given, and what they can extend."""
    yield f"{HEADING}{package.CONTRACT}"
    yield ""
    yield "The number changes when a class, a template or a block below does."
    yield ""
    yield "| template | blocks |"
    yield "| --- | --- |"
    for name in sorted(NAMES):
        yield f"| `{name}` | {', '.join(f'`{block}`' for block in blocks(name))} |"
    for cls in CLASSES:
        yield ""
        yield f"### `{cls.__name__}`"
        yield ""
        yield " ".join((inspect.getdoc(cls) or "").split())
        yield ""
        yield "```python"
        yield from (f"{field.name}: {field.type}" for field in dataclasses.fields(cls))
        yield "```"


def shape(text: str) -> list[str]:
    """Return the lines of a contract that users depend on: all but the prose."""
    return re.findall(r"^(?:\||###|\w+: ).*", text, re.MULTILINE)


def test_the_contract_is_documented_and_has_a_number(request: pytest.FixtureRequest) -> None:
    before, heading, documented = DOCS.read_text("utf-8").partition(HEADING)
    current = "\n".join(contract()) + "\n"
    if heading and shape(heading + documented) != shape(current):
        number = documented.partition("\n")[0]
        assert number != str(package.CONTRACT), "what templates are given changed: so must CONTRACT"
    if request.config.getoption("--update"):
        DOCS.write_text(before + current, "utf-8")
    assert DOCS.read_text("utf-8") == before + current, "run 'make snapshots'"


def test_what_each_template_is_given_is_documented() -> None:
    before = DOCS.read_text("utf-8").partition(HEADING)[0]
    whole = [name for name in NAMES if name.endswith((".py.jinja", ".md.jinja", ".toml.jinja"))]
    unsaid = [n for n in whole if f"`{n}`" not in before and "__init__" not in n]
    assert [name for name in unsaid if not Path(name).name.startswith("_lazy")] == []


def test_every_class_has_a_documented_purpose() -> None:
    assert len(CLASSES) > 15
    assert [cls.__name__ for cls in CLASSES if not (inspect.getdoc(cls) or "").endswith(".")] == []


def test_only_prose_may_change_freely() -> None:
    text = (
        "## Contract 1\n\nProse.\n\n| `a` | `b` |\n\n### `C`\n\nMore.\n\n```python\nx: int\n```\n"
    )
    assert shape(text) == ["| `a` | `b` |", "### `C`", "x: int"]
