"""The command ``specloom inspect``: the API as JSON, and the schema of that."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import pytest
from typer.testing import CliRunner, Result

from specloom.cli import app

DESCRIPTION = """\
openapi: 3.0.3
info: {title: Pets, version: "1"}
paths: {}
components:
  schemas:
    Pet: {type: object, properties: {name: {type: string, default: "é"}}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a description."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    (work / "pets.yaml").write_text(DESCRIPTION, "utf-8")
    return work


def run(*arguments: str) -> Result:
    """Run ``specloom inspect`` in this process."""
    result = CliRunner().invoke(app, ["inspect", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.usefixtures("folder")
def test_the_api_is_printed_and_fits_the_printed_schema() -> None:
    result = run("pets.yaml")
    assert result.exit_code == 0
    assert result.stderr == "pets.yaml: printed (errors 0, warnings 0)\n"
    written = json.loads(result.stdout)
    assert (written["format"], written["kind"], written["title"]) == (1, "api", "Pets")
    pet = written["types"]["pets.yaml#/components/schemas/Pet"]
    assert pet["place"] == {"kind": "component", "name": "Pet"}
    assert pet["properties"][0]["type"]["type"] == "string"
    assert pet["properties"][0]["default"] == "é"
    assert result.stdout.isascii()
    schema = json.loads(run("--schema").stdout)
    jsonschema_rs.validate(schema, written)
    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.validate(schema, written | {"format": 2})


def test_a_file_is_written_once(folder: Path) -> None:
    assert "api.json: generated" in run("pets.yaml", "-o", "api.json").stderr
    assert (folder / "api.json").read_text("utf-8") == run("pets.yaml").stdout
    assert "api.json: unchanged" in run("pets.yaml", "-o", "api.json").stderr
    (folder / "pets.yaml").write_text(DESCRIPTION.replace("Pets", "Other"), "utf-8")
    assert "api.json: generated" in run("pets.yaml", "-o", "api.json").stderr


def test_what_is_somebody_elses_stays(folder: Path) -> None:
    result = run("pets.yaml", "-o", "pets.yaml")
    assert (result.exit_code, "error[foreign-files]" in result.stderr) == (1, True)
    assert (folder / "pets.yaml").read_text("utf-8") == DESCRIPTION


@pytest.mark.usefixtures("folder")
def test_mistakes_of_usage() -> None:
    assert run().exit_code == 2
    assert run("pets.yaml", "--schema").exit_code == 2
    assert run("--schema", "-o", "schema.json").exit_code == 2


@pytest.mark.usefixtures("folder")
def test_a_description_that_cannot_be_read() -> None:
    Path("pets.yaml").write_text("[")
    result = run("pets.yaml")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith("pets.yaml: failed (errors 1, warnings 0)\n")
