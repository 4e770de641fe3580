"""Measured within a process, without a network: the work of a package on each thing it handles.

    python speed.py PACKAGE

Prints microseconds of CPU for each of ``answer``, ``chunk`` and ``message``, as JSON. Both packages
do the same through the same public interface, and each figure is made so that the work of
the HTTP library, which is the same below both, drops out:

* ``answer``: ``parse()`` of a raw response whose body is there already. It is the way that both
  packages document from a response to its object; sending and receiving happen before.
* ``chunk``: iterating over the streams of a short and of a long body and dividing the difference,
  so that the request and the response around the chunks drop out. Each chunk arrives as a piece
  of its own, as it does from a server that generates it.
* ``message``: a request of 1 and one of 200 messages, and again the difference divided, so that
  what a call costs in any case drops out.

The median of the repetitions is taken. The garbage collector runs as it does for everybody.
"""

from __future__ import annotations

import importlib
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
from samples import ANSWER, CHUNK, CONVERSATION, DONE, MODEL, QUESTION

ANSWERS = 100
SHORT, LONG = 100, 1_100


class Chunks(httpx2.SyncByteStream):
    """The body of a stream with so many chunks."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(self._count):
            yield CHUNK
        yield DONE


def median(measure: Callable[[], float], repetitions: int) -> float:
    """Repeats a measurement; a first one, which warms things up, does not count."""
    measure()
    return statistics.median(measure() for _ in range(repetitions))


def seconds(work: Callable[[], object]) -> float:
    """The CPU time that something takes."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def client(package: Any, respond: Callable[[httpx2.Request], httpx2.Response]) -> Any:
    """A client of a package that talks to a function."""
    http_client = httpx2.Client(transport=httpx2.MockTransport(respond))
    return package.OpenAI(api_key="none", base_url="http://bench/v1", http_client=http_client)


def whole(request: httpx2.Request) -> httpx2.Response:
    """Answers with a whole chat completion."""
    return httpx2.Response(200, headers={"content-type": "application/json"}, content=ANSWER)


def per_answer(package: Any) -> float:
    """Seconds to decode an answer of 1 KB."""
    completions = client(package, whole).chat.completions

    def measure() -> float:
        raw = [
            completions.with_raw_response.create(model=MODEL, messages=[QUESTION])
            for _ in range(ANSWERS)
        ]
        return seconds(lambda: [one.parse() for one in raw]) / ANSWERS

    return median(measure, 20)


def per_chunk(package: Any) -> float:
    """Seconds to read one more chunk of a stream."""

    def read(count: int) -> None:
        def respond(request: httpx2.Request) -> httpx2.Response:
            headers = {"content-type": "text/event-stream"}
            return httpx2.Response(200, headers=headers, stream=Chunks(count))

        completions = client(package, respond).chat.completions
        stream = completions.create(model=MODEL, messages=[QUESTION], stream=True)
        assert sum(1 for _ in stream) == count

    short = median(lambda: seconds(lambda: read(SHORT)), 9)
    long = median(lambda: seconds(lambda: read(LONG)), 9)
    return (long - short) / (LONG - SHORT)


def per_message(package: Any) -> float:
    """Seconds to send one more message."""
    completions = client(package, whole).chat.completions

    def send(count: int) -> None:
        completions.create(model=MODEL, messages=CONVERSATION[:count])

    one = median(lambda: seconds(lambda: send(1)), 200)
    many = median(lambda: seconds(lambda: send(len(CONVERSATION))), 30)
    return (many - one) / (len(CONVERSATION) - 1)


if __name__ == "__main__":
    measured = importlib.import_module(sys.argv[1])
    figures = {
        "answer": per_answer(measured),
        "chunk": per_chunk(measured),
        "message": per_message(measured),
    }
    print(json.dumps({name: figure * 1e6 for name, figure in figures.items()}))
