"""Modules of types: pydantic models for what is read, typed dictionaries for what is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from .. import ir
from ..diagnostics import Report
from .annotations import Annotator, Direction, Passed
from .imports import Imports
from .literals import literal
from .names import MODEL_ATTRIBUTES, Scope, hides, is_plain, snake
from .order import dependencies_first
from .package import (
    Alias,
    Attribute,
    Class,
    Exports,
    FunctionalRecord,
    Module,
    Record,
    RecursiveAlias,
    Statement,
    Statements,
)
from .prose import described, facts, paragraphs
from .symbols import Layout

FOLDERS = {"read": "models", "write": "params"}
_CLASS_WIDTH = 78  # 88 less the indentation and the quotes of a docstring
_MODULE_WIDTH = 82


def type_modules(
    api: ir.Api, layout: Layout, direction: Direction, passed: Passed, report: Report
) -> Iterator[Module]:
    """Yield one module for each group of types, and the package that exports them all."""
    folder = PurePosixPath(FOLDERS[direction])
    for name, members in layout.modules.items():
        annotator = Annotator(layout.symbols, direction, passed=passed)
        imports = Imports()
        order = dependencies_first(
            members, layout.edges, lambda id_: isinstance(api.types[id_], ir.Alias)
        )
        statements = tuple(
            _statement(api.types[id_], annotator, imports, layout, report) for id_ in order
        )
        for id_ in annotator.mentioned:
            if (symbol := layout.symbols[id_]).module != name:
                imports.add(f".{symbol.module}", symbol.name)
        for symbol in annotator.borrowed:
            imports.add(f"..models.{symbol.module}", symbol.name)
        if annotator.runtime:
            imports.add(".._runtime", *annotator.runtime)
        for module, standard in annotator.standard_imports():
            imports.add(module, standard)
        yield Module(
            folder / f"{name}.py",
            f"{folder}/types.py.jinja",
            Statements(statements),
            imports=imports.lines(),
        )
    names = sorted((s.name, s.module) for s in layout.symbols.values())
    yield from lazy_package(folder, tuple(names))


def lazy_package(folder: PurePosixPath, names: tuple[tuple[str, str], ...]) -> Iterator[Module]:
    """Yield a package that imports its names on first use, and the stub that tells checkers."""
    for suffix in ("py", "pyi"):
        path = folder / f"__init__.{suffix}"
        yield Module(path, f"{path}.jinja", Exports(names))


def _statement(
    declared: ir.Declaration,
    annotator: Annotator,
    imports: Imports,
    layout: Layout,
    report: Report,
) -> Statement:
    name = layout.symbols[declared.id].name
    match declared:
        case ir.Alias():
            note = facts(declared.type, None, declared.deprecated)
            doc = described(declared.doc, note, _MODULE_WIDTH)
            value = annotator.annotate(declared.type)
            if declared.id in layout.recursive:
                imports.add("typing_extensions", "TypeAliasType")
                return RecursiveAlias(name, value, doc)
            imports.add("typing", "TypeAlias")
            return Alias(name, value, doc)
        case ir.Model() if annotator.direction == "read":
            return _class(declared, name, annotator, imports, report)
        case ir.Model():
            return _record(declared, name, annotator, imports)


def _doc(declared: ir.Model) -> str | None:
    return described(declared.doc, _note(declared), _CLASS_WIDTH)


def _note(declared: ir.Declaration) -> str | None:
    return "Deprecated." if declared.deprecated else None


def _class(
    model: ir.Model, name: str, annotator: Annotator, imports: Imports, report: Report
) -> Class:
    imports.add(".._runtime", "BaseModel")
    scope = Scope(MODEL_ATTRIBUTES | _mentioned(model, annotator))
    attributes: list[Attribute] = []
    for prop in model.properties:
        if prop.access == "write":
            continue
        wanted = snake(prop.name.lstrip("_") or prop.name)
        attribute = scope.claim(wanted)
        if attribute not in (wanted, f"{wanted}_"):
            report.warning(
                "renamed",
                f"the attribute for {prop.name!r} is called {attribute!r}: {wanted!r} is taken",
                prop.origin,
            )
        annotation = annotator.annotate(prop.type)
        default = None
        if not prop.required:
            default = "None"
            if not _admits_null(prop.type):
                imports.add(".._runtime", "Maybe")
                annotation = f"Maybe[{annotation}]"
        if attribute != prop.name:
            imports.add("pydantic", "Field")
            start = "" if default is None else f"default={default}, "
            default = f"Field({start}alias={literal(prop.name)})"
        attributes.append(Attribute(attribute, annotation, default, property_doc(prop)))
    return Class(name, _doc(model), tuple(attributes))


def _mentioned(model: ir.Model, annotator: Annotator) -> frozenset[str]:
    """Return the class names that a model mentions: an attribute of that name would hide one."""
    held = ir.held(model, "read")
    return frozenset(annotator.symbols[id_].name for t in held for id_ in ir.references(t))


def _record(
    model: ir.Model, name: str, annotator: Annotator, imports: Imports
) -> Record | FunctionalRecord:
    imports.add("typing", "TypedDict")
    properties = [p for p in model.properties if p.access != "read"]
    attributes: list[Attribute] = []
    for prop in properties:
        annotation = annotator.annotate(prop.type)
        if prop.required:
            imports.add("typing", "Required")
            annotation = f"Required[{annotation}]"
        attributes.append(Attribute(prop.name, annotation, doc=property_doc(prop)))
    names = [attribute.name for attribute in attributes]
    hidden = hides(names, (attribute.annotation for attribute in attributes))
    if hidden or not all(is_plain(name) for name in names):
        return FunctionalRecord(name, _keys_doc(model, attributes), tuple(attributes))
    return Record(name, _doc(model), tuple(attributes))


def _keys_doc(model: ir.Model, attributes: Sequence[Attribute]) -> str | None:
    """Return the docstring of a record whose keys cannot have docstrings of their own."""
    keys = [
        f"    {attribute.name}: {' '.join(attribute.doc.split())}"
        for attribute in attributes
        if attribute.doc
    ]
    return paragraphs(_doc(model), "\n".join(["Keys:", *keys]) if keys else None)


def property_doc(prop: ir.Property, width: int = _CLASS_WIDTH) -> str | None:
    """Return the docstring of a property: its prose, its limits, its default."""
    return described(prop.doc, facts(prop.type, prop.default, prop.deprecated), width)


def _admits_null(type_: ir.Type) -> bool:
    match type_:
        case ir.Union(members):
            return ir.NULL in members
        case _:
            return type_ in (ir.NULL, ir.UNKNOWN)
