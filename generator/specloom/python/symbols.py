"""What every named type is called, as a model and as a parameter, and where it lives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .. import ir
from ..diagnostics import Origin, Report
from .annotations import Direction, Symbol
from .names import TYPE_NAMES, Scope, pascal, shortened, singular, snake, words
from .order import components

Types = Mapping[ir.TypeId, ir.Declaration]


@dataclass(frozen=True, slots=True)
class Layout:
    """The symbols of one direction, and the types of each module in the order of modules.

    ``recursive`` are the aliases that mention themselves through nothing but aliases.
    """

    symbols: Mapping[ir.TypeId, Symbol]
    modules: Mapping[str, tuple[ir.TypeId, ...]]
    edges: Mapping[ir.TypeId, tuple[ir.TypeId, ...]]
    recursive: frozenset[ir.TypeId]


def layout(
    api: ir.Api,
    direction: Direction,
    names: Mapping[str, str],
    locked: Mapping[str, str],
    report: Report,
) -> Layout:
    """Choose the names of the types that are read or written, and share them out to modules.

    ``names`` are the configured ones, ``locked`` those that the types had before.
    A component has a module of its own, inline types stand with their owner, and types that
    mention each other stand together.
    """
    chosen = api.read if direction == "read" else api.written
    types = {id_: d for id_, d in api.types.items() if id_ in chosen}
    edges = {
        id_: tuple(t for t in dict.fromkeys(_mentions(d, direction)) if t in types)
        for id_, d in types.items()
    }
    classes = _class_names(api, types, direction, names, locked, report)
    roots = {id_: _root(id_, types) for id_ in types}
    order = list(dict.fromkeys(roots.values()))
    between: dict[str, dict[str, None]] = {root: {} for root in order}
    for id_, targets in edges.items():
        between[roots[id_]] |= dict.fromkeys(roots[t] for t in targets)
    # A module named like a class would hide it: importing a module sets the package's attribute.
    files = Scope(frozenset(classes.values()), folded=True)
    symbols: dict[ir.TypeId, Symbol] = {}
    modules: dict[str, tuple[ir.TypeId, ...]] = {}
    for group in components(order, between):
        members = tuple(id_ for id_ in types if roots[id_] in group)
        module = files.claim(snake(_leader(group[0], members, classes)))
        modules[module] = members
        symbols |= {id_: Symbol(classes[id_], module) for id_ in members}
    return Layout(symbols, modules, edges, _recursive(types, edges))


def _recursive(
    types: Types, edges: Mapping[ir.TypeId, tuple[ir.TypeId, ...]]
) -> frozenset[ir.TypeId]:
    aliases = [id_ for id_, declared in types.items() if isinstance(declared, ir.Alias)]
    among = {a: [t for t in edges[a] if isinstance(types[t], ir.Alias)] for a in aliases}
    groups = components(aliases, among)
    return frozenset(a for group in groups for a in group if len(group) > 1 or a in among[a])


def _mentions(declared: ir.Declaration, direction: Direction) -> Iterator[ir.TypeId]:
    for type_ in ir.held(declared, direction):
        yield from ir.references(type_)


def _root(id_: ir.TypeId, types: Types) -> str:
    """Return the outermost owner of an inline type: a component or an operation."""
    seen: set[str] = set()
    while id_ in types and id_ not in seen:
        seen.add(id_)
        place = types[id_].place
        if isinstance(place, ir.Component):
            return id_
        id_ = ir.TypeId(_owner(place, types))
    return id_


def _owner(place: ir.Inline, types: Types) -> str:
    """Return the nearest declared type around a place, or the place's own owner."""
    owner = place.owner
    while ir.TypeId(owner) not in types and "/" in owner.partition("#")[2]:
        owner = owner.rpartition("/")[0]
    return owner if ir.TypeId(owner) in types else place.owner


def _leader(root: str, members: Sequence[ir.TypeId], classes: Mapping[ir.TypeId, str]) -> str:
    id_ = ir.TypeId(root)
    return classes[id_] if id_ in classes else classes[members[0]]


def _class_names(
    api: ir.Api,
    types: Types,
    direction: Direction,
    names: Mapping[str, str],
    locked: Mapping[str, str],
    report: Report,
) -> dict[ir.TypeId, str]:
    """Claim class names: configured ones, those of before, then components, then inline types."""
    scope = Scope(TYPE_NAMES, separator="")
    titles = Counter(
        pascal(d.place.title)
        for d in types.values()
        if isinstance(d.place, ir.Inline) and d.place.title
    )
    claimed: dict[ir.TypeId, str] = {}

    def claim(id_: ir.TypeId, wanted: str) -> None:
        name = scope.claim(wanted)
        claimed[id_] = name
        if name != wanted:
            report.warning(
                "renamed",
                f"the name {wanted!r} is taken; this type is called {name!r} "
                "(choose a name in [names])",
                types[id_].origin,
            )

    for id_, declared in types.items():
        if (given := _given(declared, names)) is not None:
            both = id_ in api.read and id_ in api.written
            claim(id_, _parameter(given) if both and direction == "write" else given)
    for id_ in types:
        if id_ not in claimed and scope.is_free(before := locked.get(id_, "")):
            claimed[id_] = scope.claim(before)
    for id_, declared in types.items():
        if id_ not in claimed and isinstance(declared.place, ir.Component):
            name = pascal(declared.place.name)
            claim(id_, _parameter(name) if _is_record(declared, direction, types) else name)
    pending = [id_ for id_ in types if id_ not in claimed]
    for id_ in _owners_first(pending, types):
        place = types[id_].place
        assert isinstance(place, ir.Inline), "components have their names"
        name = pascal(place.title) if place.title else ""
        if not name or titles[name] > 1 or name in claimed.values():
            name = _of_owner(place, types, claimed, direction, api.operations)
        claim(id_, _parameter(name) if _is_record(types[id_], direction, types) else name)
    return claimed


def _given(declared: ir.Declaration, names: Mapping[str, str]) -> str | None:
    """Return the configured name of a type: by origin, by pointer, or by component."""
    keys = [declared.id, f"#{declared.origin.pointer}", str(declared.origin)]
    if isinstance(declared.place, ir.Component):
        keys.append(ir.TypeId(declared.place.name))
        keys.append(ir.TypeId(f"{declared.origin.uri}#/components/schemas/{declared.place.name}"))
    return next((names[key] for key in keys if key in names), None)


def _is_record(declared: ir.Declaration, direction: Direction, types: Types) -> bool:
    """Whether a written type is, or holds, objects: these have another form than their models."""
    if direction == "read":
        return False
    if isinstance(declared, ir.Model):
        return True
    seen: set[ir.TypeId] = {declared.id}
    pending = list(ir.references(declared.type))
    while pending:
        id_ = pending.pop()
        inner = types.get(id_)
        if isinstance(inner, ir.Model):
            return True
        if inner is not None and id_ not in seen:
            seen.add(id_)
            pending.extend(ir.references(inner.type))
    return False


def _parameter(name: str) -> str:
    return name if name.endswith(("Param", "Params")) else f"{name}Param"


def _owners_first(ids: Iterable[ir.TypeId], types: Types) -> list[ir.TypeId]:
    """Return inline types after those that they stand in, whose names theirs begin with."""

    def depth(id_: ir.TypeId) -> int:
        steps = 0
        while id_ in types and isinstance(place := types[id_].place, ir.Inline) and steps < 99:
            id_, steps = ir.TypeId(_owner(place, types)), steps + 1
        return steps

    return sorted(ids, key=depth)


def _of_owner(
    place: ir.Inline,
    types: Types,
    claimed: Mapping[ir.TypeId, str],
    direction: Direction,
    operations: Sequence[ir.Operation],
) -> str:
    owner = claimed.get(ir.TypeId(_owner(place, types)))
    if owner is None:
        owner = pascal(operation_words(place.owner, operations))
    if direction == "write":
        owner = owner.removesuffix("Param").removesuffix("Params")
    part = words(place.part)
    if place.several and part:
        part[-1] = singular(part[-1])
    return shortened(owner + pascal(" ".join(part)))


def operation_words(owner: str, operations: Sequence[ir.Operation]) -> str:
    """Return the words that name the operation, or the component, that an origin stands in."""
    for operation in operations:
        if operation.id and owner.startswith(f"{operation.origin}"):
            return operation.id
    match Origin("", owner.partition("#")[2]).tokens:
        case ("webhooks" | "x-webhooks", name, _) | (*_, "callbacks", name, _, _):
            return name
        case ("paths", path, method, *_):
            return f"{method} {path}"
        case (*_, last):
            return last
        case _:
            return "value"


def unused_names(api: ir.Api, names: Mapping[str, str], file: str, report: Report) -> None:
    """Report the configured names that no type of the description answers to."""
    used: set[str] = set()
    for declared in api.types.values():
        used.update(k for k in names if _given(declared, {k: names[k]}) is not None)
    for key in names.keys() - used:
        report.warning("unused-name", f"no type stands at {key!r}", Origin(file) / "names" / key)
