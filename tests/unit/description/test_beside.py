"""Validation in a process of its own: the same report, and nothing of it left behind."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from specloom import run as running
from specloom.config import read_config
from specloom.description import beside
from specloom.description import validate as validation
from specloom.description.beside import Loader, judging
from specloom.description.load import load
from specloom.description.validate import judge
from specloom.diagnostics import Origin, Report, Stop
from specloom.generate import generate
from specloom.lower.api import lower
from specloom.run import Run
from specloom.summary import printed

CASES = Path(__file__).resolve().parents[2] / "cases"
HEAD = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\n"
WRONG = "components: {schemas: {A: {type: string, default: 3}}}\n"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A description that something is wrong with."""
    path = tmp_path / "api.yaml"
    path.write_text(HEAD + WRONG)
    return path


@pytest.fixture
def loaders(target: Path) -> list[Loader]:
    """How to load it."""
    return [partial(load, target)]


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remember no verdicts."""
    monkeypatch.setattr(running, "user_cache", lambda: None)


def only_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process judge nothing, and another one everything."""

    def refuse(*_: object) -> object:
        raise AssertionError("judged in this process")

    monkeypatch.setattr(running, "WORTHWHILE", 0)
    monkeypatch.setattr(validation, "judge", refuse)


def outcome(target: Path) -> tuple[list[str], dict[str, str]]:
    """Return what is said about a target, and the files of its client if there are any."""
    run = Run(target)
    files: dict[str, str] = {}
    try:
        files = {str(path): text for path, text in generate(run).files.items()}
    except Stop:
        pass
    return list(printed(run)), files


@pytest.mark.parametrize(
    "name",
    ["ill_typed_defaults", "merged_descriptions", "overlay", "several_files", "swagger_2", "tags"],
)
def test_a_case_is_the_same_both_ways(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = CASES / name
    target = folder if (folder / "specloom.toml").is_file() else folder / "spec.yaml"
    said, files = outcome(target)
    assert files
    only_beside(monkeypatch)
    assert outcome(target) == (said, files)


@pytest.mark.parametrize(
    "entry",
    [
        "xero-accounting/xero_accounting.yaml",
        pytest.param("digitalocean/DigitalOcean-public.v2.yaml", marks=pytest.mark.corpus),
        pytest.param("openai/openapi.yaml", marks=pytest.mark.corpus),
    ],
)
def test_a_real_description_is_the_same_both_ways(
    shared: Path, entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said() -> list[str]:
        run = Run(shared / "corpus" / entry)
        run.load(read_config(run.target, run.report))
        lower(run.descriptions, run.report, {})
        with run.validation():
            run.report.warning("late", "this comes last", Origin(run.descriptions[0].entry))
        return list(printed(run))

    alone = said()
    assert len(alone) > 10
    only_beside(monkeypatch)
    assert said() == alone


def test_findings_come_before_those_of_the_body(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        run = Run(target)
        run.load(read_config(target, run.report))
        place = Origin("api.yaml", "/components/schemas/A/default")
        with pytest.raises(Stop), run.validation():
            raise run.report.fatal("late", "this comes last", place)
        assert [d.code for d in run.report.diagnostics] == ["invalid-default", "late"]
        only_beside(monkeypatch)


def test_a_document_that_only_validation_reads(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unused = "components: {responses: {A: {$ref: 'b.yaml#/A'}}}\n"
    target.write_text(HEAD + unused)
    target.with_name("b.yaml").write_text("A: {description: x}\nB: 1\nB: 2\n")
    said, files = outcome(target)
    assert any("duplicate-key" in line for line in said)
    only_beside(monkeypatch)
    assert outcome(target) == (said, files)


def test_a_verdict_on_something_else_is_not_used(target: Path, loaders: list[Loader]) -> None:
    with judging(loaders) as verdicts:
        (verdict,) = verdicts()
    description = load(target, Report())
    assert verdict == judge(description)
    assert verdict.fits(description)
    target.write_text(HEAD)
    assert not verdict.fits(load(target, Report()))


@pytest.mark.parametrize("python", ["", "/nowhere/python", "/bin/false", "/bin/echo"])
def test_without_another_process_this_one_judges(
    target: Path, python: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "WORTHWHILE", 0)
    expected = outcome(target)
    monkeypatch.setattr(sys, "executable", python)
    assert outcome(target) == expected
    assert any("invalid-default" in line for line in expected[0])


def test_what_a_process_cannot_judge_is_left_out(target: Path) -> None:
    missing = partial(load, target.with_name("missing.yaml"))
    with judging([partial(load, target), missing]) as verdicts:
        assert len(verdicts()) == 1


def test_modules_in_the_current_folder_are_not_imported(
    loaders: list[Loader], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("yaml", "jiter", "specloom"):
        (tmp_path / f"{name}.py").write_text(f"open('imported-{name}', 'w')\n")
    monkeypatch.chdir(tmp_path)
    with judging(loaders) as verdicts:
        assert len(verdicts()) == 1
    assert list(tmp_path.glob("imported-*")) == []


SLOW = """
import fcntl, sys, time
def load(report):
    lock = open({lock!r}, "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    open({begun!r}, "w").close()
    time.sleep(60)
    open({survived!r}, "w").close()
"""
ASKING = """
import os, pathlib, signal, time
from specloom.description.beside import judging
import slow
with judging([slow.load]):
    while not pathlib.Path({begun!r}).exists():
        time.sleep(0.01)
    {end}
"""


@pytest.mark.parametrize(
    "end",
    [
        "os.kill(os.getpid(), signal.SIGKILL)",
        "os.kill(os.getpid(), signal.SIGTERM)",
        "raise KeyboardInterrupt",
        "raise ValueError",
        "pass",
    ],
)
def test_no_process_outlives_the_one_that_asks(tmp_path: Path, end: str) -> None:
    names = {name: str(tmp_path / name) for name in ("lock", "begun", "survived")}
    (tmp_path / "slow.py").write_text(SLOW.format(**names))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    program = ASKING.format(**names, end=end)
    subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True)
    with (tmp_path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # which the other process has as long as it lives
    assert (tmp_path / "begun").exists()
    assert not (tmp_path / "survived").exists()


def test_a_script_needs_no_main_guard(target: Path, tmp_path: Path) -> None:
    pad = "x-pad: " + "x" * beside.WORTHWHILE + "\n"
    target.write_text(HEAD + WRONG + pad)
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\nfrom specloom.generate import Run, generate\n"
        "run = Run(Path(sys.argv[1]))\ngenerate(run)\n"
        "print(*(d.code for d in run.report.diagnostics))\n"
    )
    finished = subprocess.run(
        [sys.executable, str(script), str(target)],
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
    )
    assert (finished.stdout, finished.stderr) == ("invalid-default\n", "")
    assert len(list((tmp_path / "cache" / "specloom" / "validation").iterdir())) == 1


PLACES = """
import sys
from pathlib import Path
from specloom.description.load import load
from specloom.description.validate import judge
from specloom.diagnostics import Report
print(judge(load(Path(sys.argv[1]), Report())).findings)
"""


def test_findings_do_not_depend_on_the_process(tmp_path: Path) -> None:
    names = "abcdefgh"
    wrong = "{oneOf: [{type: string}, {type: number, exclusiveMinimum: true}]}"
    members = ", ".join(f"{name}: {wrong}" for name in names)
    extra = f"{{allOf: [{{properties: {{x: {{}}}}}}], required: [{', '.join(names)}]}}"
    values = ", ".join(f"{name}: 1" for name in names)
    default = f"{{additionalProperties: {{type: string}}, default: {{{values}}}}}"
    target = tmp_path / "api.yaml"
    target.write_text(
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\ncomponents:\n  schemas:\n"
        f"    A: {{properties: {{{members}}}}}\n    B: {extra}\n    C: {default}\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", PLACES, str(target)],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(6)
    }
    assert len(said) == 1
    assert "/components/schemas/A/properties/a/oneOf/1/exclusiveMinimum" in str(said)
    assert "/components/schemas/B/required" in str(said)
    assert "/components/schemas/C/default/h" in str(said)
