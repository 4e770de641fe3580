"""The two environments that are measured: the peer's and ours, with the same libraries below."""

from __future__ import annotations

import hashlib
import subprocess
import sys
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
    requirement: tuple[str, ...]
    """What pip is asked to install."""

    @property
    def python(self) -> Path:
        """The interpreter."""
        return self.folder / "bin" / "python"

    def make(self) -> None:
        """Makes the environment, unless it is there and was made of the same pins."""
        stamp = self.folder / ".made-of"
        if stamp.is_file() and stamp.read_text(encoding="utf-8") == _pins():
            return
        print(f"making {self.folder.relative_to(ROOT)} ...", file=sys.stderr)
        _run(sys.executable, "-m", "venv", "--clear", str(self.folder))
        pinned = [f"--constraint={one}" for one in CONSTRAINTS]
        pip = ("-m", "pip", "--disable-pip-version-check", "install", "--quiet")
        _run(str(self.python), *pip, *pinned, *self.requirement)
        stamp.write_text(_pins(), encoding="utf-8")


PEER = Environment("openai", ROOT / ".bench" / "peer", ("openai",))
# Editable, so that what is measured is the client as it is now.
OURS = Environment("openai_client", ROOT / ".bench" / "ours", ("--editable", str(CLIENT)))


def _pins() -> str:
    sources = (*CONSTRAINTS, CLIENT / "pyproject.toml")
    return hashlib.sha256(b"".join(one.read_bytes() for one in sources)).hexdigest()


def _run(*command: str) -> None:
    subprocess.run(command, check=True)
