"""E. Streams in other forms: JSON lines, JSON text sequences, envelopes; and webhooks."""

from __future__ import annotations

import base64
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import ModuleType
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal

from .callers import Caller, Flavour, OpenStream
from .server import Server, Step, answer, bytewise, close, frame, stream, until
from .vaults import imported

Open = Callable[..., OpenStream]

WORDS = ["cup", "café", "😀", "é€𝄞\u2028", '"}\n\\']
MOVES = [{"item": word, "to": None} for word in WORDS]
FORMS = {
    "lines": ("application/jsonl", "{}\n"),
    "sequence": ("application/json-seq", "\x1e{}\n"),
    "values": ("application/json", "{}"),
}
each_form = pytest.mark.parametrize("form", FORMS)


@pytest.fixture(scope="session")
def signals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The package of the client with every kind of stream."""
    with imported("signals", tmp_path_factory.mktemp("signals")) as package:
        yield package


@pytest.fixture
def caller(
    signals: ModuleType, server: Server, flavour: Flavour, portal: BlockingPortal | None
) -> Iterator[Caller]:
    """A client of either flavour."""
    kind = signals.Signals if flavour == "sync" else signals.AsyncSignals
    with ExitStack() as stack:
        made = Caller(kind(base_url=server.url, timeout=20, max_retries=0), portal)
        stack.callback(made.close)
        yield made


@pytest.fixture
def opened(caller: Caller) -> Open:
    """Opens the stream of a method."""

    def make(name: str, **arguments: Any) -> OpenStream:
        return OpenStream(caller, caller.run(lambda c: getattr(c.calls, name)(**arguments)))

    return make


def written(form: str, values: list[Any] = MOVES) -> bytes:
    """Values in one of the forms."""
    between = FORMS[form][1]
    return "".join(
        between.format(json.dumps(value, ensure_ascii=False).replace("{}", "{{}}"))
        for value in values
    ).encode()


def body(form: str, *pieces: bytes | Step, end: bool = True) -> Step:
    """An answer in one of the forms."""
    return stream(*pieces, headers={"Content-Type": FORMS[form][0]}, end=end)


def whole(data: bytes) -> list[bytes]:
    """All bytes in one piece."""
    return [data]


def items(moves: OpenStream) -> list[str]:
    return [move.item for move in moves]


@each_form
@pytest.mark.parametrize("cut", [bytewise, whole], ids=["byte by byte", "whole"])
def test_every_form_at_every_byte(
    opened: Open, server: Server, form: str, cut: Callable[[bytes], list[bytes]]
) -> None:
    server.plays(body(form, *cut(written(form))))
    assert items(opened(form)) == WORDS
    assert server.request.header("accept") == FORMS[form][0]


@each_form
def test_an_item_comes_before_the_next_one_is_sent(opened: Open, server: Server, form: str) -> None:
    gate = threading.Event()
    server.plays(body(form, written(form, MOVES[:1]), until(gate), written(form, MOVES[1:2])))
    moves = opened(form)
    assert next(moves).item == WORDS[0]
    gate.set()
    assert items(moves) == WORDS[1:2]


@each_form
def test_an_item_of_two_megabytes(opened: Open, server: Server, form: str) -> None:
    text = "é{[\\" * (1 << 19)
    sent = written(form, [{"item": text}])
    pieces = [sent[at : at + 16_000] for at in range(0, len(sent), 16_000)]
    server.plays(body(form, *pieces))
    assert items(opened(form)) == [text]


@each_form
def test_a_last_item_that_was_cut_short_is_an_error(
    opened: Open, server: Server, signals: ModuleType, form: str
) -> None:
    server.plays(body(form, written(form, MOVES[:1]), written(form, MOVES[1:2])[:8]))
    moves = opened(form)
    assert next(moves).item == WORDS[0]
    with pytest.raises(signals.APIResponseValidationError, match="not the JSON"):
        next(moves)
    assert list(moves) == []


@each_form
def test_a_connection_that_breaks_is_an_error(
    opened: Open, server: Server, signals: ModuleType, form: str
) -> None:
    server.plays(body(form, written(form, MOVES[:1]), b"\n", close, end=False))
    moves = opened(form)
    assert next(moves).item == WORDS[0]
    with pytest.raises(signals.APIConnectionError):
        next(moves)


def test_events_are_told_apart_by_their_names(opened: Open, server: Server) -> None:
    server.plays(
        stream(
            b"id: 1\n" + frame({"item": "cup"}, event="moved"),
            frame({"seconds": 2}, event="quiet"),
            b"event: note\ndata: not {JSON}\n\n",
            frame({"new": [1]}, event="unheard"),
            b"event: unheard\ndata: of\n\n",
        )
    )
    events = opened("watch")
    moved, quiet, note, new, text = (
        (type(event).__name__, event, events.stream.last_event.event) for event in events
    )
    assert (moved[0], moved[1].item, moved[2]) == ("Move", "cup", "moved")
    assert (quiet[0], quiet[1].seconds, quiet[2]) == ("Quiet", 2, "quiet")
    assert note[1:] == ("not {JSON}", "note")
    assert new[1:] == ({"new": [1]}, "unheard")
    assert text[1:] == ("of", "unheard")
    assert events.stream.last_event.id == "1"


def test_an_error_in_a_stream_is_raised(opened: Open, server: Server, signals: ModuleType) -> None:
    server.plays(
        stream(frame({"item": "cup"}, event="moved"), frame({"message": "full"}, event="error"))
    )
    events = opened("watch")
    assert next(events).item == "cup"
    with pytest.raises(signals.APIError, match="full"):
        next(events)


def piece(index: int, text: str) -> bytes:
    return json.dumps({"parts": [{"index": index, "text": text}]}).encode() + b"\n"


@pytest.mark.parametrize("arguments", [{}, {"stream": True}])
def test_what_streams_by_default_is_a_stream_that_adds_up(
    opened: Open, server: Server, arguments: dict[str, bool]
) -> None:
    server.plays(body("lines", piece(1, "b"), piece(0, "a"), piece(1, "c")))
    whole = opened("ask", **arguments).final()
    assert [(part.index, part.text) for part in whole.parts] == [(0, "a"), (1, "bc")]
    assert server.request.json() == arguments


def test_what_streams_by_default_can_be_had_whole(caller: Caller, server: Server) -> None:
    server.plays(answer({"parts": [{"index": 0, "text": "abc"}]}))
    whole = caller.run(lambda c: c.calls.ask(stream=False))
    assert (type(whole).__name__, whole.parts[0].text) == ("Whole", "abc")
    assert server.request.json() == {"stream": False}


def test_a_server_that_answers_in_another_form_is_understood(opened: Open, server: Server) -> None:
    server.plays(
        stream(frame(MOVES[0])),
        answer(MOVES[1]),
        body("sequence", written("sequence")),
    )
    assert items(opened("lines")) == WORDS[:1]
    assert items(opened("lines")) == WORDS[1:2]
    assert items(opened("lines")) == WORDS


def test_wrappers_give_streams_of_every_form(caller: Caller, server: Server) -> None:
    server.plays(body("lines", written("lines")), body("lines", written("lines")))
    raw = caller.run(lambda c: c.calls.with_raw_response.lines())
    stream_ = caller.run(lambda _: raw.parse())
    assert items(OpenStream(caller, stream_)) == WORDS
    manager = caller.context(caller.client.calls.with_streaming_response.lines())
    with manager as response:
        assert response.headers["content-type"] == "application/jsonl"


def test_webhooks_are_verified_and_read(caller: Caller, signals: ModuleType) -> None:
    client: Any = caller.client
    content = b'{"type": "moved", "item": "caf\xc3\xa9"}'
    sent = str(int(time.time()))
    signature = hmac.digest(b"key", b"m1." + sent.encode() + b"." + content, "sha256")
    headers = {
        "webhook-id": "m1",
        "webhook-timestamp": sent,
        "webhook-signature": "v1," + base64.b64encode(signature).decode(),
    }
    with pytest.raises(signals.CredentialError, match="SIGNALS_WEBHOOK_SECRET"):
        client.webhooks.unwrap(content, headers)
    signing = caller.with_options(
        webhook_secret="whsec_" + base64.b64encode(b"key").decode()
    ).client
    message = signing.webhooks.unwrap(content, headers)
    assert (message.type, message.item) == ("moved", "café")
    with pytest.raises(signals.WebhookVerificationError):
        signing.webhooks.unwrap(content + b" ", headers)
    quiet = client.webhooks.unwrap('{"seconds": 1}', {}, name="quiet", verify=False)
    assert quiet.seconds == 1
