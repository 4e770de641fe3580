"""Makes modules of models out of schemas, and imports them, for tests."""

from __future__ import annotations

import importlib.util
import itertools
import sys
import tempfile
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, cast, get_args

import msgspec
from pydantic import TypeAdapter
from typing_extensions import TypeAliasType, is_typeddict

from specloom.config import Config
from specloom.diagnostics import Report
from specloom.lock import EMPTY
from specloom.models.make import models
from specloom.models.styles import Style

from .make import Plain, document, lowered

STYLES: tuple[Style, ...] = get_args(Style)
_NUMBER = itertools.count()


@dataclass(frozen=True)
class Made:
    """A module of models, and the codes of what was reported about it."""

    text: str
    codes: list[str]

    def module(self) -> ModuleType:
        """Import the module."""
        return imported(self.text)


def made(schemas: Plain, style: Style, paths: Plain | None = None) -> Made:
    """Return the models of components."""
    report = Report()
    api = lowered(document(schemas, paths)).api
    text = models(api, Config(descriptions=["0.json"]), EMPTY, style, report)
    return Made(text, [diagnostic.code for diagnostic in report.diagnostics])


def imported(text: str) -> ModuleType:
    """Import a module from its text; what it refers to is found in it."""
    name = f"models_{next(_NUMBER)}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{name}.py")
        path.write_text(text, "utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return module


def decoder(module: ModuleType, name: str, style: Style) -> Any:
    """Return what reads JSON text into a model of a module; raises what the library raises."""
    model = getattr(module, name)
    if style == "msgspec":
        return msgspec.json.Decoder(model).decode
    return TypeAdapter(model).validate_json


def used(module: ModuleType, style: Style) -> Iterator[str]:
    """Make each model do what it is for, and yield its name."""
    defined: list[tuple[str, Any]] = list(vars(module).items())
    for name, value in defined:
        own = getattr(value, "__module__", None) == module.__name__
        if not (own or isinstance(value, TypeAliasType)):
            continue
        match style:
            case "pydantic":
                TypeAdapter(cast(Any, value)).json_schema()
            case "msgspec":
                assert msgspec.json.Decoder(value)
            case _ if is_typeddict(value) or isinstance(value, type):
                assert typing.get_type_hints(value).keys() == value.__annotations__.keys()
            case _:
                pass
        yield name
