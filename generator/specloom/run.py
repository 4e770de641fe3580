"""One run over one target: what it has read, what it has found, how long it took."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from .config import FILE, Config, Operations
from .description.beside import WORTHWHILE, Loader, judging
from .description.load import Access, Description, load
from .description.selection import Rule, Selection
from .description.validate import is_endless, validate
from .description.verdicts import Verdict, recall, user_cache
from .diagnostics import Origin, Report, Stop


@dataclass(slots=True)
class Run:
    """What one run over one target has found so far."""

    target: Path
    access: Access = field(default_factory=Access)
    report: Report = field(default_factory=Report)
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    descriptions: list[Description] = field(default_factory=list[Description])
    _loaders: list[Loader] = field(default_factory=list[Loader])

    @property
    def root(self) -> Path:
        """The folder that the descriptions stand in."""
        return self.target if self.target.is_dir() else self.target.parent

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Time a stage, and stop after it if it found what makes generation impossible."""
        start = time.perf_counter()
        with self.guard():
            yield
        self.seconds[name] = time.perf_counter() - start
        if self.report.failed:
            raise self.report.stop()

    @contextmanager
    def guard(self) -> Generator[None]:
        """Make it a finding when schemas use each other in deeper levels than can be followed."""
        try:
            yield
        except RecursionError:
            message = "the schemas of this description use each other in too many levels"
            entry = self.descriptions[0].entry if self.descriptions else self.target.name
            raise self.report.fatal("nested-too-deep", message, Origin(entry)) from None

    def load(self, config: Config) -> None:
        """Load the descriptions of the target, as much of them as the configuration selects."""
        selection = _selection(config)
        for name in config.descriptions:
            loader = partial(
                load,
                self.root / name,
                overlays=[self.root / overlay for overlay in config.overlays.get(name, ())],
                base=self.root,
                access=self.access,
                selection=selection,
            )
            self._loaders.append(loader)
            self.descriptions.append(loader(self.report))
        if selection is None:
            return
        for rule in selection.rules:
            if rule not in selection.used:
                message = f"{rule.value!r} names no operation of the descriptions"
                origin = Origin(FILE) / rule.table / rule.key / rule.index
                self.report.warning("selects-nothing", message, origin)
        if selection.is_empty and selection.used:
            rule = selection.rules[-1]
            message = "no operation of the descriptions is left by 'include' and 'exclude'"
            self.report.warning("selects-nothing", message, Origin(FILE) / rule.table)

    def judging(self) -> AbstractContextManager[Callable[[], list[Verdict]]]:
        """Judge beside the body those descriptions that this takes long for; see ``judging``."""
        return judging(self._lengthy())

    def validate(self, judged: Sequence[Verdict] = ()) -> None:
        """Report what breaks the rules of OpenAPI; ``judged`` are verdicts known already."""
        for description in self.descriptions:
            validate(description, self.report, user_cache(), judged)

    @contextmanager
    def validation(self) -> Generator[None]:
        """Validate: beside the body, where that takes long.

        What is found comes before what the body reports and takes no notice of it, as if all had
        been found before.
        """
        stopped: Stop | None = None
        with self.judging() as verdicts:
            before = len(self.report.diagnostics)
            try:
                yield
            except Stop as stop:
                stopped = stop
            meanwhile = self.report.take(before)
            with self.stage("validate"):
                self.validate(verdicts())
            self.report.put(meanwhile)
        if stopped is not None:
            raise stopped

    def refuse_warnings(self) -> None:
        """Stop if anything was found, as ``strict`` in the configuration demands."""
        if self.report.diagnostics:
            message = "'strict' is true, so a description with warnings makes no client"
            raise self.report.fatal("strict", message, Origin(FILE) / "strict")

    def _lengthy(self) -> list[Loader]:
        """Return how to load the descriptions that it takes long to validate."""
        if is_endless(self.report):
            return []
        each = zip(self._loaders, self.descriptions, strict=True)
        large = [(loader, one) for loader, one in each if one.size >= WORTHWHILE]
        return [loader for loader, one in large if recall(one, user_cache()) is None]


def _selection(config: Config) -> Selection | None:
    """Return what a configuration selects; None when that is everything."""
    rules = (*_rules("include", config.include), *_rules("exclude", config.exclude))
    return Selection(rules) if rules else None


def _rules(table: Literal["include", "exclude"], named: Operations) -> Iterator[Rule]:
    """Yield the rules of a table of the configuration."""
    yield from (Rule(table, "tags", *one) for one in enumerate(named.tags))
    yield from (Rule(table, "paths", *one) for one in enumerate(named.paths))
    yield from (Rule(table, "operations", *one) for one in enumerate(named.operations))
