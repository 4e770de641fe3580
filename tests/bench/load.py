"""Measures loading and validating the largest real descriptions against plain parsers.

    python tests/bench/load.py [FOLDER]

``FOLDER`` holds the collection of real descriptions; without it there is nothing to measure. Each
figure is the least of the CPU times in fresh processes: what else the machine does can only add to
them, on a machine that is shared often a half.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

TURNS = 15
FOLDER = Path(__file__).resolve().parents[3] / "shared" / "corpus"
YAML = "openai/openapi.yaml"
JSON = "discord/openapi.json"

PREPARE = """
import sys, time
from pathlib import Path
path, cache = Path(sys.argv[1]), Path(sys.argv[2])
"""
MEASURE = """
start = time.process_time()
{work}
print(time.process_time() - start)
"""
_LOAD = """
from specloom.description.load import load
from specloom.diagnostics import Report
"""
IMPORTS = {
    "load": _LOAD,
    "validate": f"{_LOAD}from specloom.description.validate import validate\n",
    "yaml.load": "import yaml\n",
    "json.loads": "import json\n",
}
WORK = {
    "load": "load(path, Report())",
    "validate": "validate(load(path, Report()), Report(), cache)",
    "yaml.load": "yaml.load(path.read_bytes(), yaml.CSafeLoader)",
    "json.loads": "json.loads(path.read_bytes())",
}
"""What is measured, without the imports that it needs."""


@dataclass(frozen=True)
class Ratio:
    """One line of the table: what takes how long, compared with what, and the target."""

    what: str
    document: str
    work: str
    other: str
    target: float


RATIOS = (
    Ratio("load YAML, against `yaml.load` (C loader)", YAML, "load", "yaml.load", 0.20),
    Ratio("load and validate, verdict remembered", YAML, "validate", "yaml.load", 0.35),
    Ratio("load JSON, against `json.loads`", JSON, "load", "json.loads", 1.30),
)


def seconds(work: str, path: Path, cache: Path) -> float:
    """Return the CPU time of one piece of work in a process of its own."""
    program = PREPARE + IMPORTS[work] + MEASURE.format(work=WORK[work])
    command = [sys.executable, "-c", program, str(path), str(cache)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def measured(one: Ratio, folder: Path, cache: Path) -> str:
    """Measure one ratio; return its line of the table.

    What is compared runs by turns, so that a quiet moment comes to both.
    """
    pairs: list[tuple[float, float]] = []
    for _ in range(TURNS + 1):
        ours = seconds(one.work, folder / one.document, cache)
        pairs.append((ours, seconds(one.other, folder / one.document, cache)))
    del pairs[0]  # the first may have had to compile, and to validate
    ours, other = map(min, zip(*pairs, strict=True))
    ratio = ours / other
    missed = "" if ratio <= one.target else " **missed**"
    figures = (
        f"{ours * 1e3:.0f} ms | {other * 1e3:.0f} ms | {ratio:.2f} | ≤ {one.target:.2f}{missed}"
    )
    return f"| {one.what} | {figures} |"


def main() -> None:
    """Measure and print."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    if not folder.is_dir():
        print(f"no descriptions to load in {folder}")
        return
    cache = Path(__file__).resolve().parents[2] / ".bench" / "verdicts"
    print("| CPU time | ours | other | ratio | target |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for one in RATIOS:
        print(measured(one, folder, cache))


if __name__ == "__main__":
    main()
