"""``make corpus``: every real description into a client; imported, type-checked, compared.

    cd tests && python -m corpus.run [NAME ...]

Prints a Markdown table, and fails when something that must hold does not. A run over the whole
collection also writes the table, and what was reported of each description, to the documentation.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from .clients import entries
from .document import ROOT, Findings, examine
from .table import head, publish, row, shortfalls

COMMAND = "cd tests && python -m corpus.run"


def main(chosen: list[str]) -> int:
    """Run over the collection, or over the descriptions that are named; return the status."""
    shared = ROOT.parent / "shared"
    if not shared.is_dir():
        print(f"there is no collection of real descriptions at {shared}", file=sys.stderr)
        return 2
    print(head(), flush=True)
    findings: list[Findings] = []
    with tempfile.TemporaryDirectory() as scratch:
        for entry in entries(shared):
            if not chosen or entry.name in chosen:
                found = examine(entry, Path(scratch) / entry.name)
                findings.append(found)
                print(row(found), flush=True)
                for failure in found.failures:
                    print(f"{entry.name}: {failure}", file=sys.stderr, flush=True)
    print(f"\n{shortfalls(findings)}")
    if not chosen:
        table = "\n".join([head(), *map(row, findings)])
        publish("Clients", COMMAND, f"{_ABOUT}\n\n{table}\n\n{_SHORT}\n\n{shortfalls(findings)}")
    failures = sum(len(found.failures) for found in findings)
    print(f"\n{failures} failures", file=sys.stderr)
    return 1 if failures else 0


_ABOUT = """Operations and schemas: how many are in the client, and how many an independent count
finds in the description. Seconds and MB are those of the whole command, on two cores. `mypy
--strict` and strict `pyright` say how many errors they find. The last column says whether all
holds: nothing is missing, every module imports and every model builds, no checker objects, no
name is longer than 100 characters, and a second run changes nothing."""

_SHORT = """What the command reports of each description, by code: what breaks the rules of
OpenAPI, what is read in another way than it is written, and what the client does not express."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
