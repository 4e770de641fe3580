"""B. How answers become objects (behaviours 17 to 28)."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
import re
from typing import Annotated, Any, Literal

import pytest
from openai_client import APIError, APIResponseValidationError, BaseModel
from openai_client._runtime import Request, Tag
from openai_client.models import ChatCompletion

from .callers import Connect, request_id, trio_too
from .payloads import USAGE, completion, text_completion
from .server import Server, answer, encoded

pytestmark = pytest.mark.filterwarnings("error")


def with_message(**properties: Any) -> dict[str, Any]:
    """A chat completion whose message has exactly these properties."""
    return completion(choices=[{"index": 0, "message": properties, "finish_reason": "stop"}])


def full_of_unknown_properties() -> dict[str, Any]:
    """A chat completion with an unknown property on each level."""
    function = {"name": "spin", "arguments": "{}", "strictness": 3}
    call = {"id": "call_1", "type": "function", "function": function, "took": {"ms": 4}}
    message = {
        "role": "assistant",
        "content": "Já, 糸 🧵",
        "refusal": None,
        "tool_calls": [call],
        "reasoning": {"steps": ["a", {"b": None}]},
    }
    choice = {"index": 0, "message": message, "finish_reason": "stop", "stop_reason": None}
    return completion(
        choices=[choice],
        usage={**USAGE, "cost": 0.25, "prompt_tokens_details": {"cached_tokens": 1, "warm": True}},
        provider="loom",
        timings=[1.5, None],
    )


@trio_too
def test_b17_chat_completion_is_typed(connect: Connect, server: Server) -> None:
    server.plays(answer(completion("Good morning."), headers={"X-Request-Id": "req_17"}))

    said = connect().create()

    assert isinstance(said, ChatCompletion)
    assert request_id(said) == "req_17"
    assert said.choices[0].message.content == "Good morning."
    assert said.choices[0].finish_reason == "stop"
    assert said.created == 1750000000
    assert isinstance(said.created, int)
    assert said.usage is not None
    assert said.usage.total_tokens == 13


def test_b17_completion_is_typed(connect: Connect, server: Server) -> None:
    body = text_completion(" there was.", usage=USAGE)
    server.plays(answer(body, headers={"X-Request-Id": "req_17"}))

    said = connect().complete()

    assert said.choices[0].text == " there was."
    assert said.usage is not None
    assert said.usage.total_tokens == 13
    assert request_id(said) == "req_17"


def test_b17_no_request_id(connect: Connect, server: Server) -> None:
    server.plays(answer(completion()))

    assert request_id(connect().create()) is None


def test_b18_unknown_fields_are_kept_at_all_levels(connect: Connect, server: Server) -> None:
    body = full_of_unknown_properties()
    server.plays(answer(body))

    said: Any = connect().create()

    assert said.provider == "loom"
    assert said.timings == [1.5, None]
    assert said.choices[0].stop_reason is None
    assert said.choices[0].message.reasoning["steps"][1] == {"b": None}
    assert said.choices[0].message.tool_calls[0].took["ms"] == 4
    assert said.choices[0].message.tool_calls[0].function.strictness == 3
    assert said.usage.cost == 0.25
    assert said.usage.prompt_tokens_details.warm is True
    assert said.to_dict() == body
    with pytest.raises(AttributeError):
        _ = said.absent


def test_b19_unknown_enum_value_is_kept(connect: Connect, server: Server) -> None:
    choice = {"index": 0, "message": {"role": "oracle", "content": ""}, "finish_reason": "paused"}
    server.plays(answer(completion(choices=[choice], service_tier="gold")))

    said: Any = connect().create()

    assert said.choices[0].finish_reason == "paused"
    assert said.choices[0].message.role == "oracle"
    assert said.service_tier == "gold"


def test_b20_missing_required_and_null_are_none(connect: Connect, server: Server) -> None:
    body = completion(model=None, choices=[{"message": {"content": "Hi"}, "index": None}])
    del body["created"], body["object"]
    server.plays(answer(body))

    said: Any = connect().create()

    assert said.created is None
    assert said.object is None
    assert said.model is None
    assert said.choices[0].index is None
    assert said.choices[0].finish_reason is None
    assert said.choices[0].message.role is None
    assert said.choices[0].message.content == "Hi"
    assert said.to_dict() == body


def test_b20_nothing_at_all(connect: Connect, server: Server) -> None:
    server.plays(answer({}))

    said: Any = connect().create()

    assert said.choices is None
    assert said.usage is None
    assert said.to_dict() == {}


def misfit() -> dict[str, Any]:
    """A chat completion in which types are wrong on each level."""
    wrong_calls = [{"id": 7, "type": "function", "function": "spin"}, "call"]
    message = {"role": "assistant", "content": 42, "refusal": None, "tool_calls": wrong_calls}
    choices = [{"index": "first", "message": message, "finish_reason": ["stop"]}, "nothing"]
    return completion(created="soon", usage="plenty", choices=choices)


def test_b21_wrong_types_are_kept_as_they_came(connect: Connect, server: Server) -> None:
    body = misfit()
    server.plays(answer(body))

    said: Any = connect().create()

    assert said.created == "soon"
    assert said.usage == "plenty"
    assert said.choices[0].index == "first"
    assert said.choices[0].finish_reason == ["stop"]
    assert said.choices[0].message.content == 42
    assert said.choices[0].message.tool_calls[0].id == 7
    assert said.choices[0].message.tool_calls[0].function == "spin"
    assert said.choices[0].message.tool_calls[1] == "call"
    assert said.choices[1] == "nothing"
    assert said.to_dict() == body


def test_b21_strict_mode_raises(connect: Connect, server: Server) -> None:
    body = misfit()
    server.plays(answer(body, headers={"X-Request-Id": "req_21"}))

    with pytest.raises(APIResponseValidationError) as raised:
        connect(strict_responses=True).create()

    assert raised.value.status_code == 200
    assert raised.value.body == body
    assert raised.value.response.headers["X-Request-Id"] == "req_21"
    assert re.search(r"\$\.\w+", str(raised.value)), "the place is named"


def test_b21_strict_mode_accepts_what_fits(connect: Connect, server: Server) -> None:
    body = completion(system_fingerprint="fp_1")
    server.plays(answer(body))

    assert connect(strict_responses=True).create().to_dict() == body


def test_b22_absent_and_null_are_told_apart(connect: Connect, server: Server) -> None:
    null = with_message(role="assistant", content="Hi", refusal=None, audio=None)
    absent = with_message(role="assistant", content="Hi")
    server.plays(answer(null), answer(absent))
    client = connect()

    with_null, without = client.create(), client.create()

    assert with_null.choices[0].message.refusal is without.choices[0].message.refusal is None
    sent = {"role", "content", "refusal", "audio"}
    assert with_null.choices[0].message.model_fields_set == sent
    assert without.choices[0].message.model_fields_set == {"role", "content"}
    assert with_null.to_dict() == null
    assert without.to_dict() == absent


@pytest.mark.parametrize("indent", [{}, {"indent": None}, {"indent": 2}], ids=repr)
def test_b23_to_json_is_what_the_server_said(
    connect: Connect, server: Server, indent: dict[str, Any]
) -> None:
    body = full_of_unknown_properties()
    server.plays(answer(body))

    text = connect().create().to_json(**indent)

    assert json.loads(text) == body
    assert "Já, 糸 🧵" in text
    assert ("\n" not in text) == (indent == {"indent": None})


class Circle(BaseModel):
    """A shape of a description with a tagged union; the seed descriptions answer with none."""

    kind: Literal["circle"]
    radius: float


class Square(BaseModel):
    """Another shape."""

    kind: Literal["square"]
    side: float
    label: str


class Drawing(BaseModel):
    """An answer with shapes in it."""

    main: Annotated[Circle | Square, Tag("kind", ("circle", "square"))]
    others: list[Annotated[Circle | Square, Tag("kind", ("circle", "square"))]]


def draw(connect: Connect, server: Server, body: object) -> Any:
    """Asks for a drawing, which the server answers with this body."""
    server.plays(answer(body))
    return connect().run(lambda client: client.send(Request("GET", "/drawing"), Drawing))


def test_b24_union_variant_is_picked_by_its_tag(connect: Connect, server: Server) -> None:
    body = {
        "main": {"kind": "square"},
        "others": [
            {"kind": "circle", "radius": 2.0},
            {"kind": "square", "side": "long", "radius": 1},
            {"kind": "circle"},
        ],
    }

    drawing = draw(connect, server, body)

    assert isinstance(drawing.main, Square)
    assert drawing.main.side is None
    assert [type(shape) for shape in drawing.others] == [Circle, Square, Circle]
    assert drawing.others[1].side == "long"
    assert drawing.to_dict() == body


def test_b25_unknown_tag_is_no_known_variant(connect: Connect, server: Server) -> None:
    body = {
        "main": {"kind": "hexagon", "radius": 1.0, "side": 2.0, "label": "six"},
        "others": [{"kind": "square", "side": 1.0}, {"radius": 1.0}, {"kind": None}, "dot", None],
    }

    drawing = draw(connect, server, body)

    assert not isinstance(drawing.main, Circle | Square)
    assert [isinstance(shape, Circle | Square) for shape in drawing.others] == [True] + [False] * 4
    assert drawing.others[0].side == 1.0
    assert drawing.to_dict() == body


def test_b24_tool_call_of_an_unknown_type_loses_nothing(connect: Connect, server: Server) -> None:
    call = {"id": "call_1", "type": "sorcery", "spell": {"words": "abra"}}
    body = with_message(role="assistant", content=None, tool_calls=[call])
    server.plays(answer(body))

    said: Any = connect().create()

    assert said.choices[0].message.tool_calls[0].type == "sorcery"
    assert said.to_dict() == body


@pytest.mark.parametrize("make", [full_of_unknown_properties, misfit])
def test_b26_models_pickle_copy_and_compare(connect: Connect, server: Server, make: Any) -> None:
    body = make()
    server.plays(answer(body))
    client = connect()

    said, again = client.create(), client.create()

    for same in (again, pickle.loads(pickle.dumps(said)), copy.deepcopy(said), copy.copy(said)):
        assert type(same) is ChatCompletion
        assert same == said
        assert same.to_dict() == body
    assert copy.deepcopy(said).choices is not said.choices
    server.plays(answer({**body, "id": "chatcmpl-2"}))
    assert client.create() != said


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json; charset=utf-8",
        "application/vnd.api+json",
        "APPLICATION/JSON",
        "text/plain",
        "text/plain; charset=utf-8",
    ],
)
def test_b27_json_under_other_content_types(
    connect: Connect, server: Server, content_type: str
) -> None:
    server.plays(answer(completion("¿Qué? 糸"), content_type=content_type))

    assert connect().create().choices[0].message.content == "¿Qué? 糸"


def test_b27_gzip(connect: Connect, server: Server) -> None:
    body = gzip.compress(encoded(completion("¿Qué? 糸")))
    server.plays(answer(body, headers={"Content-Encoding": "gzip"}))

    assert connect().create().choices[0].message.content == "¿Qué? 糸"
    assert "gzip" in (server.request.header("Accept-Encoding") or "")


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"", "application/json"),
        (encoded(completion())[:-20], "application/json"),
        (b"<html><title>Welcome</title></html>", "text/html"),
        (b"<html><title>Welcome</title></html>", "application/json"),
        (b'{"id": "\xff\xfe"}', "application/json"),
        (b"[1, 2]", "application/json"),
    ],
    ids=["empty", "truncated", "html", "html as json", "not utf-8", "no object"],
)
def test_b28_an_answer_that_cannot_be_read_is_an_error(
    connect: Connect, server: Server, body: bytes, content_type: str
) -> None:
    server.plays(answer(body, content_type=content_type, headers={"X-Request-Id": "req_28"}))

    with pytest.raises(APIError) as raised:
        connect().create()

    response: Any = getattr(raised.value, "response", None)
    assert response is not None
    assert response.status_code == 200
    assert response.headers["X-Request-Id"] == "req_28"
    assert response.content == body
