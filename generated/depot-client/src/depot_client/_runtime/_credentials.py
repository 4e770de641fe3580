"""The credentials that a caller gave, and which of them a call is sent with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ._credential import Credential, hold, with_token
from ._errors import CredentialError
from ._given import Given
from ._schemes import (
    MutualTLS,
    OAuth2,
    Schemes,
    Security,
    is_settled,
    keywords,
    wanted,
)

if TYPE_CHECKING:
    import ssl

    from ._grants import Endpoints
    from ._tokens import TokenSource

__all__ = ["Credentials"]

Headers: TypeAlias = Mapping[bytes, "tuple[bytes, bytes] | None"]


class Known(NamedTuple):
    """What copies of a client have in common, of what they learn."""

    endpoints: dict[tuple[str, str | None], Endpoints]
    """Of authorization servers, by schemes and by the URLs that replace theirs."""
    sources: Mapping[str, TokenSource]
    """What grants the tokens of schemes for which nothing else was given."""


class Credentials:
    """Everything that a caller gave to prove who it is; never shown."""

    def __init__(
        self,
        title: str,
        schemes: Schemes,
        values: Mapping[str, object],
        known: Known | None = None,
    ) -> None:
        """Take what was given by keyword, and from the environment what was not.

        Raises CredentialError for half of a pair.
        """
        self.given = Given(title, values)
        self.schemes = schemes
        self.sources: dict[str, TokenSource] = {}
        """What grants tokens, by the names of schemes."""
        self._known = Known({}, {}) if known is None else known
        self._held: dict[str, Credential] = {}
        self._chosen: dict[Security, tuple[Credential, ...]] = {}
        for name, scheme in schemes.items():
            credential = (
                self._granted(name, scheme)
                if isinstance(scheme, OAuth2)
                else hold(scheme, self.given)
            )
            if credential is not None:
                self._held[name] = credential

    def _granted(self, name: str, scheme: OAuth2) -> Credential | None:
        """Give an access token as it is, or what is granted one if there is a way."""
        given = self.given
        others = (
            scheme.client_id,
            scheme.refresh_token,
            scheme.username,
        )
        token: object = given.values.get(scheme.access_token.argument)
        argued = given.is_argument(*others)
        if not token and not argued:
            # A token from the environment gives way to what was said to the client.
            token = given.value(scheme.access_token)
        renewed = any(given.value(one) is not None for one in others)
        if callable(token) or (
            not renewed and (token is None or isinstance(token, str))
        ):
            return hold(scheme, given)
        source = self._known.sources.get(name) or self._new(name, scheme, token)
        self.sources[name] = source
        if not source.is_usable:
            return None
        is_argument = argued or given.is_argument(scheme.access_token)
        return with_token(scheme, source, is_argument=is_argument)

    def replaced(self, values: Mapping[str, object]) -> Credentials:
        """Make other credentials: these, but for the ``values`` that are given."""
        if not values:
            return self
        merged = {**self.given.values, **values}
        for scheme in self.schemes.values():
            if isinstance(scheme, OAuth2) and scheme.refresh_token is not None:
                # A token and what renews it belong together.
                pair = (scheme.access_token.argument, scheme.refresh_token.argument)
                if any(one in values for one in pair):
                    merged |= {one: values.get(one) for one in pair}
        same = {
            name: source
            for name, source in self.sources.items()
            if values.keys().isdisjoint(keywords(self.schemes[name]))
        }
        known = Known(self._known.endpoints, same)
        return Credentials(self.given.title, self.schemes, merged, known)

    def source(self, name: str) -> TokenSource:
        """Give what grants the tokens of an OAuth2 scheme."""
        scheme = self.schemes[name]
        assert isinstance(scheme, OAuth2), "only those grant tokens"
        return self.sources.get(name) or self._new(name, scheme, None)

    def _new(self, name: str, scheme: OAuth2, token: object) -> TokenSource:
        # Imported by those who need it: most clients need none of this.
        from ._tokens import source_of

        return source_of(name, scheme, self.given, token, self._known.endpoints)

    @property
    def certificate(self) -> ssl.SSLContext | None:
        """The context of connections that show a certificate, if one was given.

        Raises OSError for files that cannot be read.
        """
        for scheme in self.schemes.values():
            if isinstance(scheme, MutualTLS):
                certificate = self.given.value(scheme.certificate)
                if certificate is not None:
                    from ._certificates import context_of

                    return context_of(scheme.certificate.argument, certificate)
        return None

    def demand(self, security: Security, headers: Headers) -> None:
        """Raise CredentialError if nothing was given where something is needed."""
        if (
            not self._held
            and not self.sources
            and self._settled(security, headers) is None
        ):
            raise self._missing(security, "")

    def beside(
        self, security: Security, headers: Headers, operation: str
    ) -> Sequence[Credential]:
        """Choose what a call with these ``headers`` is sent with.

        It is the first alternative for which everything was given: one that was given
        to the client before one from the environment. Headers that the caller wrote
        himself settle what would go into them. Raises CredentialError where something
        is needed and not there.
        """
        chosen = self._chosen.get(security)
        if chosen is None:
            chosen = self._choose(security)
            if chosen is None:
                rest = self._settled(security, headers)
                if rest is None:
                    raise self._missing(security, f" for {operation}")
                return rest
            self._chosen[security] = chosen
        for credential in chosen:
            if credential.header in headers:
                return [c for c in chosen if not is_settled(c.scheme, headers)]
        return chosen

    def with_login(
        self, security: Security, headers: Headers, operation: str, login: Credential
    ) -> Sequence[Credential]:
        """Choose as :meth:`beside` does, with the ``login`` of a URL as the last resort.

        Anything else that goes into its header comes before it.
        """
        if login.header in headers:
            return self.beside(security, headers, operation)
        try:
            chosen = self.beside(security, headers, operation)
        except CredentialError:
            filled = {**headers, login.header: None}
            chosen = self.beside(security, filled, operation)
        taken = any(one.header == login.header for one in chosen)
        return chosen if taken else [*chosen, login]

    def _choose(self, security: Security) -> tuple[Credential, ...] | None:
        """Give the credentials of an alternative, None where none is complete."""
        complete = [
            [self._held[name] for name in names]
            for names in security
            if names and all(name in self._held for name in names)
        ]
        if not complete:
            return None if security and () not in security else ()
        argued = (one for one in complete if all(c.is_argument for c in one))
        return tuple(c for c in next(argued, complete[0]) if c.form is not None)

    def _settled(
        self, security: Security, headers: Headers
    ) -> Sequence[Credential] | None:
        """Give what is left to send of an alternative that these headers complete."""
        for names in security:
            missing = [n for n in names if n not in self._held]
            if all(is_settled(self.schemes[name], headers) for name in missing):
                held = (self._held[name] for name in names if name in self._held)
                return [c for c in held if c.form and not is_settled(c.scheme, headers)]
        return None if security else ()

    def _missing(self, security: Security, purpose: str) -> CredentialError:
        ways = [
            ", and ".join(wanted(self.schemes[name]) for name in names)
            for names in security
        ]
        return CredentialError(
            f"{self.given.title} needs a credential{purpose}: {'; or '.join(ways)}"
        )
