"""Methods: an operation as a signature, a docstring and a call, in either flavour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .. import ir
from ..config import Config
from ..diagnostics import Origin, Report
from .access import Access
from .annotations import Passed
from .arguments import Arguments
from .bodies import media_type_of
from .examples import first_call
from .literals import literal
from .module_types import ModuleTypes
from .package import Argument, Method, Signature
from .paging import Paging
from .prose import arguments_doc, described, paragraphs, wrap
from .results import errors, result, successes
from .streams import Choice, Streams

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
_NONE: Passed = {}
_PARTS = {"path": "path", "query": "query", "header": "headers", "cookie": "cookies"}
"""Where parameters travel, and what that is called in a request."""

_PROSE_WIDTH = 77  # 88 less the indentation of a docstring and its quotes
_RUNTIME = ("Body", "Headers", "Omit", "Query", "Request", "RequestOptions", "Timeout", "omit")


@dataclass(slots=True)
class Methods:
    """Plans the methods of one module of resources.

    ``usual`` is the type of the errors of which nothing need be said.
    """

    types: ModuleTypes
    usual: ir.Type | None
    access: Access
    config: Config
    report: Report
    arguments: dict[Origin, Arguments] = field(default_factory=dict[Origin, Arguments])
    """Those of the operations that were planned so far."""

    def method(self, operation: ir.Operation, name: str) -> tuple[Method, Method]:
        """Return one operation as a method of the sync and of the async client."""
        self.types.imports.add(".._runtime", *_RUNTIME)
        types = self.types.api.types
        arguments = Arguments(operation, types, self.types.write, self.report)
        self.arguments[operation.origin] = arguments
        for module, imported in arguments.imports.names.items():
            self.types.imports.add(module, *imported)
        call = replace(
            arguments.call,
            declared=self._declared(operation, name),
            errors=errors(operation, self.usual, self.types),
        )
        call = self.access.of(operation, call)
        plain = Method(
            name,
            _method_doc(operation, (*arguments.listed, *_EXTRAS), self.types),
            f"{operation.method} {operation.path}",
            first_call(arguments.needed, types),
            self._overloads(arguments.variants),
            Signature((*arguments.listed, *_EXTRAS), ""),
            call,
        )
        stream = operation.streaming
        if stream is None:
            method = self._sending(plain, operation)
            if operation.pagination is not None and method.call.result is not None:
                return self._paging(method, method.call.result, operation.pagination)
            return method, method
        streams = Streams(self.types, self.config.streaming.end)
        streaming = replace(plain, call=replace(plain.call, stream=streams.events(stream, name)))
        toggle = stream.toggle
        if toggle is None or toggle.property not in arguments.properties:
            return (
                _giving(streaming, streams.annotation("Stream", stream)),
                _giving(streaming, streams.annotation("AsyncStream", stream)),
            )
        either = self._sending(streaming, operation)
        self.types.imports.add("typing", "Literal", "overload")
        choice = Choice(*arguments.properties[toggle.property], toggle.default)
        return (
            choice.toggled(either, streams.annotation("Stream", stream)),
            choice.toggled(either, streams.annotation("AsyncStream", stream)),
        )

    def _overloads(self, variants: Sequence[tuple[Argument, ...]]) -> tuple[Signature, ...]:
        if variants:
            self.types.imports.add("typing", "overload")
        return tuple(Signature((*arguments, *_EXTRAS), "") for arguments in variants)

    def _sending(self, method: Method, operation: ir.Operation) -> Method:
        """Return a method that gives the whole answer."""
        found = result(operation, method.name, self.types)
        call = replace(method.call, result=found.decoder, accept=found.accept)
        return _giving(replace(method, call=call), found.annotation)

    def _paging(
        self, method: Method, result: str, pagination: ir.Pagination
    ) -> tuple[Method, Method]:
        """Return a method that gives pages, of the sync and of the async client."""
        paging = Paging(self.types)
        call = replace(method.call, pages=paging.pages(pagination, result, method.name))
        method = replace(method, call=call)
        return (
            paging.paged(method, pagination, "Page"),
            paging.paged(method, pagination, "AsyncPages"),
        )

    def _declared(self, operation: ir.Operation, name: str) -> str | None:
        """Return what gives the types of a request, exactly; None where nothing is sent."""
        parts: list[str] = []
        for location, part in _PARTS.items():
            types = [
                f"{literal(parameter.name)}: {self.types.write(parameter.type, exact=True)}"
                for parameter in operation.parameters
                if parameter.location == location
            ]
            if types:
                parts.append(f"{part}={{{', '.join(types)}}}")
        whole = (p for p in operation.parameters if p.location == "querystring")
        parts += [f"querystring={self._declared_whole(parameter.type)}" for parameter in whole]
        contents = () if operation.body is None else operation.body.contents
        bodies = [
            f"{literal(media_type_of(content))}: {self._declared_whole(content.type)}"
            for content in contents
            if isinstance(content, ir.Json | ir.Form | ir.Multipart) and content.type != ir.UNKNOWN
        ]
        if bodies:
            parts.append(f"body={{{', '.join(bodies)}}}")
        if not parts:
            return None
        self.types.imports.add(".._runtime", "Declared")
        value = f"Declared({', '.join(parts)})"
        return self.types.constant(f"_{name}_declared", "Declared", value)

    def _declared_whole(self, type_: ir.Type) -> str:
        """Return the type of what arguments add up to, which no model that was read stands for."""
        named = self.types.api.types[type_.target] if isinstance(type_, ir.Ref) else None
        if isinstance(named, ir.Model):
            return self.types.write(type_, exact=True, passed=_NONE)
        return self.types.write(type_, exact=True)


def _giving(method: Method, annotation: str) -> Method:
    """Return a method with its result, however it is called."""
    return replace(
        method,
        overloads=tuple(replace(s, result=annotation) for s in method.overloads),
        signature=replace(method.signature, result=annotation),
    )


def _method_doc(operation: ir.Operation, arguments: Sequence[Argument], types: ModuleTypes) -> str:
    """Return a docstring in the style that editors understand: prose, then the arguments."""
    said = arguments_doc({a.name: a.doc for a in arguments if a.doc})
    note = "Deprecated." if operation.deprecated else None
    title = f"{operation.method} {operation.path}"
    prose = described(operation.doc or title, note, _PROSE_WIDTH)
    return paragraphs(prose, said, _headers(operation, types)) or ""


def _headers(operation: ir.Operation, types: ModuleTypes) -> str | None:
    """Return where the headers of an answer have types, if they do."""
    models = dict.fromkeys(response.headers for response in successes(operation))
    names = [f"`models.{types.models[ref.target].name}`" for ref in models if ref is not None]
    if not names:
        return None
    read = "`parse_headers` of the raw response reads the headers as"
    return wrap(f"{read} {' or '.join(names)}.", _PROSE_WIDTH)
