"""The same descriptions give the same bytes on every machine and for every hash seed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import hashlib, pathlib, sys
from specloom.diagnostics import Stop
from specloom.generate import Run, generate
from specloom.summary import printed

root = pathlib.Path(sys.argv[1])
for folder in sorted([*(root / "specs").iterdir(), *(root / "cases").iterdir()]):
    configured = (folder / "specloom.toml").is_file()
    run = Run(folder if configured else folder / "spec.yaml")
    digest = hashlib.sha256()
    try:
        for path, text in generate(run).files.items():
            digest.update(f"{path}\\0{text}\\0".encode())
    except Stop:
        pass
    said = "".join(printed(run)).replace(str(root), "")
    digest.update(said.encode())
    print(folder.name, digest.hexdigest())
"""


def start(root: Path, seed: int) -> subprocess.Popen[str]:
    """Generate every client below ``root`` in a process of its own."""
    own = {"PYTHONHASHSEED": str(seed), "PYTHONUTF8": str(seed % 2), "XDG_CACHE_HOME": str(root)}
    environment = {**os.environ, **own}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(root)],
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    )


def test_seed_and_place_do_not_matter(tmp_path: Path) -> None:
    processes: list[subprocess.Popen[str]] = []
    for seed, name in ((1, "here"), (2, "elsewhere/and deeper")):
        root = tmp_path / name
        shutil.copytree(ROOT / "specs", root / "specs")
        ignored = shutil.ignore_patterns("expected")
        shutil.copytree(ROOT / "tests" / "cases", root / "cases", ignore=ignored)
        processes.append(start(root, seed))
    outputs = [process.communicate()[0].splitlines() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert len(outputs[0]) > 30
    assert outputs[0] == outputs[1]
