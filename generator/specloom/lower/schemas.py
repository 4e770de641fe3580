"""Schemas: JSON Schema in the dialects of OpenAPI 3.0 and 3.1, to types of the IR."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from . import keywords, places
from .allof import Parts, Placed, collect, single
from .circles import Circles
from .discriminators import discriminated
from .intersection import intersection
from .nodes import Node, is_node, items, node
from .scalars import literals, scalar
from .unions import union, without_null
from .values import fits

_LONGEST_CHAIN = 100
"""How many references in a row annotations are followed through: enough, and no loop."""


@dataclass(slots=True)
class Schemas:
    """Lowers the schemas of one description and remembers the types they declare."""

    description: Description
    report: Report
    names: Collection[str] = ()
    """The origins of inline types that the configuration names."""
    types: dict[ir.TypeId, ir.Declaration] = field(default_factory=dict[ir.TypeId, ir.Declaration])
    expansions: dict[ir.TypeId, ir.Type] = field(default_factory=dict[ir.TypeId, ir.Type])
    """What a use of a named type really is: see ``_declare``."""
    _started: set[ir.TypeId] = field(default_factory=set[ir.TypeId])
    _components: set[ir.TypeId] = field(default_factory=set[ir.TypeId])
    _adopted: set[ir.TypeId] = field(default_factory=set[ir.TypeId])
    _circles: Circles = field(init=False)

    def __post_init__(self) -> None:
        self._circles = Circles(self.description, self.report)

    def components(self, schemas: Node, origin: Origin) -> None:
        """Declare every schema of ``components``, whether or not anything refers to it."""
        for name in schemas:  # first all places, so that types stand in the author's order
            id_ = ir.TypeId(str(origin / name))
            self.types[id_] = ir.Alias(id_, ir.Component(name), origin / name, ir.UNKNOWN)
            self._components.add(id_)
        for name, schema in schemas.items():
            self._declare(schema, origin / name, ir.Component(name))

    def lower(self, schema: object, origin: Origin, place: ir.Place) -> ir.Type:
        """Return the type of a schema.

        ``place`` names the type should the schema turn out to need a declaration. A schema that
        cannot be expressed is reported and becomes ``Unknown``.
        """
        if isinstance(schema, bool):
            return self._boolean(schema, origin)
        if not is_node(schema):
            message = "a schema is an object or a boolean; any value is accepted here"
            self.report.warning("invalid-schema", message, origin)
            return ir.UNKNOWN
        stated = node(schema)
        if "$ref" in stated:
            return self._reference(stated, origin)
        keywords.report_ignored(stated, origin, self.report)
        type_ = self._named(self._shape(stated, origin, place), stated, origin, place)
        return union([type_, ir.NULL]) if keywords.nullable(stated) else type_

    def annotations(self, schema: object, origin: Origin) -> Node:
        """Return a schema's own annotations over those of the schemas it refers to."""
        found: dict[str, object] = {}
        for _ in range(_LONGEST_CHAIN):
            stated = node(schema)
            found = {k: v for k, v in stated.items() if k in keywords.ON_USE} | found
            ref = stated.get("$ref")
            target = self.description.resolve(ref, origin) if isinstance(ref, str) else None
            if target is None:
                break
            schema, origin = self.description.lookup(target), target
        return found

    def _boolean(self, schema: bool, origin: Origin) -> ir.Type:
        if not schema:
            message = "the schema false allows no value; any is accepted here"
            self.report.warning("unsupported-keyword", message, origin)
        return ir.UNKNOWN

    def _named(self, type_: ir.Type, schema: Node, origin: Origin, place: ir.Place) -> ir.Type:
        """Return a use of an inline type that the configuration gives a name, or the type."""
        id_ = ir.TypeId(str(origin))
        if id_ not in self.names or id_ in self.types:
            return type_
        bare = without_null(type_)
        self.types[id_] = ir.Alias(id_, place, origin, bare, *keywords.prose(schema))
        return union([ir.Ref(id_), ir.NULL]) if bare != type_ else ir.Ref(id_)

    def _reference(self, schema: Node, origin: Origin) -> ir.Type:
        ref = schema["$ref"]
        if not isinstance(ref, str):
            self.report.error("invalid-reference", "a reference is a string", origin / "$ref")
            return ir.UNKNOWN
        target = self.description.target(ref, origin / "$ref", self.report)
        if target is None or self._circles.leads_on(target, origin / "$ref"):
            return ir.UNKNOWN
        keywords.report_siblings(schema, origin, self.report)
        self._declare(self.description.lookup(target), target, places.of_target(target))
        type_ = ir.Ref(ir.TypeId(str(target)))
        return union([type_, ir.NULL]) if keywords.nullable(schema) else type_

    def _declare(self, schema: object, origin: Origin, place: ir.Place) -> None:
        """Give the schema at ``origin`` a declaration of its own.

        A named type never holds null and is never just another name: null moves to its uses, and
        so does a reference or a scalar that it stands for. ``expansions`` says what the uses are.
        """
        id_ = ir.TypeId(str(origin))
        if id_ in self._started:
            return
        self._started.add(id_)
        self.types.setdefault(id_, ir.Alias(id_, place, origin, ir.UNKNOWN))
        type_ = self.lower(schema, origin, place)
        bare = without_null(type_)
        doc, deprecated = keywords.prose(schema)
        use: ir.Type = ir.Ref(id_)
        if bare == use:  # the model that the schema itself declares, or a loop
            if not isinstance(self.types[id_], ir.Model):
                message = "this schema is only a reference to itself"
                self.report.error("circular-reference", message, origin)
                return
        elif isinstance(bare, ir.Ref) and self._adopts(bare.target, id_):
            declared = self.types[bare.target]
            self.types[bare.target] = replace(declared, place=place, doc=declared.doc or doc)
            del self.types[id_]
            use = bare
        else:
            self.types[id_] = ir.Alias(id_, place, origin, bare, doc, deprecated)
            if isinstance(bare, ir.Ref | ir.Primitive | ir.Unknown):
                use = bare
        use = union([use, ir.NULL]) if bare != type_ else use
        if use != ir.Ref(id_):
            self.expansions[id_] = use

    def _adopts(self, target: ir.TypeId, component: ir.TypeId) -> bool:
        """Whether a component is what names a type: the only name of what is no component.

        It is the one branch of a wrapper that only adds null, or stands in a file of its own.
        """
        named = target in self._components or target in self._adopted
        if component not in self._components or named or target not in self.types:
            return False
        self._adopted.add(target)
        return True

    def _shape(self, schema: Node, origin: Origin, place: ir.Place) -> ir.Type:
        """Return the type of a schema that is not a reference, ``nullable`` aside."""
        if "const" in schema:
            return literals([schema["const"]])
        if "enum" in schema:
            return self._enum(schema, origin, place)
        for keyword in ("oneOf", "anyOf"):
            if items(schema.get(keyword)):
                return self._union(keyword, schema, origin, place)
        if branches := items(schema.get("allOf")):
            return self._all_of(schema, branches, origin, place)
        kinds = schema.get("type")
        if several := items(kinds):
            return union(self._single(kind, schema, origin, place) for kind in several)
        return self._single(kinds, schema, origin, place)

    def _enum(self, schema: Node, origin: Origin, place: ir.Place) -> ir.Type:
        """Return the constants of an ``enum`` (JSON Schema Validation §6.1.2)."""
        values: list[object] = []
        for index, value in enumerate(items(schema["enum"])):
            at = origin / "enum" / index
            if schema.get("type") == "string" and isinstance(value, int | float):
                # Written without quotes, 007 and no mean what the author wrote.
                value = self.description.text(at) or str(value)
            if value is None or isinstance(value, str | int | float):
                values.append(value)
            else:
                message = "an enum value that is a list or an object is left out"
                self.report.warning("unsupported-enum", message, at)
        if not values:
            rest = {k: v for k, v in schema.items() if k != "enum"}
            return self._shape(rest, origin, place)
        return literals(values)

    def _union(self, keyword: str, schema: Node, origin: Origin, place: ir.Place) -> ir.Type:
        """Return a oneOf or anyOf; both decode alike (JSON Schema Core §10.2.1)."""
        if "properties" in schema or "allOf" in schema:
            self.report.warning(
                "unsupported-keyword",
                f"{keyword!r} beside properties is not expressed: the properties are kept, and "
                "what the branches add is kept as it comes",
                origin / keyword,
            )
            rest = {k: v for k, v in schema.items() if k != keyword}
            return self._shape(rest, origin, place)
        branches = items(schema[keyword])
        sole = sum(not keywords.is_null(branch) for branch in branches) == 1
        members: list[ir.Type] = []
        for index, branch in enumerate(branches):
            if keywords.is_null(branch):
                members.append(ir.NULL)
                continue
            inner = place if sole else places.of_branch(place, origin, branch, index)
            members.append(self.lower(branch, origin / keyword / index, inner))
        result = union(members)
        if "discriminator" in schema and isinstance(result, ir.Union):
            at = origin / "discriminator"
            return discriminated(result, schema["discriminator"], at, self.description, self.report)
        return result

    def _all_of(
        self, schema: Node, branches: Sequence[object], origin: Origin, place: ir.Place
    ) -> ir.Type:
        """Return a conjunction: the one branch that says something, or the merged object."""
        only = single(schema, branches)
        if only is not None:
            return self.lower(branches[only], origin / "allOf" / only, place)
        parts = collect(self.description, schema, origin, self.report)
        if parts is None:
            message = "this allOf joins what is not an object; any value is accepted here"
            self.report.warning("unsupported-keyword", message, origin / "allOf")
            return ir.UNKNOWN
        return self._model(parts, schema, origin, place)

    def _single(self, kind: object, schema: Node, origin: Origin, place: ir.Place) -> ir.Type:
        """Return the type of a schema with one ``type``, or with none."""
        match kind:
            case "string":
                return scalar("string", schema, keywords.TEXTUAL)
            case "integer":
                return scalar("integer", schema, keywords.NUMERIC)
            case "number":
                return scalar("number", schema, keywords.NUMERIC)
            case "boolean":
                return scalar("boolean", schema, frozenset())
            case "null":
                return ir.NULL
            case "array":
                return self._array(schema, origin, place)
            case "object":
                return self._object(schema, origin, place)
            case None if "properties" in schema or "additionalProperties" in schema:
                return self._object(schema, origin, place)
            case None if "items" in schema or "prefixItems" in schema:
                return self._array(schema, origin, place)
            case None:
                return ir.UNKNOWN
            case _:
                message = f"{kind!r} is no type of JSON Schema; any value is accepted here"
                self.report.warning("unsupported-type", message, origin / "type")
                return ir.UNKNOWN

    def _array(self, schema: Node, origin: Origin, place: ir.Place) -> ir.Type:
        """Return a list; places with schemas of their own make its items a union."""
        inner = schema.get("items", True)
        members: list[ir.Type] = []
        for keyword in (
            "prefixItems",
            "items",
        ):  # a list of schemas is how drafts before 2020 say it
            for index, prefix in enumerate(items(schema.get(keyword))):
                inside = places.of_branch(place, origin, prefix, index)
                members.append(self.lower(prefix, origin / keyword / index, inside))
        if not isinstance(inner, list) and (inner is not False or not members):
            at = origin / "items"
            members.append(self.lower(inner, at, places.of_item(place, origin, inner)))
        return ir.Array(union(members), keywords.constraints(schema, keywords.LISTED))

    def _object(self, schema: Node, origin: Origin, place: ir.Place) -> ir.Type:
        parts = collect(self.description, schema, origin, self.report)
        if parts is not None and parts.properties:
            return self._model(parts, schema, origin, place)
        value = schema.get("additionalProperties", True)
        type_: ir.Type = ir.UNKNOWN
        if value is not False:
            inner = places.of_item(place, origin, value)
            type_ = self.lower(value, origin / "additionalProperties", inner)
        return ir.Map(type_, keywords.constraints(schema, keywords.KEYED))

    def _model(self, parts: Parts, schema: Node, origin: Origin, place: ir.Place) -> ir.Type:
        """Declare a model; an object is named even where the author did not name it."""
        id_ = ir.TypeId(str(origin))
        self.types.setdefault(id_, ir.Alias(id_, place, origin, ir.UNKNOWN))
        properties = tuple(
            self._property(name, declarations, name in parts.required, id_)
            for name, declarations in parts.properties.items()
        )
        for name, at in parts.required.items():
            if name not in parts.properties:
                message = f"{name!r} is required, but no property of that name is declared"
                self.report.warning("undeclared-required", message, at)
        additional: ir.Type = ir.UNKNOWN
        if parts.additional is not None:
            inline = ir.Inline(id_, "additional", several=True)
            additional = self._additional(*parts.additional, inline)
            if additional not in (ir.UNKNOWN, ir.NEVER) and properties:
                self.report.warning(
                    "untyped-additional",
                    "additional properties beside declared ones have no type in the client: "
                    "they are kept as they come",
                    parts.additional[1],
                )
        if "discriminator" in schema:
            self.report.warning(
                "unsupported-discriminator",
                "this object is read as it is declared here: a discriminator without 'oneOf' or "
                "'anyOf' names no subtypes that could be chosen",
                origin / "discriminator",
            )
        doc, deprecated = keywords.prose(schema)
        self.types[id_] = ir.Model(id_, place, origin, properties, additional, doc, deprecated)
        return ir.Ref(id_)

    def _additional(self, schema: object, origin: Origin, place: ir.Place) -> ir.Type:
        return ir.NEVER if schema is False else self.lower(schema, origin, place)

    def _property(
        self, name: str, declarations: Sequence[Placed], required: bool, owner: ir.TypeId
    ) -> ir.Property:
        """Return a property that one schema declares, or several that are joined by allOf."""
        (schema, origin), *others = declarations
        place = ir.Inline(owner, name, title=keywords.title(schema))
        type_ = self.lower(schema, origin, place)
        annotations = dict(self.annotations(schema, origin))
        for schema, origin in others:
            place = ir.Inline(owner, name, title=keywords.title(schema))
            narrowed = self.lower(schema, origin, place)
            both = intersection(type_, narrowed)
            if both is None:
                self.report.warning(
                    "conflicting-property",
                    f"{name!r} is declared in ways that exclude each other or cannot be joined; "
                    "this declaration is followed",
                    origin,
                    declarations[0][1],
                )
            type_ = narrowed if both is None else both
            annotations |= self.annotations(schema, origin)
        doc, deprecated = keywords.prose(annotations)
        return ir.Property(
            name,
            type_,
            required,
            origin,
            default=self.default(annotations, type_, origin),
            access=keywords.access(annotations),
            doc=doc,
            deprecated=deprecated,
        )

    def default(self, annotations: Node, type_: ir.Type, origin: Origin) -> ir.Constant | None:
        """Return the stated default; one of null says no more than that there is none.

        A default that does not fit the type is reported and dropped.
        """
        value = annotations.get("default")
        if value is None:
            return None
        if not fits(value, type_):
            self.report.warning(
                "ill-typed-default",
                f"the default {value!r} does not fit the type and is left out",
                origin / "default",
            )
            return None
        return ir.constant(value)
