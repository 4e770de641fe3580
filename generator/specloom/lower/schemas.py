"""Schemas: JSON Schema in the dialects of OpenAPI 3.0 and 3.1, to types of the IR.

A keyword is either consumed here or reported: ``_CONSUMED`` and ``_ANNOTATIONS`` name the ones
that are understood, and ``_report_ignored`` names the rest to the author.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from .allof import Parts, collect, single
from .unions import union, without_null

Schema = Mapping[str, Any]

_CONSUMED = frozenset(
    "$ref $defs definitions type format enum const oneOf anyOf allOf properties required "
    "additionalProperties items nullable x-nullable discriminator readOnly writeOnly default".split()
)
_ANNOTATIONS = frozenset(
    "title description deprecated example examples externalDocs xml $schema $id $anchor "
    "$comment $vocabulary summary".split()
)
_NUMERIC = frozenset("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split())
_TEXTUAL = frozenset(
    "minLength maxLength pattern contentEncoding contentMediaType contentSchema".split()
)
_LISTED = frozenset("minItems maxItems uniqueItems".split())
_KEYED = frozenset("minProperties maxProperties".split())
CONSTRAINTS = _NUMERIC | _TEXTUAL | _LISTED | _KEYED
"""The keywords that limit values without changing their type (JSON Schema Validation §6)."""


@dataclass(slots=True)
class Schemas:
    """Lowers the schemas of one description and remembers the types they declare."""

    description: Description
    report: Report
    names: Collection[str] = ()
    """The origins of inline types that the configuration names."""
    types: dict[ir.TypeId, ir.Declaration] = field(default_factory=dict)
    expansions: dict[ir.TypeId, ir.Type] = field(default_factory=dict)
    """What a use of a named type really is: see ``_declare``."""
    _started: set[ir.TypeId] = field(default_factory=set)

    def components(self, schemas: Mapping[str, object], origin: Origin) -> None:
        """Declare every schema of ``components``, whether or not anything refers to it."""
        for name in schemas:  # first all places, so that types stand in the author's order
            id_ = ir.TypeId(str(origin / name))
            self.types[id_] = ir.Alias(id_, ir.Component(name), origin / name, ir.UNKNOWN)
        for name, schema in schemas.items():
            self._declare(schema, origin / name, ir.Component(name))

    def lower(self, schema: object, origin: Origin, place: ir.Place) -> ir.Type:
        """Return the type of a schema.

        ``place`` names the type should the schema turn out to need a declaration. A schema that
        cannot be expressed is reported and becomes ``Unknown``.
        """
        if isinstance(schema, bool):
            return self._boolean(schema, origin)
        if not isinstance(schema, Mapping):
            self.report.warning(
                "invalid-schema",
                f"a schema is an object or a boolean, not {_kind_name(schema)}; any value is accepted",
                origin,
            )
            return ir.UNKNOWN
        if "$ref" in schema:
            return self._reference(schema, origin)
        self._report_ignored(schema, origin)
        type_ = self._named(self._shape(schema, origin, place), schema, origin, place)
        return union([type_, ir.NULL]) if _nullable(schema) else type_

    def _named(
        self, type_: ir.Type, schema: Schema, origin: Origin, place: ir.Place
    ) -> ir.Type:
        """Return a use of an inline type that the configuration gives a name, or the type."""
        id_ = ir.TypeId(str(origin))
        if id_ not in self.names or id_ in self.types:
            return type_
        bare = without_null(type_)
        doc, deprecated = _prose(schema)
        self.types[id_] = ir.Alias(id_, place, origin, bare, doc, deprecated)
        return union([ir.Ref(id_), ir.NULL]) if bare != type_ else ir.Ref(id_)

    def _boolean(self, schema: bool, origin: Origin) -> ir.Type:
        if not schema:
            self.report.warning(
                "unsupported-keyword", "the schema false allows no value; any is accepted", origin
            )
        return ir.UNKNOWN

    def _reference(self, schema: Schema, origin: Origin) -> ir.Type:
        ref = schema["$ref"]
        if not isinstance(ref, str):
            self.report.error("invalid-reference", "a reference is a string", origin / "$ref")
            return ir.UNKNOWN
        target = self.description.target(ref, origin, self.report)
        if target is None:
            return ir.UNKNOWN
        value = self.description.lookup(target)
        for keyword in schema.keys() - _ANNOTATIONS - {"$ref", "nullable", "x-nullable"}:
            if keyword in _CONSUMED | CONSTRAINTS and keyword not in _ON_USE:
                self.report.warning(
                    "ignored-sibling",
                    f"{keyword!r} beside '$ref' is not applied",
                    origin / keyword,
                )
        self._declare(value, target, _place_of(target))
        type_ = ir.Ref(ir.TypeId(str(target)))
        return union([type_, ir.NULL]) if _nullable(schema) else type_

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
        doc, deprecated = _prose(schema)
        if bare == ir.Ref(id_):  # the model that the schema itself declares, or a loop
            if not isinstance(self.types[id_], ir.Model):
                self.report.error(
                    "circular-reference", "this schema is only a reference to itself", origin
                )
                return
            use: ir.Type = ir.Ref(id_)
        elif isinstance(bare, ir.Ref) and self._inside(bare.target, origin):
            model = self.types[bare.target]  # the one branch of a wrapper that only adds null
            self.types[bare.target] = replace(model, place=place, doc=model.doc or doc)
            del self.types[id_]
            use = bare
        else:
            self.types[id_] = ir.Alias(id_, place, origin, bare, doc, deprecated)
            use = bare if isinstance(bare, ir.Ref | ir.Primitive | ir.Unknown) else ir.Ref(id_)
        use = union([use, ir.NULL]) if bare != type_ else use
        if use != ir.Ref(id_):
            self.expansions[id_] = use

    def _inside(self, target: ir.TypeId, origin: Origin) -> bool:
        declared = self.types[target]
        return isinstance(declared, ir.Model) and str(declared.origin).startswith(f"{origin}/")

    def _shape(self, schema: Schema, origin: Origin, place: ir.Place) -> ir.Type:
        """Return the type of a schema that is not a reference, null aside."""
        if "const" in schema:
            return _literal([schema["const"]])
        if isinstance(values := schema.get("enum"), list):
            return self._enum(values, schema, origin)
        for keyword in ("oneOf", "anyOf"):
            if isinstance(schema.get(keyword), list) and schema[keyword]:
                return self._union(keyword, schema, origin, place)
        if isinstance(branches := schema.get("allOf"), list) and branches:
            return self._all_of(schema, branches, origin, place)
        kinds = schema.get("type")
        if isinstance(kinds, list):
            return union([self._single(kind, schema, origin, place) for kind in kinds])
        return self._single(kinds, schema, origin, place)

    def _enum(self, values: Sequence[object], schema: Schema, origin: Origin) -> ir.Type:
        """Return the literal of an ``enum`` (JSON Schema Validation §6.1.2)."""
        expressible = [v for v in values if v is None or isinstance(v, str | int | float)]
        if len(expressible) < len(values):
            self.report.warning(
                "unsupported-enum", "lists and objects in an enum are left out", origin / "enum"
            )
        if schema.get("type") == "string":
            texts = (
                (self.description.text(origin / "enum" / i) or str(v))
                if isinstance(v, int | float)
                else v
                for i, v in enumerate(values)
            )
            expressible = [v for v in texts if v is None or isinstance(v, str)]
        if not expressible:
            return self._single(schema.get("type"), schema, origin, ir.Inline(str(origin), "value"))
        return _literal(expressible)

    def _union(self, keyword: str, schema: Schema, origin: Origin, place: ir.Place) -> ir.Type:
        """Return a oneOf or anyOf; both decode alike (JSON Schema Core §10.2.1)."""
        branches = schema[keyword]
        if "properties" in schema or "allOf" in schema:
            self.report.warning(
                "unsupported-keyword",
                f"{keyword!r} beside properties is not expressed: the properties are kept and the "
                "choice is left to the server",
                origin / keyword,
            )
            rest = {k: v for k, v in schema.items() if k != keyword}
            return self._shape(rest, origin, place)
        members: list[ir.Type] = []
        sole = sum(not _is_null(branch) for branch in branches) == 1
        for index, branch in enumerate(branches):
            inner = place if sole else _branch_place(branch, index, origin, place)
            members.append(self.lower(branch, origin / keyword / index, inner))
        result = union(members)
        mapping = schema.get("discriminator")
        if isinstance(mapping, Mapping) and isinstance(result, ir.Union):
            return self._discriminated(result, mapping, origin / "discriminator")
        return result

    def _discriminated(self, members: ir.Union, stated: Schema, origin: Origin) -> ir.Type:
        """Attach a discriminator (OpenAPI, Discriminator Object) to a union."""
        name, mapping = stated.get("propertyName"), stated.get("mapping") or {}
        refs = [m.target for m in members.members if isinstance(m, ir.Ref)]
        if not isinstance(name, str) or not isinstance(mapping, Mapping):
            self.report.warning(
                "invalid-discriminator", "a discriminator needs a 'propertyName'", origin
            )
            return members
        pairs: dict[str, ir.TypeId] = {}
        for value, ref in mapping.items():
            target = self._mapped(str(ref), refs, origin)
            if target in refs:
                pairs[str(value)] = target
            else:
                self.report.warning(
                    "invalid-discriminator",
                    f"the mapping of {value!r} leads to no member of the union",
                    origin / "mapping" / value,
                )
        for ref in refs:  # a member without a mapping answers to its own name
            if ref not in pairs.values():
                pairs.setdefault(ref.rsplit("/", 1)[-1], ref)
        return replace(members, tagging=ir.Discriminated(name, tuple(pairs.items())))

    def _mapped(self, ref: str, refs: Sequence[ir.TypeId], origin: Origin) -> ir.TypeId | None:
        """Return the type that a mapping value means: a component's name or a reference."""
        for candidate in refs:
            if candidate.rsplit("/", 1)[-1] == ref:
                return candidate
        target = self.description.resolve(ref, origin)
        return None if target is None else ir.TypeId(str(target))

    def _all_of(
        self, schema: Schema, branches: Sequence[object], origin: Origin, place: ir.Place
    ) -> ir.Type:
        """Return a conjunction: the one branch that says something, or the merged object."""
        only = single(schema, branches)
        if only is not None:
            return self.lower(branches[only], origin / "allOf" / only, place)
        parts = collect(self.description, schema, origin, self.report)
        if parts is None:
            self.report.warning(
                "unsupported-keyword",
                "this allOf joins what is not an object; any value is accepted",
                origin / "allOf",
            )
            return ir.UNKNOWN
        return self._model(parts, schema, origin, place)

    def _single(self, kind: object, schema: Schema, origin: Origin, place: ir.Place) -> ir.Type:
        """Return the type of a schema with one ``type``, or with none."""
        match kind:
            case "string" | "integer" | "number" | "boolean" as scalar:
                format_ = schema.get("format")
                return ir.Primitive(
                    scalar,
                    format_ if isinstance(format_, str) else None,
                    _constraints(schema, _TEXTUAL if scalar == "string" else _NUMERIC),
                )
            case "null":
                return ir.NULL
            case "array":
                return self._array(schema, origin, place)
            case "object":
                return self._object(schema, origin, place)
            case None if "properties" in schema or "additionalProperties" in schema:
                return self._object(schema, origin, place)
            case None if "items" in schema:
                return self._array(schema, origin, place)
            case None:
                return ir.UNKNOWN
            case _:
                self.report.warning(
                    "unsupported-type",
                    f"{kind!r} is no type of JSON Schema; any value is accepted",
                    origin / "type",
                )
                return ir.UNKNOWN

    def _array(self, schema: Schema, origin: Origin, place: ir.Place) -> ir.Type:
        items = schema.get("items", True)
        item = self.lower(items, origin / "items", _several(place, origin, items))
        return ir.Array(item, _constraints(schema, _LISTED))

    def _object(self, schema: Schema, origin: Origin, place: ir.Place) -> ir.Type:
        if not schema.get("properties"):
            value = schema.get("additionalProperties", True)
            inside = origin / "additionalProperties"
            type_ = self.lower(value, inside, _several(place, origin, value)) if value else None
            return ir.Map(type_ or ir.UNKNOWN, _constraints(schema, _KEYED))
        parts = collect(self.description, schema, origin, self.report)
        assert parts is not None, "a schema with properties has parts"
        return self._model(parts, schema, origin, place)

    def _model(self, parts: Parts, schema: Schema, origin: Origin, place: ir.Place) -> ir.Type:
        """Declare a model; an object is named even where the author did not name it."""
        id_ = ir.TypeId(str(origin))
        if id_ not in self.types:
            self.types[id_] = ir.Alias(id_, place, origin, ir.UNKNOWN)
        properties = tuple(
            self._property(name, value, at, name in parts.required, id_)
            for name, (value, at) in parts.properties.items()
        )
        for name, at in parts.required.items():
            if name not in parts.properties:
                self.report.warning(
                    "undeclared-required",
                    f"{name!r} is required but no property of that name is declared",
                    at,
                )
        additional: ir.Type | None = None
        if parts.additional is not None:
            value, at = parts.additional
            if value is not False:
                additional = self.lower(value, at, ir.Inline(id_, "additional", several=True))
        doc, deprecated = _prose(schema)
        self.types[id_] = ir.Model(id_, place, origin, properties, additional, doc, deprecated)
        return ir.Ref(id_)

    def _property(
        self, name: str, schema: object, origin: Origin, required: bool, owner: ir.TypeId
    ) -> ir.Property:
        title = schema.get("title") if isinstance(schema, Mapping) else None
        place = ir.Inline(owner, name, title=title if isinstance(title, str) else None)
        type_ = self.lower(schema, origin, place)
        annotations = self.annotations(schema, origin)
        doc, deprecated = _prose(annotations)
        return ir.Property(
            name,
            type_,
            required,
            origin,
            default=default_of(annotations),
            access=_access(annotations),
            doc=doc,
            deprecated=deprecated,
        )

    def annotations(self, schema: object, origin: Origin) -> Schema:
        """Return a schema's own annotations over those of the schemas it refers to."""
        found: dict[str, Any] = {}
        for _ in range(_LONGEST_CHAIN):
            if not isinstance(schema, Mapping):
                break
            found = {k: v for k, v in schema.items() if k in _INHERITED} | found
            ref = schema.get("$ref")
            target = self.description.resolve(ref, origin) if isinstance(ref, str) else None
            if target is None:
                break
            schema, origin = self.description.lookup(target), target
        return found

    def _report_ignored(self, schema: Schema, origin: Origin) -> None:
        for keyword in schema:
            known = keyword in _CONSUMED or keyword in _ANNOTATIONS or keyword in CONSTRAINTS
            if not known and not keyword.startswith("x-"):
                self.report.warning(
                    "unsupported-keyword",
                    f"the keyword {keyword!r} is not expressed in the client",
                    origin / keyword,
                )


_ON_USE = frozenset({"default", "readOnly", "writeOnly"})
"""Siblings of a reference that speak of the property that refers, not of the target."""


_INHERITED = ("description", "deprecated", "default", "readOnly", "writeOnly")
_LONGEST_CHAIN = 100


def default_of(annotations: Schema) -> ir.Constant | None:
    """Return the stated default; a default of null says no more than that there is none."""
    default = annotations.get("default")
    return None if default is None else ir.constant(default)


def _prose(schema: object) -> tuple[str | None, bool]:
    """Return what the author says about a schema, and whether it is deprecated."""
    if not isinstance(schema, Mapping):
        return None, False
    text = schema.get("description")
    return (text.strip() or None) if isinstance(text, str) else None, schema.get(
        "deprecated"
    ) is True


def _access(schema: object) -> Any:
    if isinstance(schema, Mapping):
        if schema.get("readOnly") is True:
            return "read"
        if schema.get("writeOnly") is True:
            return "write"
    return "both"


def _nullable(schema: Schema) -> bool:
    """Whether a schema says ``nullable`` in the way of OpenAPI 3.0 or of Swagger's extension."""
    return schema.get("nullable") is True or schema.get("x-nullable") is True


def _literal(values: Sequence[object]) -> ir.Type:
    """Return the constants of an enum, null apart."""
    constants = tuple(dict.fromkeys(ir.constant(v) for v in values if v is not None))
    members: list[ir.Type] = [ir.Literal(constants)] if constants else []
    if any(v is None for v in values):
        members.append(ir.NULL)
    return union(members)


def _constraints(schema: Schema, keywords: frozenset[str]) -> ir.Constraints:
    return tuple((k, ir.constant(schema[k])) for k in schema if k in keywords)


def _place_of(origin: Origin) -> ir.Place:
    """Return how the target of a reference is named: a component, or what the pointer ends in."""
    match origin.tokens:
        case ("components", "schemas", name) | ("definitions", name):
            return ir.Component(name)
        case ():
            return ir.Component(origin.uri.rsplit("/", 1)[-1].split(".")[0])
        case (*_, last):
            return ir.Component(last)


def _several(place: ir.Place, origin: Origin, schema: object) -> ir.Place:
    title = schema.get("title") if isinstance(schema, Mapping) else None
    named = title if isinstance(title, str) else None
    match place:
        case ir.Component():
            return ir.Inline(str(origin), "item", several=False, title=named)
        case ir.Inline(owner, part):
            return ir.Inline(owner, part, several=True, title=named)


def _is_null(branch: object) -> bool:
    return isinstance(branch, Mapping) and branch.get("type") == "null"


def _branch_place(branch: object, index: int, origin: Origin, place: ir.Place) -> ir.Place:
    """Return the place of one branch of several: named by its title, its tag, or its number."""
    part, title = f"option {index + 1}", None
    if isinstance(branch, Mapping):
        title = branch.get("title") if isinstance(branch.get("title"), str) else None
        properties = branch.get("properties")
        for value in properties.values() if isinstance(properties, Mapping) else ():
            tags = value.get("enum") if isinstance(value, Mapping) else None
            if isinstance(tags, list) and len(tags) == 1 and isinstance(tags[0], str):
                part = tags[0]
                break
    if isinstance(place, ir.Inline):
        return ir.Inline(place.owner, f"{place.part} {part}", title=title)
    return ir.Inline(str(origin), part, title=title)


def _kind_name(value: object) -> str:
    match value:
        case None:
            return "null"
        case str():
            return "a string"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case _:
            return type(value).__name__
