"""A client of many schemas costs a program only those that it uses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from specloom import files
from specloom.diagnostics import Report
from specloom.generate import Run, generate

from .make import document, ref

_PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from pydantic import BaseModel
package = __import__(sys.argv[2])

def state():
    inside = [name for name in sys.modules if name.startswith(f"{package.__name__}.models.")]
    models = [
        value
        for name in inside
        for value in vars(sys.modules[name]).values()
        if isinstance(value, type) and issubclass(value, BaseModel) and value.__module__ == name
    ]
    built = sorted(model.__name__ for model in models if model.__pydantic_complete__)
    return {"modules": len(inside), "built": built}

steps = [state()]
model = getattr(package.models, sys.argv[3])
steps.append(state())
model.model_validate({})
steps.append(state())
print(json.dumps(steps))
"""


def used(folder: Path, package: str, model: str) -> list[dict[str, object]]:
    """Return what is imported and built after importing a client, naming a model, using it."""
    command = [sys.executable, "-c", _PROGRAM, str(folder / "src"), package, model]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    steps: list[dict[str, object]] = json.loads(done.stdout)
    return steps


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A client of 60 schemas: of three, each has the next."""
    chain = {
        "First": {"type": "object", "properties": {"next": ref("Second")}},
        "Second": {"type": "object", "properties": {"next": ref("Third")}},
        "Third": {"type": "object", "properties": {"name": {"type": "string"}}},
    }
    other = {"type": "object", "properties": {"first": ref("First")}}
    folder = tmp_path_factory.mktemp("many")
    written = document(chain | {f"Other{index}": other for index in range(57)})
    (folder / "many.json").write_text(json.dumps(written), "utf-8")
    made = generate(Run(folder / "many.json"))
    files.write(made.files, folder / "client", Report())
    return folder / "client", made.package.import_name


def test_nothing_is_built_before_it_is_used(client: tuple[Path, str]) -> None:
    imported, named, _ = used(*client, "First")
    assert imported == {"modules": 0, "built": []}
    assert named["built"] == []


def test_using_a_model_builds_it_and_imports_what_it_has(client: tuple[Path, str]) -> None:
    *_, after = used(*client, "First")
    assert after == {"modules": 3, "built": ["First"]}


def test_using_a_model_leaves_alone_what_has_it(client: tuple[Path, str]) -> None:
    *_, after = used(*client, "Third")
    assert after == {"modules": 1, "built": ["Third"]}
