"""Rules of the text of OpenAPI that its schemas do not state."""

from __future__ import annotations

import pytest

from specloom.description.path_texts import faults, rooted
from specloom.description.validate import validate

from .desk import Desk

HEAD = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n"
OK = "{200: {description: ok}}"


def said(desk: Desk, text: str) -> list[str]:
    """Return the place and the code of each finding."""
    description = desk.loads(text)
    validate(description, desk.report)
    lines = [line.removeprefix("api.yaml:").partition("]")[0] for line in desk.said(description)]
    return [line.replace(" warning[", " ") for line in lines]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/a/{b}/{c}", []),
        ("/a.b/...", []),
        ("/{a}/{a}", ["the path '/{a}/{a}' has the variable {a} more than once"]),
        ("/a{}b", ["a variable of the path '/a{}b' has no name"]),
        ("/a{b", ["a brace of the path '/a{b' has no counterpart: a variable is {name}"]),
        ("/a}b", ["a brace of the path '/a}b' has no counterpart: a variable is {name}"]),
        ("/a?b=c#d", []),
        (
            "/a/../b",
            ["a segment of dots is taken out of the path '/a/../b': it is read as '/b'"],
        ),
    ],
)
def test_faults_of_paths(path: str, expected: list[str]) -> None:
    assert list(faults(path)) == expected


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("/a/b", "/a/b"),
        ("a", "/a"),
        ("", "/"),
        ("/a/../b", "/b"),
        ("/a/./b/", "/a/b/"),
        ("/../a", "/a"),
        ("/a/..", "/"),
        ("/a/.", "/a/"),
        ("../a", "/a"),
        ("/a/..b/...", "/a/..b/..."),
    ],
)
def test_paths_as_they_are_sent(path: str, sent: str) -> None:
    assert rooted(path) == sent


def test_a_path_is_judged_at_its_key(desk: Desk) -> None:
    path = f"/a/{{}}: {{get: {{responses: {OK}}}}}"
    assert said(desk, f"{HEAD}paths:\n  x-a?: 3\n  {path}\n") == ["5:3: invalid-path"]


@pytest.mark.parametrize("sign", ["?", "#"])
def test_what_is_added_to_paths_is_said_once(desk: Desk, sign: str) -> None:
    keys = f"/a{sign}b", f"/c{sign}d", f"/{{e{sign}f}}"
    parameter = f"{{name: 'e{sign}f', in: path, required: true, schema: {{}}}}"
    paths = "".join(f"  '{key}': {{}}\n" for key in keys[:2])
    paths += f"  '{keys[2]}': {{parameters: [{parameter}]}}\n"
    description = desk.loads(f"{HEAD}paths:\n{paths}")
    validate(description, desk.report)
    (line,) = desk.said(description)
    assert line.startswith(
        f"api.yaml:4:3: warning[invalid-path]: the path '/a{sign}b', as 1 more, has"
    )


def test_a_list_has_items_before_3_1(desk: Desk) -> None:
    text = "paths: {}\ncomponents:\n  schemas:\n    A: {type: array}\n"
    assert said(desk, HEAD + text) == ["6:5: missing-field"]
    desk.report.diagnostics.clear()
    assert said(desk, HEAD.replace("3.0.3", "3.1.0") + text) == []


def test_a_property_travels_one_way(desk: Desk) -> None:
    schema = "{type: string, readOnly: true, writeOnly: %s}"
    text = f"{HEAD}paths: {{}}\ncomponents:\n  schemas:\n    A: {schema}\n"
    assert said(desk, text % "true") == ["6:39: invalid-value"]
    desk.report.diagnostics.clear()
    assert said(desk, text % "false") == []


def test_names_of_components(desk: Desk) -> None:
    text = f"{HEAD}paths: {{}}\ncomponents:\n  x-a b: {{c d: {{}}}}\n  schemas:\n"
    assert said(desk, f"{text}    a.b-c_D: {{}}\n    a b!: {{}}\n") == ["8:5: invalid-name"]


def test_answers_without_content(desk: Desk) -> None:
    content = "{description: ok, content: {text/plain: {}}}"
    responses = f"{{204: {content}, 200: {content}, 304: {{description: ok}}}}"
    text = f"{HEAD}paths:\n  /a:\n    get:\n      responses: {responses}\n"
    assert said(desk, text) == ["6:42: content-without-body"]


def test_links_lead_to_operations(desk: Desk) -> None:
    links = "{a: {operationId: there}, b: {operationId: nowhere}}"
    text = (
        f"{HEAD}paths:\n  /a:\n    get:\n      operationId: there\n"
        f"      responses:\n        200: {{description: ok, links: {links}}}\n"
    )
    assert said(desk, text) == ["8:69: unknown-operation"]


def test_scopes_are_declared(desk: Desk) -> None:
    flows = "{clientCredentials: {tokenUrl: 'https://a.b/c', scopes: {read: r}}}"
    text = (
        f"{HEAD}security: [{{o: [read, write]}}]\n"
        f"paths:\n  /a:\n    get:\n      security:\n        - o: [read]\n        - o: [admin]\n"
        f"      responses: {OK}\ncomponents:\n  securitySchemes:\n"
        f"    o: {{type: oauth2, flows: {flows}}}\n"
    )
    assert said(desk, text) == ["3:23: undeclared-scope", "9:15: undeclared-scope"]


@pytest.mark.parametrize("number", ["Infinity", "-Infinity", "NaN", "1e999"])
def test_numbers_of_json_are_finite(desk: Desk, number: str) -> None:
    text = (
        '{"openapi":"3.0.3","info":{"title":"T","version":"1"},"paths":{},'
        f'"components":{{"schemas":{{"A":{{"type":"number","maximum":{number}}}}}}}}}'
    )
    description = desk.loads(text, entry="api.json")
    validate(description, desk.report)
    assert [diagnostic.code for diagnostic in desk.report.diagnostics] == ["invalid-number"]


def test_form_fields_have_a_media_type_of_forms(desk: Desk) -> None:
    field = "{name: a, in: formData, type: string}"
    text = (
        "swagger: '2.0'\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    post:\n"
        f"      consumes: [%s]\n      parameters:\n      - {field}\n      responses: {OK}\n"
    )
    assert said(desk, text % "application/json") == ["8:9: form-media-type"]
    desk.report.diagnostics.clear()
    assert said(desk, text % "multipart/form-data") == []
