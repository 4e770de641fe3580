"""Validation in a process of its own, while the one that wants to know goes on.

    python -P -m specloom.description.beside

reads from its standard input, pickled, how to load descriptions, and writes its verdicts as JSON,
a line each. It ends when its input does, so that it never outlives the process that asks.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from specloom.description.description import Description
from specloom.description.validate import judge
from specloom.description.verdicts import Verdict
from specloom.diagnostics import Report

WORTHWHILE: Final = 256 * 2**10
"""From how many bytes on validating takes longer than to start a process and load them again."""
Loader = Callable[[Report], Description]
"""Loads a description, as ``partial(load, entry)`` does; it has to be picklable."""


@contextmanager
def judging(loaders: Sequence[Loader]) -> Generator[Callable[[], list[Verdict]]]:
    """Judge descriptions beside the body; what the body is given waits for the verdicts.

    Those that the process could not come to are missing. It ends with the body at the latest.
    """
    process = _start() if loaders else None
    if process is None or process.stdin is None or process.stdout is None:
        yield list
        return
    answers = process.stdout
    with process, _ended(process):
        with suppress(OSError):  # it may have ended already
            process.stdin.write(pickle.dumps(loaders))
            process.stdin.flush()
        yield lambda: list(_verdicts(answers))


def _start() -> subprocess.Popen[bytes] | None:
    """Return a process that judges descriptions, or None where none can be started."""
    # Without -P, the folder that the command runs in could bring modules of its own.
    command = [sys.executable, "-P", "-m", __name__]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    try:
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere)
    except OSError:
        return None


@contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Generator[None]:
    """End a process after the body, whatever state it is in."""
    try:
        yield
    finally:
        process.kill()
        with suppress(OSError):  # of what it has not read
            if process.stdin is not None:
                process.stdin.close()


def _verdicts(answers: Iterable[bytes]) -> Iterator[Verdict]:
    """Yield the verdicts among what a process answers, which may break off."""
    with suppress(ValueError):
        for answer in answers:
            yield Verdict.model_validate_json(answer)


def main() -> None:
    """Judge what the standard input names."""
    loaders: Sequence[Loader] = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_input, daemon=True).start()
    for load in loaders:
        print(judge(load(Report())).model_dump_json(), flush=True)


def _end_with_input() -> None:
    """End this process when nobody is left who waits for it."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


if __name__ == "__main__":
    main()
