"""What a client reads the component schemas of a description with.

A client has a model only for what some operation answers with. So the description is given, by an
overlay, one more operation for each component, which answers with it. How the client reads the
component is then what the method hands to the client's core.
"""

from __future__ import annotations

import importlib
import json
import shutil
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from specloom import files
from specloom.description.description import Description
from specloom.description.load import load
from specloom.description.values import is_mapping
from specloom.diagnostics import Report
from specloom.generate import Client, Run, generate

_TAG = "Every component"
_RESOURCE = "EveryComponent"
_PACKAGE = "client_of_every_component"


@dataclass(frozen=True)
class Reader:
    """Reads values of one component."""

    component: str
    decoder: Any
    encode: Callable[[object], bytes]
    shapes: Any
    """What the client's runtime says about shapes: its module ``_shapes``."""
    conforms: Callable[[object, Any], bool]
    takes_the_like: bool = False

    @property
    def lenient(self) -> Reader:
        """The same, for who does not mind that an object is taken for what it resembles."""
        return replace(self, takes_the_like=True)

    def read(self, content: bytes) -> object:
        """Return what the client makes of JSON text."""
        return cast(object, self.decoder.decode(content))

    def dump(self, value: object) -> object:
        """Return what was read as the JSON value that the client would send."""
        return cast(object, json.loads(self.encode(value)))

    def departures(self, content: bytes) -> list[str]:
        """Return where JSON text departs from the description, each place and why."""
        return [f"{one.path}: {one.message}" for one in self.decoder.deviations(content)]


@dataclass(frozen=True)
class Readers:
    """The description as it was written, its client, and how that reads each component."""

    description: Description
    run: Run
    client: Client
    by_component: Mapping[str, Reader]


@contextmanager
def readers(entry: Path, folder: Path) -> Generator[Readers]:
    """Make the client of a description in a folder; read with it while the context is open."""
    source, target = folder / "description", folder / "client"
    source.mkdir(parents=True)
    shutil.copyfile(entry, source / entry.name)
    description = load(source / entry.name, Report())
    names = _components(description)
    (source / "every.overlay.json").write_text(json.dumps(_overlay(names, description)), "utf-8")
    (source / "specloom.toml").write_text(
        f'descriptions = ["{entry.name}"]\npackage = "{_PACKAGE}"\nmethods = "tags"\n'
        f'[overlays]\n"{entry.name}" = ["every.overlay.json"]\n',
        "utf-8",
    )
    run = Run(source)
    client = generate(run)
    files.write(client.files, target, run.report)
    with imported(target / "src", _PACKAGE) as package:
        yield Readers(description, run, client, dict(_readers(package, names)))


@contextmanager
def imported(source: Path, name: str) -> Generator[ModuleType]:
    """Import a package from a folder, and forget it and all of its modules afterwards."""
    sys.path.insert(0, str(source))
    importlib.invalidate_caches()
    try:
        yield importlib.import_module(name)
    finally:
        sys.path.remove(str(source))
        for module in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
            del sys.modules[module]


def _components(description: Description) -> list[str]:
    origin = description.walk(("components", "schemas"))
    schemas = None if origin is None else description.lookup(origin)
    return list(schemas) if is_mapping(schemas) else []


def _overlay(names: list[str], description: Description) -> object:
    """Return the overlay that adds an operation for each component."""
    old = description.version.startswith("2.")
    paths: dict[str, object] = {}
    for index, name in enumerate(names):
        pointer = name.replace("~", "~0").replace("/", "~1").replace("%", "%25")
        schema = {"$ref": f"#/{'definitions' if old else 'components/schemas'}/{pointer}"}
        answer = (
            {"schema": schema} if old else {"content": {"application/json": {"schema": schema}}}
        )
        paths[f"/every-component/{index}"] = {
            "get": {
                "operationId": f"component_{index}",
                "tags": [_TAG],
                "responses": {"200": {"description": "It.", **answer}},
            }
            | ({"produces": ["application/json"]} if old else {})
        }
    return {
        "overlay": "1.0.0",
        "info": {"title": "Every component is an answer", "version": "1"},
        "actions": [{"target": "$.paths", "update": paths}],
    }


class _Core:
    """Stands in for a client's core, and remembers what an answer is to be read with."""

    result: object = None

    def send(self, request: object, result: object) -> object:
        """Remember the second argument."""
        self.result = result
        return None


def _readers(package: ModuleType, names: list[str]) -> Iterator[tuple[str, Reader]]:
    core = _Core()
    resources = importlib.import_module(f"{package.__name__}.resources")
    decoding = importlib.import_module(f"{package.__name__}._runtime._decoder")
    encoding = importlib.import_module(f"{package.__name__}._runtime._json")
    shapes = importlib.import_module(f"{package.__name__}._runtime._shapes")
    conforming = importlib.import_module(f"{package.__name__}._runtime._conforming")

    def conforms(value: object, shape: Any) -> bool:
        return cast(bool, conforming.conforms(value, shape, {}))

    resource = getattr(resources, _RESOURCE)(core)
    for index, name in enumerate(names):
        getattr(resource, f"component_{index}")()
        decoder = decoding.decoder_of(core.result)
        yield name, Reader(name, decoder, encoding.encode, shapes, conforms)
