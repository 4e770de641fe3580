"""Imports point one way, and modules stay small: what ARCHITECTURE.md promises, enforced."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "generator" / "specloom"
RUNTIME = ROOT / "templates" / "runtime"

MAY_IMPORT: dict[str, str] = {
    "__main__": "cli",
    "cli": "run generate reading models inspection proposals validation summary formats files "
    "config lock description diagnostics",
    "formats": "summary excerpts description",
    "excerpts": "description",
    "validation": "run config lock lower python render custom diagnostics",
    "coverage": "description python diagnostics",
    "summary": "run generate coverage config lock description ir diagnostics",
    "generate": "run coverage config lock lower python render custom ir",
    "reading": "run config lock lower ir",
    "models": "config lock lower python json_schema formatting ir diagnostics",
    "inspection": "json_schema ir diagnostics",
    "json_schema": "ir",
    "proposals": "lower ir",
    "run": "config description diagnostics",
    "files": "render diagnostics",
    "render": "custom python formatting markdown config diagnostics",
    "custom": "config diagnostics",
    "formatting": "",
    "markdown": "",
    "python": "config lock json_schema ir diagnostics",
    "lower": "description ir diagnostics",
    "description": "diagnostics",
    "config": "diagnostics",
    "lock": "diagnostics",
    "ir": "access json_types messages diagnostics",
    "access": "diagnostics",
    "messages": "json_types diagnostics",
    "json_types": "",
    "diagnostics": "",
}
"""What each part of the generator may import of the others."""

FOREIGN = {"anyio", "httpx2", "pydantic", "pydantic_core", "typing_extensions"}
"""What the runtime may import besides the standard library: what clients depend on."""

LONGEST_MODULE = 400
LONGEST_PIPELINE = 80


def module_name(path: Path, root: Path) -> str:
    """Return the dotted name of a module below ``root``."""
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(tree: ast.Module, module: str, is_package: bool) -> Iterator[str]:
    """Yield the absolute names that a module imports, wherever in it the statement stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = module.split(".")
            base = base[: len(base) - node.level + is_package] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{stem}.{alias.name}" for alias in node.names)


def graph(root: Path) -> dict[str, set[str]]:
    """Return which modules of a package import which modules, of it or of others."""
    paths = {module_name(path, root): path for path in root.rglob("*.py")}
    edges: dict[str, set[str]] = {}
    for name, path in paths.items():
        tree = ast.parse(path.read_text("utf-8"))
        found = imports(tree, name, path.name == "__init__.py")
        edges[name] = {n if n in paths else n.rpartition(".")[0] or n for n in found} - {name}
    return edges


def part(module: str) -> str:
    """Return the part of the generator that a module belongs to."""
    return module.split(".")[1] if "." in module else module


SPECLOOM = graph(SOURCE)


@pytest.mark.parametrize("module", sorted(SPECLOOM))
def test_imports_point_down(module: str) -> None:
    own = {target for target in SPECLOOM[module] if target.split(".")[0] == "specloom"}
    used = {part(target) for target in own} - {"specloom"}
    if module != "specloom":
        assert used <= {part(module), *MAY_IMPORT[part(module)].split()}


@pytest.mark.parametrize("root", [SOURCE, RUNTIME], ids=["generator", "runtime"])
def test_no_module_imports_itself_through_others(root: Path) -> None:
    edges = graph(root)
    inside = {name: {t for t in targets if t in edges} for name, targets in edges.items()}
    for name in inside:
        inside[name] -= {name.rpartition(".")[0]}  # a package's own __init__
    try:
        list(TopologicalSorter(inside).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_every_part_is_listed() -> None:
    assert {part(module) for module in SPECLOOM} - {"specloom"} == set(MAY_IMPORT)


def test_the_table_itself_has_no_cycle() -> None:
    order = TopologicalSorter({name: row.split() for name, row in MAY_IMPORT.items()})
    assert len(list(order.static_order())) == len(MAY_IMPORT)


def test_the_runtime_stands_alone() -> None:
    for module, targets in graph(RUNTIME).items():
        foreign = {target.split(".")[0] for target in targets} - {"runtime"}
        assert foreign <= FOREIGN | sys.stdlib_module_names, module


@pytest.mark.parametrize(
    ("module", "statement", "imported"),
    [
        ("specloom.lower.api", "from .. import ir", ["specloom.ir"]),
        ("specloom.lower.api", "from ..python.names import snake", ["specloom.python.names.snake"]),
        ("specloom.lower.api", "from .nodes import node", ["specloom.lower.nodes.node"]),
        ("specloom.lower", "from .api import lower", ["specloom.lower.api.lower"]),
        ("specloom.ir", "def f():\n    import specloom.cli", ["specloom.cli"]),
    ],
)
def test_imports_are_found(module: str, statement: str, imported: list[str]) -> None:
    is_package = module == "specloom.lower"
    assert list(imports(ast.parse(statement), module, is_package)) == imported


@pytest.mark.parametrize("root", [SOURCE, RUNTIME], ids=["generator", "runtime"])
def test_modules_are_small(root: Path) -> None:
    lengths = {p.name: p.read_text("utf-8").count("\n") for p in root.rglob("*.py")}
    assert {name: length for name, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_the_pipeline_fits_a_screen() -> None:
    assert (SOURCE / "generate.py").read_text("utf-8").count("\n") < LONGEST_PIPELINE
