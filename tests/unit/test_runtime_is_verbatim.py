"""The runtime reaches every client byte for byte."""

from __future__ import annotations

from pathlib import Path

from specloom import files
from specloom.diagnostics import Report
from specloom.generate import Run, generate
from specloom.render import RUNTIME

SPEC = Path(__file__).resolve().parents[1] / "cases" / "empty_document" / "spec.yaml"


def test_runtime_is_copied_byte_for_byte(tmp_path: Path) -> None:
    client = generate(Run(SPEC))
    root = tmp_path / "client"
    files.write(client.files, root, Report())
    copied = root / "src" / client.package.import_name / "_runtime"
    ours = {p.relative_to(RUNTIME): p.read_bytes() for p in RUNTIME.rglob("*.py")}
    theirs = {p.relative_to(copied): p.read_bytes() for p in copied.rglob("*") if p.is_file()}
    assert theirs == ours
    assert len(ours) > 1
