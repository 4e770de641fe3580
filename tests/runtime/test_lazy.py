"""Packages whose names are imported when they are first used."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "lazy_sample"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from runtime._lazy import lazy\n"
        "__getattr__, __dir__ = lazy(__name__, {'Cat': '_cats', 'dogs': ''})\n"
    )
    (folder / "_cats.py").write_text("class Cat: pass\n")
    (folder / "dogs.py").write_text("class Dog: pass\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for name in [n for n in sys.modules if n.partition(".")[0] == "lazy_sample"]:
        monkeypatch.delitem(sys.modules, name)
    return "lazy_sample"


def test_imports_nothing_before_it_is_used(package: str) -> None:
    module = importlib.import_module(package)
    assert "lazy_sample._cats" not in sys.modules
    assert module.Cat.__name__ == "Cat"
    assert "lazy_sample._cats" in sys.modules
    assert "Cat" in vars(module)
    assert "lazy_sample.dogs" not in sys.modules
    assert module.dogs.Dog.__name__ == "Dog"


def test_lists_what_it_has(package: str) -> None:
    module = importlib.import_module(package)
    assert {"Cat", "dogs", "__name__"} <= set(dir(module))


def test_gives_all_of_it_to_who_wants_all_of_it(package: str) -> None:
    space: dict[str, object] = {}
    exec(f"from {package} import *", space)
    assert {name for name in space if name != "__builtins__"} == {"Cat", "dogs"}


def test_says_what_it_has_not(package: str) -> None:
    module = importlib.import_module(package)
    with pytest.raises(AttributeError, match="'lazy_sample' has no attribute 'Bird'"):
        _ = module.Bird


def test_the_runtime_leaves_the_lower_half_of_httpx2_alone() -> None:
    # It is slow to import, and a client that is never used does not need it.
    templates = Path(importlib.import_module("runtime").__file__ or "").parents[1]
    script = f"import sys; sys.path.insert(0, {str(templates)!r}); import runtime; " + (
        "print('httpcore2' in sys.modules, 'trio' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"], done.stderr
