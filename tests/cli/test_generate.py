"""The command ``specloom generate``: its exit codes, its output, and what bad input gets."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from specloom.cli import app

DESCRIPTION = """\
openapi: 3.0.3
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      operationId: listPets
      responses:
        "200":
          description: ok
          content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
components:
  schemas:
    Pet: {type: object, properties: {name: {type: string}, any: {}}}
"""
ODD = DESCRIPTION + "    Odd: {not: {type: string}}\n"
"""A description with a schema that is not expressed."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the description of one API in ``specs/pets``."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    work = tmp_path / "work"
    specs = work / "specs" / "pets"
    specs.mkdir(parents=True)
    monkeypatch.chdir(work)
    (specs / "pets.yaml").write_text(DESCRIPTION)
    (specs / "specloom.toml").write_text('descriptions = ["pets.yaml"]\n')
    return work


def run(*arguments: str) -> Result:
    """Run ``specloom generate`` in this process."""
    result = CliRunner().invoke(app, ["generate", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def snapshot(root: Path) -> dict[str, tuple[bytes, int, int]]:
    """Return content, inode and time of every file below a folder."""
    return {
        str(path.relative_to(root)): (
            path.read_bytes(),
            path.stat().st_ino,
            path.stat().st_mtime_ns,
        )
        for path in root.rglob("*")
        if path.is_file()
    }


def test_every_specs_folder_is_generated_by_default(folder: Path) -> None:
    result = run()
    assert result.exit_code == 0
    assert result.stdout == ""
    assert (folder / "generated/pets-client/src/pets_client/models/pet.py").is_file()
    assert "pets-client: generated (operations 1/1, schemas 1/1" in result.stderr


def test_diagnostics_have_their_places(folder: Path) -> None:
    (folder / "specs/pets/pets.yaml").write_text(ODD)
    line = run().stderr.splitlines()[0]
    assert line.startswith("specs/pets/pets.yaml:14:11: warning[untyped-condition]: ")


def test_output_folder_of_one_and_of_several_targets(folder: Path) -> None:
    (folder / "other.yaml").write_text(DESCRIPTION.replace("Pets", "Other things"))
    assert run("other.yaml", "-o", "out/here").exit_code == 0
    assert (folder / "out/here/src/other_things_client/__init__.py").is_file()
    assert run("other.yaml", "specs/pets", "--output", "both").exit_code == 0
    assert sorted(path.name for path in (folder / "both").iterdir()) == [
        "other-things-client",
        "pets-client",
    ]


def test_a_second_run_touches_nothing(folder: Path) -> None:
    run()
    before = snapshot(folder)
    assert run().exit_code == 0
    assert snapshot(folder) == before


def test_check_says_nothing_when_nothing_changed(folder: Path) -> None:
    run()
    result = run("--check")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "pets-client: up to date" in result.stderr


def test_check_prints_a_diff_and_writes_nothing(folder: Path) -> None:
    run()
    text = DESCRIPTION.replace("name: {type: string}", "name: {type: integer}")
    (folder / "specs/pets/pets.yaml").write_text(text)
    before = snapshot(folder)
    result = run("--check")
    assert result.exit_code == 1
    assert "--- pets-client/src/pets_client/models/pet.py\n" in result.stdout
    assert "\n-    name: Maybe[str] = None\n+    name: Maybe[int] = None\n" in result.stdout
    assert "pets-client: differs" in result.stderr
    assert snapshot(folder) == before


def test_check_of_what_was_never_generated(folder: Path) -> None:
    result = run("--check")
    assert result.exit_code == 1
    assert "+++ pets-client/pyproject.toml\n" in result.stdout
    assert not (folder / "generated").exists()


def numbers(path: Path) -> list[dict[str, Any]]:
    """Return the clients of a report."""
    report = json.loads(path.read_text("utf-8"))
    assert report.keys() == {"clients"}
    clients: list[dict[str, Any]] = report["clients"]
    return clients


def test_report(folder: Path) -> None:
    (folder / "specs/pets/pets.yaml").write_text(ODD)
    assert run("--report", "report.json").exit_code == 0
    (client,) = numbers(folder / "report.json")
    seconds = client.pop("seconds")
    assert seconds.keys() == {"load", "validate", "lower", "plan", "render", "write"}
    assert all(0 <= value < 60 for value in seconds.values())
    texts = [
        path.read_text("utf-8") for path in (folder / "generated").rglob("*") if path.is_file()
    ]
    assert client == {
        "name": "pets-client",
        "operations": {"total": 1, "emitted": 1},
        "schemas": {"total": 2, "emitted": 2},
        "untyped_leaves": 2,
        "diagnostics": {"error": 0, "warning": 1},
        "files": len(texts),
        "lines": sum(text.count("\n") for text in texts),
    }


def test_report_of_a_failure(folder: Path) -> None:
    (folder / "specs/pets/pets.yaml").write_text("openapi: [")
    assert run("--report", "report.json").exit_code == 1
    (client,) = numbers(folder / "report.json")
    assert client["diagnostics"] == {"error": 1, "warning": 0}
    assert client["operations"] == {"total": 0, "emitted": 0}


def test_report_that_cannot_be_written(folder: Path) -> None:
    Path("taken").mkdir()
    for path, reason in (("taken", "no file"), ("specs/pets/pets.yaml", "was not generated")):
        result = run("--report", path)
        assert result.exit_code == 1
        assert f"{path}: " in result.stderr and reason in result.stderr
    assert (folder / "specs/pets/pets.yaml").read_text() == DESCRIPTION


def test_a_package_cannot_be_called_what_another_is(folder: Path) -> None:
    with (folder / "specs/pets/specloom.toml").open("a") as file:
        file.write('package = "pydantic"\n')
    result = run()
    assert result.exit_code == 1
    assert "specloom.toml:2:1: error[invalid-value]: to import 'pydantic'" in result.stderr


def test_to_leave_nothing_is_told(folder: Path) -> None:
    with (folder / "specs/pets/specloom.toml").open("a") as file:
        file.write('[exclude]\npaths = ["/**"]\n')
    result = run()
    assert "warning[selects-nothing]: no operation of the descriptions is left" in result.stderr


def test_a_run_that_is_terminated_leaves_nothing(folder: Path) -> None:
    program = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from specloom.cli import app\n"
        "os.replace = lambda *_: os.kill(os.getpid(), signal.SIGTERM)\n"
        "sys.argv = ['specloom', 'generate', '-o', 'out']\n"
        "app()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, check=False)
    assert done.returncode == 143
    assert not (folder / "out").exists()


def test_one_bad_target_does_not_stop_the_others(folder: Path) -> None:
    result = run("missing.yaml", "specs/pets", "-o", "out")
    assert result.exit_code == 1
    assert (folder / "out/pets-client/pyproject.toml").is_file()


@pytest.mark.parametrize("arguments", [["--no-such"], ["-o"], ["--report"]])
def test_usage_errors(folder: Path, arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2
    assert not (folder / "generated").exists()


def test_nothing_to_generate_is_a_usage_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run()
    assert result.exit_code == 2
    assert "TARGET" in result.stderr


Spoil = Callable[[Path], None]


def missing_file(specs: Path) -> None:
    """Configure a description that is not there."""
    (specs / "specloom.toml").write_text('descriptions = ["gone.yaml"]\n')


def unreadable_file(specs: Path) -> None:
    """Put a link to itself in the place of the description: not even root can read that."""
    (specs / "pets.yaml").unlink()
    (specs / "pets.yaml").symlink_to("pets.yaml")


def folder_for_a_file(specs: Path) -> None:
    """Put a folder in the place of the description."""
    (specs / "pets.yaml").unlink()
    (specs / "pets.yaml").mkdir()


def no_text(specs: Path) -> None:
    """Put bytes that are no UTF-8 into the description."""
    (specs / "pets.yaml").write_bytes(DESCRIPTION.encode() + b"x-note: \xff\n")


def broken_yaml(specs: Path) -> None:
    """Leave a brace open."""
    (specs / "pets.yaml").write_text(DESCRIPTION.replace('version: "1"}', 'version: "1"'))


def reference_to_nowhere(specs: Path) -> None:
    """Refer to a schema that does not exist."""
    (specs / "pets.yaml").write_text(DESCRIPTION.replace("schemas/Pet'", "schemas/Pat'"))


def unknown_key(specs: Path) -> None:
    """Configure something that does not exist."""
    (specs / "specloom.toml").write_text('descriptions = ["pets.yaml"]\ncolour = "red"\n')


def broken_toml(specs: Path) -> None:
    """Leave a quote open."""
    (specs / "specloom.toml").write_text('descriptions = ["pets.yaml]\n')


def foreign_files(specs: Path) -> None:
    """Keep something else in the output folder."""
    client = specs.parents[1] / "generated" / "pets-client"
    (client / "pyproject.toml").write_text("[project]\nname = 'mine'\n")
    (specs / "pets.yaml").write_text(DESCRIPTION.replace("Pets", "pets"))


@pytest.mark.parametrize(
    ("spoil", "place", "code"),
    [
        (missing_file, "specs/pets/gone.yaml:1:1", "missing-file"),
        (unreadable_file, "specs/pets/pets.yaml:1:1", "unreadable-file"),
        (folder_for_a_file, "specs/pets/pets.yaml:1:1", "not-a-file"),
        (no_text, "specs/pets/pets.yaml:14:9", "not-utf-8"),
        (broken_yaml, "specs/pets/pets.yaml:3:1", "invalid-yaml"),
        (reference_to_nowhere, "specs/pets/pets.yaml:10:49", "dangling-reference"),
        (unknown_key, "specs/pets/specloom.toml:2:1", "unknown-key"),
        (broken_toml, "specs/pets/specloom.toml:1:28", "invalid-toml"),
        (foreign_files, "generated/pets-client:1:1", "foreign-files"),
    ],
)
def test_bad_input_gets_one_diagnostic_and_changes_nothing(
    folder: Path, spoil: Spoil, place: str, code: str
) -> None:
    run()
    spoil(folder / "specs" / "pets")
    before = snapshot(folder)
    result = run()
    lines = [line for line in result.stderr.splitlines() if ": note: " not in line]
    diagnostic, summary = lines
    assert result.exit_code == 1
    assert diagnostic.startswith(f"{place}: error[{code}]: ")
    assert ": failed (" in summary
    assert snapshot(folder) == before


def test_a_description_that_is_not_there(folder: Path) -> None:
    result = run("no/such.yaml")
    assert result.exit_code == 1
    assert result.stderr.startswith("no/such.yaml:1:1: error[missing-file]: ")


def test_a_folder_without_configuration(folder: Path) -> None:
    (folder / "empty").mkdir()
    result = run("empty")
    assert result.exit_code == 1
    assert result.stderr.startswith("empty/specloom.toml:1:1: error[missing-file]: ")


def test_it_says_its_version() -> None:
    assert CliRunner().invoke(app, ["--version"]).output == f"specloom {version('specloom')}\n"


def test_it_is_a_program(folder: Path) -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "specloom", "generate", "specs/pets/pets.yaml", "-o", "out"],
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stderr
    assert (folder / "out/src/pets_client/py.typed").is_file()


def test_names_are_kept_beside_the_configuration(folder: Path) -> None:
    run()
    lock = folder / "specs" / "pets" / "names.lock"
    first = lock.read_text()
    assert '"pets.yaml#/components/schemas/Pet" = "Pet"' in first
    # A schema that comes first, and whose name is the same word in Python.
    changed = DESCRIPTION.replace("    Pet:", "    pet: {type: object, properties: {}}\n    Pet:")
    (folder / "specs" / "pets" / "pets.yaml").write_text(changed)
    result = run()
    assert "renamed: " not in result.output
    assert '"pets.yaml#/components/schemas/Pet" = "Pet"' in lock.read_text()


def test_a_renaming_is_told_and_a_stale_lock_is_drift(folder: Path) -> None:
    run()
    lock = folder / "specs" / "pets" / "names.lock"
    kept = lock.read_text()
    lock.write_text(kept.replace('= "Pet"', '= "Animal"'))
    run()
    assert '= "Animal"' in lock.read_text()
    lock.write_text(kept)
    result = run()
    assert "renamed: " not in result.output  # what the lock says is what users know
    configuration = folder / "specs" / "pets" / "specloom.toml"
    configuration.write_text(configuration.read_text() + '[names]\n"Pet" = "Beast"\n')
    checked = run("--check")
    assert checked.exit_code == 1
    assert '+"pets.yaml#/components/schemas/Pet" = "Beast"' in checked.output
    assert "renamed: model Pet is now Beast" in run().output
    assert run("--check").exit_code == 0


def test_a_description_alone_has_no_lock(folder: Path) -> None:
    run("specs/pets/pets.yaml")
    assert not (folder / "specs" / "pets" / "names.lock").exists()
