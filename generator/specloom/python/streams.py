"""Streams: what a method says of them, how their items decode, and what asks for them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .. import ir
from .literals import literal
from .module_types import ModuleTypes
from .package import Method, Signature

_EVENT_STREAM = "text/event-stream"
"""What streams are asked for as where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Streams:
    """Plans the streams of one module of resources.

    ``end`` is the data that marks the end of a stream of which the description says nothing.
    """

    types: ModuleTypes
    end: str | None

    def annotation(self, class_: str, stream: ir.Streaming) -> str:
        """Return the annotation of a stream."""
        self.types.imports.add(".._runtime", class_)
        return f"{class_}[{self._read(stream)}]"

    def _read(self, stream: ir.Streaming) -> str:
        read = [self.types.read(stream.item)]
        if stream.mirror is not None:
            read.append(self.types.read(ir.Ref(stream.mirror.whole)))
        return ", ".join(read)

    def events(self, stream: ir.Streaming, name: str) -> str:
        """Return the constant that says how the items of a stream decode and add up."""
        self.types.imports.add(".._runtime", "Events")
        arguments = [self._item(stream, name)]
        if stream.mirror is not None:
            self.types.imports.add(".._runtime", "Fold")
            arguments.append(f"final={self._fold(stream.mirror)}")
        end = stream.end or self.end
        if end is not None:
            arguments.append(f"end={literal(end)}")
        if stream.framing != "events":
            arguments.append(f"framing={literal(stream.framing)}")
        accept = stream.media_type.partition(";")[0].strip()
        if accept != _EVENT_STREAM:
            arguments.append(f"accept={literal(accept)}")
        annotation = f"Events[{self._read(stream)}]"
        value = f"Events({', '.join(arguments)})"
        return f"{self.types.constant(f'_{name}_events', annotation, value)}()"

    def _item(self, stream: ir.Streaming, name: str) -> str:
        """Return the expression of what decodes an item."""
        if stream.events:
            pairs = [
                f"{literal(event.name)}: {self._decoder(event.type, event.text)}"
                for event in stream.events
            ]
            self.types.imports.add(".._runtime", "ByEvent")
            value = f"ByEvent({{{', '.join(pairs)}}})"
            annotation = f"ByEvent[{self.types.read(stream.item)}]"
        else:
            value = self._decoder(stream.item, stream.text)
            annotation = f"Decoder[{self.types.read(stream.item)}]"
        if "(" not in value:
            return value
        return f"{self.types.constant(f'_{name}_event', annotation, value)}()"

    def _decoder(self, type_: ir.Type, text: bool) -> str:
        if not text:
            return self.types.decoder(type_)
        self.types.imports.add(".._runtime", "TEXT")
        return "TEXT"

    def _fold(self, mirror: ir.Mirror) -> str:
        parts = [self.types.read(ir.Ref(mirror.whole))]
        if mirror.renamed:
            parts.append(f"rename={literal(dict(mirror.renamed))}")
        if mirror.constants:
            values = {name: ir.value_of(value) for name, value in mirror.constants}
            parts.append(f"constants={literal(values)}")
        if mirror.replaced:
            paths = ", ".join(literal(path) for path in mirror.replaced)
            parts.append(f"replace=frozenset({{{paths}}})")
        return f"Fold({', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class Choice:
    """The argument that asks for a stream, and whether one comes when it is left out."""

    argument: str
    declared: ir.Property
    default: bool

    @property
    def condition(self) -> str:
        """The expression that is true where a stream is asked for."""
        return f"{self.argument} is not False" if self.default else self.argument

    def toggled(self, method: Method, streamed: str) -> Method:
        """Return a method that gives a stream or the whole, as the argument says."""
        whole = method.signature.result
        both = f"{whole} | {streamed}"
        results = {True: streamed, False: whole}
        type_ = self.declared.type
        null = " | None" if isinstance(type_, ir.Union) and ir.NULL in type_.members else ""
        usual, other = self.default, not self.default
        overloads: list[Signature] = []
        for signature in method.overloads or (method.signature,):
            found = next((a for a in signature.arguments if a.name == self.argument), None)
            if found is None:
                overloads.append(replace(signature, result=results[usual]))
                continue
            unset = null if found.default is None else f"{null} | Omit"
            overloads += [
                self._with(signature, f"Literal[{usual}]{unset}", found.default, results[usual]),
                self._with(signature, f"Literal[{other}]", None, results[other]),
                self._with(signature, "bool", None, both),
            ]
        return replace(
            method,
            overloads=tuple(overloads),
            signature=replace(method.signature, result=both),
            call=replace(method.call, condition=self.condition),
        )

    def _with(
        self, signature: Signature, annotation: str, default: str | None, result: str
    ) -> Signature:
        """Return a signature with another type of the argument, and another result."""
        changed = [
            replace(a, annotation=annotation, default=default) if a.name == self.argument else a
            for a in signature.arguments
        ]
        return Signature(tuple(sorted(changed, key=lambda a: a.default is not None)), result)
