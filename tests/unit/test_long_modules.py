"""Resources with very many methods are told in two modules, one for each flavour."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from specloom.generate import generate
from specloom.run import Run


def files(tmp_path: Path, count: int) -> dict[str, str]:
    """Return the modules of the one resource of a description with that many operations."""
    get = {
        "tags": ["things"],
        "parameters": [{"name": "page", "in": "query", "schema": {"type": "integer"}}],
        "responses": {"200": {"description": "A stream", "content": {"text/event-stream": {}}}},
    }
    described = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": {
            f"/things/{n}": {"get": {"operationId": f"read{n}", **get}} for n in range(count)
        },
    }
    path = tmp_path / "api.json"
    path.write_text(json.dumps(described), "utf-8")
    made = generate(Run(path)).files
    return {p.name: text for p, text in made.items() if p.parent.name == "resources"}


def imported(source: str) -> set[str]:
    """Return the names that a module imports and does not mention again."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    names = {alias.asname or alias.name for node in nodes for alias in node.names}
    return {name for name in names if len(re.findall(rf"\b{name}\b", source)) == 1}


@pytest.mark.parametrize(
    ("count", "expected"),
    [(3, {"things.py": True}), (40, {"things.py": False, "things_async.py": True})],
)
def test_modules(tmp_path: Path, count: int, expected: dict[str, bool]) -> None:
    made = files(tmp_path, count)
    stub = made.pop("__init__.pyi")
    del made["__init__.py"]
    assert {name: "class AsyncThings(" in text for name, text in made.items()} == expected
    *_, second = expected
    assert f"from .{second.removesuffix('.py')} import AsyncThings as AsyncThings" in stub
    assert "from .things import Things as Things" in stub
    for text in made.values():
        assert text.count("\n") < 2_100
        assert not imported(text) - {"annotations"}
