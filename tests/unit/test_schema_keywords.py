"""Every keyword makes a type or a limit, is said in prose, or is reported."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specloom import ir
from specloom.lower import vocabulary
from specloom.python.demands import demands

from .make import Plain, document, lowered, ref

KEYWORDS = st.sampled_from(sorted(vocabulary.KNOWN))
EMPTY: Plain = {}
TEXT: Plain = {"type": "string"}
WHOLE: Plain = {"type": "integer"}
STRING, INTEGER, BOOLEAN = (ir.Primitive(k) for k in ("string", "integer", "boolean"))


def limits(**found: object) -> ir.Constraints:
    """Return limits by their keywords."""
    return tuple((keyword, ir.constant(value)) for keyword, value in found.items())


def constants(*values: object) -> ir.Literal:
    """Return the type of one of these constants."""
    return ir.Literal(tuple(ir.constant(value) for value in values))


def maybe(type_: ir.Type) -> ir.Type:
    """Return a type or null."""
    return ir.Union((type_, ir.NULL))


def of(schema: object, version: str = "3.1.0", **others: object) -> tuple[ir.Type, list[str]]:
    """Return the type of a property, and the codes of what is reported about it."""
    holder: Plain = {"type": "object", "properties": {"p": schema}}
    described = lowered({**document({"It": holder, **others}), "openapi": version})
    ((type_, _),) = described.types("It").values()
    return type_, described.codes


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (True, ir.UNKNOWN),
        (False, ir.NEVER),
        ({"not": {}}, ir.NEVER),
        ({"not": True}, ir.NEVER),
        ({}, ir.UNKNOWN),
        ({"type": "array", "items": False}, ir.Array(ir.NEVER)),
        ({"type": "object", "additionalProperties": False}, ir.Map(ir.NEVER)),
        ({"anyOf": [TEXT, False]}, STRING),
        ({"anyOf": [TEXT, True]}, ir.UNKNOWN),
        ({"anyOf": [False]}, ir.NEVER),
        ({"allOf": [TEXT, False]}, ir.NEVER),
        ({"allOf": [TEXT, True]}, STRING),
    ],
)
def test_boolean_schemas(schema: object, expected: ir.Type) -> None:
    assert of(schema) == (expected, [])


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"prefixItems": [TEXT, WHOLE], "items": False}, ir.Tuple((STRING, INTEGER), ir.NEVER)),
        ({"prefixItems": [TEXT], "items": WHOLE}, ir.Tuple((STRING,), INTEGER)),
        ({"prefixItems": [TEXT]}, ir.Tuple((STRING,), ir.UNKNOWN)),
        ({"prefixItems": [TEXT], "unevaluatedItems": False}, ir.Tuple((STRING,), ir.NEVER)),
        (
            {"type": "array", "prefixItems": [TEXT], "minItems": 1, "maxItems": 1},
            ir.Tuple((STRING,), ir.NEVER, limits(minItems=1, maxItems=1)),
        ),
        ({"items": [TEXT], "additionalItems": False}, ir.Tuple((STRING,), ir.NEVER)),
        ({"items": [TEXT, WHOLE], "additionalItems": WHOLE}, ir.Tuple((STRING, INTEGER), INTEGER)),
        ({"items": [TEXT, {"type": "null"}]}, ir.Array(maybe(STRING))),
        (
            {"allOf": [{"prefixItems": [TEXT]}], "unevaluatedItems": False, "type": "array"},
            ir.Tuple((STRING,), ir.NEVER),
        ),
        (
            {"allOf": [{"items": TEXT}], "unevaluatedItems": False, "type": "array"},
            ir.Array(STRING),
        ),
        (
            {"contains": TEXT, "unevaluatedItems": WHOLE, "type": "array"},
            ir.Array(ir.Union((INTEGER, STRING)), limits(contains=TEXT)),
        ),
        ({"type": "array", "items": TEXT}, ir.Array(STRING)),
        ({"type": "array"}, ir.Array(ir.UNKNOWN)),
        (
            {"type": "array", "items": WHOLE, "contains": {"const": 1}, "minContains": 2},
            ir.Array(INTEGER, limits(contains={"const": 1}, minContains=2)),
        ),
    ],
)
def test_lists(schema: Plain, expected: ir.Type) -> None:
    assert of(schema) == (expected, [])


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"additionalProperties": TEXT}, ir.Map(STRING)),
        ({"unevaluatedProperties": TEXT, "type": "object"}, ir.Map(STRING)),
        ({"patternProperties": {".*": TEXT}}, ir.Map(STRING)),
        ({"patternProperties": {"^a": True}}, ir.Map(ir.UNKNOWN)),
        (
            {"patternProperties": {"^a": TEXT}, "additionalProperties": WHOLE},
            ir.Map(ir.Union((STRING, INTEGER))),
        ),
        ({"patternProperties": {"^a": TEXT}, "additionalProperties": True}, ir.Map(ir.UNKNOWN)),
        (
            {"patternProperties": {"^a": TEXT}, "additionalProperties": False},
            ir.Map(STRING, limits(propertyNames={"pattern": "^a"})),
        ),
        (
            {"additionalProperties": TEXT, "propertyNames": ref("Key"), "minProperties": 1},
            ir.Map(STRING, limits(minProperties=1, propertyNames={"enum": ["x", "y"]})),
        ),
        (
            {"additionalProperties": TEXT, "propertyNames": {"pattern": "^a", "maxLength": 3}},
            ir.Map(STRING, limits(propertyNames={"pattern": "^a", "maxLength": 3})),
        ),
        ({"additionalProperties": TEXT, "propertyNames": TEXT}, ir.Map(STRING)),
        (
            {"additionalProperties": TEXT, "dependentRequired": {"a": ["b"]}},
            ir.Map(STRING, limits(dependentRequired={"a": ["b"]})),
        ),
        (
            {"additionalProperties": TEXT, "dependencies": {"a": ["b"]}},
            ir.Map(STRING, limits(dependentRequired={"a": ["b"]})),
        ),
    ],
)
def test_maps(schema: Plain, expected: ir.Type) -> None:
    assert of(schema, Key={"enum": ["x", "y"]}) == (expected, [])


def test_what_names_cannot_be_limited_by_is_reported() -> None:
    union: Plain = {"anyOf": [{"pattern": "^a"}, {"const": "b"}]}
    found = of({"additionalProperties": TEXT, "propertyNames": union})
    assert found == (ir.Map(STRING), ["unsupported-keyword"])


@pytest.mark.parametrize(
    ("beside", "expected", "names"),
    [
        ({"additionalProperties": WHOLE}, INTEGER, None),
        ({"additionalProperties": False}, ir.NEVER, None),
        ({"additionalProperties": True}, ir.UNKNOWN, None),
        ({}, ir.UNKNOWN, None),
        ({"unevaluatedProperties": False}, ir.NEVER, None),
        ({"patternProperties": {"^x": WHOLE}}, ir.UNKNOWN, None),
        ({"patternProperties": {"^x": False}}, ir.UNKNOWN, None),
        ({"allOf": [{"patternProperties": {"^x": WHOLE}}]}, ir.UNKNOWN, None),
        ({"patternProperties": {"": WHOLE}}, INTEGER, None),
        ({"patternProperties": {"^x": False}, "additionalProperties": False}, ir.NEVER, None),
        (
            {"patternProperties": {"^x": WHOLE}, "additionalProperties": False},
            INTEGER,
            {"anyOf": [{"enum": ["a"]}, {"pattern": "^x"}]},
        ),
    ],
)
def test_other_properties_of_a_model(beside: Plain, expected: ir.Type, names: object) -> None:
    model = lowered(document({"It": {"properties": {"a": {}}, **beside}})).model("It")
    assert model.additional == expected
    assert model.constraints == (() if names is None else limits(propertyNames=names))


def test_names_that_match_no_pattern_may_have_anything() -> None:
    found = of({"patternProperties": {"^a": TEXT, "^b": WHOLE}})
    assert found == (ir.Map(ir.UNKNOWN), ["unsupported-keyword"] * 2)


def test_patterns_speak_of_declared_names_too() -> None:
    holder: Plain = {
        "properties": {"a": {}, "ab": {"type": "integer", "minimum": 1}, "c": TEXT},
        "patternProperties": {"^a": {"type": "integer", "maximum": 9}, "[": {"type": "null"}},
        "additionalProperties": False,
    }
    found = {
        name: type_ for name, (type_, _) in lowered(document({"It": holder})).types("It").items()
    }
    assert found == {
        "a": ir.Primitive("integer", None, limits(maximum=9)),
        "ab": ir.Primitive("integer", None, limits(maximum=9, minimum=1)),
        "c": STRING,
    }


@pytest.mark.parametrize(
    ("several", "expected"),
    [
        (({"multipleOf": 2}, {"multipleOf": 3}), {"multipleOf": 6}),
        (({"multipleOf": 0.5}, {"multipleOf": 0.75}), {"multipleOf": 1.5}),
        (({"multipleOf": 0.1}, {"multipleOf": 0.25}), {"multipleOf": 0.5}),
        (({"minimum": 1}, {"minimum": 3, "maximum": 3}), {"minimum": 3, "maximum": 3}),
    ],
)
def test_limits_that_hold_together(several: tuple[Plain, ...], expected: dict[str, object]) -> None:
    found = of({"allOf": [{"type": "number"}, *several]})
    assert found == (ir.Primitive("number", None, limits(**expected)), [])


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "minLength": 5, "maxLength": 2},
        {"type": "integer", "minimum": 3, "exclusiveMaximum": 3},
        {"type": "array", "items": TEXT, "allOf": [{"minItems": 2}, {"maxItems": 1}]},
        {"properties": {"a": TEXT}, "minProperties": 2, "maxProperties": 1},
        {"additionalProperties": TEXT, "minProperties": 2, "maxProperties": 1},
    ],
)
def test_limits_that_contradict_each_other_are_reported(schema: Plain) -> None:
    assert of(schema)[1] == ["conflicting-limits"]


def test_a_dynamic_reference_whose_target_can_change_is_typed_as_anything() -> None:
    tree: Plain = {
        "$id": "https://e.x/tree",
        "$dynamicAnchor": "node",
        "properties": {"children": {"type": "array", "items": {"$dynamicRef": "#node"}}},
    }
    alone = lowered(document({"Tree": tree}))
    assert alone.types("Tree")["children"][0] == ir.Array(ir.Ref(alone.id("Tree")))
    assert alone.codes == []
    other: Plain = {"$id": "https://e.x/other", "$dynamicAnchor": "node", "$ref": "tree"}
    both = lowered(document({"Tree": tree, "Other": other}))
    assert both.types("Tree")["children"][0] == ir.Array(ir.UNKNOWN)
    assert both.codes == ["unsupported-keyword"]


def test_null_is_one_of_the_constants_of_every_kind() -> None:
    found, codes = of({"enum": [None, True, 1, "1", 1.5, [1], {"a": 1}]})
    assert isinstance(found, ir.Union)
    assert (found.members[-1], codes) == (ir.NULL, [])


@pytest.mark.parametrize(
    ("beside", "added", "codes"),
    [
        ({"then": {"properties": {"x": TEXT}}, "if": {}}, {"x": STRING}, ["untyped-condition"]),
        (
            {
                "if": {"properties": {"a": {"const": 1}, "z": WHOLE}},
                "else": {"properties": {"x": WHOLE}},
            },
            {"x": ir.UNKNOWN, "z": ir.UNKNOWN},
            ["untyped-condition"],
        ),
        (
            {
                "if": {},
                "then": {"properties": {"x": TEXT}},
                "else": {"properties": {"x": WHOLE, "a": WHOLE}},
            },
            {"x": ir.Union((STRING, INTEGER))},
            ["untyped-condition"],
        ),
        (
            {"dependentSchemas": {"a": {"properties": {"x": TEXT}}}},
            {"x": STRING},
            ["untyped-condition"],
        ),
        (
            {"dependentSchemas": {"z": {"properties": {"x": TEXT}}}},
            {"x": ir.UNKNOWN},
            ["untyped-condition"],
        ),
        (
            {"dependencies": {"a": {"properties": {"x": TEXT}}}},
            {"x": STRING},
            ["untyped-condition"],
        ),
        ({"not": {"required": ["b"]}}, {}, ["untyped-condition"]),
    ],
)
def test_properties_of_some_cases_are_optional(
    beside: Plain, added: dict[str, ir.Type], codes: list[str]
) -> None:
    it: Plain = {"type": "object", "required": ["a"], "properties": {"a": TEXT}, **beside}
    described = lowered(document({"It": it}))
    expected = {"a": (STRING, True)} | {name: (type_, False) for name, type_ in added.items()}
    assert described.types("It") == expected
    assert described.codes == codes


def test_conditions_are_kept_where_they_stand_alone() -> None:
    assert of({"type": "string", "not": {"enum": ["a"]}}) == (
        ir.Primitive("string", None, limits(**{"not": {"enum": ["a"]}})),
        ["untyped-condition"],
    )
    assert of({"type": "string", "not": ref("It")})[0] == STRING


@pytest.mark.parametrize(
    ("schema", "expected", "codes"),
    [
        ({"enum": ["a", 1, True, None, "", "a", 1.5]}, maybe(constants("a", 1, True, "", 1.5)), []),
        ({"const": False}, constants(False), []),
        ({"type": "integer", "enum": [1, 2.0, 2]}, constants(1, 2), []),
        ({"type": "integer", "enum": [1, "a"]}, constants(1), ["unsupported-enum"]),
        ({"type": "integer", "enum": ["a"]}, INTEGER, ["unsupported-enum"]),
        (
            {"type": ["string", "integer"], "enum": ["a", 1, True]},
            constants("a", 1),
            ["unsupported-enum"],
        ),
        ({"type": "string", "enum": ["a", None]}, maybe(constants("a")), []),
        ({"type": "boolean", "enum": [True]}, constants(True), []),
        ({"type": "number", "enum": [1, 2.5]}, constants(1, 2.5), []),
        ({"enum": []}, ir.UNKNOWN, ["unsupported-enum"]),
        ({"type": "string", "enum": []}, STRING, ["unsupported-enum"]),
        ({"type": "string", "const": 5}, constants("5"), ["unsupported-enum"]),
        ({"type": "string", "const": None}, ir.NULL, ["unsupported-enum"]),
        ({"type": "string", "nullable": True, "const": None}, ir.NULL, []),
        ({"const": "a", "enum": ["b"]}, constants("a"), ["unsupported-enum"]),
        ({"enum": ["a", "b"], "const": "b"}, constants("b"), []),
        ({"enum": ["a", 1], "anyOf": [TEXT, WHOLE]}, constants("a", 1), []),
        (
            {"enum": ["a", "b"], "oneOf": [{"const": "a"}, {"const": "c"}]},
            constants("a"),
            ["excluded-branch"],
        ),
        ({"enum": [[1, 2], [3]]}, ir.Array(constants(1, 2, 3), limits(enum=[[1, 2], [3]])), []),
        (
            {"enum": [{"a": None}, "x"]},
            ir.Union((constants("x"), ir.Map(ir.NULL, limits(enum=[{"a": None}])))),
            [],
        ),
        ({"enum": [EMPTY]}, ir.Map(ir.NEVER, limits(enum=[EMPTY])), []),
    ],
)
def test_constants(schema: Plain, expected: ir.Type, codes: list[str]) -> None:
    assert of(schema) == (expected, codes)


NULLS: tuple[tuple[object, str], ...] = (
    ({"type": "string", "nullable": True}, "3.0.3"),
    ({"type": "string", "x-nullable": True}, "3.0.3"),
    ({"type": ["string", "null"]}, "3.1.0"),
    ({"anyOf": [TEXT, {"type": "null"}]}, "3.1.0"),
    ({"oneOf": [{"type": ["null"]}, TEXT]}, "3.1.0"),
    ({"anyOf": [TEXT, {"const": None}]}, "3.1.0"),
    ({"anyOf": [TEXT, {"enum": [None]}]}, "3.1.0"),
    ({"oneOf": [TEXT, {"nullable": True}]}, "3.0.3"),
    ({"allOf": [TEXT], "nullable": True}, "3.0.3"),
    ({"allOf": [TEXT, {"nullable": True}]}, "3.0.3"),
    ({"allOf": [ref("Text")], "nullable": True, "description": "x"}, "3.0.3"),
    ({"oneOf": [TEXT], "nullable": True}, "3.0.3"),
    ({"anyOf": [ref("Text")], "nullable": True, "type": "string"}, "3.0.3"),
    ({"type": ["string", "null"], "anyOf": [ref("Text")]}, "3.1.0"),
    ({"type": "string", "anyOf": [ref("Text"), {"type": "null"}]}, "3.1.0"),
    ({**ref("Text"), "nullable": True}, "3.0.3"),
    (ref("MaybeText"), "3.1.0"),
    ({"allOf": [ref("MaybeText")]}, "3.1.0"),
    ({"type": "string", "nullable": True}, "3.1.0"),
)


@pytest.mark.parametrize(("schema", "version"), NULLS)
def test_spellings_of_null(schema: object, version: str) -> None:
    found = of(schema, version, Text=TEXT, MaybeText={"type": "string", "nullable": True})
    assert found == (maybe(STRING), [])


@pytest.mark.parametrize(
    "schema", [{"type": "null"}, {"const": None}, {"enum": [None]}, {"type": ["null"]}]
)
def test_null_alone(schema: object) -> None:
    assert of(schema) == (ir.NULL, [])


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"minLength": 1}, ir.Primitive("string", None, limits(minLength=1))),
        ({"format": "date-time"}, ir.Primitive("string", "date-time")),
        ({"format": "int64"}, ir.Primitive("integer", "int64")),
        ({"maximum": 3}, ir.Primitive("number", None, limits(maximum=3))),
        (
            {"maximum": 3, "exclusiveMaximum": True, "minimum": 1, "exclusiveMinimum": False},
            ir.Primitive("number", None, limits(exclusiveMaximum=3, minimum=1)),
        ),
        ({"minItems": 1}, ir.Array(ir.UNKNOWN, limits(minItems=1))),
        ({"maxProperties": 1}, ir.Map(ir.UNKNOWN, limits(maxProperties=1))),
        (
            {"type": ["string", "integer"], "format": "date"},
            ir.Union((ir.Primitive("string", "date"), INTEGER)),
        ),
        ({"type": ["number", "integer"]}, ir.Union((ir.Primitive("number"), INTEGER))),
    ],
)
def test_what_is_meant_without_a_type(schema: Plain, expected: ir.Type) -> None:
    assert of(schema) == (expected, [])


@pytest.mark.parametrize(
    ("schema", "codes"),
    [
        ({"type": "text"}, ["unsupported-type"]),
        ({"frobnicate": 1}, ["unsupported-keyword"]),
        ({"type": "string", "minimum_length": 1}, ["unsupported-keyword"]),
        ({"allOf": [TEXT, WHOLE]}, ["conflicting-schemas"]),
        (3, ["invalid-schema"]),
        ({"type": "string", "contentSchema": ref("It")}, ["unsupported-keyword"]),
        ({"type": "array", "contains": ref("It")}, ["unsupported-keyword"]),
        ({"$recursiveRef": "#"}, ["unsupported-keyword"]),
        (
            {"type": "object", "oneOf": [{"type": "string"}, {"type": "object"}]},
            ["excluded-branch"],
        ),
    ],
)
def test_what_is_not_expressed_is_reported(schema: object, codes: list[str]) -> None:
    assert of(schema)[1] == codes


def test_a_type_that_contradicts_a_union_gives_way_to_its_branches() -> None:
    found, _ = of({"type": "object", "oneOf": [TEXT, {"additionalProperties": WHOLE}]})
    assert found == ir.Union((STRING, ir.Map(INTEGER)))


def test_recursive_references_lead_to_the_marked_schema_around_them() -> None:
    inner: Plain = {"type": "array", "items": {"$recursiveRef": "#"}}
    it: Plain = {"$recursiveAnchor": True, "type": "object", "properties": {"below": inner}}
    described = lowered(document({"It": it}))
    assert described.types("It") == {"below": (ir.Array(ir.Ref(described.id("It"))), False)}
    assert described.codes == []


@pytest.mark.parametrize(
    ("schema", "default"),
    [
        (ref("Kind"), "z"),
        (ref("Model"), []),
        (ref("Model"), {"a": 1}),
        (ref("Rows"), [1]),
        ({"type": "array", "items": WHOLE}, ["a"]),
        (WHOLE, "1"),
    ],
)
@pytest.mark.parametrize("beside", ["fits", "does not"])
def test_defaults_are_checked_through_names(schema: Plain, default: object, beside: str) -> None:
    fitting = {"z": "a", "1": 1, "[]": {"a": "x"}, "{'a': 1}": {}, "[1]": ["a"], "['a']": [1]}
    value = fitting[str(default)] if beside == "fits" else default
    holder: Plain = {"type": "object", "properties": {"p": {**schema, "default": value}}}
    model: Plain = {"type": "object", "properties": {"a": TEXT}}
    rows: Plain = {"type": "array", "items": TEXT}
    kind: Plain = {"enum": ["a", "b"]}
    described = lowered(document({"It": holder, "Kind": kind, "Model": model, "Rows": rows}))
    (prop,) = described.model("It").properties
    assert prop.default == (ir.constant(value) if beside == "fits" else None)
    assert described.codes == ([] if beside == "fits" else ["ill-typed-default"])


def test_what_is_said_of_values_is_in_the_prose() -> None:
    names: Plain = {
        "enum": [1, 2],
        "x-enum-varnames": ["ON", "OFF"],
        "x-enum-descriptions": ["lit", None],
    }
    objects: Plain = {
        "enum": ["a"],
        "x-ms-enum": {"values": [{"value": "a", "name": "A", "description": "first"}]},
    }
    mapped: Plain = {
        "enum": ["a", "b"],
        "x-enum-descriptions": {"b": "second"},
        "description": "Which.",
    }
    described = lowered(document({"Names": names, "Objects": objects, "Mapped": mapped}))
    docs = {name: described.component(name).doc for name in ("Names", "Objects", "Mapped")}
    assert docs == {
        "Names": "Values:\n\n- `1`: ON: lit\n- `2`: OFF",
        "Objects": "Values:\n\n- `a`: A: first",
        "Mapped": "Which.\n\nValues:\n\n- `b`: second",
    }


ODD: st.SearchStrategy[object] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.sampled_from(["", "a", "string", "object", 0.5]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(KEYWORDS | st.just("a"), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(st.dictionaries(KEYWORDS, ODD, max_size=5))
@settings(max_examples=300, deadline=None)
def test_a_description_may_hold_anything_anywhere(schema: Plain) -> None:
    described = lowered(document({"It": schema, "Use": {"properties": {"p": ref("It")}}}))
    assert "Use" in {getattr(d.place, "name", "") for d in described.api.types.values()}
    client = {text for type_ in described.api.types.values() for text in demanded(type_)}
    assert all(isinstance(text, str) for text in client)


def demanded(declared: ir.Declaration) -> Iterator[str]:
    """Yield what is said of the limits of a declaration."""
    if isinstance(declared, ir.Model):
        yield from demands(declared.constraints)
    elif isinstance(declared.type, ir.Primitive | ir.Array | ir.Tuple | ir.Map):
        yield from demands(declared.type.constraints)


def test_every_keyword_of_the_specification_is_known() -> None:
    """JSON Schema 2020-12 and the Schema Objects of OpenAPI 3.0 to 3.2."""
    written = (
        "$id $schema $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs "
        "prefixItems items contains additionalProperties properties patternProperties "
        "dependentSchemas propertyNames if then else allOf anyOf oneOf not unevaluatedItems "
        "unevaluatedProperties type enum const multipleOf maximum exclusiveMaximum minimum "
        "exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxContains "
        "minContains maxProperties minProperties required dependentRequired title description "
        "default deprecated readOnly writeOnly examples format contentEncoding contentMediaType "
        "contentSchema nullable discriminator xml externalDocs example"
    )
    assert set(written.split()) <= vocabulary.KNOWN
