"""openapi-core, in an environment of its own: an independent reader of requests.

It needs another release of openapi-spec-validator than Specloom does, so it cannot be imported.
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import json
import os
import subprocess
import sys
import venv
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import httpx2

from specloom.description.description import Description

from .document import ROOT

HERE = Path(__file__).resolve().parent
_PINNED = HERE / "openapi-core.txt"
_SCRIPT = HERE / "core_reader.py"
_FOLDER = ROOT / ".bench" / "openapi-core"


@dataclass(frozen=True)
class Reading:
    """What openapi-core found in one request.

    ``errors`` has what is wrong, by the part of the request; ``parameters`` and ``body`` what it
    read, in which ``{"bytes": ...}`` stands for bytes.
    """

    errors: dict[str, str] = field(default_factory=dict[str, str])
    parameters: dict[str, object] = field(default_factory=dict[str, object])
    body: object = None


def python() -> Path:
    """Return the interpreter of the environment, which is made unless it is there."""
    stamp = _FOLDER / ".made-of"
    wanted = hashlib.sha256(_PINNED.read_bytes()).hexdigest()
    found = _FOLDER / "bin" / "python"
    _FOLDER.parent.mkdir(exist_ok=True)
    with (_FOLDER.parent / "openapi-core.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side
        if not stamp.is_file() or stamp.read_text("utf-8") != wanted:
            print(f"making {_FOLDER.relative_to(ROOT)} ...", file=sys.stderr)
            venv.create(_FOLDER, clear=True, with_pip=True)
            pip = ("-m", "pip", "--disable-pip-version-check", "install", "--quiet")
            subprocess.run([str(found), *pip, "--requirement", str(_PINNED)], check=True)
            stamp.write_text(wanted, "utf-8")
    return found


@dataclass(frozen=True)
class Core:
    """openapi-core with a description, in a process that answers line by line."""

    process: subprocess.Popen[str]

    def read(self, request: httpx2.Request) -> Reading:
        """Return what it reads in a request."""
        target = request.url.raw_path.decode("ascii")
        headers = [(key.decode(), value.decode()) for key, value in request.headers.raw]
        sent: dict[str, object] = {
            "method": request.method,
            "target": target,
            "headers": headers,
            "cookie": request.headers.get("Cookie", ""),
            "content_type": request.headers.get("Content-Type"),
            "body": base64.b64encode(request.read()).decode(),
        }
        return self.ask(sent)

    def ask(self, sent: dict[str, object]) -> Reading:
        """Return what it reads in a request that is given by its parts."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(sent) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("openapi-core has ended")
        found = cast("dict[str, object]", json.loads(line))
        errors = cast("list[tuple[str, str]]", found["errors"])
        return Reading(dict(errors), cast("dict[str, object]", found["parameters"]), found["body"])


@contextmanager
def core(document: object, version: str, folder: Path) -> Generator[Core]:
    """Start openapi-core with a document of a version of OpenAPI, by way of a folder."""
    path = folder / "document.json"
    path.write_text(json.dumps(document, default=str), "utf-8")
    plain = {name: value for name, value in os.environ.items() if name[:6] != "PYTHON"}
    command = [str(python()), str(_SCRIPT), str(path), version[:3]]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", env=plain
    ) as process:
        try:
            yield Core(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()


def is_readable(description: Description) -> bool:
    """Whether openapi-core reads the version of a description."""
    return description.version[:3] in ("3.0", "3.1", "3.2")
