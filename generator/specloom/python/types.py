"""Modules of types: pydantic models for what is read, typed dictionaries for what is written."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from .. import ir
from ..diagnostics import Report
from .annotations import Annotator, Direction, Passed
from .imports import Imports
from .limits import class_options
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
from .prose import described, facts, limits, paragraphs
from .symbols import Layout
from .uploads import Uploads

FOLDERS = {"read": "models", "write": "params"}
_CLASS_WIDTH = 78  # 88 less the indentation and the quotes of a docstring
_MODULE_WIDTH = 82


def type_modules(
    api: ir.Api, layout: Layout, direction: Direction, passed: Passed, report: Report
) -> Iterator[Module]:
    """Yield one module for each group of types, and the package that exports them all."""
    folder = PurePosixPath(FOLDERS[direction])
    open_, uploads = extensible(api) if direction == "write" else (), Uploads.of(api)
    with_null = nullable(api)
    for name, members in layout.modules.items():
        annotator = Annotator(
            layout.symbols, direction, passed=passed, extensible=open_, nullable=with_null
        )
        imports = Imports()
        order = dependencies_first(
            members, layout.edges, lambda id_: isinstance(api.types[id_], ir.Alias)
        )
        statements = tuple(
            _statement(api.types[id_], annotator, imports, layout, uploads, report) for id_ in order
        )
        for id_ in annotator.mentioned:
            if (symbol := layout.symbols[id_]).module != name:
                imports.add(f".{symbol.module}", symbol.name)
        for symbol in annotator.borrowed:
            imports.add(f"..models.{symbol.module}", symbol.name)
        if annotator.runtime:
            imports.add(".._runtime", *annotator.runtime)
        for needed in annotator.imports():
            imports.add(*needed)
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
    uploads: Uploads,
    report: Report,
) -> Statement:
    name = layout.symbols[declared.id].name
    match declared:
        case ir.Alias():
            note = facts(declared.type, None, declared.deprecated)
            doc = described(declared.doc, note, _MODULE_WIDTH)
            annotator.standalone = True
            value = annotator.argument(declared.type)
            annotator.standalone = False
            if declared.id in layout.recursive:
                imports.add("typing_extensions", "TypeAliasType")
                return RecursiveAlias(name, value, doc)
            imports.add("typing", "TypeAlias")
            return Alias(name, value, doc)
        case ir.Model() if annotator.direction == "read":
            return _class(declared, name, annotator, imports, report)
        case ir.Model():
            return _record(declared, name, annotator, imports, uploads, report)


def _doc(declared: ir.Model, *more: str) -> str | None:
    note = [
        *more,
        *limits(declared.constraints),
        *(["Deprecated."] if declared.deprecated else []),
    ]
    return described(declared.doc, " ".join(note) or None, _CLASS_WIDTH)


def _class(
    model: ir.Model, name: str, annotator: Annotator, imports: Imports, report: Report
) -> Class:
    imports.add(".._runtime", "BaseModel")
    properties = [p for p in model.properties if p.access != "write"]
    fields = [_field(prop, annotator, imports) for prop in properties]
    modules = {"dt"} if any(_DATES.search(field.annotation) for field in fields) else set[str]()
    scope = Scope(MODEL_ATTRIBUTES | _mentioned(model, annotator) | modules)
    attributes: list[Attribute] = []
    for prop, field in zip(properties, fields, strict=True):
        wanted = snake(prop.name.lstrip("_") or prop.name)
        attribute = scope.claim(wanted)
        if attribute not in (wanted, f"{wanted}_"):
            report.warning(
                "renamed",
                f"the attribute for {prop.name!r} is called {attribute!r}: {wanted!r} is taken",
                prop.origin,
            )
        default = field.printed(None if attribute == prop.name else prop.name)
        if default is not None and default.startswith("Field("):
            imports.add("pydantic", "Field")
        attributes.append(Attribute(attribute, field.annotation, default, property_doc(prop)))
    if model.additional not in (ir.UNKNOWN, ir.NEVER):
        imports.add("pydantic", "Field")
        attributes.append(_others(model.additional, annotator))
    options = ["closed=True"] if model.additional == ir.NEVER else []
    return Class(name, _doc(model), tuple(attributes), (*options, *class_options(model)))


_DATES = re.compile(r"\bdt\.")


@dataclass(frozen=True, slots=True)
class _Field:
    """The annotation of a model's field, and what stands behind it."""

    annotation: str
    default: str | None
    limits: list[str]

    def printed(self, alias: str | None) -> str | None:
        """Return the expression behind the annotation; None where there is none."""
        stated = [] if self.default is None else [f"default={self.default}"]
        stated += [] if alias is None else [f"alias={literal(alias)}"]
        if alias is None and not self.limits:
            return self.default
        return f"Field({', '.join([*stated, *self.limits])})"


def _field(prop: ir.Property, annotator: Annotator, imports: Imports) -> _Field:
    annotation, limits = annotator.field(prop.type)
    if prop.required:
        return _Field(annotation, None, limits)
    if not _admits_null(prop.type, annotator.nullable):
        imports.add(".._runtime", "Maybe")
        annotation = f"Maybe[{annotation}]"
    elif isinstance(prop.type, ir.Ref):  # whose name does not tell
        annotation = f"{annotation} | None"
    return _Field(annotation, "None", limits)


def _others(additional: ir.Type, annotator: Annotator) -> Attribute:
    """Return what says to pydantic, and to checkers, of what type other properties are."""
    doc = described("Every other property.", facts(additional, None, False), _CLASS_WIDTH)
    annotation = f"dict[str, {annotator.annotate(additional)}]"
    return Attribute("__pydantic_extra__", annotation, "Field(init=False)", doc)


def extensible(api: ir.Api) -> frozenset[ir.TypeId]:
    """Return the objects that have properties beside those that are declared by name."""
    return frozenset(
        id_
        for id_, declared in api.types.items()
        if isinstance(declared, ir.Model) and declared.additional not in (ir.UNKNOWN, ir.NEVER)
    )


def _mentioned(model: ir.Model, annotator: Annotator) -> frozenset[str]:
    """Return the class names that a model mentions: an attribute of that name would hide one."""
    held = ir.held(model, "read")
    return frozenset(annotator.symbols[id_].name for t in held for id_ in ir.references(t))


def _record(
    model: ir.Model,
    name: str,
    annotator: Annotator,
    imports: Imports,
    uploads: Uploads,
    report: Report,
) -> Record | FunctionalRecord:
    imports.add("typing", "TypedDict")
    properties = [p for p in model.properties if p.access != "read"]
    attributes: list[Attribute] = []
    for prop in properties:
        if not prop.name:
            message = "a typed dictionary has no key without a name: it is left out of the type"
            report.warning("unnamed-property", message, prop.origin)
            continue
        annotation, doc = annotator.argument(prop.type), property_doc(prop)
        if uploads.has(model.id, prop):
            annotation = uploads.annotation(prop.type, annotator.argument, imports)
            doc = property_doc(replace(prop, type=ir.UNKNOWN))
        if prop.required:
            imports.add("typing", "Required")
            annotation = f"Required[{annotation}]"
        attributes.append(Attribute(prop.name, annotation, doc=doc))
    names = [attribute.name for attribute in attributes]
    hidden = hides(names, (attribute.annotation for attribute in attributes))
    if hidden or not all(is_plain(name) for name in names):
        doc = _keys_doc(_record_doc(model, annotator), attributes)
        return FunctionalRecord(name, doc, tuple(attributes))
    return Record(name, _record_doc(model, annotator), tuple(attributes))


def _record_doc(model: ir.Model, annotator: Annotator) -> str | None:
    more = ["May have other properties too."] if model.id in annotator.extensible else []
    return _doc(model, *more)


def _keys_doc(doc: str | None, attributes: Sequence[Attribute]) -> str | None:
    """Return the docstring of a record whose keys cannot have docstrings of their own."""
    keys = [
        f"    {attribute.name}: {' '.join(attribute.doc.split())}"
        for attribute in attributes
        if attribute.doc
    ]
    return paragraphs(doc, "\n".join(["Keys:", *keys]) if keys else None)


def property_doc(prop: ir.Property, width: int = _CLASS_WIDTH) -> str | None:
    """Return the docstring of a property: its prose, its limits, its default."""
    return described(prop.doc, facts(prop.type, prop.default, prop.deprecated), width)


def nullable(api: ir.Api) -> frozenset[ir.TypeId]:
    """Return the names of types that null is a value of."""
    found: frozenset[ir.TypeId] = frozenset()
    while True:
        more = frozenset(
            id_
            for id_, declared in api.types.items()
            if isinstance(declared, ir.Alias) and _admits_null(declared.type, found)
        )
        if more == found:
            return found
        found = more


def _admits_null(type_: ir.Type, named: Collection[ir.TypeId]) -> bool:
    match type_:
        case ir.Union(members):
            return any(_admits_null(member, named) for member in members)
        case ir.Ref(target):
            return target in named
        case _:
            return type_ in (ir.NULL, ir.UNKNOWN, ir.NEVER)
