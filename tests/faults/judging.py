"""What has to hold after many calls to a server that fails, and where it does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .calls import DEADLINE_SECONDS, Calls

MARGIN_SECONDS = 15.0
"""How much longer than its deadline a call may take before it hangs: for busy machines."""

WARM_CALLS = 2_000
"""After how many calls everything that is made once has been made."""
MORE_MEMORY = 0.1
"""By which share memory may have grown since then: threads leave it in pieces."""
MORE_OBJECTS = 500
"""How many more objects there may be than then, of some hundred thousand."""


@dataclass(frozen=True)
class Sample:
    """What the process held between two rounds of calls, after the garbage was collected."""

    calls: int
    """How many had ended."""
    bytes: int
    """Memory that is resident."""
    objects: int
    """Objects that the garbage collector knows."""
    descriptors: int
    """Open files and sockets."""


@dataclass(frozen=True)
class Left:
    """What there is of something before the clients were made, and after they were closed."""

    before: int
    after: int


@dataclass(frozen=True)
class Report:
    """All that was seen in one run."""

    calls: int
    """How many were to be made."""
    made: Calls
    samples: list[Sample]
    descriptors: Left
    threads: Left
    tasks: Left
    open_at_server: int
    """Connections that the server still had after the clients were closed."""
    answered: Mapping[str, int]
    """How often the server answered in which way."""
    complaints: list[str]
    """Warnings, and exceptions that nobody was told of."""


def shortfalls(report: Report) -> Iterator[str]:
    """Yield what does not hold, in words."""
    made = report.made
    if made.ended.total() != report.calls or made.under_way:
        yield f"{made.ended.total()} of {report.calls} calls ended"
    for one in made.wrong:
        yield f"{one}: {one.ending}: {one.detail}"
    for one in made.longest.values():
        if one.seconds > DEADLINE_SECONDS + MARGIN_SECONDS:
            yield f"{one}: took {one.seconds:.1f} s"
    kept = {
        "descriptors": report.descriptors,
        "threads": report.threads,
        "tasks": report.tasks,
    }
    for name, left in kept.items():
        if left.after > left.before:
            yield f"{name}: {left.before} before, {left.after} after"
    if report.open_at_server:
        yield f"the server still has {report.open_at_server} connections"
    yield from (f"complaint: {one}" for one in report.complaints)
    yield from _growth([one for one in report.samples if one.calls >= WARM_CALLS])


def _growth(samples: list[Sample]) -> Iterator[str]:
    if not samples:
        return
    first, last = samples[0], samples[-1]
    if last.bytes > first.bytes * (1 + MORE_MEMORY):
        yield f"memory: {first.bytes} bytes after {first.calls} calls, {last.bytes} at the end"
    if last.objects > first.objects + MORE_OBJECTS:
        yield f"objects: {first.objects} after {first.calls} calls, {last.objects} at the end"
