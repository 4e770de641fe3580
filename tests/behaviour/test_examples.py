"""The Python examples of the seed descriptions: run as printed, they print what users expect.

Each example is run verbatim, but for the name that it imports from, in a Python of its own. The
server answers with the response that the description shows beside the example.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

import openai_client
import pytest
import yaml

from .payloads import KEY
from .server import DONE, Server, Step, answer, frame, stream

Printed: TypeAlias = Callable[[list[Any]], list[tuple[str, Any]]]
"""From the recorded answers to what is printed: class (empty for plain text) and JSON value."""


@dataclass(frozen=True)
class Example:
    """An example of a description."""

    operation: str
    python: str
    curl: str
    answers: list[Any]
    """The recorded response: one JSON value, or one for each event of the stream."""

    @property
    def streams(self) -> bool:
        """Whether the example asks for a stream."""
        return bool(self.body.get("stream"))

    @property
    def body(self) -> dict[str, Any]:
        """What the example sends, according to its version for curl."""
        words = shlex.split(self.curl.replace("\\\n", " "))
        body: dict[str, Any] = json.loads(words[words.index("-d") + 1])
        return body

    @property
    def step(self) -> Step:
        """Answers with the recording."""
        if self.streams:
            return stream(*map(frame, self.answers), DONE)
        (whole,) = self.answers
        return answer(whole)


def the_message(answers: list[Any]) -> list[tuple[str, Any]]:
    return [("ChatCompletionMessage", answers[0]["choices"][0]["message"])]


def the_choice(answers: list[Any]) -> list[tuple[str, Any]]:
    return [("Choice", answers[0]["choices"][0])]


def each_delta(answers: list[Any]) -> list[tuple[str, Any]]:
    return [("ChoiceDelta", chunk["choices"][0]["delta"]) for chunk in answers]


def the_completion(answers: list[Any]) -> list[tuple[str, Any]]:
    return [("ChatCompletion", answers[0])]


def message_and_logprobs(answers: list[Any]) -> list[tuple[str, Any]]:
    return [*the_message(answers), ("ChoiceLogprobs", answers[0]["choices"][0]["logprobs"])]


def nothing(answers: list[Any]) -> list[tuple[str, Any]]:
    return []


def each_text(answers: list[Any]) -> list[tuple[str, Any]]:
    return [("", chunk["choices"][0]["text"]) for chunk in answers]


EXAMPLES: Mapping[tuple[str, str], Printed] = {
    ("chat.yaml", "Default"): the_message,
    ("chat.yaml", "Image input"): the_choice,
    ("chat.yaml", "Streaming"): each_delta,
    ("chat.yaml", "Functions"): the_completion,
    ("chat.yaml", "Logprobs"): message_and_logprobs,
    ("completions.yaml", "No streaming"): nothing,
    ("completions.yaml", "Streaming"): each_text,
}

CLASSES: Mapping[tuple[str, str], str] = {
    ("ChatCompletion", "choices"): "Choice",
    ("ChatCompletion", "usage"): "CompletionUsage",
    ("CompletionUsage", "completion_tokens_details"): "CompletionTokensDetails",
    ("Choice", "message"): "ChatCompletionMessage",
    ("ChatCompletionMessage", "tool_calls"): "ChatCompletionMessageToolCall",
    ("ChatCompletionMessageToolCall", "function"): "Function",
    ("ChoiceLogprobs", "content"): "ChatCompletionTokenLogprob",
    ("ChatCompletionTokenLogprob", "top_logprobs"): "TopLogprob",
}
"""The class of each object in what is printed, by the class and the property that it is in."""


@pytest.mark.parametrize(("file", "title"), EXAMPLES, ids=lambda value: value)
def test_example(shared: Path, server: Server, file: str, title: str) -> None:
    example = examples(shared / "seeds" / file)[title]
    server.plays(example.step)

    printed = run(example, server)

    assert server.request.path == f"/v1{example.operation}"
    assert server.request.header("authorization") == f"Bearer {KEY}"
    # The two versions of one example name different models.
    assert {**server.request.json(), "model": None} == {**example.body, "model": None}
    expected = EXAMPLES[file, title](example.answers)
    lines = printed.splitlines()
    assert len(lines) == len(expected)
    for line, (name, value) in zip(lines, expected, strict=True):
        if name:
            assert_shows(read_shown(line), name, value, "$")
        else:
            assert line == value


def test_every_example_is_run(shared: Path) -> None:
    files = ("chat.yaml", "completions.yaml")
    found = {(file, title) for file in files for title in examples(shared / "seeds" / file)}
    assert found == set(EXAMPLES)


def run(example: Example, server: Server) -> str:
    """Runs an example; gives what it prints, and fails on any complaint."""
    code = example.python.replace("from openai import", "from openai_client import", 1)
    assert code != example.python
    packages = str(Path(openai_client.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", code],
        env={"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.url, "PYTHONPATH": packages},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


# Reading the descriptions --------------------------------------------------------------------


def examples(description: Path) -> dict[str, Example]:
    """The examples of the one operation of a description, by title."""
    document = yaml.safe_load(description.read_text(encoding="utf-8"))
    ((path, item),) = document["paths"].items()
    return {
        one["title"]: Example(
            operation=path,
            python=one["request"]["python"],
            curl=one["request"]["curl"],
            answers=documents(one["response"]),
        )
        for one in item["post"]["x-oaiMeta"]["examples"]
    }


def documents(text: str) -> list[Any]:
    """The JSON documents in a printed response, which blank lines and lines of dots separate."""
    pieces = re.split(r"\n(?:\s*\.*\s*\n)+", text.strip())
    return [json.loads(repaired(piece)) for piece in pieces]


def repaired(text: str) -> str:
    """JSON as people write it by hand: without commas too many, and with those missing."""
    text = re.sub(r",(?=\s*[}\]])", "", text)
    return re.sub(r'(?<=["}\]\w])(?=\s*\n\s*")', ",", text)


# Reading what is printed ---------------------------------------------------------------------


@dataclass(frozen=True)
class Shown:
    """An object as ``print`` shows it: ``Name(field=value, ...)``."""

    name: str
    fields: dict[str, Any]


def read_shown(line: str) -> Any:
    """Reads back what ``print`` shows of an object."""
    return _read(ast.parse(line, mode="eval").body)


def _read(node: ast.expr) -> Any:
    match node:
        case ast.Call(func=ast.Name(id=name), args=[], keywords=keywords):
            return Shown(name, {str(one.arg): _read(one.value) for one in keywords})
        case ast.List(elts=items):
            return [_read(item) for item in items]
        case _:
            return ast.literal_eval(node)


def assert_shows(shown: Any, name: str, value: Any, path: str) -> None:
    """Checks what is shown against JSON: nothing missing, nothing made up, the right classes."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        assert isinstance(shown, Shown), path
        assert shown.name == name, path
        assert members.keys() <= shown.fields.keys(), path
        for field, inner in shown.fields.items():
            inner_name = CLASSES.get((name, field), "")
            assert_shows(inner, inner_name, members.get(field), f"{path}.{field}")
    elif isinstance(value, list):
        items = cast("list[object]", value)
        assert len(shown) == len(items), path
        for index, (one, item) in enumerate(zip(shown, items, strict=True)):
            assert_shows(one, name, item, f"{path}[{index}]")
    else:
        assert shown == value, path
        assert type(shown) is type(value), path
