"""``make faults``: thousands of calls to a server that fails at random.

    cd tests && python -m faults.run [--calls N] [--seed TEXT] [FAULT ...]

Half of the calls are made by 32 threads that share a client, half by 64 tasks that share one.
Each has to end in a value or in an error of the client's own, no later than its deadline allows;
afterwards nothing may be left open, and memory has to be flat. What happens to a call depends on
the seed and on its number alone. Prints what happened, and fails when something does not hold.
"""

from __future__ import annotations

import argparse
import asyncio
import ctypes
import faulthandler
import gc
import json
import math
import os
import subprocess
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from openai_client import AsyncOpenAI, OpenAI

from .calls import DEADLINE_SECONDS, Calls, way_of
from .faults import FAULTS
from .judging import MARGIN_SECONDS, Left, Report, Sample, shortfalls
from .printing import tables

THREADS = 32
TASKS = 64
ROUNDS = 5
TESTS = Path(__file__).resolve().parents[1]


class Server:
    """The process of the server."""

    def __init__(self, seed: str, chosen: list[str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "faults.server", seed, *chosen],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=TESTS,
        )
        self.url = f"http://127.0.0.1:{self._line()}/v1"

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def stop(self) -> tuple[dict[str, int], int]:
        """Stops it; returns how often it answered in which way, and its open connections."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        said = json.loads(self._line())
        self.kill()
        return said["answered"], said["open"]

    def kill(self) -> None:
        """Ends the process, whatever it does."""
        self._process.kill()
        with self._process:
            pass


@contextmanager
def _complaints() -> Generator[list[str]]:
    """Collect warnings about what was left open, and exceptions that would go unnoticed."""
    found: list[str] = []
    threads, others = threading.excepthook, sys.unraisablehook

    def in_thread(failure: threading.ExceptHookArgs) -> None:
        found.append(f"in a thread: {failure.exc_value!r}")

    def unraisable(failure: sys.UnraisableHookArgs) -> None:
        found.append(f"{failure.err_msg or 'ignored'}: {failure.exc_value!r}")

    threading.excepthook, sys.unraisablehook = in_thread, unraisable
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        yield found
        gc.collect()
    threading.excepthook, sys.unraisablehook = threads, others
    found += [f"{one.category.__name__}: {one.message}" for one in warned]


@contextmanager
def _watched(calls: Calls) -> Generator[None]:
    """End the process, and say where it stands, when a call hangs."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(1):
            now = time.monotonic()
            for call, begin in calls.under_way.copy().items():
                if now - begin > DEADLINE_SECONDS + 2 * MARGIN_SECONDS:
                    print(f"call {call} ({way_of(call)}) hangs", file=sys.stderr)
                    faulthandler.dump_traceback()
                    os._exit(1)

    watcher = threading.Thread(target=watch)
    watcher.start()
    yield
    done.set()
    watcher.join()


def _trim() -> None:
    """Have the allocator give back what is free, where it is one that keeps it until asked."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def _sample(ended: int) -> Sample:
    gc.collect()
    _trim()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    memory = pages * os.sysconf("SC_PAGE_SIZE")
    return Sample(ended, memory, len(gc.get_objects()), _descriptors())


async def _round(calls: Calls, client: OpenAI, other: AsyncOpenAI, numbers: range) -> None:
    """Make the calls of these numbers, the even ones in tasks and the odd ones in threads."""
    lock = threading.Lock()
    for_threads = iter(numbers[1::2])
    for_tasks = iter(numbers[0::2])

    def work() -> None:
        while True:
            with lock:
                call = next(for_threads, None)
            if call is None:
                return
            calls.make(client, call)

    async def work_async() -> None:
        for call in for_tasks:
            await calls.make_async(other, call)

    threads = [threading.Thread(target=work) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    await asyncio.gather(*(work_async() for _ in range(TASKS)))
    for thread in threads:
        await asyncio.to_thread(thread.join)


async def _rounds(
    calls: Calls, url: str, total: int, complaints: list[str]
) -> tuple[list[Sample], Left]:
    """Make all calls; return what was held in between, and the tasks before and after."""
    loop = asyncio.get_running_loop()
    loop.slow_callback_duration = math.inf  # a machine under load is slow, and that is all
    loop.set_exception_handler(
        lambda _, context: complaints.append(f"in the event loop: {context}")
    )
    before = len(asyncio.all_tasks())
    samples: list[Sample] = []
    size = -(-total // ROUNDS)
    with OpenAI(api_key="none", base_url=url) as client:
        async with AsyncOpenAI(api_key="none", base_url=url) as other:
            for begin in range(0, total, size):
                end = min(begin + size, total)
                await _round(calls, client, other, range(begin, end))
                samples.append(_sample(end))
                print(samples[-1], flush=True)
    return samples, Left(before, len(asyncio.all_tasks()))


def run(total: int, seed: str, chosen: list[str]) -> Report:
    """Make so many calls and return what was seen."""
    calls = Calls()
    with _complaints() as complaints, _watched(calls):
        threads = threading.active_count()
        server = Server(seed, chosen)
        try:
            descriptors = _descriptors()
            samples, tasks = asyncio.run(_rounds(calls, server.url, total, complaints))
            held = Left(descriptors, _descriptors())
            answered, still_open = server.stop()
        finally:
            server.kill()
        alive = Left(threads, threading.active_count())
    return Report(
        calls=total,
        made=calls,
        samples=samples,
        descriptors=held,
        threads=alive,
        tasks=tasks,
        open_at_server=still_open,
        answered=Counter(answered),
        complaints=complaints,
    )


def main() -> int:
    """Run as the command line says; return the status."""
    parser = argparse.ArgumentParser(prog="faults.run")
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", default="loom")
    parser.add_argument("faults", nargs="*", metavar="FAULT", choices=[[], *FAULTS])
    chosen = parser.parse_args()
    report = run(chosen.calls, chosen.seed, chosen.faults)
    print(tables(report))
    missed = list(shortfalls(report))
    for one in missed:
        print(one, file=sys.stderr)
    print(f"{len(missed)} shortfalls")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
