"""Resources with very many methods have them from several modules."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

from specloom.generate import generate
from specloom.run import Run

from .make import Plain


def files(tmp_path: Path, count: int) -> dict[str, str]:
    """Return the modules of the one resource of a description with that many operations."""
    get: Plain = {
        "tags": ["things"],
        "parameters": [{"name": "page", "in": "query", "schema": {"type": "integer"}}],
        "responses": {
            "200": {"description": "A stream", "content": {"text/event-stream": dict[str, str]()}}
        },
    }
    described: Plain = {
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


def unused(source: str) -> set[str]:
    """Return the names that a module imports and does not mention again."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    names = {alias.asname or alias.name for node in nodes for alias in node.names}
    return {name for name in names if len(re.findall(rf"\b{name}\b", source)) == 1}


def test_few_methods_stand_in_one_module(tmp_path: Path) -> None:
    made = files(tmp_path, 3)
    assert sorted(made) == ["__init__.py", "__init__.pyi", "things.py"]
    assert "class Things(SyncResource):" in made["things.py"]


def test_many_methods_are_inherited_from_modules_that_are_not_too_long(tmp_path: Path) -> None:
    made = files(tmp_path, 40)
    stub = made.pop("__init__.pyi")
    del made["__init__.py"]
    assert sorted(made) == ["_things_1.py", "_things_2.py", "_things_3.py", "things.py"]
    assert "class AsyncThings(AsyncThings1, AsyncThings2, AsyncThings3):" in made["things.py"]
    assert re.findall("import (?:Async)?Things.* as", stub)
    assert "_things_" not in stub
    for text in made.values():
        assert text.count("\n") < 2_100
        assert not unused(text) - {"annotations"}
    methods = re.findall(r"    async def (read\d+)\(", "".join(made.values()))
    assert methods == [f"read{n}" for n in range(40)]
    for number in range(40):
        assert made["things.py"].count(f"(resource.read{number})") == 4
