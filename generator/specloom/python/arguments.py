"""Arguments: what an operation takes, and how each travels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .. import ir
from ..diagnostics import Report
from .bodies import (
    DOC_WIDTH,
    FORM,
    JSON,
    Bodies,
    Given,
    Way,
    alternatives,
    concrete,
    is_open,
    payload,
    usual,
)
from .imports import Imports
from .literals import literal
from .names import ARGUMENTS, Scope, snake
from .package import Argument, Call, Entry, Payload
from .types import property_doc
from .uploads import Types
from .wire import Wire

_TYPE = "content_type"


@dataclass(slots=True)
class Arguments:
    """The keywords of one operation, and the request that they make.

    ``write`` prints the annotation of a type that is sent.
    """

    operation: ir.Operation
    types: Types
    write: Callable[[ir.Type], str]
    report: Report
    listed: tuple[Argument, ...] = ()
    """The arguments that the method has, those that every call gives first."""
    variants: tuple[tuple[Argument, ...], ...] = ()
    """The ways to call the method, where there is more than one."""
    needed: list[tuple[str, ir.Type | None]] = field(
        default_factory=list[tuple[str, ir.Type | None]]
    )
    """The arguments that every call must give, with their types; bytes have none."""
    properties: dict[str, tuple[str, ir.Property]] = field(
        default_factory=dict[str, tuple[str, ir.Property]]
    )
    """The argument's name and the property of the body, by wire name."""
    parameters: list[tuple[ir.Parameter, str]] = field(
        default_factory=list[tuple[ir.Parameter, str]]
    )
    """The parameters that are one argument each, with its name."""
    given: tuple[Given, ...] = ()
    """The arguments of the preferred form of the body."""
    queried: tuple[Given, ...] = ()
    """The arguments that the properties of the whole query are."""
    imports: Imports = field(default_factory=Imports)
    """What the annotations and the call use, beside what ``write`` takes care of."""
    call: Call = field(init=False)
    _wire: Wire = field(init=False)
    _scope: Scope = field(init=False)
    _querystring: Payload | None = None

    def __post_init__(self) -> None:
        self._wire = Wire(self.types)
        body = self.operation.body
        chosen = body is not None and (len(body.contents) > 1 or is_open(body))
        self._scope = Scope(ARGUMENTS | {_TYPE} if chosen else ARGUMENTS)
        outside: list[Argument] = []
        placed: dict[ir.Location, dict[str, str]] = {}
        for parameter in self.operation.parameters:
            if parameter.location == "querystring":
                outside += self._query_arguments(parameter)
                continue
            name = self._claim(parameter.name, parameter.location)
            outside.append(self._argument(name, parameter))
            value = self._wire.parameter(name, parameter)
            placed.setdefault(parameter.location, {})[parameter.name] = value
        self.call = Call(
            method=literal(self.operation.method),
            template=literal(self.operation.path),
            path=_entries(placed.get("path", {})),
            query=_entries(placed.get("query", {})),
            querystring=self._querystring,
            headers=_entries(placed.get("header", {})),
            cookies=_entries(placed.get("cookie", {})),
        )
        if body is None:
            self.listed = _sorted(outside)
        else:
            self._add_body(body, outside)
        if self._wire.runtime:
            self.imports.add(".._runtime", *self._wire.runtime)

    def _add_body(self, body: ir.RequestBody, outside: Sequence[Argument]) -> None:
        bodies = self._bodies(body, "body")
        ways = bodies.ways()
        self.properties, self.given = bodies.properties, ways[0].given[0]
        always = ways[0].required
        for way in ways[1:]:
            always &= way.required
        certain = always if body.required else frozenset[str]()
        inside = _merged(ways, certain)
        self.needed += [
            (given.argument.name, given.example) for given in ways[0].given[0] if given.required
        ]
        types = [media_type for way in ways for media_type in way.media_types]
        if len(types) > 1 or is_open(body):
            inside.append(self._choice(types, usual(types[0])))
            if usual(types[0]) is None:
                shown = ir.constant(concrete(types[0]))
                self.needed.append((_TYPE, ir.Literal((shown,))))
        self.listed = _sorted([*outside, *inside])
        self.variants = tuple(self._variants(body, ways, outside))
        if made := alternatives(ways, certain, self._wire):
            self._wire.runtime.add("Alternatives")
            optional = not body.required
            self.call = replace(self.call, alternatives=made, optional=optional, content_type=_TYPE)
            return
        only = payload(ways[0], 0, not body.required, certain, self._wire)
        if len(types) > 1 or is_open(body):
            self.call = replace(self.call, content=only, content_type=_TYPE)
        else:
            self._add_only(body.contents[0], only, types[0])

    def _add_only(self, content: ir.Content, payload: Payload, media_type: str) -> None:
        special = None if media_type == JSON else literal(media_type)
        if isinstance(content, ir.Json):
            self.call = replace(self.call, json=payload, content_type=special)
        else:
            self.call = replace(self.call, content=payload, content_type=literal(media_type))

    def _query_arguments(self, parameter: ir.Parameter) -> list[Argument]:
        """Return the arguments of a value that is the whole query: of a form, its properties."""
        written = parameter.written
        media_type = written.media_type if isinstance(written, ir.Encoded) else FORM
        fields = written.fields if isinstance(written, ir.Encoded) else ()
        form = ir.Form(media_type, parameter.type, fields, parameter.origin)
        body = ir.RequestBody((form,), parameter.required, parameter.origin, parameter.doc)
        bodies = self._bodies(body, "query")
        given = bodies.flattened(form) if media_type == FORM else ()
        if not given:
            name = self._claim(parameter.name, "query")
            usual = media_type == FORM
            value = name if usual else self._wire.encoded(name, media_type)
            self._querystring = Payload(expression=value)
            return [self._argument(name, parameter)]
        way, self.queried = Way((FORM,), (given,)), given
        certain = way.required if parameter.required else frozenset[str]()
        # Of an optional query nothing is needed: what is missing is the server's to say.
        self._querystring = payload(way, 0, False, way.required, self._wire)
        self.needed += [
            (each.argument.name, each.example) for each in given if each.argument.name in certain
        ]
        return _merged([way], certain)

    def _bodies(self, body: ir.RequestBody, place: str) -> Bodies:
        """Return what plans a body; ``place`` tells its arguments apart from others."""
        return Bodies(
            body,
            self.types,
            self._wire,
            self.write,
            self._claim,
            place,
            imports=self.imports,
        )

    def _variants(
        self, body: ir.RequestBody, ways: Sequence[Way], outside: Sequence[Argument]
    ) -> list[tuple[Argument, ...]]:
        """Return the ways to call: each way to give the body, and without it where that differs."""
        several = sum(len(way.media_types) for way in ways) > 1 or is_open(body)
        variants: list[tuple[Argument, ...]] = []
        for index, way in enumerate(ways):
            inside = [*way.arguments]
            if several:
                default = None if index else usual(way.media_types[0])
                inside.append(self._choice(way.media_types, default))
            variants.append(_sorted([*outside, *inside]))
        if not body.required and ways[0].required:
            variants.append(_sorted(outside))
        return variants if len(variants) > 1 else []

    def _choice(self, media_types: Sequence[str], default: str | None) -> Argument:
        """Return the argument that chooses the media type of the body, any of a range of them."""
        chosen = None if default is None else literal(default)
        if any("*" in media_type for media_type in media_types):
            named = [f"`{media_type}`" for media_type in media_types]
            doc = f"The media type of the body: {' or '.join(named)}."
            return Argument(_TYPE, "str", chosen, doc)
        self.imports.add("typing", "Literal")
        listed = ", ".join(literal(media_type) for media_type in media_types)
        return Argument(_TYPE, f"Literal[{listed}]", chosen, "The media type of the body.")

    def _argument(self, name: str, parameter: ir.Parameter) -> Argument:
        missing = None if parameter.required else "omit"
        self.parameters.append((parameter, name))
        if parameter.required:
            self.needed.append((name, parameter.type))
        written = self.write(parameter.type)
        prop = ir.Property(
            parameter.name,
            parameter.type,
            parameter.required,
            parameter.origin,
            default=parameter.default,
            doc=parameter.doc,
            deprecated=parameter.deprecated,
        )
        annotation = written if missing is None else f"{written} | Omit"
        return Argument(name, annotation, missing, property_doc(prop, DOC_WIDTH))

    def _claim(self, wire: str, place: str) -> str:
        """Return the name of an argument: with its place before it where that alone is taken."""
        wanted = snake(wire)
        if wanted in self._scope.reserved or self._scope.is_free(wanted):
            name = self._scope.claim(wanted)
        else:
            name = self._scope.claim(f"{place}_{wanted}")
        if name != wanted:
            self.report.warning(
                "renamed",
                f"the argument for {wire!r} is called {name!r}: {wanted!r} is taken",
                self.operation.origin,
            )
        return name


def _merged(ways: Sequence[Way], certain: frozenset[str]) -> list[Argument]:
    """Return the arguments of a body in whichever way it is given."""
    found: dict[str, list[Argument]] = {}
    for way in ways:
        for argument in way.arguments:
            found.setdefault(argument.name, []).append(argument)
    merged: list[Argument] = []
    for name, several in found.items():
        bare = dict.fromkeys(a.annotation.removesuffix(" | Omit") for a in several)
        annotation = " | ".join(bare)
        if name in certain:
            merged.append(replace(several[0], annotation=annotation))
        else:
            merged.append(Argument(name, f"{annotation} | Omit", "omit", several[0].doc))
    return merged


def _sorted(arguments: Sequence[Argument]) -> tuple[Argument, ...]:
    return tuple(sorted(arguments, key=lambda a: a.default is not None))


def _entries(values: Mapping[str, str]) -> tuple[Entry, ...]:
    return tuple(Entry(literal(wire), value) for wire, value in values.items())
