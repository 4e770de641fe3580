"""Measures the client against a peer, in one run, and prints a table in Markdown.

    python tests/bench/run.py

The peer is the ``openai`` package, in an environment of its own with the same HTTP and validation
libraries. Processes of both alternate, so that a machine that slows down slows both, and the
table shows medians. Nothing is asserted: how fast a machine is says nothing about correctness.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from environments import OURS, PEER, Environment
from loopback import serving

STARTS = 15
SPEEDS = 5
BARE = "bare"


@dataclass(frozen=True)
class Line:
    """A line of the table; the figures are in the unit."""

    what: str
    unit: str
    ours: float
    other: float
    target: float

    def __str__(self) -> str:
        ratio = self.ours / self.other
        missed = "" if ratio <= self.target else " **missed**"
        cells = (
            self.what,
            f"{self.ours:.3g} {self.unit}",
            f"{self.other:.3g} {self.unit}",
            f"{ratio:.2g}",
            f"≤ {self.target:.2f}{missed}",
        )
        return f"| {' | '.join(cells)} |"


def starts() -> tuple[list[Line], float]:
    """Fresh processes: the import, and the first call; also what certificates cost to load."""
    imports: dict[str, list[float]] = defaultdict(list)
    calls: dict[str, list[float]] = defaultdict(list)
    certificates: list[float] = []
    with serving() as url:
        for turn in range(STARTS + 1):
            for environment, what in ((OURS, OURS.package), (PEER, PEER.package), (OURS, BARE)):
                printed = environment.run("start.py", what, url)
                if turn:  # the first may have had to compile
                    to_import, to_call, to_load = (float(one) * 1e3 for one in printed.split())
                    imports[what].append(to_import)
                    calls[what].append(to_call)
                    if what == OURS.package:
                        certificates.append(to_load)
    imported = {what: statistics.median(values) for what, values in imports.items()}
    called = {what: statistics.median(values) for what, values in calls.items()}
    ours, peer = OURS.package, PEER.package
    lines = [
        Line("import", "ms", imported[ours], imported[peer], 0.45),
        Line("import, make a client, first call", "ms", called[ours], called[peer], 0.45),
        Line("import, against a bare HTTP client [1]", "ms", imported[ours], called[BARE], 1.4),
        Line("first call, against a bare HTTP client [1]", "ms", called[ours], called[BARE], 1.4),
    ]
    return lines, statistics.median(certificates)


def speeds() -> list[Line]:
    """One process for several measurements: answers, chunks, messages."""
    found: dict[str, dict[str, list[float]]] = {
        one.package: defaultdict(list) for one in (OURS, PEER)
    }
    for _ in range(SPEEDS):
        for environment in (OURS, PEER):
            figures = json.loads(environment.run("speed.py", environment.package))
            for name, figure in figures.items():
                found[environment.package][name].append(figure)

    def line(what: str, name: str, target: float) -> Line:
        ours, peer = (statistics.median(found[one.package][name]) for one in (OURS, PEER))
        return Line(what, "µs", ours, peer, target)

    return [
        line("decode an answer of 1 KB", "answer", 0.15),
        line("read a chunk of a stream", "chunk", 0.35),
        line("send a message, of 200 in a request", "message", 0.15),
    ]


def table(lines: Sequence[Line], peer: str) -> str:
    """The table in Markdown."""
    head = ("CPU time", "ours", peer, "ratio", "target")
    rule = ("---", "---:", "---:", "---:", "---")
    return "\n".join(
        [f"| {' | '.join(row)} |" for row in (head, rule)] + [str(line) for line in lines]
    )


def version(environment: Environment, package: str) -> str:
    """The version of a distribution in an environment."""
    paths = [str(one) for one in Path(environment.folder, "lib").glob("python*/site-packages")]
    (found,) = importlib.metadata.distributions(name=package, path=paths)
    return f"{package} {found.version}"


def main() -> None:
    """Makes the environments if need be, measures, prints."""
    for environment in (PEER, OURS):
        environment.make()
    below = {tuple(version(one, name) for name in ("httpx2", "pydantic")) for one in (OURS, PEER)}
    assert len(below) == 1, f"the environments differ: {below}"
    lines, certificates = starts()
    print(table([*lines, *speeds()], version(PEER, "openai")))
    print(
        f"""
[1] Importing {" and ".join(*below)} and making an `httpx2.Client`, which loads certificates.
The first call goes over plain HTTP. Over TLS, ours loads certificates then, which takes
{certificates:.0f} ms; the peer and the bare client have done so by then in any case.
CPython {platform.python_version()}, {platform.system()} {platform.machine()}."""
    )


if __name__ == "__main__":
    main()
