"""A client that tests have made of a description of their own, and one way to drive it."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from specloom import files
from specloom.generate import Run, generate

from .callers import Caller

PARCELS = Path(__file__).with_name("parcels.yaml")
"""What the two endpoints of OpenAI lack: parameters, bodies and answers of every kind."""


class Send(Protocol):
    """Makes a caller of the client; keywords go to its constructor."""

    def __call__(self, **options: Any) -> Caller: ...


def made(description: Path, folder: Path) -> ModuleType:
    """Make the client of a description in a folder, and import it."""
    run = Run(description)
    client = generate(run)
    assert [one.message for one in run.report.diagnostics] == []
    files.write(client.files, folder, run.report)
    sys.path.append(str(folder / "src"))
    return importlib.import_module(client.package.import_name)
