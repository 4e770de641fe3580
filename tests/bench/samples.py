"""What is sent and what is answered while measuring: ordinary traffic of both packages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

MODEL = "gpt-4o"
QUESTION: Mapping[str, object] = {"role": "user", "content": "Shall I take an umbrella?"}


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


ANSWER = _json(
    {
        "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
        "object": "chat.completion",
        "created": 1750000000,
        "model": "gpt-4o-2024-08-06",
        "service_tier": "default",
        "system_fingerprint": "fp_44709d6fcb",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": "Take one. " * 24,
                    "refusal": None,
                    "annotations": [],
                    "tool_calls": [
                        {
                            "id": "call_umbrella",
                            "type": "function",
                            "function": {
                                "name": "forecast",
                                "arguments": '{"city": "Bergen", "day": "tomorrow"}',
                            },
                        }
                    ],
                },
                "logprobs": None,
                "finish_reason": "tool_calls",
            }
        ],
        "usage": {
            "prompt_tokens": 19,
            "completion_tokens": 61,
            "total_tokens": 80,
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {
                "reasoning_tokens": 0,
                "audio_tokens": 0,
                "accepted_prediction_tokens": 0,
                "rejected_prediction_tokens": 0,
            },
        },
    }
)
"""A chat completion of 1 KB, with text and a tool call."""

CHUNK = b"data: %b\n\n" % _json(
    {
        "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
        "object": "chat.completion.chunk",
        "created": 1750000000,
        "model": "gpt-4o-2024-08-06",
        "service_tier": "default",
        "system_fingerprint": "fp_44709d6fcb",
        "choices": [
            {
                "index": 0,
                "delta": {"content": " umbrella"},
                "logprobs": None,
                "finish_reason": None,
            }
        ],
    }
)
"""One event of a streamed chat completion: a word."""

DONE = b"data: [DONE]\n\n"

_TURNS: Sequence[Mapping[str, object]] = (
    QUESTION,
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "call_umbrella",
                "type": "function",
                "function": {"name": "forecast", "arguments": '{"city": "Bergen"}'},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "call_umbrella", "content": "light rain"},
    {"role": "assistant", "content": "Yes, take one."},
)

CONVERSATION = [*_TURNS] * 50
"""200 messages: questions, tool calls, their results, answers."""
