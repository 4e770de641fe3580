"""The command ``specloom models``: the file that it writes, and what bad input gets."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from specloom.cli import app
from unit.models import STYLES, decoder, imported, used

ROOT = Path(__file__).resolve().parents[2]
DESCRIPTION = """\
openapi: 3.0.3
info: {title: Pets, version: "1"}
paths: {}
components:
  schemas:
    Pet: {type: object, properties: {name: {type: string}, tag: {$ref: '#/components/schemas/Tag'}}}
    Tag: {type: string, enum: [cat, dög]}
"""
ODD = DESCRIPTION + "    Odd: {type: string, default: 3}\n"


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
    """Run ``specloom models`` in this process."""
    result = CliRunner().invoke(app, ["models", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_a_file_is_written_once(folder: Path) -> None:
    result = run("pets.yaml", "-o", "out/pets.py")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "out/pets.py: generated (errors 0, warnings 0)\n"
    path = folder / "out/pets.py"
    before = (path.read_bytes(), path.stat().st_ino)
    assert "out/pets.py: unchanged" in run("pets.yaml", "-o", "out/pets.py").stderr
    assert (path.read_bytes(), path.stat().st_ino) == before
    assert [p.name for p in path.parent.iterdir()] == ["pets.py"]


@pytest.mark.usefixtures("folder")
def test_standard_output_has_the_same_text() -> None:
    run("pets.yaml", "-o", "pets.py")
    result = run("pets.yaml")
    assert (result.exit_code, result.stdout) == (0, Path("pets.py").read_text("utf-8"))
    assert result.stderr == "pets.yaml: printed (errors 0, warnings 0)\n"
    assert "class Pet(BaseModel):" in result.stdout


@pytest.mark.parametrize(
    ("style", "head"),
    [
        ("pydantic", "class Pet(BaseModel):"),
        ("dataclass", "@dataclass(kw_only=True)\nclass Pet:"),
        ("typeddict", "class Pet(TypedDict):"),
        ("msgspec", "class Pet(Struct, kw_only=True):"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_styles(style: str, head: str) -> None:
    assert head in run("pets.yaml", "--style", style).stdout


@pytest.mark.usefixtures("folder")
def test_an_unknown_style_is_a_mistake_of_usage() -> None:
    assert run("pets.yaml", "--style", "attrs").exit_code == 2
    assert run().exit_code == 2


def test_what_is_somebody_elses_stays(folder: Path) -> None:
    (folder / "mine.py").write_text("answer = 42\n")
    result = run("pets.yaml", "-o", "mine.py")
    assert result.exit_code == 1
    assert "mine.py:1:1: error[foreign-files]: 'mine.py' was not generated" in result.stderr
    assert (folder / "mine.py").read_text() == "answer = 42\n"
    assert "error[foreign-files]" in run("pets.yaml", "-o", ".").stderr


def test_an_earlier_module_is_replaced_and_keeps_nothing_beside_it(folder: Path) -> None:
    run("pets.yaml", "-o", "models.py")
    run("pets.yaml", "-o", "models.py", "--style", "typeddict")
    assert "TypedDict" in (folder / "models.py").read_text("utf-8")
    assert sorted(p.name for p in folder.iterdir()) == ["models.py", "pets.yaml"]


def test_a_disk_that_refuses(folder: Path) -> None:
    (folder / "file").write_text("")
    result = run("pets.yaml", "-o", "file/models.py")
    assert (result.exit_code, "error[cannot-write]" in result.stderr) == (1, True)


@pytest.mark.usefixtures("folder")
def test_diagnostics_come_with_their_places() -> None:
    Path("pets.yaml").write_text(ODD, "utf-8")
    result = run("pets.yaml", "-o", "pets.py")
    assert result.exit_code == 0
    assert result.stderr.startswith("pets.yaml:8:25: warning[invalid-default]: ")
    assert result.stderr.endswith("pets.py: generated (errors 0, warnings 1)\n")


def test_a_strict_configuration_refuses_warnings(folder: Path) -> None:
    (folder / "pets.yaml").write_text(ODD, "utf-8")
    (folder / "specloom.toml").write_text('descriptions = ["pets.yaml"]\nstrict = true\n')
    result = run(".", "-o", "pets.py")
    assert (result.exit_code, "specloom.toml:2:1: error[strict]" in result.stderr) == (1, True)
    assert not (folder / "pets.py").exists()


def test_no_description(folder: Path) -> None:
    result = run("missing.yaml", "-o", "pets.py")
    assert result.exit_code == 1
    assert result.stderr.endswith("pets.py: failed (errors 1, warnings 0)\n")
    assert not (folder / "pets.py").exists()


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the models of OpenAI's chat completions and completions in all styles."""
    root = tmp_path_factory.mktemp("models")
    for style in STYLES:
        result = run(
            str(ROOT / "specs/openai"), "--style", style, "-o", str(root / f"of_{style}.py")
        )
        assert result.exit_code == 0
    return root


def test_models_of_the_seeds_can_be_used(seeds: Path) -> None:
    for style in STYLES:
        text = (seeds / f"of_{style}.py").read_text("utf-8")
        assert "ChatCompletion" in set(used(imported(text), style))


def test_a_choice_without_logprobs_is_accepted(seeds: Path) -> None:
    choice = (
        '{"index": 0, "finish_reason": "stop", "logprobs": null, '
        '"message": {"role": "assistant", "content": "Hi", "refusal": null}}'
    )
    for style in ("pydantic", "msgspec"):
        module = imported((seeds / f"of_{style}.py").read_text("utf-8"))
        assert decoder(module, "Choice", style)(choice).logprobs is None


def test_models_of_the_seeds_pass_mypy(seeds: Path, pytestconfig: pytest.Config) -> None:
    cache = pytestconfig.cache
    assert cache is not None
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--python-version=3.11"]
    finished = subprocess.run(
        [*command, f"--cache-dir={cache.mkdir('mypy-models')}", str(seeds)],
        capture_output=True,
        text=True,
        cwd=seeds,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_models_of_the_seeds_pass_pyright(seeds: Path) -> None:
    copy = seeds / "pyrightconfig.json"
    copy.write_text('{"include": ["."], "pythonVersion": "3.11", "typeCheckingMode": "standard"}')
    pyright = shutil.which("pyright", path=str(Path(sys.executable).parent))
    assert pyright is not None
    finished = subprocess.run(
        [pyright, "--pythonpath", sys.executable, "-p", str(seeds)], capture_output=True, text=True
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr


@pytest.mark.parametrize("style", STYLES)
def test_neither_seed_nor_place_matters(style: str, tmp_path: Path) -> None:
    texts: list[bytes] = []
    for seed, name in (("1", "here"), ("2", "there/and deeper")):
        target = tmp_path / name
        shutil.copytree(ROOT / "specs/openai", target)
        command = [sys.executable, "-m", "specloom", "models", str(target), "--style", style]
        environment = {"PYTHONHASHSEED": seed, "XDG_CACHE_HOME": str(tmp_path)}
        finished = subprocess.run(command, capture_output=True, env=environment, cwd=target)
        assert finished.returncode == 0, finished.stderr
        texts.append(finished.stdout)
    assert texts[0] == texts[1] != b""
