"""What a trial gives to a method, and what then has to leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import quote

from ... import ir
from ..arguments import Arguments
from ..bodies import Given, concrete, media_type_of
from ..literals import literal
from ..security import Security
from . import wire
from .judge import Judge
from .layout import WIDTH, Expression, lines, value
from .values import Impossible, Samples, is_list, is_object

_MOST = 8
"""How many parameters are given that need not be."""
_INDENTATION = 4
_TELLING = {"path": "/1", "query": " 1"}
"""Ends of texts by which one sees that they are encoded, by where they travel."""
_FRAGILE = frozenset(';,"\\ \r\n')
_FILE = b"content"


def secret_of(keyword: str) -> str:
    """Return what tests give for a keyword that takes a secret."""
    return keyword.replace("_", "-")


@dataclass(slots=True)
class Sent:
    """The arguments of a call, and the statements that check its request.

    ``lenient`` is whether something in it is not what the description says, for want of a value.
    """

    arguments: list[tuple[str, Expression]] = field(default_factory=list[tuple[str, Expression]])
    checks: list[str] = field(default_factory=list[str])
    lenient: bool = False


@dataclass(frozen=True, slots=True)
class Toggled:
    """Whether a stream is asked for, by a property of the body."""

    toggle: ir.Toggle
    required: bool
    asked: bool

    def apply(self, members: dict[str, object]) -> None:
        """Ask for a stream in a body, or see that it does not."""
        name, default = self.toggle.property, self.toggle.default
        if self.asked or default or self.required:
            members[name] = self.asked
        else:
            members.pop(name, None)


@dataclass(frozen=True, slots=True)
class Requests:
    """Plans the requests of trials."""

    samples: Samples
    judge: Judge
    security: Security

    def sent(
        self,
        operation: ir.Operation,
        arguments: Arguments,
        shown: ir.Example | None,
        toggle: Toggled | None,
    ) -> Sent:
        """Return what is given and what leaves; raises Impossible where nothing can be given.

        ``shown`` is an example of the body; ``toggle`` says whether that asks for a stream.
        """
        sent = Sent()
        placed = list(self._placed(arguments, sent))
        query, cookies = self._proofs(operation)
        query = [*self._queried(operation, arguments, sent), *query]
        sent.checks.append(f"assert request.method == {literal(operation.method)}")
        target = wire.target(operation.path, placed, query)
        sent.checks.append(_leads_to(target))
        for parameter, given in placed:
            if parameter.location == "header":
                read = f"request.headers[{literal(parameter.name)}]"
                sent.checks.append(_equal(read, wire.header(parameter, given)))
        asked = (wire.cookies(p, given) for p, given in placed if p.location == "cookie")
        cookies = [*(cookie for each in asked for cookie in each), *cookies]
        if cookies:
            sent.checks.append(_equal('request.headers["Cookie"]', "; ".join(cookies)))
        if operation.body is not None:
            self._add_body(operation.body, arguments, shown, toggle, sent)
        return sent

    def _placed(self, arguments: Arguments, sent: Sent) -> Iterator[tuple[ir.Parameter, object]]:
        """Yield the parameters that are given, with their values."""
        optional = 0
        for parameter, name in arguments.parameters:
            if parameter.location == "querystring":
                continue
            if not parameter.required and (parameter.deprecated or optional == _MOST):
                continue
            try:
                given = self._parameter(parameter, len(sent.arguments) + 1)
            except Impossible:
                if parameter.required:
                    raise
                continue
            accepted = self.judge.accepts(parameter.type, given)
            if not parameter.required:
                if not accepted or not _is_plain(parameter, given):
                    continue
                optional += 1
            sent.lenient |= not accepted
            sent.arguments.append((name, value(given)))
            yield parameter, given

    def _parameter(self, parameter: ir.Parameter, number: int) -> object:
        """Return an example of a parameter, or a value that no other one of the call has."""
        for example in self.samples.examples.get(str(parameter.origin), ()):
            given = ir.value_of(example.value)
            if self.judge.accepts(parameter.type, given) and _is_plain(parameter, given):
                return given
        purpose = parameter.name
        if isinstance(parameter.type, ir.Primitive):
            purpose += _TELLING.get(parameter.location, "")
        given = self.samples.value(parameter.type, purpose)
        if given == 1 and self.judge.accepts(parameter.type, number):
            return number
        if is_list(given):  # of one item one cannot see what stands between
            pair = self.samples.pair(parameter.type, parameter.name)
            given = pair if pair and self.judge.accepts(parameter.type, pair) else given
        return given

    def _proofs(self, operation: ir.Operation) -> tuple[list[str], list[str]]:
        """Return what keys add to the query and to the cookies of a call."""
        needed = self.security.required.get(operation.origin, self.security.default)
        chosen = needed[0] if needed else ()
        query: list[str] = []
        cookies: list[str] = []
        for planned in self.security.schemes:
            match planned.scheme.proof:
                case ir.ApiKey(place, name) if planned.name in chosen:
                    secret = secret_of(planned.keywords[0].name)
                    if place == "query":
                        query.append(f"{quote(name, safe='')}={quote(secret, safe='')}")
                    elif place == "cookie":
                        cookies.append(f"{name}={secret}")
                case _:
                    pass
        return query, cookies

    def _queried(self, operation: ir.Operation, arguments: Arguments, sent: Sent) -> Iterator[str]:
        """Yield the pieces of a query that one value is all of."""
        whole = (p for p in operation.parameters if p.location == "querystring")
        parameter = next(whole, None)
        if parameter is None:
            return
        given = self.samples.value(parameter.type, parameter.name)
        sent.lenient |= not self.judge.accepts(parameter.type, given)
        written = parameter.written
        if not arguments.queried:
            name = next(n for p, n in arguments.parameters if p is parameter)
            sent.arguments.append((name, value(given)))
            media_type = written.media_type if isinstance(written, ir.Encoded) else ""
            if wire.is_json(media_type) or not is_object(given):
                yield quote(wire.document(given, media_type), safe="")
            else:
                yield from _form(given, {})
            return
        members = cast("Mapping[str, object]", given)
        sent.arguments += _flattened(arguments.queried, members)
        fields = written.fields if isinstance(written, ir.Encoded) else ()
        yield from _form(members, {each.name: each for each in fields})

    def _add_body(
        self,
        body: ir.RequestBody,
        arguments: Arguments,
        shown: ir.Example | None,
        toggle: Toggled | None,
        sent: Sent,
    ) -> None:
        content = body.contents[0]
        media_type = media_type_of(content)
        if "*" in media_type:
            media_type = concrete(media_type)
            sent.arguments.append(("content_type", literal(media_type)))
        match content:
            case ir.Text():
                self._whole(arguments, "text", sent)
                sent.checks.append(_equal("request.text()", "text"))
                if media_type.startswith("text/") and "charset" not in media_type:
                    media_type += "; charset=utf-8"
            case ir.Binary():
                self._whole(arguments, _FILE, sent)
                sent.checks.append(_equal("request.content", _FILE))
            case ir.Json() | ir.Form() | ir.Multipart():
                members = self._structured(content, arguments, shown, toggle, sent)
                sent.checks.append(_checked(content, members))
        if media_type != "application/json" and not isinstance(content, ir.Multipart):
            sent.checks.append(_equal('request.headers["Content-Type"]', media_type))

    def _whole(self, arguments: Arguments, given: object, sent: Sent) -> None:
        sent.arguments.append((arguments.given[0].argument.name, value(given)))

    def _structured(
        self,
        content: ir.Json | ir.Form | ir.Multipart,
        arguments: Arguments,
        shown: ir.Example | None,
        toggle: Toggled | None,
        sent: Sent,
    ) -> object:
        """Give a body as its arguments, and return it as it is sent."""
        files = _files(content)
        if arguments.given[0].key is None:
            empty: object = {"key": "value"} if content.type == ir.UNKNOWN else None
            given = self._example(shown) or empty or self.samples.value(content.type, "body")
            sent.lenient |= not self.judge.accepts(content.type, given)
            self._whole(arguments, given, sent)
            return given
        members = self._members(content, arguments, shown, files)
        if toggle is not None:
            toggle.apply(members)
        if not files:
            sent.lenient |= not self.judge.accepts(content.type, members)
        sent.arguments += _flattened(arguments.given, members)
        return members

    def _example(self, shown: ir.Example | None) -> object:
        return None if shown is None else ir.value_of(shown.value)

    def _members(
        self,
        content: ir.Json | ir.Form | ir.Multipart,
        arguments: Arguments,
        shown: ir.Example | None,
        files: Mapping[str, ir.Field],
    ) -> dict[str, object]:
        """Return the properties of a body with their values, in the order of the arguments."""
        declared = self.samples.types[cast(ir.Ref, content.type).target]
        assert isinstance(declared, ir.Model)  # since its properties are arguments
        keys = [given.key for given in arguments.given if given.key is not None]
        if shown is not None and not files:
            example = cast("dict[str, object]", ir.value_of(shown.value))
            return {key: example[key] for key in keys if key in example}
        if not files:
            found = self.samples.object(declared)
            return {key: found[key] for key in keys if key in found}
        members: dict[str, object] = {}
        for prop in self.samples.properties(declared):
            if prop.name in files:
                several = isinstance(self._bare(prop.type), ir.Array)
                members[prop.name] = [_FILE] if several else _FILE
            else:
                members[prop.name] = self.samples.of_property(prop)
        return members

    def _bare(self, type_: ir.Type) -> ir.Type:
        while isinstance(type_, ir.Ref):
            declared = self.samples.types[type_.target]
            if not isinstance(declared, ir.Alias):
                break
            type_ = declared.type
        if isinstance(type_, ir.Union):
            return self._bare(next((m for m in type_.members if m != ir.NULL), ir.UNKNOWN))
        return type_


def _files(content: ir.Json | ir.Form | ir.Multipart) -> dict[str, ir.Field]:
    fields = content.fields if isinstance(content, ir.Multipart) else ()
    return {each.name: each for each in fields if each.file}


def _is_plain(parameter: ir.Parameter, given: object) -> bool:
    """Whether a value is one that a style has a form for, where it is written."""
    if given in (None, "", [], {}):
        return False
    if isinstance(given, str):
        if parameter.location in ("header", "cookie"):
            return given.isascii() and not _FRAGILE & set(given)
        return given not in (".", "..")
    if isinstance(parameter.written, ir.Encoded):
        return True
    members = list(given.values()) if is_object(given) else given if is_list(given) else []
    return not any(isinstance(member, dict | list) or member is None for member in members)


def _flattened(
    given: Sequence[Given], members: Mapping[str, object]
) -> Iterator[tuple[str, Expression]]:
    yield from (
        (each.argument.name, value(members[each.key]))
        for each in given
        if each.key is not None and each.key in members
    )


def _form(members: Mapping[str, object], stated: Mapping[str, ir.Field]) -> Iterator[str]:
    for name, text in wire.fields(members, stated):
        yield f"{quote(name, safe='')}={quote(text, safe='')}"


def _checked(content: ir.Json | ir.Form | ir.Multipart, given: object) -> str:
    """Return the statement that checks a body."""
    if isinstance(content, ir.Json) or not is_object(given):
        return _equal("request.json()", given)
    stated = {each.name: each for each in content.fields}
    if isinstance(content, ir.Form):
        return _equal("request.form()", wire.fields(given, stated))
    parts: list[tuple[str, bytes]] = []
    for name, inner in given.items():
        items = inner if is_list(inner) else [inner]
        if any(isinstance(item, bytes) for item in items):
            parts += [(name, item) for item in items if isinstance(item, bytes)]
        else:
            texts = wire.fields({name: inner}, stated)
            parts += [(key, text.encode()) for key, text in texts]
    return _equal("[(part.name, part.content) for part in request.parts()]", parts)


def _leads_to(target: str) -> str:
    """Return the statement that checks path and query, piece by piece where they are long."""
    whole = _equal("request.target", target)
    if len(whole) + _INDENTATION <= WIDTH or "&" not in target:
        return whole
    return _equal('request.target.split("&")', target.split("&"))


def _equal(read: str, expected: object) -> str:
    return lines(f"assert {read} == ", value(expected), _INDENTATION)
