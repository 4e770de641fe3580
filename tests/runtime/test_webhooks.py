"""What an API sends of itself: signatures of Standard Webhooks, and the types of messages."""

from __future__ import annotations

import base64
import hashlib
import hmac
import pickle
import time
from typing import Any

import pytest

from runtime import (
    APIError,
    BaseModel,
    CredentialError,
    Decoder,
    Payloads,
    WebhookReader,
    WebhookVerificationError,
)

KEY = bytes(range(24))
SECRET = "whsec_" + base64.b64encode(KEY).decode()
BODY = b'{"kind": "arrived", "item": "caf\xc3\xa9"}'


class Arrived(BaseModel):
    item: str


class Lost(BaseModel):
    since: int


PAYLOADS = Payloads(Decoder[Any](Arrived | Lost), {"arrived": Arrived, "lost": Lost}, telling=True)


class Reader(WebhookReader):
    """The reader as a client's package has it."""

    def unwrap(
        self,
        body: bytes | str,
        headers: dict[str, str],
        *,
        name: str | None = None,
        secret: str | bytes | None = None,
        verify: bool = True,
    ) -> Any:
        return self._unwrap(body, headers, name, secret, verify)


def reader(secret: str | bytes | None = SECRET, payloads: Payloads = PAYLOADS) -> Reader:
    return Reader("Test", secret, "TEST_WEBHOOK_SECRET", lambda: payloads)


def signed(
    body: bytes = BODY, *, key: bytes = KEY, age: float = 0, more: str = ""
) -> dict[str, str]:
    sent = str(int(time.time() - age))
    content = b"msg_1." + sent.encode() + b"." + body
    signature = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    return {
        "Webhook-Id": "msg_1",
        "webhook-timestamp": sent,
        "WEBHOOK-SIGNATURE": f"{more}v1,{signature}",
    }


def test_the_example_of_the_specification(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message, secret and signature that the reference libraries are tested with."""
    monkeypatch.setattr("runtime._webhooks.time.time", lambda: 1614265330.0)
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    reader(secret).verify('{"test": 2432232314}', headers)


def test_a_message_that_was_signed_is_read() -> None:
    for body in (BODY, BODY.decode()):
        message = reader().unwrap(body, signed())
        assert isinstance(message, Arrived)
        assert message.item == "café"


@pytest.mark.parametrize(
    ("secret", "key"), [("plain", b"plain"), (b"\x00\xff", b"\x00\xff"), (SECRET, KEY)]
)
def test_secrets_are_text_bytes_or_base64(secret: str | bytes, key: bytes) -> None:
    reader(secret).verify(BODY, signed(key=key))
    reader("other").verify(BODY, signed(key=key), secret=secret)
    with pytest.raises(WebhookVerificationError, match="no signature"):
        reader("other").verify(BODY, signed(key=key))


def test_one_of_several_signatures_suffices() -> None:
    wrong = base64.b64encode(bytes(32)).decode()
    reader().verify(BODY, signed(more=f"v1,{wrong} v1a,{wrong} v1,é "))


SIGNATURE = "WEBHOOK-SIGNATURE"
GIVEN = "the signature that was given"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"Webhook-Id": "msg_2"}, "no signature"),
        ({"webhook-timestamp": "1"}, "no signature"),
        ({SIGNATURE: "v1,"}, "no signature"),
        ({SIGNATURE: GIVEN}, "no signature"),
        ({SIGNATURE: f"v1a,{GIVEN}"}, "no signature"),
        ({SIGNATURE: ""}, "webhook-signature is missing"),
        ({"Webhook-Id": ""}, "webhook-id is missing"),
    ],
)
def test_what_was_changed_is_refused(changed: dict[str, str], said: str) -> None:
    headers = signed()
    given = headers[SIGNATURE].removeprefix("v1,")
    headers |= {name: value.replace(GIVEN, given) for name, value in changed.items()}
    with pytest.raises(WebhookVerificationError, match=said):
        reader().unwrap(BODY, headers)


def test_a_changed_body_is_refused() -> None:
    with pytest.raises(WebhookVerificationError):
        reader().unwrap(BODY + b" ", signed())


@pytest.mark.parametrize("age", [299, -299])
def test_a_clock_may_be_minutes_off(age: float) -> None:
    reader().verify(BODY, signed(age=age * 0.9))


@pytest.mark.parametrize("age", [302, -302, 10**8])
def test_an_old_message_is_refused(age: float) -> None:
    with pytest.raises(WebhookVerificationError, match="last five minutes"):
        reader().verify(BODY, signed(age=age))


@pytest.mark.parametrize("sent", ["9" * 5000, "9" * 400, "now", "-1", "1e9", "\uff11\uff12", "1.0"])
def test_a_time_that_is_no_number_is_refused_even_if_signed(sent: str) -> None:
    content = b"m." + sent.encode() + b"." + BODY
    signature = base64.b64encode(hmac.digest(KEY, content, "sha256")).decode()
    headers = {"webhook-id": "m", "webhook-timestamp": sent, "webhook-signature": f"v1,{signature}"}
    with pytest.raises(WebhookVerificationError, match="is no number"):
        reader().verify(BODY, headers)


def test_without_a_secret_nothing_is_read_unless_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_WEBHOOK_SECRET", raising=False)
    with pytest.raises(CredentialError, match="webhook_secret or set TEST_WEBHOOK_SECRET"):
        reader(None).unwrap(BODY, signed())
    assert isinstance(reader(None).unwrap(BODY, {}, verify=False), Arrived)
    monkeypatch.setenv("TEST_WEBHOOK_SECRET", SECRET)
    assert isinstance(reader(None).unwrap(BODY, signed()), Arrived)


def test_a_secret_that_is_not_in_base64_is_said_and_not_shown() -> None:
    with pytest.raises(ValueError, match="in base64 after") as caught:
        reader("whsec_hunter2!").verify(BODY, signed())
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("secret", ["whsec_", "whsec_====", "whsec_ ", "whsec_\N{BULLET}"])
def test_a_secret_without_a_key_lets_nobody_in(
    secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forged = signed(key=b"")
    for given, known in ((secret, None), (None, secret)):
        with pytest.raises(ValueError, match="a webhook secret is in base64 after"):
            reader(known).unwrap(BODY, forged, secret=given)
    monkeypatch.setenv("TEST_WEBHOOK_SECRET", secret)
    with pytest.raises(ValueError, match="a webhook secret is in base64 after"):
        reader(None).unwrap(BODY, forged)


@pytest.mark.parametrize("name", ["Webhook-Id", "webhook-timestamp", "WEBHOOK-SIGNATURE"])
@pytest.mark.parametrize("text", ["\ud800", "\N{BULLET}", "v1,\ud800"])
def test_headers_that_hold_anything_are_refused(name: str, text: str) -> None:
    with pytest.raises(WebhookVerificationError):
        reader().verify(BODY, {**signed(), name: text})


def test_a_name_decides_then_what_the_message_says_then_its_shape() -> None:
    read = reader()
    assert isinstance(read.unwrap(b'{"since": 1}', {}, name="arrived", verify=False), Arrived)
    assert isinstance(read.unwrap(b'{"type": "lost"}', {}, verify=False), Lost)
    assert isinstance(read.unwrap(b'{"since": 1}', {}, verify=False), Lost)
    both = b'{"a": "lost", "b": "arrived", "since": 1}'
    assert isinstance(read.unwrap(both, {}, verify=False), Lost)
    with pytest.raises(ValueError, match="no webhook 'gone'; there is 'arrived', 'lost'"):
        read.unwrap(BODY, {}, name="gone", verify=False)


def test_what_is_unknown_is_kept() -> None:
    message = reader().unwrap(b'{"type": "lost", "new": 1}', {}, verify=False)
    assert message.to_dict() == {"type": "lost", "new": 1}
    assert reader().unwrap(b"[1]", {}, verify=False) == [1]


@pytest.mark.parametrize("body", [b"", b"item=1", b"{", b"\xff"])
def test_what_is_no_json_is_an_error_of_ours(body: bytes) -> None:
    with pytest.raises(APIError, match="not the JSON") as caught:
        reader().unwrap(body, signed(body))
    assert caught.value.body == body.decode("utf-8", "replace")


def test_an_object_that_is_none_is_an_error_of_ours() -> None:
    only = Payloads(Arrived)
    with pytest.raises(APIError, match="not the JSON"):
        reader(payloads=only).unwrap(b"[1]", {}, verify=False)


def test_errors_are_pickled() -> None:
    with pytest.raises(WebhookVerificationError) as caught:
        reader().verify(BODY, {})
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), copy.message) == (WebhookVerificationError, caught.value.message)
