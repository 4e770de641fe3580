"""Where openapi-core is wrong about a request, or cannot read it: a closed list.

Each limit says why, and shows it by a place in openapi-core's source (release 0.23.1) or by a
paragraph of the specification. It holds where its condition does, which is about what was declared
and meant, not only about what openapi-core says. What no limit explains is a fault of the client.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from specloom.description.values import is_list, is_mapping

from .described import METHODS, Operation, Parameter
from .draws import Drawn, Side, is_undefined, kept_of, kind_of, plain

_REQUIRED = re.compile("'([^']+)' is a required property")
_VARIABLE = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True)
class Finding:
    """Something that openapi-core says of a part of a request."""

    part: str
    said: str
    operation: Operation
    drawn: Drawn
    path: str
    """The path that was sent."""
    others: tuple[Operation, ...]
    """All operations of the description."""
    sent: Side
    version: str

    @property
    def parameter(self) -> Parameter | None:
        """The parameter that it is about."""
        for one in self.operation.parameters:
            if one.key == self.part:
                return one
        return None

    @property
    def value(self) -> object:
        """The value that was meant by the part."""
        return self.drawn.body if self.part == "body" else self.drawn.parameters.get(self.part)

    @property
    def kind(self) -> str | None:
        """How the body is written, if the part is the body."""
        if self.part != "body" or self.drawn.content is None:
            return None
        return kind_of(self.drawn.content, self.sent)

    def has_type(self) -> bool:
        """Whether the schema of the parameter says by itself which one kind its values are."""
        parameter = self.parameter
        if parameter is None or parameter.schema is None:
            return False
        schema = self.sent.schema(parameter.schema)
        while is_mapping(schema) and "$ref" in schema and len(schema) == 1:
            schema = self.sent.drawer.target(schema["$ref"])
        return is_mapping(schema) and isinstance(schema.get("type"), str)

    def fits(self) -> int:
        """How many other paths are that of the request, with no more variables in them."""
        mine = self.operation.path
        return sum(
            other.path != mine
            and other.path.count("{") <= mine.count("{")
            and other.method == self.operation.method
            and _fits(other.path, self.path)
            for other in self.others
        )


def _fits(template: str, path: str) -> bool:
    literal = _VARIABLE.split(template.partition("#")[0].partition("?")[0])
    return re.fullmatch("[^/]*".join(map(re.escape, literal)), path) is not None


def _holds(value: object, kind: type | tuple[type, ...] | None) -> bool:
    """Whether there is a value of a kind in a value; None is null."""
    if value is None if kind is None else isinstance(value, kind):
        return True
    inside = value if is_list(value) else value.values() if is_mapping(value) else ()
    return any(_holds(one, kind) for one in inside)


def _has_part_of_no_text(value: object) -> bool:
    """Whether a property of a form is neither text nor a file nor an array of these."""
    inside = value.values() if is_mapping(value) else ()
    flat = [one for each in inside for one in (each if is_list(each) else [each])]
    return any(not isinstance(one, str | bytes) and one is not None for one in flat)


def _has_media_types(finding: Finding) -> bool:
    """Whether a part of a form has a media type of its own."""
    content = finding.drawn.content
    return content is not None and any(one.media_types for one in content.encodings.values())


def _is_deep(finding: Finding) -> bool:
    """Whether ``deepObject`` is declared for what this does not define, or written so."""
    if "'deepObject'" in finding.said and "not available" in finding.said:
        return True
    if finding.parameter is not None:
        style = finding.parameter.style
        value = kept_of(finding.value)
        return style is not None and style.name == "deepObject" and _is_nested(value)
    content = finding.drawn.content
    if content is None or not is_mapping(finding.value):
        return False
    return any(
        encoding.style is not None and encoding.style.name == "deepObject" and name in finding.value
        for name, encoding in content.encodings.items()
    )


def _is_nested(value: object) -> bool:
    inside = value.values() if is_mapping(value) else ()
    return (
        is_list(value)
        or any(is_list(one) or is_mapping(one) for one in inside)
        or any(re.search(r"[^\w]", name) for name in (value if is_mapping(value) else ()))
    )


def _is_referred(finding: Finding) -> bool:
    """Whether somewhere in the schema of the body the properties are a reference."""
    content = finding.drawn.content
    if content is None or content.schema is None:
        return False
    waiting: list[object] = [finding.sent.schema(content.schema)]
    seen: set[int] = set()
    while waiting:
        schema = waiting.pop()
        if is_list(schema):
            waiting += schema
        elif is_mapping(schema) and id(schema) not in seen:
            seen.add(id(schema))
            properties = schema.get("properties")
            if is_mapping(properties) and properties.get("$ref") is True:
                return True
            ref = schema.get("$ref")
            waiting += schema.values()
            if isinstance(ref, str):
                waiting.append(finding.sent.drawer.target(ref))
    return False


def _is_undeclared(finding: Finding) -> bool:
    """Whether a required property of a form, which was sent, is not declared."""
    content, name = finding.drawn.content, _REQUIRED.search(finding.said)
    if content is None or content.schema is None or name is None:
        return False
    declared = finding.sent.property(finding.sent.schema(content.schema), name[1])
    return is_mapping(finding.value) and name[1] in finding.value and not list(declared)


def _misses_read_only(finding: Finding) -> bool:
    """Whether a body lacks what it would need if what is readOnly were sent."""
    content = finding.drawn.content
    if content is None or content.schema is None:
        return False
    meant = finding.value if finding.kind == "json" else kept_of(finding.value)
    fits = finding.sent.is_valid(content.schema, meant)
    return fits and not finding.sent.word.validator(str(content.schema)).is_valid(plain(meant))


def _is_union(finding: Finding) -> bool:
    content = finding.drawn.content
    if content is None or content.schema is None:
        return False
    schema: object = finding.sent.schema(content.schema)
    while is_mapping(schema) and "$ref" in schema:
        schema = finding.sent.drawer.target(schema["$ref"])
    return "anyOf" in str(schema) and is_mapping(schema) and "type" not in schema


Condition = Callable[[Finding], bool]

LIMITS: Mapping[str, Condition] = {
    "a parameter that is the whole query has no place that it knows (datatypes.py, "
    "RequestParameters; OpenAPI 3.2, Parameter Object: querystring)": lambda f: any(
        one.place == "querystring" for one in f.operation.parameters
    ),
    "a path that tells its operations apart by what follows a # or a ? is none to it "
    "(templating/paths/parsers.py compares all of it)": lambda f: (
        f.part in ("path", "operation", "body")
        and any(
            re.search("[#?]", other.path)
            and re.split("[#?]", other.path)[0] == re.split("[#?]", f.operation.path)[0]
            for other in f.others
        )
    ),
    "a path is compared as it is declared, where characters in it have to be percent-encoded "
    "(templating/paths/parsers.py; RFC 3986, section 3.3)": lambda f: (
        f.part == "path" and quote(f.operation.path, safe="/{}:@!$&'()*+,;=%") != f.operation.path
    ),
    "a reference stands in place of properties, and it follows that (OpenAPI, Schema Object: they "
    "are schemas by name)": lambda f: f.part in ("body", "crash") and _is_referred(f),
    "another path of the description fits as well (OpenAPI, Paths Object: ambiguous matching is "
    "left to tools)": lambda f: f.fits() > 0,
    "a path parameter is declared that the path does not have (OpenAPI, Parameter Object: each "
    "name corresponds to a template expression)": lambda f: (
        f.part.startswith("path ") and f.part.removeprefix("path ") in f.operation.unplaced
    ),
    "an empty value in a query is refused (validation/validators.py, EmptyQueryParameterValue; "
    "OpenAPI, Style Examples: color=)": lambda f: (
        "EmptyQueryParameterValue" in f.said and f.value == ""
    ),
    "a schema with several types in a form is more than it can take (casting/schemas/casters.py: "
    "read_str of a list)": lambda f: (
        f.part == "crash" and "got <class 'list'>" in f.said and f.drawn.content is not None
    ),
    "of a form, it reads the properties that are declared, and not one that is only required "
    "(deserializing/media_types/deserializers.py, decode)": lambda f: (
        f.kind in ("form", "multipart") and _is_undeclared(f)
    ),
    "what is required is asked for, also if it is readOnly (OpenAPI 3.0.4, Fixed Fields: readOnly; "
    "later versions leave it to JSON Schema, which leaves it open)": lambda f: (
        _REQUIRED.search(f.said) is not None and _misses_read_only(f)
    ),
    "an object has to name its branch, also where a mapping is there by default or the branches "
    "tell themselves apart (openapi-schema-validator; OpenAPI 3.2, Discriminator Object: "
    "defaultMapping)": lambda f: "does not contain discriminating property" in f.said,
    "a method that OpenAPI 3.2 adds by additionalOperations is none to it (templating/paths/"
    "iterators.py, SimpleOperationsIterator)": lambda f: (
        f.part == "operation" and f.operation.method not in METHODS
    ),
    "an enum without values admits nothing to it (JSON Schema, section 6.1.2: there should be at "
    "least one)": lambda f: "is not one of []" in f.said,
    "a parameter without one type of its own is cast to the first branch that takes its text, and "
    "never read as an array or an object (casting/schemas/casters.py, AnyCaster; "
    "deserializing/styles/factories.py reads the keyword type alone)": lambda f: (
        f.parameter is not None and f.parameter.style is not None and not f.has_type()
    ),
    "deepObject is read of an object of scalars alone, of which a value is named once and without "
    "other brackets in it (deserializing/styles/util.py, deep_object_loads; OpenAPI, Style Values "
    "defines no more)": lambda f: (
        ("'deepObject'" in f.said and "not available" in f.said) or _is_deep(f)
    ),
    "an exploded object is looked for under its own name, which is not sent "
    "(deserializing/styles/util.py, form_loads)": lambda f: (
        f.parameter is not None
        and f.parameter.style is not None
        and f.parameter.style.explode
        and is_mapping(f.value)
    ),
    "a list or an object is taken apart after it was decoded, so that what separates is not told "
    "apart from what is separated (deserializing/styles/util.py, split)": lambda f: (
        f.parameter is not None
        and f.parameter.style is not None
        and not (f.parameter.style.name == "form" and f.parameter.style.explode)
        and (is_list(f.value) or is_mapping(f.value))
        and any(re.search("[,;.|= ]|%20", text) for text in _texts(f.value))
    ),
    "a form without fields is an empty body, which it takes for none (validation/request/"
    "validators.py, _get_body_value)": lambda f: (
        f.kind == "form"
        and re.match("MissingRequiredRequestBody|reads None", f.said) is not None
        and _is_nothing(f.value)
    ),
    "bytes are no string to it where the schema does not say format: binary, and from version 3.1 "
    "on anyway (OpenAPI 3.1, Considerations for File Uploads; deserializing/media_types/util.py, "
    "binary_loads)": lambda f: (
        f.kind in ("multipart", "bytes", "text")
        and re.search(r"\bb\\?['\"].* is not (of type|valid under)", f.said) is not None
        and (f.kind != "multipart" or _holds(f.value, bytes) or _has_media_types(f))
    ),
    "text that stands for another kind of value is no such value to it, as the whole of a body or "
    "as a part of one (deserializing/media_types/deserializers.py does not cast)": lambda f: (
        f.kind == "text" or (f.kind == "multipart" and _has_part_of_no_text(f.value))
    ),
    "of a form whose schema is a union, it reads the properties of the branch alone that the texts "
    "fit as they are (validation/schemas/validators.py, get_one_of_schema)": lambda f: (
        f.kind in ("form", "multipart") and _is_union(f)
    ),
    "an object in a form is read in the style form, and not as JSON (deserializing/media_types/"
    "deserializers.py, decode_property; OpenAPI 3.1.1, Encoding Object: contentType)": lambda f: (
        f.kind == "form" and _holds(list(_values(f.value)), dict)
    ),
    "an array of which a form has no part is an empty one (deserializing/media_types/"
    "deserializers.py, getlist)": lambda f: (
        f.kind in ("form", "multipart") and f.said.startswith("reads") and "[]" in f.said
    ),
    "null beside nullable is refused where the version, an enum or a reference beside it leaves "
    "that open (OpenAPI 3.0.4, Fixed Fields: nullable; 3.1 has no such keyword)": lambda f: (
        re.search(r"\bNone is not |is not valid under any", f.said) is not None
        and _holds(f.value, None)
    ),
    "a mapping of a discriminator that names a component is read as a reference "
    "(openapi-schema-validator; OpenAPI, Discriminator Object: a name or a URI)": lambda f: (
        "could not be resolved" in f.said and f.part == "body"
    ),
}
"""Why openapi-core differs, and what is then so."""


def _texts(value: object) -> list[str]:
    if is_mapping(value):
        return [*value, *(text for one in value.values() for text in _texts(one))]
    if is_list(value):
        return [text for one in value for text in _texts(one)]
    return [value] if isinstance(value, str) else []


def _values(value: object) -> list[object]:
    return list(value.values()) if is_mapping(value) else []


def _is_nothing(value: object) -> bool:
    return all(is_undefined(kept_of(one)) for one in _values(value))


def limit_of(finding: Finding) -> str | None:
    """Return why openapi-core says this, if it is one of its known limits."""
    return next((why for why, holds in LIMITS.items() if holds(finding)), None)
