"""What is known of the real descriptions, as a page of the documentation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from .document import ROOT, Findings

PAGE = ROOT / "docs" / "corpus.md"

_COLUMNS = (
    "description",
    "operations",
    "schemas",
    "untyped leaves",
    "seconds",
    "MB",
    "files",
    "lines",
    "longest file",
    "longest name",
    "modules",
    "models",
    "mypy",
    "pyright",
    "holds",
)
_INTRODUCTION = """# The real descriptions

What Specloom makes of public OpenAPI descriptions, which are not part of the project. Each part of
this page is what the command above it printed, and the page changes in no other way.
"""


def row(found: Findings) -> str:
    """Return the line of the table for one description."""
    covered = (f"{done}/{all_}" for done, all_ in zip(found.covered, found.described, strict=True))
    cells = [
        found.name,
        *covered,
        str(found.untyped),
        f"{found.seconds:.1f}",
        f"{found.megabytes:.0f}",
        *map(str, (found.files, found.lines, found.longest_file, found.longest_name)),
        *map(str, (found.modules, found.models)),
        *(str(found.errors.get(checker, "-")) for checker in ("mypy", "pyright")),
        "no" if found.failures else "yes",
    ]
    return _line(cells)


def head() -> str:
    """Return the first two lines of the table."""
    return f"{_line(_COLUMNS)}\n{_line(['---', *['---:'] * (len(_COLUMNS) - 2), '---'])}"


def shortfalls(findings: Iterable[Findings]) -> str:
    """Return a list of what was reported of each description: code and number."""
    lines = [
        f"* {found.name}: "
        + (", ".join(f"{code} {n}" for code, n in found.shortfalls.most_common()) or "nothing")
        for found in findings
    ]
    return "\n".join(lines)


def publish(title: str, command: str, text: str, page: Path = PAGE) -> None:
    """Put a part into the page, in place of the one with this title, or at its end."""
    part = f"## {title}\n\n```sh\n{command}\n```\n\n{text.strip()}\n"
    old = page.read_text("utf-8") if page.is_file() else _INTRODUCTION
    parts = re.split(r"(?m)^(?=## )", old)
    titles = [one.partition("\n")[0] for one in parts]
    if f"## {title}" in titles:
        parts[titles.index(f"## {title}")] = part
    else:
        parts.append(part)
    page.parent.mkdir(exist_ok=True)
    page.write_text("\n\n".join(one.strip() for one in parts) + "\n", "utf-8")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
