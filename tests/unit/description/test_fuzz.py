"""Whatever a document looks like, it loads or is refused with diagnostics that have places."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from specloom.description.load import Description, format_diagnostic, load
from specloom.description.values import children, is_mapping
from specloom.diagnostics import Origin, Report, Stop

PIECES = [
    *(b"\t", b"\r", b": ", b"- ", b"[", b"]", b"{", b"}", b"'", b'"', b"&a ", b"*a", b"<<: "),
    *(b"|\n", b">-\n", b"#", b"!!int ", b"!x ", b"%", b"\x00", b"\xff", b"\xef\xbb\xbf", b"---\n"),
    *(b"$ref: '#/components/schemas/A'\n", b"$ref: ../../etc/passwd\n", b"? ", b"\\ud800"),
    *(b"9" * 5000, b".nan", b"null", b"~", b"\n", b"    ", b"\xc2\x85"),
]


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Return a document with a few pieces of it cut, moved, repeated or replaced."""
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data) + 1)
        length = chance.choice([1, 1, 2, 8, 40, 400])
        piece = data[at : at + length]
        match chance.randrange(5):
            case 0:
                data = data[:at] + data[at + length :]
            case 1:
                data = data[:at] + chance.choice(PIECES) + data[at:]
            case 2:
                data = data[:at] + piece * chance.randint(2, 4) + data[at + length :]
            case 3:
                to = chance.randrange(len(data) + 1)
                data = data[:to] + piece + data[to:]
            case _:
                data = data[:at] + chance.choice(PIECES) + data[at + length :]
    return data


def parts(description: Description) -> Iterator[tuple[object, Origin]]:
    """Yield every part of the entry document."""
    waiting: list[tuple[object, Origin]] = [(description.value, Origin(description.entry))]
    while waiting:
        value, origin = waiting.pop()
        yield value, origin
        waiting += [(child, at) for _, child, at in children(value, origin)]


def survives(path: Path) -> None:
    """Load a document, follow its references, and print all that is said and some positions."""
    report = Report()
    try:
        description = load(path, report)
    except Stop:
        assert report.failed
        for diagnostic in report.diagnostics:
            assert format_diagnostic(diagnostic, path.parent).startswith(str(path))
        return
    for count, (value, origin) in enumerate(parts(description)):
        ref = value.get("$ref") if is_mapping(value) else None
        if isinstance(ref, str):
            target = description.target(ref, origin / "$ref", report)
            if target is not None:
                description.lookup(target)
        if count % 50 == 0:
            assert description.position(origin).line >= 1
            description.text(origin)
    for diagnostic in report.diagnostics:
        assert ": " in description.format(diagnostic)


def test_mutated_descriptions(shared: Path, tmp_path: Path) -> None:
    chance = random.Random(20)
    sources = [*(shared / "cases").glob("*.yaml"), *(shared / "seeds").glob("*.yaml")]
    sources += [shared / "corpus/tgi/openapi.json", shared / "corpus/museum/openapi.yaml"]
    for _ in range(150):
        source = chance.choice(sorted(sources))
        path = tmp_path / source.name
        path.write_bytes(mutated(source.read_bytes(), chance))
        survives(path)


@pytest.mark.parametrize("name", ["api.yaml", "api.json"])
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_arbitrary_bytes(name: str, data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        for head in (b"", b"openapi: 3.0.3\n", b'{"openapi": "3.0.3", '):
            path.write_bytes(head + data)
            survives(path)
