"""The pipeline: from a description to the files of its client. Start reading here."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from . import ir
from .config import read_config
from .description.load import Description, load
from .description.validate import user_cache, validate
from .diagnostics import Report
from .lower.api import lower
from .python.package import Package
from .python.plan import plan
from .render import Files, render


@dataclass(slots=True)
class Run:
    """What one run over one target has found so far."""

    target: Path
    report: Report = field(default_factory=Report)
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    descriptions: list[Description] = field(default_factory=list[Description])

    @property
    def root(self) -> Path:
        """The folder that the descriptions stand in."""
        return self.target if self.target.is_dir() else self.target.parent

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Time a stage, and stop after it if it found what makes generation impossible."""
        start = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - start
        if self.report.failed:
            raise self.report.stop()


@dataclass(frozen=True, slots=True)
class Client:
    """A client, ready to be written: what each stage made of the one before."""

    api: ir.Api
    package: Package
    files: Files


def generate(run: Run) -> Client:
    """Return the client of a target: a folder with a ``specloom.toml``, or a description.

    Raises ``Stop`` when a stage found an error; ``run.report`` then says which.
    """
    config = read_config(run.target, run.report)
    with run.stage("load"):
        for name in config.descriptions:
            overlays = [run.root / overlay for overlay in config.overlays.get(name, ())]
            run.descriptions.append(
                load(run.root / name, run.report, overlays=overlays, base=run.root)
            )
    with run.stage("lower"):
        api = lower(run.descriptions, run.report, config.names)
    with run.stage("validate"):
        for description in run.descriptions:
            validate(description, run.report, user_cache())
    with run.stage("plan"):
        package = plan(api, config, run.report)
    with run.stage("render"):
        files = render(package)
    return Client(api, package, files)
