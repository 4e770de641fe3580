"""What an API sends of itself: verified, then read. No network in here.

Signatures are those of Standard Webhooks 1.0 (https://www.standardwebhooks.com): the
header ``webhook-signature`` holds the HMAC-SHA256, in base64, of the message's id, its
time and its body, once for each secret that is valid at the moment.
"""

from __future__ import annotations

import base64
import hmac
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from ._decoder import Decoder, decoder_of, parse
from ._errors import APIError, CredentialError
from ._given import environment
from ._models import BaseModel
from ._shapes import Named

__all__ = ["Payloads", "WebhookReader", "WebhookVerificationError"]

Reads: TypeAlias = "type[Any] | Decoder[Any]"
"""What reads a message: a model class, or a decoder."""

PREFIX = "whsec_"
LONGEST_TIME = 16
TOLERANCE = 300.0
"""How many seconds the clock of the sender may differ from ours."""


class WebhookVerificationError(APIError):
    """A message does not prove that the API sent it, or not lately."""


@dataclass(frozen=True, slots=True)
class Payloads:
    """What the messages of an API are."""

    every: Reads
    """What any of them is: a model class, or a decoder."""

    named: Mapping[str, Reads] = field(default_factory=dict[str, Reads])
    """What those of one name are."""

    telling: bool = False
    """Whether a property of a message may hold its name, and nothing else tells."""

    def of(self, name: str | None, message: object) -> Decoder[object]:
        """Choose what reads a message.

        Raises ValueError for a name that the API does not have.
        """
        if name is None and self.telling:
            name = self._told(message)
        result = self.every if name is None else self.named.get(name)
        if result is None:
            known = ", ".join(map(repr, self.named))
            raise ValueError(f"there is no webhook {name!r}; there is {known}")
        return decoder_of(result)

    def _told(self, message: object) -> str | None:
        """Find the one name that a property of the message holds."""
        if not isinstance(message, dict):
            return None
        values = cast("dict[str, object]", message).values()
        names = {v for v in values if isinstance(v, str) and v in self.named}
        return names.pop() if len(names) == 1 else None


class WebhookReader:
    """Verifies and reads what an API sends of itself."""

    def __init__(
        self,
        title: str,
        secret: str | bytes | None,
        variable: str | None,
        payloads: Callable[[], Payloads],
    ) -> None:
        """Take the secret of a client, or the variable that holds it."""
        self._title = title
        self._secret = secret or environment(variable)
        self._variable = variable
        self._payloads = payloads

    def verify(
        self,
        body: bytes | str,
        headers: Mapping[str, str],
        *,
        secret: str | bytes | None = None,
    ) -> None:
        """Make sure that the API sent a message, and sent it lately.

        ``body`` is the message exactly as it came: parsed and written again, it would
        differ. The names of ``headers`` may be in any case. A ``secret`` comes before
        that of the client: text is in base64 if it begins with ``whsec_``, and itself
        the key otherwise, as are bytes.

        Raises WebhookVerificationError for a message that was not signed with the
        secret, or more than five minutes ago or ahead; CredentialError without a
        secret; ValueError for one that is not in base64.
        """
        key = _key(secret or self._secret)
        if key is None:
            hint = f" or set {self._variable}" if self._variable else ""
            raise CredentialError(
                f"{self._title}: there is no secret to verify webhooks with: pass"
                f" webhook_secret{hint}; verify=False reads what anybody may have sent"
            )
        found = {name.lower(): value for name, value in headers.items()}
        id_, sent, signatures = (
            self._header(found, name)
            for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
        )
        signed = b".".join(map(_bytes, (id_, sent, body)))
        expected = base64.b64encode(hmac.digest(key, signed, "sha256"))
        given = [s.removeprefix("v1,") for s in signatures.split() if s[:3] == "v1,"]
        # All are compared, so that the time tells nothing of which one matched.
        if not sum(hmac.compare_digest(_bytes(one), expected) for one in given):
            raise WebhookVerificationError(
                f"{self._title}: no signature of the webhook is by this secret"
            )
        if not (sent.isascii() and sent.isdecimal() and len(sent) < LONGEST_TIME):
            raise WebhookVerificationError(
                f"{self._title}: the webhook-timestamp {sent[:40]!r} is no number"
            )
        if abs(time.time() - int(sent)) > TOLERANCE:
            raise WebhookVerificationError(
                f"{self._title}: the webhook was not sent in the last five minutes"
            )

    def _unwrap(
        self,
        body: bytes | str,
        headers: Mapping[str, str],
        name: str | None,
        secret: str | bytes | None,
        verify: bool,
    ) -> object:
        """Read a message, once it is verified; generated methods are built on this."""
        if verify:
            self.verify(body, headers, secret=secret)
        content = _bytes(body)
        try:
            message = parse(content)
        except ValueError:
            raise self._unreadable(content) from None
        decoder = self._payloads().of(name, message)
        value = decoder.decode_value(message)
        if isinstance(decoder.shape, Named) and not isinstance(value, BaseModel):
            raise self._unreadable(content)
        return value

    def _unreadable(self, content: bytes) -> APIError:
        message = f"{self._title}: the webhook is not the JSON that was expected"
        return APIError(message, body=content.decode("utf-8", "replace"))

    def _header(self, headers: Mapping[str, str], name: str) -> str:
        value = headers.get(name)
        if not value:
            raise WebhookVerificationError(
                f"{self._title}: the header {name} is missing"
            )
        return value


def _bytes(body: bytes | str) -> bytes:
    return body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body


def _key(secret: str | bytes | None) -> bytes | None:
    """Make the key that messages are signed with of a secret."""
    if not secret or isinstance(secret, bytes):
        return secret or None
    if not secret.startswith(PREFIX):
        return secret.encode()
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except ValueError:
        key = b""
    if not key:  # with an empty one, anybody could sign
        message = f"a webhook secret is in base64 after {PREFIX!r}, and this one is not"
        raise ValueError(message)
    return key
