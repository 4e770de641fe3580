"""How much of the descriptions is said to be in a client."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from specloom.coverage import Coverage, Share, coverage
from specloom.diagnostics import Report
from specloom.generate import generate
from specloom.lock import EMPTY
from specloom.run import Run

API = """\
openapi: 3.2.0
info: {title: T, version: '1'}
paths:
  x-note: {get: {}}
  /a:
    get: {responses: {'204': {description: Nothing}}}
    additionalOperations:
      COPY: {responses: {'204': {description: Nothing}}}
      x-note: {}
  /b: {$ref: '#/components/pathItems/B'}
components:
  pathItems:
    B: {post: {responses: {'204': {description: Nothing}}}}
  schemas:
    Both: {anyOf: [{type: object, properties: {a: {type: string}}}, {type: 'null'}]}
    Other: {$ref: 'other.yaml'}
    Plain: {type: string}
"""


def test_all_of_a_description_is_counted(tmp_path: Path) -> None:
    (tmp_path / "api.yaml").write_text(API)
    (tmp_path / "other.yaml").write_text("{type: object, properties: {b: {type: string}}}")
    client = generate(Run(tmp_path / "api.yaml"))
    assert client.coverage == Coverage(Share(3, 3), Share(3, 3))


def test_what_a_client_lacks_is_named(tmp_path: Path) -> None:
    (tmp_path / "api.yaml").write_text(API)
    (tmp_path / "other.yaml").write_text("{type: object, properties: {b: {type: string}}}")
    run, report = Run(tmp_path / "api.yaml"), Report()
    package = replace(generate(run).package, names=EMPTY)
    assert coverage(run.descriptions, package, report) == Coverage(Share(3, 0), Share(3, 0))
    assert [str(found.origin) for found in report.diagnostics] == [
        "api.yaml#/paths/~1a/get",
        "api.yaml#/paths/~1a/additionalOperations/COPY",
        "api.yaml#/components/pathItems/B/post",
        "api.yaml#/components/schemas/Both",
        "api.yaml#/components/schemas/Other",
        "api.yaml#/components/schemas/Plain",
    ]
    assert {found.code for found in report.diagnostics} == {"left-out"}
