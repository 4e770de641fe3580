"""G. Models: first use, whole objects of streams, deviations (behaviours 82 to 84)."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from openai_client import BaseModel
from openai_client.models import ChatCompletion
from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema

from .callers import Connect
from .payloads import USAGE, chunk, chunk_of, completion
from .server import DONE, Server, answer, frame, stream


class Counted(str):
    """Text whose schema counts how often it is built."""

    built = 0

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        cls.built += 1
        return core_schema.str_schema()


class Leaf(BaseModel):
    """A model with a counted field."""

    name: Counted


class Tree(BaseModel):
    """A model that contains another."""

    leaves: list[Leaf]


def test_b82_first_use_from_many_threads() -> None:
    barrier = threading.Barrier(32)

    def decode(number: int) -> str:
        barrier.wait(20)
        tree = Tree.model_validate_json(f'{{"leaves": [{{"name": "{number}"}}]}}')
        assert type(tree.leaves[0]) is Leaf
        return tree.leaves[0].name

    with ThreadPoolExecutor(32) as threads:
        names = list(threads.map(decode, range(32)))

    assert names == [str(number) for number in range(32)]
    assert Counted.built == 1


def whole_with_tools() -> dict[str, Any]:
    """A chat completion of two choices: words, and two tool calls."""
    calls = [
        {
            "id": "call_a",
            "type": "function",
            "function": {"name": "spin", "arguments": '{"n": 1}'},
        },
        {"id": "call_b", "type": "function", "function": {"name": "dye", "arguments": "{}"}},
    ]
    words = {"role": "assistant", "content": "Já, 糸.", "refusal": None}
    tools = {"role": "assistant", "content": None, "tool_calls": calls}
    return completion(
        choices=[
            {"index": 0, "message": words, "logprobs": None, "finish_reason": "stop"},
            {"index": 1, "message": tools, "logprobs": None, "finish_reason": "tool_calls"},
        ],
        system_fingerprint="fp_1",
    )


def part(index: int, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    """One choice of a chunk."""
    return {"index": index, "delta": delta, "logprobs": None, "finish_reason": finish}


def call(index: int, arguments: str, **first: Any) -> dict[str, Any]:
    """A fragment of a tool call; the first one of a call carries more."""
    name = {"name": first.pop("name")} if "name" in first else {}
    return {"index": index, **first, "function": {**name, "arguments": arguments}}


def parts_with_tools() -> list[dict[str, Any]]:
    """The same completion as a server would stream it, its choices and calls interleaved."""
    spin = call(0, "", id="call_a", type="function", name="spin")
    dye = call(1, "{", id="call_b", type="function", name="dye")
    choices = [
        [part(1, role="assistant", content=None, tool_calls=[spin])],
        [part(0, role="assistant", content="", refusal=None)],
        [part(0, content="Já"), part(1, tool_calls=[call(0, '{"n"')])],
        [part(1, tool_calls=[dye, call(0, ": 1")])],
        [part(0, content=", 糸"), part(1, tool_calls=[call(0, "}"), call(1, "}")])],
        [part(0, content=".")],
        [part(1, finish="tool_calls"), part(0, finish="stop")],
    ]
    same = {"system_fingerprint": "fp_1"}
    chunks = [chunk_of(*some, usage=None, **same) for some in choices]
    return [*chunks, chunk_of(usage=USAGE, **same)]


def test_b83_final_is_the_whole_object(connect: Connect, server: Server) -> None:
    whole = whole_with_tools()
    server.plays(stream(*[frame(one) for one in parts_with_tools()], DONE), answer(whole))
    client = connect()
    events = client.open()

    final = events.final()

    assert isinstance(final, ChatCompletion)
    assert final.to_dict() == whole
    assert final == client.create()
    assert final.choices[0].message.content == "Já, 糸."
    assert final.choices[1].message.tool_calls is not None
    assert final.choices[1].message.tool_calls[0].function.arguments == '{"n": 1}'
    assert final.choices[1].finish_reason == "tool_calls"
    assert final.usage is not None
    assert final.usage.total_tokens == 13


@pytest.mark.parametrize("read", [0, 3, 99], ids=["before", "in the middle", "after"])
def test_b83_final_at_any_time(connect: Connect, server: Server, read: int) -> None:
    server.plays(stream(*[frame(one) for one in parts_with_tools()], DONE))
    events = connect().open()
    for _, _one in zip(range(read), events, strict=False):
        pass

    final = events.final()

    assert final.to_dict() == whole_with_tools()
    assert events.final() is final
    assert list(events) == []


def test_b83_final_keeps_unknown_properties(connect: Connect, server: Server) -> None:
    deltas = [{"role": "assistant", "reasoning_content": "Let me"}, {"reasoning_content": " see."}]
    chunks = [chunk(**delta) for delta in deltas] + [chunk("Yes.", finish="stop")]
    server.plays(stream(*[frame({**one, "provider": "loom"}) for one in chunks], DONE))

    final: Any = connect().open().final()

    assert final.provider == "loom"
    assert final.choices[0].message.reasoning_content == "Let me see."
    assert final.choices[0].message.content == "Yes."


def test_b84_deviations_are_reported(connect: Connect, server: Server) -> None:
    body = completion(created="soon", service_tier="gold")
    del body["choices"][0]["logprobs"], body["usage"]["total_tokens"]
    body["choices"].append({"index": 1, "message": {"role": "assistant", "content": 5}})
    server.plays(answer(body, headers={"X-Request-Id": "req_84"}))
    seen: list[Any] = []

    said = connect(on_deviation=seen.append).create()

    assert said.to_dict() == body
    assert {deviation.path for deviation in seen} == {
        "$.created",
        "$.service_tier",
        "$.choices[0].logprobs",
        "$.choices[1].logprobs",
        "$.choices[1].finish_reason",
        "$.choices[1].message.content",
        "$.choices[1].message.refusal",
        "$.usage.total_tokens",
    }
    by_path = {deviation.path: deviation for deviation in seen}
    assert by_path["$.created"].value == "soon"
    assert by_path["$.created"].message
    assert {deviation.request_id for deviation in seen} == {"req_84"}
    assert {deviation.operation for deviation in seen} == {"POST /chat/completions"}


def test_b84_nothing_to_report(connect: Connect, server: Server) -> None:
    server.plays(answer(completion(vendor_extension={"a": 1})))
    seen: list[Any] = []

    connect(on_deviation=seen.append).create()

    assert seen == []


def test_b84_deviations_of_a_stream(connect: Connect, server: Server) -> None:
    server.plays(stream(frame(chunk("Hi")), frame({**chunk("ho"), "model": 5}), DONE))
    seen: list[Any] = []

    chunks = connect(on_deviation=seen.append).stream()

    assert [one.choices[0].delta.content for one in chunks] == ["Hi", "ho"]
    assert [deviation.path for deviation in seen] == ["$.model"]
