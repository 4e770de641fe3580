"""Methods: an operation as a signature, a docstring and a call, in either flavour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from .. import ir
from ..config import Config
from ..diagnostics import Report
from .annotations import Annotator, Symbols
from .imports import Imports
from .literals import literal
from .names import ARGUMENTS, Scope, snake
from .package import Argument, Call, Constant, Entry, Flavour, Method, Signature
from .prose import described, paragraphs
from .routes import path_expression, path_parameters
from .types import property_doc

SYNC = Flavour("", "def", "", "SyncResource", "SyncClient", "raw", "streamed")
ASYNC = Flavour(
    "Async", "async def", "await ", "AsyncResource", "AsyncClient", "async_raw", "async_streamed"
)

_DOC_WIDTH = 78  # 88 less the indentation of a method's docstring and its first quotes
_EXTRAS = (
    Argument("extra_headers", "Headers | None", "None"),
    Argument("extra_query", "Query | None", "None"),
    Argument("extra_body", "Body | None", "None"),
    Argument("timeout", "float | Timeout | None | Omit", "omit"),
    Argument("options", "RequestOptions | None", "None"),
)
_RUNTIME = ("Headers", "Query", "Body", "Timeout", "Omit", "omit", "Request", "RequestOptions")


@dataclass(slots=True)
class Methods:
    """Plans the methods of one module of resources."""

    api: ir.Api
    models: Symbols
    params: Symbols
    config: Config
    report: Report
    imports: Imports = field(default_factory=Imports)
    constants: dict[str, Constant] = field(default_factory=dict[str, Constant])
    _constant_names: Scope = field(default_factory=Scope)

    def __post_init__(self) -> None:
        self.imports.add(".._runtime", *_RUNTIME)

    def method(self, operation: ir.Operation, name: str) -> tuple[Method, Method]:
        """Return one operation as a method of the sync and of the async client."""
        plan = _Plan(self, operation)
        result, decoder = self._result(operation, name)
        arguments = (*plan.arguments, *_EXTRAS)
        stream = operation.streaming
        call = replace(plan.call, result=decoder)
        if stream is None:
            signature = Signature(arguments, result)
            method = Method(name, plan.doc, (), signature, call)
            return method, method
        call = replace(
            call,
            stream=self._events(stream, name),
            condition=plan.names.get(stream.toggle) if stream.toggle else None,
        )
        return (
            self._streaming(name, plan, arguments, result, call, stream, "Stream"),
            self._streaming(name, plan, arguments, result, call, stream, "AsyncStream"),
        )

    def _streaming(
        self,
        name: str,
        plan: _Plan,
        arguments: tuple[Argument, ...],
        result: str,
        call: Call,
        stream: ir.Streaming,
        class_: str,
    ) -> Method:
        """Return a method that streams, always or when its toggle says so."""
        self.imports.add(".._runtime", class_)
        event = self._read(stream.event)
        types = [event]
        if stream.mirror is not None:
            types.append(self._read(ir.Ref(stream.mirror.whole)))
        streamed = f"{class_}[{', '.join(types)}]"
        if call.condition is None:
            return Method(name, plan.doc, (), Signature(arguments, streamed), call)
        self.imports.add("typing", "Literal", "overload")
        both = f"{result} | {streamed}"
        toggle = call.condition
        overloads = (
            _toggled(arguments, toggle, "Literal[False] | None | Omit", "omit", result),
            _toggled(arguments, toggle, "Literal[True]", None, streamed),
            _toggled(arguments, toggle, "bool", None, both),
        )
        return Method(name, plan.doc, overloads, Signature(arguments, both), call)

    def _result(self, operation: ir.Operation, name: str) -> tuple[str, str]:
        """Return the annotation of a method's value, and the expression that decodes it."""
        type_ = result_type(operation)
        match type_:
            case None:
                self.imports.add(".._runtime", "NOTHING")
                return "None", "NOTHING"
            case ir.Opaque():
                self.imports.add(".._runtime", "BYTES")
                return "bytes", "BYTES"
            case ir.Ref(target) if isinstance(self.api.types[target], ir.Model):
                annotation = self._read(type_)
                return annotation, annotation
            case _:
                self.imports.add(".._runtime", "Decoder")
                annotation = self._read(type_)
                value = f"Decoder[{annotation}]({annotation})"
                return annotation, self._constant(f"_{name.upper()}_RESULT", value)

    def _events(self, stream: ir.Streaming, name: str) -> str:
        self.imports.add(".._runtime", "Events")
        event = self._read(stream.event)
        if not _is_model(stream.event, self.api):
            self.imports.add(".._runtime", "Decoder")
            event = f"Decoder[{event}]({event})"
        arguments = [event]
        if stream.mirror is not None:
            self.imports.add(".._runtime", "Fold")
            arguments.append(f"final={self._fold(stream.mirror)}")
        if self.config.streaming.end is not None:
            arguments.append(f"end={literal(self.config.streaming.end)}")
        value = f"Events({', '.join(arguments)})"
        return self._constant(f"_{name.upper()}_EVENTS", value)

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

    def _constant(self, name: str, value: str) -> str:
        claimed = self._constant_names.claim(name)
        self.constants[claimed] = Constant(claimed, value)
        return claimed

    def _read(self, type_: ir.Type) -> str:
        return self._annotate(Annotator(self.models, "read", "models."), type_)

    def write(self, type_: ir.Type) -> str:
        """Return the annotation of a type that is sent."""
        return self._annotate(Annotator(self.params, "write", "params."), type_)

    def _annotate(self, annotator: Annotator, type_: ir.Type) -> str:
        text = annotator.annotate(type_)
        if annotator.mentioned:
            self.imports.add("..", annotator.prefix.rstrip("."))
        for module, name in annotator.standard_imports():
            self.imports.add(module, name)
        if annotator.runtime:
            self.imports.add(".._runtime", *annotator.runtime)
        return text


@dataclass(slots=True)
class _Plan:
    """One operation's arguments, and how they travel."""

    methods: Methods
    operation: ir.Operation
    names: dict[str, str] = field(default_factory=dict[str, str])
    """Argument names of the properties of the body, by wire name."""
    arguments: tuple[Argument, ...] = ()
    doc: str = ""
    call: Call = field(init=False)

    def __post_init__(self) -> None:
        scope = Scope(ARGUMENTS)
        operation = self.operation
        arguments: list[Argument] = []
        placed: dict[str, dict[str, str]] = {"path": {}, "query": {}, "header": {}}
        declared = {p.name for p in operation.parameters if p.location == "path"}
        for parameter in (*operation.parameters, *_undeclared(operation, declared)):
            name = self._claim(scope, parameter.name, parameter.origin.pointer)
            placed[parameter.location][parameter.name] = name
            arguments.append(self._argument(name, parameter))
        json: tuple[Entry, ...] = ()
        body, content_type = None, None
        for argument, entry in self._body(scope):
            arguments.append(argument)
            if entry is None:
                body = argument.name
            else:
                json += (entry,)
        if isinstance(operation.body, ir.Opaque):
            content_type = literal(operation.body.media_type)
        self.arguments = tuple(sorted(arguments, key=lambda a: a.default is not None))
        self.doc = _method_doc(operation, self.arguments)
        if placed["path"]:
            self.methods.imports.add(".._runtime", "segment")
        self.call = Call(
            method=literal(operation.method),
            path=path_expression(operation.path, placed["path"]),
            query=_entries(placed["query"]),
            headers=_entries(placed["header"]),
            json=json,
            body=body,
            content_type=content_type,
        )

    def _body(self, scope: Scope) -> Iterator[tuple[Argument, Entry | None]]:
        """Yield the arguments of the body: its properties, or the body as one."""
        body = self.operation.body
        match body:
            case None:
                return
            case ir.Opaque():
                missing = None if body.required else "omit"
                name = scope.claim("body")
                yield Argument(name, _omittable("bytes", missing), missing, body.doc), None
            case ir.Json(_, ir.Ref(target), True) if isinstance(
                model := self.methods.api.types[target], ir.Model
            ):
                for prop in model.properties:
                    if prop.access == "read":
                        continue
                    name = self._claim(scope, prop.name, prop.origin.pointer)
                    self.names[prop.name] = name
                    missing = None if prop.required else "omit"
                    annotation = _omittable(self.methods.write(prop.type), missing)
                    doc = property_doc(prop, _DOC_WIDTH)
                    yield Argument(name, annotation, missing, doc), Entry(literal(prop.name), name)
            case ir.Json():
                missing = None if body.required else "omit"
                annotation = _omittable(self.methods.write(body.type), missing)
                yield Argument(scope.claim("body"), annotation, missing, body.doc), None

    def _argument(self, name: str, parameter: ir.Parameter) -> Argument:
        missing = None if parameter.required else "omit"
        annotation = _omittable(self.methods.write(parameter.type), missing)
        prop = ir.Property(
            parameter.name,
            parameter.type,
            parameter.required,
            parameter.origin,
            default=parameter.default,
            doc=parameter.doc,
            deprecated=parameter.deprecated,
        )
        return Argument(name, annotation, missing, property_doc(prop, _DOC_WIDTH))

    def _claim(self, scope: Scope, wire: str, pointer: str) -> str:
        wanted = snake(wire)
        name = scope.claim(wanted)
        if name != wanted:
            self.methods.report.warning(
                "renamed",
                f"the argument for {wire!r} is called {name!r}: {wanted!r} is taken",
                self.operation.origin,
            )
        return name


def result_type(operation: ir.Operation) -> ir.Type | ir.Opaque | None:
    """Return what a call gives: the JSON of every success, bytes, or None for nothing."""
    bodies = [r.body for r in operation.responses if _succeeds(r.status)]
    if not bodies:
        bodies = [r.body for r in operation.responses if isinstance(r.status, ir.Default)]
    types: dict[ir.Type, None] = {}
    for body in bodies:
        if isinstance(body, ir.Json):
            types[body.type] = None
    if not types:
        return next((body for body in bodies if isinstance(body, ir.Opaque)), None)
    if any(body is None for body in bodies):
        types[ir.NULL] = None
    members = tuple(types)
    return members[0] if len(members) == 1 else ir.Union(members)


def _succeeds(status: ir.Status) -> bool:
    match status:
        case ir.Code(code):
            return 200 <= code < 300
        case ir.Range(hundreds):
            return hundreds == 2
        case ir.Default():
            return False


def _undeclared(operation: ir.Operation, declared: set[str]) -> Iterator[ir.Parameter]:
    """Yield a parameter for each variable of the path that the description forgot."""
    for name in dict.fromkeys(path_parameters(operation.path)):
        if name not in declared:
            yield ir.Parameter(name, "path", ir.Primitive("string"), True, operation.origin)


def _toggled(
    arguments: tuple[Argument, ...], toggle: str, annotation: str, default: str | None, result: str
) -> Signature:
    """Return a signature in which the toggle of streaming has one of its types."""
    changed = [
        replace(a, annotation=annotation, default=default) if a.name == toggle else a
        for a in arguments
    ]
    return Signature(tuple(sorted(changed, key=lambda a: a.default is not None)), result)


def _omittable(annotation: str, missing: str | None) -> str:
    return annotation if missing is None else f"{annotation} | Omit"


def _entries(names: Mapping[str, str]) -> tuple[Entry, ...]:
    return tuple(Entry(literal(wire), name) for wire, name in names.items())


def _is_model(type_: ir.Type, api: ir.Api) -> bool:
    return isinstance(type_, ir.Ref) and isinstance(api.types[type_.target], ir.Model)


def _method_doc(operation: ir.Operation, arguments: tuple[Argument, ...]) -> str:
    """Return a docstring in the style that editors understand: prose, then the arguments."""
    lines: list[str] = []
    for argument in arguments:
        if argument.doc:
            lines.append(f"{argument.name}:\n" + _indented(argument.doc))
    listed = "Args:\n" + _indented("\n".join(lines)) if lines else None
    note = "Deprecated." if operation.deprecated else None
    title = f"{operation.method} {operation.path}"
    prose = described(operation.doc or title, note, _DOC_WIDTH)
    return paragraphs(prose, listed) or title


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())
