"""Templates of one's own: what they change, and what is said about those that cannot be used."""

from __future__ import annotations

import os
from pathlib import Path

import black
import pytest
from jinja2 import nodes
from typer.testing import CliRunner, Result

from specloom.cli import app
from specloom.custom import OURS
from specloom.render import NAMES, TEMPLATES, environment

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
    Pet: {type: object, properties: {name: {type: string}}}
    Empty: {type: object, properties: {}}
"""
CLASS = "src/package/_class.jinja"
EXTENDED = '{% extends "specloom/src/package/_class.jinja" %}\n'
METHOD = """\
{% block members %}
    def shout(self) -> str: return {{ statement.name | literal }}
{% endblock %}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a description whose configuration names a folder of templates."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    work = tmp_path / "work"
    (work / "mine").mkdir(parents=True)
    monkeypatch.chdir(work)
    (work / "pets.yaml").write_text(DESCRIPTION)
    (work / "specloom.toml").write_text('descriptions = ["pets.yaml"]\ntemplates = "mine"\n')
    return work


def template(name: str, text: str) -> None:
    """Write a template of one's own."""
    path = Path("mine", name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def run(*arguments: str) -> Result:
    """Run ``specloom`` on the current folder, in this process."""
    command, *options = arguments
    result = CliRunner().invoke(app, [command, ".", *options])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def generated(*options: str) -> Result:
    """Generate the client into ``out``."""
    return run("generate", "-o", "out", *options)


def blocks(name: str) -> list[str]:
    """Return the names of the blocks of one of our templates."""
    parsed = environment().parse((TEMPLATES / "package" / name).read_text("utf-8"))
    return [block.name for block in parsed.find_all(nodes.Block)]


def text(name: str) -> str:
    """Return a file of the client."""
    return Path("out", name).read_text("utf-8")


def tree() -> dict[str, bytes]:
    """Return every file of the client."""
    return {str(path): path.read_bytes() for path in Path("out").rglob("*") if path.is_file()}


@pytest.mark.usefixtures("folder")
def test_an_empty_folder_changes_nothing() -> None:
    assert generated().exit_code == 0
    before = tree()
    Path("specloom.toml").write_text('descriptions = ["pets.yaml"]\n')
    generated()
    assert tree() == before


@pytest.mark.usefixtures("folder")
def test_a_block_is_filled() -> None:
    template(CLASS, EXTENDED + METHOD)
    result = generated()
    assert (result.exit_code, result.stderr.count("\n")) == (0, 1)
    assert text("src/pets_client/models/pet.py").endswith(
        '    name: Maybe[str] = None\n\n    def shout(self) -> str:\n        return "Pet"\n'
    )
    for path in Path("out").rglob("*.py"):
        if "_runtime" not in path.parts:
            code = path.read_text("utf-8")
            assert black.format_str(code, mode=black.Mode(line_length=88)) == code, path


@pytest.mark.usefixtures("folder")
def test_a_template_is_replaced_and_uses_one_of_its_own() -> None:
    template("README.md.jinja", '{% include "parts/title" %}\n\nOurs: {{ it.name }}\n')
    template("parts/title", "# {{ it.title }}")
    template(".hidden", "{% no")
    assert generated().stderr.count("\n") == 1
    assert text("README.md") == "# Pets\nOurs: pets-client\n"


@pytest.mark.usefixtures("folder")
def test_what_ours_has_in_a_block_can_be_kept() -> None:
    extended = '{% extends "specloom/pyproject.toml.jinja" %}\n'
    template("pyproject.toml.jinja", extended + "{% block extras %}\nkeywords = []\n{% endblock %}")
    template(
        "src/package/_imports.jinja",
        '{% extends "specloom/src/package/_imports.jinja" %}\n'
        "{% block imports %}\n{{ super() }}\nimport os\n{% endblock %}\n",
    )
    assert generated().exit_code == 0
    assert "\nkeywords = []\n\n[tool.hatch" in text("pyproject.toml")
    assert "import BaseModel, Maybe\n\nimport os\n" in text("src/pets_client/models/pet.py")


@pytest.mark.usefixtures("folder")
def test_every_block_can_be_filled_with_what_is_there() -> None:
    generated()
    before = tree()
    ours = {name: blocks(name) for name in NAMES}
    for name, found in ours.items():
        filled = "".join(f"{{% block {b} %}}\n{{{{ super() }}}}{{% endblock %}}\n" for b in found)
        template(name, f'{{% extends "{OURS}{name}" %}}\n{filled}')
    assert sum(map(len, ours.values())) > 20
    result = generated()
    assert (result.exit_code, "unused" in result.stderr) == (0, False)
    assert tree() == before


@pytest.mark.usefixtures("folder")
def test_check_knows_the_templates() -> None:
    generated()
    assert generated("--check").exit_code == 0
    template(CLASS, EXTENDED + METHOD)
    result = generated("--check")
    assert result.exit_code == 1
    assert '+        return "Pet"\n' in result.stdout
    generated()
    assert generated("--check").exit_code == 0
    before = tree()
    assert "unchanged" in generated().stderr
    assert tree() == before


@pytest.mark.parametrize(
    ("name", "written", "line", "said"),
    [
        (CLASS, "\n{% for x in %}\n", 2, "Expected an expression"),
        (CLASS, "{{ 1 | shouted }}\n", 1, "No filter named 'shouted'"),
        (CLASS, "{% extends 'nothing' %}\n", 1, "there is no template 'nothing'"),
        (CLASS, "\n{% include 'nothing' %}\n", 2, "there is no template 'nothing'"),
        (CLASS, EXTENDED + "{% block members %}\n{{ it.x.y }}\n{% endblock %}", 3, "attribute 'x'"),
        (CLASS, "\n\n{{ 1 / 0 }}\n", 3, "division by zero"),
        (CLASS, f"{{% extends '{CLASS}' %}}", 1, "it includes itself without an end"),
        (CLASS, f"\n{{% include '{CLASS}' %}}", 2, "it includes itself without an end"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_template_that_cannot_be_used(name: str, written: str, line: int, said: str) -> None:
    generated()
    before = tree()
    template(name, written)
    result = generated()
    assert result.exit_code == 1
    (found,) = [x for x in result.stderr.splitlines() if "error" in x.partition(" ")[2][:6]]
    assert found.startswith(f"mine/{name}:{line}:1: error[invalid-template]: ")
    assert said in found
    assert tree() == before


@pytest.mark.usefixtures("folder")
def test_validate_finds_what_does_not_parse() -> None:
    template(CLASS, "{% if %}")
    template("api.md.jinja", "{% extends 'nothing' %}")
    lines = [x for x in run("validate").stdout.splitlines() if "invalid-template" in x]
    assert [line.partition(": ")[0] for line in lines] == [
        "mine/api.md.jinja:1:1",
        f"mine/{CLASS}:1:1",
    ]


@pytest.mark.parametrize(
    ("name", "written", "found"),
    [
        ("readme.md.jinja", "x", "did you mean 'README.md.jinja'?"),
        ("src/package/_class.py.jinja", "x", "did you mean 'src/package/_class.jinja'?"),
        ("notes.txt", "x", "warning[unused-template]"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_template_that_nothing_uses(name: str, written: str, found: str) -> None:
    template(name, written)
    result = generated()
    assert result.exit_code == 0
    assert result.stderr.startswith(f"mine/{name}:1:1: warning[unused-template]: nothing uses")
    assert found in result.stderr


@pytest.mark.usefixtures("folder")
def test_a_block_that_nothing_prints() -> None:
    template(
        CLASS,
        EXTENDED + "{% block doc %}{% block inner %}{% endblock %}{% endblock %}\n"
        "{% block dok %}{% endblock %}",
    )
    result = generated()
    assert result.exit_code == 0
    assert f"mine/{CLASS}:3:1: warning[unused-block]" in result.stderr
    assert "'dok'" in result.stderr
    assert "inner" not in result.stderr


@pytest.mark.parametrize(
    ("name", "written", "said"),
    [
        (CLASS, "class {{ statement.name }}(\n", "error[invalid-output]: with these templates"),
        (CLASS, "\0", "does not parse: source code string cannot contain null bytes"),
        ("pyproject.toml.jinja", "# Generated by Specloom.\n[x\n", "pyproject.toml does not parse"),
        ("pyproject.toml.jinja", "[project]\n", "error[unmarked-output]: with these templates"),
        ("src/package/_imports.jinja", "import os", "error[unmarked-output]: with these templates"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_output_that_no_client_can_have(name: str, written: str, said: str) -> None:
    template(name, written)
    result = generated()
    assert result.exit_code == 1
    assert result.stderr.startswith("specloom.toml:2:1: error[")
    assert said in result.stderr
    assert not Path("out").exists()


@pytest.mark.usefixtures("folder")
def test_a_folder_that_is_not_there_and_a_file_that_is_no_text() -> None:
    Path("mine", "api.md.jinja").write_bytes(b"\xff")
    result = generated()
    assert (result.exit_code, "error[unreadable-file]" in result.stderr) == (1, True)
    assert result.stderr.startswith("mine/api.md.jinja:1:1: ")
    Path("specloom.toml").write_text('descriptions = ["pets.yaml"]\ntemplates = "yours"\n')
    result = generated()
    assert result.exit_code == 1
    assert result.stderr.startswith("specloom.toml:2:1: error[missing-folder]: there is no folder")


def test_templates_may_lie_elsewhere(folder: Path) -> None:
    template(CLASS, EXTENDED + METHOD)
    os.rename("mine", folder.parent / "common")
    Path("specloom.toml").write_text('descriptions = ["pets.yaml"]\ntemplates = "../common"\n')
    assert generated().exit_code == 0
    assert "def shout" in text("src/pets_client/models/pet.py")
