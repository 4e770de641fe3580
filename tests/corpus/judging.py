"""Requests held against what their operation declares, and against what was meant by them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote

import httpx2

from specloom.description.values import is_list, is_mapping

from .callers import SECRET
from .described import Content, Encoding, Operation, Parameter, Style
from .draws import ABSENT, Drawn, Kind, Side, base, is_undefined, kept_of, kind_of
from .wire import Fields, Part, exact, is_header, is_segment, pairs_of, parts_of, says

_FORM = Style("form", explode=True)
_PATH = "/:@!$&'()*+,;=%"
"""What stands in a path as it is, beside letters and digits (RFC 3986, section 3.3)."""

_VARIABLE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Judge:
    """Says what is wrong with the request of an operation."""

    operation: Operation
    sent: Side

    def faults(self, drawn: Drawn, request: httpx2.Request) -> Iterator[str]:
        """Yield what is wrong with a request that was to say what was drawn."""
        if request.method != self.operation.method:
            yield f"the method is {request.method}"
        path, _, query = request.url.raw_path.decode("ascii").partition("?")
        yield from self._path(drawn, path)
        yield from self._query(drawn, query)
        yield from self._headers(drawn, request)
        yield from self._cookies(drawn, request)
        yield from self._body(drawn, request)

    def _given(self, drawn: Drawn, place: str) -> Iterator[tuple[Parameter, object]]:
        for parameter in self.operation.parameters:
            if parameter.place == place and parameter.key in drawn.parameters:
                yield parameter, drawn.parameters[parameter.key]

    def _path(self, drawn: Drawn, path: str) -> Iterator[str]:
        template = re.split(r"[?#]", self.operation.path, maxsplit=1)[0]
        literal, *rest = _VARIABLE.split(template)
        pattern = re.escape(quote(literal, safe=_PATH))
        for text in rest[1::2]:
            pattern += "([^/?#]*?)" + re.escape(quote(text, safe=_PATH))
        read = re.fullmatch(pattern, path)
        if read is None:
            yield f"the path {path} is not {template} filled"
            return
        texts = dict(zip(rest[::2], read.groups(), strict=True))
        for parameter, value in self._given(drawn, "path"):
            text = texts.get(parameter.name)
            if text is None and f"{{{parameter.name}}}" not in template:
                continue  # the path's key has it behind a question mark, where it is read
            if text is None:
                yield f"{parameter.name} is not in the path"
            elif parameter.style is None:
                if exact(json.loads(unquote(text))) != exact(value):
                    yield f"{parameter.name} reads {text}, not {value!r}"
            elif not is_segment(text, parameter.name, parameter.style, value):
                yield f"{parameter.name} reads {text}, not {value!r}"

    def _query(self, drawn: Drawn, query: str) -> Iterator[str]:
        for parameter, value in self._given(drawn, "querystring"):
            assert parameter.content is not None
            if kind_of(parameter.content, self.sent) == "form":
                yield from self._form(parameter.content, value, query)
            elif exact(json.loads(unquote(query))) != exact(value):
                yield f"the query reads {query!r}, not {value!r}"
            return
        fields = Fields(pairs_of(query))
        fixed = self.operation.path.partition("#")[0].partition("?")[2]
        for name, text in pairs_of(fixed):
            if (name, text) in fields.pairs:
                fields.pairs.remove((name, text))
            elif "{" not in text:
                yield f"{name}={text} is not in the query"
        # A list or an object under its own name first: members of others may be called the same.
        given = sorted(
            self._given(drawn, "query"), key=lambda one: is_mapping(one[1]) and _apart(one[0])
        )
        for parameter, value in given:
            if parameter.style is None:
                fault = fields.document(parameter.name, value)
            else:
                fault = fields.take(parameter.name, parameter.style, value)
            if fault:
                yield f"query: {fault}"
        if left := [pair for pair in fields.pairs if pair[1] != SECRET]:
            yield f"query: {left} is not declared"

    def _headers(self, drawn: Drawn, request: httpx2.Request) -> Iterator[str]:
        raw = {key.lower().decode(): value.decode() for key, value in request.headers.raw}
        for parameter, value in self._given(drawn, "header"):
            text = raw.get(parameter.name.lower())
            kept = kept_of(value)
            if is_undefined(kept):
                if text is not None:
                    yield f"header: {parameter.name} is sent though it is undefined"
            elif text is None:
                yield f"header: {parameter.name} is not sent"
            elif parameter.style is None:
                if exact(json.loads(text)) != exact(value):
                    yield f"header: {parameter.name} reads {text!r}, not {value!r}"
            elif not is_header(text, parameter.style, value):
                yield f"header: {parameter.name} reads {text!r}, not {value!r}"

    def _cookies(self, drawn: Drawn, request: httpx2.Request) -> Iterator[str]:
        fields = Fields(pairs_of(request.headers.get("Cookie", ""), "; "), plus=False)
        for parameter, value in self._given(drawn, "cookie"):
            style = parameter.style
            if style is None:
                fault = fields.document(parameter.name, value)
            else:
                fault = fields.take(parameter.name, style, value)
            if fault:
                yield f"cookie: {fault}"

    def _body(self, drawn: Drawn, request: httpx2.Request) -> Iterator[str]:
        body, stated = request.read(), request.headers.get("Content-Type")
        if drawn.content is None:
            if body:
                yield f"there is a body: {body[:80]!r}"
            if self.operation.body_is_required:
                yield "there is no body"
            return
        if stated is None:
            yield "the body has no media type"
            return
        if not _is_declared(stated, drawn.content.media_type):
            yield f"the body is {stated}, not {drawn.content.media_type}"
        yield from self._content(kind_of(drawn.content, self.sent), drawn, stated, body)

    def _content(self, kind: Kind, drawn: Drawn, stated: str, body: bytes) -> Iterator[str]:
        content, meant = drawn.content, drawn.body
        assert content is not None and meant is not ABSENT
        match kind:
            case "json":
                read = json.loads(body) if body else None
                if exact(read) != exact(meant):
                    yield f"the body reads {exact(read)}, not {exact(meant)}"
                if content.schema is not None and not self.sent.is_valid(content.schema, read):
                    yield f"the body does not fit its schema: {exact(read)}"
            case "form":
                yield from self._form(content, meant, body.decode("ascii"))
            case "multipart":
                yield from self._parts(content, meant, parts_of(stated, body))
            case "text":
                if body.decode() != meant:
                    yield f"the body reads {body!r}, not {meant!r}"
            case "bytes":
                if body != meant:
                    yield f"the body reads {body!r}, not {meant!r}"

    def _form(self, content: Content, meant: object, body: str) -> Iterator[str]:
        fields = Fields(pairs_of(body))
        for name, value in meant.items() if is_mapping(meant) else ():
            encoding = _encoding(content, name)
            if encoding.style is not None:
                fault = fields.take(name, encoding.style, value)
            elif is_list(value):
                fault = fields.items(name, value)
            elif is_mapping(value) or any(map(_is_json, encoding.media_types)):
                fault = fields.document(name, value)
            else:
                fault = fields.take(name, _FORM, value)
            if fault:
                yield f"form: {fault}"
        if fields.pairs:
            yield f"form: {fields.pairs} is not declared"

    def _parts(self, content: Content, meant: object, parts: list[Part]) -> Iterator[str]:
        left = list(parts)
        for name, value in meant.items() if is_mapping(meant) else ():
            encoding = _encoding(content, name)
            styled = encoding.style is not None and encoding.style != _FORM
            if encoding.style is not None and styled and not isinstance(value, bytes):
                read = [(one.name, one.content.decode()) for one in left]
                fields = Fields(read, plus=False)
                if fault := fields.take(name, encoding.style, value):
                    yield f"multipart: {fault}"
                left = [one for one in left if (one.name, one.content.decode()) in fields.pairs]
                continue
            mine = [one for one in left if one.name == name]
            left = [one for one in left if one.name != name]
            items = kept_of(value) if is_list(value) else [value]
            wanted = [one for one in items if one is not None] if is_list(items) else []
            if len(mine) != len(wanted):
                yield f"multipart: {name} has {len(mine)} parts, not {len(wanted)}"
                continue
            for part, one in zip(mine, wanted, strict=True):
                yield from _part(part, one, encoding)
        if left:
            yield f"multipart: {left} is not declared"


def _part(part: Part, meant: object, encoding: Encoding) -> Iterator[str]:
    if isinstance(meant, bytes):
        if part.content != meant:
            yield f"multipart: {part.name} reads {part.content!r}, not {meant!r}"
        if part.filename is None:
            yield f"multipart: {part.name} is a file without a name"
    elif is_mapping(meant) or is_list(meant):
        if exact(json.loads(part.content)) != exact(meant):
            yield f"multipart: {part.name} reads {part.content!r}, not {meant!r}"
        if part.media_type is None or not _is_json(part.media_type):
            yield f"multipart: {part.name} is {part.media_type}, not JSON"
    elif not says(part.content.decode(), meant) and part.content.decode() != json.dumps(meant):
        yield f"multipart: {part.name} reads {part.content!r}, not {meant!r}"
    if encoding.media_types and not any(
        _is_declared(part.media_type or "text/plain", one) for one in encoding.media_types
    ):
        yield f"multipart: {part.name} is {part.media_type}, not {encoding.media_types}"


def _encoding(content: Content, name: str) -> Encoding:
    for one in content.fields:
        if one.name == name:
            return Encoding(one.style, ())
    return content.encodings.get(name, Encoding(None, ()))


def _apart(parameter: Parameter) -> bool:
    return parameter.style is not None and parameter.style.explode


def _is_json(media_type: str) -> bool:
    return base(media_type).endswith(("/json", "+json"))


def _is_declared(stated: str, declared: str) -> bool:
    """Whether a media type is the one that is declared, or in the range that is."""
    mine, theirs = base(stated), base(declared)
    return mine == theirs or theirs in ("*/*", "*") or mine.startswith(theirs.removesuffix("*"))
