"""What a trial answers, and what then has to be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import assert_never

from ... import ir
from ..annotations import Symbols
from ..bodies import concrete
from ..literals import literal
from ..results import outcomes, successes
from .judge import Judge
from .layout import Expression, Group, call, lines, value
from .values import Samples

_INDENTATION = 4
_BYTES = b"content"
_TEXT = "text"
_DATA = {"str": _TEXT, "bytes": _BYTES}
_KEYWORDS = {"str": "text", "bytes": "content"}
_USUAL = {
    "json": ("application/json", "*/*", "application/*", "*"),
    "text": ("text/plain",),
    "content": ("application/octet-stream", "*/*", "application/*", "*"),
    "events": ("text/event-stream",),
    "lines": ("application/jsonl",),
}
"""The media types that an answer has of itself, or that stand for those."""


@dataclass(slots=True)
class Answer:
    """An answer: the statement that prepares it, and what is checked of what is read.

    ``annotation`` is that of what is read; None where that is nothing. ``lenient`` is whether the
    answer is not what the description says, for want of a value.
    """

    prepared: str
    constants: list[str] = field(default_factory=list[str])
    annotation: str | None = None
    check: str | None = None
    streams: bool = False
    lenient: bool = False


@dataclass(frozen=True, slots=True)
class Answers:
    """Plans the answers of trials."""

    samples: Samples
    judge: Judge
    models: Symbols
    end: str | None
    """The data that marks the end of streams of which the description says nothing."""

    def whole(
        self, operation: ir.Operation, name: str, shown: ir.Example | None, result: str
    ) -> Answer:
        """Return an answer in one piece; ``result`` is the annotation of what the method gives.

        ``shown`` is an example of it. Raises Impossible.
        """
        constant = f"{name.upper()}_ANSWER"
        found = [each for each in outcomes(operation) if each[2] != "None"]
        if not found:
            first = next(iter(successes(operation)), None)
            status = 200 if first is None else status_of(first.status)
            return Answer(self._prepared(operation, [], status, {}))
        response, media_type, outcome = found[0]
        status = status_of(response.status)
        if isinstance(outcome, str) and outcome in _DATA:
            keyword, content = _KEYWORDS[outcome], _DATA[outcome]
            prepared = self._prepared(
                operation, [(keyword, constant)], status, _headers(keyword, media_type)
            )
            check = f"assert result == {constant}"
            return Answer(prepared, [f"{constant} = {value(content)}"], "object", check)
        type_ = ir.UNKNOWN if isinstance(outcome, str) else outcome
        data: object
        if shown is not None:
            data = ir.value_of(shown.value)
        elif type_ == ir.UNKNOWN:
            data = {"key": "value"}
        else:
            data = self.samples.value(type_, "value")
        prepared = self._prepared(operation, [("", constant)], status, _headers("json", media_type))
        annotation = self._annotation(type_, result)
        read = "as_json(result)" if annotation == "object" else "result.to_dict()"
        return Answer(
            prepared,
            [lines(f"{constant}: JSON = ", value(data))],
            annotation,
            f"assert {read} == {constant}",
            lenient=not self.judge.accepts(type_, data),
        )

    def stream(self, operation: ir.Operation, stream: ir.Streaming, name: str) -> Answer:
        """Return an answer in pieces. Raises Impossible."""
        constant = f"{name.upper()}_EVENTS"
        events = stream.events or (ir.Event("", stream.item, stream.text),)
        items = [
            _TEXT if event.text else self.samples.value(event.type, "value") for event in events
        ]
        lenient = not all(
            event.text or self.judge.accepts(event.type, item)
            for event, item in zip(events, items, strict=True)
        )
        listed: Expression = constant
        named: list[tuple[str, Expression]] = [
            ("", call("MockEvent", literal(event.name), f"{constant}[{index}]"))
            for index, event in enumerate(stream.events)
        ]
        end = stream.end or self.end
        if stream.framing != "events":
            end = None
        if named or end is not None:
            marks: list[tuple[str, Expression]] = [] if end is None else [("", literal(end))]
            listed = Group("[", (*(named or [("", f"*{constant}")]), *marks), "]")
        keyword = "events" if stream.framing == "events" else "lines"
        successful = next(iter(successes(operation)), None)
        status = 200 if successful is None else status_of(successful.status)
        prepared = self._prepared(
            operation, [(keyword, listed)], status, _headers(keyword, stream.media_type)
        )
        return Answer(
            prepared,
            [lines(f"{constant}: list[JSON] = ", value(items))],
            "object",
            f"assert as_json(result) == {constant}",
            streams=True,
            lenient=lenient,
        )

    def _prepared(
        self,
        operation: ir.Operation,
        body: list[tuple[str, Expression]],
        status: int,
        headers: Mapping[str, str],
    ) -> str:
        """Return the statement that prepares an answer."""
        path = operation.path.partition("?")[0]
        positional = [each for name, each in body if not name]
        named = [(name, each) for name, each in body if name]
        if status != 200:
            named.append(("status", str(status)))
        if headers:
            named.append(("headers", value(dict(headers))))
        route = literal(f"{operation.method} {path}")
        return lines("", call("api.answer", route, *positional, named=named), _INDENTATION)

    def _annotation(self, type_: ir.Type, result: str) -> str:
        """Return the annotation of what is read, where it is one model."""
        target = self.samples.types[type_.target] if isinstance(type_, ir.Ref) else None
        if isinstance(target, ir.Model):
            model = f"models.{self.models[target.id].name}"
            if result == model or result.startswith(f"{model} | Stream["):
                return model
            if result.startswith("Page[") and result.endswith(f", {model}]"):
                return model
        return "object"


def status_of(status: ir.Status) -> int:
    """Return a status code that a declaration speaks of."""
    match status:
        case ir.Code(code):
            return code
        case ir.Range(hundreds):
            return hundreds * 100
        case ir.Default():
            return 200
        case _:
            assert_never(status)


def _headers(keyword: str, media_type: str) -> dict[str, str]:
    """Return the header that says what an answer is, where it is not the usual one."""
    if media_type.partition(";")[0].strip() in _USUAL[keyword]:
        return {}
    return {"Content-Type": concrete(media_type)}
