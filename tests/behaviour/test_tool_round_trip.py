"""The smallest loop of a tool call, and the six rules of a streamed chat completion."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .callers import Connect, trio_too
from .payloads import USAGE, chunk, chunk_of, completion
from .server import DONE, Server, answer, frame, hold, stream

QUESTION = {"role": "user", "content": "明天北京要带伞吗?"}
TOOL = {
    "type": "function",
    "function": {
        "name": "forecast",
        "description": "Weather of a day in a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "day": {"type": "string"}},
            "required": ["city", "day"],
        },
    },
}
ARGUMENTS = '{"city": "北京", "day": "明天"}'
CALL = {
    "id": "call_umbrella",
    "type": "function",
    "function": {"name": "forecast", "arguments": ARGUMENTS},
}


def forecast(city: str, day: str) -> str:
    """The tool itself."""
    return f"{day}{city}:小雨"


def turn(message: dict[str, Any], finish: str) -> dict[str, Any]:
    """A chat completion with this message; optional properties are left out, as servers do."""
    said = {"role": "assistant", **message}
    return completion(choices=[{"index": 0, "message": said, "finish_reason": finish}])


@trio_too
def test_four_steps_of_a_tool_call(connect: Connect, server: Server) -> None:
    server.plays(
        answer(turn({"content": None, "tool_calls": [CALL]}, "tool_calls")),
        answer(turn({"content": "要带,明天有小雨。"}, "stop")),
    )
    client = connect()

    # 1. The user asks, and the tools are on offer.
    messages: list[Any] = [QUESTION]
    asked = client.create(model="gpt-4o", messages=messages, tools=[TOOL])

    # 2. The model asks for a tool: no words, arguments as text.
    choice = asked.choices[0]
    assert choice.finish_reason == "tool_calls"
    assert choice.message.content is None
    assert choice.message.tool_calls is not None
    (wanted,) = choice.message.tool_calls
    assert (wanted.id, wanted.function.name) == ("call_umbrella", "forecast")
    assert wanted.function.arguments == ARGUMENTS

    # 3. The message goes back as it came, and the result after it.
    result = forecast(**json.loads(wanted.function.arguments))
    messages += [choice.message, {"role": "tool", "tool_call_id": wanted.id, "content": result}]
    told = client.create(model="gpt-4o", messages=messages, tools=[TOOL])

    # 4. The model answers in words.
    assert told.choices[0].finish_reason == "stop"
    assert told.choices[0].message.content == "要带,明天有小雨。"
    assert told.choices[0].message.tool_calls is None

    first, second = (request.json() for request in server.requests)
    assert first == {"model": "gpt-4o", "messages": [QUESTION], "tools": [TOOL]}
    assert second == {
        "model": "gpt-4o",
        "messages": [
            QUESTION,
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "call_umbrella", "content": "明天北京:小雨"},
        ],
        "tools": [TOOL],
    }


@trio_too
def test_four_steps_with_a_streamed_call(connect: Connect, server: Server) -> None:
    pieces = [ARGUMENTS[i : i + 3] for i in range(0, len(ARGUMENTS), 3)]
    started = fragment(0, "", id="call_umbrella", type="function", name="forecast")
    server.plays(
        stream(
            frame(chunk(role="assistant", tool_calls=[started])),
            *[frame(chunk(tool_calls=[fragment(0, piece)])) for piece in pieces],
            frame(chunk(finish="tool_calls")),
            DONE,
        ),
        stream(frame(chunk("要带。", role="assistant")), frame(chunk(finish="stop")), DONE),
    )
    client = connect()
    messages: list[Any] = [QUESTION]

    message = client.open(messages=messages, tools=[TOOL]).final().choices[0].message
    (wanted,) = message.tool_calls
    result = forecast(**json.loads(wanted.function.arguments))
    messages += [message, {"role": "tool", "tool_call_id": wanted.id, "content": result}]
    told = client.open(messages=messages, tools=[TOOL]).final()

    assert told.choices[0].message.content == "要带。"
    replayed = server.requests[1].json()["messages"]
    assert replayed[1]["role"] == "assistant"
    assert replayed[1]["tool_calls"] == [CALL]
    assert replayed[2]["content"] == "明天北京:小雨"


def fragment(index: int, arguments: str, **first: Any) -> dict[str, Any]:
    """A fragment of a tool call; the first one of a call carries id, type and name."""
    name = {"name": first.pop("name")} if "name" in first else {}
    return {"index": index, **first, "function": {**name, "arguments": arguments}}


def test_rule_1_contents_join_to_the_text(connect: Connect, server: Server) -> None:
    words = ["", "要", "带", " an ", "umbrella", "。"]
    pieces = [frame(chunk(word, role="assistant")) for word in words[:1]]
    pieces += [frame(chunk(word)) for word in words[1:]]
    server.plays(stream(*pieces, frame(chunk(finish="stop")), DONE))
    client = connect()

    chunks = client.stream()
    final = client.open().final()

    assert "".join(one.choices[0].delta.content or "" for one in chunks) == "要带 an umbrella。"
    assert final.choices[0].message.content == "要带 an umbrella。"
    assert final.choices[0].message.role == "assistant"


def test_rule_2_tool_calls_join_by_index(connect: Connect, server: Server) -> None:
    """Fragments of two calls arrive interleaved; even the name comes in two pieces."""
    one = fragment(0, "", id="call_0", type="function", name="fore")
    other = fragment(1, "", id="call_1", type="function", name="umbrella")
    rest: dict[str, Any] = {"index": 0, "function": {"name": "cast"}}
    deltas = [[one], [other], [rest], [fragment(1, '{"open"'), fragment(0, '{"day": ')]]
    deltas += [[fragment(0, '"明天"}')], [fragment(1, ": true}")]]
    server.plays(stream(*[frame(chunk(tool_calls=some)) for some in deltas], DONE))

    calls = connect().open().final().choices[0].message.tool_calls

    assert [(each.id, each.type) for each in calls] == [
        ("call_0", "function"),
        ("call_1", "function"),
    ]
    assert [(each.function.name, json.loads(each.function.arguments)) for each in calls] == [
        ("forecast", {"day": "明天"}),
        ("umbrella", {"open": True}),
    ]


def test_rule_3_arguments_are_text_until_whole(connect: Connect, server: Server) -> None:
    """No fragment is read as JSON on the way; text that never becomes JSON stays text."""
    pieces = ['{"city', '": "北', '京", ', '"day": ', '"明天"']  # the brace never comes
    deltas = [fragment(0, piece) for piece in pieces]
    server.plays(stream(*[frame(chunk(tool_calls=[delta])) for delta in deltas], DONE))
    events = connect().open()

    seen = [one.choices[0].delta.tool_calls[0].function.arguments for one in events]

    assert seen == pieces
    (whole,) = events.final().choices[0].message.tool_calls
    assert whole.function.arguments == "".join(pieces)


def test_rule_4_the_end_mark_ends_the_stream(connect: Connect, server: Server) -> None:
    """The mark is no JSON and is not decoded; nothing is waited for after it."""
    server.plays(stream(frame(chunk("Hi", finish="stop")), DONE, hold))
    events = connect(timeout=20).open()

    assert [one.choices[0].delta.content for one in events] == ["Hi"]
    assert server.connections[0].closed_by_client.wait(5)
    assert events.final().choices[0].message.content == "Hi"


@pytest.mark.parametrize("reason", ["stop", "length", "tool_calls", "content_filter"])
def test_rule_5_finish_reason_stands_beside_the_last_delta(
    connect: Connect, server: Server, reason: str
) -> None:
    server.plays(stream(frame(chunk("Hi")), frame(chunk("!")), frame(chunk(finish=reason)), DONE))
    events = connect().open()

    chunks = list(events)

    assert [one.choices[0].finish_reason for one in chunks] == [None, None, reason]
    assert chunks[-1].choices[0].delta.content is None
    assert events.final().choices[0].finish_reason == reason


def test_rule_6_usage_comes_last_and_without_choices(connect: Connect, server: Server) -> None:
    beside: dict[str, Any] = {"index": 0, "delta": {"content": "Hi"}, "finish_reason": None}
    last: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": "stop"}
    server.plays(
        stream(
            frame(chunk_of(beside, usage=None)),
            frame(chunk_of(last, usage=None)),
            frame(chunk_of(usage=USAGE)),
            DONE,
        )
    )
    events = connect().open(stream_options={"include_usage": True})

    chunks = list(events)

    assert server.request.json()["stream_options"] == {"include_usage": True}
    assert [one.usage is None for one in chunks] == [True, True, False]
    assert chunks[-1].choices == []
    assert chunks[-1].usage.total_tokens == USAGE["total_tokens"]
    final = events.final()
    assert final.usage.to_dict() == USAGE
    assert final.choices[0].message.content == "Hi"
    assert final.choices[0].finish_reason == "stop"
