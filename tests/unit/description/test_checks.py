"""Our own checks: what the schemas of OpenAPI do not see, said once and at its place."""

from __future__ import annotations

import pytest

from specloom.description.path_matches import Overlaps, same
from specloom.description.validate import validate
from specloom.diagnostics import Report
from specloom.lower.api import lower

from .desk import Desk

INFO = "info: {title: T, version: '1'}\n"
HEAD = f"openapi: 3.0.3\n{INFO}"
OK = "responses: {200: {description: ok}}"


def said(desk: Desk, text: str, **files: str) -> list[str]:
    """Return all that is said of a description: ``line:column [code] message``."""
    desk.write({f"{name}.yaml": content for name, content in files.items()})
    description = desk.loads(text)
    lower([description], desk.report)
    validate(description, desk.report)
    lines = desk.said(description)
    return [line.replace("warning", "").removeprefix("api.yaml:") for line in lines]


def schema(text: str, version: str = "3.0.3") -> str:
    """Write a description with one schema."""
    return f"openapi: {version}\n{INFO}paths: {{}}\ncomponents: {{schemas: {{\n  A: {text}}}}}\n"


def media(schema: str, example: str, kind: str = "application/json") -> str:
    """Write a description with one example of a body."""
    return (
        f"{HEAD}paths:\n  /a:\n    get:\n      responses:\n        200:\n"
        f"          description: ok\n          content:\n            {kind}:\n"
        f"              schema: {schema}\n              {example}\n"
    )


def paths(*templates: str, method: str = "get") -> str:
    """Write a description with these paths."""
    items = ""
    for path in templates:
        names = [piece.partition("}")[0] for piece in path.split("{")[1:]]
        listed = ", ".join(
            f"{{name: {name}, in: path, required: true, schema: {{type: string}}}}"
            for name in names
        )
        items += f"  {path}: {{{method}: {{parameters: [{listed}], {OK}}}}}\n"
    return f"{HEAD}paths:\n{items}"


@pytest.mark.parametrize(
    ("templates", "expected"),
    [
        (["/a/{x}", "/a/b"], []),
        (["/a/{x}", "/a/{x}/b"], []),
        (["/a/{x}/b", "/a/b/{y}", "/a/b/b"], ["5:3: [ambiguous-path]: a GET request for this"]),
        (["/a/{x}", "/a/{y}"], ["5:3: [ambiguous-path]: the path differs from '/a/{x}' in"]),
        (["/a/{x}.json", "/a/{y}.xml"], []),
        (["/a/{x}.json", "/a/{y}"], []),
        (["/a/{x}.json/{z}", "/a/{y}/z"], ["5:3: [ambiguous-path]: a GET request for this"]),
        (["/{x}/b", "/a/{y}", "/{x}/c"], ["5:3: [ambiguous-path]: a GET request for this"]),
    ],
)
def test_ambiguous_paths(desk: Desk, templates: list[str], expected: list[str]) -> None:
    lines = said(desk, paths(*templates))
    assert [line[: len(e)] for line, e in zip(lines, expected, strict=True)] == expected


def test_a_path_that_crosses_many_is_named_once(desk: Desk) -> None:
    (line,) = said(desk, paths("/{x}/b", "/{x}/c", "/{x}/d", "/a/{y}"))
    assert line == (
        "7:3: [ambiguous-path]: a GET request for this path can also fit '/{x}/b', or one of 2 more"
    )


def test_paths_of_different_methods_do_not_cross(desk: Desk) -> None:
    text = paths("/{x}/b") + paths("/a/{y}", method="post").split("paths:\n")[1]
    assert said(desk, text) == []


@pytest.mark.parametrize("path", ["/a{x}{y}b{z}c", "/" + "{x}" * 50 + "!", "//", "/{x}/{x}"])
def test_odd_paths(path: str) -> None:
    overlaps = Overlaps()
    overlaps.add("/" + "a" * 5000)
    assert overlaps.add(path) == []
    assert overlaps.add(path) == [path]
    assert same(path, path)


def test_a_flood_of_paths_ends() -> None:
    overlaps = Overlaps()
    for i in range(3_000):
        overlaps.add(f"/{{x}}a{i}/b")
        overlaps.add(f"/a{i}/{{y}}")
    assert 1_000_000 < overlaps.steps < 1_010_000


def test_unused_path_parameters(desk: Desk) -> None:
    used = "{name: b, in: path, required: true, schema: {type: string}}"
    text = (
        f"{HEAD}paths:\n  /a/{{b}}:\n    parameters: [{used}, {used.replace('b,', 'c,')}]\n"
        f"    get:\n      parameters:\n      - $ref: '#/components/parameters/D'\n      {OK}\n"
        f"components: {{parameters: {{D: {used.replace('b,', 'd,')}}}}}\n"
    )
    assert said(desk, text) == [
        "5:79: [unused-path-parameter]: the path '/a/{b}' has no {c} for this parameter to fill",
        "8:9: [unused-path-parameter]: the path '/a/{b}' has no {d} for this parameter to fill",
    ]


def test_an_undeclared_parameter_is_said_once_and_hides_nothing(desk: Desk) -> None:
    lines = said(desk, f"{HEAD}paths:\n  /a/{{b}}:\n    get: {{operationId: x}}\n")
    assert [line.split(":")[2] for line in lines] == [
        " [undeclared-path-parameter]",
        " [missing-field]",
    ]


def test_undeclared_tags(desk: Desk) -> None:
    operation = f"{{tags: [x, y], {OK}}}"
    text = f"{HEAD}paths:\n  /a: {{get: {operation}, put: {operation}}}\n"
    assert said(desk, text) == []
    desk.report = Report()
    assert said(desk, f"{text}tags: [{{name: x}}]\n") == [
        "4:24: [undeclared-tag]: the tag 'y' of this operation and 1 more is not in the list of"
        " tags"
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{properties: {k: {type: string}}, discriminator: {propertyName: k}}", False),
        ("{properties: {l: {type: string}}, discriminator: {propertyName: k}}", True),
        ("{oneOf: [{$ref: '#/x-b/B'}], discriminator: {propertyName: k}}", False),
        ("{oneOf: [{$ref: '#/x-b/C'}], discriminator: {propertyName: k}}", True),
        ("{anyOf: [{allOf: [{$ref: '#/x-b/B'}]}], discriminator: {propertyName: k}}", False),
    ],
)
def test_discriminators(desk: Desk, text: str, found: bool) -> None:
    more = "x-b:\n  B: {type: object, properties: {k: {type: string}}}\n  C: {type: object}\n"
    lines = [line for line in said(desk, schema(text) + more) if "[discriminator-" in line]
    assert len(lines) == found
    for line in lines:
        at = int(line.split(":")[1]) - 1
        assert schema(text).splitlines()[4][at:].startswith("propertyName")
        assert line.endswith("no schema that the discriminator tells apart has the property 'k'")


# A schema, what is written where something is found, and what is said there.
WRONG = [
    ("{type: string, example: 3}", "example", "'example' is an integer here and has to be a"),
    ("{type: integer, default: x}", "default: x", None),
    ("{type: string, nullable: false, enum: [a, null]}", "null]", "'enum value' is null here and"),
    ("{type: string, nullable: true, example: 3}", "example", "'example' is an integer here and h"),
    ("{type: integer, minimum: 3, exclusiveMinimum: true, example: 3}", "example", "3 breaks ex"),
    ("{enum: [a, b], example: c}", "example", '"c" is none of the values allowed here: "a", "b"'),
    ("{type: array, items: {type: integer}, example: [1, x]}", "x]", "'item 1' is a string here"),
    ("{type: object, required: [p], properties: {p: {}}, example: {}}", "exam", "'p' is missing"),
    ("{type: object, properties: {p: {$ref: '#/x-b'}}, example: {p: 1}}", "p: 1", "'p' is an int"),
    ("{additionalProperties: {type: string}, example: {k: 1}}", "k: 1", "'k' is an integer here"),
    ("{oneOf: [{type: integer}, {type: boolean}], example: x}", "example", "'example' is a strin"),
    ("{allOf: [{type: integer}], example: x}", "example", "'example' is a string here and has to"),
    ("{type: string, pattern: '^a$', example: b}", "example", '"b" does not have the form ^a$'),
    ("{type: string, maxLength: 1, example: bb}", "example", "this has more than 1 characters"),
]


@pytest.mark.parametrize(("text", "written", "message"), WRONG)
def test_values_that_contradict_their_schemas(
    desk: Desk, text: str, written: str, message: str | None
) -> None:
    (line,) = said(desk, schema(text) + "x-b: {type: string}\n")
    row, column, rest = line.split(":", 2)
    assert schema(text).splitlines()[int(row) - 1][int(column) - 1 :].startswith(written)
    if message is not None:
        assert f"contradicts its schema: {message}" in rest
    else:
        assert "[invalid-default]" in rest


def test_a_listed_value_of_another_type(desk: Desk) -> None:
    (line,) = said(desk, schema("{type: integer, enum: [1, x]}"))
    assert line.endswith(
        "[unsupported-enum]: 'x' is not of the type that is stated, and is left out"
    )


@pytest.mark.parametrize(
    "text",
    [
        "{type: string, nullable: true, example: null, enum: [a, null], default: null}",
        "{type: string, enum: [007, on, 1.10], example: '007'}",
        "{oneOf: [{type: number}, {type: integer}], example: 1}",
        "{type: object, properties: {p: {readOnly: true}}, required: [p], example: {}}",
        "{example: 3}",
        "{type: string, format: date, example: today}",
    ],
)
def test_values_that_fit(desk: Desk, text: str) -> None:
    lines = [line for line in said(desk, schema(text)) if "contradicts" in line]
    assert [line for line in lines if "[invalid-enum]" not in line] == []


def test_a_string_that_was_not_quoted_is_said(desk: Desk) -> None:
    (line,) = said(desk, schema("{type: string, enum: [007, on]}"))
    assert line.startswith("5:28: [invalid-enum]: the enum value contradicts its schema: ")


@pytest.mark.parametrize("version", ["3.1.0", "3.2.0"])
def test_since_3_1_keywords_beside_a_reference_count(desk: Desk, version: str) -> None:
    text = "{$ref: '#/x-b', example: 12}"
    lines = said(desk, schema(text, version) + "x-b: {type: string}\n")
    assert [line for line in lines if "[invalid-example]" in line] != []
    examples = "{type: string, examples: [a, 3]}"
    (line,) = [x for x in said(desk, schema(examples, version)) if "5:35" in x]
    assert "[invalid-example]" in line


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (media("{type: integer}", "example: x"), 1),
        (media("{type: integer}", "example: x", "application/vnd.x+json; v=1"), 1),
        (media("{type: integer}", "example: x", "text/plain"), 0),
        (media("{type: integer}", "examples: {one: {value: x}, two: {value: 3}}"), 1),
        (media("{type: integer}", "examples: {one: {$ref: 'b.yaml#/E'}}"), 1),
        (media("{type: object, properties: {a: {type: integer}}}", "example: '{\"a\": 1}'"), 0),
        (media("{type: object, properties: {a: {type: integer}}}", 'example: \'{"a": "b"}\''), 1),
        (media("{type: object, properties: {a: {type: integer}}}", "example: '{'"), 1),
    ],
)
def test_examples_of_bodies(desk: Desk, text: str, count: int) -> None:
    lines = said(desk, text, b="E: {value: x}\n")
    assert len([line for line in lines if "[invalid-example]" in line]) == count
    assert all("b.yaml:1:5" in line for line in lines if "b.yaml#" in text)


@pytest.mark.parametrize(
    ("stated", "count"),
    [
        ("schema: {type: integer}, example: x", 1),
        ("schema: {type: integer}, examples: {a: {value: x}}", 1),
        ("schema: {type: array, items: {type: string}}, example: 'a,b'", 0),
        ("schema: {type: integer}, example: 3", 0),
    ],
)
def test_examples_of_parameters(desk: Desk, stated: str, count: int) -> None:
    parameter = f"{{name: q, in: query, {stated}}}"
    text = f"{HEAD}paths: {{/a: {{get: {{parameters: [{parameter}], {OK}}}}}}}\n"
    assert len([x for x in said(desk, text) if "[invalid-example]" in x]) == count


def test_places_in_swagger(desk: Desk) -> None:
    text = (
        f"swagger: '2.0'\n{INFO}paths:\n  /a:\n    get:\n      produces: [application/json]\n"
        "      responses:\n        200:\n          description: ok\n"
        "          schema: {$ref: '#/definitions/A'}\n"
        "          examples: {application/json: x}\n"
        "definitions:\n  A: {type: integer, example: y, default: z}\n"
    )
    lines = said(desk, text)
    assert sorted(line.split("]")[0] for line in lines) == [
        "11:22: [invalid-example",
        "13:22: [invalid-example",
        "13:34: [invalid-default",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "{$ref: '#/components/schemas/A', example: 1}",
        "{allOf: [{$ref: '#/components/schemas/A'}], example: 1}",
        "{type: [], enum: 3, required: 3, properties: [], items: [], allOf: {}, example: 1}",
        "{minLength: -1, maxItems: x, multipleOf: 0, minimum: .inf, enum: [.nan], example: .inf}",
        "{pattern: '(', patternProperties: {'[': {}}, example: {a: 1}}",
        "{type: string, pattern: '^(a+)+$', example: '" + "a" * 40 + "!'}",
        "{type: integer, example: " + "9" * 400 + "}",
        "{anyOf: [{$ref: '#/gone'}, {$ref: 3}], example: 1}",
        "{example: " + "[" * 150 + "]" * 150 + "}",
        "{discriminator: 3, oneOf: 3, tags: 3}",
        "{type: [{a: 1}, [], string], example: 1}",
        "{type: {a: 1}, required: [{}], enum: {}, example: 1}",
    ],
)
@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_nonsense_is_no_crash(desk: Desk, text: str, version: str) -> None:
    description = desk.loads(schema(text, version))
    validate(description, desk.report)
    assert all("Error" not in line for line in desk.said(description) if "unchecked" not in line)


@pytest.mark.parametrize("tags", ["[{name: {}}]", "[3]", "[[]]", "3", "[{}]"])
def test_nonsense_among_tags(desk: Desk, tags: str) -> None:
    text = f"{HEAD}paths: {{/a: {{get: {{tags: [x, {{}}, 3], {OK}}}}}}}\ntags: {tags}\n"
    assert any("[undeclared-tag]" in line for line in said(desk, text)) == (tags != "3")


REFERENCES = f"""\
openapi: 3.1.0
{INFO}paths:
  /a:
    $ref: '#/components/pathItems/P'
    get:
      responses:
        200:
          description: ok
          headers: {{H: {{$ref: '#/components/headers/Gone'}}}}
          links: {{L: {{$ref: '#/components/links/Gone'}}}}
          content:
            application/json: {{examples: {{E: {{$ref: '#/components/examples/Gone'}}}}}}
      callbacks: {{C: {{$ref: '#/components/callbacks/Gone'}}}}
webhooks:
  w: {{$ref: 'gone.yaml'}}
components:
  pathItems: {{P: {{summary: s}}}}
  headers: {{A: {{$ref: '#/components/headers/B'}}, B: {{$ref: '#/components/headers/A'}}}}
  schemas:
    S: {{$ref: '#/components/schemas/T', properties: {{p: {{$ref: '#/components/schemas/Tt'}}}}}}
    T: {{type: object, example: {{$ref: '#/no/reference'}}}}
"""


def test_references_in_what_no_client_has(desk: Desk) -> None:
    description = desk.loads(REFERENCES)
    validate(description, desk.report)
    found = [line for line in desk.said(description) if "-reference]" in line or "-file]" in line]
    assert [line.replace("warning", "").removeprefix("api.yaml:") for line in found] == [
        "10:25: [dangling-reference]: '#/components/headers/Gone' leads nowhere",
        "11:23: [dangling-reference]: '#/components/links/Gone' leads nowhere",
        "13:47: [dangling-reference]: '#/components/examples/Gone' leads nowhere",
        "14:23: [dangling-reference]: '#/components/callbacks/Gone' leads nowhere",
        "16:7: [missing-file]: 'gone.yaml' leads nowhere: the file 'gone.yaml' does not exist",
        "19:17: [circular-reference]: this reference leads to references only, in a circle",
        "19:54: [circular-reference]: this reference leads to references only, in a circle",
        "21:58: [dangling-reference]: '#/components/schemas/Tt' leads nowhere; did you mean 'T'?",
    ]


def test_what_stands_beside_a_path_item_is_looked_at(desk: Desk) -> None:
    tagged = "tags: [{name: a}]\n" + REFERENCES.replace("get:\n", "get:\n      tags: [b]\n", 1)
    description = desk.loads(tagged)
    validate(description, desk.report)
    assert "undeclared-tag" in [diagnostic.code for diagnostic in desk.report.diagnostics]
