"""What a target says, as far as the IR: for the commands that make no client of it."""

from __future__ import annotations

from dataclasses import dataclass

from . import ir
from .config import Config, read_config
from .lock import Lock, read_lock
from .lower.api import lower
from .run import Run


@dataclass(frozen=True, slots=True)
class Reading:
    """An API, what its configuration says, and the names that its client has given out."""

    api: ir.Api
    config: Config
    lock: Lock


def read(run: Run) -> Reading:
    """Return what a target says; raises ``Stop`` when a stage found an error."""
    config = read_config(run.target, run.report)
    lock = read_lock(run.target, run.report)
    with run.stage("load"):
        run.load(config)
    with run.stage("lower"):
        api = lower(run.descriptions, run.report, config.names, config.pagination)
    with run.validation():
        pass
    return Reading(api, config, lock)
