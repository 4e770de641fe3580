"""Operations: paths, parameters, bodies and responses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from .schemas import Schemas, default_of
from .streaming import EVENT_STREAM

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")

Node = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Operations:
    """Lowers the operations of one description."""

    description: Description
    schemas: Schemas
    report: Report

    def lower(self) -> Iterator[ir.Operation]:
        """Yield every operation in the order of the description."""
        root = Origin(self.description.entry)
        paths = self.description.value.get("paths") or {}
        for path, written in paths.items():
            if path.startswith("x-"):
                continue
            item, at = self._target(written, root / "paths" / path)
            for method in METHODS:
                if isinstance(item, Mapping) and method in item:
                    operation, origin = self._target(item[method], at / method)
                    if isinstance(operation, Mapping):
                        yield self._operation(operation, origin, method, path, item, at)

    def _operation(
        self, node: Node, origin: Origin, method: str, path: str, item: Node, item_at: Origin
    ) -> ir.Operation:
        body = self._body(node.get("requestBody"), origin / "requestBody")
        responses, stream = self._responses(node.get("responses"), origin / "responses")
        id_ = node.get("operationId")
        return ir.Operation(
            id=id_ if isinstance(id_, str) else None,
            method=method.upper(),
            path=path,
            origin=origin,
            tags=tuple(t for t in node.get("tags") or () if isinstance(t, str)),
            parameters=tuple(self._parameters(node, origin, item, item_at)),
            body=body,
            responses=responses,
            streaming=stream,
            doc=_doc(node),
            deprecated=node.get("deprecated") is True,
        )

    def _parameters(
        self, node: Node, origin: Origin, item: Node, item_at: Origin
    ) -> Iterator[ir.Parameter]:
        """Yield the parameters of the path item, overridden by those of the operation."""
        merged: dict[tuple[str, str], tuple[Node, Origin]] = {}
        for holder, at in ((item, item_at), (node, origin)):
            for index, written in enumerate(holder.get("parameters") or ()):
                parameter, place = self._target(written, at / "parameters" / index)
                if isinstance(parameter, Mapping):
                    key = (str(parameter.get("in")), str(parameter.get("name")))
                    merged[key] = (parameter, place)
        for (location, name), (parameter, at) in merged.items():
            match location:
                case "path" | "query" | "header":
                    annotations = self.schemas.annotations(parameter.get("schema"), at / "schema")
                    yield ir.Parameter(
                        name,
                        location,
                        self._parameter_type(parameter, at, name, origin),
                        location == "path" or parameter.get("required") is True,
                        at,
                        default=default_of(annotations),
                        doc=_doc(parameter) or _doc(annotations),
                        deprecated=parameter.get("deprecated") is True,
                    )
                case _:
                    self.report.warning(
                        "unsupported-parameter",
                        f"the parameter {name!r} in {location!r} is not in the signature; "
                        "send it with 'extra_headers'",
                        at,
                    )

    def _parameter_type(self, parameter: Node, at: Origin, name: str, owner: Origin) -> ir.Type:
        default_style = "form" if parameter.get("in") == "query" else "simple"
        if "content" in parameter or parameter.get("style", default_style) != default_style:
            self.report.warning(
                "unsupported-style",
                f"the style of parameter {name!r} is not expressed; a list is sent as repeated "
                "values and an object is refused",
                at,
            )
        if "schema" not in parameter:
            return ir.UNKNOWN
        place = ir.Inline(str(owner), name)
        return self.schemas.lower(parameter["schema"], at / "schema", place)

    def _body(self, written: object, at: Origin) -> ir.Body | None:
        if written is None:
            return None
        node, origin = self._target(written, at)
        if not isinstance(node, Mapping):
            return None
        required = node.get("required") is True
        content = node.get("content") or {}
        json = _json_type(content)
        if json is None:
            return self._opaque(content, origin, required, "request")
        self._report_others(content, origin, {json})
        media, place = content[json], origin / "content" / json
        schema = media.get("schema") if isinstance(media, Mapping) else None
        inline = ir.Inline(str(at), "request")
        type_ = ir.UNKNOWN
        if schema is not None:
            type_ = self.schemas.lower(schema, place / "schema", inline)
        return ir.Json(json, type_, required, origin, _doc(node))

    def _opaque(
        self, content: Node, origin: Origin, required: bool, kind: str
    ) -> ir.Opaque | None:
        for media_type in content:
            self.report.warning(
                "unsupported-media-type",
                f"the {kind} body of type {media_type!r} is passed as bytes",
                origin / "content" / media_type,
            )
            return ir.Opaque(media_type, required, origin)
        return None

    def _responses(
        self, responses: object, at: Origin
    ) -> tuple[tuple[ir.Response, ...], ir.Streaming | None]:
        """Return the responses, and how a success streams if one does."""
        found: list[ir.Response] = []
        stream: ir.Streaming | None = None
        for text, written in (responses if isinstance(responses, Mapping) else {}).items():
            node, origin = self._target(written, at / text)
            status = _status(text)
            if text.startswith("x-") or not isinstance(node, Mapping):
                continue
            if status is None:
                self.report.warning("invalid-status", f"{text!r} is no status code", at / text)
                continue
            content = node.get("content") or {}
            body = self._response_body(content, origin, at / text)
            if EVENT_STREAM in content and is_success(status) and stream is None:
                stream = self._events(content, origin, at / text)
            found.append(ir.Response(status, body, origin, _doc(node)))
        return tuple(found), stream

    def _response_body(self, content: Node, origin: Origin, at: Origin) -> ir.Body | None:
        json = _json_type(content)
        if json is None:
            rest = {k: v for k, v in content.items() if k != EVENT_STREAM}
            return self._opaque(rest, origin, True, "response")
        self._report_others(content, origin, {json, EVENT_STREAM})
        media, place = content[json], origin / "content" / json
        if not isinstance(media, Mapping) or "schema" not in media:
            return ir.Json(json, ir.UNKNOWN, True, origin)
        inline = ir.Inline(str(at), "response")
        type_ = self.schemas.lower(media["schema"], place / "schema", inline)
        return ir.Json(json, type_, True, origin)

    def _events(self, content: Node, origin: Origin, at: Origin) -> ir.Streaming:
        media, place = content[EVENT_STREAM], origin / "content" / EVENT_STREAM
        keyword = "itemSchema" if isinstance(media, Mapping) and "itemSchema" in media else "schema"
        if not isinstance(media, Mapping) or keyword not in media:
            return ir.Streaming(ir.UNKNOWN, None, None, place)
        inline = ir.Inline(str(at), "event")
        type_ = self.schemas.lower(media[keyword], place / keyword, inline)
        return ir.Streaming(type_, None, None, place)

    def _report_others(self, content: Node, origin: Origin, chosen: set[str]) -> None:
        for media_type in content.keys() - chosen:
            self.report.warning(
                "unsupported-media-type",
                f"the body can also be {media_type!r}, which the client does not offer",
                origin / "content" / media_type,
            )

    def _target(self, node: object, origin: Origin) -> tuple[object, Origin]:
        """Follow the references of anything that may be one: items, parameters, responses."""
        seen: set[Origin] = set()
        while isinstance(node, Mapping) and isinstance(ref := node.get("$ref"), str):
            target = self.description.target(ref, origin, self.report)
            if target is None:
                return None, origin
            if target in seen:
                self.report.error(
                    "circular-reference", "this reference leads back to itself", origin / "$ref"
                )
                return None, origin
            seen.add(target)
            node, origin = self.description.lookup(target), target
        return node, origin


def is_success(status: ir.Status) -> bool:
    """Whether a declared status is a success, as opposed to an error or to anything else."""
    match status:
        case ir.Code(code):
            return 200 <= code < 300
        case ir.Range(hundreds):
            return hundreds == 2
        case ir.Default():
            return False


def _status(text: str) -> ir.Status | None:
    """Return a status key (OpenAPI, Responses Object) as a value."""
    if text == "default":
        return ir.Default()
    if len(text) == 3 and text[0] in "12345":
        if text[1:].isdigit():
            return ir.Code(int(text))
        if text[1:] in ("XX", "xx"):
            return ir.Range(int(text[0]))
    return None


def _json_type(content: object) -> str | None:
    """Return the media type of a content object that is JSON: the plainest first."""
    if not isinstance(content, Mapping):
        return None
    bases = {media_type: media_type.split(";")[0].strip().lower() for media_type in content}
    for media_type, base in bases.items():
        if base == "application/json":
            return media_type
    for media_type, base in bases.items():
        if base.endswith("+json"):
            return media_type
    return None


def _doc(node: Node) -> str | None:
    """Return the summary and the description of a node, once where they say the same."""
    texts = [t.strip() for t in (node.get("summary"), node.get("description")) if _is_text(t)]
    return "\n\n".join(dict.fromkeys(texts)) or None


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
