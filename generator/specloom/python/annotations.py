"""Types of the IR as Python annotations, and the imports that these need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, assert_never

from .. import ir
from .literals import literal

Direction = Literal["read", "write"]

_SCALARS: Mapping[str, str] = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}
_FROM: Mapping[str, str] = {
    "Any": "typing",
    "Annotated": "typing",
    "Literal": "typing",
    "Iterable": "collections.abc",
    "Mapping": "collections.abc",
}


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
    list. What is written is general (``Iterable``, ``Mapping``) and closed. ``prefix`` stands
    before the names of declared types, such as ``models.``. ``tagged`` says whether the members
    of a tagged union are marked, which decoding needs and a reader of signatures does not.
    """

    symbols: Symbols
    direction: Direction
    prefix: str = ""
    tagged: bool = True
    list_: str = "list"
    """What the built-in list is called here."""
    passed: Passed = field(default_factory=dict[ir.TypeId, tuple[Symbol, ...]])
    models: str = ""
    """What stands before the names of models that are passed."""
    mentioned: dict[ir.TypeId, None] = field(default_factory=dict[ir.TypeId, None])
    standard: set[str] = field(default_factory=set[str])
    runtime: set[str] = field(default_factory=set[str])
    borrowed: dict[Symbol, None] = field(default_factory=dict[Symbol, None])
    """The models that the annotations of what is written mention."""

    def annotate(self, type_: ir.Type) -> str:
        """Return the annotation of a type."""
        match type_:
            case ir.Primitive(kind):
                return _SCALARS[kind]
            case ir.Literal():
                return self._literal(type_)
            case ir.Array(item):
                return f"{self._generic(self.list_, 'Iterable')}[{self._item(item)}]"
            case ir.Tuple():
                return self._tuple(type_)
            case ir.Map(value):
                return f"{self._generic('dict', 'Mapping')}[str, {self.annotate(value)}]"
            case ir.Union(members, tagging):
                return " | ".join(dict.fromkeys(self._members(members, tagging)))
            case ir.Ref(target):
                self.mentioned[target] = None
                return " | ".join(self._names(target, passing=bool(self.models)))
            case ir.Unknown() | ir.Never():
                return self._any()
            case _:
                assert_never(type_)

    def standard_imports(self) -> Iterator[tuple[str, str]]:
        """Yield (module, name) for what the annotations use from the standard library."""
        for name in sorted(self.standard):
            yield _FROM[name], name

    def _item(self, item: ir.Type) -> str:
        if isinstance(item, ir.Ref):
            self.mentioned[item.target] = None
            return " | ".join(self._names(item.target, passing=True))
        return self.annotate(item)

    def _tuple(self, row: ir.Tuple) -> str:
        """Return the annotation of a tuple; with more items of another type, Python has none."""
        places = [self.annotate(place) for place in row.places]
        if row.rest == ir.NEVER:
            return f"tuple[{', '.join(places)}]"
        item = " | ".join(dict.fromkeys([*places, self.annotate(row.rest)]))
        return f"{self._generic(self.list_, 'Iterable')}[{item}]"

    def _names(self, target: ir.TypeId, passing: bool) -> Iterator[str]:
        """Yield the name of a declared type and, where they may be passed, of models like it.

        They may in signatures and in lists, where values are handed over. Elsewhere a type that
        is written stays one that can be read with square brackets.
        """
        yield self.prefix + self.symbols[target].name
        for symbol in self.passed.get(target, ()) if passing else ():
            self.borrowed[symbol] = None
            yield self.models + symbol.name

    def _generic(self, concrete: str, general: str) -> str:
        if self.direction == "read":
            return concrete
        self.standard.add(general)
        return general

    def _any(self) -> str:
        if self.direction == "write":
            return "object"
        self.standard.add("Any")
        return "Any"

    def _literal(self, listed: ir.Literal) -> str:
        """Return the annotation of constants; of floats, Python has no literal types (PEP 586)."""
        values = [ir.value_of(v) for v in listed.values]
        exact = [v for v in values if not isinstance(v, float)]
        if not exact:
            return "float"
        self.standard.add("Literal")
        text = f"Literal[{', '.join(literal(v) for v in exact)}]"
        if len(exact) < len(values):
            return f"{text} | float"
        if self.direction == "read" and len(exact) > 1 and all(isinstance(v, str) for v in exact):
            self.runtime.add("Open")
            return f"Open[{text}]"
        return text

    def _members(self, members: tuple[ir.Type, ...], tagging: ir.Tagging | None) -> Iterator[str]:
        """Yield the annotations of a union's members, those that a tag tells apart in one."""
        tagged: tuple[ir.TypeId, ...] = ()
        if self.direction == "read" and self.tagged and tagging is not None:
            selected = {target for _, target in tagging.members}
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
                self.standard.add("Literal")
                yield f"Literal[{', '.join(literal(ir.value_of(v)) for v in member.values)}]"
            else:
                yield self.annotate(member)

    def _tagged(self, targets: tuple[ir.TypeId, ...], tagging: ir.Tagging | None) -> str:
        assert tagging is not None, "tagged members come with their tagging"
        self.standard.add("Annotated")
        self.runtime.add("Tag")
        names = " | ".join(self.annotate(ir.Ref(target)) for target in targets)
        values = [
            tuple(value for value, target in tagging.members if target == each) for each in targets
        ]
        selecting = tuple(v[0] if len(v) == 1 else v for v in values)
        return f"Annotated[{names}, Tag({literal(tagging.property)}, {literal(selecting)})]"
