"""What was seen in a run, as tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .calls import FLAVOURS, Calls, Ending
from .judging import Report


def tables(report: Report) -> str:
    """Return how calls ended, what was held in between, and how the server answered."""
    parts = (_endings(report.made), _held(report), _answers(report))
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _endings(made: Calls) -> Iterator[str]:
    yield _row(("calls that ended in", *FLAVOURS))
    yield "| --- | ---: | ---: |"
    kinds: set[tuple[Ending, str]] = {(ending, detail) for _, ending, detail in made.ended}
    for ending, detail in sorted(kinds):
        counts = (made.ended[flavour, ending, detail] for flavour in FLAVOURS)
        yield _row((f"{ending} {detail}".strip(), *counts))
    longest = (made.longest[flavour] for flavour in FLAVOURS if flavour in made.longest)
    yield _row(("longest, in seconds", *(f"{one.seconds:.2f}" for one in longest)))


def _held(report: Report) -> Iterator[str]:
    yield _row(("after calls", "MB", "objects", "descriptors"))
    yield "| ---: | ---: | ---: | ---: |"
    for one in report.samples:
        yield _row((one.calls, f"{one.bytes / 1e6:.1f}", one.objects, one.descriptors))
    yield _row(("closed", "", "", f"{report.descriptors.after} of {report.descriptors.before}"))


def _answers(report: Report) -> Iterator[str]:
    yield _row(("answers of the server", "times"))
    yield "| --- | ---: |"
    for name, times in sorted(report.answered.items()):
        yield _row((name.replace("_", " "), times))
    yield _row(("all", sum(report.answered.values())))
