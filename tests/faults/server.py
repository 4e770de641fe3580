"""The server: a process of its own, which answers each request in a way that is drawn for it.

    python -m faults.server SEED [FAULT ...]

Prints its port, serves until its input ends, and then prints as JSON how often it answered in
which way and how many connections are still open. Which way it is depends on the seed, on the
call and on how often that call came, and on nothing else; when faults are named, it is one of
those.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections import Counter
from random import Random

from .faults import BAD, FAULTS, GOOD, Exchange, Fault
from .wire import CALL, Asked

GOOD_SHARE = 0.5


class Server:
    """Answers requests, and counts how."""

    def __init__(self, seed: str, faults: list[str]) -> None:
        self.seed = seed
        self.chosen = [FAULTS[name] for name in faults]
        self.attempts: Counter[int] = Counter()
        self.answered: Counter[str] = Counter()
        self.open = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the requests of one connection."""
        self.open += 1
        try:
            await self._answer(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the client was faster
        finally:
            self.open -= 1
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            asked = await _read(reader)
            attempt = self.attempts[asked.call]
            self.attempts[asked.call] += 1
            fault, random = self.draw(asked.call, attempt)
            self.answered[fault.__name__] += 1
            exchange = Exchange(asked, random, reader, writer)
            await fault(exchange)
            if exchange.over:
                return

    def draw(self, call: int, attempt: int) -> tuple[Fault, Random]:
        """Chooses how to answer an attempt of a call, and what else there is to choose there."""
        random = Random(f"{self.seed}/{call}/{attempt}")
        if self.chosen:
            return random.choice(self.chosen), random
        return random.choice(GOOD if random.random() < GOOD_SHARE else BAD), random


async def _read(reader: asyncio.StreamReader) -> Asked:
    """Reads the next request; a redirected one belongs to the same call."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    lines = [line.partition(":") for line in head.split("\r\n")[1:]]
    stated = {name.lower(): value.strip() for name, _, value in lines}
    body = await reader.readexactly(int(stated.get("content-length", 0)))
    streams = bool(body) and bool(json.loads(body).get("stream"))
    return Asked(int(stated[CALL]), streams)


async def main(seed: str, faults: list[str]) -> None:
    """Serves until the input ends."""
    server = Server(seed, faults)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, backlog=512)
    print(listening.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await asyncio.sleep(0.2)  # what the client has just closed is noticed by now
    print(json.dumps({"answered": server.answered, "open": server.open}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
