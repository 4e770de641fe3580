"""Tolerance, compiled into pydantic-core.

A schema is rewritten so that validating with it never fails and never changes a
value: what the description declares is built where the value allows it, and the value
stays as it came where it does not. So an ``int`` field holds ``"5"`` when the server
sent ``"5"``, and an item of a list of models holds a plain dict when its tag is
unknown.

The rewriting follows from one observation: a declared ``str`` that accepts anything
else too *is* ``any``. Only what builds Python objects out of JSON (models, dates)
keeps a schema of its own, as ``union([declared, any], left_to_right)``. The rewriting
goes into containers, for else one odd item would turn its whole list into raw JSON,
and stops at models, which carry it themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin

from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic_core import CoreSchema
from pydantic_core import core_schema as cs

from ._declared import FORMATS, Node, members, record_of, reference, shape_of
from ._deviations import choose
from ._shapes import Anything, Kind, Named, Record, Shape, declare, kinds, resolve

_PLAIN = frozenset(("any", "none", "int", "float", "str", "bool", "literal"))

_MARK = "tolerant"


@dataclass(frozen=True)
class Tag:
    """Marks a union of models that are told apart by the value of one property.

    Used as ``Annotated[Cat | Dog, Tag("kind", ("cat", "dog"))]``: ``name`` is the
    property's name on the wire, ``values`` has an entry for each member of the union,
    in order, which is a tuple when several tags select one member. A known tag gives
    its member however incomplete the rest is; with any other the value stays a dict.

    Pydantic's own discriminator looks into the members' fields for literals, which a
    tolerant model no longer has, so the tagged union is built here.
    """

    name: str
    values: tuple[str | tuple[str, ...], ...]

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
        union = cs.tagged_union_schema(choices, discriminator=self.name)
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
    model: type[object], schema: CoreSchema, handler: GetCoreSchemaHandler
) -> CoreSchema:
    """Rewrite the fields of a model's schema, in place, and note what they declared.

    A required field gets None as its default. Pydantic hands out the schema of a
    model that is already built, hence the mark.
    """
    fields = _fields(cast("dict[str, Any]", schema))
    if fields is None or _MARK in fields.get("metadata", {}):
        return schema
    declare(reference(schema), record_of(model, fields))
    for field in cast("dict[str, dict[str, Any]]", fields["fields"]).values():
        declared = cast("dict[str, Any]", field["schema"])
        if declared["type"] == "default":
            inner = _tolerant(declared["schema"], handler)
            field["schema"] = {**declared, "schema": inner}
        else:
            inner = _tolerant(declared, handler)
            field["schema"] = cs.with_default_schema(_core(inner), default=None)
    if "extras_schema" in fields:
        fields["extras_schema"] = _tolerant(fields["extras_schema"], handler)
    fields["metadata"] = {**fields.get("metadata", {}), _MARK: True}
    return schema


def _tolerant(schema: Node, handler: GetCoreSchemaHandler) -> Node:
    """Accept anything, losing nothing, and build what is declared where possible."""
    if _is_plain(schema, handler):
        return cs.any_schema()
    inside = _inside(schema, handler)
    return cs.union_schema([_core(inside), cs.any_schema()], mode="left_to_right")


def _is_plain(schema: Node, handler: GetCoreSchemaHandler) -> bool:
    """Whether the declared schema gives values exactly as JSON has them."""
    match schema["type"]:
        case "list":
            return "items_schema" not in schema or _is_plain(
                schema["items_schema"], handler
            )
        case "dict":
            return "values_schema" not in schema or _is_plain(
                schema["values_schema"], handler
            )
        case "nullable":
            return _is_plain(schema["schema"], handler)
        case "union":
            return all(_is_plain(member, handler) for member in members(schema))
        case kind:
            return kind in _PLAIN


def _inside(schema: Node, handler: GetCoreSchemaHandler) -> Node:
    """Carry tolerance into a schema that builds something, short of its models."""
    match schema["type"]:
        case "list":
            items = _tolerant(schema["items_schema"], handler)
            return {**schema, "items_schema": items}
        case "dict":
            values = _tolerant(schema["values_schema"], handler)
            keys = cs.str_schema(strict=True)
            return {**schema, "keys_schema": keys, "values_schema": values}
        case "tuple":
            places = [_tolerant(place, handler) for place in schema["items_schema"]]
            return {**schema, "items_schema": places}
        case "nullable":
            return {**schema, "schema": _inside(schema["schema"], handler)}
        case "union":
            return _untagged(schema, handler)
        case "tagged-union":
            choices = cast("dict[str, Node]", schema["choices"])
            inner = {tag: _inside(one, handler) for tag, one in choices.items()}
            return {**schema, "choices": inner}
        case "definition-ref":
            _tolerate_alias(schema, handler)
            return schema
        case kind if kind in FORMATS:
            # From text of the right form only: pydantic would also read numbers and
            # numeric text as times, and the value could not be given back.
            text = cs.str_schema(strict=True, pattern=f"^(?:{FORMATS[kind][1]})$")
            return cs.chain_schema([text, _core(schema)])
        case _:
            return schema


def _untagged(union: Node, handler: GetCoreSchemaHandler) -> Node:
    """Decide between the members of a union by their JSON kind, else by ``choose``."""
    nodes = members(union)
    shapes = [shape_of(node) for node in nodes]
    built = {
        index: _core(_inside(node, handler))
        for index, node in enumerate(nodes)
        if not _is_plain(node, handler)
    }
    if len(built) == 1:
        [(index, only)] = built.items()
        others = shapes[:index] + shapes[index + 1 :]
        if all(_claimed(shapes[index]).isdisjoint(_claimed(one)) for one in others):
            return only
    choices = {i: built.get(i, cs.any_schema()) for i in range(len(nodes))}
    return cs.tagged_union_schema(choices, discriminator=_chooser(tuple(shapes)))


def _claimed(shape: Shape) -> frozenset[Kind]:
    """The JSON kinds of a member; what is still being built is taken for a model."""
    if isinstance(shape, Named) and isinstance(resolve(shape), Anything):
        return frozenset[Kind](("object",))
    return kinds(shape)


def _chooser(shapes: tuple[Shape, ...]) -> Callable[[object], int | None]:
    """The discriminator of an untagged union: which member does a value belong to?

    Asked for a JSON value when decoding, and for what became of it when dumping.
    """

    def choice(value: object) -> int | None:
        if isinstance(value, BaseModel):
            return next((i for i, one in enumerate(shapes) if _made(value, one)), None)
        try:
            return choose(value, shapes)
        except RecursionError:  # too deep to be judged
            return None

    return choice


def _made(value: object, shape: Shape) -> bool:
    """Whether a model is one that the shape makes."""
    match resolve(shape):
        case Record(model=model):
            return type(value) is model
        case _:
            return False


def _tolerate_alias(alias: Node, handler: GetCoreSchemaHandler) -> None:
    """Rewrite what a ``type`` alias stands for, in place, as it may be recursive."""
    try:
        found = handler.resolve_ref_schema(_core(alias))
    except LookupError:  # it is being built right now, further up
        return
    target = cast("dict[str, Any]", found)
    if _fields(target) is not None or _MARK in target.get("metadata", {}):
        return
    ref = reference(target)
    declared = {key: value for key, value in target.items() if key != "ref"}
    declare(ref, shape_of(declared))
    target["metadata"] = {_MARK: True}
    rewritten = _tolerant(declared, handler)
    target.clear()
    target.update(rewritten, ref=ref, metadata={_MARK: True})


def _fields(schema: dict[str, Any]) -> dict[str, Any] | None:
    """The ``model-fields`` schema of a model, below whatever wraps it."""
    while schema["type"] != "model-fields":
        if "schema" not in schema:
            return None
        schema = schema["schema"]
    return schema


def _is_union(annotation: object) -> bool:
    return get_origin(annotation) in (Union, UnionType)


def _core(node: object) -> CoreSchema:
    return cast("CoreSchema", node)
