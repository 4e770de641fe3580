"""Makes descriptions out of plain values, for tests of what becomes of them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from specloom import ir
from specloom.description.load import Description, load
from specloom.diagnostics import Report
from specloom.lower.api import lower

Plain = Mapping[str, object]
"""An object of a document."""


@dataclass(frozen=True)
class Lowered:
    """An API, and the codes of what was reported about it."""

    api: ir.Api
    codes: list[str]

    def model(self, name: str) -> ir.Model:
        """Return the model that a component became."""
        declared = self.component(name)
        assert isinstance(declared, ir.Model)
        return declared

    def component(self, name: str) -> ir.Declaration:
        """Return what a component became."""
        (found,) = (d for d in self.api.types.values() if d.place == ir.Component(name))
        return found

    def id(self, name: str) -> ir.TypeId:
        """Return the identity of a component's type."""
        return self.component(name).id

    def alias(self, name: str) -> ir.Type:
        """Return the type that a component is the name of."""
        declared = self.component(name)
        assert isinstance(declared, ir.Alias)
        return declared.type

    def types(self, name: str) -> dict[str, tuple[ir.Type, bool]]:
        """Return type and presence of the properties of a component."""
        return {p.name: (p.type, p.required) for p in self.model(name).properties}


def document(schemas: Plain, paths: Plain | None = None) -> Plain:
    """Return a description with these components and paths."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Test", "version": "1"},
        "paths": paths or {},
        "components": {"schemas": schemas},
    }


def lowered(*documents: Plain) -> Lowered:
    """Return the API that documents describe together: ``0.json``, ``1.json`` and so on."""
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        descriptions = [
            _loaded(Path(folder, f"{index}.json"), one, report)
            for index, one in enumerate(documents)
        ]
        api = lower(descriptions, report)
    return Lowered(api, [diagnostic.code for diagnostic in report.diagnostics])


def _loaded(path: Path, written: Plain, report: Report) -> Description:
    path.write_text(json.dumps(written), "utf-8")
    return load(path, report)


def ref(name: str) -> Plain:
    """Return a reference to a component."""
    return {"$ref": f"#/components/schemas/{name}"}


def operation(*, sent: Plain | None = None, received: Plain | None = None) -> Plain:
    """Return an operation with JSON bodies of these schemas."""

    def body(schema: Plain) -> Plain:
        return {"required": True, "content": {"application/json": {"schema": schema}}}

    answer: Plain = {} if received is None else body(received)
    stated: dict[str, object] = {"responses": {"200": {"description": "ok", **answer}}}
    if sent is not None:
        stated["requestBody"] = body(sent)
    return stated
