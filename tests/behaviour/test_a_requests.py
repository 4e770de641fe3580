"""A. How arguments become a request (behaviours 1 to 16)."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest
from openai_client import APIError, omit

from .callers import Connect, only_async, trio_too
from .payloads import KEY, QUESTION, completion, text_completion
from .server import AT_ONCE, Server, answer


@pytest.fixture(autouse=True)
def a_good_answer(server: Server) -> None:
    """The server answers everything well unless a test says otherwise."""
    server.plays(answer(completion()))


@pytest.mark.parametrize("base", ["/v1", "/v1/", "/proxy/a/v1/"])
def test_b01_path_is_joined_to_the_base_exactly_once(
    connect: Connect, server: Server, base: str
) -> None:
    connect(base_url=server.origin + base).create()

    assert server.request.method == "POST"
    assert server.request.target == base.rstrip("/") + "/chat/completions"


@trio_too
def test_b02_body_is_exactly_the_arguments(connect: Connect, server: Server) -> None:
    messages = [{"role": "user", "content": "¿Qué tal, 世界? 🧵"}]

    connect().create(model="gpt-4o", messages=messages)

    request = server.request
    assert request.json() == {"model": "gpt-4o", "messages": messages}
    assert request.header("Content-Type") == "application/json"
    assert request.header("Content-Length") == str(len(request.body))
    assert request.header("Host") == f"127.0.0.1:{server.port}"


def test_b02_completions_endpoint(connect: Connect, server: Server) -> None:
    server.plays(answer(text_completion()))

    connect().complete(model="m", prompt="Once")

    assert server.request.target == "/v1/completions"
    assert server.request.json() == {"model": "m", "prompt": "Once"}


def test_b03_none_is_null_and_omit_is_absent(connect: Connect, server: Server) -> None:
    connect().create(temperature=None, top_p=omit, seed=2**53 - 1, stop=None)

    body = server.request.json()
    assert body["temperature"] is None
    assert body["stop"] is None
    assert "top_p" not in body
    assert body["seed"] == 9007199254740991
    assert b"9007199254740991" in server.request.body


@pytest.mark.parametrize(
    "argument",
    [
        {"temperature": float("nan")},
        {"temperature": float("inf")},
        {"metadata": {"depth": [float("-inf")]}},
        {"extra_body": {"deep": {"er": float("nan")}}},
    ],
    ids=["nan", "inf", "nested", "extra body"],
)
def test_b04_numbers_without_json_are_refused(
    connect: Connect, server: Server, argument: dict[str, Any]
) -> None:
    with pytest.raises(ValueError):
        connect().create(**argument)

    assert server.requests == []


@pytest.mark.parametrize("missing", ["model", "messages"])
def test_b05_missing_argument_of_chat(connect: Connect, server: Server, missing: str) -> None:
    arguments = {name: value for name, value in QUESTION.items() if name != missing}

    with pytest.raises(TypeError, match=missing):
        connect().run(lambda client: client.chat.completions.create(**arguments))

    assert server.requests == []


@pytest.mark.parametrize("missing", ["model", "prompt"])
def test_b05_missing_argument_of_completions(
    connect: Connect, server: Server, missing: str
) -> None:
    arguments = {"model": "m", "prompt": "Once"}
    del arguments[missing]

    with pytest.raises(TypeError, match=missing):
        connect().run(lambda client: client.completions.create(**arguments))

    assert server.requests == []


def test_b05_misspelt_argument(connect: Connect, server: Server) -> None:
    with pytest.raises(TypeError, match="temprature"):
        connect().create(temprature=1)

    assert server.requests == []


def test_b06_key_is_a_bearer_token(connect: Connect, server: Server) -> None:
    connect().create()

    assert server.request.header("Authorization") == f"Bearer {KEY}"


def test_b06_key_from_the_environment(
    connect: Connect, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")

    connect(api_key=None).create()
    connect(api_key="from-the-argument").create()

    keys = [request.header("Authorization") for request in server.requests]
    assert keys == ["Bearer from-the-environment", "Bearer from-the-argument"]


def test_b06_missing_key_is_an_error_at_construction(connect: Connect) -> None:
    with pytest.raises(Exception, match="OPENAI_API_KEY"):
        connect(api_key=None)


def test_b07_callable_key_is_asked_for_every_attempt(connect: Connect, server: Server) -> None:
    again = answer(b"", 500, headers=AT_ONCE)
    server.plays(again, answer(completion()))
    keys = iter(["k0", "k1"])

    connect(api_key=lambda: next(keys)).create()

    sent = [request.header("Authorization") for request in server.requests]
    assert sent == ["Bearer k0", "Bearer k1"]


@only_async
def test_b07_awaitable_key(connect: Connect, server: Server) -> None:
    again = answer(b"", 500, headers=AT_ONCE)
    server.plays(again, answer(completion()))
    keys = iter(["k0", "k1"])

    async def key() -> str:
        return next(keys)

    connect(api_key=key).create()

    sent = [request.header("Authorization") for request in server.requests]
    assert sent == ["Bearer k0", "Bearer k1"]


def test_b08_base_url_from_the_environment(
    connect: Connect, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.origin}/from/env")

    connect(base_url=None).create()
    connect(base_url=f"{server.origin}/from/argument").create()

    targets = [request.target for request in server.requests]
    assert targets == ["/from/env/chat/completions", "/from/argument/chat/completions"]


@pytest.mark.parametrize("name", ["authorization", "AUTHORIZATION", "Authorization"])
def test_b09_header_override_ignores_case(connect: Connect, server: Server, name: str) -> None:
    connect().create(extra_headers={name: "Token other"})

    assert server.request.all("authorization") == ["Token other"]


def test_b09_the_nearest_header_wins_whatever_its_case(connect: Connect, server: Server) -> None:
    client = connect(default_headers={"X-Team": "looms", "x-floor": "2"})

    client.create(extra_headers={"x-TEAM": "spindles", "content-type": "application/json; a=b"})

    assert server.request.all("x-team") == ["spindles"]
    assert server.request.all("X-Floor") == ["2"]
    assert server.request.all("content-type") == ["application/json; a=b"]


@pytest.mark.parametrize("name", ["authorization", "x-team", "USER-AGENT", "accept"])
def test_b09_omit_removes_a_header(connect: Connect, server: Server, name: str) -> None:
    client = connect(default_headers={"X-Team": "looms"})

    client.create()
    client.create(extra_headers={name: omit})

    assert server.requests[0].all(name), "the header is there to be removed"
    assert server.requests[1].all(name) == []


def test_b09_with_options_leaves_the_parent_alone(connect: Connect, server: Server) -> None:
    parent = connect(default_headers={"X-Team": "looms", "X-House": "north"})
    child = parent.with_options(default_headers={"X-Floor": "2", "x-team": "spindles"})

    child.create()
    parent.create()

    of_child, of_parent = server.requests
    assert of_child.all("X-Team") == ["spindles"]
    assert of_child.header("X-Floor") == "2"
    assert of_child.header("X-House") == "north"
    assert of_parent.header("X-Team") == "looms"
    assert of_parent.header("X-Floor") is None


def test_b09_user_agent_names_package_and_version(connect: Connect, server: Server) -> None:
    connect().create()

    agent = server.request.header("User-Agent")
    assert agent is not None
    assert re.search(r"\bopenai-client/\d+\.\d+", agent)


def test_b10_query_merges_and_is_encoded(connect: Connect, server: Server) -> None:
    client = connect(default_query={"tenant": "a", "region": "eu west"})

    client.create(extra_query={"q": "50% & más/?#", "tenant": "b"})

    request = server.request
    assert request.path == "/v1/chat/completions"
    assert sorted(request.query) == [("q", "50% & más/?#"), ("region", "eu west"), ("tenant", "b")]
    assert re.fullmatch(r"[!-~]+", request.target), "only printable ASCII, no space"


def test_b10_extra_body_overrides_and_adds(connect: Connect, server: Server) -> None:
    connect().create(temperature=1, extra_body={"temperature": 0, "guided_choice": ["a", "b"]})

    assert server.request.json() == {**QUESTION, "temperature": 0, "guided_choice": ["a", "b"]}


def test_b11_generators_and_tuples_are_arrays(connect: Connect, server: Server) -> None:
    again = answer(b"", 500, headers=AT_ONCE)
    server.plays(again, answer(completion()))
    words = ("weave", "spin")

    connect().create(
        messages=({"role": "user", "content": word} for word in words), stop=("\n", "END")
    )

    first, second = server.requests
    assert first.json() == {
        "model": "gpt-4o",
        "messages": [{"role": "user", "content": "weave"}, {"role": "user", "content": "spin"}],
        "stop": ["\n", "END"],
    }
    assert second.body == first.body


def test_b12_a_response_message_is_an_argument(connect: Connect, server: Server) -> None:
    message = {"role": "assistant", "content": "Good morning."}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    server.plays(answer(completion(choices=[choice])))
    client = connect()
    said = client.create().choices[0].message

    client.create(messages=[*QUESTION["messages"], said, {"role": "user", "content": "And?"}])

    assert server.requests[1].json()["messages"] == [
        *QUESTION["messages"],
        message,
        {"role": "user", "content": "And?"},
    ]


def test_b12_response_objects_inside_dictionaries(connect: Connect, server: Server) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "spin", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    server.plays(answer(completion(choices=[choice])))
    client = connect()
    calls = client.create().choices[0].message.tool_calls

    client.create(messages=[{"role": "assistant", "tool_calls": calls}])

    assert server.requests[1].json()["messages"] == [{"role": "assistant", "tool_calls": [call]}]


def test_b12_unknown_keys_of_dictionaries_pass_through(connect: Connect, server: Server) -> None:
    part = {"type": "text", "text": "Hi", "cache_control": {"type": "ephemeral"}}
    message = {"role": "user", "content": [part], "weight": 0, "note": None}

    connect().create(messages=[message])

    assert server.request.json()["messages"] == [message]


def test_b13_arguments_are_not_changed(connect: Connect, server: Server) -> None:
    arguments: dict[str, Any] = {
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
        "stop": ["a"],
        "metadata": {"a": "b"},
        "extra_headers": {"X-Team": "looms", "X-None": omit},
        "extra_query": {"q": "1"},
        "extra_body": {"stop": ["b"], "deep": {"er": 1}},
        "stream": False,
    }
    before = copy.deepcopy({k: v for k, v in arguments.items() if k != "extra_headers"})

    connect().create(**arguments)

    assert arguments.pop("extra_headers") == {"X-Team": "looms", "X-None": omit}
    assert arguments == before
    assert server.request.json()["stop"] == ["b"]


def test_b14_http_proxy_is_honoured(
    connect: Connect, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.origin)
    monkeypatch.setenv("http_proxy", server.origin)

    connect(base_url="http://api.example.test/v1").create()

    assert server.request.target == "http://api.example.test/v1/chat/completions"
    assert server.request.header("Host") == "api.example.test"


def test_b15_no_proxy_with_ipv6_ranges(
    connect: Connect, server: Server, other_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", other_server.origin)
    monkeypatch.setenv("http_proxy", other_server.origin)
    hosts = "localhost,::1/128,[::1],fe80::/10,127.0.0.1"
    monkeypatch.setenv("NO_PROXY", hosts)
    monkeypatch.setenv("no_proxy", hosts)

    connect().create()

    assert len(server.requests) == 1
    assert other_server.requests == []


def test_b16_redirect_to_another_origin_drops_the_key(
    connect: Connect, server: Server, other_server: Server
) -> None:
    target = f"{other_server.url}/elsewhere"
    server.plays(answer(b"", 307, headers={"Location": target}))
    other_server.plays(answer(completion("Moved.")))

    said = connect().create().choices[0].message.content

    assert said == "Moved."
    first, second = server.request, other_server.request
    assert (second.method, second.target) == ("POST", "/v1/elsewhere")
    assert json.loads(second.body) == json.loads(first.body) == QUESTION
    assert first.header("Authorization") == f"Bearer {KEY}"
    assert second.header("Authorization") is None


def test_b16_redirect_within_the_origin_keeps_the_key(connect: Connect, server: Server) -> None:
    server.plays(answer(b"", 307, headers={"Location": "/v2/moved"}), answer(completion()))

    connect().create()

    second = server.requests[1]
    assert second.target == "/v2/moved"
    assert second.json() == QUESTION
    assert second.header("Authorization") == f"Bearer {KEY}"


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("location", ["//:80/", "//:99999/", "http://host:abc/", "mailto:a@b"])
def test_b16_redirect_to_what_is_no_url(
    connect: Connect, server: Server, location: str, streamed: bool
) -> None:
    server.plays(answer(b"", 307, headers={"Location": location}))
    client = connect(max_retries=0)

    with pytest.raises(APIError):
        (client.stream if streamed else client.create)()

    assert len(server.requests) == 1


def test_b16_redirects_end_after_twenty(connect: Connect, server: Server) -> None:
    server.plays(answer(b"", 307, headers={"Location": "/v1/again"}))

    with pytest.raises(APIError):
        connect().create()

    assert len(server.requests) == 21
