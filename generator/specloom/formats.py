"""How findings are written: for people, for programs, for GitHub, and as SARIF."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final, Literal
from urllib.parse import quote

from .description.load import Position
from .excerpts import Excerpts
from .summary import Located

Format = Literal["text", "json", "github", "sarif"]
_SARIF: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas"
_REMOTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def write(found: Sequence[Located], name: str, style: Format) -> Iterator[str]:
    """Yield the lines of a report on ``name``, which is what was checked, in a format."""
    yield from _WRITERS[style](found, name)


def counted(found: Sequence[Located], name: str) -> str:
    """Return the line that says how much was found."""
    if not found:
        return f"{name}: nothing found"
    severities = [one.diagnostic.severity for one in found]
    errors, warnings = severities.count("error"), severities.count("warning")
    files = len({one.position.path for one in found})
    parts = [_number(errors, "error"), _number(warnings, "warning"), _number(files, "file")]
    return f"{name}: {parts[0]}, {parts[1]} in {parts[2]}"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _text(found: Sequence[Located], name: str) -> Iterator[str]:
    """Yield each finding with the line that it speaks of and a caret below what is meant."""
    excerpts = Excerpts()
    for one in found:
        said = one.diagnostic
        yield _printable(f"{one.position}: {said.severity}[{said.code}]: {said.message}")
        yield from excerpts.lines(one.position)
        for position in one.related:
            yield _printable(f"{position}: note: see also here")
            yield from excerpts.lines(position)
    yield counted(found, name)


def _printable(text: str) -> str:
    """Return a text of a description as one line that does nothing to a terminal."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def _json(found: Sequence[Located], name: str) -> Iterator[str]:
    """Yield one JSON object: what was checked, the findings and their numbers."""
    severities = [one.diagnostic.severity for one in found]
    report = {
        "target": name,
        "errors": severities.count("error"),
        "warnings": severities.count("warning"),
        "diagnostics": [
            {
                "severity": one.diagnostic.severity,
                "code": one.diagnostic.code,
                "message": one.diagnostic.message,
                **one.position._asdict(),
                "pointer": _pointer(one),
                "related": [position._asdict() for position in one.related],
            }
            for one in found
        ],
    }
    yield json.dumps(report, indent=2)


def _pointer(one: Located) -> str | None:
    """Return the JSON Pointer of what a finding speaks of, if there is one."""
    pointer = one.diagnostic.origin.pointer
    return None if pointer.startswith("@") else pointer


def _github(found: Sequence[Located], name: str) -> Iterator[str]:
    """Yield workflow commands of GitHub Actions, which become annotations of a change."""
    for one in found:
        said, at = one.diagnostic, one.position
        notes = "".join(f"\nsee also {position}" for position in one.related)
        properties = {"file": at.path, "line": at.line, "col": at.column, "title": said.code}
        written = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
        yield f"::{said.severity} {written}::{_data(said.message + notes)}"
    yield counted(found, name)


def _data(text: str) -> str:
    """Escape the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape a property of a workflow command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _sarif(found: Sequence[Located], name: str) -> Iterator[str]:
    """Yield a log in the Static Analysis Results Interchange Format, SARIF 2.1.0."""
    codes = sorted({one.diagnostic.code for one in found})
    rules = [{"id": code, "name": code.title().replace("-", "")} for code in codes]
    driver = {"name": "specloom", "version": version("specloom"), "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, codes.index(one.diagnostic.code)) for one in found],
    }
    log = {"$schema": f"{_SARIF}/sarif-schema-2.1.0.json", "version": "2.1.0", "runs": [run]}
    yield json.dumps(log, indent=2)


def _result(one: Located, rule: int) -> dict[str, object]:
    """Return one result (SARIF 2.1.0, section 3.27)."""
    said = one.diagnostic
    location = _location(one.position)
    pointer = _pointer(one)
    if pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": str(said.origin)}]
    # Lines move with every change above them; what is wrong and where it hangs does not.
    identity = f"{said.code}\n{said.message}\n{said.origin.uri}\n{pointer}"
    result: dict[str, object] = {
        "ruleId": said.code,
        "ruleIndex": rule,
        "level": said.severity,
        "message": {"text": said.message},
        "locations": [location],
        "partialFingerprints": {"specloom/v1": hashlib.sha256(identity.encode()).hexdigest()},
    }
    if one.related:
        result["relatedLocations"] = [
            {"id": index, **_location(position), "message": {"text": "see also here"}}
            for index, position in enumerate(one.related, 1)
        ]
    return result


def _location(position: Position) -> dict[str, object]:
    """Return a location (SARIF 2.1.0, section 3.28)."""
    path = Path(position.path)
    if _REMOTE.match(position.path):
        uri = position.path
    else:
        uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    region = {"startLine": position.line, "startColumn": position.column}
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


_WRITERS: Final[dict[Format, Callable[[Sequence[Located], str], Iterator[str]]]] = {
    "text": _text,
    "json": _json,
    "github": _github,
    "sarif": _sarif,
}
