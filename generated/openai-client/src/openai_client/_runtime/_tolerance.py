"""Tolerance, compiled into pydantic-core.

A schema is rewritten so that validating with it never fails and never changes a
value: what the description declares is built where the value allows it, and the value
stays as it came where it does not. So an ``int`` field holds ``"5"`` when the server
sent ``"5"``, and an item of a list of models holds a plain dict when its tag is
unknown.

The rewriting follows from one observation: a declared ``str`` that accepts anything
else too *is* ``any``. Only what builds Python objects out of JSON keeps a schema of its
own: models as ``union([declared, any], left_to_right)``, and dates and the like as a
function that reads text of the right form and passes on all else. The rewriting goes
into containers, for else one odd item would turn its whole list into raw JSON, and
stops at models, which carry it themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema
from pydantic_core import core_schema as cs

from ._choice import Chooser
from ._declared import (
    DECLARED,
    FALLBACK,
    OPTIONAL,
    Node,
    Whole,
    fields_of,
    members,
    places_of,
    record_of,
    reference,
    shape_of,
)
from ._formats import FORMATS, Written, reader, written
from ._shapes import (
    Anything,
    Kind,
    Named,
    Shape,
    Tagged,
    declare,
    is_object,
    kinds,
    resolve,
)

_PLAIN = frozenset(("any", "none", "int", "float", "str", "bool", "literal"))


@dataclass(frozen=True)
class Tag:
    """Marks a union of models that are told apart by the value of one property.

    Used as ``Annotated[Cat | Dog, Tag("kind", ("cat", "dog"))]``: ``name`` is the
    property's name on the wire, ``values`` has an entry for each member of the union,
    in order, which is a tuple when several tags, or none, select one member. A known
    tag gives its member however incomplete the rest is; with any other the value is
    read as the ``fallback``, if there is one, else it stays a dict. A value without a
    tag that is ``optional`` is read as the member that it resembles.

    Pydantic's own discriminator looks into the members' fields for literals, which a
    tolerant model no longer has, so the tagged union is built here.
    """

    name: str
    values: tuple[str | tuple[str, ...], ...]
    fallback: object = None
    optional: bool = False

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Build the tagged union; called by pydantic."""
        parts = get_args(source) if _is_union(source) else (source,)
        types = [part for part in parts if part is not type(None)]
        choices = {
            tag: handler.generate_schema(member)
            for values, member in zip(self.values, types, strict=True)
            for tag in ((values,) if isinstance(values, str) else values)
        }
        mark = {OPTIONAL: True} if self.optional else None
        union: CoreSchema = cs.tagged_union_schema(
            choices, discriminator=self.name, metadata=mark
        )
        if self.fallback is not None:
            fallback = handler.generate_schema(self.fallback)
            mark = {FALLBACK: True}
            union = cs.union_schema(
                [union, fallback], mode="left_to_right", metadata=mark
            )
        return cs.nullable_schema(union) if len(types) < len(parts) else union


@dataclass(frozen=True, eq=False)
class Tolerated:
    """Marks an annotation that is to accept anything; remembers what it declared."""

    declared: list[Shape]

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Rewrite the annotation's schema; called by pydantic."""
        schema = handler(source)
        self.declared[:] = [shape_of(schema)]
        return _core(_tolerant(schema, handler))


def tolerate_model(
    whole: Whole, schema: CoreSchema, handler: GetCoreSchemaHandler
) -> CoreSchema:
    """Rewrite the fields of a model's schema, in place, and note what they declared.

    A required field gets None as its default. Pydantic hands out the schema of a model
    that is already built, hence the mark.
    """
    fields = fields_of(cast("dict[str, Any]", schema))
    if fields is None or DECLARED in fields.get("metadata", {}):
        return schema
    declare(reference(schema), record_of(whole, fields))
    own = cast("dict[str, dict[str, Any]]", fields["fields"])
    kept = {**fields, "fields": {name: {**field} for name, field in own.items()}}
    for field in own.values():
        declared = cast("dict[str, Any]", field["schema"])
        if declared["type"] == "default":
            inner = _tolerant(declared["schema"], handler)
            field["schema"] = {**declared, "schema": inner}
        else:
            inner = _tolerant(declared, handler)
            field["schema"] = cs.with_default_schema(_core(inner), default=None)
    if "extras_schema" in fields:
        fields["extras_schema"] = _tolerant(fields["extras_schema"], handler)
    fields["metadata"] = {**fields.get("metadata", {}), DECLARED: kept}
    return schema


def _tolerant(schema: Node, handler: GetCoreSchemaHandler) -> Node:
    """Accept anything, losing nothing, and build what is declared where possible."""
    if (formats := _formats(schema)) is not None:
        return _reading(formats)
    inside = _inside(schema, handler)
    if inside["type"] in ("any", "function-plain"):
        return inside
    return cs.union_schema([_core(inside), cs.any_schema()], mode="left_to_right")


def _formats(schema: Node) -> tuple[str, ...] | None:
    """The formats in a schema whose values are as JSON has them but for these.

    None where the schema builds something else.
    """
    match schema["type"]:
        case "list" if "items_schema" in schema:
            return () if _formats(schema["items_schema"]) == () else None
        case "dict" if "values_schema" in schema:
            return () if _formats(schema["values_schema"]) == () else None
        case "list" | "dict":
            return ()
        case "nullable":
            return _formats(schema["schema"])
        case "union":
            found = [_formats(member) for member in members(schema)]
            if None in found:
                return None
            return tuple(name for some in found if some is not None for name in some)
        case kind if kind in FORMATS:
            return (kind,)
        case kind:
            return () if kind in _PLAIN else None


def _reading(formats: tuple[str, ...]) -> Node:
    """Read text of the formats, and pass on everything else."""
    if not formats:
        return cs.any_schema()
    return cs.no_info_plain_validator_function(
        reader(tuple(FORMATS[name] for name in dict.fromkeys(formats))),
        serialization=cs.plain_serializer_function_ser_schema(
            written, when_used="json"
        ),
    )


def _inside(schema: Node, handler: GetCoreSchemaHandler) -> Node:
    """Carry tolerance into a schema that builds something, short of its models."""
    match schema["type"]:
        case "list":
            items = _tolerant(schema["items_schema"], handler)
            return cs.list_schema(_core(items))
        case "dict":
            values = _tolerant(schema["values_schema"], handler)
            return cs.dict_schema(cs.str_schema(strict=True), _core(values))
        case "tuple":
            first, rest = places_of(schema)
            places = [_core(_tolerant(place, handler)) for place in first]
            if rest is None:
                return cs.tuple_schema(places)
            places.append(_core(_tolerant(rest, handler)))
            return cs.tuple_schema(places, variadic_item_index=len(first))
        case "nullable":
            return {**schema, "schema": _inside(schema["schema"], handler)}
        case "union" if FALLBACK in schema.get("metadata", {}):
            tagged, other = (_core(_inside(one, handler)) for one in members(schema))
            return cs.union_schema([tagged, other], mode="left_to_right")
        case "union":
            return _untagged(schema, handler)
        case "tagged-union":
            choices = cast("dict[str, Node]", schema["choices"])
            inner = {tag: _inside(one, handler) for tag, one in choices.items()}
            shape = shape_of(schema)
            if isinstance(shape, Tagged) and shape.untagged is not None:
                return {**schema, "choices": inner, "discriminator": _tagger(shape)}
            return {**schema, "choices": inner}
        case "definition-ref":
            _tolerate_alias(schema, handler)
            return schema
        case _:
            return schema


def _untagged(union: Node, handler: GetCoreSchemaHandler) -> Node:
    """Decide between the members of a union by their JSON kind, else by a chooser."""
    nodes = members(union)
    shapes = tuple(map(shape_of, nodes))
    formats = [_formats(node) for node in nodes]
    built = {
        index: _core(_inside(nodes[index], handler))
        for index, found in enumerate(formats)
        if found is None
    }
    names = tuple(name for found in formats if found is not None for name in found)
    text = _core(_reading(names))
    if len(built) == 1:
        [(index, only)] = built.items()
        others = shapes[:index] + shapes[index + 1 :]
        if all(_claimed(shapes[index]).isdisjoint(_claimed(one)) for one in others):
            if not names:
                return only
            return cs.union_schema([only, text], mode="left_to_right")
    choices = {i: built.get(i, text) for i in range(len(nodes))}
    reads = next((i for i, found in enumerate(formats) if found), None)
    return cs.tagged_union_schema(choices, discriminator=_chooser(shapes, reads))


def _claimed(shape: Shape) -> frozenset[Kind]:
    """The JSON kinds of a member; what is still being built is taken for a model."""
    if isinstance(shape, Named) and isinstance(resolve(shape), Anything):
        return frozenset[Kind](("object",))
    return kinds(shape)


def _chooser(
    shapes: tuple[Shape, ...], reads: int | None
) -> Callable[[object], int | None]:
    """The discriminator of an untagged union: which member does a value belong to?

    Asked for a JSON value when decoding, and for what became of it when dumping.
    ``reads`` is the member that reads text of a format, and passes on other text.
    """
    chooser = Chooser(shapes)

    def choice(value: object) -> int | None:
        if not is_object(value):
            if isinstance(value, BaseModel):
                return chooser.maker(type(value))
            if reads is not None and isinstance(value, str | Written):
                return reads
        try:
            return chooser.choose(value)
        except RecursionError:  # too deep to be judged
            return None

    return choice


def _tagger(tagged: Tagged) -> Callable[[object], str | None]:
    """The discriminator of a union whose tag may be absent: its tag, else the likest."""
    tags = tuple(tagged.members)
    choice = _chooser(tuple(tagged.members.values()), None)

    def tag(value: object) -> str | None:
        if is_object(value) and (own := value.get(tagged.name)) is not None:
            return own if isinstance(own, str) else None
        index = choice(value)
        return None if index is None else tags[index]

    return tag


def _tolerate_alias(alias: Node, handler: GetCoreSchemaHandler) -> None:
    """Rewrite what a ``type`` alias stands for, in place, as it may be recursive."""
    try:
        found = handler.resolve_ref_schema(_core(alias))
    except LookupError:  # it is being built right now, further up
        return
    target = cast("dict[str, Any]", found)
    if fields_of(target) is not None or DECLARED in target.get("metadata", {}):
        return
    ref = reference(target)
    declared = {key: value for key, value in target.items() if key != "ref"}
    declare(ref, shape_of(declared))

    def as_declared(_: object, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        from ._json_schema import shown

        return handler(_core(shown(declared)))

    metadata = {DECLARED: declared, "pydantic_js_functions": [as_declared]}
    target["metadata"] = metadata
    rewritten = _tolerant(declared, handler)
    target.clear()
    target.update(rewritten, ref=ref, metadata=metadata)


def _is_union(annotation: object) -> bool:
    return get_origin(annotation) in (Union, UnionType)


def _core(node: object) -> CoreSchema:
    return cast("CoreSchema", node)
