"""What a run has to say for itself: coverage, diagnostics, seconds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, assert_never
from urllib.parse import unquote, urlsplit

from . import ir, lock
from .config import FILE, locate
from .coverage import NOTHING
from .description.load import Position, formatted, position
from .diagnostics import Diagnostic, Origin
from .generate import Client
from .run import Run


def summary(run: Run, client: Client | None) -> dict[str, Any]:
    """Return the numbers of a run; those of a client that was not made are zero."""
    severities = [one.diagnostic.severity for one in located(run)]
    api = None if client is None else client.api
    covered = NOTHING if client is None else client.coverage
    files = () if client is None else tuple(client.files.values())
    return {
        "name": run.target.absolute().name if client is None else client.package.name,
        "operations": asdict(covered.operations),
        "schemas": asdict(covered.schemas),
        "untyped_leaves": 0 if api is None else untyped_leaves(api),
        "diagnostics": {kind: severities.count(kind) for kind in ("error", "warning")},
        "files": len(files),
        "lines": sum(text.count("\n") for text in files),
        "seconds": {stage: round(seconds, 4) for stage, seconds in run.seconds.items()},
    }


def untyped_leaves(api: ir.Api) -> int:
    """Return in how many places of an API any JSON value is accepted."""
    return sum(_leaves(type_) for type_ in _types(api))


def _types(api: ir.Api) -> Iterator[ir.Type]:
    for declared in api.types.values():
        match declared:
            case ir.Alias():
                yield declared.type
            case ir.Model():
                yield from (p.type for p in declared.properties)
                if declared.additional != ir.UNKNOWN:  # said to be anything, or not spoken of
                    yield declared.additional
    for operation in api.operations:
        yield from ir.sent(operation)
        yield from ir.received(operation)


def _leaves(type_: ir.Type) -> int:
    match type_:
        case ir.Unknown():
            return 1
        case ir.Array(item):
            return _leaves(item)
        case ir.Tuple(places, rest):
            return sum(_leaves(place) for place in (*places, rest))
        case ir.Map(value):
            return _leaves(value)
        case ir.Union(members):
            return sum(_leaves(member) for member in members)
        case ir.Primitive() | ir.Literal() | ir.Ref() | ir.Never():
            return 0
        case _:
            assert_never(type_)


@dataclass(frozen=True, slots=True)
class Located:
    """A diagnostic and where it is to be shown."""

    diagnostic: Diagnostic
    position: Position
    related: tuple[Position, ...]


def located(run: Run) -> Iterator[Located]:
    """Yield the diagnostics of a run, each with its places in texts.

    What was found in several parts is said once when an upgrade made them of one.
    """
    said: set[tuple[str, str, Position]] = set()
    for found in run.report.diagnostics:
        place = _position(run, found.origin, found.origin)
        if (one := (found.code, found.message, place)) not in said:
            said.add(one)
            related = tuple(_position(run, origin, found.origin) for origin in found.related)
            yield Located(found, place, related)


def printed(run: Run) -> Iterator[str]:
    """Yield the diagnostics of a run as text: ``file:line:column: severity[code]: sentence``."""
    for one in located(run):
        yield formatted(one.diagnostic, one.position, one.related)


def _position(run: Run, origin: Origin, subject: Origin) -> Position:
    """Return where an origin is, in the description that ``subject`` belongs to."""
    if origin.uri.startswith("file:"):
        return Position(str(_relative(origin.uri)), *locate("", origin))
    if origin.uri in (FILE, lock.FILE):
        path = run.root / origin.uri
        text = path.read_text("utf-8", "replace") if path.is_file() else ""
        return Position(str(path), *locate(text, origin))
    by_entry = {description.entry: description for description in run.descriptions}
    description = by_entry.get(origin.uri) or by_entry.get(subject.uri)
    description = description or next(iter(run.descriptions), None)
    return position(origin, run.root) if description is None else description.position(origin)


def _relative(uri: str) -> Path:
    """Return a path of this machine as people here would write it."""
    path = Path(unquote(urlsplit(uri).path))
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
