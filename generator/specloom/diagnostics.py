"""What is wrong with a description, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Origin:
    """A place in a description: the document's URI and the JSON Pointer (RFC 6901) inside it.

    ``uri`` is the document's path relative to the folder of the description, with forward
    slashes, so that an origin is the same on every machine; a ``file:`` URI stands for a place
    outside, such as the output. ``pointer`` is ``""`` for the root, and ``"@line:column"`` for a
    place that no pointer reaches, such as a syntax error.
    """

    uri: str
    pointer: str = ""

    @classmethod
    def spot(cls, uri: str, line: int, column: int) -> Origin:
        """Return the origin of a place in the text; ``line`` and ``column`` count from 1."""
        return cls(uri, f"@{line}:{column}")

    def __truediv__(self, token: str | int) -> Origin:
        """Return the origin of the child that ``token``, a key or an index, leads to."""
        return Origin(self.uri, f"{self.pointer}/{escape(str(token))}")

    def __str__(self) -> str:
        return f"{self.uri}#{self.pointer}"

    @property
    def tokens(self) -> tuple[str, ...]:
        """The unescaped reference tokens of the pointer."""
        return tuple(unescape(token) for token in self.pointer.split("/")[1:])


def escape(token: str) -> str:
    """Return a key as a reference token of a JSON Pointer."""
    return token.replace("~", "~0").replace("/", "~1")


def unescape(token: str) -> str:
    """Return the key that a reference token of a JSON Pointer stands for."""
    return token.replace("~1", "/").replace("~0", "~")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding, addressed to the author of the description.

    ``code`` is stable and kebab-case; ``message`` is one sentence without a final full stop.
    """

    severity: Severity
    code: str
    message: str
    origin: Origin
    related: tuple[Origin, ...] = ()


class Stop(Exception):
    """Nothing sensible can follow; the report already says why."""


@dataclass(slots=True)
class Report:
    """Collects diagnostics, so that one run shows every problem instead of the first."""

    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    _seen: set[tuple[str, str, Origin]] = field(default_factory=set[tuple[str, str, Origin]])

    def error(self, code: str, message: str, origin: Origin, *related: Origin) -> None:
        """Record a problem that makes generation impossible."""
        self._add(Diagnostic("error", code, message, origin, related))

    def warning(self, code: str, message: str, origin: Origin, *related: Origin) -> None:
        """Record a problem that the output survives."""
        self._add(Diagnostic("warning", code, message, origin, related))

    def fatal(self, code: str, message: str, origin: Origin, *related: Origin) -> Stop:
        """Record an error after which this stage cannot go on; the caller raises the result."""
        self.error(code, message, origin, *related)
        return Stop(message)

    def stop(self) -> Stop:
        """Return the exception that ends a stage whose errors stand in the report already."""
        return Stop("; ".join(d.message for d in self.diagnostics if d.severity == "error"))

    @property
    def failed(self) -> bool:
        """Whether any error was recorded."""
        return any(d.severity == "error" for d in self.diagnostics)

    def take(self, start: int) -> list[Diagnostic]:
        """Take back the diagnostics from the one with the index ``start`` on."""
        taken = self.diagnostics[start:]
        del self.diagnostics[start:]
        self._seen.difference_update(map(_key, taken))
        return taken

    def put(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Record what was found already."""
        for diagnostic in diagnostics:
            self._add(diagnostic)

    def _add(self, diagnostic: Diagnostic) -> None:
        """Keep each finding once: stages may reach one place by several ways."""
        key = _key(diagnostic)
        if key not in self._seen:
            self._seen.add(key)
            self.diagnostics.append(diagnostic)


def _key(diagnostic: Diagnostic) -> tuple[str, str, Origin]:
    """Return what makes two diagnostics one."""
    return diagnostic.code, diagnostic.message, diagnostic.origin
