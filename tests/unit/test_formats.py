"""Findings as text with excerpts, as JSON, as annotations of GitHub, and as SARIF."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from specloom.description.load import Position
from specloom.diagnostics import Diagnostic, Origin
from specloom.excerpts import Excerpts
from specloom.formats import Format, write
from specloom.summary import Located


def finding(
    path: str, line: int = 1, column: int = 1, *related: Position, message: str = "wrong"
) -> Located:
    """Return a finding at a place."""
    origin = Origin("api.yaml", "/a~1b/0")
    return Located(
        Diagnostic("warning", "some-code", message, origin), Position(path, line, column), related
    )


def written(style: Format, *found: Located) -> str:
    """Return a whole report."""
    return "".join(f"{line}\n" for line in write(found, "specs/pets", style))


def excerpt(folder: Path, text: str | bytes, line: int, column: int) -> list[str]:
    """Return what is shown of a place in a text."""
    path = folder / "api.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(Excerpts().lines(Position(str(path), line, column)))


def test_text_shows_the_line_and_counts(tmp_path: Path) -> None:
    path = str(tmp_path / "api.yaml")
    Path(path).write_text("a: 1\nb:\n  type: strin\n")
    assert written("text", finding(path, 3, 3, Position(path, 1, 1))) == (
        f"{path}:3:3: warning[some-code]: wrong\n"
        "  3 |   type: strin\n"
        "    |   ^^^^\n"
        f"{path}:1:1: note: see also here\n"
        "  1 | a: 1\n"
        "    | ^\n"
        "specs/pets: 0 errors, 1 warning in 1 file\n"
    )


def test_nothing_found_is_said_too() -> None:
    assert written("text") == written("github") == "specs/pets: nothing found\n"
    assert json.loads(written("json"))["diagnostics"] == []
    assert json.loads(written("sarif"))["runs"][0]["results"] == []


@pytest.mark.parametrize(
    ("text", "column", "shown", "caret"),
    [
        ("'a b': 1", 1, "'a b': 1", "^^^^^"),
        ('{"a\\"b": 1}', 2, '{"a\\"b": 1}', " ^^^^^^"),
        ("- [x, y]", 3, "- [x, y]", "  ^"),
        ("漢字: x", 5, "漢字: x", "      ^"),
        ("é́: x", 5, "é́: x", "   ^"),
        ("\ta: x", 2, " a: x", " ^"),
        ("a: \x1b[31mred", 1, "a: \ufffd[31mred", "^"),
        ("a: b", 99, "a: b", "    ^"),
        ("x" * 300, 1, "x" * 100 + "...", "^" * 100),
        ("x" * 80 + " key: " + "y" * 300, 82, "...", " " * 63 + "^^^"),
        ("x" * 300, 250, "...", " " * 63 + "^" * 40),
    ],
)
def test_a_caret_stands_below_what_is_meant(
    tmp_path: Path, text: str, column: int, shown: str, caret: str
) -> None:
    above, below = excerpt(tmp_path, text, 1, column)
    assert above.startswith(f"  1 | {shown}")
    assert below == f"    | {caret}"
    assert len(above) < 120


@pytest.mark.parametrize("line", [2, 9])
def test_no_excerpt_where_there_is_no_text(tmp_path: Path, line: int) -> None:
    assert excerpt(tmp_path, "a: 1\n  \n", line, 1) == []
    assert list(Excerpts().lines(Position(str(tmp_path), line, 1))) == []
    assert list(Excerpts().lines(Position("https://example.com/a.yaml", line, 1))) == []


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_excerpts_of_other_encodings(tmp_path: Path, encoding: str) -> None:
    (above, _) = excerpt(tmp_path, "é: 1\r\nb: 2\r\n".encode(encoding), 2, 1)
    assert above == "  2 | b: 2"


def test_text_of_a_description_does_nothing_to_a_terminal() -> None:
    line = written("text", finding("a\nb.yaml", message="\x1b[2J\r")).splitlines()[0]
    assert line == "a\\u000ab.yaml:1:1: warning[some-code]: \\u001b[2J\\u000d"


def test_json_has_everything() -> None:
    report = json.loads(written("json", finding("a.yaml", 3, 4, Position("b.yaml", 5, 6))))
    assert report == {
        "target": "specs/pets",
        "errors": 0,
        "warnings": 1,
        "diagnostics": [
            {
                "severity": "warning",
                "code": "some-code",
                "message": "wrong",
                "path": "a.yaml",
                "line": 3,
                "column": 4,
                "pointer": "/a~1b/0",
                "related": [{"path": "b.yaml", "line": 5, "column": 6}],
            }
        ],
    }


def test_a_place_in_a_broken_text_has_no_pointer() -> None:
    broken = Diagnostic("error", "invalid-yaml", "wrong", Origin.spot("a.yaml", 3, 4))
    one = Located(broken, Position("a.yaml", 3, 4), ())
    assert json.loads(written("json", one))["diagnostics"][0]["pointer"] is None
    location = json.loads(written("sarif", one))["runs"][0]["results"][0]["locations"][0]
    assert "logicalLocations" not in location


@pytest.mark.parametrize(
    ("path", "message", "expected"),
    [
        ("a.yaml", "plain", "file=a.yaml,line=2,col=3,title=some-code::plain"),
        ("a,b:c%.yaml", "x", "file=a%2Cb%3Ac%25.yaml,line=2,col=3,title=some-code::x"),
        ("a.yaml", "50%\r\n::error::a:b,c", "title=some-code::50%25%0D%0A::error::a:b,c"),
        ("a\nb", "x", "file=a%0Ab,"),
    ],
)
def test_github_commands_are_escaped(path: str, message: str, expected: str) -> None:
    lines = written("github", finding(path, 2, 3, message=message)).splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("::warning file=")
    assert expected in lines[0]


def test_github_annotations_name_related_places() -> None:
    line = written("github", finding("a.yaml", 1, 1, Position("b.yaml", 5, 6))).splitlines()[0]
    assert line.endswith("::wrong%0Asee also b.yaml:5:6")


def thing(required: str, **properties: object) -> dict[str, object]:
    """Return the schema of an object of SARIF, which allows no other properties."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": required.split(),
        "properties": properties,
    }


TEXT = {"type": "string"}
NUMBER = {"type": "integer", "minimum": 1}
MESSAGE = {"message": thing("text", text=TEXT)}
LOCATION = {
    "physicalLocation": thing(
        "artifactLocation",
        artifactLocation=thing("uri", uri={"type": "string", "format": "uri-reference"}),
        region=thing("startLine startColumn", startLine=NUMBER, startColumn=NUMBER),
    ),
    "logicalLocations": {
        "type": "array",
        "uniqueItems": True,
        "items": thing("", fullyQualifiedName=TEXT),
    },
}
SARIF = thing(
    "version runs $schema",
    version={"const": "2.1.0"},
    runs={
        "type": "array",
        "minItems": 1,
        "items": thing(
            "tool results",
            tool=thing(
                "driver",
                driver=thing(
                    "name",
                    name=TEXT,
                    version=TEXT,
                    rules={
                        "type": "array",
                        "uniqueItems": True,
                        "items": thing("id", id=TEXT, name=TEXT),
                    },
                ),
            ),
            columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
            results={
                "type": "array",
                "items": thing(
                    "message ruleId",
                    ruleId=TEXT,
                    ruleIndex={"type": "integer", "minimum": -1},
                    level={"enum": ["none", "note", "warning", "error"]},
                    locations={"type": "array", "items": thing("", **LOCATION)},
                    relatedLocations={
                        "type": "array",
                        "uniqueItems": True,
                        "items": thing("", id={"type": "integer"}, **LOCATION, **MESSAGE),
                    },
                    partialFingerprints={"type": "object", "additionalProperties": TEXT},
                    **MESSAGE,
                ),
            },
        ),
    },
    **{"$schema": {"type": "string", "format": "uri"}},
)
"""The part of the schema of SARIF 2.1.0 that a report uses; nothing else may stand in one."""


def test_sarif_is_valid() -> None:
    found = [
        finding("a b/é.yaml", 3, 4, Position("/b.yaml", 5, 6)),
        finding("https://example.com/a.yaml"),
        finding("a.yaml"),
    ]
    log: dict[str, Any] = json.loads(written("sarif", *found))
    check = jsonschema_rs.Draft7Validator(SARIF, validate_formats=True)
    assert [error.message for error in check.iter_errors(log)] == []
    results = log["runs"][0]["results"]
    assert [place(result["locations"]) for result in results] == [
        "a%20b/%C3%A9.yaml",
        "https://example.com/a.yaml",
        "a.yaml",
    ]
    assert place(results[0]["relatedLocations"]) == "file:///b.yaml"
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in results] == ["some-code"] * 3


def place(locations: list[dict[str, Any]]) -> str:
    """Return the URI of the one location."""
    (location,) = locations
    return str(location["physicalLocation"]["artifactLocation"]["uri"])


def test_a_fingerprint_outlives_a_change_of_lines() -> None:
    def fingerprint(one: Located) -> object:
        return json.loads(written("sarif", one))["runs"][0]["results"][0]["partialFingerprints"]

    assert fingerprint(finding("a.yaml", 1)) == fingerprint(finding("a.yaml", 2))
    assert fingerprint(finding("a.yaml")) != fingerprint(finding("a.yaml", message="other"))
