"""Arguments: what an operation takes, and how each travels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from .. import ir
from ..diagnostics import Report
from .literals import literal
from .names import ARGUMENTS, Scope, snake
from .package import Argument, Call, Entry
from .routes import path_expression
from .types import property_doc

DOC_WIDTH = 72  # 88 less the indentation of an argument in a docstring
_PLAIN_JSON = "application/json"


@dataclass(slots=True)
class Arguments:
    """The keywords of one operation, and the request that they make.

    ``write`` prints the annotation of a type that is sent.
    """

    operation: ir.Operation
    types: Mapping[ir.TypeId, ir.Declaration]
    write: Callable[[ir.Type], str]
    report: Report
    listed: tuple[Argument, ...] = ()
    needed: list[tuple[str, ir.Type]] = field(default_factory=list[tuple[str, ir.Type]])
    """The arguments that every call must give, with their types."""
    properties: dict[str, tuple[str, ir.Property]] = field(
        default_factory=dict[str, tuple[str, ir.Property]]
    )
    """The argument's name and the property of the body, by wire name."""
    call: Call = field(init=False)

    def __post_init__(self) -> None:
        scope = Scope(ARGUMENTS)
        arguments: list[Argument] = []
        placed: dict[str, dict[str, str]] = {"path": {}, "query": {}, "header": {}}
        for parameter in self.operation.parameters:
            name = self._claim(scope, parameter.name)
            placed[parameter.location][parameter.name] = name
            arguments.append(self._argument(name, parameter))
        entries: list[Entry] = []
        whole: str | None = None
        for argument, entry in self._body(scope):
            arguments.append(argument)
            if entry is None:
                whole = argument.name
            else:
                entries.append(entry)
        body = self.operation.body
        opaque = isinstance(body, ir.Opaque)
        special = body is not None and body.media_type != _PLAIN_JSON
        self.listed = tuple(sorted(arguments, key=lambda a: a.default is not None))
        self.call = Call(
            method=literal(self.operation.method),
            path=path_expression(self.operation.path, placed["path"]),
            query=_entries(placed["query"]),
            headers=_entries(placed["header"]),
            json=tuple(entries),
            optional=bool(entries)
            and not any(p.required for _, p in self.properties.values())
            and body is not None
            and not body.required,
            body=None if opaque else whole,
            content=whole if opaque else None,
            content_type=literal(body.media_type) if body is not None and special else None,
        )

    def _body(self, scope: Scope) -> Iterator[tuple[Argument, Entry | None]]:
        """Yield the arguments of the body: its properties, or the body as one.

        A body with required properties is taken apart even where the description forgets to say
        that the body is required, as most do.
        """
        body = self.operation.body
        match body:
            case None:
                return
            case ir.Opaque():
                yield self._whole(scope, "bytes", body), None
            case ir.Json(_, ir.Ref(target)) if isinstance(model := self.types[target], ir.Model):
                if not body.required and any(p.required for p in model.properties):
                    self.report.warning(
                        "optional-body",
                        "the description says that this body need not be sent, and requires "
                        "properties of it: the client always sends it",
                        body.origin,
                    )
                for prop in model.properties:
                    if prop.access == "read":
                        continue
                    name = self._claim(scope, prop.name)
                    self.properties[prop.name] = name, prop
                    missing = self._missing(name, prop.type, prop.required)
                    annotation = _omittable(self.write(prop.type), missing)
                    doc = property_doc(prop, DOC_WIDTH)
                    entry = Entry(literal(prop.name), name)
                    yield Argument(name, annotation, missing, doc), entry
            case ir.Json():
                yield self._whole(scope, self.write(body.type), body), None

    def _whole(self, scope: Scope, annotation: str, body: ir.Body) -> Argument:
        name = scope.claim("body")
        type_ = body.type if isinstance(body, ir.Json) else ir.Primitive("string")
        missing = self._missing(name, type_, body.required)
        return Argument(name, _omittable(annotation, missing), missing, body.doc or "The body.")

    def _missing(self, name: str, type_: ir.Type, required: bool) -> str | None:
        """Return the default of an argument: none if calls must give it."""
        if required:
            self.needed.append((name, type_))
        return None if required else "omit"

    def _argument(self, name: str, parameter: ir.Parameter) -> Argument:
        missing = self._missing(name, parameter.type, parameter.required)
        annotation = _omittable(self.write(parameter.type), missing)
        prop = ir.Property(
            parameter.name,
            parameter.type,
            parameter.required,
            parameter.origin,
            default=parameter.default,
            doc=parameter.doc,
            deprecated=parameter.deprecated,
        )
        return Argument(name, annotation, missing, property_doc(prop, DOC_WIDTH))

    def _claim(self, scope: Scope, wire: str) -> str:
        wanted = snake(wire)
        name = scope.claim(wanted)
        if name != wanted:
            self.report.warning(
                "renamed",
                f"the argument for {wire!r} is called {name!r}: {wanted!r} is taken",
                self.operation.origin,
            )
        return name


def _omittable(annotation: str, missing: str | None) -> str:
    return annotation if missing is None else f"{annotation} | Omit"


def _entries(names: Mapping[str, str]) -> tuple[Entry, ...]:
    return tuple(Entry(literal(wire), name) for wire, name in names.items())
