"""The operations of a description as it is written, read without lowering them.

What clients send is held against this, so nothing here knows the IR: references are followed and
path items merged with operations, and that is all. The shapes of Swagger 2.0 and of OpenAPI 3 are
both read as their authors wrote them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from specloom.description.description import Description
from specloom.description.values import is_list, is_mapping
from specloom.diagnostics import Origin

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"

METHODS = "GET PUT POST DELETE OPTIONS HEAD PATCH TRACE QUERY".split()
_IGNORED = frozenset({"accept", "content-type", "authorization"})
"""Header parameters that shall be ignored (OpenAPI, Parameter Object)."""

_EXPLODED = frozenset({"form", "cookie", "deepObject"})
_COLLECTIONS = {
    "csv": ("", False),
    "ssv": ("spaceDelimited", False),
    "tsv": ("tabDelimited", False),
    "pipes": ("pipeDelimited", False),
    "multi": ("form", True),
}
"""The style and explosion of each ``collectionFormat`` of Swagger 2.0; that of csv depends."""

_LONGEST_CHAIN = 100
_VARIABLE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Style:
    """How a value outside of bodies is written."""

    name: str
    explode: bool
    reserved: bool = False


@dataclass(frozen=True)
class Parameter:
    """A parameter; of a Swagger form, a field. ``schema`` is where its schema stands."""

    name: str
    place: str
    required: bool
    schema: Origin | None
    style: Style | None
    """None where the value is a document, as ``content`` says."""
    content: Content | None = None

    @property
    def key(self) -> str:
        """What tells parameters of one operation apart."""
        return f"{self.place} {self.name}"


@dataclass(frozen=True)
class Encoding:
    """What is said of how a property of a form is written."""

    style: Style | None
    media_types: tuple[str, ...]


@dataclass(frozen=True)
class Item:
    """One kind of item of a stream: where its schema stands.

    ``data`` is where the schema stands of what is text in an event's data (``contentSchema``).
    """

    schema: Origin
    data: Origin | None


@dataclass(frozen=True)
class Content:
    """One form of a body."""

    media_type: str
    schema: Origin | None
    fields: tuple[Parameter, ...] = ()
    """The fields of a form, where each is declared by itself (Swagger 2.0)."""
    encodings: Mapping[str, Encoding] = field(default_factory=dict[str, Encoding])
    items: tuple[Item, ...] = ()
    """What ``itemSchema`` says, by its branches if it has some."""


@dataclass(frozen=True)
class Body:
    """The body of a request."""

    required: bool
    contents: tuple[Content, ...]


@dataclass(frozen=True)
class Operation:
    """One operation. ``responses`` are the forms of each declared status."""

    method: str
    path: str
    parameters: tuple[Parameter, ...]
    body: Body | None
    responses: Mapping[str, tuple[Content, ...]]
    unplaced: tuple[str, ...] = ()
    """The path parameters that the path has no place for, against the specification."""

    @property
    def request(self) -> str:
        """What the operation is called by: method and path."""
        return f"{self.method} {self.path}"

    @property
    def body_is_required(self) -> bool:
        """Whether the description says that there is a body in every request."""
        return self.body is not None and self.body.required


def operations(description: Description) -> Iterator[Operation]:
    """Yield every operation of a description."""
    yield from _Described(description.authored).operations()


@dataclass(frozen=True)
class _Described:
    """A description in the shape of the version that it states."""

    description: Description

    @property
    def old(self) -> bool:
        """Whether it is written in Swagger 2.0."""
        return self.description.version.startswith("2.")

    def operations(self) -> Iterator[Operation]:
        root = Origin(self.description.entry)
        paths = self.description.value.get("paths")
        for path in paths if is_mapping(paths) else ():
            if path.startswith("/"):
                item, at = self._followed(root / "paths" / path)
                written = {m: at / m.lower() for m in METHODS if m.lower() in item}
                more = item.get("additionalOperations")
                for method in more if is_mapping(more) else ():
                    written[method] = at / "additionalOperations" / method
                for method, place in written.items():
                    yield self._operation(method, path, item, at, place)

    def _operation(
        self, method: str, path: str, item: dict[str, object], at: Origin, place: Origin
    ) -> Operation:
        stated, origin = self._followed(place)
        merged: dict[tuple[str, str], tuple[dict[str, object], Origin]] = {}
        for holder, where in ((item, at), (stated, origin)):
            listed = holder.get("parameters")
            for index in range(len(listed) if is_list(listed) else 0):
                one, there = self._followed(where / "parameters" / index)
                merged[str(one.get("in")), str(one.get("name"))] = one, there
        given = [
            (one, there)
            for (where, name), (one, there) in merged.items()
            if not (where == "header" and name.lower() in _IGNORED)
        ]
        outside = [
            self._parameter(one, there)
            for one, there in given
            if one.get("in") not in ("body", "formData")
        ]
        body = self._old_body(given, stated) if self.old else self._body(origin / "requestBody")
        responses = dict(self._responses(stated, origin))
        variables = _VARIABLE.findall(path)
        placed = [p for p in outside if p.place != "path" or p.name in variables]
        known = {p.name for p in placed}
        for name in dict.fromkeys(variables):
            if name not in known:  # against the specification, too
                placed.append(Parameter(name, "path", True, None, Style("simple", False)))
        unplaced = tuple(p.name for p in outside if p not in placed)
        return Operation(method, path, tuple(placed), body, responses, unplaced)

    def _parameter(self, stated: dict[str, object], at: Origin) -> Parameter:
        name, place = str(stated.get("name")), str(stated.get("in"))
        required = stated.get("required") is True or place == "path"
        usual = "simple" if place in ("path", "header") else "form"
        if self.old:
            style, explode = _COLLECTIONS[str(stated.get("collectionFormat", "csv"))]
            return Parameter(name, place, required, at, Style(style or usual, explode))
        content = stated.get("content")
        if is_mapping(content) and content:
            (media_type,) = content
            found = self._content(media_type, at / "content" / media_type)
            return Parameter(name, place, required, found.schema, None, found)
        schema = at / "schema" if "schema" in stated else None
        return Parameter(name, place, required, schema, _style(stated, usual))

    def _body(self, at: Origin) -> Body | None:
        stated, origin = self._followed(at)
        contents = tuple(self._contents(stated, origin))
        return Body(stated.get("required") is True, contents) if contents else None

    def _contents(self, stated: dict[str, object], origin: Origin) -> Iterator[Content]:
        content = stated.get("content")
        for media_type in content if is_mapping(content) else ():
            yield self._content(media_type, origin / "content" / media_type)

    def _content(self, media_type: str, at: Origin) -> Content:
        stated, origin = self._followed(at)
        listed = stated.get("encoding")
        encodings: dict[str, Encoding] = {}
        for name in listed if is_mapping(listed) else ():
            one, _ = self._followed(origin / "encoding" / name)
            kinds = one.get("contentType")
            styled = one.keys() & {"style", "explode", "allowReserved"}
            encodings[name] = Encoding(
                _style(one, "form") if styled else None,
                tuple(k.strip() for k in kinds.split(",")) if isinstance(kinds, str) else (),
            )
        schema = origin / "schema" if "schema" in stated else None
        items = self._items(origin / "itemSchema") if "itemSchema" in stated else ()
        return Content(media_type, schema, encodings=encodings, items=tuple(items))

    def _items(self, at: Origin) -> Iterator[Item]:
        stated, origin = self._followed(at)
        for keyword in ("oneOf", "anyOf"):
            branches = stated.get(keyword)
            if is_list(branches):
                for index in range(len(branches)):
                    yield from self._items(origin / keyword / index)
                return
        data, there = self._followed(origin / "properties" / "data")
        yield Item(origin, there / "contentSchema" if "contentSchema" in data else None)

    def _old_body(
        self, given: list[tuple[dict[str, object], Origin]], stated: dict[str, object]
    ) -> Body | None:
        """Return the body of Swagger 2.0: a parameter of its own, or a form of several."""
        consumes = self._media_types(stated, "consumes")
        for one, at in given:
            if one.get("in") == "body":
                contents = (Content(kind, at / "schema") for kind in consumes)
                return Body(one.get("required") is True, tuple(contents))
        fields = tuple(self._parameter(one, at) for one, at in given if one.get("in") == "formData")
        if not fields:
            return None
        forms = [kind for kind in consumes if kind in (FORM, MULTIPART)]
        files = any(one.get("type") == "file" for one, _ in given)
        kinds = forms or [MULTIPART if files else FORM]
        required = any(each.required for each in fields)
        return Body(required, tuple(Content(kind, None, fields) for kind in kinds))

    def _responses(
        self, stated: dict[str, object], origin: Origin
    ) -> Iterator[tuple[str, tuple[Content, ...]]]:
        listed = stated.get("responses")
        for status in listed if is_mapping(listed) else ():
            one, at = self._followed(origin / "responses" / status)
            if self.old:
                kinds = self._media_types(stated, "produces") if "schema" in one else []
                yield status, tuple(Content(kind, at / "schema") for kind in kinds)
            elif not status.startswith("x-"):
                yield status, tuple(self._contents(one, at))

    def _media_types(self, stated: dict[str, object], keyword: str) -> list[str]:
        listed = stated.get(keyword, self.description.value.get(keyword))
        return [str(kind) for kind in listed] if is_list(listed) and listed else [JSON]

    def _followed(self, origin: Origin) -> tuple[dict[str, object], Origin]:
        """Return the object at an origin, or the one that it refers to; empty if there is none."""
        for _ in range(_LONGEST_CHAIN):
            try:
                value = self.description.lookup(origin)
            except LookupError:
                return {}, origin
            if not is_mapping(value):
                return {}, origin
            ref = value.get("$ref")
            target = self.description.resolve(ref, origin) if isinstance(ref, str) else None
            if target is None:
                return value, origin
            origin = target
        return {}, origin


def _style(stated: dict[str, object], usual: str) -> Style:
    name = str(stated.get("style", usual))
    explode = stated.get("explode", name in _EXPLODED)
    return Style(name, explode is True, stated.get("allowReserved") is True)
