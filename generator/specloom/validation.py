"""Everything that can be said about a target without making its client."""

from __future__ import annotations

from .config import Config, read_config
from .custom import check, read_custom
from .diagnostics import Stop
from .lock import read_lock
from .lower.api import lower
from .python.plan import plan
from .render import NAMES, environment
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
        with run.guard(), run.judging() as verdicts:
            api = lower(run.descriptions, run.report, config.names, config.pagination)
            run.validate(verdicts())  # says nothing that was said already
            if not run.report.failed:
                plan(api, config, lock, run.report)  # which tells of names that had to change
        custom = read_custom(run.root, config, NAMES, run.report)
        check(custom, environment(custom), run.report)
    except Stop:
        pass  # the report says why
    return config is not None and config.strict
