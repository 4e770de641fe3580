"""What an answer of the server means: a value, or an error. Pure functions of bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TypeVar, cast

import httpx2

from ._choices import ByStatus, ByType, Result, chosen
from ._decoder import TEXT, Decoder, decoder_of, parse
from ._deviations import Deviation
from ._errors import (
    APIConnectionError,
    APIError,
    APIResponseValidationError,
    APIStatusError,
    APITimeoutError,
    class_of,
)
from ._models import BaseModel, set_request_id
from ._profile import Profile
from ._proofs import secrets_of
from ._shapes import Named

__all__ = ["Reader", "closed_meanwhile", "connection_error"]

T = TypeVar("T")

LONGEST_QUOTE = 500
SHORTEST_SECRET = 6


@dataclass(frozen=True, slots=True)
class Reader:
    """How the answers of one API are understood."""

    profile: Profile
    strict: bool = False
    """Whether a departure from the description is an error."""
    on_deviation: Callable[[Deviation], None] | None = None
    """What is told of each departure."""

    def value(self, response: httpx2.Response, result: Result[T], operation: str) -> T:
        """Decode the content of a successful answer, which has been read.

        Raises APIResponseValidationError for what is not JSON where JSON was declared
        and, if strict, for a departure from the description.
        """
        decoder: Decoder[T] = chosen(result, response)
        content = response.content if decoder is not TEXT else _as_utf8(response)
        try:
            value = decoder.decode(content)
        except ValueError:
            content = _as_utf8(response)
            try:
                value = decoder.decode(content)
            except ValueError as error:
                raise self._unreadable(response, content) from error
        if self.strict or self.on_deviation is not None:
            self._check(response, decoder, content, operation)
        if isinstance(value, BaseModel):
            set_request_id(value, self.request_id(response))
        elif isinstance(decoder.shape, Named):
            raise self._unreadable(response, content)
        return value

    def error_mark(self) -> bytes | None:
        """The bytes that data must hold to report an error by the envelope.

        Looking for them first spares almost all events a second parse.
        """
        envelope = self.profile.error_envelope
        return None if envelope is None else json.dumps(envelope).encode()

    def request_id(self, response: httpx2.Response) -> str | None:
        """Read what the server calls the request."""
        return response.headers.get(self.profile.request_id_header)

    def event(
        self,
        response: httpx2.Response,
        decoder: Decoder[T],
        data: bytes,
        operation: str,
    ) -> T:
        """Decode one event of a stream; raises as :meth:`value` does."""
        try:
            value = decoder.decode(data)
        except ValueError as error:
            raise self._unreadable(response, data) from error
        if isinstance(decoder.shape, Named) and not isinstance(value, BaseModel):
            raise self._unreadable(response, data)
        if self.strict or self.on_deviation is not None:
            self._check(response, decoder, data, operation)
        return value

    def _check(
        self,
        response: httpx2.Response,
        decoder: Decoder[T],
        content: bytes,
        operation: str,
    ) -> None:
        found = decoder.deviations(content)
        if not found:
            return
        if self.on_deviation is not None:
            request_id = self.request_id(response)
            for deviation in found:
                self.on_deviation(
                    replace(deviation, request_id=request_id, operation=operation)
                )
        if self.strict:
            first = found[0]
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            message = f"{operation}: {first.path}: {first.message}{more}"
            raise self._invalid(response, content, message)

    def _unreadable(
        self, response: httpx2.Response, content: bytes
    ) -> APIResponseValidationError:
        what = _quote(_text(content)) if content.strip() else "nothing at all"
        media = response.headers.get("content-type", "no content type")
        message = (
            f"{response.status_code}: the answer ({media}) is not the JSON that was"
            f" expected: {what}"
        )
        return self._invalid(response, content, message)

    def _invalid(
        self, response: httpx2.Response, content: bytes, message: str
    ) -> APIResponseValidationError:
        hidden = self._hide(message, response.request)
        error = APIResponseValidationError(response, _body(content), message=hidden)
        error.request_id = self.request_id(response)
        return error

    def status_error(
        self,
        response: httpx2.Response,
        content: bytes,
        errors: Callable[[], object] | None = None,
    ) -> APIStatusError:
        """Make the error that an unsuccessful answer stands for.

        ``errors`` gives the types that are declared for the call, by status.
        """
        whole = _body(content)
        body = self._unwrap(whole)
        status = response.status_code
        try:
            title = f"{status} {HTTPStatus(status).phrase}"
        except ValueError:
            title = str(status)
        said = _said(body) or _said(whole)
        message = self._hide(f"{title}: {said}" if said else title, response.request)
        error = class_of(status)(message, response=response, body=body)
        error.request_id = self.request_id(response)
        declared = None if errors is None else errors()
        if isinstance(declared, ByStatus):
            declared = declared.of(status)
        error.error = self._declared(response, content, declared)
        return error

    def reported(
        self, response: httpx2.Response, event: str, data: bytes
    ) -> APIError | None:
        """Make the error that an answer or event with a good status reports, if any.

        It does so by the API's error envelope, or by an event that is called ``error``.
        """
        by_name = event == "error"
        if not by_name and self.profile.error_envelope is None:
            return None
        whole = _body(data)
        inner = self._unwrap(whole)
        if not by_name and (inner is whole or not inner):
            return None
        said = _said(inner) or _said(whole) or "The server reported an error."
        error = APIError(
            self._hide(said, response.request), response.request, body=inner
        )
        error.request_id = self.request_id(response)
        error.error = self._declared(response, data, None)
        return error

    def _unwrap(self, whole: object) -> object:
        envelope = self.profile.error_envelope
        if envelope is None or not isinstance(whole, dict):
            return whole
        inner = cast("dict[str, object]", whole).get(envelope)
        return cast("object", whole) if inner is None else inner

    def _declared(
        self, response: httpx2.Response, content: bytes, result: object
    ) -> object:
        """Decode an error body as what is declared for it, or for errors in general."""
        if result is None and self.profile.error is not None:
            result = self.profile.error()
        if isinstance(result, ByType):
            media_type: str = response.headers.get("content-type", "")
            result = result.of(media_type)
        if result is None:
            return None
        decoder = decoder_of(cast("type[object] | Decoder[object]", result))
        try:
            value = decoder.decode(content)
        except ValueError:
            return None
        named = isinstance(decoder.shape, Named)
        return None if named and not isinstance(value, BaseModel) else value

    def _hide(self, message: str, request: httpx2.Request) -> str:
        """Take the credential out of a message, should the server have repeated it."""
        for secret in secrets_of(request):
            if len(secret) >= SHORTEST_SECRET:
                message = message.replace(secret, "[secret]")
        return message


def connection_error(
    error: httpx2.RequestError, request: httpx2.Request
) -> APIConnectionError:
    """Make the error that a failure of the network stands for."""
    where = request.url.host
    match error:
        case httpx2.ConnectTimeout():
            return APITimeoutError(request, message=f"Could not reach {where} in time.")
        case httpx2.PoolTimeout():
            message = "No connection became free in time."
            return APITimeoutError(request, message=message)
        case httpx2.TimeoutException():
            message = f"{where} did not answer in time."
            return APITimeoutError(request, message=message)
        case httpx2.LocalProtocolError():
            # What the protocol objects to may well be a header, credential included.
            message = "The request breaks the rules of HTTP."
            return APIConnectionError(message=message, request=request)
        case _:
            detail = str(error) or type(error).__name__
            message = f"The connection to {where} failed: {detail}"
            return APIConnectionError(message=message, request=request)


def closed_meanwhile(
    request: httpx2.Request, reason: int | APIConnectionError
) -> APIConnectionError:
    """Make the error of a call that failed for a ``reason`` after its client was closed.

    It is not tried again, although another attempt might have succeeded.
    """
    message = "The client was closed during the call."
    error = APIConnectionError(message=message, request=request)
    error.__cause__ = reason if isinstance(reason, APIConnectionError) else None
    return error


def _body(content: bytes) -> object:
    """Read an error body: JSON if it is, else text, else None."""
    try:
        return parse(content)
    except ValueError:
        return _text(content) or None


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _quote(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST_QUOTE else words[:LONGEST_QUOTE] + "..."


def _said(body: object) -> str:
    """Find the words in an error body: those meant for people, else all of it."""
    if isinstance(body, dict):
        members = cast("dict[str, object]", body)
        for name_ in ("message", "detail", "error", "title"):
            said = members.get(name_)
            if isinstance(said, str) and said:
                return _quote(said)
    if body is None or isinstance(body, str):
        return _quote(body or "")
    return _quote(json.dumps(body, ensure_ascii=False))


def _as_utf8(response: httpx2.Response) -> bytes:
    """Recode content that has a byte order mark or is said to be in another charset."""
    content = response.content.removeprefix(b"\xef\xbb\xbf")
    charset = response.charset_encoding
    if charset is None or charset.lower() in ("utf-8", "utf8"):
        return content
    try:
        return content.decode(charset).encode()
    except (LookupError, UnicodeError):
        return content
