"""Some hundred calls to a server that fails at random, and whether the judge sees what is wrong.

The calls are made by a process of its own, so that what it leaves behind is its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest

from .calls import DEADLINE_SECONDS, Calls, Outcome
from .faults import FAULTS
from .judging import MARGIN_SECONDS, WARM_CALLS, Left, Report, Sample, shortfalls
from .run import TESTS
from .server import Server

OVERDUE = DEADLINE_SECONDS + MARGIN_SECONDS + 1
RIGHT = Outcome(0, "OpenAI", "plain", "whole", "", 0.1)


def printed(*arguments: str) -> str:
    """What a run prints, which has to succeed and to complain of nothing."""
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-m", "faults.run", *arguments],
        cwd=TESTS,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


def test_every_call_ends_in_a_value_or_an_error() -> None:
    told = printed("--calls", "400", "--seed", "warp")

    assert "0 shortfalls" in told
    for kind in ("whole", "partial", "error APIConnectionError", "error APITimeoutError"):
        assert f"| {kind} |" in told


def test_good_answers_are_whole() -> None:
    """Without faults, each call has the answer that was meant for it."""
    told = printed(
        "--calls", "120", "good", "good_in_pieces", "good_in_members", "good_after_hints"
    )

    (whole,) = (line for line in told.splitlines() if line.startswith("| whole |"))
    (partial,) = (line for line in told.splitlines() if line.startswith("| partial |"))
    assert whole == "| whole | 50 | 50 |"
    assert partial == "| partial | 10 | 10 |"  # those that are left early
    assert "error" not in told


def test_compressed_answers_that_are_not_leave_other_calls_alone() -> None:
    told = printed("--calls", "200", "good", "false_gzip", "cut_gzip")

    assert "0 shortfalls" in told
    assert "| whole |" in told


def report(calls: int = 1, made: Calls | None = None) -> Report:
    """A run in which nothing is wrong."""
    if made is None:
        made = Calls()
        made.keep(RIGHT)
    warm = Sample(WARM_CALLS, 60_000_000, 50_000, 8)
    samples = [Sample(1, 50_000_000, 40_000, 8), warm, replace(warm, calls=5 * WARM_CALLS)]
    nothing = Left(1, 1)
    return Report(calls, made, samples, nothing, nothing, nothing, 0, Counter(good=1), [])


def ended(outcome: Outcome) -> Report:
    """A run with one call."""
    made = Calls()
    made.keep(outcome)
    return report(made=made)


def grown(**more: int) -> Report:
    """A run that holds more at its end than when everything had been made."""
    made = report()
    first, warm, last = made.samples
    return replace(made, samples=[first, warm, replace(last, **more)])


def test_nothing_is_wrong() -> None:
    assert list(shortfalls(report())) == []


WRONG = {
    "calls ended": report(calls=2),
    "foreign": ended(replace(RIGHT, ending="foreign", detail="ValueError")),
    "wrong": ended(replace(RIGHT, ending="wrong", detail="another")),
    "took": ended(replace(RIGHT, seconds=OVERDUE)),
    "descriptors": replace(report(), descriptors=Left(8, 9)),
    "threads": replace(report(), threads=Left(1, 2)),
    "tasks": replace(report(), tasks=Left(1, 2)),
    "connections": replace(report(), open_at_server=1),
    "complaint": replace(report(), complaints=["ResourceWarning: unclosed socket"]),
    "memory": grown(bytes=70_000_000),
    "objects": grown(objects=51_000),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_seen(what: str) -> None:
    (told,) = shortfalls(WRONG[what])

    assert what in told


def test_a_call_fares_the_same_in_every_run() -> None:
    def fates(seed: str) -> list[str]:
        server = Server(seed, [])
        return [server.draw(call, 0)[0].__name__ for call in range(200)]

    assert fates("loom") == fates("loom")
    assert fates("loom") != fates("warp")
    assert set(fates("loom")) <= FAULTS.keys()
