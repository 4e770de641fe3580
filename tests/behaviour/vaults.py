"""Clients of a description with every kind of proof, made for the tests.

The description stands beside this; its client is generated, imported and thrown away.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import pytest

from specloom import files
from specloom.generate import Run, generate

from .callers import Caller

HERE = Path(__file__).parent


class ConnectVault(Protocol):
    """Makes a client for the server; keywords go to its constructor."""

    def __call__(self, **options: Any) -> VaultCaller: ...


class VaultCaller(Caller):
    """A client of the vault, called as if it were synchronous."""

    def call(self, name: str, **arguments: Any) -> Any:
        """Calls one of the methods."""
        return self.run(lambda client: getattr(client.calls, name)(**arguments))

    def with_options(self, **options: Any) -> VaultCaller:
        """A caller of the client's copy with these options."""
        return VaultCaller(self.run(lambda client: client.with_options(**options)), self.portal)


@contextmanager
def imported(description: str, folder: Path) -> Generator[ModuleType]:
    """The package of the client of a description that stands here."""
    run = Run(HERE / f"{description}.yaml")
    files.write(generate(run).files, folder, run.report)
    assert not run.report.failed
    sys.path.insert(0, str(folder / "src"))
    try:
        yield importlib.import_module(f"{description}_client")
    finally:
        sys.path.remove(str(folder / "src"))


@pytest.fixture(scope="session")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The package of the client with every kind of proof."""
    with imported("vault", tmp_path_factory.mktemp("vault")) as package:
        yield package
