"""The access token of a caller: kept, and renewed when it runs out, by one at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from . import _grants
from ._errors import CredentialError
from ._flight import Flight
from ._given import Given
from ._grants import Endpoints, Identity, granted
from ._schemes import OAuth2, wanted
from ._secrets import Ask
from ._steps import Exchange, ExchangeAsync, Steps, Tell, run, run_async, text_of
from ._token import OAuthError, Token

__all__ = ["TokenSource", "listed", "source_of"]

LEEWAY = 30.0
"""A token is renewed so many seconds before it runs out, or in the last half of a short
life: requests take time, and clocks differ."""


class _Kept:
    """A token, and when to renew it; that of no life known is renewed when refused."""

    def __init__(self, token: Token) -> None:
        self.token = token
        self.renew_at: float | None = None
        if token.expires_at is not None:
            left = max(token.expires_at - _grants.now(), 0)
            self.renew_at = token.expires_at - min(LEEWAY, left / 2)

    @property
    def is_due(self) -> bool:
        return self.renew_at is not None and _grants.now() >= self.renew_at


class TokenSource:
    """Gives the access token of one caller, to threads and tasks alike."""

    def __init__(
        self,
        endpoints: Endpoints,
        identity: Identity,
        *,
        token: Token | None,
        refresh_token: str | Ask | None,
        user: tuple[str | Ask, str | Ask] | None,
        for_itself: bool,
        scopes: Sequence[str],
        on_token: Callable[[Token], object] | None,
        hint: str,
    ) -> None:
        """Take what the caller gave, of which any part may be missing.

        ``user`` is a name and a password. ``for_itself`` says whether the client is
        granted tokens without anybody else, and ``hint`` what to do if there is no way.
        """
        self.endpoints = endpoints
        self.identity = identity
        self.scopes = tuple(scopes)
        self._kept = None if token is None else _Kept(token)
        self._refresh_token = (token and token.refresh_token) or refresh_token
        self._user = user
        self._for_itself = for_itself
        self._on_token = on_token
        self._hint = hint
        self._flight = Flight()

    @property
    def can_renew(self) -> bool:
        """Whether there is a way to another token."""
        return bool(self._refresh_token or self._user or self._for_itself)

    @property
    def is_usable(self) -> bool:
        """Whether there is a token, or a way to one."""
        return self._kept is not None or self.can_renew

    def ready(self) -> str | None:
        """Give the access token, unless it has to be renewed first.

        One that cannot be renewed is used until the API says that it is no good.
        """
        kept = self._kept
        if kept is None or (kept.is_due and self.can_renew):
            return None
        return kept.token.access_token

    def refused(self, access_token: str) -> bool:
        """Note that the API refused a token; say whether to try again with another.

        Of many calls with one token, only one has it renewed.
        """
        kept = self._kept
        if kept is None or kept.token.access_token != access_token:
            return True
        if self.can_renew:
            kept.renew_at = 0.0
        return self.can_renew

    def get(self, exchange: Exchange, seconds: float | None) -> str | None:
        """Give an access token; None if waiting for it took too many ``seconds``."""
        text = self.ready()
        if text is not None:
            return text
        with self._flight.alone(seconds) as in_time:
            if not in_time:
                return None
            text = self.ready()
            if text is None:
                try:
                    self.endpoints.find("token", exchange)
                    text = run(self._renewed(), exchange)
                except Exception as error:
                    self._flight.failed(error)
                    raise
            return text

    async def get_async(
        self, exchange: ExchangeAsync, seconds: float | None
    ) -> str | None:
        """Do as :meth:`get` does."""
        text = self.ready()
        if text is not None:
            return text
        async with self._flight.alone_async(seconds) as in_time:
            if not in_time:
                return None
            text = self.ready()
            if text is None:
                try:
                    await self.endpoints.find_async("token", exchange)
                    text = await run_async(self._renewed(), exchange)
                except Exception as error:
                    self._flight.failed(error)
                    raise
            return text

    def _renewed(self) -> Steps[str]:
        """Get a new token in the way that there is, keep it, and tell of it."""
        token = yield from self._granted()
        if self._kept is not None:
            token = token.following(self._kept.token)
        self._refresh_token = token.refresh_token or self._refresh_token
        self._kept = _Kept(token)
        if self._on_token is not None:
            yield Tell(self._on_token, token)
        return token.access_token

    def _granted(self) -> Steps[Token]:
        """Ask for a token: for a refresh token, for a user, or for the client itself."""
        endpoints, identity = self.endpoints, self.identity
        scope = {"scope": " ".join(self.scopes)} if self.scopes else {}
        if self._refresh_token is not None:
            refresh_token = (yield from text_of(self._refresh_token)) or ""
            form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
            try:
                token = yield from granted(endpoints, identity, form, refresh=True)
            except OAuthError as error:
                if error.code != "invalid_grant" or not self._has_another_way:
                    raise
                self._refresh_token = None
            else:
                return token
        if self._user is not None:
            name = (yield from text_of(self._user[0])) or ""
            word = (yield from text_of(self._user[1])) or ""
            form = {"grant_type": "password", "username": name, "password": word}
            return (yield from granted(endpoints, identity, form | scope))
        if self._for_itself:
            form = {"grant_type": "client_credentials"}
            return (yield from granted(endpoints, identity, form | scope))
        raise CredentialError(f"{endpoints.title} has no access token: {self._hint}")

    @property
    def _has_another_way(self) -> bool:
        return self._user is not None or self._for_itself


def source_of(
    name: str,
    scheme: OAuth2,
    given: Given,
    token: object,
    known: dict[tuple[str, str | None], Endpoints],
) -> TokenSource:
    """Make what gives the tokens of a scheme, out of what a caller gave.

    ``known`` are the endpoints by scheme and by the URL that replaces the declared one.
    """
    if token is not None and not isinstance(token, str | Token):
        argument = scheme.access_token.argument
        raise TypeError(f"{argument} must be a string, a function or a Token")
    values = given.values
    url = cast("str | None", values.get(scheme.token_url_argument))
    endpoints = known.get((name, url))
    if endpoints is None:
        endpoints = known[name, url] = Endpoints(given.title, scheme, url)
    identity = Identity(given.want(scheme.client_id), given.want(scheme.client_secret))
    granted_alone = "client_credentials" in scheme.grants and all(identity)
    user = None
    if scheme.username is not None and scheme.password is not None:
        user = given.both(scheme.username, scheme.password)
    return TokenSource(
        endpoints,
        identity,
        token=Token(access_token=token) if isinstance(token, str) else token,
        refresh_token=given.want(scheme.refresh_token),
        # A token that was given is not replaced by one of somebody else.
        user=user if token is None else None,
        for_itself=granted_alone and token is None,
        scopes=listed(cast("str | Sequence[str] | None", values.get(scheme.scopes))),
        on_token=cast("Callable[[Token], object] | None", values.get(scheme.on_token)),
        hint="; or ".join(
            part
            for part in (
                wanted(scheme),
                scheme.helper and f"be granted one with client.{scheme.helper}",
            )
            if part
        ),
    )


def listed(scopes: str | Sequence[str] | None) -> Sequence[str]:
    """Give scopes one by one, also where they came in one text."""
    return scopes.split() if isinstance(scopes, str) else scopes or ()
