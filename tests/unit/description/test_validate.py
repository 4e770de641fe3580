"""Validation: findings at their places, in sentences, remembered, and never a reason to stop."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from specloom.description import validate as validation
from specloom.description.load import load
from specloom.description.sentences import sentence
from specloom.description.validate import validate
from specloom.description.verdicts import user_cache
from specloom.diagnostics import Report

from .desk import Desk

HEAD = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n"


def found(desk: Desk, text: str, *overlays: str) -> list[str]:
    """Return what validation says of a description."""
    description = desk.loads(text, *overlays)
    assert [d for d in desk.report.diagnostics if d.severity == "error"] == []
    validate(description, desk.report)
    assert {d.severity for d in desk.report.diagnostics} <= {"warning"}
    return desk.said(description)


def test_nothing_is_found_in_a_valid_description(desk: Desk) -> None:
    assert found(desk, HEAD + "paths: {}\n") == []


def schema(text: str, version: str = "3.0.3") -> str:
    """Write a description with one schema."""
    head = f"openapi: {version}\ninfo: {{title: T, version: '1'}}\npaths: {{}}\n"
    return f"{head}components:\n  schemas:\n    A: {text}\n"


HEAD32 = "openapi: 3.2.0\ninfo: {title: T, version: '1'}\n"
# A description, what is written at the place of the finding, and what is said.
BOOLEAN = "has to be true or false"
FINDINGS = [
    (
        schema("{type: string, default: 3}"),
        "default: 3",
        "[invalid-default]: 'default' is an integer here and has to be a string",
    ),
    (
        schema("{type: boolean, default: 'false'}"),
        "default: 'false'",
        f"[invalid-default]: 'default' is a string here and {BOOLEAN}; write false without quotes",
    ),
    (
        schema("{type: number, default: '0.05'}"),
        "default: '0.05'",
        "[invalid-default]: 'default' is a string here and has to be a number;"
        " write 0.05 without quotes",
    ),
    (
        schema("{type: string, default: null}"),
        "default: null",
        "[invalid-default]: the default is null, which its schema does not allow;"
        " allow null, or omit the default",
    ),
    (
        schema("{type: string, enum: [a], default: b}"),
        "default: b",
        '[invalid-default]: the default "b", a string, contradicts its schema (enum)',
    ),
    (
        schema("{type: string, const: a}"),
        "const: a",
        "[unexpected-field]: 'const' is no field of this object;"
        " before version 3.1 write 'enum' with one value; it is understood all the same",
    ),
    (
        schema("{type: integer, exclusiveMinimum: 0}"),
        "exclusiveMinimum: 0",
        f"[invalid-type]: 'exclusiveMinimum' is an integer here and {BOOLEAN};"
        " version 3.0 wants 'minimum' and 'exclusiveMinimum: true'",
    ),
    (
        schema("{type: integer, exclusiveMinimum: true}", "3.1.0"),
        "exclusiveMinimum: true",
        "[invalid-type]: 'exclusiveMinimum' is true or false here and has to be a number;"
        " since version 3.1 it is the bound itself",
    ),
    (
        schema("{required: true}"),
        "required: true",
        "[invalid-type]: 'required' is true or false here and has to be a list;"
        " list the required properties in the schema of the object",
    ),
    (
        schema("{type: object, required: [a, a]}", "3.1.0"),
        "required: [a, a]",
        '[invalid-value]: "a" stands in this list twice',
    ),
    (
        schema("{properties: {p: {properties: {q: {type: strin}}}}}"),
        "type: strin",
        '[invalid-value]: "strin" is none of the values allowed here:'
        ' "array", "boolean", "integer", "number", "object", "string"',
    ),
    (
        schema("{allOf: [{properties: {y: {}}}], required: [z]}"),
        "required: [z]",
        "[undeclared-required]: required list has not defined properties: ['z']",
    ),
    (
        HEAD + "paths: {/a: {get: {}}}\n",
        "get: {}",
        "[missing-field]: 'responses' is missing here",
    ),
    (
        HEAD + "paths:\n  /a/{b}: {get: {responses: {200: {description: x}}}}\n",
        "get: {",
        "[path-parameter]: path parameter 'b' for 'get' operation in '/a/{b}' was not resolved",
    ),
    (
        HEAD + "paths: {}\ntags: [{name: a}, {name: a, description: b}]\n",
        "tags: ",
        "[invalid-value]: duplicate tag name 'a'",
    ),
    (
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\ncomponents: {schemas: {a@b: {}}}\n",
        "a@b: {}",
        "[invalid-name]: the name 'a@b' is not allowed here; use letters, digits, '.', '_' and '-'",
    ),
    (
        schema("{discriminator: {mapping: {a: b}}}", "3.1.0"),
        "discriminator",
        "[missing-field]: 'propertyName' is missing here",
    ),
    (
        schema(
            "{properties: {a: {}}, discriminator: {propertyName: a, defaultMapping: b}}", "3.1.0"
        ),
        "defaultMapping: b",
        "[unexpected-field]: 'defaultMapping' is no field of this object;"
        " remove it, or start its name with 'x-'",
    ),
    (
        schema("{type: object, required: [0]}", "3.1.0"),
        "0]",
        "[invalid-type]: item 0 is an integer here and has to be a string",
    ),
    (
        schema("{type: string, pattern: 'a('}", "3.1.0"),
        "pattern",
        '[invalid-value]: "a(" is no regex',
    ),
    (
        HEAD + "paths:\n  a: {get: {responses: {200: {description: x}}}}\n",
        "a: {get",
        "[unexpected-field]: a path begins with a slash: 'a' is read as '/a'",
    ),
    (
        HEAD + "paths:\n  /a{b: {get: {responses: {200: {description: x}}}}\n",
        "/a{b:",
        "[invalid-path]: a brace of the path '/a{b' has no counterpart: a variable is {name}",
    ),
    (
        HEAD32
        + "paths:\n  /a: {additionalOperations: {POST: {responses: {200: {description: x}}}}}\n",
        "POST",
        "[invalid-name]: this method has a field of its own: write 'post'",
    ),
    (
        HEAD32 + "paths:\n  /a:\n    parameters:\n"
        "    - {name: w, in: querystring, content: {application/json: {}}}\n"
        "    - {name: q, in: query, schema: {}}\n",
        "parameters",
        "[invalid-value]: a parameter in 'querystring' is the whole query:"
        " there can be none in 'query'",
    ),
    (
        HEAD + "paths: {}\ntags:\n",
        "tags:",
        "[invalid-type]: 'tags' is null here and has to be a list",
    ),
    (
        schema(f"{{type: integer, maximum: {'9' * 5000}}}"),
        "maximum",
        "[invalid-number]: this number is infinite, or too long to be read:"
        " JSON has no such number",
    ),
    (
        schema(f"{{type: integer, default: {'9' * 5000}}}"),
        "default",
        "[invalid-number]: this number is infinite, or too long to be read:"
        " JSON has no such number",
    ),
    (
        "openapi: 3.0.3\npaths: {}\n",
        "openapi: 3.0.3",
        "[missing-field]: 'info' is missing here",
    ),
]


@pytest.mark.parametrize(("text", "written", "said"), FINDINGS)
def test_a_finding_has_its_place_and_a_sentence(
    desk: Desk, text: str, written: str, said: str
) -> None:
    (line,) = found(desk, text)
    path, row, column, rest = line.split(":", 3)
    assert (path, rest) == ("api.yaml", f" warning{said}")
    assert text.splitlines()[int(row) - 1][int(column) - 1 :].startswith(written)


def test_a_default_is_held_against_a_bad_pattern_within_limits(desk: Desk) -> None:
    text = "a" * 60 + "b"
    written = f"{{type: string, pattern: '^(a+)+$', default: {text}}}"
    description = desk.loads(schema(f"{{properties: {{p: {written}}}}}"))
    validate(description, desk.report)
    assert [said.split("[")[1][:16] for said in desk.said(description)] == ["invalid-default]"]


WRONG = {
    "minimum": "null",
    "pattern": "5",
    "minLength": "-1",
    "maxLength": "x",
    "required": "a",
    "description": "5",
    "title": "[x]",
    "deprecated": "'yes'",
    "readOnly": "'no'",
    "format": "3",
}


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
def test_all_that_is_wrong_with_a_schema_is_said_at_once(desk: Desk, version: str) -> None:
    lines = found(
        desk, schema("\n" + "".join(f"      {k}: {v}\n" for k, v in WRONG.items()), version)
    )
    places = {int(line.split(":")[1]) for line in lines}
    assert places == {7 + index for index in range(len(WRONG))}
    assert len(lines) == len(WRONG)


@pytest.mark.parametrize(
    "pattern", [r"\p{L}+", r"^(?<y>[0-9]{4})\/\k<y>$", r"^\cA", r"(?<=a)b", "[^]", r"\u{1F600}"]
)
@pytest.mark.parametrize("version", ["3.1.0", "3.2.0"])
def test_regular_expressions_are_those_of_ecmascript(
    desk: Desk, version: str, pattern: str
) -> None:
    assert found(desk, schema(f"{{type: string, pattern: '{pattern}'}}", version)) == []


def test_identifiers_of_schemas_hide_nothing(desk: Desk) -> None:
    text = (
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\ncomponents:\n  schemas:\n"
        "    A: {$id: 'https://e.x/a', properties: {x: {$ref: b}, y: {$ref: '#an'},"
        " z: {$anchor: an}}}\n"
        "    B: {$id: 'https://e.x/b', type: string, default: 3}\n"
    )
    (line,) = found(desk, text)
    assert line.startswith("api.yaml:6:45: warning[invalid-default]")


def test_what_is_malformed_is_said_once(desk: Desk) -> None:
    text = (
        HEAD + "paths: {/a: {get: {parameters: 5, responses: {200: {description: x}}}}}\ntags: 3\n"
    )
    assert [line.partition("[")[2].partition("]")[0] for line in found(desk, text)] == [
        "invalid-type",
        "invalid-type",
    ]


def test_what_is_nested_too_deep_for_the_library_is_said(desk: Desk) -> None:
    nested = "{type: array, items: " * 150 + "{}" + "}" * 150
    (line,) = found(desk, schema(nested, "3.1.0"))
    assert "[unchecked]: this part cannot be checked (it is nested too deep)" in line


def diamonds(count: int, first: str) -> str:
    """Write schemas that meet again and again; ``first`` stands in the first."""
    ref = "{{$ref: '#/components/schemas/{}{}'}}"
    lines = [f"    D{count}: {{type: object, properties: {{a: {{type: string}}}}}}\n"]
    for index in range(count):
        own = first if not index else ""
        both = ", ".join(ref.format(side, index) for side in "LR")
        lines.append(f"    D{index}: {{allOf: [{both}]{own}}}\n")
        below = ref.format("D", index + 1)
        lines += [f"    {side}{index}: {{allOf: [{below}]}}\n" for side in "LR"]
    return HEAD + "paths: {}\ncomponents:\n  schemas:\n" + "".join(lines)


def test_schemas_that_meet_again_are_looked_at_once(desk: Desk) -> None:
    (line,) = found(desk, diamonds(40, ", required: [a, b]"))
    assert "[undeclared-required]" in line and "['b']" in line


def test_values_are_held_against_schemas_within_limits(desk: Desk) -> None:
    lines = found(desk, diamonds(40, ", default: {a: 3}, example: {a: 3}"))
    assert [line.partition("[")[2].partition("]")[0] for line in lines] == ["unchecked"] * 3
    assert all("there are too many ways through" in line for line in lines)


def test_few_ways_are_gone(desk: Desk) -> None:
    (line,) = found(desk, diamonds(3, ", default: {a: 3}"))
    assert "[invalid-type]: 'a' is an integer here" in line


def test_names_that_fit_a_pattern_are_no_additional_ones(desk: Desk) -> None:
    closed = "patternProperties: {'^x': {type: string}}, additionalProperties: false"
    lines = found(desk, schema(f"{{{closed}, default: {{xa: b}}}}", "3.1.0"))
    assert lines == []
    lines = found(desk, schema(f"{{{closed}, default: {{xa: 3}}}}", "3.1.0"))
    assert len(lines) == 1


def test_properties_in_a_circle_are_all_found(desk: Desk) -> None:
    ref = "{$ref: '#/components/schemas/%s'}"
    text = schema(f"{{allOf: [{ref % 'B'}], properties: {{a: {{}}}}}}")
    text += f"    B: {{allOf: [{{items: {ref % 'A'}}}], required: [a]}}\n"
    assert found(desk, text) == []


def test_findings_in_other_files(desk: Desk) -> None:
    desk.write(
        {
            "a.yaml": "get:\n  responses: {200: {$ref: 'deep/b.yaml#/Ok'}}\n",
            "deep/b.yaml": "Ok:\n  description: ok\n  content:\n    application/json:\n"
            "      schema: {type: integer, default: x}\n",
        }
    )
    said = found(desk, HEAD + "paths:\n  /a: {$ref: a.yaml}\n")
    assert said == [
        "deep/b.yaml:5:31: warning[invalid-default]:"
        " 'default' is a string here and has to be an integer"
    ]


def test_overlays_can_mend_and_break(desk: Desk) -> None:
    action = "{target: $.components.schemas.A, update: {default: 1}}"
    desk.write({"patch.yaml": f"overlay: 1.0.0\nactions:\n- {action}\n"})
    assert found(desk, schema("{type: integer, default: x}"), "patch.yaml") == []
    (said,) = found(desk, schema("{type: string}"), "patch.yaml")
    assert said.startswith("patch.yaml:3:45: warning[invalid-default]")


def test_a_response_of_swagger_can_be_a_file(desk: Desk) -> None:
    text = "swagger: '2.0'\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n"
    text += "      responses: {200: {description: x, schema: {type: file}}}\n"
    assert found(desk, text) == []
    (said,) = found(desk, text + "definitions: {F: {type: file}}\n")
    assert said.startswith("api.yaml:7:")


def test_swagger_is_judged_by_its_own_rules(desk: Desk) -> None:
    text = "swagger: '2.0'\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n"
    text += "      parameters: [{name: q, in: query}]\n      responses: {200: {description: x}}\n"
    (said,) = found(desk, text)
    assert said.startswith("api.yaml:6:")


def test_what_loading_has_said_is_not_said_again(desk: Desk) -> None:
    (said,) = found(desk, schema("{type: 'null'}"))
    assert "null-type" in said


@pytest.mark.parametrize(
    "text",
    [
        "paths: 3",
        "paths: {/a: 3, /b: {get: 3}, /c: {parameters: 3}}",
        "paths: {/a: {get: {parameters: [3, {}], responses: {200: 3, default: {content: 3}}}}}",
        "components: {schemas: {A: {$ref: '#/gone'}, B: {properties: 3, allOf: 3, items: 3}}}",
        "components: {schemas: {A: {$ref: 'gone.yaml'}, B: {$ref: 'https://127.0.0.1:9/x'}}}",
        "components: {schemas: {A: {$ref: '#/components/schemas/A'}}}",
        "tags: [3, {}]\npaths: {}",
        "paths: {}\nx: [.inf, .nan, 123456789012345678901234567890123456789012345678901234567890]",
    ],
)
@pytest.mark.parametrize("version", ["swagger: '2.0'", *(f"openapi: 3.{i}.0" for i in range(3))])
def test_nonsense_is_no_crash(desk: Desk, version: str, text: str) -> None:
    description = desk.loads(f"{version}\ninfo: {{title: T, version: '1'}}\n{text}\n")
    validate(description, desk.report)
    assert desk.said(description)


def test_a_verdict_is_remembered(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = desk.folder / "cache"
    desk.write({"b.yaml": "B: {type: integer, default: x}\n"})
    text = schema("{$ref: 'b.yaml#/B'}")
    first = desk.loads(text)
    validate(first, desk.report, cache)
    (said,) = desk.said(first)
    assert said.startswith("b.yaml:1:20: warning[invalid-default]")
    assert len(list(cache.iterdir())) == 1

    def fail(*_: object) -> object:
        raise AssertionError("validated again")

    with monkeypatch.context() as patch:
        patch.setattr(validation, "_by_the_rules", fail)
        desk.report = Report()
        second = desk.loads(text)
        validate(second, desk.report, cache)
        assert desk.said(second) == [said]
        for name, changed in (("b.yaml", "B: {type: integer}\n"), ("api.yaml", text + "x-a: 1\n")):
            desk.write({"b.yaml": "B: {type: integer, default: x}\n", "api.yaml": text})
            desk.write({name: changed})
            with pytest.raises(AssertionError, match="validated again"):
                validate(desk.load(), Report(), cache)


def test_a_verdict_is_forgotten_when_a_missing_document_appears(desk: Desk) -> None:
    cache = desk.folder / "cache"
    text = schema("{not: {$ref: 'b.yaml#/B'}}")
    validate(desk.loads(text), desk.report, cache)
    assert list(cache.iterdir())
    desk.write({"b.yaml": "B: {type: string, default: 3}\n"})
    desk.report = Report()
    description = desk.loads(text)
    validate(description, desk.report, cache)
    assert desk.said(description) == [
        "b.yaml:1:19: warning[invalid-default]: 'default' is an integer here and has to be a string"
    ]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"documents": 3, "findings": []}', b"\xff"]
)
def test_a_damaged_cache_is_no_problem(desk: Desk, content: bytes) -> None:
    cache = desk.folder / "cache"
    description = desk.loads(schema("{type: string, default: 3}"))
    validate(description, Report(), cache)
    for path in cache.iterdir():
        path.write_bytes(content)
    validate(description, desk.report, cache)
    assert [d.code for d in desk.report.diagnostics] == ["invalid-default"]


def test_a_cache_that_cannot_be_written_is_no_problem(desk: Desk) -> None:
    desk.write({"file": ""})
    validate(desk.loads(HEAD + "paths: {}\n"), desk.report, desk.folder / "file" / "cache")
    assert desk.said() == []


def test_the_cache_lies_where_the_user_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/some/where")
    assert user_cache() == Path("/some/where/specloom/validation")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/me")
    assert user_cache() == Path("/home/me/.cache/specloom/validation")


def test_long_values_are_shortened() -> None:
    text = sentence("pattern", "^x$", "y" * 1000, "name")
    assert len(text) < 120


SMALL = ["tgi", "blockfrost", "langfuse", "superset", "slack", "xero-accounting", "digitalocean"]


@pytest.mark.parametrize("name", SMALL)
def test_every_finding_in_real_descriptions_has_a_line(shared: Path, name: str) -> None:
    with (shared / "corpus" / "index.csv").open() as file:
        row = next(row for row in csv.DictReader(file) if row["name"] == name)
    report = Report()
    description = load(shared / "corpus" / row["entry"], report)
    validate(description, report)
    assert len(report.diagnostics) >= int(row["validator_errors"])
    for diagnostic in report.diagnostics[:20]:
        position = description.position(diagnostic.origin)
        assert diagnostic.severity == "warning"
        assert Path(position.path).is_file()
        assert position.line > 1
