"""Defaults, once all types are known: those that are no such thing are reported and dropped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from .. import ir
from ..diagnostics import Origin, Report
from .values import fits

Types = Mapping[ir.TypeId, ir.Declaration]


@dataclass(frozen=True, slots=True)
class Defaults:
    """Checks the defaults of one description."""

    types: Types
    report: Report

    def of_declaration(self, declared: ir.Declaration) -> ir.Declaration:
        """Return a declaration without the defaults that do not fit."""
        if isinstance(declared, ir.Alias):
            return declared
        if all(p.default is None for p in declared.properties):
            return declared
        properties = tuple(self._of_property(p) for p in declared.properties)
        return replace(declared, properties=properties)

    def _of_property(self, prop: ir.Property) -> ir.Property:
        kept = self._fitting(prop.default, prop.type, prop.origin / "default")
        return prop if kept == prop.default else replace(prop, default=kept)

    def of_operation(self, operation: ir.Operation) -> ir.Operation:
        """Return an operation without the defaults that do not fit."""
        parameters = tuple(
            replace(p, default=self._fitting(p.default, p.type, p.origin / "schema" / "default"))
            for p in operation.parameters
        )
        return replace(operation, parameters=parameters)

    def _fitting(
        self, default: ir.Constant | None, type_: ir.Type, origin: Origin
    ) -> ir.Constant | None:
        """Return a default if it is of a type; report it and return None if it is not."""
        if default is None or fits(value := ir.value_of(default), type_, self.types):
            return default
        message = f"the default {value!r} does not fit the type and is left out"
        self.report.warning("ill-typed-default", message, origin)
        return None
