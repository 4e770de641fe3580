"""What the models of each type are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from keyword import iskeyword

from .. import ir
from ..config import Config
from ..diagnostics import Report
from ..lock import Lock
from ..python.symbols import layout
from .styles import Style

Names = Mapping[ir.TypeId, str]

_IMPORTED = frozenset(
    "Annotated Any AwareDatetime BaseModel ClassVar ConfigDict Decimal Dict Enum Field IntEnum "
    "List Literal Mapping Meta NotRequired Optional ReadOnly Required RootModel Sequence Set "
    "StrEnum Struct Tuple TypeAlias TypeAliasType TypedDict UNSET UUID Union UnsetType".split()
)
"""What modules of models import: a type of such a name would be taken for that."""


def class_names(api: ir.Api, config: Config, lock: Lock, style: Style, report: Report) -> Names:
    """Return the names of all types: those of the client's models, also for what is written.

    Without the modules of a client, names that these import are free. A type that a field of a
    dataclass would hide gets another one: such a field is called as its property is, and inside
    the class its name would stand for the field.
    """
    everything = replace(api, read=frozenset(api.types), written=frozenset[ir.TypeId]())
    found = Report()
    symbols = layout(everything, "read", config.names, lock.models, found).symbols
    names = {id_: symbol.name for id_, symbol in symbols.items()}
    taken = set(names.values())
    for id_, name in names.items():
        bare = name.rstrip("_")
        if bare in _IMPORTED:
            message = f"modules of models use the name {bare!r}: this type is called"
            names[id_] = _free(f"{bare}Model", taken)
            report.warning("renamed", f"{message} {names[id_]!r}", api.types[id_].origin)
        elif bare not in taken and not iskeyword(bare):
            names[id_] = _free(bare, taken)
    kept = {api.types[id_].origin for id_, name in names.items() if name == symbols[id_].name}
    for one in found.diagnostics:
        if one.origin in kept:
            report.warning(one.code, one.message, one.origin, *one.related)
    if style == "dataclass":
        _step_aside(names, taken, api, report)
    return names


def _step_aside(names: dict[ir.TypeId, str], taken: set[str], api: ir.Api, report: Report) -> None:
    """Rename the types that a field would hide."""
    for id_ in _hidden(api, names):
        name = _free(f"{names[id_]}Model", taken)
        report.warning(
            "renamed",
            f"this type is called {name!r}: a field of a dataclass is called {names[id_]!r}, and "
            "would hide it",
            api.types[id_].origin,
        )
        names[id_] = name


def _free(wanted: str, taken: set[str]) -> str:
    """Return a name that nothing has yet, and take it."""
    while wanted in taken:
        wanted += "_"
    taken.add(wanted)
    return wanted


def _hidden(api: ir.Api, names: Names) -> Iterable[ir.TypeId]:
    """Return the types that are called like a field of a class that mentions them."""
    hidden: dict[ir.TypeId, None] = {}
    for declared in api.types.values():
        if isinstance(declared, ir.Model):
            fields = {prop.name for prop in declared.properties}
            mentioned = _mentioned(declared, api)
            hidden |= dict.fromkeys(id_ for id_ in mentioned if names[id_] in fields)
    return hidden


def _mentioned(model: ir.Model, api: ir.Api) -> Iterator[ir.TypeId]:
    """Yield the types that the fields of a model mention, also inside of aliases."""
    seen: set[ir.TypeId] = set()
    pending = [id_ for prop in model.properties for id_ in ir.references(prop.type)]
    while pending:
        id_ = pending.pop()
        if id_ in seen:
            continue
        seen.add(id_)
        yield id_
        declared = api.types[id_]
        if isinstance(declared, ir.Alias):
            pending.extend(ir.references(declared.type))
