"""Discriminators: the property that the description says to tell the members of a union by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from .nodes import node


def discriminated(
    members: ir.Union, written: object, origin: Origin, description: Description, report: Report
) -> ir.Union:
    """Return a union with its discriminator (OpenAPI, Discriminator Object).

    A value of the mapping is a component's name or a reference. A member that no value leads to
    answers to its own name.
    """
    stated = node(written)
    name = stated.get("propertyName")
    if not isinstance(name, str):
        report.warning("invalid-discriminator", "a discriminator needs a 'propertyName'", origin)
        return members
    refs = [member.target for member in members.members if isinstance(member, ir.Ref)]
    pairs: dict[str, ir.TypeId] = {}
    for value, ref in node(stated.get("mapping")).items():
        target = _mapped(ref, refs, origin, description)
        if target is not None:
            pairs[value] = target
        else:
            report.warning(
                "invalid-discriminator",
                f"the mapping of {value!r} leads to no member of the union",
                origin / "mapping" / value,
            )
    for ref in refs:
        if ref not in pairs.values():
            pairs.setdefault(_name(ref), ref)
    return replace(members, tagging=ir.Discriminated(name, tuple(pairs.items())))


def _mapped(
    ref: object, refs: Sequence[ir.TypeId], origin: Origin, description: Description
) -> ir.TypeId | None:
    if not isinstance(ref, str):
        return None
    for candidate in refs:
        if _name(candidate) == ref:
            return candidate
    target = description.resolve(ref, origin)
    found = None if target is None else ir.TypeId(str(target))
    return found if found in refs else None


def _name(ref: ir.TypeId) -> str:
    return Origin("", ref.partition("#")[2]).tokens[-1] if "#/" in ref else ref
