"""Everything that can be said about a target without making its client."""

from __future__ import annotations

from .config import Config, read_config
from .diagnostics import Stop
from .lock import read_lock
from .lower.api import lower
from .python.plan import plan
from .run import Run


def inspect(run: Run) -> bool:
    """Report what is wrong with a target; return whether its configuration is strict.

    All is reported that ``generate`` would report. One error is no reason not to look for others,
    as long as there is a description to look at.
    """
    config: Config | None = None
    try:
        config = read_config(run.target, run.report)
        lock = read_lock(run.target, run.report)
        with run.stage("load"):
            run.load(config)
        with run.guard():
            api = lower(run.descriptions, run.report, config.names)
            run.validate()
            if not run.report.failed:
                plan(api, config, lock, run.report)  # which tells of names that had to change
    except Stop:
        pass  # the report says why
    return config is not None and config.strict
