"""What has to be done for a token, told apart from the doing of it.

A generator yields each step and is given what came of it, or thrown the error that the
authorization server answered with. The clients do the steps, each in its own way.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Generator, Mapping
from inspect import isawaitable
from typing import NamedTuple, TypeAlias, TypeVar, cast
from urllib.parse import urlencode

import anyio
import httpx2

from ._errors import APIStatusError
from ._hosts import fault_of
from ._proofs import basic
from ._secrets import Ask
from ._token import OAuthError, Token

__all__ = [
    "Exchange",
    "ExchangeAsync",
    "Pause",
    "Steps",
    "Tell",
    "TokenRequest",
    "placed",
    "run",
    "run_async",
    "text_of",
]

T = TypeVar("T")

LOST = "an address of the authorization server is none"


class TokenRequest(NamedTuple):
    """A request to an authorization server."""

    method: str
    url: str
    """Absolute, or relative to the base URL of the client."""
    form: Mapping[str, str] | None = None
    authorization: str | None = None
    once: bool = False
    """Whether it must not be sent twice: a code is good for one request."""
    secrets: tuple[str, ...] = ()
    """What must not be repeated, should the server do so."""

    def placed(self, base_url: str) -> tuple[httpx2.URL, str | None]:
        """Give where it goes, and what authorizes it: the login of a URL, if need be.

        Raises OAuthError for an address that is none.
        """
        url, proof = placed(base_url, self.url), self.authorization
        if url.userinfo:
            proof = proof or basic(url.username, url.password).text
            url = url.copy_with(userinfo=b"")
        return url, proof

    @property
    def content(self) -> bytes | None:
        """The form as the body of a request."""
        return None if self.form is None else urlencode(self.form).encode("ascii")


def placed(base_url: str, address: str) -> httpx2.URL:
    """Give the URL of an address of an authorization server.

    Raises OAuthError for one that is none.
    """
    try:
        url = httpx2.URL(base_url).join(address)
    except (httpx2.InvalidURL, ValueError) as error:
        raise OAuthError(f"{LOST}: {error}") from error
    if (fault := fault_of(url)) is not None:
        raise OAuthError(f"{LOST}: {fault}")
    return url


class Tell(NamedTuple):
    """A new token, and the function of the caller's that is to hear of it."""

    function: Callable[[Token], object]
    token: Token


class Pause(NamedTuple):
    """Some time in which a person can do something."""

    seconds: float


Step: TypeAlias = TokenRequest | Tell | Ask | Pause
Done: TypeAlias = httpx2.Response | str | None
Steps: TypeAlias = Generator[Step, Done, T]
Exchange: TypeAlias = Callable[[TokenRequest], httpx2.Response]
ExchangeAsync: TypeAlias = Callable[[TokenRequest], Awaitable[httpx2.Response]]


def run(steps: Steps[T], exchange: Exchange) -> T:
    """Do each step in turn, requests by ``exchange``; give what comes of them all."""
    try:
        step = next(steps)
        while True:
            try:
                done = _done(step, exchange)
            except APIStatusError as error:
                step = steps.throw(error)
            else:
                step = steps.send(done)
    except StopIteration as end:
        return cast("T", end.value)


def _done(step: Step, exchange: Exchange) -> Done:
    match step:
        case TokenRequest():
            return exchange(step)
        case Ask():
            return step.checked(step.function())
        case Tell(function=function, token=token):
            function(token)
        case Pause(seconds=seconds):
            time.sleep(seconds)
    return None


async def run_async(steps: Steps[T], exchange: ExchangeAsync) -> T:
    """Do as :func:`run` does; functions of the caller's may be asynchronous."""
    try:
        step = next(steps)
        while True:
            try:
                done = await _done_async(step, exchange)
            except APIStatusError as error:
                step = steps.throw(error)
            else:
                step = steps.send(done)
    except StopIteration as end:
        return cast("T", end.value)


async def _done_async(step: Step, exchange: ExchangeAsync) -> Done:
    match step:
        case TokenRequest():
            return await exchange(step)
        case Ask():
            secret = step.function()
            return step.checked(await secret if isawaitable(secret) else secret)
        case Tell(function=function, token=token):
            told = function(token)
            if isawaitable(told):
                await told
        case Pause(seconds=seconds):
            await anyio.sleep(seconds)
    return None


def text_of(value: str | Ask | None) -> Steps[str | None]:
    """Give a text, or what the function gives that stands for it."""
    if not isinstance(value, Ask):
        return value
    text = yield value
    assert isinstance(text, str)
    return text
