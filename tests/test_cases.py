"""Each folder of ``cases`` is a description, and what the generator makes of it.

``expected`` holds every file of the client but the runtime and, of most cases, the client's tests;
and ``diagnostics.txt``: what the run reports, a diagnostic a line. ``make snapshots`` rewrites it.
The goldens are not only compared: they are imported, formatted and type-checked as their users
would.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import inspect
import json
import pkgutil
import shutil
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import cast, get_type_hints, is_typeddict

import black
import pytest
import yaml
from black.mode import TargetVersion
from pydantic import BaseModel

import runtime
from specloom.diagnostics import Stop
from specloom.generate import Run, generate
from specloom.python.names import CLIENT_KEYWORDS
from specloom.summary import printed

CASES = Path(__file__).resolve().parent / "cases"
TEMPLATES = Path(__file__).resolve().parents[1] / "templates"
LONGEST_SPEC = 40
LEFT_OUT = {
    "form_encodings": {"read"},  # which is read only, of a form that is written only
    "overlay": {"internal"},  # which the overlay removes
    "required_body": {""},  # which is an argument, and no key of a typed dictionary
    "stream_envelopes": {"event", "id"},  # which are around the items
    "webhooks": {"secret"},  # which is writeOnly, and only read
    "uploads": {"a"},  # of a multipart/mixed body, which is bytes
}
"""The properties that are in a description and not in its client, with the reason."""
TESTED = {
    "explicit_discriminator",
    "form_encodings",
    "multipart",
    "pagination",
    "parameter_styles",
    "recursion",
    "stream_toggle",
}
"""The cases whose goldens hold the tests of the client too; ``test_generated_tests`` runs all."""
CLIENTS = (runtime.SyncClient, runtime.AsyncClient)


@dataclass(frozen=True)
class Case:
    """A feature: its description, and the client that is to come out."""

    folder: Path

    @property
    def expected(self) -> Path:
        """The folder of the golden."""
        return self.folder / "expected"

    @property
    def package(self) -> Path | None:
        """The folder of the import package in the golden; None where no client comes out."""
        return next((self.expected / "src").glob("*"), None)

    def target(self) -> Path:
        """Return what is given to the generator."""
        configured = (self.folder / "specloom.toml").is_file()
        return self.folder if configured else self.folder / "spec.yaml"

    def golden(self) -> dict[str, str]:
        """Return the texts of the golden by their paths."""
        files = sorted(p for p in self.expected.rglob("*") if p.is_file())
        return {p.relative_to(self.expected).as_posix(): p.read_text("utf-8") for p in files}

    def generated(self) -> dict[str, str]:
        """Return what the generator makes of the description now, and what it says."""
        run = Run(self.target())
        texts: dict[str, str] = {}
        try:
            for path, text in generate(run).files.items():
                tests = path.name == "testing.py" or path.parts[0] == "tests"
                kept = self.folder.name in TESTED or not tests
                if kept and "_runtime" not in path.parts and path.name != "py.typed":
                    texts[str(path)] = text
        except Stop:
            pass
        lines = "".join(f"{line}\n" for line in printed(run))
        texts["diagnostics.txt"] = lines.replace(f"{self.folder}/", "")
        return texts

    def rewrite(self, texts: Mapping[str, str]) -> None:
        """Make these texts the golden."""
        shutil.rmtree(self.expected, ignore_errors=True)
        for name, text in texts.items():
            path = self.expected / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())


ALL = tuple(Case(folder) for folder in sorted(CASES.iterdir()) if folder.is_dir())
each_case = pytest.mark.parametrize("case", ALL, ids=[case.folder.name for case in ALL])


def difference(old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """Return a unified diff of two trees; empty when they agree."""
    lines: list[str] = []
    for name in sorted({*old, *new}):
        before, after = (tree.get(name, "").splitlines() for tree in (old, new))
        if old.get(name) != new.get(name):
            lines += difflib.unified_diff(before, after, name, name, lineterm="")
            lines.append(f"({name}: {'differs' if name in old and name in new else 'is new'})")
    return "\n".join(lines)


@each_case
def test_golden(
    case: Case,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # no verdicts of earlier versions
    generated = case.generated()
    if request.config.getoption("--update"):
        case.rewrite(generated)
    changes = difference(case.golden(), generated)
    assert not changes, f"run 'make snapshots' if this is meant:\n{changes}"


@each_case
def test_description_is_small_and_says_what_is_right(case: Case) -> None:
    first, *rest = (case.folder / "spec.yaml").read_text("utf-8").splitlines()
    assert first.startswith("# Right: ")
    assert len(rest) < LONGEST_SPEC


@dataclass(frozen=True)
class Clients:
    """The goldens as import packages, side by side, over the one runtime."""

    root: Path

    @cached_property
    def names(self) -> dict[str, str]:
        """The import name of each case's client."""
        return {c.folder.name: c.package.name for c in ALL if c.package is not None}

    def of(self, case: Case) -> str:
        """Return the import name of a case's client, or skip the test."""
        if case.folder.name not in self.names:
            pytest.skip("no client comes out of this description")
        return self.names[case.folder.name]


@pytest.fixture(scope="session")
def clients(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Clients:
    """Lay out every golden with a ``_runtime`` that hands on the names of the real one."""
    if request.config.getoption("--update"):
        pytest.skip("the goldens are being rewritten")
    root = tmp_path_factory.mktemp("clients")
    handed_on = "".join(f"from runtime import {name} as {name}\n" for name in runtime.__all__)
    for case in ALL:
        if case.package is not None:
            package = root / case.package.name
            shutil.copytree(case.package, package)
            (package / "_runtime").mkdir()
            (package / "_runtime" / "__init__.py").write_text(handed_on)
            (package / "py.typed").touch()
    return Clients(root)


def test_import_names_are_unique(clients: Clients) -> None:
    assert len(set(clients.names.values())) == len(clients.names)


def modules(name: str) -> Iterator[ModuleType]:
    """Import a package and every module in it."""
    package = importlib.import_module(name)
    yield package
    for found in pkgutil.walk_packages(package.__path__, f"{name}."):
        yield importlib.import_module(found.name)


@each_case
def test_golden_works_when_imported(
    case: Case, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = clients.of(case)
    monkeypatch.setattr(sys, "path", [str(clients.root), *sys.path])
    for module in modules(name):
        for value in vars(module).values():
            if getattr(value, "__module__", None) == module.__name__:
                use(value)
    for package in ("models", "params", "resources"):
        for export in exports(clients.root / name / package / "__init__.pyi"):
            value = getattr(importlib.import_module(f"{name}.{package}"), export)
            assert not isinstance(value, ModuleType)
            if package == "models":
                runtime.Decoder[object](value).decode(b"{}")


def exports(stub: Path) -> Iterator[str]:
    """Yield the names that the stub of a package promises."""
    for statement in ast.parse(stub.read_text("utf-8")).body:
        if isinstance(statement, ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in statement.names)


def use(declared: object) -> None:
    """Make a class do what it is there for: resolve its annotations and build its schema."""
    if is_typeddict(declared):
        assert get_type_hints(declared).keys() == declared.__annotations__.keys()
    elif isinstance(declared, type) and issubclass(declared, BaseModel):
        declared.model_rebuild(force=True)
        for payload in ({}, {name: {"other": [None]} for name in wire_names(declared)}):
            read = runtime.Decoder[runtime.BaseModel](declared).decode_value(payload)
            assert read.to_dict() == payload
    elif isinstance(declared, type) and issubclass(declared, CLIENTS):
        make = cast("Callable[..., object]", declared)
        walk(make(**credentials(declared), base_url="http://127.0.0.1:9"))
        for method in ("__init__", "with_options"):
            assert common(declared, method) == common(runtime.SyncClient, method)


def common(client: type[object], method: str) -> list[str]:
    """Return the keywords that every client has, in the order of a signature."""
    names = inspect.signature(getattr(client, method)).parameters
    return [name for name in names if name in CLIENT_KEYWORDS]


def credentials(client: type[object]) -> dict[str, object]:
    """Return something for each keyword of a client that takes a credential."""
    given: dict[str, object] = {}
    for name, parameter in inspect.signature(client).parameters.items():
        if "Secret" in parameter.annotation:
            given[name] = "key"
        elif "Certificate" in parameter.annotation:
            given[name] = ssl.create_default_context()
    return given


def wire_names(declared: object) -> set[str]:
    """Return what the properties of a model or of a typed dictionary are called in JSON."""
    if is_typeddict(declared):
        return set(declared.__annotations__)
    if isinstance(declared, type) and issubclass(declared, BaseModel):
        fields = declared.model_fields.items()
        return {name if field.alias is None else field.alias for name, field in fields}
    return set()


def property_names(node: object) -> Iterator[str]:
    """Yield the names of all properties that a document declares."""
    if isinstance(node, dict):
        members = cast("dict[str, object]", node)
        declared = members.get("properties")
        if isinstance(declared, dict):
            yield from cast("dict[str, object]", declared)
        for value in members.values():
            yield from property_names(value)
    elif isinstance(node, list):
        for item in cast("list[object]", node):
            yield from property_names(item)


@each_case
def test_no_property_is_lost(case: Case, clients: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    name = clients.of(case)
    monkeypatch.setattr(sys, "path", [str(clients.root), *sys.path])
    found = {n for m in modules(name) for value in vars(m).values() for n in wire_names(value)}
    documents = [p for p in case.folder.rglob("*.yaml") if case.expected not in p.parents]
    written = [yaml.load(p.read_text("utf-8"), yaml.CBaseLoader) for p in documents]
    declared = {n for document in written for n in property_names(document)}
    assert declared - found == LEFT_OUT.get(case.folder.name, set())


def walk(node: object) -> None:
    """Read every attribute of a client, its resources and their wrappers."""
    for name in dir(type(node)):
        if not name.startswith("_"):
            value = getattr(node, name)
            leads_on = "resources" in type(value).__module__ or name.startswith("with_")
            if leads_on and not callable(value):
                walk(value)


@pytest.mark.usefixtures("clients")
@each_case
def test_golden_is_formatted(case: Case) -> None:
    for name, text in case.golden().items():
        if name.endswith((".py", ".pyi")):
            mode = black.Mode(
                line_length=88,
                target_versions={TargetVersion.PY311},
                is_pyi=name.endswith(".pyi"),
            )
            assert black.format_str(text, mode=mode) == text, name


def test_goldens_pass_mypy(clients: Clients, pytestconfig: pytest.Config) -> None:
    cache = pytestconfig.cache
    assert cache is not None
    command = "-m mypy --strict --python-version 3.11 --follow-imports silent --config-file="
    finished = subprocess.run(
        [sys.executable, *command.split(), f"--cache-dir={cache.mkdir('mypy')}", str(clients.root)],
        env={"MYPYPATH": f"{clients.root}:{TEMPLATES}"},
        cwd=clients.root,
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_goldens_pass_pyright(clients: Clients) -> None:
    settings = {
        "include": ["."],
        "extraPaths": [str(TEMPLATES)],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
    }
    (clients.root / "pyrightconfig.json").write_text(json.dumps(settings))
    finished = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "-p", str(clients.root)],
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
