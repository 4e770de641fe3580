"""Schemas: JSON Schema in the dialects of all versions of OpenAPI, to types of the IR."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from . import keywords, places
from .composition import Composition
from .conjuncts import Conjunct, Conjuncts, Named
from .discriminators import Discriminators
from .hierarchies import Hierarchies, Hierarchy
from .lowering import Placed, Site
from .nodes import Node, items, node
from .objects import Objects
from .shapes import Shapes
from .unions import union, without_null

_LONGEST_CHAIN = 100
"""How many references in a row annotations are followed through: enough, and no loop."""


@dataclass(slots=True)
class Schemas:
    """Lowers the schemas of one description and remembers the types they declare.

    A schema is lowered once, wherever it is met: what it is called follows from where it stands.
    """

    description: Description
    report: Report
    names: Collection[str] = ()
    """The origins of inline types that the configuration names."""
    types: dict[ir.TypeId, ir.Declaration] = field(default_factory=dict[ir.TypeId, ir.Declaration])
    expansions: dict[ir.TypeId, ir.Type] = field(default_factory=dict[ir.TypeId, ir.Type])
    """What a use of a named type really is: see ``_declare``."""
    conjuncts: Conjuncts = field(init=False)
    _composition: Composition = field(init=False)
    _hierarchies: Hierarchies = field(init=False)
    _lowered: dict[Origin, ir.Type] = field(default_factory=dict[Origin, ir.Type])
    _pending: deque[Origin] = field(default_factory=deque[Origin])
    _places: dict[Origin, ir.Place] = field(default_factory=dict[Origin, ir.Place])
    """The schemas that are declared, or will be, by name."""
    _components: set[ir.TypeId] = field(default_factory=set[ir.TypeId])
    _adopted: dict[ir.TypeId, ir.Declaration] = field(
        default_factory=dict[ir.TypeId, ir.Declaration]
    )
    """The components whose names other types bear."""
    _busy: bool = False

    def __post_init__(self) -> None:
        self.conjuncts = Conjuncts(self.description, self.report)
        discriminators = Discriminators(self, self._use)
        objects = Objects(self)
        self._composition = Composition(self, self._use, Shapes(self, objects), discriminators)
        self._hierarchies = Hierarchies(self.conjuncts, discriminators)

    def components(self, schemas: Node, origin: Origin) -> None:
        """Declare every schema of ``components``, whether or not anything refers to it."""
        for name in schemas:  # first all places, so that types stand in the author's order
            self._components.add(ir.TypeId(str(origin / name)))
            self._request(origin / name, ir.Component(name))
        self._hierarchies.find({origin / name: schema for name, schema in schemas.items()})
        self._composition.shapes.objects.selectors |= self._hierarchies.selectors
        self._declare_requested()
        self._adopt()
        self._report_circles()

    def lower(self, schema: object, origin: Origin, place: ir.Place) -> ir.Type:
        """Return the type of a schema.

        ``place`` names the type should the schema turn out to need a declaration. A schema that
        cannot be expressed is reported and becomes ``Unknown``.
        """
        lowered = self._lowered.get(origin)
        if lowered is None:
            is_inside, self._busy = self._busy, True
            place = places.of_shared(place, origin)
            conjuncts = self.conjuncts.apart(schema, origin)
            site = Site(origin, place, (schema,))
            found = self._composition.alone(conjuncts, site)
            if found is None:
                found = self._conflicting(node(schema), origin, conjuncts)
            lowered = self._lowered[origin] = self._named(found, schema, origin, place)
            self._busy = is_inside
            self._declare_requested()
        return lowered

    def all_of(self, placed: Sequence[Placed], site: Origin, place: ir.Place) -> ir.Type | None:
        """Return the type of what satisfies several schemas, or None where nothing does."""
        conjuncts = [one for each in placed for one in self.conjuncts.apart(*each)]
        about = tuple(each.schema for each in reversed(placed))
        return self._composition.together(conjuncts, Site(site, place, about))

    def annotations(self, schema: object, origin: Origin) -> Node:
        """Return a schema's own annotations over those of the schemas it refers to."""
        own, found = node(schema), dict[str, object]()
        for _ in range(_LONGEST_CHAIN):
            stated = node(schema)
            found = {**keywords.on_use(stated), **found}
            found = {**self._access(stated, origin), **found}
            ref = stated.get(keywords.reference(stated) or "$ref")
            target = self.description.resolve(ref, origin) if isinstance(ref, str) else None
            if target is None:
                break
            schema, origin = self.description.lookup(target), target
        if (doc := keywords.described(own, found.get("description"))) is not None:
            found["description"] = doc
        return found

    def _access(self, schema: Node, origin: Origin) -> Node:
        """Return in which direction a value travels by what ``allOf`` leads to, if by anything.

        It is enough that one of the schemas says so (JSON Schema Validation §9.4).
        """
        if not items(schema.get("allOf")):
            return {}
        parts = [node(self.description.lookup(o)) for o in self.conjuncts.closure(origin)]
        words = ("readOnly", "writeOnly")
        return {word: True for word in words if any(part.get(word) is True for part in parts)}

    def declare(self, type_: ir.Type, site: Site) -> ir.Type:
        """Give a type a name, which may be mentioned inside it, and return the use of it."""
        id_ = ir.TypeId(str(site.origin))
        bare = without_null(type_)
        if bare == ir.Ref(id_):
            return type_
        self.types[id_] = ir.Alias(id_, site.place, site.origin, bare, *keywords.prose(*site.about))
        return union([ir.Ref(id_), ir.NULL]) if bare != type_ else ir.Ref(id_)

    def _named(self, type_: ir.Type, schema: object, origin: Origin, place: ir.Place) -> ir.Type:
        """Return a use of an inline type that the configuration gives a name, or the type."""
        id_ = ir.TypeId(str(origin))
        if id_ not in self.names or id_ in self.types:
            return type_
        return self.declare(type_, Site(origin, place, (schema,)))

    def _conflicting(self, schema: Node, origin: Origin, conjuncts: Sequence[Conjunct]) -> ir.Type:
        """Report a schema that no value satisfies, and return what it is read as."""
        named = [one for one in conjuncts if isinstance(one, Named)]
        if named and keywords.reference(schema) is not None:
            message = "what stands beside this reference excludes its target, which is followed"
            at = origin / next(iter(keywords.siblings(schema)), "$ref")
            self.report.warning("conflicting-sibling", message, at)
            return self._use(named[0])
        keyword = next((k for k in ("allOf", "oneOf", "anyOf", "type") if k in schema), None)
        message = "what is stated here excludes each other; any value is accepted"
        at = origin if keyword is None else origin / keyword
        self.report.warning("conflicting-schemas", message, at)
        return ir.UNKNOWN

    def _use(self, named: Named) -> ir.Type:
        """Return a use of what a reference leads to, which is declared in its turn."""
        self._request(named.target, None)
        return ir.Ref(ir.TypeId(str(named.target)))

    def _request(self, origin: Origin, place: ir.Place | None) -> None:
        if origin not in self._places:
            found = place or places.of_target(origin, self.description.lookup(origin))
            id_ = ir.TypeId(str(origin))
            self._places[origin] = found
            self.types.setdefault(id_, ir.Alias(id_, found, origin, ir.UNKNOWN))
            self._pending.append(origin)

    def _declare_requested(self) -> None:
        """Declare what was referred to. References may go on for long, so that none is nested."""
        if self._busy:
            return
        self._busy = True
        while self._pending:
            origin = self._pending.popleft()
            try:
                self._declare(origin)
            except RecursionError:
                message = "this schema is put together of too many others that hold each other"
                raise self.report.fatal("nested-too-deep", message, origin) from None
        self._busy = False

    def _declare(self, origin: Origin) -> None:
        """Give the schema at ``origin`` a declaration of its own.

        A named type never holds null and is never just another name: null moves to its uses, and
        so does a reference or a scalar that it stands for. ``expansions`` says what the uses are.
        """
        schema, id_ = self.description.lookup(origin), ir.TypeId(str(origin))
        place = self._places[origin]
        type_ = self._of_hierarchy(schema, origin) or self.lower(schema, origin, place)
        bare = _less_itself(without_null(type_), id_)
        doc, deprecated = keywords.prose(schema)
        use: ir.Type = ir.Ref(id_)
        if isinstance(bare, ir.Ref) and self._adopts(bare.target, id_):
            self._adopted[bare.target] = self.types[id_]
            use = bare
        elif bare != use:  # and not the model that the schema itself declares
            self.types[id_] = ir.Alias(id_, place, origin, bare, doc, deprecated)
            if isinstance(bare, ir.Ref | ir.Primitive | ir.Unknown | ir.Never):
                use = bare
        use = union([use, ir.NULL]) if without_null(type_) != type_ else use
        if use != ir.Ref(id_):
            self.expansions[id_] = use

    def _of_hierarchy(self, schema: object, origin: Origin) -> ir.Type | None:
        """Return the type of a schema that has subtypes, or that is one; None for any other."""
        if (hierarchy := self._hierarchies.found.get(origin)) is not None:
            return self._base(schema, hierarchy)
        place = self._places[origin]
        if not isinstance(place, ir.Component):
            return None
        bare = without_null(self.lower(schema, origin, place))
        if not isinstance(bare, ir.Ref) or bare.target == str(origin):
            return None
        if origin not in self._hierarchies.subtypes and not self.conjuncts.is_listed(origin):
            return None
        # It adds nothing to its base but its name: values of the one are none of the other.
        return self._object(schema, origin, Site(origin, place, (schema,)))

    def _base(self, schema: object, hierarchy: Hierarchy) -> ir.Type | None:
        """Return the union of the subtypes of a schema and of itself, for any other value."""
        owner = str(hierarchy.base)
        site = Site(hierarchy.model, ir.Inline(owner, "base"), (schema,))
        model = self._object(schema, hierarchy.base, site)
        if not isinstance(model, ir.Ref):
            return None
        ids = {origin: self._model_id(origin) for origin in hierarchy.subtypes}
        members = [*(ir.Ref(id_) for id_ in ids.values()), model]
        ids[hierarchy.base] = model.target
        pairs = tuple((value, ids[target]) for value, target in hierarchy.values.items())
        tagging = ir.Discriminated(hierarchy.name, pairs, model.target)
        null = [ir.NULL] if keywords.nullable(node(schema)) else []
        found = union([*members, *null])
        return replace(found, tagging=tagging) if isinstance(found, ir.Union) else found

    def _model_id(self, origin: Origin) -> ir.TypeId:
        """Return the type of a subtype's own values, where it has subtypes in its turn."""
        hierarchy = self._hierarchies.found.get(origin)
        self._request(origin, None)
        return ir.TypeId(str(origin if hierarchy is None else hierarchy.model))

    def _object(self, schema: object, origin: Origin, site: Site) -> ir.Type:
        """Return a schema as an object of its own, even if it only names another."""
        conjuncts = self.conjuncts.apart(schema, origin)
        return self._composition.object_of(conjuncts, site) or ir.UNKNOWN

    def _adopts(self, target: ir.TypeId, component: ir.TypeId) -> bool:
        """Whether a component is what names a type: the only name of what is no component.

        It is the one branch of a wrapper that only adds null, or stands in a file of its own.
        """
        named = target in self._components or target in self._adopted
        if component not in self._components or named or target not in self.types:
            return False
        is_inside = target.startswith(f"{component}/")
        return not is_inside or self.types[target].place == self.types[component].place

    def _adopt(self) -> None:
        """Give types the names of the components that stand for them, and their places."""
        bearers = {component.id: target for target, component in self._adopted.items()}
        kept = dict(self.types)
        self.types.clear()
        for id_, declared in kept.items():
            if (target := bearers.get(id_)) is not None:
                adopted, doc = (
                    kept[target],
                    keywords.prose(self.description.lookup(declared.origin)),
                )
                self.types[target] = replace(
                    adopted, place=declared.place, doc=adopted.doc or doc[0]
                )
            elif id_ not in self._adopted:
                self.types[id_] = declared

    def _report_circles(self) -> None:
        """Report the names that stand for nothing but each other."""
        for id_ in list(self.expansions):
            passed = [id_]
            while isinstance(use := without_null(self.expansions.get(passed[-1], ir.NULL)), ir.Ref):
                if use.target == passed[-1]:  # and null
                    break
                if use.target in passed:
                    message = "this schema is only a reference to itself"
                    self.report.error("circular-reference", message, self.types[id_].origin)
                    self.expansions[id_] = ir.UNKNOWN
                    break
                passed.append(use.target)


def _less_itself(type_: ir.Type, id_: ir.TypeId) -> ir.Type:
    """Return a union less the name that it is declared under."""
    if not isinstance(type_, ir.Union) or ir.Ref(id_) not in type_.members:
        return type_
    members = tuple(member for member in type_.members if member != ir.Ref(id_))
    return union([replace(type_, members=members)])
