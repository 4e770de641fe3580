"""What is wrong in ``specloom.toml`` is said with its place, once for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from specloom.config import FILE, Config, read_config
from specloom.diagnostics import Report, Stop
from specloom.generate import Run
from specloom.summary import printed

GOOD = 'descriptions = ["api.yaml"]\n'


def refused(folder: Path) -> list[str]:
    """Return what is said about a configuration that cannot be used."""
    run = Run(folder)
    with pytest.raises(Stop):
        read_config(folder, run.report)
    return [line.replace(f"{folder}/", "") for line in printed(run)]


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        (GOOD + "colour = 1\n", "specloom.toml:2:1: error[unknown-key]: there is no key 'colour'"),
        (
            GOOD + "\n[errors]\n  key = 'K'\n",
            "specloom.toml:4:3: error[unknown-key]: there is no key 'errors.key'; "
            "the keys here are envelope",
        ),
        (
            GOOD + "[environment]\nbase_url = 1\n",
            "specloom.toml:3:1: error[invalid-value]: 'environment.base_url' does not fit",
        ),
        (
            GOOD + "[streaming]\nend = 1\n",
            "specloom.toml:3:1: error[invalid-value]: 'streaming.end' does not fit",
        ),
        ("descriptions = 'api.yaml'\n", "specloom.toml:1:1: error[invalid-value]: 'descriptions'"),
        ("descriptions = []\n", "specloom.toml:1:1: error[invalid-value]: 'descriptions'"),
        (GOOD + "methods = 'all'\n", "specloom.toml:2:1: error[invalid-value]: 'methods'"),
        (
            GOOD + "idempotency_header = 'a b'\n",
            "specloom.toml:2:1: error[invalid-value]: 'idempotency_header' does not fit",
        ),
        (GOOD + "package = 'a-b'\n", "specloom.toml:2:1: error[invalid-value]: 'package'"),
        (GOOD + "class = 'A b'\n", "specloom.toml:2:1: error[invalid-value]: 'class'"),
        (
            GOOD + "package = 'class'\n",
            "specloom.toml:2:1: error[invalid-value]: 'package' does not fit: it is a keyword",
        ),
        (
            GOOD + "[names]\nPet = 'pass'\n",
            "specloom.toml:3:1: error[invalid-value]: 'names.Pet' does not fit: it is a keyword",
        ),
        (
            GOOD + "idempotency_header = 'Content-Type'\n",
            "specloom.toml:2:1: error[invalid-value]: 'idempotency_header' does not fit: that",
        ),
        (
            "descriptions = ['a.yaml', 'a.yaml']\n",
            "specloom.toml:1:1: error[invalid-value]: 'descriptions' does not fit: 'a.yaml' stands",
        ),
        (GOOD + "name = '../x'\n", "specloom.toml:2:1: error[invalid-value]: 'name'"),
        (
            GOOD + "[names]\n'a.yaml#/b' = 'C d'\n",
            "specloom.toml:3:1: error[invalid-value]: 'names.a.yaml#/b'",
        ),
        ("name = 'x'\n", "specloom.toml:1:1: error[missing-key]: the key 'descriptions'"),
        (GOOD + "x = = 1\n", "specloom.toml:2:5: error[invalid-toml]: this is not TOML: "),
        (GOOD + GOOD, "specloom.toml:2:28: error[invalid-toml]: this is not TOML: "),
        ("name = '\xff'\n", "specloom.toml:1:1: error[unreadable-file]: cannot read specloom.toml"),
    ],
)
def test_one_diagnostic_with_its_place(tmp_path: Path, text: str, beginning: str) -> None:
    (tmp_path / FILE).write_bytes(text.encode("latin-1"))
    (said,) = refused(tmp_path)
    assert said.startswith(beginning)


def test_every_mistake_is_reported(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(GOOD + "colour = 1\nmethods = 2\n[errors]\nfoo = 3\n")
    places = [line.split(" ")[0] for line in refused(tmp_path)]
    assert sorted(places) == ["specloom.toml:2:1:", "specloom.toml:3:1:", "specloom.toml:5:1:"]


def test_missing_file(tmp_path: Path) -> None:
    (said,) = refused(tmp_path)
    assert said.startswith("specloom.toml:1:1: error[missing-file]: there is no specloom.toml")


def test_all_keys(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(
        'descriptions = ["a.yaml", "b.yaml"]\nname = "x-client"\npackage = "x"\nclass = "X"\n'
        'version = "1.2"\nmethods = "paths"\nstrict = true\ntemplates = "t"\n'
        'idempotency_header = "Idempotency-Key"\n'
        '[include]\ntags = ["t"]\n[exclude]\npaths = ["/p"]\n[overlays]\n"a.yaml" = ["o.yaml"]\n'
        '[environment]\nkey = "K"\nlogin = { username = "N" }\n[streaming]\nend = "[DONE]"\n'
        '[errors]\nenvelope = "error"\n[pagination.list]\nlink = true\n'
        '[names]\n"a.yaml#/components/schemas/A" = "B"\n'
    )
    report = Report()
    config = read_config(tmp_path, report)
    assert report.diagnostics == []
    given = config.model_dump(by_alias=True, exclude_unset=True)
    assert given.keys() == {field.alias or name for name, field in Config.model_fields.items()}
    assert config.class_ == "X"
    assert config.environment.schemes == {"key": "K", "login": {"username": "N"}}


def test_a_description_alone_needs_no_configuration(tmp_path: Path) -> None:
    config = read_config(tmp_path / "api.yaml", Report())
    assert config == Config(descriptions=["api.yaml"])
