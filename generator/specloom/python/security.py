"""Security: what a client is given to prove who calls, and what each call needs of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .. import ir
from ..config import FILE, Config
from ..diagnostics import Origin, Report
from .inputs import Keyword, Planned, planned
from .literals import literal
from .names import Scope
from .package import Entry

Names = tuple[tuple[str, ...], ...]
"""Names of schemes that are needed together, in alternatives."""


@dataclass(frozen=True, slots=True)
class Security:
    """The credentials of a client, as Python.

    ``default`` is what most calls need, ``stated`` whether the description says so for all of
    them that say nothing else.
    """

    schemes: tuple[Planned, ...]
    default: Names
    is_optional: bool
    is_demanding: bool
    is_keyed: bool
    """Whether there is nothing but one key, as most clients have it."""
    required: Mapping[Origin, Names] = field(default_factory=dict[Origin, Names])
    """What operations need that need something else."""

    def keywords(self) -> Iterator[Keyword]:
        """Yield the keywords of the client, in the order of the description."""
        for scheme in self.schemes:
            yield from scheme.keywords

    def of(self, operation: ir.Operation) -> str | None:
        """Return the expression of what a call needs, None where it is what most need."""
        names = self.required.get(operation.origin)
        return None if names is None else literal(names)

    def profile(self) -> Iterator[Entry]:
        """Yield what the runtime must know, as keywords of ``Profile``."""
        if not self.schemes:
            return
        schemes = ", ".join(f"{literal(s.name)}: {s.expression}" for s in self.schemes)
        yield Entry("schemes", f"{{{schemes}}}")
        yield Entry("security", literal(self.default))
        if not self.is_demanding and () not in self.default and self.default:
            yield Entry("demanding", "False")

    @property
    def classes(self) -> list[str]:
        """The classes of the runtime that the profile mentions."""
        return sorted({name for scheme in self.schemes for name in scheme.classes})


def security(
    api: ir.Api,
    config: Config,
    prefix: str,
    scope: Scope,
    attributes: Scope,
    report: Report,
) -> Security:
    """Return the credentials of the client of an API.

    ``prefix`` begins the names of environment variables; ``scope`` holds the keywords of the client
    that are taken, ``attributes`` those of its class.
    """
    default, required, demanding = _needs(api)
    used = dict.fromkeys(
        n for names in (default, *required.values()) for part in names for n in part
    )
    found = [scheme for scheme in api.schemes if scheme.name in used]
    keyed = len(found) == 1 and isinstance(found[0].proof, ir.Bearer | ir.ApiKey | ir.OtherHttp)
    overrides = _overrides(config, found, keyed, report)
    name = "api_key" if keyed else None
    schemes = tuple(
        planned(scheme, name, prefix, overrides, scope, attributes, report) for scheme in found
    )
    return Security(
        schemes,
        default,
        is_optional=not default or () in default,
        is_demanding=demanding,
        is_keyed=keyed,
        required=required,
    )


def _needs(api: ir.Api) -> tuple[Names, dict[Origin, Names], bool]:
    """Return what most operations need, what others need, and whether no one needs nothing.

    Where the description never says what is needed, each of its schemes is offered.
    """
    order = [scheme.name for scheme in api.schemes]
    needs = {
        operation.origin: _names(
            api.security if operation.security is None else operation.security, order
        )
        for operation in api.operations
    }
    default = _names(api.security, order)
    if not default and not any(needs.values()):
        offered = tuple((scheme.name,) for scheme in api.schemes)
        return ((*offered, ()) if offered else ()), {}, False
    if not default:
        default = Counter(needs.values()).most_common(1)[0][0]
    demanding = all(n and () not in n for n in needs.values())
    others = {origin: names for origin, names in needs.items() if names != default}
    return default, others, demanding


def _names(security: ir.Security, order: Sequence[str]) -> Names:
    """Return a requirement without its scopes, which are asked for once.

    Schemes that are needed together have no order of their own.
    """
    parts = (sorted({need.scheme for need in part}, key=order.index) for part in security)
    return tuple(dict.fromkeys(tuple(part) for part in parts))


def _overrides(
    config: Config, schemes: Sequence[ir.Scheme], keyed: bool, report: Report
) -> dict[str, Mapping[str, str] | str]:
    """Return the environment variables that are configured, by the names of schemes."""
    configured: dict[str, Mapping[str, str] | str] = dict(config.environment.schemes)
    known = {scheme.name for scheme in schemes}
    if keyed and schemes[0].name not in configured and "api_key" in configured:
        configured[schemes[0].name] = configured.pop("api_key")
    for name in configured.keys() - known:
        listed = ", ".join(sorted(known)) or "none"
        message = f"{name!r} is no security scheme that operations need; there is {listed}"
        report.error("invalid-value", message, Origin(FILE) / "environment" / name)
    return configured
