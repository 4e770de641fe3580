"""What a run has to say for itself: coverage, diagnostics, seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, assert_never
from urllib.parse import unquote, urlsplit

from . import ir
from .config import FILE, locate
from .description.load import format_diagnostic
from .diagnostics import Diagnostic
from .generate import Client, Run


def summary(run: Run, client: Client | None) -> dict[str, Any]:
    """Return the numbers of a run; those of a client that was not made are zero."""
    severities = [d.severity for d in run.report.diagnostics]
    api = None if client is None else client.api
    operations = 0 if api is None else len(api.operations)
    schemas = 0 if api is None else api.schemas
    files = () if client is None else tuple(client.files.values())
    return {
        "name": run.target.name if client is None else client.package.name,
        "operations": {"total": operations, "emitted": operations},
        "schemas": {"total": schemas, "emitted": schemas},
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
                if declared.additional is not None:
                    yield declared.additional
    for operation in api.operations:
        yield from (p.type for p in operation.parameters)
        bodies = [operation.body, *(r.body for r in operation.responses)]
        yield from (body.type for body in bodies if isinstance(body, ir.Json))
        if operation.streaming is not None:
            yield operation.streaming.event


def _leaves(type_: ir.Type) -> int:
    match type_:
        case ir.Unknown():
            return 1
        case ir.Array(item):
            return _leaves(item)
        case ir.Map(value):
            return _leaves(value)
        case ir.Union(members):
            return sum(_leaves(member) for member in members)
        case ir.Primitive() | ir.Literal() | ir.Ref():
            return 0
        case _:
            assert_never(type_)


def printed(run: Run) -> Iterator[str]:
    """Yield the diagnostics of a run as text: ``file:line:column: severity[code]: sentence``."""
    by_entry = {description.entry: description for description in run.descriptions}
    for diagnostic in run.report.diagnostics:
        uri = diagnostic.origin.uri
        if uri.startswith("file:"):
            yield _line(diagnostic, _relative(uri), 1, 1)
        elif uri == FILE:
            path = run.root / FILE
            text = path.read_text("utf-8", "replace") if path.is_file() else ""
            yield _line(diagnostic, path, *locate(text, diagnostic.origin))
        elif description := by_entry.get(uri) or next(iter(run.descriptions), None):
            yield description.format(diagnostic)
        else:
            yield format_diagnostic(diagnostic, run.root)


def _line(diagnostic: Diagnostic, path: Path, line: int, column: int) -> str:
    place = f"{path}:{line}:{column}"
    return f"{place}: {diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"


def _relative(uri: str) -> Path:
    """Return a path of this machine as people here would write it."""
    path = Path(unquote(urlsplit(uri).path))
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
