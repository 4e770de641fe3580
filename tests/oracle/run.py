"""Real descriptions held against JSON Schema, with many values for every component.

    cd tests && python -m oracle.run [NAME ...]

Prints a Markdown table with what came of it for each description, and why a client differs from
JSON Schema where it does. Fails when it differs for no known cause. A run over all of them also
writes the table to the documentation.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

from corpus.clients import Entry, entries
from corpus.document import ROOT
from corpus.table import publish

from .causes import Court
from .drawing import Drawer
from .mutation import bounds
from .readers import readers
from .trial import Effort, Tally, Trial

COMMAND = "cd tests && python -m oracle.run"
DESCRIPTIONS = (
    *("openai", "stripe-2023-09", "docker-engine", "mistral", "weaviate", "langfuse", "discord"),
    *("adyen-checkout", "qdrant"),
)
"""Every version of OpenAPI, and between them every construct of schemas that is common."""

EFFORT = Effort(draws=12, changes=3)


def tried(path: Path, folder: Path, effort: Effort) -> Tally:
    """Return what comes of values of every component of a description."""
    total = Tally()
    with readers(path, folder) as made:
        court = Court(made.description)
        drawer, limits = Drawer(court.judge.definitions), bounds(court.judge.definitions)
        for name, reader in made.by_component.items():
            trial = Trial(court, reader, drawer, limits)
            total.add(trial.run(effort, Random(f"{path.name} {name}")))
    return total


def main(chosen: list[str]) -> int:
    """Run over the descriptions, or those that are named; return the status."""
    shared = ROOT.parent / "shared"
    if not shared.is_dir():
        print(f"there is no collection of real descriptions at {shared}", file=sys.stderr)
        return 2
    lines: list[str] = []
    total = Tally()
    by_name = {entry.name: entry for entry in entries(shared)}
    for name in chosen or DESCRIPTIONS:
        tally = _tried(by_name[name])
        lines.append(_row(name, tally))
        print(lines[-1], flush=True)
        for defect in tally.defects:
            print(f"{name}: {defect}", file=sys.stderr, flush=True)
        total.add(tally)
    lines.append(_row("together", total))
    causes = "\n".join(f"* {cause}: {count:,}" for cause, count in total.causes.most_common())
    text = f"{_ABOUT}\n\n{_HEAD}\n" + "\n".join(lines) + f"\n\n{_CAUSES}\n\n{causes}"
    print(text)
    if not chosen:
        publish("Values", COMMAND, text)
    return 1 if total.defects else 0


def _tried(entry: Entry) -> Tally:
    with tempfile.TemporaryDirectory() as scratch:
        return tried(entry.path, Path(scratch), EFFORT)


def _row(name: str, tally: Tally) -> str:
    differs = sum(tally.causes.values())
    figures = (tally.accepted, tally.rejected, differs, len(tally.never), len(tally.defects))
    return f"| {name} | {' | '.join(f'{figure:,}' for figure in figures)} |"


_ABOUT = """Values of every component schema are drawn from the description's own schemas, and
each is changed at a random place several times. JSON Schema (the validator `jsonschema-rs`,
version 2020-12) accepts or rejects each of them. A value that it accepts has to be read by the
client without a deviation, every part of it as the model that is declared there; of one that it
rejects, the client has to report a deviation. Whatever it is, what the client dumps has to be
what it read."""

_HEAD = """| description | accepted | rejected | differ | without an accepted value | defects |
| --- | ---: | ---: | ---: | ---: | ---: |"""

_CAUSES = """"Differ" counts the values about which client and JSON Schema differ for a known
cause; "without an accepted value" the components of which none was drawn. Each cause is
established by reading the schemas that way, or without that keyword, and finding that JSON
Schema then agrees:"""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
