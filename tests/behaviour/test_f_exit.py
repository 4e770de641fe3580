"""F. What a program prints when it ends without closing anything (behaviour 70)."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from .payloads import KEY, chunk, completion
from .server import Server, answer, frame, hold, stream

OPENINGS = {
    "stream": """
client = OpenAI()
events = client.chat.completions.create(model="m", messages=[], stream=True)
print(next(iter(events)).choices[0].delta.content)
""",
    "client": """
client = OpenAI()
print(client.chat.completions.create(model="m", messages=[]).choices[0].message.content)
""",
    "forgotten client": """
def ask():
    return OpenAI().chat.completions.create(model="m", messages=[])
print(ask().choices[0].message.content)
""",
    "async stream": """
async def main():
    client = AsyncOpenAI()
    events = await client.chat.completions.create(model="m", messages=[], stream=True)
    async for event in events:
        print(event.choices[0].delta.content)
        break
asyncio.run(main())
""",
    "async stream of a client that outlives its loop": """
async def main():
    global events
    events = await client.chat.completions.create(model="m", messages=[], stream=True)
    print((await anext(aiter(events))).choices[0].delta.content)
client = AsyncOpenAI()
asyncio.run(main())
""",
    "async client": """
async def main():
    client = AsyncOpenAI()
    answer = await client.chat.completions.create(model="m", messages=[])
    print(answer.choices[0].message.content)
asyncio.run(main())
""",
    "trio client": """
async def main():
    client = AsyncOpenAI()
    answer = await client.chat.completions.create(model="m", messages=[])
    print(answer.choices[0].message.content)
anyio.run(main, backend="trio")
""",
}

SLOW_IS_FINE = """
import logging
logging.getLogger("asyncio").addFilter(lambda record: "seconds" not in record.msg)
"""
"""In development mode asyncio tells of steps longer than 0.1 s, such as a first import."""


@pytest.mark.parametrize("opening", OPENINGS)
def test_b70_nothing_is_printed_at_exit(server: Server, opening: str) -> None:
    streamed = stream(frame(chunk("Hi")), frame(chunk("ho")), hold)
    plain = answer(completion("Hi"))
    server.chooses(lambda request: streamed if request.json().get("stream") else plain)
    names = "import asyncio, anyio\nfrom openai_client import AsyncOpenAI, OpenAI\n"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": server.url,
    }

    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", names + SLOW_IS_FINE + OPENINGS[opening]],
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
    )

    assert done.stderr == ""
    assert done.stdout == "Hi\n"
    assert done.returncode == 0
