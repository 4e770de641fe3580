"""The component schemas of a description as JSON Schema 2020-12, read without lowering them.

What a client makes of a schema must be held against the schema itself, so nothing here knows the
IR. The dialects of OpenAPI become the one of JSON Schema: ``nullable`` admits null in any version,
boolean bounds and lists as ``items`` are understood, and what stands beside a reference counts from
version 3.1 on.

Beyond that, JSON Schema is taken by its word, save for the *readings* that are asked for: what
OpenAPI, or everybody who writes it, means by a schema where JSON Schema says something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from typing import Literal, get_args

from specloom.description.description import Description
from specloom.description.values import is_list, is_mapping
from specloom.diagnostics import Origin

from .hierarchies import Base, bases
from .judge import Definitions, Judge, Schema

Reading = Literal["objects", "tags", "one", "received", "formats", "choice", "null"]
"""What may be read into schemas:

* ``objects``: one that declares properties, or items, and no type is about objects, or arrays;
* ``tags``: a discriminator selects the branch that a value has to fit;
* ``one``: ``oneOf`` accepts what fits several of its branches;
* ``received``: a ``writeOnly`` property is none, since what is received does not have it;
* ``formats``: text has the format that is declared, where that is one of ``ASSERTED``;
* ``null``: a branch that says no more than that it is nullable is null;
* ``choice``: a list as ``items`` has what each item may be, unless more is said about items.
"""

READINGS: frozenset[Reading] = frozenset(get_args(Reading))

ASSERTED = frozenset("date-time date time uuid decimal".split())
"""The formats that clients read as something other than text."""

Added = Callable[[Mapping[str, object]], Mapping[str, object]]
"""Gives the keywords that a schema is read with beside its own."""

_LONGEST_CHAIN = 10
_INNER = frozenset("not if then else contains items additionalProperties propertyNames".split())
_NAMED = frozenset("properties patternProperties dependentSchemas".split())
_AS_WRITTEN = frozenset(
    "minLength maxLength pattern minItems maxItems uniqueItems minProperties maxProperties "
    "multipleOf minContains maxContains dependentRequired const".split()
)
_PROSE = frozenset("nullable title description example examples default deprecated".split())
_BOUNDS = frozenset("minimum maximum exclusiveMinimum exclusiveMaximum".split())


def judge(
    description: Description,
    readings: Set[Reading] = READINGS,
    without: Set[str] = frozenset(),
) -> Judge:
    """Return the judge of the components of a description.

    ``readings`` is how schemas are read, ``without`` has keywords that are taken for nothing;
    "enum of objects" is an ``enum`` with objects or arrays in it, "undeclared required" a name in
    ``required`` of which the schema declares no property, "type beside a union" a ``type`` that
    stands beside ``oneOf`` or ``anyOf``.
    """
    reader = SchemaReader(description, readings, without)
    components = description.walk(("components", "schemas"))
    names: dict[str, str] = {}
    if components is not None and is_mapping(schemas := description.lookup(components)):
        names = {name: reader.name(components / name) for name in schemas}
    return Judge(reader.definitions(), names)


def _nothing(schema: Mapping[str, object]) -> Mapping[str, object]:
    return {}


class SchemaReader:
    """Reads schemas, and those that they refer to, into definitions."""

    def __init__(
        self,
        description: Description,
        readings: Set[Reading] = READINGS,
        without: Set[str] = frozenset(),
        *,
        hidden: Literal["readOnly", "writeOnly"] = "writeOnly",
        added: Added = _nothing,
    ) -> None:
        """Take a description, and how to read its schemas.

        ``hidden`` is what the properties say that are none in the direction in hand (the reading
        ``received``, and its counterpart); ``added`` is read into every schema.
        """
        self._hidden = hidden
        self._added = added
        self._description = description
        self._readings = readings
        self._without = without
        self._modern = not description.version.startswith(("2.", "3.0"))
        self._bases = bases(description) if "tags" in readings else {}
        self._names: dict[tuple[Origin, bool], str] = {}
        self._waiting: list[tuple[Origin, bool]] = []

    def name(self, origin: Origin, *, bare: bool = False) -> str:
        """Return the name of the definition of the schema at an origin.

        A ``bare`` one is what others extend: it may have any tag.
        """
        key = origin, bare and (origin in self._bases or self._tagged(origin) is not None)
        if key not in self._names:
            self._names[key] = f"{len(self._names)}"
            self._waiting.append(key)
        return self._names[key]

    def definitions(self) -> Definitions:
        """Return the definitions of everything that was named, and of what that refers to."""
        found: Definitions = {}
        while self._waiting:
            origin, bare = key = self._waiting.pop()
            if origin in self._bases and not bare:
                found[self._names[key]] = self._base(self._bases[origin], origin)
                continue
            plain = self._plain(self._description.lookup(origin), origin)
            tagged = None if bare else self._tagged(origin)
            found[self._names[key]] = {"allOf": [plain, tagged]} if tagged else plain
        return found

    def _base(self, base: Base, origin: Origin) -> Schema:
        """Return what is a value of a subtype, or of the base alone."""
        every = [tag for tags in base.subtypes.values() for tag in tags]
        other = {"properties": {base.property: {"not": {"enum": every}}}}
        alone = {"allOf": [{"$ref": f"#/$defs/{self.name(origin, bare=True)}"}, other]}
        return {"anyOf": [*({"$ref": f"#/$defs/{self.name(o)}"} for o in base.subtypes), alone]}

    def _tagged(self, origin: Origin) -> Schema | None:
        """Return what the discriminators of its bases say of a subtype."""
        for base in self._bases.values():
            if origin in base.subtypes:
                tag = {"enum": base.subtypes[origin]}
                return {"required": [base.property], "properties": {base.property: tag}}
        return None

    def _plain(self, schema: object, origin: Origin, *, bare: bool = False) -> Schema:
        if not is_mapping(schema):
            return schema if isinstance(schema, bool) else True
        ref = schema.get("$ref")
        plain = self._own(schema, origin)
        target = self._description.resolve(ref, origin) if isinstance(ref, str) else None
        if "$recursiveRef" in schema or "$dynamicRef" in schema:
            target = self._dynamic(schema, origin)
        if target is not None:
            beside: dict[str, object] = {"allOf": [plain]} if self._modern and plain else {}
            plain = {"$ref": f"#/$defs/{self.name(target, bare=bare)}", **beside}
        if True in (schema.get("nullable"), schema.get("x-nullable")):
            return {"anyOf": [plain, {"type": "null"}]}
        return plain

    def _dynamic(self, schema: dict[str, object], origin: Origin) -> Origin | None:
        """Return where a dynamic reference leads to, as long as nobody extends its schema.

        A recursive one leads to the schema around it that says so (JSON Schema 2019-09, §8.2.4.2).
        """
        ref = schema.get("$dynamicRef")
        if isinstance(ref, str):
            return self._description.resolve(ref, origin)
        found, around = None, Origin(origin.uri)
        for token in origin.tokens:
            around /= token
            value = self._description.lookup(around)
            if is_mapping(value) and value.get("$recursiveAnchor") is True:
                found = around
        return found

    def _own(self, schema: dict[str, object], origin: Origin) -> dict[str, object]:
        """Return what a schema says beside a reference, if it has one."""
        plain: dict[str, object] = {}
        also: list[object] = []
        for keyword, value in schema.items():
            match keyword:
                case _ if keyword in self._without:
                    continue
                case "oneOf" | "anyOf" if is_list(value) and value:
                    read = "anyOf" if "one" in self._readings else keyword
                    also.append({read: self._branches(keyword, value, schema, origin)})
                case "allOf" if is_list(value) and value:
                    also += self._all(value, origin / keyword, bare=True)
                case _:
                    plain |= dict(self._keyword(keyword, value, schema, origin))
        if "objects" in self._readings and "type" not in schema:
            plain |= _implied(plain)
        if added := self._added(schema):
            also.append(dict(added))
        return plain | ({"allOf": also} if also else {})

    def _keyword(
        self, keyword: str, value: object, schema: dict[str, object], origin: Origin
    ) -> Iterator[tuple[str, object]]:
        """Yield what becomes of a keyword: usually itself."""
        at = origin / keyword
        match keyword:
            case "type" if "type beside a union" in self._without and _is_union(schema):
                return
            case "type" if isinstance(value, str) or is_list(value):
                yield keyword, value
            case "enum" if "enum of objects" in self._without and _has_containers(value):
                return
            case "enum" if is_list(value) and value:
                yield keyword, list(self._constants(value, schema, at))
            case "properties" if is_mapping(value):
                yield (
                    keyword,
                    {
                        name: self._plain(one, at / name)
                        for name, one in value.items()
                        if not self._is_hidden(one, at / name)
                    },
                )
            case "required" if is_list(value):
                properties = schema.get("properties")
                own = properties if is_mapping(properties) else {}
                inside = origin / "properties"
                declared = "undeclared required" in self._without
                yield (
                    keyword,
                    [
                        name
                        for name in dict.fromkeys(map(str, value))
                        if not self._is_hidden(own.get(name), inside / name)
                        and not (declared and name not in own)
                    ],
                )
            case "format" if value in ASSERTED and "formats" in self._readings:
                yield keyword, value
            case "items" if is_list(value) and self._is_choice(schema):
                yield keyword, {"anyOf": self._all(value, at)}
            case "prefixItems" | "items" if is_list(value) and value:
                yield "prefixItems", self._all(value, at)
            case _ if keyword in _BOUNDS:
                yield from _bound(keyword, value, schema)
            case _ if keyword in _AS_WRITTEN:
                yield keyword, value
            case _ if keyword in _INNER and not is_list(value):
                yield keyword, self._plain(value, at)
            case _ if keyword in _NAMED and is_mapping(value):
                yield keyword, {name: self._plain(one, at / name) for name, one in value.items()}
            case _:
                return

    def _is_choice(self, schema: dict[str, object]) -> bool:
        return "choice" in self._readings and "additionalItems" not in schema

    def _all(self, schemas: list[object], origin: Origin, *, bare: bool = False) -> list[object]:
        places = enumerate(schemas)
        return [self._plain(schema, origin / index, bare=bare) for index, schema in places]

    def _branches(
        self, keyword: str, written: list[object], schema: dict[str, object], origin: Origin
    ) -> list[object]:
        """Return the branches of a union, each with its own values of a discriminator."""
        branches = self._all(written, origin / keyword)
        if "null" in self._readings:
            for index, branch in enumerate(written):
                if is_mapping(branch) and branch.get("nullable") and branch.keys() <= _PROSE:
                    branches[index] = {"type": "null"}
        discriminator = schema.get("discriminator")
        if not is_mapping(discriminator) or "tags" not in self._readings:
            return branches
        name, mapping = discriminator.get("propertyName"), discriminator.get("mapping")
        if not isinstance(name, str) or "defaultMapping" in discriminator:
            return branches
        stated = mapping if is_mapping(mapping) else {}
        at = origin / "discriminator" / "mapping"
        targets = {value: self._mapped(ref, at) for value, ref in stated.items()}
        for index, branch in enumerate(written):
            ref = branch.get("$ref") if is_mapping(branch) else None
            target = self._description.resolve(ref, origin) if isinstance(ref, str) else None
            if target is not None:
                tags: list[object] = [v for v, leads in targets.items() if leads == target]
                if not tags and not self._is_constant(branch, origin, name):
                    tags = [target.tokens[-1]]
                tag = {"properties": {name: {"enum": tags}}} if tags else {}
                tagged = {"required": [name], **tag}
                branches[index] = {"allOf": [branches[index], tagged]}
        return branches

    def _is_constant(self, schema: object, origin: Origin, name: str) -> bool:
        """Whether a schema says itself which values a property has; it needs no other tags."""
        for _ in range(_LONGEST_CHAIN):
            if not is_mapping(schema):
                return False
            properties = schema.get("properties")
            stated = properties.get(name) if is_mapping(properties) else None
            if is_mapping(stated):
                while is_mapping(stated) and isinstance(ref := stated.get("$ref"), str):
                    target = self._description.resolve(ref, origin)
                    stated = None if target is None else self._description.lookup(target)
                return is_mapping(stated) and bool(stated.keys() & {"const", "enum"})
            branches = schema.get("allOf")
            if is_list(branches):
                return any(self._is_constant(one, origin, name) for one in branches)
            ref = schema.get("$ref")
            target = self._description.resolve(ref, origin) if isinstance(ref, str) else None
            if target is None:
                return False
            schema, origin = self._description.lookup(target), target
        return False

    def _mapped(self, ref: object, at: Origin) -> Origin | None:
        """Return where a value of a mapping leads: it is a name or a reference."""
        if not isinstance(ref, str):
            return None
        named = self._description.walk(("components", "schemas", ref))
        return named or self._description.resolve(ref, at)

    def _constants(
        self, values: list[object], schema: dict[str, object], at: Origin
    ) -> Iterator[object]:
        """Yield the values of an enum; those of strings as their author spelled them."""
        for index, value in enumerate(values):
            unquoted = isinstance(value, int | float) and schema.get("type") == "string"
            yield (self._description.text(at / index) or value) if unquoted else value

    def _is_hidden(self, schema: object, at: Origin) -> bool:
        """Whether a property is only sent: its schema says so, or the one that it refers to."""
        for _ in range(_LONGEST_CHAIN):
            if not is_mapping(schema) or "received" not in self._readings:
                return False
            if schema.get(self._hidden) is True:
                return True
            # Of several annotations, a true one decides (JSON Schema, section 9.4).
            parts = schema.get("allOf")
            if is_list(parts) and any(is_mapping(p) and p.get(self._hidden) for p in parts):
                return True
            ref = schema.get("$ref")
            target = self._description.resolve(ref, at) if isinstance(ref, str) else None
            if target is None:
                return False
            schema, at = self._description.lookup(target), target
        return False


def _implied(plain: dict[str, object]) -> dict[str, object]:
    """Return the type that a schema without one most likely speaks of."""
    if plain.keys() & {"properties", "additionalProperties"}:
        return {"type": "object"}
    return {"type": "array"} if plain.keys() & {"items", "prefixItems"} else {}


def _is_union(schema: dict[str, object]) -> bool:
    return bool(schema.keys() & {"oneOf", "anyOf"})


def _has_containers(values: object) -> bool:
    return is_list(values) and any(is_list(one) or is_mapping(one) for one in values)


def _bound(keyword: str, value: object, schema: dict[str, object]) -> Iterator[tuple[str, object]]:
    """Yield a bound; before JSON Schema 6, a boolean said that one is exclusive."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    exclusive = f"exclusive{keyword.capitalize()}"
    yield (exclusive if schema.get(exclusive) is True else keyword), value
