"""A user's own templates: each stands in for one of ours, or extends it."""

from __future__ import annotations

import difflib
import traceback
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import jinja2
from jinja2 import meta, nodes

from .config import FILE, Config
from .diagnostics import Origin, Report, Stop

OURS = "specloom/"
"""What stands before the name of one of our templates, to extend it."""


@dataclass(frozen=True, slots=True)
class Custom:
    """The templates of a folder by their names, which are those of ours that they stand in for."""

    folder: Path = field(default_factory=Path)
    texts: Mapping[str, str] = field(default_factory=dict[str, str])

    def origin(self, name: str, line: int = 1) -> Origin:
        """Return the origin of a line of a template."""
        return Origin.spot((self.folder / name).as_uri(), line, 1)

    def source(self, name: str) -> tuple[str, str, None] | None:
        """Return text and file of a template, for Jinja to load; None if it is not one of these."""
        return (self.texts[name], str(self.folder / name), None) if name in self.texts else None

    def blame(self, error: Exception, report: Report) -> Stop:
        """Report an error that one of these templates has made; the caller raises the result.

        Raises the error itself where none of them has a part in it.
        """
        place = self._place(error)
        if place is None:
            raise error
        name, line = place
        reason = " ".join(str(error).split()) or type(error).__name__
        match error:
            case jinja2.TemplateNotFound():
                reason = f"there is no template {reason!r}"
            case RecursionError():
                reason = "it includes itself without an end"
            case _:
                pass
        message = f"this template cannot be used: {reason}"
        return report.fatal("invalid-template", message, self.origin(name, line))

    def _place(self, error: Exception) -> tuple[str, int] | None:
        """Return name and line of the template that an error comes from, the innermost of ours."""
        files = {str(self.folder / name): name for name in self.texts}
        if isinstance(error, jinja2.TemplateSyntaxError):
            return (files[error.filename], error.lineno) if error.filename in files else None
        for frame in reversed(traceback.extract_tb(error.__traceback__)):
            if frame.filename in files:
                return files[frame.filename], frame.lineno or 1
        return None


NONE = Custom()
"""No templates but ours."""


def read_custom(root: Path, config: Config, ours: Collection[str], report: Report) -> Custom:
    """Return the templates that a configuration names a folder of, relative to ``root``.

    ``ours`` are the names of the templates that there are to stand in for. Raises ``Stop`` after
    reporting a folder or a file that cannot be read; a template that nothing uses is reported.
    """
    if config.templates is None:
        return NONE
    folder = (root / config.templates).resolve()
    if not folder.is_dir():
        message = f"there is no folder {config.templates!r} beside {FILE}"
        raise report.fatal("missing-folder", message, Origin(FILE) / "templates")
    texts: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not any(part.startswith(".") for part in Path(name).parts):
            try:
                texts[name] = path.read_text("utf-8")
            except (OSError, UnicodeDecodeError) as error:
                message = f"cannot read the template: {error}"
                raise report.fatal("unreadable-file", message, Origin(path.as_uri())) from None
    custom = Custom(folder, texts)
    for name in _unused(texts, ours):
        message = f"nothing uses this template: none of ours is called {name!r}{_hint(name, ours)}"
        report.warning("unused-template", message, custom.origin(name))
    return custom


def check(custom: Custom, templates: jinja2.Environment, report: Report) -> None:
    """Report what is wrong with a user's templates before anything is printed.

    Raises ``Stop`` if one of them cannot be used.
    """
    broken: Stop | None = None
    for name in custom.texts:
        try:
            templates.get_template(name)
            for block in _unknown_blocks(name, templates):
                message = f"the template that this one extends has no block {block.name!r}"
                report.warning("unused-block", message, custom.origin(name, block.lineno))
        except _Orphan as orphan:
            message = f"this template cannot be used: there is no template {orphan.parent!r}"
            broken = report.fatal("invalid-template", message, custom.origin(name, orphan.line))
        except Exception as error:  # whatever Jinja finds
            broken = custom.blame(error, report)
    if broken is not None:
        raise broken


@dataclass(frozen=True, slots=True)
class _Orphan(Exception):
    """A template extends one that is not there."""

    parent: str
    line: int


def _unknown_blocks(name: str, templates: jinja2.Environment) -> Iterator[nodes.Block]:
    """Yield the blocks of a template that its parents do not have, and that nothing prints."""
    parents = list(_parents(name, templates))
    if len(parents) < 2:
        return
    known = {b.name for parsed in parents[1:] for b in parsed.find_all(nodes.Block)}
    own = (node for node in parents[0].body if isinstance(node, nodes.Block))
    yield from (block for block in own if block.name not in known)


def _parents(name: str, templates: jinja2.Environment) -> Iterator[nodes.Template]:
    """Yield a template and those that it extends, as far as these have fixed names."""
    seen: set[str] = set()
    line = 1
    while name not in seen and templates.loader is not None:
        seen.add(name)
        try:
            text, file, _ = templates.loader.get_source(templates, name)
        except jinja2.TemplateNotFound:
            raise _Orphan(name, line) from None
        parsed = templates.parse(text, name, file)
        yield parsed
        extended = next(iter(parsed.find_all(nodes.Extends)), None)
        if extended is None or not isinstance(extended.template, nodes.Const):
            return
        name, line = str(extended.template.value), extended.lineno


def _unused(texts: Mapping[str, str], ours: Collection[str]) -> Iterator[str]:
    """Yield the templates that neither stand in for one of ours nor are used by one that does."""
    used = {name for name in texts if name in ours}
    pending = list(used)
    while pending:
        for name in _references(texts[pending.pop()]):
            if name in texts and name not in used:
                used.add(name)
                pending.append(name)
    yield from (name for name in texts if name not in used)


def _references(text: str) -> Iterator[str]:
    """Yield the templates that a template names; none where it does not parse."""
    try:
        parsed = jinja2.Environment(autoescape=False).parse(text)
    except jinja2.TemplateSyntaxError:
        return
    yield from (name for name in meta.find_referenced_templates(parsed) if name is not None)


def _hint(name: str, ours: Collection[str]) -> str:
    folded = {one.casefold(): one for one in sorted(ours)}
    close = [folded[one] for one in difflib.get_close_matches(name.casefold(), folded, 1)]
    return f"; did you mean {close[0]!r}?" if close else ""
