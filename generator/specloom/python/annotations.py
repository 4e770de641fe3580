"""Types of the IR as Python annotations, and the imports that these need."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, assert_never

from .. import ir
from .limits import OBJECTS, Limited, arguments, is_object, is_unique
from .literals import literal

Direction = Literal["read", "write"]

_SCALARS: Mapping[str, str] = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}
_FROM: Mapping[str, tuple[str, ...]] = {
    "Any": ("typing", "Any"),
    "Annotated": ("typing", "Annotated"),
    "Literal": ("typing", "Literal"),
    "Never": ("typing", "Never"),
    "Iterable": ("collections.abc", "Iterable"),
    "Mapping": ("collections.abc", "Mapping"),
    "Field": ("pydantic", "Field"),
    "dt": ("datetime as dt",),
    "re": ("re",),
    "UUID": ("uuid", "UUID"),
    "Decimal": ("decimal", "Decimal"),
}
"""The module, and the name in it, of what annotations use of other packages."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """What a named type is called, and the module that it lives in."""

    name: str
    module: str


Symbols = Mapping[ir.TypeId, Symbol]
Passed = Mapping[ir.TypeId, tuple[Symbol, ...]]
"""The models that can be passed in place of a type that is written."""


@dataclass(slots=True)
class Annotator:
    """Prints types in one direction, and remembers what the annotations mention.

    What is read is concrete (``list``, ``dict``) and open: an enumeration admits what it does not
    list. What is written is general (``Iterable``, ``Mapping``) and closed; text that Python has
    objects for is written as either. ``prefix`` stands before the names of declared types, such as
    ``models.``. ``exact`` says whether the annotations have what decoding and checking need and a
    reader of signatures does not: the tags of unions, and limits.
    """

    symbols: Symbols
    direction: Direction
    prefix: str = ""
    exact: bool = True
    standalone: bool = False
    """Whether the annotation is a type of its own, which pydantic may meet outside of a model."""
    list_: str = "list"
    """What the built-in list is called here."""
    passed: Passed = field(default_factory=dict[ir.TypeId, tuple[Symbol, ...]])
    extensible: Collection[ir.TypeId] = ()
    """The objects that are written with properties of which only the type is known."""
    nullable: Collection[ir.TypeId] = ()
    """The names of types that null is a value of."""
    models: str = ""
    """What stands before the names of models that are passed."""
    mentioned: dict[ir.TypeId, None] = field(default_factory=dict[ir.TypeId, None])
    standard: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    runtime: set[str] = field(default_factory=set[str])
    borrowed: dict[Symbol, None] = field(default_factory=dict[Symbol, None])
    """The models that the annotations of what is written mention."""

    def annotate(self, type_: ir.Type) -> str:
        """Return the annotation of a type."""
        return " | ".join(dict.fromkeys(self._alternatives(type_)))

    def field(self, type_: ir.Type) -> tuple[str, list[str]]:
        """Return the annotation of a model's field, and its limits as arguments of ``Field``."""
        match type_:
            case ir.Union((inner, ir.NULL)) if isinstance(inner, Limited):
                annotation, limits = self.field(inner)
                return f"{annotation} | None", limits
            case ir.Primitive() | ir.Array() | ir.Tuple() | ir.Map():
                limits = arguments(type_, self.standalone) if self.exact else []
                return " | ".join(self._unlimited(type_)), limits
            case _:
                return self.annotate(type_), []

    def argument(self, type_: ir.Type) -> str:
        """Return the annotation of what is written, with the limits of the whole of it.

        Limits further inside are left to documents: they would bury the types.
        """
        annotation, limits = self.field(type_)
        return self._annotated(annotation, limits)

    def imports(self) -> Iterator[tuple[str, ...]]:
        """Yield what the annotations use of other packages, as arguments of ``Imports.add``."""
        yield from self.standard.values()

    def _alternatives(self, type_: ir.Type) -> Iterator[str]:
        """Yield the members of the union that a type is, or the type."""
        match type_:
            case ir.Primitive() | ir.Array() | ir.Tuple() | ir.Map():
                yield from self._limited(type_)
            case ir.Literal():
                yield self._literal(type_)
            case ir.Union(members, tagging):
                yield from self._members(members, tagging)
            case ir.Ref(target):
                self.mentioned[target] = None
                yield from self._names(target, passing=bool(self.models))
            case ir.Unknown():
                yield self._any()
            case ir.Never():
                yield self._never()
            case _:
                assert_never(type_)

    def _limited(self, type_: Limited) -> Iterator[str]:
        is_exact = self.exact and self.direction == "read"
        limits = arguments(type_, self.standalone) if is_exact else []
        if limits:
            yield self._annotated(" | ".join(self._unlimited(type_)), limits)
        else:
            yield from self._unlimited(type_)

    def _annotated(self, annotation: str, limits: list[str]) -> str:
        if not limits:
            return annotation
        if any("re.compile" in limit for limit in limits):
            self._use("re")
        return f"{self._use('Annotated')}[{annotation}, {self._use('Field')}({', '.join(limits)})]"

    def _unlimited(self, type_: Limited) -> Iterator[str]:
        match type_:
            case ir.Primitive(kind, format_):
                if not is_object(type_) or self.direction == "write":
                    yield _SCALARS[kind]
                if is_object(type_):
                    yield self._object(format_ or "")
            case ir.Array(item):
                generic = self._generic(self.list_, "Iterable")
                yield self._listed(type_, self._unique(type_, f"{generic}[{self._item(item)}]"))
            case ir.Tuple():
                yield from self._tuple(type_)
            case ir.Map(value):
                generic = self._generic("dict", "Mapping")
                yield self._listed(type_, f"{generic}[str, {self.annotate(value)}]")
            case _:
                assert_never(type_)

    def _listed(self, type_: ir.Array | ir.Map, annotation: str) -> str:
        """Return the annotation of lists or objects, of which only some may be declared."""
        listed = dict(type_.constraints).get("enum")
        return annotation if listed is None else self._one_of(annotation, ir.value_of(listed))

    def _one_of(self, annotation: str, values: Sequence[object]) -> str:
        """Return an annotation with the values that are declared, of which there are no literals.

        What is no number of JSON has no text in Python either.
        """
        if self.direction == "write" or not self.exact or not all(map(_is_finite, values)):
            return annotation
        self.runtime.add("OneOf")
        return f"{self._use('Annotated')}[{annotation}, OneOf({', '.join(map(literal, values))})]"

    def _object(self, format_: str) -> str:
        """Return the type of text that Python has objects for, past a declared one of its name."""
        name, dot, attribute = OBJECTS[format_].partition(".")
        own = self.symbols.values() if not self.prefix else ()
        if all(symbol.name != name for symbol in own):
            return f"{self._use(name)}{dot}{attribute}"
        module, _ = _FROM[name]
        self.standard[name] = module, f"{name} as Standard{name}"
        return f"Standard{name}"

    def _use(self, name: str) -> str:
        self.standard[name] = _FROM[name]
        return name

    def _unique(self, type_: ir.Type, annotation: str) -> str:
        if not self.exact or not is_unique(type_):
            return annotation
        self.runtime.add("Unique")
        return f"Unique[{annotation}]"

    def _item(self, item: ir.Type) -> str:
        if isinstance(item, ir.Ref):
            self.mentioned[item.target] = None
            return " | ".join(self._names(item.target, passing=True))
        return self.annotate(item)

    def _tuple(self, row: ir.Tuple) -> Iterator[str]:
        """Yield a tuple; where it is written, any iterable of such items will do."""
        places = [self.annotate(place) for place in row.places]
        rest = None if row.rest == ir.NEVER else self.annotate(row.rest)
        others = [] if rest is None else [f"*tuple[{rest}, ...]"]
        annotation = f"tuple[{', '.join([*places, *others]) or '()'}]"
        if others and self.exact:
            self.runtime.add("OpenTuple")
            annotation = f"OpenTuple[{annotation}]"
        yield self._unique(row, annotation)
        if self.direction == "write":
            held = row.places if row.rest == ir.NEVER else (*row.places, row.rest)
            items = dict.fromkeys(part for one in held for part in self._alternatives(one))
            item = "object" if "object" in items else " | ".join(items)
            yield f"{self._use('Iterable')}[{item}]"

    def _names(self, target: ir.TypeId, passing: bool) -> Iterator[str]:
        """Yield the name of a declared type and, where they may be passed, of models like it.

        They may in signatures and in lists, where values are handed over. Elsewhere a type that
        is written stays one that can be read with square brackets.
        """
        yield self.prefix + self.symbols[target].name
        if target in self.extensible:
            # The typed dictionary completes what is declared, the mapping admits the rest.
            yield f"{self._use('Mapping')}[str, object]"
        for symbol in self.passed.get(target, ()) if passing else ():
            self.borrowed[symbol] = None
            yield self.models + symbol.name

    def _generic(self, concrete: str, general: str) -> str:
        return concrete if self.direction == "read" else self._use(general)

    def _any(self) -> str:
        return "object" if self.direction == "write" else self._use("Any")

    def _never(self) -> str:
        if self.direction == "write":
            return self._use("Never")
        self.runtime.add("Impossible")
        return "Impossible"

    def _literal(self, listed: ir.Literal) -> str:
        """Return the annotation of constants; of floats, Python has no literal types (PEP 586)."""
        values = [ir.value_of(v) for v in listed.values]
        exact = [v for v in values if not isinstance(v, float)]
        inexact = [v for v in values if isinstance(v, float)]
        numbers = self._one_of("float", inexact) if inexact else "float"
        if not exact:
            return numbers
        self._use("Literal")
        text = f"Literal[{', '.join(literal(v) for v in exact)}]"
        if len(exact) < len(values):
            return f"{text} | {numbers}"
        if self.direction == "read" and len(exact) > 1 and all(isinstance(v, str) for v in exact):
            self.runtime.add("Open")
            return f"Open[{text}]"
        return text

    def _members(self, members: tuple[ir.Type, ...], tagging: ir.Tagging | None) -> Iterator[str]:
        """Yield the annotations of a union's members, those that a tag tells apart in one."""
        tagged: tuple[ir.TypeId, ...] = ()
        if self.direction == "read" and self.exact and tagging is not None:
            selected = {target for _, target in tagging.members} | _fallback(tagging)
            refs = (m.target for m in members if isinstance(m, ir.Ref))
            tagged = tuple(target for target in refs if target in selected)
        is_open = any(isinstance(m, ir.Primitive) and m.kind == "string" for m in members)
        done = False
        for member in members:
            if isinstance(member, ir.Ref) and member.target in tagged:
                if not done:
                    yield self._tagged(tagged, tagging)
                done = True
            elif isinstance(member, ir.Literal) and is_open:
                self._use("Literal")
                yield f"Literal[{', '.join(literal(ir.value_of(v)) for v in member.values)}]"
            else:
                yield from self._alternatives(member)

    def _tagged(self, targets: tuple[ir.TypeId, ...], tagging: ir.Tagging | None) -> str:
        assert tagging is not None, "tagged members come with their tagging"
        self.runtime.add("Tag")
        names = " | ".join(self.annotate(ir.Ref(target)) for target in targets)
        values = [
            tuple(value for value, target in tagging.members if target == each) for each in targets
        ]
        selecting = tuple(v[0] if len(v) == 1 else v for v in values)
        stated = [literal(tagging.property), literal(selecting)]
        if isinstance(tagging, ir.Discriminated) and tagging.optional:
            stated.append("optional=True")
        stated += [f"fallback={self.annotate(ir.Ref(other))}" for other in _fallback(tagging)]
        return f"{self._use('Annotated')}[{names}, Tag({', '.join(stated)})]"


def _fallback(tagging: ir.Tagging) -> set[ir.TypeId]:
    """Return the member that all other values of a tag select, if there is one."""
    match tagging:
        case ir.Discriminated(fallback=str(other)):
            return {other}
        case _:
            return set()


def _is_finite(value: object) -> bool:
    return not isinstance(value, float) or math.isfinite(value)
