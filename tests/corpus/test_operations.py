"""Operations of real descriptions, called and judged; and the judges, who find what is wrong."""

from __future__ import annotations

from pathlib import Path
from random import Random

import httpx2
import pytest

from specloom.description.load import load
from specloom.description.values import is_mapping
from specloom.diagnostics import Report

from .bundle import bundled
from .clients import Entry, entries
from .core import Reading, core
from .described import Operation, Style, operations
from .document import ROOT
from .draws import Arguments, Drawn, Side, sides
from .judging import Judge
from .limits import Finding, limit_of
from .operations import row
from .reading import differences
from .trials import Tally, tried

SAMPLE = ["museum", "ollama", "tgi", "prometheus-3.2"]

DESCRIPTION = """
openapi: 3.1.0
info: {title: Looms, version: "1"}
paths:
  /looms/{loom}:
    post:
      parameters:
      - {name: loom, in: path, required: true, schema: {type: string, enum: ["a b"]}}
      - {name: tags, in: query, schema: {type: array, items: {type: string}, minItems: 1}}
      - {name: X-Count, in: header, required: true, schema: {type: integer}}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Loom"}
          multipart/form-data:
            schema:
              type: object
              properties:
                name: {type: string}
                picture: {type: string, format: binary}
              required: [name, picture]
      responses: {"204": {description: Done.}}
components:
  schemas:
    Loom:
      type: object
      properties: {id: {type: integer, readOnly: true}, name: {type: string, default: x}}
      required: [name]
"""


@pytest.mark.parametrize("name", SAMPLE)
def test_every_operation_sends_what_is_meant(name: str, shared: Path, tmp_path: Path) -> None:
    entry = next(e for e in entries(shared) if e.name == name)
    tally = tried(entry, tmp_path)
    assert tally.faults == []
    assert tally.called == tally.described == entry.operations
    assert tally.requests > tally.read > tally.requests / 2 or tally.read == tally.requests


def test_every_operation_of_our_own_description_sends_what_is_meant(tmp_path: Path) -> None:
    path = ROOT / "specs" / "depot" / "depot.yaml"
    tally = tried(Entry("depot", path, 25, 0), tmp_path)
    assert tally.faults == []
    assert tally.called == 25 and tally.requests > tally.read > 25


@pytest.fixture(name="operation")
def _operation(tmp_path: Path) -> tuple[Operation, Side]:
    path = tmp_path / "openapi.yaml"
    path.write_text(DESCRIPTION, "utf-8")
    description = load(path, Report())
    (only,) = operations(description)
    return only, sides(description, [only])[0]


HEADERS = {"X-Count": "3", "Content-Type": "application/json"}


def meant(operation: Operation) -> Drawn:
    """Return what the requests below are to say."""
    assert operation.body is not None
    values: dict[str, object] = {"path loom": "a b", "query tags": ["x", "y&"], "header X-Count": 3}
    return Drawn(values, operation.body.contents[0], {"name": "loom"})


def request(
    path: str = "/looms/a%20b?tags=x&tags=y%26",
    method: str = "POST",
    headers: dict[str, str] = HEADERS,
    content: bytes = b'{"name": "loom"}',
) -> httpx2.Request:
    """Return the request that says it, but for what is given."""
    url = f"https://api.example{path}"
    return httpx2.Request(method, url, headers=headers, content=content)


def test_a_request_that_says_what_was_meant_has_no_fault(operation: tuple[Operation, Side]) -> None:
    assert list(Judge(*operation).faults(meant(operation[0]), request())) == []


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        (request(method="PUT"), "the method is PUT"),
        (request("/looms/a%20c?tags=x&tags=y%26"), "loom reads a%20c, not 'a b'"),
        (request("/loom/a%20b?tags=x&tags=y%26"), "is not /looms/{loom} filled"),
        (request("/looms/a%20b?tags=x&tags=y&"), "not ['x', 'y&']"),
        (request("/looms/a%20b?tags=x,y%26"), "not ['x', 'y&']"),
        (request("/looms/a%20b"), "tags is not sent"),
        (request("/looms/a%20b?tags=x&tags=y%26&more=1"), "('more', '1')] is not declared"),
        (request(headers={"Content-Type": "application/json"}), "X-Count is not sent"),
        (request(headers=HEADERS | {"X-Count": "4"}), "X-Count reads '4', not 3"),
        (request(headers=HEADERS | {"Content-Type": "text/plain"}), "text/plain, not application"),
        (request(headers={"X-Count": "3"}), "the body has no media type"),
        (request(content=b'{"name": "weft"}'), 'reads {"name": "weft"}, not {"name": "loom"}'),
        (request(content=b'{"name": 1}'), "the body does not fit its schema"),
        (request(content=b"{}"), "the body does not fit its schema"),
    ],
)
def test_what_is_wrong_with_a_request_is_found(
    operation: tuple[Operation, Side], changed: httpx2.Request, fault: str
) -> None:
    found = list(Judge(*operation).faults(meant(operation[0]), changed))
    assert any(fault in one for one in found), found


def test_parts_of_a_form_are_read(operation: tuple[Operation, Side]) -> None:
    only, sent = operation
    assert only.body is not None
    form = only.body.contents[1]
    drawn = Drawn(meant(only).parameters, form, {"name": "loom", "picture": b"\x00\xff"})
    head = HEADERS | {"Content-Type": "multipart/form-data; boundary=b"}

    def said(picture: bytes) -> httpx2.Request:
        name = b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nloom\r\n'
        start = b'--b\r\nContent-Disposition: form-data; name="picture"; filename="p"\r\n'
        content = name + start + b"Content-Type: image/png\r\n\r\n" + picture + b"\r\n--b--\r\n"
        return request(headers=head, content=content)

    assert list(Judge(only, sent).faults(drawn, said(b"\x00\xff"))) == []
    (fault,) = Judge(only, sent).faults(drawn, said(b"\x00"))
    assert "picture reads" in fault


def test_what_is_drawn_fits_and_can_be_sent(operation: tuple[Operation, Side]) -> None:
    only, sent = operation
    assert only.body is not None
    drawing = Arguments(sent, Random(0))
    json, form = only.body.contents
    for _ in range(20):
        drawn = drawing.draw(only, json, "all")
        assert drawn.parameters["path loom"] == "a b"
        assert is_mapping(drawn.body) and "id" not in drawn.body and "name" in drawn.body
        assert "query tags" not in drawing.draw(only, json, "required").parameters
        body = drawing.draw(only, form, "required").body
        assert is_mapping(body) and isinstance(body["picture"], bytes)


def test_openapi_core_reads_what_was_meant(tmp_path: Path) -> None:
    path = tmp_path / "openapi.yaml"
    path.write_text(DESCRIPTION, "utf-8")
    description = load(path, Report())
    (only,) = operations(description)
    drawn = meant(only)
    with core(bundled(description), "3.1.0", tmp_path) as reader:
        assert list(differences(reader.read(request()), only, drawn)) == []
        for changed, part in (
            (request("/looms/other?tags=x&tags=y%26"), "path loom"),
            (request("/looms/a%20b?tags=x"), "query tags"),
            (request(headers=HEADERS | {"X-Count": "many"}), "header X-Count"),
            (request(content=b"{}"), "body"),
        ):
            assert part in dict(differences(reader.read(changed), only, drawn))


def test_no_limit_of_openapi_core_covers_a_fault(operation: tuple[Operation, Side]) -> None:
    only, sent = operation
    drawn = meant(only)
    wrong = Reading({"body": "Value 1 is not of type 'string'"}, {"query tags": ["x"]})
    found = [
        limit_of(Finding(part, said, only, drawn, "/looms/a%20b", (only,), sent, "3.1.0"))
        for part, said in differences(wrong, only, drawn)
    ]
    assert found == [None] * 4


def test_old_descriptions_are_read_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "swagger.yaml"
    path.write_text(
        """
swagger: "2.0"
info: {title: Looms, version: "1"}
consumes: [application/json, application/yaml]
paths:
  /looms:
    parameters:
    - {name: Accept, in: header, type: string}
    - {name: ids, in: query, type: array, items: {type: string}, collectionFormat: pipes}
    - {name: all, in: query, type: array, items: {type: string}}
    post:
      parameters:
      - {name: all, in: query, type: array, items: {type: string}, collectionFormat: multi}
      - {name: loom, in: body, required: true, schema: {type: object}}
      responses: {"200": {description: Done., schema: {type: string}}}
    put:
      parameters:
      - {name: picture, in: formData, type: file, required: true}
      responses: {"200": {description: Done.}}
""",
        "utf-8",
    )
    post, put = sorted(operations(load(path, Report())), key=lambda one: one.method)
    assert [(one.name, one.style) for one in post.parameters] == [
        ("ids", Style("pipeDelimited", False)),
        ("all", Style("form", True)),
    ]
    assert post.body is not None and put.body is not None and post.body.required
    assert [one.media_type for one in post.body.contents] == [
        "application/json",
        "application/yaml",
    ]
    assert [one.media_type for one in put.body.contents] == ["multipart/form-data"]
    assert [one.name for one in put.body.contents[0].fields] == ["picture"]
    assert [one.media_type for one in post.responses["200"]] == ["application/json"]
    assert put.responses["200"] == ()
    tally = tried(Entry("old", path, 2, 0), tmp_path)
    assert tally.faults == []
    assert tally.called == 2 and tally.requests == 6 and tally.read == 0


def test_a_row_counts_what_one_reader_judged_alone() -> None:
    tally = Tally(described=3, called=2, requests=10, read=7, faults=["one"])
    assert row("own", tally) == "| own | 2/3 | 10 | 7 | 3 | 1 |"
