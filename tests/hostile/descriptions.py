"""Small descriptions with hostile text in every place that can hold text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from .texts import hostile

Plain = dict[str, object]


@dataclass
class Written:
    """A description, and those of its texts that a client has to repeat exactly."""

    document: Plain
    properties: set[str] = field(default_factory=set[str])
    constants: set[str] = field(default_factory=set[str])
    parameters: set[str] = field(default_factory=set[str])
    docs: set[str] = field(default_factory=set[str])
    defaults: set[str] = field(default_factory=set[str])


def describe(random: Random) -> Written:
    """Return a description with hostile text in it."""
    return _Writer(random, lambda: hostile(random)).document()


def harmless(random: Random) -> Written:
    """Return a description of the same kind whose texts are plain words."""
    return _Writer(random, lambda: f"word{random.randint(0, 10**6)}").document()


@dataclass
class _Writer:
    """Writes one description; whether a place has text, and which, is chance."""

    random: Random
    text: Callable[[], str]
    written: Written = field(default_factory=lambda: Written({}))

    def document(self) -> Written:
        """Write the document."""
        version = self.random.choice(["3.0.3", "3.1.0", "3.2.0"])
        names = self._names(2)
        schemas = {name: self._object() for name in names}
        constants = self._names(3)
        scheme = self.text()
        listed = self._names(1)[0]
        if listed not in schemas:
            self.written.constants |= set(constants)
            schemas[listed] = {"type": "string", "enum": constants} | self._prose()
        paths = dict(self._path(list(schemas)) for _ in range(1))
        self.written.document |= {
            "openapi": version,
            "info": self._info(),
            "servers": [self._server()],
            "tags": [{"name": tag, **self._maybe("description")} for tag in self._names(2)],
            "paths": paths,
            "components": {
                "schemas": schemas,
                "securitySchemes": {scheme: self._security()},
            },
            "security": [{scheme: []}],
            f"x-{self.text()}": {self.text(): self.text()},
        }
        return self.written

    def _info(self) -> Plain:
        optional = self._maybe("description", "summary", "termsOfService")
        contact = {"contact": self._maybe("name", "url", "email")}
        licence = {"license": {"name": self.text(), **self._maybe("url", "identifier")}}
        return {"title": self.text(), "version": self.text(), **optional, **contact, **licence}

    def _server(self) -> Plain:
        variable = self.random.choice(["v", self.text()])
        values = self._names(2)
        stated = {"default": values[0], "enum": values, **self._maybe("description")}
        url = f"https://h.test/{self.text()}/{{{variable}}}"
        if self.random.random() < 0.3:
            return {"url": f"https://h.test/{self.text()}", **self._maybe("description")}
        return {"url": url, "variables": {variable: stated}, **self._maybe("description")}

    def _security(self) -> Plain:
        kind = self.random.choice(["header", "query", "bearer", "basic"])
        if kind in ("header", "query"):
            return {"type": "apiKey", "in": kind, "name": self.text(), **self._maybe("description")}
        return {"type": "http", "scheme": kind, "bearerFormat": self.text()}

    def _path(self, schemas: list[str]) -> tuple[str, Plain]:
        # Braces, ? and # end the template of a path or start another part of it.
        fixed, variable = (self.text().translate(dict.fromkeys(map(ord, "{}?#"))) for _ in range(2))
        variable = variable.replace("/", "").lstrip("&") or "v"  # {&x} would be a query's
        path = f"/{fixed}/{{{variable}}}"
        names = [name for name in self._names(3) if name != variable]
        parameters = [self._parameter(variable, "path", required=True)]
        for name in names:
            where = self.random.choice(["query", "header"])
            if name.lower() not in ("accept", "content-type", "authorization"):
                parameters.append(self._parameter(name, where))
        operation: Plain = {
            "operationId": self.text(),
            "tags": [self.text()],
            "parameters": parameters,
            "requestBody": self._body(schemas),
            "responses": {"200": self._body(schemas) | {"description": self.text()}},
            **self._maybe("summary"),
            "description": self._doc(),
        }
        method = self.random.choice(["get", "post", "put", "delete", "patch"])
        return path, {method: operation, **self._maybe("summary", "description")}

    def _parameter(self, name: str, where: str, *, required: bool = False) -> Plain:
        if where != "path":
            self.written.parameters.add(name)
        constants = self._names(2)
        schema: Plain = {"type": "string"}
        if not required and self.random.random() < 0.4:
            self.written.constants |= set(constants)
            schema["enum"] = constants
        doc = {"description": self._doc()}
        return {"name": name, "in": where, "required": required, "schema": schema, **doc}

    def _body(self, schemas: list[str]) -> Plain:
        name = self.random.choice(schemas).replace("~", "~0").replace("/", "~1").replace("%", "%25")
        kinds = ["application/json", "application/json", f"application/{self.text()}+json"]
        media = self.random.choice([*kinds, self.text()])
        content = {media: {"schema": {"$ref": f"#/components/schemas/{name}"}}}
        return {"content": content, **self._maybe("description")}

    def _object(self) -> Plain:
        properties = {name: self._property() for name in self._names(3)}
        self.written.properties |= properties.keys()
        required = self.random.sample(list(properties), self.random.randint(0, len(properties)))
        return {
            "type": "object",
            "properties": properties,
            **({"required": required} if required else {}),
            **self._prose(),
        }

    def _property(self) -> Plain:
        kind = self.random.randint(0, 6)
        schema: Plain = {"type": "string"}
        match kind:
            case 0:
                constants = self._names(3)
                self.written.constants |= set(constants)
                schema["enum"] = constants
                if self.random.random() < 0.5:
                    schema["x-enum-varnames"] = [self.text() for _ in constants]
                    schema["x-enum-descriptions"] = [self.text() for _ in constants]
            case 1:
                schema["default"] = self.text()
                self.written.defaults.add(str(schema["default"]))
            case 2:
                schema["pattern"] = self.text()
            case 3:
                schema["format"] = self.text()
            case 4:
                inner = {name: {"type": "string"} for name in self._names(2)}
                self.written.properties |= inner.keys()
                schema = {"type": "object", "properties": inner}
            case 5:
                branches = [self._tagged(value) for value in self._names(2)]
                schema = {"oneOf": branches}
            case _:
                schema["type"] = "array"
                schema["items"] = {"type": "string", **self._maybe("description", "title")}
        return schema | self._prose()

    def _tagged(self, value: str) -> Plain:
        """Return an object that is told apart by a constant."""
        self.written.constants.add(value)
        self.written.properties.add("kind")
        kind = {"type": "string", "enum": [value]}
        return {"type": "object", "required": ["kind"], "properties": {"kind": kind}}

    def _prose(self) -> Plain:
        return {"description": self._doc(), **self._maybe("title", "example", "x-note")}

    def _doc(self) -> str:
        text = self.text()
        self.written.docs.add(text)
        return text

    def _maybe(self, *keys: str) -> Plain:
        return {key: self.text() for key in keys if self.random.random() < 0.5}

    def _names(self, most: int) -> list[str]:
        """Return different texts, at least one."""
        return list(dict.fromkeys(self.text() for _ in range(most)))
