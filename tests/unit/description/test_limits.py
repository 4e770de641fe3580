"""Bombs and floods: one diagnostic, soon, and without taking the machine's memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from specloom.description import document, refs, resolver
from specloom.description.documents import MAX_FILES
from specloom.description.text import MAX_DEPTH
from specloom.description.validate import validate
from specloom.diagnostics import Origin, Report, Stop

from .desk import Desk

HEAD = "openapi: 3.0.3\n"
LAUGHS = "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 10))
BOMBS = {
    "laughs": (HEAD + "a0: &a0 [x]\n" + LAUGHS, "alias-bomb"),
    "mapped laughs": (
        HEAD
        + "a0: &a0 {k: x}\n"
        + "".join(
            f"a{i}: &a{i} {{{', '.join(f'k{j}: *a{i - 1}' for j in range(9))}}}\n"
            for i in range(1, 10)
        ),
        "alias-bomb",
    ),
    "merges": (
        HEAD
        + f"x: &x {{{', '.join(f'k{i}: 1' for i in range(1000))}}}\ny:\n"
        + "- {<<: *x}\n" * 100_000,
        "alias-bomb",
    ),
    "deep flow": (HEAD + "x: " + "[" * 100_000, "nested-too-deep"),
    "deep mappings": (HEAD + "x: " + "{a: " * 100_000, "nested-too-deep"),
    "too deep flow": (HEAD + "x: " + "[" * 300 + "]" * 300, "nested-too-deep"),
    "deep block": (HEAD + "".join(" " * i + "a:\n" for i in range(3_000)), "nested-too-deep"),
    "deep sequence": (HEAD + "x:\n" + "- " * 100_000, "nested-too-deep"),
    "deep json": ('{"x": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested-too-deep"),
    "deep aliases": (
        HEAD
        + "a0: &a0 x\n"
        + "".join(f"a{i}: &a{i} {'[' * 50}*a{i - 1}{']' * 50}\n" for i in range(1, 9)),
        "nested-too-deep",
    ),
    "alias cycle": (HEAD + "x: &a [*a]\n", "alias-cycle"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_one_diagnostic(desk: Desk, name: str) -> None:
    text, code = BOMBS[name]
    assert f"error[{code}]" in desk.refuses(text)


def test_what_is_deep_but_not_too_deep_loads(desk: Desk) -> None:
    levels = MAX_DEPTH - 1
    desk.loads(HEAD + "x: " + "[" * levels + "]" * levels)
    desk.loads('{"openapi": "3.0.3", "x": ' + "[" * levels + "]" * levels + "}")
    assert desk.said() == []


def test_ordinary_aliases_are_no_bomb(desk: Desk) -> None:
    text = HEAD + "a: &a {x: [1, 2, 3]}\nb:\n" + "- *a\n" * 10_000
    description = desk.loads(text)
    assert description.lookup(Origin("api.yaml", "/b/9999/x/2")) == 3


PROBE = """
import resource, sys
from pathlib import Path
from specloom.description.load import load
from specloom.diagnostics import Report, Stop
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
report = Report()
try:
    load(Path(sys.argv[1]), report)
except Stop:
    print(report.diagnostics[0].code)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


FLOODS = {"300 MB": "file-too-large", "folder": "not-a-file", "fifo": "not-a-file"}


@pytest.mark.parametrize("name", [*BOMBS, *FLOODS])
def test_a_bomb_takes_no_memory(tmp_path: Path, name: str) -> None:
    path = tmp_path / "api.yaml"
    if name == "300 MB":
        with path.open("wb") as file:
            file.truncate(300 * 2**20)
    elif name == "folder":
        path.mkdir()
    elif name == "fifo":
        os.mkfifo(path)
    else:
        path.write_text(BOMBS[name][0])
    done = subprocess.run(
        [sys.executable, "-c", PROBE, str(path)], capture_output=True, text=True, timeout=120
    )
    code, megabytes = done.stdout.split()
    assert code == (FLOODS.get(name) or BOMBS[name][1])
    assert int(megabytes) < 200


def test_a_flood_of_files_ends(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []

    def read(path: Path, read: Callable[[Path], bytes] = document.read) -> bytes:
        opened.append(path)
        return read(path)

    monkeypatch.setattr(document, "read", read)
    names = [f"f{i}.yaml" for i in range(MAX_FILES + 5)]
    desk.write({"api.yaml": HEAD, **dict.fromkeys(names, "a: 1\n")})
    description = desk.load()
    with pytest.raises(Stop):
        for name in names:
            description.target(name, Origin("api.yaml"), desk.report)
    assert len(opened) == MAX_FILES
    (said,) = desk.said()
    assert (
        said
        == f"api.yaml:1:1: error[too-many-files]: the description has more than {MAX_FILES:,} files"
    )


def test_references_in_a_circle_end(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0

    def child(
        value: object, token: str, child: Callable[[object, str], object] = refs.child
    ) -> object:
        nonlocal steps
        steps += 1
        return child(value, token)

    monkeypatch.setattr(refs, "child", child)
    lines = [f"s{i}: {{$ref: '#/s{(i + 1) % 5000}'}}\n" for i in range(5000)]
    description = desk.loads(HEAD + "".join(lines))
    assert description.resolve("#/s0", Origin("api.yaml")) == Origin("api.yaml", "/s0")
    assert description.resolve("#/s0/x", Origin("api.yaml")) is None
    assert steps < 50_000


def test_a_long_chain_of_detours_ends(desk: Desk) -> None:
    lines = [f"s{i}: {{$ref: '#/s{i + 1}/x'}}\n" for i in range(5000)]
    description = desk.loads(HEAD + "".join(lines))
    assert description.resolve("#/s0/x", Origin("api.yaml")) is None


def test_files_in_a_circle_end(desk: Desk) -> None:
    desk.write({"a.yaml": "$ref: b.yaml\n", "b.yaml": "$ref: a.yaml\n"})
    description = desk.loads(HEAD + "x: {$ref: a.yaml}\n")
    assert description.resolve("a.yaml#/x", Origin("api.yaml")) is None
    assert description.resolve("a.yaml", Origin("api.yaml")) == Origin("a.yaml")


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "a%00b", "/" * 3000, "%ff%fe", "é" * 300])
def test_references_to_names_that_no_file_can_have(desk: Desk, name: str) -> None:
    description = desk.loads(HEAD)
    desk.report = Report()
    assert description.target(name, Origin("api.yaml"), desk.report) is None
    (diagnostic,) = desk.report.diagnostics
    assert diagnostic.severity == "error"


def test_a_flood_of_references_to_nowhere_is_said_without_long_thought(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0

    def close(word: str, names: list[str], most: int) -> list[str]:
        nonlocal compared
        compared += len(names)
        return [names[0]][:most] if word else []

    monkeypatch.setattr(resolver, "get_close_matches", close)
    lines = [f"  S{i}: {{$ref: '#/schemas/X{i}'}}\n" for i in range(5000)]
    description = desk.loads(HEAD + "schemas:\n" + "".join(lines))
    for i in range(5000):
        at = Origin("api.yaml", f"/schemas/S{i}/$ref")
        assert description.target(f"#/schemas/X{i}", at, desk.report) is None
    assert len(desk.report.diagnostics) == 5000
    assert "did you mean 'S0'?" in desk.report.diagnostics[0].message
    assert 0 < compared <= 20_000


def test_a_finding_of_an_unresolved_reference_cites_no_document(desk: Desk) -> None:
    schemas = "".join(f"    S{i}: {{$ref: '#/x/{'y' * 20}'}}\n" for i in range(50))
    head = f"{HEAD}info: {{title: T, version: '1'}}\npaths: {{}}\n"
    description = desk.loads(f"{head}components:\n  schemas:\n{schemas}")
    validate(description, desk.report)
    assert all(len(d.message) < 120 for d in desk.report.diagnostics)
    assert {d.code for d in desk.report.diagnostics} <= {"dangling-reference", "unchecked"}
    assert len(desk.report.diagnostics) >= 50
