"""Types as the models of a style can express them; what they cannot is reported.

Limits, defaults and deprecation go into the prose too, as in a client, so that nothing is lost
where a style has no words for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from .. import ir
from ..diagnostics import Report
from ..json_schema import is_json
from ..lower.unions import union
from ..lower.values import fits
from ..python.names import is_normal, is_plain
from ..python.prose import described, facts
from .limits import checkable
from .structs import Structs
from .styles import ABILITIES, Abilities, Style
from .tags import Tags

Holder = ir.Declaration | ir.Property
"""What holds a type, and what a report speaks of."""

_WIDTH = 84
_UNWRITABLE = re.compile(r'[\x00-\x1f"\\]')
"""What names of msgspec's fields must not contain."""


def reduced(api: ir.Api, style: Style, report: Report) -> ir.Api:
    """Return an API whose types a style can express, each as near to its own as can be."""
    can = ABILITIES[style]
    structs = None if can.unions else Structs.of(api, can.formats)
    reducer = _Reducer(api, style, can, structs, Tags.of(api), report)
    return replace(api, types={id_: reducer.declaration(d) for id_, d in api.types.items()})


@dataclass(frozen=True, slots=True)
class _Reducer:
    api: ir.Api
    style: Style
    can: Abilities
    structs: Structs | None
    tags: Tags
    report: Report

    def declaration(self, declared: ir.Declaration) -> ir.Declaration:
        """Return what a style can say of a named type."""
        match declared:
            case ir.Alias(type=type_):
                said = described(declared.doc, facts(type_, None, declared.deprecated), _WIDTH)
                changed = self._type(type_, declared)
                return replace(declared, type=changed, doc=said, deprecated=False)
            case ir.Model():
                return self._model(declared)
            case _:
                assert_never(declared)

    def _model(self, model: ir.Model) -> ir.Model:
        additional = self._type(model.additional, model)
        if not self.can.extra and additional not in (ir.UNKNOWN, ir.NEVER):
            message = (
                f"this object has properties of any name, for which a {self.style} has no type"
            )
            self.report.warning("untyped-properties", message, model.origin)
            additional = ir.UNKNOWN
        return replace(
            model,
            properties=tuple(p for prop in model.properties for p in self._property(prop)),
            additional=additional,
            doc=described(model.doc, "Deprecated." if model.deprecated else None, _WIDTH),
            deprecated=False,
            constraints=(),  # they would make classes that nobody has named
        )

    def _property(self, prop: ir.Property) -> Iterator[ir.Property]:
        """Yield a property, unless no field can have its name."""
        if self.style == "msgspec" and _UNWRITABLE.search(prop.name):
            message = f"msgspec has no field for {prop.name!r}: it is not read"
            self.report.warning("no-field", message, prop.origin)
            return
        if self.style == "typeddict" and not is_normal(prop.name):
            message = f"Python would read the name {prop.name!r} as another: it is left out"
            self.report.warning("no-field", message, prop.origin)
            return
        if not (self.can.aliases or self.style == "typeddict" or is_plain(prop.name)):
            message = f"a {self.style} has no field called {prop.name!r}: its name is changed"
            self.report.warning("renamed", message, prop.origin)
        type_ = self._type(prop.type, prop)
        default = prop.default
        if default is None or not is_json(default):
            default = None
        elif not self._is_usable(ir.value_of(default), type_):
            default = None
        yield replace(
            prop,
            type=type_,
            default=default,
            doc=described(prop.doc, facts(prop.type, prop.default, prop.deprecated), _WIDTH),
            deprecated=False,
        )

    def _type(self, type_: ir.Type, holder: Holder) -> ir.Type:
        """Return a type in reach of the style."""
        match type_:
            case ir.Primitive(kind, format_, constraints):
                if kind == "string" and format_ in self.can.formats:
                    return ir.Primitive(kind, format_)
                return ir.Primitive(kind, None, self._limits(constraints, kind, holder))
            case ir.Literal(values):
                return _listed(values)
            case ir.Array(item, constraints):
                limits = self._limits(constraints, "array", holder)
                return ir.Array(self._inner(item, holder), limits)
            case ir.Tuple(places, rest, constraints):
                inside = tuple(self._inner(place, holder) for place in places)
                return ir.Tuple(inside, self._inner(rest, holder), _lengths(constraints))
            case ir.Map(value):
                return ir.Map(self._inner(value, holder))
            case ir.Union():
                return self._union(type_, holder)
            case ir.Ref(target):
                return ir.UNKNOWN if self._closes_circle(holder, target) else type_
            case ir.Unknown() | ir.Never():
                return type_
            case _:
                assert_never(type_)

    def _inner(self, type_: ir.Type, holder: Holder) -> ir.Type:
        """Return a type inside of another, where a limit would make a type of its own."""
        if isinstance(type_, ir.Primitive | ir.Array):
            type_ = replace(type_, constraints=())
        return self._type(type_, holder)

    def _limits(self, constraints: ir.Constraints, kind: str, holder: Holder) -> ir.Constraints:
        """Return the limits that the style checks."""
        if not self.can.constraints:
            return ()
        limits = tuple(checkable(constraints, kind))
        kept = {keyword for keyword, _ in limits}
        if any(keyword == "pattern" and keyword not in kept for keyword, _ in constraints):
            message = "this is no regular expression of Python's: the models do not check it"
            self.report.warning("unchecked-pattern", message, holder.origin)
        return limits

    def _union(self, type_: ir.Union, holder: Holder) -> ir.Type:
        """Return a union whose members the style can tell apart."""
        apart = type_ if self.structs is None else self.structs.decodable(type_)
        if apart != type_:
            message = "msgspec cannot tell apart the members of this union: it is made wider"
            self.report.warning("wider-union", message, holder.origin)
        if not isinstance(apart, ir.Union):
            return self._type(apart, holder)
        alone = sum(member != ir.NULL for member in apart.members) == 1
        member = self._type if alone else self._inner
        result = union(member(each, holder) for each in apart.members)
        if not isinstance(result, ir.Union):
            return result
        return replace(result, tagging=self._tagging(apart, holder))

    def _tagging(self, type_: ir.Union, holder: Holder) -> ir.Tagging | None:
        """Return how a union is tagged.

        It is not where one member is for all other tags, which no style has, nor where a value may
        come without a tag, but for msgspec, which knows no other way. A class has the same tags in
        every union that it is in; with those of others, a union is wider.
        """
        match type_.tagging:
            case None | ir.Discriminated(fallback=str()):
                return None
            case ir.Discriminated(optional=True) if self.structs is None:
                return None
            case tagging:
                shared = self.tags.shared(tagging)
        if shared != tagging:
            message = "a member of this union has other tags in another union: it is made wider"
            self.report.warning("wider-union", message, holder.origin)
        return shared

    def _closes_circle(self, holder: Holder, target: ir.TypeId) -> bool:
        """Whether a mention closes a circle of aliases, in a style that has no room for one."""
        if self.structs is None or not isinstance(holder, ir.Alias):
            return False
        if not self.structs.circles(holder, target):
            return False
        message = "msgspec has no type that mentions itself: the inner one is untyped"
        self.report.warning("untyped-circle", message, holder.origin)
        return True

    def _is_usable(self, default: object, type_: ir.Type) -> bool:
        """Whether a default can be written as it is: a scalar, or an empty list."""
        match type_:
            case ir.Ref(target):
                declared = self.api.types[target]
                return isinstance(declared, ir.Alias) and self._is_usable(default, declared.type)
            case ir.Union(members):
                return any(self._is_usable(default, member) for member in members)
            case ir.Primitive("integer") if isinstance(default, float):
                return False
            case ir.Primitive(_, format_):
                return format_ is None and fits(default, type_)
            case ir.Array() | ir.Tuple():
                return default == []
            case ir.Literal():
                return fits(default, type_)
            case ir.Unknown():
                return default is None or isinstance(default, str | int | float)
            case ir.Map() | ir.Never():
                return False
            case _:
                assert_never(type_)


def _lengths(constraints: ir.Constraints) -> ir.Constraints:
    """Return how long a tuple may be, which is a part of its type."""
    return tuple(checkable(constraints, "array"))


def _listed(values: tuple[ir.Constant, ...]) -> ir.Type:
    """Return the type of constants: those that Python has literal types for, or of their kind."""
    exact = tuple(v for v in values if not isinstance(ir.value_of(v), float | list | dict))
    others = [ir.value_of(v) for v in values if v not in exact]
    kinds: list[ir.Type] = []
    for value in others:
        match value:
            case float():
                kinds.append(ir.Primitive("number"))
            case list():
                kinds.append(ir.Array(ir.UNKNOWN))
            case _:
                kinds.append(ir.Map(ir.UNKNOWN))
    return union([ir.Literal(exact), *kinds] if exact else kinds)
