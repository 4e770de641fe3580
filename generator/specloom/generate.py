"""The pipeline: from a description to the files of its client. Start reading here."""

from __future__ import annotations

from dataclasses import dataclass

from . import ir
from .config import read_config
from .coverage import Coverage, coverage
from .custom import read_custom
from .lock import Lock, read_lock
from .lower.api import lower
from .python.package import Package
from .python.plan import plan
from .render import NAMES, Files, render
from .run import Run as Run


@dataclass(frozen=True, slots=True)
class Client:
    """A client, ready to be written: what each stage made of the one before."""

    api: ir.Api
    package: Package
    files: Files
    lock: Lock
    """The names that it had before."""
    coverage: Coverage


def generate(run: Run) -> Client:
    """Return the client of a target: a folder with a ``specloom.toml``, or a description.

    Raises ``Stop`` when a stage found an error; ``run.report`` then says which.
    """
    config = read_config(run.target, run.report)
    lock = read_lock(run.target, run.report)
    custom = read_custom(run.root, config, NAMES, run.report)
    with run.stage("load"):
        run.load(config)
    with run.stage("lower"):
        api = lower(run.descriptions, run.report, config.names, config.pagination)
    with run.validation():  # goes on beside the other stages, whatever these find
        with run.stage("plan"):
            package = plan(api, config, lock, run.report)
        with run.stage("render"):
            files = render(package, custom, run.report)
    covered = coverage(run.descriptions, package, run.report)
    if config.strict:
        run.refuse_warnings()
    return Client(api, package, files, lock, covered)
