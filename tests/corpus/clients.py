"""Clients of real descriptions: made, imported, every model built."""

from __future__ import annotations

import csv
import importlib
import pkgutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from pydantic import BaseModel

from specloom import files
from specloom.generate import Client, Run, generate


@dataclass(frozen=True)
class Entry:
    """One description of the collection."""

    name: str
    path: Path
    operations: int
    schemas: int


def entries(shared: Path) -> Iterator[Entry]:
    """Yield the descriptions of the collection in the order of its index."""
    corpus = shared / "corpus"
    with (corpus / "index.csv").open(encoding="utf-8", newline="") as index:
        for row in csv.DictReader(index):
            counts = int(row["operations"]), int(row["component_schemas"])
            yield Entry(row["name"], corpus / row["entry"], *counts)


def make(entry: Entry, folder: Path) -> tuple[Run, Client]:
    """Generate the client of a description into a folder."""
    run = Run(entry.path)
    client = generate(run)
    with run.stage("write"):
        files.write(client.files, folder, run.report)
    return run, client


def modules(folder: Path, package: str) -> Iterator[ModuleType]:
    """Import and yield every module of a client but those of its runtime."""
    source = str(folder / "src")
    sys.path.insert(0, source)
    try:
        root = importlib.import_module(package)
        yield root
        for found in pkgutil.walk_packages(root.__path__, f"{package}."):
            if "._runtime" not in found.name:
                yield importlib.import_module(found.name)
    finally:
        sys.path.remove(source)
        for name in [n for n in sys.modules if n == package or n.startswith(f"{package}.")]:
            del sys.modules[name]


def models(module: ModuleType) -> Iterator[type[BaseModel]]:
    """Yield the models that a module declares."""
    for value in list(vars(module).values()):
        if isinstance(value, type) and issubclass(value, BaseModel):
            if value.__module__ == module.__name__:
                yield value
