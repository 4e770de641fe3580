"""Text of descriptions in Markdown (CommonMark 0.31, and the tables of GitHub's)."""

from __future__ import annotations

import re

_SPECIAL = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|$)|[`*<>\[\]|~]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])|#$"
)
_TICKS = re.compile(r"`+")
_BARS = re.compile(r"(\\*)\|")


def line(text: str) -> str:
    """Return text on one line, in which nothing is markup."""
    return _SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))


def code(text: str) -> str:
    """Return text on one line as code, which may stand in a cell of a table.

    A backslash makes a bar part of the cell, unless it is itself taken by one before it.
    """
    shown = " ".join(text.split())
    longest = max(map(len, _TICKS.findall(shown)), default=0)
    fence = "`" * (longest + 1)
    space = " " if shown.startswith("`") or shown.endswith("`") or not shown else ""
    return fence + space + _BARS.sub(_barred, shown) + space + fence


def _barred(bar: re.Match[str]) -> str:
    odd = len(bar[1]) % 2
    return bar[1] + "\\" * odd + "\\|"
