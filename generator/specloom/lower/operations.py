"""Operations: paths, parameters, bodies and responses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .. import ir
from ..description.load import Description
from ..diagnostics import Origin, Report
from .nodes import Node, is_node, items, node, text
from .schemas import Schemas
from .silence import report_unsupported
from .streaming import EVENT_STREAM
from .unions import without_null

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")


@dataclass(frozen=True, slots=True)
class Operations:
    """Lowers the operations of one description."""

    description: Description
    schemas: Schemas
    report: Report

    def lower(self) -> Iterator[ir.Operation]:
        """Yield every operation in the order of the description."""
        root = Origin(self.description.entry)
        ids: dict[str, Origin] = {}
        report_unsupported(self.description.value, root, self.report)
        for path, written in node(self.description.value.get("paths")).items():
            if path.startswith("x-"):
                continue
            item, at = self._target(written, root / "paths" / path)
            report_unsupported(item, at, self.report)
            for method in item:
                if method in METHODS:
                    operation, origin = self._target(item[method], at / method)
                    self._note_id(text(operation.get("operationId")), origin / "operationId", ids)
                    yield self._operation(operation, origin, method, path, item, at)

    def _note_id(self, id_: str | None, origin: Origin, ids: dict[str, Origin]) -> None:
        """Report an operation id that another operation has (OpenAPI, Operation Object)."""
        if id_ is not None and ids.setdefault(id_, origin) != origin:
            message = f"the operation id {id_!r} is taken; every operation needs one of its own"
            self.report.warning("duplicate-operation-id", message, origin, ids[id_])

    def _operation(
        self, operation: Node, origin: Origin, method: str, path: str, item: Node, item_at: Origin
    ) -> ir.Operation:
        report_unsupported(operation, origin, self.report)
        body = self._body(operation.get("requestBody"), origin / "requestBody")
        responses, stream = self._responses(operation.get("responses"), origin / "responses")
        return ir.Operation(
            id=text(operation.get("operationId")),
            method=method.upper(),
            path=path,
            origin=origin,
            tags=tuple(tag for t in items(operation.get("tags")) if (tag := text(t))),
            parameters=self._parameters(operation, origin, item, item_at, path),
            body=body,
            responses=responses,
            streaming=stream,
            doc=_doc(operation),
            deprecated=operation.get("deprecated") is True,
        )

    def _parameters(
        self, operation: Node, origin: Origin, item: Node, item_at: Origin, path: str
    ) -> tuple[ir.Parameter, ...]:
        """Return the parameters that are declared, and one for each forgotten path variable."""
        declared = list(self._declared(operation, origin, item, item_at))
        known = {p.name for p in declared if p.location == "path"}
        for name in dict.fromkeys(ir.path_parts(path)[1::2]):
            if name not in known:
                self.report.warning(
                    "undeclared-path-parameter",
                    f"the path has {{{name}}}, but no parameter of that name is declared; "
                    "any text is accepted",
                    origin,
                )
                text_ = ir.Primitive("string")
                declared.append(ir.Parameter(name, "path", text_, True, origin))
        return tuple(declared)

    def _declared(
        self, operation: Node, origin: Origin, item: Node, item_at: Origin
    ) -> Iterator[ir.Parameter]:
        """Yield the parameters of the path item, overridden by those of the operation."""
        merged: dict[tuple[str, str], tuple[Node, Origin]] = {}
        for holder, at in ((item, item_at), (operation, origin)):
            for index, written in enumerate(items(holder.get("parameters"))):
                parameter, place = self._target(written, at / "parameters" / index)
                key = (str(parameter.get("in")), str(parameter.get("name")))
                merged[key] = (parameter, place)
        for (location, name), (parameter, at) in merged.items():
            match location:
                case "path" | "query" | "header":
                    type_ = self._parameter_type(parameter, at, name, origin)
                    schema = parameter.get("schema")
                    annotations = self.schemas.annotations(schema, at / "schema")
                    yield ir.Parameter(
                        name,
                        location,
                        type_,
                        location == "path" or parameter.get("required") is True,
                        at,
                        default=self.schemas.default(annotations, type_, at / "schema"),
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
        """Return the type of a parameter; report a style that the client does not write."""
        type_: ir.Type = ir.UNKNOWN
        if "schema" in parameter:
            place = ir.Inline(str(owner), name)
            type_ = self.schemas.lower(parameter["schema"], at / "schema", place)
        in_query = parameter.get("in") == "query"
        style = parameter.get("style", "form" if in_query else "simple")
        usual = style == ("form" if in_query else "simple") and "content" not in parameter
        exploded = parameter.get("explode", in_query) is True
        if not usual or not (self._is_scalar(type_) or (in_query and exploded)):
            self.report.warning(
                "unsupported-style",
                f"the style of parameter {name!r} is not expressed: in a query a list is sent as "
                "repeated values, in a path it is refused, and so is an object everywhere",
                at,
            )
        return type_

    def _is_scalar(self, type_: ir.Type) -> bool:
        """Whether a type has one text form in every style."""
        match without_null(type_):
            case ir.Primitive() | ir.Literal() | ir.Unknown():
                return True
            case ir.Union(members):
                return all(self._is_scalar(member) for member in members)
            case ir.Ref(target):
                declared = self.schemas.types.get(target)
                use = self.schemas.expansions.get(target)
                if isinstance(declared, ir.Alias) and use in (None, type_):
                    use = declared.type
                return use is not None and use != type_ and self._is_scalar(use)
            case _:
                return False

    def _body(self, written: object, at: Origin) -> ir.Body | None:
        if written is None:
            return None
        stated, origin = self._target(written, at)
        required = stated.get("required") is True
        content = node(stated.get("content"))
        json = _json_type(content)
        if json is None:
            return self._opaque(content, origin, required, "request")
        self._report_others(content, origin, {json})
        media, place = node(content[json]), origin / "content" / json
        type_: ir.Type = ir.UNKNOWN
        if "schema" in media:
            inline = ir.Inline(str(at), "request")
            type_ = self.schemas.lower(media["schema"], place / "schema", inline)
        return ir.Json(json, type_, required, origin, _doc(stated))

    def _opaque(self, content: Node, origin: Origin, required: bool, kind: str) -> ir.Opaque | None:
        if not content:
            return None
        chosen = next(iter(content))
        self.report.warning(
            "unsupported-media-type",
            f"the {kind} body of type {chosen!r} is passed as bytes",
            origin / "content" / chosen,
        )
        self._report_others(content, origin, {chosen})
        return ir.Opaque(chosen, required, origin)

    def _responses(
        self, responses: object, at: Origin
    ) -> tuple[tuple[ir.Response, ...], ir.Streaming | None]:
        """Return the responses, and how a success streams if one does."""
        found: list[ir.Response] = []
        stream: ir.Streaming | None = None
        for key, written in node(responses).items():
            if key.startswith("x-"):
                continue
            status = _status(key)
            if status is None:
                self.report.warning("invalid-status", f"{key!r} is no status code", at / key)
                continue
            response, origin = self._target(written, at / key)
            content = node(response.get("content"))
            body = self._response_body(content, origin, at / key)
            if EVENT_STREAM in content and ir.is_success(status) and stream is None:
                stream = self._events(content, origin, at / key)
            found.append(ir.Response(status, body, origin, _doc(response)))
        return tuple(found), stream

    def _response_body(self, content: Node, origin: Origin, at: Origin) -> ir.Body | None:
        json = _json_type(content)
        if json is None:
            rest = {k: v for k, v in content.items() if k != EVENT_STREAM}
            return self._opaque(rest, origin, True, "response")
        self._report_others(content, origin, {json, EVENT_STREAM})
        media, place = node(content[json]), origin / "content" / json
        if "schema" not in media:
            return ir.Json(json, ir.UNKNOWN, True, origin)
        inline = ir.Inline(str(at), "response")
        type_ = self.schemas.lower(media["schema"], place / "schema", inline)
        return ir.Json(json, type_, True, origin)

    def _events(self, content: Node, origin: Origin, at: Origin) -> ir.Streaming:
        media, place = node(content[EVENT_STREAM]), origin / "content" / EVENT_STREAM
        keyword = "itemSchema" if "itemSchema" in media else "schema"
        if keyword not in media:
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

    def _target(self, written: object, origin: Origin) -> tuple[Node, Origin]:
        """Follow the references of anything that may be one: items, parameters, responses."""
        seen: set[Origin] = set()
        while isinstance(ref := node(written).get("$ref"), str):
            target = self.description.target(ref, origin, self.report)
            if target is None:
                return {}, origin
            if target in seen:
                self.report.error(
                    "circular-reference", "this reference leads back to itself", origin / "$ref"
                )
                return {}, origin
            seen.add(target)
            written, origin = self.description.lookup(target), target
        if not is_node(written):
            self.report.warning("invalid-node", "an object is expected here", origin)
        return node(written), origin


def _status(key: str) -> ir.Status | None:
    """Return a status key (OpenAPI, Responses Object) as a value."""
    if key == "default":
        return ir.Default()
    if len(key) == 3 and key[0] in "12345":
        if key[1:].isdecimal() and key.isascii():
            return ir.Code(int(key))
        if key[1:] in ("XX", "xx"):
            return ir.Range(int(key[0]))
    return None


def _json_type(content: Node) -> str | None:
    """Return the media type of a content object that is JSON: the plainest first."""
    bases = {media_type: media_type.split(";")[0].strip().lower() for media_type in content}
    for media_type, base in bases.items():
        if base == "application/json":
            return media_type
    for media_type, base in bases.items():
        if base.endswith("+json"):
            return media_type
    return None


def _doc(stated: Node) -> str | None:
    """Return the summary and the description of a node, once where they say the same."""
    texts = (text(stated.get("summary")), text(stated.get("description")))
    return "\n\n".join(dict.fromkeys(t for t in texts if t)) or None
