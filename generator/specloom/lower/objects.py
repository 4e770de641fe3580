"""Objects: models where properties are declared by name, maps where none are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .. import ir
from ..diagnostics import Origin
from . import keywords, places
from .conjuncts import CHOICES, Flat
from .enums import listed
from .limits import add, limits, report_contradictions
from .lowering import Lowering, Placed, Site
from .nodes import Node, node, text
from .parts import Parts, parts
from .patterns import matches_all
from .remarks import shown
from .unions import union
from .vocabulary import CONDITIONS, TEXTUAL


class Selector(NamedTuple):
    """The values of a property that select a model; ``is_mapped`` where a mapping lists them."""

    property: str
    values: tuple[ir.Constant, ...]
    is_mapped: bool


@dataclass(slots=True)
class Objects:
    """Declares the models of one description; ``selectors`` are those of models, by origin."""

    lowering: Lowering
    selectors: dict[Origin, Selector] = field(default_factory=dict[Origin, Selector])
    _building: dict[frozenset[Origin], ir.TypeId] = field(
        default_factory=dict[frozenset[Origin], ir.TypeId]
    )

    def shape(self, flats: Sequence[Flat], site: Site, demanded: ir.Constraints) -> ir.Type:
        """Return the object that all conjuncts describe; ``demanded`` are further limits."""
        key = frozenset(flat.origin for flat in flats)
        if key in self._building:  # a property of it is the same object once more
            return ir.Ref(self._building[key])
        found = parts(flats)
        for keyword, value in demanded:
            add(found.limits, keyword, ir.value_of(value))
        for flat in flats:
            report_contradictions(found.limits, flat, self.lowering.report)
        if not found.properties and not found.possible:
            return self._map(found, site)
        origin = site.origin
        id_ = ir.TypeId(str(origin))
        self._building[key] = id_
        types = self.lowering.types
        types.setdefault(id_, ir.Alias(id_, site.place, origin, ir.UNKNOWN))
        properties = tuple(self._properties(found, origin))
        self._report_unexpressed(flats, found, origin)
        additional = self._others(found, origin, None)
        self._add_names(found)
        del self._building[key]
        doc, deprecated = keywords.prose(*site.about)
        limits_ = found.constraints()
        types[id_] = ir.Model(
            id_, site.place, origin, properties, additional, doc, deprecated, limits_
        )
        return ir.Ref(id_)

    def _properties(self, found: Parts, site: Origin) -> list[ir.Property]:
        declared = [
            self._property(name, declarations, name in found.required, site)
            for name, declarations in found.properties.items()
        ]
        return declared + [
            self._possible(name, declarations, name in found.required)
            for name, declarations in found.possible.items()
        ]

    def _property(
        self, name: str, declarations: Sequence[Placed], required: bool, site: Origin
    ) -> ir.Property:
        """Return a property that one schema declares, or several that hold together."""
        lowering = self.lowering
        schema, origin = declarations[-1]
        if len(declarations) == 1:
            type_ = lowering.lower(schema, origin, places.of_property(origin, name, schema))
        else:
            at = places.own(declarations, site, site / "properties" / name)
            place = ir.Inline(str(site), name, title=keywords.title(schema))
            joined = lowering.all_of(declarations, at, place)
            if joined is None:
                lowering.report.warning(
                    "conflicting-property",
                    f"{name!r} is declared in ways that exclude each other; "
                    "this declaration is followed",
                    origin,
                    declarations[0].origin,
                )
                joined = lowering.lower(schema, origin, places.of_property(origin, name, schema))
            type_ = joined
        annotations: dict[str, object] = {}
        for placed in declarations:
            annotations |= lowering.annotations(*placed)
        type_ = self._selected(name, type_, declarations, site)
        return _property(name, type_, required, origin, annotations)

    def _selected(
        self, name: str, type_: ir.Type, declarations: Sequence[Placed], site: Origin
    ) -> ir.Type:
        """Return the type of a property, narrowed if its values select this model."""
        selector = self.selectors.get(site)
        if selector is None or selector.property != name:
            return type_
        known = self.lowering.conjuncts
        stated = [one for placed in declarations for one in known.apart(*placed)]
        constants = listed(known.flats(stated, site), known.description, self.lowering.report)
        if constants is None:
            narrows = selector.is_mapped and known.common(stated) == frozenset({"string"})
        else:
            narrows = set(selector.values) <= {ir.constant(value) for value in constants}
        return ir.Literal(selector.values) if narrows else type_

    def _possible(self, name: str, declarations: Sequence[Placed], required: bool) -> ir.Property:
        """Return a property that is declared for some cases: of any of the types it can have."""
        members = [
            ir.UNKNOWN
            if schema is True
            else self.lowering.lower(schema, origin, places.of_property(origin, name, schema))
            for schema, origin in declarations
        ]
        schema, origin = declarations[0]
        annotations = dict(self.lowering.annotations(schema, origin))
        if ir.UNKNOWN in members:
            stated = [shown(one.schema) for one in declarations if node(one.schema)]
            said = f"In some cases it is {' or '.join(stated)}." if stated else None
            docs = (text(annotations.get("description")), said)
            annotations["description"] = "\n\n".join(doc for doc in docs if doc)
        return _property(name, union(members), required, origin, annotations)

    def _report_unexpressed(self, flats: Sequence[Flat], found: Parts, site: Origin) -> None:
        for flat in flats:
            if "discriminator" in flat.schema and flat.origin == site:
                message = (
                    "this object is read as it is declared here: no schema builds on it by 'allOf' "
                    "that its discriminator could choose"
                )
                at = site / "discriminator"
                self.lowering.report.warning("unsupported-discriminator", message, at)
        self._report_undeclared(found)

    def _report_undeclared(self, found: Parts) -> None:
        for name, at in found.required.items():
            if name not in found.properties and name not in found.possible:
                message = f"{name!r} is required, but no property of that name is declared"
                self.lowering.report.warning("undeclared-required", message, at)

    def _map(self, found: Parts, site: Site) -> ir.Type:
        """Return an object without declared properties."""
        self._report_undeclared(found)
        if found.required:
            add(found.limits, "required", list(found.required))
        value = self._others(found, site.origin, site.place)
        self._add_names(found)
        return ir.Map(value, found.constraints())

    def _others(self, found: Parts, site: Origin, place: ir.Place | None) -> ir.Type:
        """Return the type of the properties that are not declared by name.

        ``place`` is that of a map, None stands for a model. What matches no pattern may be
        anything unless something is said of it (JSON Schema Core §10.3.2.3).
        """
        members: list[ir.Type] = []
        if found.patterns and not found.closed and not found.additional:
            if not any(map(matches_all, found.patterns)):
                self._report_untyped(found)
                return ir.UNKNOWN
        for index, (pattern, placed) in enumerate(found.patterns.items()):
            at = site / "patternProperties" / pattern
            part = f"pattern {index + 1}" if index else ""
            members.append(self._other(placed, 2, at, site, place, part))
        if found.additional:
            part = "additional" if found.patterns else ""
            at = site / "additionalProperties"
            members.append(self._other(found.additional, 1, at, site, place, part))
        if members:
            return union(members)
        return ir.NEVER if found.closed else ir.UNKNOWN

    def _report_untyped(self, found: Parts) -> None:
        message = (
            "the values of names that match this pattern are typed as anything, like those of all "
            "other names, of which 'additionalProperties' says nothing"
        )
        for placed in found.patterns.values():
            for one in placed:
                if one.schema is not True and one.schema != {}:
                    self.lowering.report.warning("unsupported-keyword", message, one.origin)

    def _other(
        self,
        placed: Sequence[Placed],
        depth: int,
        at: Origin,
        site: Origin,
        place: ir.Place | None,
        part: str,
    ) -> ir.Type:
        """Return the type of such properties, whose schemas stand ``depth`` tokens deep."""
        schema, origin = placed[-1]
        holder = places.above(origin, depth)
        is_within = places.is_within(origin, site)
        inside: ir.Place
        if place is None if is_within else self._has_properties(holder):
            title = keywords.title(schema)
            inside = ir.Inline(str(holder), part or "additional", several=True, title=title)
        elif is_within and place is not None:
            inside = places.of_value(place, site, schema, part)
        else:
            inside = places.of_target(origin, schema)
        if len(placed) == 1:
            return self.lowering.lower(schema, origin, inside)
        joined = self.lowering.all_of(placed, places.own(placed, site, at), inside)
        return ir.UNKNOWN if joined is None else joined

    def _has_properties(self, holder: Origin) -> bool:
        """Whether a schema, or one that it is a branch of, declares properties."""
        known = self.lowering.conjuncts
        conjuncts = known.apart(known.description.lookup(holder), holder)
        if any("properties" in flat.schema for flat in known.flats(conjuncts, holder)):
            return True
        is_branch = holder.tokens[-2:-1] in (("allOf",), ("oneOf",), ("anyOf",))
        return is_branch and self._has_properties(places.above(holder, 2))

    def _add_names(self, found: Parts) -> None:
        """Add what is demanded of the names of properties to the limits."""
        for placed in found.names:
            limit = self._names(placed)
            if limit is None:
                message = "this limit on the names of properties is not expressed"
                self.lowering.report.warning("unsupported-keyword", message, placed.origin)
            elif limit:
                add(found.limits, "propertyNames", limit)
        if found.closed and found.allowed and not found.additional:
            patterns: list[object] = [{"pattern": pattern} for pattern in found.allowed]
            declared: list[object] = [{"enum": list(found.properties)}] if found.properties else []
            either = [*declared, *patterns]
            add(found.limits, "propertyNames", either[0] if len(either) == 1 else {"anyOf": either})

    def _names(self, placed: Placed) -> Node | None:
        """Return a schema of names as one that stands alone; empty where any name will do."""
        conjuncts, report = self.lowering.conjuncts, self.lowering.report
        flats = conjuncts.flats(conjuncts.apart(*placed), placed.origin)
        if any(flat.schema.keys() & {*CHOICES, *CONDITIONS} for flat in flats):
            return None
        values = listed(flats, conjuncts.description, report)
        if values is not None:
            return {"enum": list(values)}
        return {k: ir.value_of(v) for k, v in limits(flats, TEXTUAL | {"format"}, report)}


def _property(
    name: str, type_: ir.Type, required: bool, origin: Origin, annotations: Node
) -> ir.Property:
    doc, deprecated = keywords.prose(annotations)
    return ir.Property(
        name,
        type_,
        required,
        origin,
        default=keywords.default(annotations),
        access=keywords.access(annotations),
        doc=doc,
        deprecated=deprecated,
    )
