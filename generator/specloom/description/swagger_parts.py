"""The parts of Swagger 2.0 that say in one way what OpenAPI 3 says in another."""

from __future__ import annotations

from typing import Final

from specloom.description.sources import Sources
from specloom.description.values import is_list, is_mapping
from specloom.diagnostics import Origin, Report

Mapping = dict[str, object]
# What a parameter or a header of OpenAPI 3 says itself; all else about it is its schema.
_OWN: Final = frozenset({"name", "in", "description", "required", "allowEmptyValue", "deprecated"})
_SCHEMA_EXTENSIONS: Final = ("x-nullable", "x-enum", "x-ms-enum", "x-isnullable")
_STYLES: Final[dict[str, tuple[str, bool]]] = {
    "csv": ("form", False),
    "multi": ("form", True),
    "ssv": ("spaceDelimited", False),
    "pipes": ("pipeDelimited", False),
    "tsv": ("tabDelimited", False),  # which OpenAPI 3 has no word for
}
_FLOWS: Final = {
    "implicit": "implicit",
    "password": "password",
    "application": "clientCredentials",
    "accessCode": "authorizationCode",
}


class Parts:
    """Builds parts of the new shape and notes where each of them is written."""

    def __init__(self, sources: Sources, report: Report) -> None:
        self.sources = sources
        self.report = report

    def build(self, *members: tuple[str, object, Origin]) -> Mapping:
        """Return a mapping of members that are written at the given places."""
        built: Mapping = {}
        for key, value, origin in members:
            built[key] = value
            self.sources.note(built, key, origin)
        return built

    def members(self, value: Mapping, origin: Origin) -> list[tuple[str, object, Origin]]:
        """Return the members of a mapping that is written at ``origin``, with their places."""
        return [(k, v, self.sources.written(value, k, origin)) for k, v in value.items()]

    def schema(self, value: object, origin: Origin) -> object:
        """Return a schema with discriminators as mappings; the same object if it has none."""
        if not is_mapping(value):
            if not is_list(value):
                return value
            items = [self.schema(item, origin / index) for index, item in enumerate(value)]
            if all(new is old for new, old in zip(items, value, strict=True)):
                return value
            for index in range(len(items)):
                self.sources.note(items, index, self.sources.written(value, index, origin))
            return items
        changed: list[tuple[str, object, Origin]] = []
        for key, child, at in self.members(value, origin):
            if key == "discriminator" and isinstance(child, str):
                changed.append((key, self.build(("propertyName", child, at)), at))
            elif key in ("example", "default", "enum") or key.startswith("x-"):
                changed.append((key, child, at))
            else:
                changed.append((key, self.schema(child, at), at))
        same = all(child is value[key] for key, child, _ in changed)
        return value if same else self.build(*changed)

    def parameter(self, value: Mapping, origin: Origin) -> Mapping:
        """Return a parameter that is neither a body nor a form field, or a header."""
        members = self.members(value, origin)
        own = [m for m in members if m[0] in _OWN or _is_own_extension(m[0])]
        if is_mapping(value.get("schema")):  # not of this version, but plain enough
            return self.build(*own, *(m for m in members if m[0] == "schema"))
        own.append(("schema", self.inline_schema(value, origin), origin))
        if value.get("type") == "array":
            style, explode = self.style(value, origin)
            if "in" not in value and style != "form":
                message = "what is read of a list in a header has commas between its items"
                self.report.warning("collection-format", message, origin / "collectionFormat")
            if "in" not in value or (value["in"] in ("path", "header") and style == "form"):
                style, explode = "simple", False
            own += [("style", style, origin), ("explode", explode, origin)]
        return self.build(*own)

    def inline_schema(self, value: Mapping, origin: Origin) -> Mapping:
        """Return the schema that a parameter, a header or a form field is itself."""
        members = self.members(value, origin)
        kept = [
            m
            for m in members
            if m[0] not in _OWN and m[0] != "collectionFormat" and not _is_own_extension(m[0])
        ]
        if value.get("type") == "file":
            kept = [m for m in kept if m[0] not in ("type", "format")]
            kept += [("type", "string", origin), ("format", "binary", origin)]
        return self.build(*kept)

    def style(self, value: Mapping, origin: Origin) -> tuple[str, bool]:
        """Return the style and the explosion that ``collectionFormat`` stands for."""
        name = str(value.get("collectionFormat", "csv"))
        if name not in _STYLES:
            message = f"the collectionFormat {name!r} has no counterpart; commas are used"
            self.report.warning("collection-format", message, origin / "collectionFormat")
        return _STYLES.get(name, _STYLES["csv"])

    def response(self, value: Mapping, origin: Origin, produces: list[str]) -> Mapping:
        """Return a response, whose media types are those that the operation produces."""
        built: list[tuple[str, object, Origin]] = []
        for key, child, at in self.members(value, origin):
            match key:
                case "schema":
                    built.append(("content", self._content(value, origin, child, at, produces), at))
                case "headers" if is_mapping(child):
                    headers = [
                        (
                            name,
                            self.parameter(header, place) if is_mapping(header) else header,
                            place,
                        )
                        for name, header, place in self.members(child, at)
                    ]
                    built.append((key, self.build(*headers), at))
                case "examples":
                    pass
                case _:
                    built.append((key, child, at))
        return self.build(*built)

    def _content(
        self, response: Mapping, at: Origin, schema: object, origin: Origin, produces: list[str]
    ) -> Mapping:
        """Return the content of a response, which stands ``at`` a place, with a schema."""
        if is_mapping(schema) and schema.get("type") == "file":
            schema = self.inline_schema(schema, origin)
            produces = [m for m in produces if "json" not in m] or ["application/octet-stream"]
        else:
            schema = self.schema(schema, origin)
        examples = response.get("examples")
        shown_at = self.sources.written(response, "examples", at)
        content: list[tuple[str, object, Origin]] = []
        for media_type in produces or ["application/json"]:
            media = [("schema", schema, origin)]
            if is_mapping(examples) and media_type in examples:
                place = self.sources.written(examples, media_type, shown_at)
                media.append(("example", examples[media_type], place))
            content.append((media_type, self.build(*media), origin))
        return self.build(*content)

    def security_scheme(self, value: object, origin: Origin) -> object:
        """Return a security scheme."""
        if not is_mapping(value):
            return value
        members = self.members(value, origin)
        match value.get("type"):
            case "basic":
                kept = [m for m in members if m[0] != "type"]
                return self.build(
                    ("type", "http", origin / "type"), ("scheme", "basic", origin / "type"), *kept
                )
            case "oauth2":
                name = _FLOWS.get(str(value.get("flow")), "implicit")
                urls = ("authorizationUrl", "tokenUrl", "scopes")
                flow = self.build(*(m for m in members if m[0] in urls))
                flows = self.build((name, flow, origin / "flow"))
                kept = [m for m in members if m[0] not in (*urls, "flow")]
                return self.build(*kept, ("flows", flows, origin / "flow"))
            case _:
                return value


def _is_own_extension(key: str) -> bool:
    """Return whether an extension speaks of the parameter and not of its schema."""
    return key.startswith("x-") and not key.lower().startswith(_SCHEMA_EXTENSIONS)
