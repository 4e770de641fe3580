"""The command ``specloom validate``: what it finds, and its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from specloom.cli import app

HEAD = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n"
GOOD = HEAD + "paths: {}\n"
ODD = GOOD + "components: {schemas: {O: {type: string, default: 3}}}\n"
BAD = GOOD + "components:\n  schemas:\n    A: {$ref: '#/gone'}\n    B: {type: string, default: 3}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which is empty."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def run(*arguments: str) -> Result:
    """Run ``specloom validate`` in this process."""
    result = CliRunner().invoke(app, ["validate", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize(
    ("text", "status", "strict_status", "last"),
    [
        (GOOD, 0, 0, "api.yaml: nothing found"),
        (ODD, 0, 1, "api.yaml: 0 errors, 1 warning in 1 file"),
        (BAD, 1, 1, "api.yaml: 1 error, 1 warning in 1 file"),
        ("{", 1, 1, "api.yaml: 1 error, 0 warnings in 1 file"),
    ],
)
def test_exit_status(folder: Path, text: str, status: int, strict_status: int, last: str) -> None:
    (folder / "api.yaml").write_text(text)
    result = run("api.yaml")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (status, last)
    assert run("api.yaml", "--strict").exit_code == strict_status
    assert list(folder.iterdir()) == [folder / "api.yaml"]


def test_an_error_does_not_hide_what_else_is_wrong(folder: Path) -> None:
    (folder / "api.yaml").write_text(BAD)
    places = [line.split(" ")[:2] for line in run("api.yaml").stdout.splitlines()[:-1:3]]
    assert places == [
        ["api.yaml:6:9:", "error[dangling-reference]:"],
        ["api.yaml:7:23:", "warning[invalid-default]:"],
    ]


def test_a_folder_with_a_configuration(folder: Path) -> None:
    (folder / "a.yaml").write_text(ODD)
    (folder / "b.yaml").write_text(BAD)
    (folder / "specloom.toml").write_text('descriptions = ["a.yaml", "b.yaml"]\n')
    report = json.loads(run(".", "--format", "json").stdout)
    assert [(d["path"], d["code"]) for d in report["diagnostics"]] == [
        ("a.yaml", "invalid-default"),
        ("b.yaml", "dangling-reference"),
        ("b.yaml", "invalid-default"),
    ]


def test_strict_in_the_configuration(folder: Path) -> None:
    (folder / "a.yaml").write_text(ODD)
    (folder / "specloom.toml").write_text('descriptions = ["a.yaml"]\n')
    assert run(".").exit_code == 0
    (folder / "specloom.toml").write_text('descriptions = ["a.yaml"]\nstrict = true\n')
    assert run(".").exit_code == 1
    result = CliRunner().invoke(app, ["generate", ".", "-o", "out"])
    assert result.exit_code == 1
    assert "specloom.toml:2:1: error[strict]: " in result.stderr
    assert "a.yaml:4:42: warning[invalid-default]" in result.stderr
    assert not (folder / "out").exists()
    (folder / "a.yaml").write_text(GOOD)
    assert run(".").exit_code == 0
    assert CliRunner().invoke(app, ["generate", ".", "-o", "out"]).exit_code == 0


def test_a_broken_configuration(folder: Path) -> None:
    (folder / "specloom.toml").write_text("colour = 1\n")
    result = run(".")
    assert result.exit_code == 1
    assert "specloom.toml:1:1: error[unknown-key]" in result.stdout


@pytest.mark.parametrize("style", ["json", "sarif"])
def test_formats_for_programs_are_one_document(folder: Path, style: str) -> None:
    (folder / "api.yaml").write_text(BAD)
    result = run("api.yaml", "--format", style)
    assert result.exit_code == 1
    assert json.loads(result.stdout)
    assert result.stderr == ""


def test_github_annotations(folder: Path) -> None:
    (folder / "api.yaml").write_text(BAD)
    first = run("api.yaml", "--format", "github").stdout.splitlines()[0]
    assert first.startswith("::error file=api.yaml,line=6,col=9,title=dangling-reference::")


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["a", "--format", "xml"], ["a", "--no"]])
def test_usage_errors(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_a_description_that_is_not_there() -> None:
    result = run("gone.yaml")
    assert result.exit_code == 1
    assert result.stdout.startswith("gone.yaml:1:1: error[missing-file]: ")


def test_a_part_of_a_description(folder: Path) -> None:
    ok = "responses: {200: {description: ok}}"
    (folder / "a.yaml").write_text(
        f"{HEAD}paths:\n  /a: {{get: {{tags: [a], operationId: a, {ok}}}}}\n"
        f"  /b: {{get: {{tags: [b], operationId: b, {ok}}}}}\n"
        "components: {schemas: {O: {type: string, default: 3}}}\n"
    )
    configuration = (
        'descriptions = ["a.yaml"]\n[include]\ntags = ["a"]\n[exclude]\npaths = ["/c"]\n'
    )
    (folder / "specloom.toml").write_text(configuration)
    result = run(".")
    assert result.exit_code == 0
    assert result.stdout.startswith(
        "specloom.toml:5:1: warning[selects-nothing]: '/c' names no operation of the descriptions\n"
        '  5 | paths = ["/c"]\n    | ^^^^^\n'
    )
    assert result.stdout.splitlines()[-1] == ".: 0 errors, 1 warning in 1 file"
    generated = CliRunner().invoke(app, ["generate", ".", "-o", "out"])
    assert "(operations 1/1, schemas 0/0" in generated.stderr


def test_references_out_of_the_folder(folder: Path) -> None:
    (folder / "in").mkdir()
    (folder / "b.yaml").write_text("B: {type: string}\n")
    text = GOOD + "components: {schemas: {A: {$ref: '../b.yaml#/B'}}}\n"
    (folder / "in" / "api.yaml").write_text(text)
    refused = run("in/api.yaml")
    assert refused.exit_code == 1
    assert "error[outside-reference]" in refused.stdout
    assert "--allow-outside" in refused.stdout
    assert run("in/api.yaml", "--allow-outside").stdout == "in/api.yaml: nothing found\n"
    target = ["generate", "in/api.yaml", "-o", "out"]
    assert CliRunner().invoke(app, target).exit_code == 1
    assert CliRunner().invoke(app, [*target, "--allow-outside"]).exit_code == 0


def test_references_to_other_machines(folder: Path) -> None:
    text = GOOD + "components: {schemas: {A: {$ref: 'http://127.0.0.1:1/b.yaml#/B'}}}\n"
    (folder / "api.yaml").write_text(text)
    for flags, reason in (
        ([], "--allow-remote"),
        (["--allow-private"], "--allow-remote"),
        (["--allow-remote"], "--allow-private"),
        (["--allow-remote", "--allow-private"], "refused"),
    ):
        result = run("api.yaml", *flags)
        assert result.exit_code == 1
        assert reason in result.stdout


def chain(count: int, schema: str, last: str) -> str:
    """Write schemas that use the next one each."""
    each = (schema.replace("NEXT", f"'#/components/schemas/s{i + 1}'") for i in range(count))
    written = ", ".join(f"s{i}: {text}" for i, text in enumerate(each))
    return f"{GOOD}components: {{schemas: {{{written}, s{count}: {last}}}}}\n"


@pytest.mark.parametrize(
    ("schema", "last", "code"),
    [
        ("{$ref: NEXT}", "{$ref: '#/components/schemas/s0'}", "circular-reference"),
        ("{$ref: NEXT}", "{type: string}", "circular-reference"),
        ("{allOf: [{$ref: NEXT}, {properties: {}}]}", "{type: object}", "nested-too-deep"),
    ],
)
def test_chains_without_an_end(folder: Path, schema: str, last: str, code: str) -> None:
    (folder / "api.yaml").write_text(chain(3_000, schema, last))
    report = json.loads(run("api.yaml", "--format", "json").stdout)
    assert [d["code"] for d in report["diagnostics"]] == [code]
    assert CliRunner().invoke(app, ["generate", "api.yaml", "-o", "out"]).exit_code == 1


@pytest.mark.parametrize(
    "schema",
    ["{type: object, properties: {p: {$ref: NEXT}}}", "{type: array, items: {$ref: NEXT}}"],
)
def test_a_long_chain_of_things_in_things_makes_a_client(folder: Path, schema: str) -> None:
    (folder / "api.yaml").write_text(chain(3_000, schema, "{type: string}"))
    report = json.loads(run("api.yaml", "--format", "json").stdout)
    assert [d["code"] for d in report["diagnostics"]] == ["unchecked"]
    assert CliRunner().invoke(app, ["generate", "api.yaml", "-o", "out"]).exit_code == 0


def test_a_circle_of_three(folder: Path) -> None:
    (folder / "api.yaml").write_text(chain(2, "{$ref: NEXT}", "{$ref: '#/components/schemas/s0'}"))
    result = run("api.yaml")
    assert result.stdout.startswith("api.yaml:4:")
    assert result.stdout.count("error[circular-reference]") == 1


def test_a_chain_of_fifty_is_none_of_these(folder: Path) -> None:
    (folder / "api.yaml").write_text(chain(50, "{$ref: NEXT}", "{type: string}"))
    assert run("api.yaml").stdout == "api.yaml: nothing found\n"


def test_what_an_upgrade_has_copied_is_said_once(folder: Path) -> None:
    (folder / "api.yaml").write_text(
        """\
swagger: '2.0'
info: {title: T, version: '1'}
produces: [application/jsonl, application/x-ndjson]
paths:
  /a:
    get:
      responses:
        '200': {description: Events, schema: {type: object}}
        '400': {description: Refused, schema: {type: object}}
"""
    )
    lines = run("api.yaml").stdout.splitlines()
    assert len([line for line in lines if "[untyped-body]" in line]) == 1
    assert lines[-1] == "api.yaml: 0 errors, 2 warnings in 1 file"
