"""Swagger 2.0 in the shape of OpenAPI 3.

Only what the two say in different places is reshaped: servers, bodies and forms, media types,
components, security. Schemas stay as they are, and references keep the spelling of their author;
``moved`` says where their targets went.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from specloom.description import refs
from specloom.description.sources import Sources
from specloom.description.swagger_parts import Mapping, Parts
from specloom.description.values import children, is_list, is_mapping
from specloom.diagnostics import Origin, Report

METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch")
_FORMS: Final = ("multipart/form-data", "application/x-www-form-urlencoded")
_SECTIONS: Final = {
    "definitions": "schemas",
    "parameters": "parameters",
    "responses": "responses",
    "securityDefinitions": "securitySchemes",
}
_RESHAPED: Final = frozenset(
    {"swagger", "host", "basePath", "schemes", "consumes", "produces", "paths", *_SECTIONS}
)
Member = tuple[str, object, Origin]
Find = Callable[[str], tuple[object, Origin] | None]


def moved(root: Mapping, path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the path in the upgraded ``root`` of what was at ``path`` before."""
    if not path or path[0] not in _SECTIONS or path[0] in root:
        return path
    section, *rest = path
    components = root.get("components")
    bodies = components.get("requestBodies") if is_mapping(components) else None
    if section == "parameters" and rest and is_mapping(bodies) and rest[0] in bodies:
        return ("components", "requestBodies", *rest)
    return ("components", _SECTIONS[section], *rest)


def upgrade(root: Mapping, origin: Origin, sources: Sources, find: Find, report: Report) -> Mapping:
    """Return a Swagger 2.0 document in the shape of OpenAPI 3.

    ``find`` returns the value and the origin of what a reference in the document finally names.
    """
    return _Upgrade(root, origin, Parts(sources, report), find).document()


class _Upgrade:
    """One document on its way to the new shape."""

    def __init__(self, root: Mapping, origin: Origin, parts: Parts, find: Find) -> None:
        self.root = root
        self.origin = origin
        self.parts = parts
        self.find = find
        self.consumes = _strings(root.get("consumes"))
        self.produces = _strings(root.get("produces"))

    def document(self) -> Mapping:
        """Return the whole document."""
        members = self.parts.members(self.root, self.origin)
        kept = [m for m in members if m[0] not in _RESHAPED]
        components: list[Member] = [
            (_SECTIONS[key], self._section(key, value, at), at)
            for key, value, at in members
            if key in _SECTIONS and is_mapping(value)
        ]
        components += self._bodies()
        paths = [(key, self._paths(value, at), at) for key, value, at in members if key == "paths"]
        return self.parts.build(
            ("openapi", "3.0.3", self.origin / "swagger"),
            *kept,
            *self._servers(self.root, self.origin),
            *paths,
            ("components", self.parts.build(*components), self.origin),
        )

    def _servers(self, owner: Mapping, origin: Origin) -> list[Member]:
        """Return the servers that a host, a base path and schemes stand for."""
        host, base = self.root.get("host"), self.root.get("basePath")
        if not isinstance(host, str) and not isinstance(base, str):
            return []
        path = f"/{base.strip('/')}" if isinstance(base, str) and base.strip("/") else ""
        if not isinstance(host, str):
            urls = [path or "/"]
        else:
            schemes = self._schemes(owner, origin) or ["https"]
            # The first server is the one that is used, and no one means to do without encryption.
            schemes.sort(key=lambda scheme: scheme != "https")
            urls = [f"{scheme}://{host}{path}" for scheme in schemes]
        key = next((k for k in ("host", "basePath") if k in self.root), "basePath")
        at = self.parts.sources.written(self.root, key, self.origin)
        servers = [self.parts.build(("url", url, at)) for url in urls]
        return [("servers", servers, at)]

    def _schemes(self, owner: Mapping, origin: Origin) -> list[str]:
        """Return the schemes that a client can speak; report the others."""
        for _, scheme, at in children(owner.get("schemes"), origin / "schemes"):
            if scheme in ("ws", "wss"):
                message = f"clients speak http and https: {scheme!r} is left out"
                self.parts.report.warning("unsupported-scheme", message, at)
        return [one for one in _strings(owner.get("schemes")) if one not in ("ws", "wss")]

    def _section(self, name: str, value: Mapping, origin: Origin) -> Mapping:
        """Return a section of reusable things."""
        built: list[Member] = []
        for key, child, at in self.parts.members(value, origin):
            match name:
                case "definitions":
                    built.append((key, self.parts.schema(child, at), at))
                case "securityDefinitions":
                    built.append((key, self.parts.security_scheme(child, at), at))
                case "responses" if is_mapping(child) and "$ref" not in child:
                    built.append((key, self.parts.response(child, at, self.produces), at))
                case "parameters" if is_mapping(child) and child.get("in") == "body":
                    pass
                case "parameters" if is_mapping(child) and "$ref" not in child:
                    built.append((key, self.parts.parameter(child, at), at))
                case _:
                    built.append((key, child, at))
        return self.parts.build(*built)

    def _bodies(self) -> list[Member]:
        """Return the reusable parameters that are bodies."""
        parameters = self.root.get("parameters")
        if not is_mapping(parameters):
            return []
        origin = self.parts.sources.written(self.root, "parameters", self.origin)
        bodies = [
            (key, self._body(value, at, self.consumes), at)
            for key, value, at in self.parts.members(parameters, origin)
            if is_mapping(value) and value.get("in") == "body"
        ]
        return [("requestBodies", self.parts.build(*bodies), origin)] if bodies else []

    def _paths(self, value: object, origin: Origin) -> object:
        """Return the paths."""
        if not is_mapping(value):
            return value
        return self.parts.build(
            *(
                (key, self._path_item(item, at) if is_mapping(item) else item, at)
                for key, item, at in self.parts.members(value, origin)
            )
        )

    def _path_item(self, value: Mapping, origin: Origin) -> Mapping:
        """Return a path item; bodies and form fields that it shares go to its operations."""
        value, origin = self._here(value, origin)
        parameters, forms, bodies = self._split(value, origin)
        built: list[Member] = []
        for key, child, at in self.parts.members(value, origin):
            if key == "parameters":
                built.append((key, parameters, at))
            elif key in METHODS and is_mapping(child):
                operation, at = self._here(child, at)
                built.append((key, self._operation(operation, at, forms, bodies), at))
            else:
                built.append((key, child, at))
        return self.parts.build(*built)

    def _operation(
        self, value: Mapping, origin: Origin, forms: list[Member], bodies: list[Member]
    ) -> Mapping:
        """Return an operation; ``forms`` and ``bodies`` come from its path item."""
        consumes = _strings(value.get("consumes")) or self.consumes
        produces = _strings(value.get("produces")) or self.produces
        parameters, own_forms, own_bodies = self._split(value, origin)
        names = {name for name, _, _ in own_forms}
        forms = [f for f in forms if f[0] not in names] + own_forms
        bodies = own_bodies or bodies
        built: list[Member] = []
        for key, child, at in self.parts.members(value, origin):
            match key:
                case "consumes" | "produces":
                    pass
                case "schemes":
                    built += self._servers(value, origin)
                case "parameters":
                    built.append((key, parameters, at))
                case "responses" if is_mapping(child):
                    built.append((key, self._responses(child, at, produces), at))
                case _:
                    built.append((key, child, at))
        if bodies:
            self._report_clashes(bodies, forms)
            _, body, at = bodies[0]
            built.append(("requestBody", self._body(body, at, consumes), at))
        elif forms:
            built.append(("requestBody", self._form(forms, origin, consumes), forms[0][2]))
        return self.parts.build(*built)

    def _split(
        self, owner: Mapping, origin: Origin
    ) -> tuple[list[object], list[Member], list[Member]]:
        """Return the parameters of a path item or an operation, its form fields and its bodies."""
        parameters: list[object] = []
        forms: list[Member] = []
        bodies: list[Member] = []
        listed = owner.get("parameters")
        places = self.parts.sources.written(owner, "parameters", origin)
        for index, value in enumerate(listed if is_list(listed) else []):
            at = self.parts.sources.written(listed, index, places)
            if not is_mapping(value):
                continue
            value, at = self._here(value, at)
            named = self._named(value, at)
            kind = named[0].get("in") if named is not None else None
            if named is not None and kind == "formData":
                forms.append((str(named[0].get("name")), *named))
            elif named is not None and kind == "body":
                bodies.append(("", value, at))
            else:
                self.parts.sources.note(parameters, len(parameters), at)
                plain = "$ref" not in value
                parameters.append(self.parts.parameter(value, at) if plain else value)
        return parameters, forms, bodies

    def _named(self, value: object, at: Origin) -> tuple[Mapping, Origin] | None:
        """Return a parameter itself, where ``value`` may be a reference to it."""
        ref = value.get("$ref") if is_mapping(value) else None
        found = self.find(ref) if isinstance(ref, str) else (value, at)
        return (found[0], found[1]) if found is not None and is_mapping(found[0]) else None

    def _here(self, value: Mapping, at: Origin) -> tuple[Mapping, Origin]:
        """Return what a reference names in its stead, unless it has a place in the new shape.

        Only a reusable part of this document has one; anything else would keep the old shape.
        """
        ref = value.get("$ref")
        found = self.find(ref) if isinstance(ref, str) else None
        if found is None:
            return value, at
        target, origin = found
        if origin.uri == self.origin.uri and origin.tokens[:1] and origin.tokens[0] in _SECTIONS:
            return value, at
        target = self._rebased(target, origin)
        return (target, origin) if is_mapping(target) else (value, at)

    def _rebased(self, value: object, origin: Origin) -> object:
        """Return a value of another document with its references as this document spells them."""
        if origin.uri == self.origin.uri:
            return value
        if is_list(value):
            items = [self._rebased(item, origin / index) for index, item in enumerate(value)]
            for index in range(len(items)):
                self.parts.sources.note(items, index, origin / index)
            return items
        if not is_mapping(value):
            return value
        members: list[Member] = []
        for key, child, at in self.parts.members(value, origin):
            if key == "$ref" and isinstance(child, str):
                members.append((key, refs.respell(child, origin.uri, self.origin.uri), at))
            else:
                members.append((key, self._rebased(child, at), at))
        return self.parts.build(*members)

    def _body(self, value: object, origin: Origin, consumes: list[str]) -> object:
        """Return the request body that a body parameter stands for."""
        if is_mapping(value):
            value, origin = self._own_types(value, origin, consumes == self.consumes)
        if not is_mapping(value) or "$ref" in value:
            return value  # resolves to a request body, as the parameter that it names became one
        members = self.parts.members(value, origin)
        kept = [m for m in members if m[0] in ("description", "required") or m[0][:2] == "x-"]
        schemas: list[Member] = [
            (key, self.parts.schema(child, at), at) for key, child, at in members if key == "schema"
        ]
        media = self.parts.build(*schemas)
        types = [t for t in consumes if t not in _FORMS] or consumes or ["application/json"]
        content = self.parts.build(*((media_type, media, origin) for media_type in types))
        return self.parts.build(*kept, ("content", content, origin))

    def _form(self, fields: list[Member], origin: Origin, consumes: list[str]) -> Mapping:
        """Return the request body that form fields stand for."""
        properties: list[Member] = []
        encodings: list[Member] = []
        required: list[object] = []
        for name, value, at in fields:
            if not is_mapping(value):
                continue
            schema = self.parts.inline_schema(value, at)
            if "description" in value:
                schema["description"] = value["description"]
            properties.append((name, schema, at))
            if value.get("required") is True:
                required.append(name)
            if value.get("type") == "array":
                style, explode = self.parts.style(value, at)
                encoding = self.parts.build(("style", style, at), ("explode", explode, at))
                encodings.append((name, encoding, at))
        members: list[Member] = [("type", "object", origin)]
        members.append(("properties", self.parts.build(*properties), origin))
        if required:
            members.append(("required", required, origin))
        media: list[Member] = [("schema", self.parts.build(*members), origin)]
        if encodings:
            media.append(("encoding", self.parts.build(*encodings), origin))
        has_file = any(is_mapping(v) and v.get("type") == "file" for _, v, _ in fields)
        default = _FORMS[0] if has_file else _FORMS[1]
        types = [t for t in consumes if t in _FORMS[: 1 if has_file else 2]]
        if consumes and not types:
            message = f"form fields are sent as {default!r}, which 'consumes' does not have"
            self.parts.report.warning("form-media-type", message, fields[0][2])
        types = types or [default]
        content = self.parts.build(*((t, self.parts.build(*media), origin) for t in types))
        return self.parts.build(("required", bool(required), origin), ("content", content, origin))

    def _own_types(self, value: Mapping, origin: Origin, usual: bool) -> tuple[Mapping, Origin]:
        """Return what a reference names in its stead, unless it has the ``usual`` media types.

        A reusable part has those of the whole document; an operation may state its own.
        """
        ref = value.get("$ref")
        found = None if usual or not isinstance(ref, str) else self.find(ref)
        if found is None:
            return value, origin
        target = self._rebased(*found)
        return (target, found[1]) if is_mapping(target) else (value, origin)

    def _responses(self, value: Mapping, origin: Origin, produces: list[str]) -> Mapping:
        """Return the responses of an operation."""
        built: list[Member] = []
        for key, child, at in self.parts.members(value, origin):
            new = child
            if is_mapping(child) and not key.startswith("x-"):
                response, at = self._here(child, at)
                response, at = self._own_types(response, at, produces == self.produces)
                plain = "$ref" not in response
                new = self.parts.response(response, at, produces) if plain else response
            built.append((key, new, at))
        return self.parts.build(*built)

    def _report_clashes(self, bodies: list[Member], forms: list[Member]) -> None:
        """Report what a request cannot have beside its body."""
        for _, _, at in [*bodies[1:], *forms]:
            message = "a request has one body, so this parameter is left out"
            self.parts.report.warning("second-body", message, at, bodies[0][2])


def _strings(value: object) -> list[str]:
    """Return the strings of a list."""
    return [item for item in value if isinstance(item, str)] if is_list(value) else []
