"""Measures importing the client of a very large description against importing what it stands on.

    python tests/bench/wide.py [FOLDER]

``FOLDER`` holds the collection of real descriptions; without it there is nothing to measure. Each
figure is the median of CPU times in fresh processes, which take turns.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

TURNS = 15
TARGET = 1.3
ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT.parent / "shared" / "corpus"
DESCRIPTION = "openai/openapi.yaml"
CLIENT = ROOT / ".bench" / "wide"

_MEASURE = """
import sys, time
sys.path.insert(0, sys.argv[1])
start = time.process_time()
{work}
print(time.process_time() - start)
"""
_BARE = "import httpx2, pydantic"
_BARE_MODEL = "import httpx2, pydantic\nclass Model(pydantic.BaseModel): id: int"
"""What a program without a client would do: ``import pydantic`` alone imports next to nothing."""


def make(description: Path) -> str:
    """Make the client, or bring it up to date; return the name of its package."""
    command = [sys.executable, "-m", "specloom", "generate", str(description), "-o", str(CLIENT)]
    subprocess.run(command, check=True, capture_output=True)
    (package,) = (path.name for path in (CLIENT / "src").iterdir() if path.is_dir())
    return package


def first_model(package: str) -> str:
    """Return the first of the client's models in its own list."""
    listing = (CLIENT / "api.md").read_text("utf-8").partition("## Models")[2]
    names = [line.strip("- `") for line in listing.splitlines() if line.startswith("- `")]
    assert names, f"{package} has no models"
    return names[0]


def client_class(package: str) -> str:
    """Return the name of the client, after which api.md names the other flavour's."""
    found = re.search(r"`Async(\w+)`", (CLIENT / "api.md").read_text("utf-8"))
    assert found, f"{package} has no client"
    return found[1]


def milliseconds(work: str) -> float:
    """Return the CPU time of some imports in a process of their own."""
    command = [sys.executable, "-c", _MEASURE.format(work=work), str(CLIENT / "src")]
    # Bytecode is kept, whatever the shell says, as it is where a client is installed.
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=kept)
    return float(done.stdout) * 1e3


def measured(what: str, work: str, alone: str) -> str:
    """Measure imports; return their line of the table. The ratio is the median of the turns'."""
    pairs = [(milliseconds(work), milliseconds(alone)) for _ in range(TURNS + 1)]
    del pairs[0]  # the first may have had to compile
    ratio = statistics.median(ours / bare for ours, bare in pairs)
    ours, bare = (statistics.median(times) for times in zip(*pairs, strict=True))
    missed = "" if ratio <= TARGET else " **missed**"
    return f"| {what} | {ours:.0f} ms | {bare:.0f} ms | {ratio:.2f} | ≤ {TARGET:.2f}{missed} |"


def main() -> None:
    """Make the client, measure, and print."""
    description = (Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER) / DESCRIPTION
    if not description.is_file():
        print(f"no description to make a client of at {description}")
        return
    package = make(description)
    model, client = first_model(package), client_class(package)
    print("| CPU time of imports, in the client of 1,422 schemas | ours | bare | ratio | target |")
    print("| --- | ---: | ---: | ---: | ---: |")
    print(measured("the package", f"import {package}", _BARE))
    used = f"import {package} as it; it.{client}; it.models.{model}"
    print(measured("the package, its client and a model", used, _BARE_MODEL))
    print("\nBare is `import httpx2, pydantic` and, against a model, one small model beside it.")


if __name__ == "__main__":
    main()
