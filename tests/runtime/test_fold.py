"""Chunks of a stream fold into the object that the server would have sent at once."""

from __future__ import annotations

import copy
import json
from typing import Any, Literal

import pytest

from runtime._decoder import decoder_of
from runtime._fold import Fold
from runtime._models import BaseModel


class Function(BaseModel):
    name: str
    arguments: str


class Call(BaseModel):
    id: str
    type: Literal["function"]
    function: Function


class Message(BaseModel):
    role: Literal["assistant"]
    content: str | None
    refusal: str | None
    tool_calls: list[Call] | None = None


class Choice(BaseModel):
    index: int
    message: Message
    finish_reason: Literal["stop", "tool_calls"]
    logprobs: dict[str, Any] | None


class Whole(BaseModel):
    id: str
    object: Literal["whole"]
    created: int
    choices: list[Choice]
    usage: dict[str, int] | None = None


FOLD = Fold(
    Whole,
    rename={"choices.delta": "message"},
    constants={"object": "whole"},
    replace=frozenset(
        {
            "choices.delta.role",
            "choices.delta.tool_calls.id",
            "choices.delta.tool_calls.type",
            "choices.finish_reason",
        }
    ),
)


def chunk(*choices: dict[str, object], **more: object) -> dict[str, object]:
    return {"id": "c1", "object": "chunk", "created": 5, "choices": list(choices), **more}


def choice(index: int = 0, *, finish: str | None = None, **delta: object) -> dict[str, object]:
    return {"index": index, "delta": delta, "finish_reason": finish, "logprobs": None}


def folded(*chunks: object) -> dict[str, Any]:
    return FOLD.whole_of(chunks).to_dict()


CHUNKS = [
    chunk(choice(role="assistant", content="", refusal=None), usage=None),
    chunk(choice(content="Hel"), usage=None),
    chunk(choice(content="lo"), usage=None),
    chunk(choice(finish="stop"), usage=None),
    chunk(usage={"total_tokens": 3}),
]
WHOLE = {
    "id": "c1",
    "object": "whole",
    "created": 5,
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "Hello", "refusal": None},
            "finish_reason": "stop",
            "logprobs": None,
        }
    ],
    "usage": {"total_tokens": 3},
}


def test_b83_text_finish_reason_and_usage_equal_the_object_sent_at_once() -> None:
    whole = FOLD.whole_of(CHUNKS)
    assert whole == decoder_of(Whole).decode(json.dumps(WHOLE).encode())
    assert whole.to_dict() == WHOLE
    assert whole.choices[0].message.content == "Hello"


def test_chunks_may_be_bytes_or_models_and_are_not_changed() -> None:
    before = copy.deepcopy(CHUNKS)
    assert folded(*(json.dumps(one).encode() for one in CHUNKS)) == WHOLE
    assert folded(*(BaseModel.model_validate(one) for one in CHUNKS)) == WHOLE
    assert CHUNKS == before
    assert folded(*CHUNKS) == folded(*CHUNKS)


def call(index: int, arguments: str | None = None, **more: object) -> dict[str, object]:
    function = {} if arguments is None else {"arguments": arguments}
    return {"index": index, "function": function, **more}


def test_b83_tool_calls_join_by_index_and_lose_it() -> None:
    start = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": ""}}
    whole = folded(
        chunk(choice(role="assistant", content=None, tool_calls=[{"index": 1, **start}])),
        chunk(choice(tool_calls=[call(1, '{"a":')])),
        chunk(choice(tool_calls=[{"index": 0, **start, "id": "call_0"}, call(1, "1}")])),
        chunk(choice(tool_calls=[call(0, "{}", id="call_0", type="function")])),
        chunk(choice(finish="tool_calls")),
    )
    assert whole["choices"][0]["message"] == {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {**start, "id": "call_0", "function": {"name": "f", "arguments": "{}"}},
            {**start, "id": "call_1", "function": {"name": "f", "arguments": '{"a":1}'}},
        ],
    }


def test_choices_are_ordered_by_index_and_keep_it() -> None:
    whole = folded(
        chunk(choice(2, content="c")), chunk(choice(0, content="a")), chunk(choice(2, content="d"))
    )
    assert [(one["index"], one["message"]["content"]) for one in whole["choices"]] == [
        (0, "a"),
        (2, "cd"),
    ]


def test_null_and_absence_erase_nothing() -> None:
    whole = folded(
        chunk(choice(content="a", x=None), usage={"n": 1}), chunk(choice(content=None), usage=None)
    )
    assert whole["choices"][0]["message"] == {"content": "a", "x": None}
    assert whole["usage"] == {"n": 1}


def test_outside_of_indexed_items_the_last_value_wins() -> None:
    whole = folded(
        chunk(id="c1", tier="a", n=1, ok=False, usage={"a": 1, "b": 2, "s": "x"}),
        chunk(id="c2", tier="b", n=2, ok=True, usage={"b": 3, "s": "y"}),
    )
    assert (whole["id"], whole["tier"], whole["n"], whole["ok"]) == ("c2", "b", 2, True)
    assert whole["usage"] == {"a": 1, "b": 3, "s": "y"}


def test_unknown_strings_concatenate_and_replaced_ones_do_not() -> None:
    whole = folded(
        chunk(choice(role="assistant", reasoning_content="a", n=1)),
        chunk(choice(role="assistant", reasoning_content="b", n=2)),
    )
    message = whole["choices"][0]["message"]
    assert message == {"role": "assistant", "reasoning_content": "ab", "n": 2}


def test_lists_without_an_index_are_extended() -> None:
    def logged(*tokens: object) -> dict[str, object]:
        return {"index": 0, "delta": {}, "logprobs": {"content": list(tokens), "refusal": None}}

    whole = folded(chunk(logged({"token": "a"})), chunk(logged()), chunk(logged({"token": "b"}, 3)))
    assert whole["choices"][0]["logprobs"] == {
        "content": [{"token": "a"}, {"token": "b"}, 3],
        "refusal": None,
    }


EMPTY: list[object] = []


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((1, "a", {"b": 1}), {"b": 1}),
        (({"b": 1}, "a"), "a"),
        (({"b": 1}, [1]), [1]),
        (([1], [{"index": 0}]), [1, {"index": 0}]),
        (([{"index": 0, "a": 1}], [5]), [{"a": 1}, 5]),
        (([{"index": True}], [{"index": "0"}]), [{"index": True}, {"index": "0"}]),
        ((EMPTY, [{"index": 3, "a": "x"}], EMPTY), [{"a": "x"}]),
        ((None, None), None),
        ((1, None, 2.5), 2.5),
    ],
)
def test_values_that_change_their_kind_do_not_raise(
    values: tuple[object, ...], expected: object
) -> None:
    assert folded(*({"odd": value} for value in values))["odd"] == expected


def test_what_is_no_object_is_passed_over() -> None:
    assert folded(5, None, "x", b"[1]", *CHUNKS) == WHOLE


def test_a_whole_object_folds_to_itself() -> None:
    assert folded(WHOLE) == WHOLE


def test_many_pieces_fold() -> None:
    pieces = [chunk(choice(content="x" * 100)) for _ in range(20_000)]
    assert len(folded(*pieces)["choices"][0]["message"]["content"]) == 2_000_000
