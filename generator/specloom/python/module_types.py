"""Types as one module of resources mentions them, and the constants that its methods share."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from .. import ir
from .annotations import Annotator, Passed, Symbols
from .imports import Imports
from .names import Scope
from .package import Constant
from .types import extensible


@dataclass(slots=True)
class ModuleTypes:
    """Prints types in one module of resources; remembers its imports and its constants."""

    api: ir.Api
    models: Symbols
    params: Symbols
    passed: Passed
    attributes: Collection[str] = ()
    """The names in the classes of the module: inside, they would hide a module of that name."""
    imports: Imports = field(default_factory=Imports)
    constants: dict[str, Constant] = field(default_factory=dict[str, Constant])
    _names: Scope = field(default_factory=Scope)

    def read(self, type_: ir.Type) -> str:
        """Return the annotation of what is received."""
        return self._annotate(self._reader(exact=False), type_)

    def decoder(self, type_: ir.Type, *, inside: bool = False) -> str:
        """Return the expression of what decodes a type.

        ``inside`` of another expression, a checker cannot find out what it decodes to.
        """
        if isinstance(type_, ir.Ref) and isinstance(self.api.types[type_.target], ir.Model):
            return self.read(type_)
        self.imports.add(".._runtime", "Decoder")
        annotation = self._annotate(self._reader(exact=True), type_)
        if inside:
            self.imports.add("typing", "Any")
        return f"Decoder[Any]({annotation})" if inside else f"Decoder({annotation})"

    def write(self, type_: ir.Type, *, exact: bool = False, passed: Passed | None = None) -> str:
        """Return the annotation of what is sent.

        An ``exact`` one has the limits of the description; ``passed`` are the models that may
        stand in for objects, in place of all that may.
        """
        annotator = Annotator(
            self.params,
            "write",
            self._prefix("params"),
            exact=exact,
            passed=self.passed if passed is None else passed,
            extensible=extensible(self.api) if passed is None else (),
            models=self._prefix("models"),
        )
        text = annotator.argument(type_) if exact else annotator.annotate(type_)
        return self._noted(annotator, text)

    def constant(self, name: str, annotation: str, value: str, *, shared: bool = False) -> str:
        """Return the name of a function that makes a value on first use.

        A ``shared`` one is that of an equal value, if there is one.
        """
        for made in self.constants.values() if shared else ():
            if (made.annotation, made.value) == (annotation, value):
                return made.name
        self.imports.add("functools", "cache")
        claimed = self._names.claim(name)
        self.constants[claimed] = Constant(claimed, annotation, value)
        return claimed

    def _reader(self, exact: bool) -> Annotator:
        """Return what prints types that are read; a method ``list`` hides the built-in one."""
        hidden = "list" in self.attributes
        prefix = self._prefix("models")
        return Annotator(
            self.models, "read", prefix, exact=exact, list_="List" if hidden else "list"
        )

    def _prefix(self, package: str) -> str:
        return f"_{package}." if package in self.attributes else f"{package}."

    def _annotate(self, annotator: Annotator, type_: ir.Type) -> str:
        return self._noted(annotator, annotator.annotate(type_))

    def _noted(self, annotator: Annotator, text: str) -> str:
        """Return an annotation, and import what it mentions."""
        prefixes = [annotator.prefix] if annotator.mentioned else []
        for prefix in [*prefixes, *([annotator.models] if annotator.borrowed else [])]:
            name = prefix.rstrip(".")
            package = name.lstrip("_")
            self.imports.add("..", package if name == package else f"{package} as {name}")
        for needed in annotator.imports():
            self.imports.add(*needed)
        if "List[" in text:
            self.imports.add("builtins", "list as List")
        if annotator.runtime:
            self.imports.add(".._runtime", *annotator.runtime)
        return text
