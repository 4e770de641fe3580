"""The two environments that are measured: the peer's and ours, with the same libraries below."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CLIENT = ROOT / "generated" / "openai-client"
CONSTRAINTS = (ROOT / "constraints.txt", HERE / "constraints.txt")


@dataclass(frozen=True)
class Environment:
    """A virtual environment with one of the packages in it."""

    package: str
    """The import name of the package."""
    folder: Path
    requirement: str
    """What pip is asked to install; it compiles what it installs."""
    sources: tuple[Path, ...] = ()
    """What the package is built from, if it is built here."""

    @property
    def python(self) -> Path:
        """The interpreter."""
        return self.folder / "bin" / "python"

    def make(self) -> None:
        """Makes the environment, unless it is there and was made of the same."""
        stamp = self.folder / ".made-of"
        sources = _digest((*CONSTRAINTS, *self.sources))
        if stamp.is_file() and stamp.read_text(encoding="utf-8") == sources:
            return
        print(f"making {self.folder.relative_to(ROOT)} ...", file=sys.stderr)
        _run(sys.executable, "-m", "venv", "--clear", str(self.folder))
        pinned = [f"--constraint={one}" for one in CONSTRAINTS]
        pip = ("-m", "pip", "--disable-pip-version-check", "install", "--quiet")
        _run(str(self.python), *pip, *pinned, self.requirement)
        stamp.write_text(sources, encoding="utf-8")

    def run(self, script: str, *arguments: str) -> str:
        """Runs a script of this folder, as from a plain shell; gives what it prints."""
        plain = {name: value for name, value in os.environ.items() if name[:6] != "PYTHON"}
        command = (str(self.python), str(HERE / script), *arguments)
        return subprocess.run(
            command, check=True, stdout=subprocess.PIPE, encoding="utf-8", env=plain
        ).stdout


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


PEER = Environment("openai", ROOT / ".bench" / "peer", "openai")
OURS = Environment(
    "openai_client",
    ROOT / ".bench" / "ours",
    str(CLIENT),
    (CLIENT / "pyproject.toml", *sorted((CLIENT / "src").rglob("*.py"))),
)
