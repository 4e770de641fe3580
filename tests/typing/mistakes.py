"""Mistakes; type checkers say so on each marked line, and on no other (S2)."""

from __future__ import annotations

from openai_client import AsyncOpenAI, OpenAI
from openai_client.params import ChatCompletionMessageParam, ChatCompletionToolParam

client = OpenAI()
question: list[ChatCompletionMessageParam] = [{"role": "user", "content": "Hello!"}]
completion = client.chat.completions.create(model="gpt-4o", messages=question)
chunks = client.chat.completions.create(model="gpt-4o", messages=question, stream=True)

# An unknown keyword.
client.chat.completions.create(model="gpt-4o", messages=question, temprature=1)  # error
client.completions.create(model="davinci-002", prompt="Once", messages=question)  # error
OpenAI(api_token="secret")  # error

# A required argument is missing.
client.chat.completions.create(messages=question)  # error
client.chat.completions.create(model="gpt-4o", stream=True)  # error
client.completions.create(prompt="Once")  # error

# A role that there is not.
client.chat.completions.create(model="m", messages=[{"role": "robot", "content": "?"}])  # error
robot: ChatCompletionMessageParam = {"role": "robot", "content": "Hello!"}  # error

# A key that a message does not have, or a missing one.
client.chat.completions.create(model="m", messages=[{"role": "user", "contents": "?"}])  # error
client.chat.completions.create(model="m", messages=[{"role": "tool", "content": "42"}])  # error
user: ChatCompletionMessageParam = {"role": "user", "content": "?", "tool_call_id": "1"}  # error

# Wrong types.
client.chat.completions.create(model=4, messages=question)  # error
client.chat.completions.create(model="gpt-4o", messages=question, temperature="hot")  # error
client.chat.completions.create(model="gpt-4o", messages=question, tool_choice="always")  # error
client.chat.completions.create(model="gpt-4o", messages=question, stream="yes")  # error
client.chat.completions.create(model="gpt-4o", messages=question, extra_headers={"X": 1})  # error
client.with_options(max_retries="two")  # error

# An attribute that there is not.
print(completion.choice)  # error
print(completion.choices[0].message.text)  # error
print(completion.choices[0].delta)  # error
print(client.chat.completion)  # error
print(chunks.choices)  # error

# Access through something that may be absent.
print(completion.usage.total_tokens)  # error
print(completion.choices[0].message.tool_calls[0].id)  # error
print(completion.choices[0].message.content.upper())  # error

# A key that a tool does not have, and a wrong kind of tool.
good: ChatCompletionToolParam = {"type": "function", "function": {"name": "forecast"}}
wrong: ChatCompletionToolParam = {"type": "function", "func": {"name": "forecast"}}  # error
nested: ChatCompletionToolParam = {"type": "function", "function": {"title": "forecast"}}  # error
kind: ChatCompletionToolParam = {"type": "browser", "function": {"name": "forecast"}}  # error
client.chat.completions.create(model="m", messages=question, tools=[{"type": "function"}])  # error

# A raw response is no result, and the asynchronous client gives nothing without ``await``.
raw = client.chat.completions.with_raw_response.create(model="gpt-4o", messages=question)
print(raw.choices)  # error
client.chat.completions.with_raw_response.create(model="gpt-4o", message=question)  # error
print(AsyncOpenAI().chat.completions.create(model="gpt-4o", messages=question).choices)  # error
