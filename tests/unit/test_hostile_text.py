"""Text of a description stays text in the client, in every place where a description has text."""

from __future__ import annotations

import importlib
import json
import pkgutil
import warnings
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from random import Random

import pytest
from pydantic import BaseModel

from hostile.checks import Plain, plain, problems
from hostile.descriptions import Written, describe, harmless
from oracle.readers import imported
from specloom import files, render
from specloom.diagnostics import Report
from specloom.generate import Client, Run, generate

SAMPLE = 100
EVERYTHING = 5_000
SHARE = 20
"""How many descriptions one test takes."""


@pytest.fixture(scope="module")
def quick() -> Iterator[None]:
    """Compile the templates once, and let nobody validate: both take longer than these clients."""
    compiled = render.environment()

    def environment(*_: object) -> object:
        return compiled

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "environment", environment)
        patch.setattr(Run, "validation", nullcontext)
        yield


def client_of(written: Written, folder: Path) -> Client:
    """Return the client of a description."""
    path = folder / "description.json"
    path.write_text(json.dumps(written.document), "utf-8")
    return generate(Run(path))


@pytest.fixture(scope="module")
def ordinary(quick: None, tmp_path_factory: pytest.TempPathFactory) -> Plain:
    """What clients have that comes from the templates, whatever is described."""
    folder = tmp_path_factory.mktemp("harmless")
    return plain([client_of(harmless(Random(seed)), folder).files for seed in range(60)])


def hold(first: int, ordinary: Plain, folder: Path) -> None:
    """Check a share of the descriptions, each of which its seed makes again."""
    found: list[str] = []
    for seed in range(first, first + SHARE):
        written = describe(Random(seed))
        client = client_of(written, folder)
        said = problems(client.files, client.package, written, ordinary)
        found += (f"{seed}: {problem}" for problem in said)
    assert not found


@pytest.mark.parametrize("first", range(0, SAMPLE, SHARE))
def test_text_stays_text(first: int, ordinary: Plain, tmp_path: Path) -> None:
    hold(first, ordinary, tmp_path)


@pytest.mark.corpus
@pytest.mark.parametrize("first", range(SAMPLE, EVERYTHING, SHARE))
def test_text_stays_text_everywhere(first: int, ordinary: Plain, tmp_path: Path) -> None:
    hold(first, ordinary, tmp_path)


@pytest.mark.parametrize("seed", range(10))
def test_clients_work_whatever_the_text(seed: int, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # the validator compiles any pattern
        client = client_of(describe(Random(f"client {seed}")), tmp_path)
    files.write(client.files, tmp_path / "client", Report())
    built = 0
    name = client.package.import_name
    with imported(tmp_path / "client" / "src", name) as package:
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, type) and issubclass(value, BaseModel):
                    if value.__module__ == module.name and "._runtime" not in module.name:
                        assert value.model_validate({}).model_dump(exclude_unset=True) == {}
                        built += 1
    assert built


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("models/__init__.py", '"""Models', '"""\nINJECTED = 1\n"""Models'),
        ("models/__init__.py", "lazy(\n    __name__,", "lazy(\n    INJECTED,"),
        ("models/__init__.py", '"""Models', '"""a"""\n"""Models'),
        ("models/__init__.py", '"""Models', '"""\\N'),
        ("api.md", "| `", "| `` ` `"),
        ("README.md", "```sh", "``sh"),
        ("pyproject.toml", "[project]", "[project]\nINJECTED = 1"),
    ],
)
def test_what_breaks_out_is_noticed(
    file: str, old: str, new: str, ordinary: Plain, tmp_path: Path
) -> None:
    written = harmless(Random(0))
    client = client_of(written, tmp_path)
    assert not list(problems(client.files, client.package, written, ordinary))
    (path,) = (path for path in client.files if str(path).endswith(file))
    assert old in client.files[path]
    broken = {**client.files, path: client.files[path].replace(old, new, 1)}
    assert list(problems(broken, client.package, written, ordinary))
