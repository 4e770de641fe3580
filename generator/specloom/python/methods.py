"""Methods: an operation as a signature, a docstring and a call, in either flavour."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from .. import ir
from ..config import Config
from ..diagnostics import Report
from .annotations import Annotator, Passed, Symbols
from .arguments import DOC_WIDTH, Arguments
from .examples import first_call
from .imports import Imports
from .literals import literal
from .names import Scope
from .package import Argument, Constant, Flavour, Method, Signature
from .prose import described, paragraphs, wrap

SYNC = Flavour("", "def", "", "SyncResource", "SyncClient", "raw", "streamed")
ASYNC = Flavour(
    "Async", "async def", "await ", "AsyncResource", "AsyncClient", "async_raw", "async_streamed"
)

_EXTRAS = (
    Argument(
        "extra_headers",
        "Headers | None",
        "None",
        "Headers to add or to replace; `omit` as a value removes one.",
    ),
    Argument("extra_query", "Query | None", "None", "Query parameters to add or to replace."),
    Argument("extra_body", "Body | None", "None", "Properties of the body to add or to replace."),
    Argument(
        "timeout",
        "float | Timeout | None | Omit",
        "omit",
        "Seconds to wait for the network at each step, in place of the client's; None waits "
        "for ever.",
    ),
    Argument(
        "options", "RequestOptions | None", "None", "What else differs from the client's defaults."
    ),
)
_PROSE_WIDTH = 77  # 88 less the indentation of a docstring and its quotes
_RUNTIME = ("Body", "Headers", "Omit", "Query", "Request", "RequestOptions", "Timeout", "omit")


@dataclass(slots=True)
class Methods:
    """Plans the methods of one module of resources."""

    api: ir.Api
    models: Symbols
    params: Symbols
    passed: Passed
    config: Config
    report: Report
    attributes: Collection[str] = ()
    """The names in the classes of the module: inside, they would hide a module of that name."""
    imports: Imports = field(default_factory=Imports)
    constants: dict[str, Constant] = field(default_factory=dict[str, Constant])
    _constant_names: Scope = field(default_factory=Scope)

    def method(self, operation: ir.Operation, name: str) -> tuple[Method, Method]:
        """Return one operation as a method of the sync and of the async client."""
        self.imports.add(".._runtime", *_RUNTIME)
        arguments = Arguments(operation, self.api.types, self._write, self.report)
        if "segment(" in arguments.call.path:
            self.imports.add(".._runtime", "segment")
        if arguments.call.optional:
            self.imports.add(".._runtime", "unless_omitted")
        plain = Method(
            name,
            _method_doc(operation, (*arguments.listed, *_EXTRAS)),
            f"{operation.method} {operation.path}",
            first_call(arguments.needed, self.api.types),
            (),
            Signature((*arguments.listed, *_EXTRAS), ""),
            arguments.call,
        )
        stream = operation.streaming
        if stream is None:
            method = self._sending(plain, operation)
            return method, method
        call = replace(plain.call, stream=self._events(stream, name))
        streaming = replace(plain, call=call)
        if stream.toggle not in arguments.properties:
            return (
                self._always(streaming, self._streamed("Stream", stream)),
                self._always(streaming, self._streamed("AsyncStream", stream)),
            )
        either = self._sending(streaming, operation)
        toggle = arguments.properties[stream.toggle]
        return (
            self._toggled(either, toggle, self._streamed("Stream", stream)),
            self._toggled(either, toggle, self._streamed("AsyncStream", stream)),
        )

    def _sending(self, method: Method, operation: ir.Operation) -> Method:
        """Return a method that gives the whole answer."""
        type_ = result_type(operation)
        match type_:
            case None:
                self.imports.add(".._runtime", "NOTHING")
                annotation, result = "None", "NOTHING"
            case ir.Opaque():
                self.imports.add(".._runtime", "BYTES")
                annotation, result = "bytes", "BYTES"
            case _:
                annotation = self._read(type_)
                result = self._decoder(type_, f"_{method.name}_result")
        return replace(
            method,
            signature=replace(method.signature, result=annotation),
            call=replace(method.call, result=result),
        )

    def _always(self, method: Method, streamed: str) -> Method:
        """Return a method that gives a stream."""
        return replace(method, signature=replace(method.signature, result=streamed))

    def _toggled(self, method: Method, toggle: tuple[str, ir.Property], streamed: str) -> Method:
        """Return a method that gives a stream or the whole, as one argument says."""
        self.imports.add("typing", "Literal", "overload")
        name, prop = toggle
        signature, whole = method.signature, method.signature.result
        both = f"{whole} | {streamed}"
        nullable = isinstance(prop.type, ir.Union) and ir.NULL in prop.type.members
        unset = "".join((" | None" if nullable else "", "" if prop.required else " | Omit"))
        missing = None if prop.required else "omit"
        overloads = (
            _with(signature, name, f"Literal[False]{unset}", missing, whole),
            _with(signature, name, "Literal[True]", None, streamed),
            _with(signature, name, "bool", None, both),
        )
        return replace(
            method,
            overloads=overloads,
            signature=replace(signature, result=both),
            call=replace(method.call, condition=name),
        )

    def _streamed(self, class_: str, stream: ir.Streaming) -> str:
        """Return the annotation of a stream."""
        self.imports.add(".._runtime", class_)
        types = [self._read(stream.event)]
        if stream.mirror is not None:
            types.append(self._read(ir.Ref(stream.mirror.whole)))
        return f"{class_}[{', '.join(types)}]"

    def _events(self, stream: ir.Streaming, name: str) -> str:
        """Return the constant that says how the events of a stream decode and add up."""
        self.imports.add(".._runtime", "Events")
        arguments = [self._decoder(stream.event, f"_{name}_event")]
        if stream.mirror is not None:
            self.imports.add(".._runtime", "Fold")
            arguments.append(f"final={self._fold(stream.mirror)}")
        if self.config.streaming.end is not None:
            arguments.append(f"end={literal(self.config.streaming.end)}")
        types = [self._read(stream.event)]
        if stream.mirror is not None:
            types.append(self._read(ir.Ref(stream.mirror.whole)))
        annotation = f"Events[{', '.join(types)}]"
        return self._constant(f"_{name}_events", annotation, f"Events({', '.join(arguments)})")

    def _fold(self, mirror: ir.Mirror) -> str:
        parts = [self._read(ir.Ref(mirror.whole))]
        if mirror.renamed:
            parts.append(f"rename={literal(dict(mirror.renamed))}")
        if mirror.constants:
            values = {name: ir.value_of(value) for name, value in mirror.constants}
            parts.append(f"constants={literal(values)}")
        if mirror.replaced:
            paths = ", ".join(literal(path) for path in mirror.replaced)
            parts.append(f"replace=frozenset({{{paths}}})")
        return f"Fold({', '.join(parts)})"

    def _decoder(self, type_: ir.Type, name: str) -> str:
        """Return what decodes a type: its model, or a constant made for it."""
        if isinstance(type_, ir.Ref) and isinstance(self.api.types[type_.target], ir.Model):
            return self._read(type_)
        self.imports.add(".._runtime", "Decoder")
        shown = self._read(type_)
        tagged = self._annotate(self._reader(tagged=True), type_)
        return self._constant(name, f"Decoder[{shown}]", f"Decoder({tagged})")

    def _constant(self, name: str, annotation: str, value: str) -> str:
        """Return the expression of a value that is made on first use."""
        self.imports.add("functools", "cache")
        claimed = self._constant_names.claim(name)
        self.constants[claimed] = Constant(claimed, annotation, value)
        return f"{claimed}()"

    def _read(self, type_: ir.Type) -> str:
        return self._annotate(self._reader(tagged=False), type_)

    def _reader(self, tagged: bool) -> Annotator:
        """Return what prints types that are read; a method ``list`` hides the built-in one."""
        hidden = "list" in self.attributes
        prefix = self._prefix("models")
        return Annotator(
            self.models, "read", prefix, tagged=tagged, list_="List" if hidden else "list"
        )

    def _write(self, type_: ir.Type) -> str:
        annotator = Annotator(
            self.params,
            "write",
            self._prefix("params"),
            passed=self.passed,
            models=self._prefix("models"),
        )
        return self._annotate(annotator, type_)

    def _prefix(self, package: str) -> str:
        return f"_{package}." if package in self.attributes else f"{package}."

    def _annotate(self, annotator: Annotator, type_: ir.Type) -> str:
        text = annotator.annotate(type_)
        prefixes = [annotator.prefix] if annotator.mentioned else []
        for prefix in [*prefixes, *([annotator.models] if annotator.borrowed else [])]:
            name = prefix.rstrip(".")
            package = name.lstrip("_")
            self.imports.add("..", package if name == package else f"{package} as {name}")
        for module, name in annotator.standard_imports():
            self.imports.add(module, name)
        if "List[" in text:
            self.imports.add("builtins", "list as List")
        if annotator.runtime:
            self.imports.add(".._runtime", *annotator.runtime)
        return text


def result_type(operation: ir.Operation) -> ir.Type | ir.Opaque | None:
    """Return what a call gives: the JSON of every success, bytes, or None for nothing.

    Where no success is declared, ``default`` speaks for it (OpenAPI, Responses Object).
    """
    bodies = [r.body for r in operation.responses if ir.is_success(r.status)]
    if not bodies:
        bodies = [r.body for r in operation.responses if isinstance(r.status, ir.Default)]
    types = dict.fromkeys(body.type for body in bodies if isinstance(body, ir.Json))
    if not types:
        return next((body for body in bodies if isinstance(body, ir.Opaque)), None)
    if any(body is None for body in bodies):
        types[ir.NULL] = None
    members = tuple(types)
    return members[0] if len(members) == 1 else ir.Union(members)


def _with(
    signature: Signature, name: str, annotation: str, default: str | None, result: str
) -> Signature:
    """Return a signature with another type for one argument, and another result."""
    changed = [
        replace(a, annotation=annotation, default=default) if a.name == name else a
        for a in signature.arguments
    ]
    return Signature(tuple(sorted(changed, key=lambda a: a.default is not None)), result)


def _method_doc(operation: ir.Operation, arguments: Sequence[Argument]) -> str:
    """Return a docstring in the style that editors understand: prose, then the arguments."""
    lines = [f"{a.name}:\n{_indented(wrap(a.doc, DOC_WIDTH))}" for a in arguments if a.doc]
    note = "Deprecated." if operation.deprecated else None
    title = f"{operation.method} {operation.path}"
    prose = described(operation.doc or title, note, _PROSE_WIDTH)
    return paragraphs(prose, "Args:\n" + _indented("\n".join(lines))) or ""


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())
