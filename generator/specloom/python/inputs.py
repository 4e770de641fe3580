"""What callers give for a security scheme: keywords of the client, and variables instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, assert_never

from .. import ir
from ..config import FILE
from ..diagnostics import Origin, Report
from .literals import literal
from .names import Scope, snake

Kind = Literal["secret", "token", "certificate", "text", "scopes", "listener", "key"]
"""What a keyword takes, apart from the types that are printed."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """One keyword of a client; ``part`` is what it gives of a scheme."""

    name: str
    part: str
    kind: Kind
    doc: str
    variable: str | None = None
    """The environment variable that is read when it is not given."""


@dataclass(frozen=True, slots=True)
class Planned:
    """One scheme, as Python."""

    scheme: ir.Scheme
    keywords: tuple[Keyword, ...]
    expression: str
    classes: tuple[str, ...]
    """The classes of the runtime that the expression mentions."""
    grants: tuple[ir.Grant, ...] = ()
    """The ways to be granted a token."""
    helper: str | None = None
    """The attribute by which people grant tokens."""

    @property
    def name(self) -> str:
        """What the description calls it."""
        return self.scheme.name


Overrides = Mapping[str, Mapping[str, str] | str]

_SECRETS: dict[str, tuple[Kind, str]] = {
    "token": ("secret", "The credential, or a function that gives it for each attempt."),
    "key": ("secret", "The key, or a function that gives it for each attempt."),
    "username": ("secret", "The user name, or a function that gives it for each attempt."),
    "password": ("secret", "The password, or a function that gives it for each attempt."),
    "certificate": (
        "certificate",
        "The client's certificate: a PEM file with its key, a pair of files, or an SSL context.",
    ),
    "access_token": (
        "token",
        "An access token, a function that gives one for each attempt, or a `Token` that was "
        "granted before.",
    ),
    "client_id": ("secret", "What the authorization server calls this program."),
    "client_secret": ("secret", "What proves to it that it is this program."),
    "refresh_token": ("secret", "What new access tokens are granted for."),
}
_SETTINGS: dict[str, tuple[Kind, str]] = {
    "scopes": ("scopes", "The scopes to ask for."),
    "token_url": ("text", "Where tokens are granted, if not where the description says."),
    "on_token": ("listener", "Is called with each new token, to keep it."),
}


def planned(
    scheme: ir.Scheme,
    name: str | None,
    prefix: str,
    overrides: Overrides,
    scope: Scope,
    attributes: Scope,
    report: Report,
) -> Planned:
    """Return a scheme with its keywords claimed; ``name`` is that of its only one, if given.

    ``scope`` holds the keywords of the client that are taken, ``attributes`` those of its class.
    """
    called = words_of(scheme.name)
    parts, settings = _parts(scheme.proof)
    wanted = {part: part for part in (*parts, *settings)}
    if len(parts) == 1 and not isinstance(scheme.proof, ir.OAuth2 | ir.MutualTls):
        wanted = {parts[0]: name or called}
    elif isinstance(scheme.proof, ir.MutualTls):
        wanted = {parts[0]: "cert"}
    if not all(scope.is_free(one) for one in wanted.values()) and wanted != {parts[0]: called}:
        wanted = {part: f"{called}_{one}" for part, one in wanted.items()}
    claimed = {part: scope.claim(one) for part, one in wanted.items()}
    variables = {part: f"{prefix}_{claimed[part].upper()}" for part in parts}
    variables |= _configured(scheme, parts, overrides, report)
    keywords = tuple(_keywords(claimed, variables))
    inputs = {
        part: f"Input({literal(claimed[part])}, {literal(variables[part])})" for part in parts
    }
    settings_of = {part: literal(claimed[part]) for part in settings}
    _report_places(scheme, report)
    helper = _helper(scheme, called, attributes)
    if helper is not None:
        settings_of["helper"] = literal(helper)
    expression, class_ = _expression(scheme.proof, inputs, settings_of)
    grants = (
        grants_of(scheme.proof) if isinstance(scheme.proof, ir.OAuth2 | ir.OpenIdConnect) else ()
    )
    return Planned(scheme, keywords, expression, ("Input", class_), grants, helper)


def _report_places(scheme: ir.Scheme, report: Report) -> None:
    """Report an authorization server that grants tokens in several places."""
    if isinstance(scheme.proof, ir.OAuth2):
        urls = dict.fromkeys(flow.token_url for flow in scheme.proof.flows if flow.token_url)
        if len(urls) > 1:
            message = f"the flows of {scheme.name!r} have several token URLs: {next(iter(urls))!r} "
            hint = "is used, unless 'token_url' says otherwise"
            report.warning("unsupported-security", message + hint, scheme.origin / "flows")


def _helper(scheme: ir.Scheme, called: str, attributes: Scope) -> str | None:
    """Return the attribute by which people grant tokens, None where they do not."""
    if not isinstance(scheme.proof, ir.OAuth2 | ir.OpenIdConnect):
        return None
    if not {"authorization_code", "device_code"} & set(grants_of(scheme.proof)):
        return None
    return attributes.claim("oauth" if attributes.is_free("oauth") else called)


def words_of(name: str) -> str:
    """Return the name of a scheme as an identifier; "OAuth" is one word."""
    return snake(name.replace("OAuth", "Oauth"))


def _keywords(claimed: Mapping[str, str], variables: Mapping[str, str]) -> Iterator[Keyword]:
    for part, name in claimed.items():
        kind, doc = _SECRETS.get(part) or _SETTINGS[part]
        yield Keyword(name, part, kind, doc, variables.get(part))


def _parts(proof: ir.Proof) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a caller gives that is secret, and what else."""
    match proof:
        case ir.Bearer() | ir.OtherHttp():
            return ("token",), ()
        case ir.ApiKey():
            return ("key",), ()
        case ir.Basic() | ir.Digest():
            return ("username", "password"), ()
        case ir.MutualTls():
            return ("certificate",), ()
        case ir.OAuth2() | ir.OpenIdConnect():
            grants = grants_of(proof)
            if not grants:
                return ("access_token",), ()
            parts = ["access_token", "client_id", "client_secret"]
            if grants != ("client_credentials",):
                parts.append("refresh_token")
            if "password" in grants:
                parts += ["username", "password"]
            return tuple(parts), ("scopes", "token_url", "on_token")
        case _:
            assert_never(proof)


def grants_of(proof: ir.OAuth2 | ir.OpenIdConnect) -> tuple[ir.Grant, ...]:
    """Return the ways to be granted a token that have an endpoint, or may be found to have one."""
    usual: tuple[ir.Grant, ...] = ("authorization_code", "client_credentials", "device_code")
    if isinstance(proof, ir.OpenIdConnect):
        return usual
    found: tuple[ir.Grant, ...] = tuple(
        flow.grant
        for flow in proof.flows
        if flow.grant != "implicit" and (flow.token_url or proof.metadata_url)
    )
    return found or (usual if proof.metadata_url and not proof.flows else ())


def _expression(
    proof: ir.Proof, inputs: Mapping[str, str], settings: Mapping[str, str]
) -> tuple[str, str]:
    """Return how the runtime has a scheme, and the class that says so."""
    listed = ", ".join(inputs.values())
    match proof:
        case ir.Bearer():
            return f"Bearer({listed})", "Bearer"
        case ir.OtherHttp(scheme):
            return f"Bearer({listed}, {literal(scheme)})", "Bearer"
        case ir.ApiKey(location, parameter):
            place = "" if location == "header" else f", {literal(location)}"
            return f"ApiKey({listed}, {literal(parameter)}{place})", "ApiKey"
        case ir.Basic():
            return f"Basic({listed})", "Basic"
        case ir.Digest():
            return f"Digest({listed})", "Digest"
        case ir.MutualTls():
            return f"MutualTLS({listed})", "MutualTLS"
        case ir.OAuth2() | ir.OpenIdConnect():
            arguments = [f"{part}={text}" for part, text in inputs.items()]
            renamed = {"token_url": "token_url_argument"}
            arguments += [f"{renamed.get(part, part)}={text}" for part, text in settings.items()]
            grants = grants_of(proof)
            if grants:
                arguments.append(f"grants={literal(grants)}")
            arguments += [f"{name}={literal(url)}" for name, url in _urls(proof).items()]
            return f"OAuth2({', '.join(arguments)})", "OAuth2"
        case _:
            assert_never(proof)


def _urls(proof: ir.OAuth2 | ir.OpenIdConnect) -> dict[str, str]:
    """Return where the authorization server takes requests: the first of each kind of place."""
    if isinstance(proof, ir.OpenIdConnect):
        return {"metadata_url": proof.url}
    if not grants_of(proof):
        return {}
    granting = [flow for flow in proof.flows if flow.grant != "implicit"]
    urls = {
        "token_url": [flow.token_url for flow in granting],
        "authorization_url": [
            flow.authorization_url for flow in granting if flow.grant == "authorization_code"
        ],
        "device_url": [flow.device_url for flow in granting],
        "refresh_url": [flow.refresh_url for flow in granting],
        "metadata_url": [proof.metadata_url],
    }
    found = {name: next((u for u in listed if u), None) for name, listed in urls.items()}
    return {name: url for name, url in found.items() if url is not None}


def _configured(
    scheme: ir.Scheme, parts: tuple[str, ...], overrides: Overrides, report: Report
) -> dict[str, str]:
    """Return the environment variables that the configuration names for a scheme."""
    written = overrides.get(scheme.name)
    origin = Origin(FILE) / "environment" / scheme.name
    if written is None:
        return {}
    if isinstance(written, str):
        if len(parts) == 1:
            return {parts[0]: written}
        message = f"{scheme.name!r} takes a table with {', '.join(parts)}"
        report.error("invalid-value", message, origin)
        return {}
    for part in written.keys() - set(parts):
        message = f"{scheme.name!r} has no {part!r}; it takes {', '.join(parts)}"
        report.error("invalid-value", message, origin / part)
    return {part: variable for part, variable in written.items() if part in parts}
