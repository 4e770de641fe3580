"""One credential: complete, and ready to be sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

import httpx2

from ._given import Given
from ._proofs import Proof, Proofs, basic
from ._schemes import (
    ApiKey,
    Basic,
    Bearer,
    Digest,
    Input,
    MutualTLS,
    OAuth2,
    Scheme,
    header_of,
)
from ._secrets import Ask

if TYPE_CHECKING:
    from ._tokens import TokenSource

__all__ = ["Credential", "hold", "login_of", "may_be_renewed", "with_token"]

Want: TypeAlias = "str | Ask | TokenSource"
"""A text, or what gives it."""

Form: TypeAlias = Callable[..., "Proof | httpx2.Auth"]


class Credential:
    """What a caller gave for one scheme."""

    __slots__ = ("fixed", "form", "header", "is_argument", "scheme", "wants")

    def __init__(
        self,
        scheme: Scheme,
        wants: Sequence[Want],
        form: Form | None,
        *,
        is_argument: bool,
    ) -> None:
        """Take what gives the texts, and what makes a proof of them.

        There is no ``form`` where connections carry it, and requests do not.
        """
        self.scheme = scheme
        self.header = header_of(scheme)
        """The header that it fills, in lower case; empty if it fills none."""
        self.wants = wants
        self.form = form
        self.is_argument = is_argument
        """Whether it was given to the client, and not by the environment."""
        texts = [want for want in wants if isinstance(want, str)]
        self.fixed = form(*texts) if form and len(texts) == len(wants) else None
        """The proof, where it is the same for every request."""

    def proof(self, texts: Sequence[str]) -> Proof | httpx2.Auth:
        """Make the proof of what its wants gave."""
        assert self.form is not None, "what connections carry has no proof"
        return self.form(*texts)


def hold(scheme: Scheme, given: Given) -> Credential | None:
    """Give the credential of a scheme, None where it was not given.

    Of OAuth2, that is a token that somebody else renews, if anybody does.
    """
    form: Form
    match scheme:
        case Bearer(token=input_, prefix=prefix):
            form = partial(_after, prefix)
        case OAuth2(access_token=input_):
            form = partial(_after, "Bearer")
        case ApiKey(key=input_, name=name, place=place):
            form = partial(_keyed, place, name)
        case Basic(username=username, password=password):
            wants = given.both(username, password)
            argued = given.is_argument(username)
            return wants and Credential(scheme, wants, basic, is_argument=argued)
        case Digest(username=username, password=password):
            wants = given.both(username, password)
            argued = given.is_argument(username)
            return wants and Credential(scheme, wants, _Digest(), is_argument=argued)
        case MutualTLS(certificate=input_):
            argued = given.is_argument(input_)
            there = given.value(input_) is not None
            return Credential(scheme, (), None, is_argument=argued) if there else None
    want = given.want(input_)
    argued = given.is_argument(input_)
    return (
        None if want is None else Credential(scheme, (want,), form, is_argument=argued)
    )


def login_of(username: str, password: str) -> Credential:
    """Make the credential of a user name and a password that stand in a URL."""
    given = Input("base_url", "")
    wants = (username, password)
    return Credential(Basic(given, given), wants, basic, is_argument=True)


def may_be_renewed(credentials: Sequence[Credential], proofs: Proofs) -> bool:
    """Note that an API did not accept these; say whether to try again with others."""
    renewable = False
    for credential, proof in zip(credentials, proofs, strict=True):
        for want in credential.wants:
            if not isinstance(want, str | Ask) and isinstance(proof, Proof):
                renewable |= want.refused(proof.secrets[0])
    return renewable


def with_token(scheme: OAuth2, source: TokenSource, *, is_argument: bool) -> Credential:
    """Make the credential of a caller whose tokens are renewed here."""
    form = partial(_after, "Bearer")
    return Credential(scheme, (source,), form, is_argument=is_argument)


def _after(prefix: str, text: str) -> Proof:
    return Proof("header", "Authorization", f"{prefix} {text}", (text,))


def _keyed(place: Literal["header", "query", "cookie"], name: str, text: str) -> Proof:
    return Proof(place, name, text, (text,))


class _Digest:
    """Keeps what answers challenges, as long as user name and password stay."""

    def __init__(self) -> None:
        self._known: tuple[tuple[str, str], httpx2.Auth] | None = None

    def __call__(self, username: str, password: str) -> httpx2.Auth:
        known = self._known
        if known is None or known[0] != (username, password):
            from ._digest import DigestAuth  # which few clients need

            known = self._known = (username, password), DigestAuth(username, password)
        return known[1]
