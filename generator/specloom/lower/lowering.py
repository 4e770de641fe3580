"""What the parts of schema lowering need of the whole: schemas hold schemas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from .. import ir
from ..diagnostics import Origin, Report
from .conjuncts import Conjuncts
from .nodes import Node


class Placed(NamedTuple):
    """A schema and where it stands."""

    schema: object
    origin: Origin


class Site(NamedTuple):
    """Where a type is declared, should it need a declaration.

    ``about`` are the schemas that say what it is in words, the first of them with priority.
    """

    origin: Origin
    place: ir.Place
    about: tuple[object, ...]


class Lowering(Protocol):
    """Lowers the schemas inside a schema."""

    @property
    def report(self) -> Report:
        """Where findings go."""
        ...

    @property
    def conjuncts(self) -> Conjuncts:
        """What takes schemas apart."""
        ...

    @property
    def types(self) -> dict[ir.TypeId, ir.Declaration]:
        """The types that are declared so far; whoever declares one adds it."""
        ...

    def annotations(self, schema: object, origin: Origin) -> Node:
        """Return what a schema, and those it refers to, say of the property that holds it."""
        ...

    def declare(self, type_: ir.Type, site: Site) -> ir.Type:
        """Give a type a name, which may be mentioned inside it, and return the use of it."""
        ...

    def lower(self, schema: object, origin: Origin, place: ir.Place) -> ir.Type:
        """Return the type of a schema."""
        ...

    def all_of(self, placed: Sequence[Placed], site: Origin, place: ir.Place) -> ir.Type | None:
        """Return the type of what satisfies several schemas, or None where nothing does.

        ``site`` is where a type that has to be declared for it stands.
        """
        ...
