"""Security: the schemes of a description, and which of them its operations need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from .nodes import Node, items, node, text
from .references import References

_FLOWS: dict[str, ir.Grant] = {
    "implicit": "implicit",
    "password": "password",
    "clientCredentials": "client_credentials",
    "authorizationCode": "authorization_code",
    "deviceAuthorization": "device_code",
}
"""The grants by their names in descriptions (OpenAPI, OAuth Flows Object)."""


@dataclass(slots=True)
class Securities:
    """The security schemes of one description, and the requirements that name them."""

    description: Description
    references: References
    report: Report
    schemes: dict[str, ir.Scheme] = field(default_factory=dict[str, ir.Scheme])
    _left_out: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        root = Origin(self.description.entry) / "components" / "securitySchemes"
        declared = node(node(self.description.value.get("components")).get("securitySchemes"))
        for name, written in declared.items():
            self._declare(name, written, root / name)

    def stated(self, holder: Node, at: Origin) -> ir.Security | None:
        """Return what a document or an operation requires; None where it does not say.

        A requirement with a scheme that is missing, or cannot be expressed, is left out. Where
        proof is optional, that comes last (OpenAPI, Security Requirement Object).
        """
        if not isinstance(holder.get("security"), list):
            return None
        found: dict[ir.Requirement, None] = {}
        for index, written in enumerate(items(holder.get("security"))):
            requirement = self._requirement(node(written), at / "security" / index)
            if requirement is not None:
                found[requirement] = None
        if () in found:
            del found[()]
            return (*found, ()) if found else ()
        return tuple(found)

    def _requirement(self, written: Node, at: Origin) -> ir.Requirement | None:
        """Return schemes that are needed together, None if one of them is not there."""
        needs: list[ir.Need] = []
        for name, scopes in written.items():
            scheme = self._scheme(name, at / name)
            if scheme is None:
                return None
            needs.append(ir.Need(scheme, tuple(s for s in items(scopes) if isinstance(s, str))))
        return tuple(needs)

    def _scheme(self, name: str, at: Origin) -> str | None:
        """Return the scheme that a requirement names: a component, or one by its URI (3.2)."""
        if name in self.schemes:
            return name
        if name in self._left_out:
            return None
        if "/" in name or "#" in name:
            target = self.description.target(name, at, self.report)
            if target is not None:
                last = target.tokens[-1] if target.tokens else name
                if last not in self.schemes:
                    self._declare(last, self.description.lookup(target), target)
                return last if last in self.schemes else None
        self._left_out.add(name)
        message = f"{name!r} is required, but no security scheme of that name is declared"
        hint = "pass its credentials in 'default_headers'"
        self.report.warning("undeclared-security", f"{message}; {hint}", at)
        return None

    def _declare(self, name: str, written: object, at: Origin) -> None:
        """Take up a scheme, or report what it lacks."""
        stated, origin = self.references.target(written, at)
        proof = _proof(stated)
        if isinstance(proof, str):
            self._left_out.add(name)
            message = f"the security scheme {name!r} is not expressed: {proof}"
            hint = "pass its credentials in 'default_headers'"
            self.report.warning("unsupported-security", f"{message}; {hint}", origin)
            return
        doc, deprecated = text(stated.get("description")), stated.get("deprecated") is True
        self.schemes[name] = ir.Scheme(name, proof, origin, doc, deprecated)


def _api_key(scheme: Node, location: Literal["header", "query", "cookie"]) -> ir.Proof | str:
    name = text(scheme.get("name"))
    return ir.ApiKey(location, name) if name else "'name' is missing"


def _proof(scheme: Node) -> ir.Proof | str:
    """Return what a Security Scheme Object asks for (OpenAPI), or why that cannot be said."""
    match scheme:
        case {"type": "apiKey", "in": "header"}:
            return _api_key(scheme, "header")
        case {"type": "apiKey", "in": "query"}:
            return _api_key(scheme, "query")
        case {"type": "apiKey", "in": "cookie"}:
            return _api_key(scheme, "cookie")
        case {"type": "apiKey"}:
            return "'in' is none of header, query and cookie"
        case {"type": "http"}:
            return _http(scheme)
        case {"type": "oauth2"}:
            return ir.OAuth2(
                tuple(_flows(node(scheme.get("flows")))), _url(scheme, "oauth2Metadata")
            )
        case {"type": "openIdConnect"}:
            url = _url(scheme, "openIdConnect")
            return ir.OpenIdConnect(url) if url else "'openIdConnectUrl' is missing"
        case {"type": "mutualTLS"}:
            return ir.MutualTls()
        case {"type": str(kind)}:
            return f"{kind!r} is no type of security scheme"
        case _:
            return "'type' is missing"


def _http(scheme: Node) -> ir.Proof | str:
    """Return a scheme of the ``Authorization`` header; their names are in any case."""
    name = text(scheme.get("scheme"))
    match (name or "").lower():
        case "basic":
            return ir.Basic()
        case "digest":
            return ir.Digest()
        case "bearer":
            return ir.Bearer(text(scheme.get("bearerFormat")))
        case _:
            return ir.OtherHttp(name) if name else "'scheme' is missing"


def _flows(written: Node) -> Iterator[ir.Flow]:
    """Yield the ways to be granted a token."""
    for name, grant in _FLOWS.items():
        if name in written:
            flow = node(written[name])
            scopes = node(flow.get("scopes"))
            yield ir.Flow(
                grant,
                token_url=_url(flow, "token"),
                authorization_url=_url(flow, "authorization"),
                device_url=_url(flow, "deviceAuthorization"),
                refresh_url=_url(flow, "refresh"),
                scopes=tuple((scope, text(doc) or "") for scope, doc in scopes.items()),
            )


def _url(holder: Node, what: str) -> str | None:
    return text(holder.get(f"{what}Url"))
