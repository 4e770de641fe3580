"""Every operation of the real descriptions, called and judged by independent readers.

    cd tests && python -m corpus.operations [NAME ...]

Prints a Markdown table, and why openapi-core cannot judge a request where it cannot. Fails when an
operation is not called, when a request is not what was meant, or an answer is not read as it is.
A run over all of them also writes the table to the documentation.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from .clients import entries
from .document import ROOT
from .table import publish
from .trials import Tally, tried

COMMAND = "cd tests && python -m corpus.operations"


def main(chosen: list[str]) -> int:
    """Run over the descriptions, or those that are named; return the status."""
    shared = ROOT.parent / "shared"
    if not shared.is_dir():
        print(f"there is no collection of real descriptions at {shared}", file=sys.stderr)
        return 2
    total, lines = Tally(), [_HEAD]
    print(_HEAD, flush=True)
    for entry in entries(shared):
        if not chosen or entry.name in chosen:
            with tempfile.TemporaryDirectory() as scratch:
                tally = tried(entry, Path(scratch))
            lines.append(row(entry.name, tally))
            print(lines[-1], flush=True)
            for fault in tally.faults:
                print(f"{entry.name}: {fault}", file=sys.stderr, flush=True)
            total.add(tally)
    lines.append(row("all of them", total))
    limits = "\n".join(f"* {why}: {count:,}" for why, count in total.limits.most_common())
    table = "\n".join(lines)
    print(f"{lines[-1]}\n\n{limits}")
    if not chosen:
        publish("Operations", COMMAND, f"{_ABOUT}\n\n{table}\n\n{_LIMITS}\n\n{limits}")
    return 1 if total.faults or total.called < total.described else 0


def row(name: str, tally: Tally) -> str:
    """Return the line of the table for one description."""
    alone = tally.requests - tally.read
    figures = f"{tally.requests:,} | {tally.read:,} | {alone:,} | {len(tally.faults):,}"
    return f"| {name} | {tally.called:,}/{tally.described:,} | {figures} |"


_ABOUT = """Each operation is called twice for each media type of its body, with all that can be
given and with what must be, over a transport that keeps what is sent. Arguments and answers are
drawn from the description's own schemas. The operations are counted, and what they declare is
read, without the reader of Specloom. What leaves is judged by two readers that share no code with
the client: one written for this from the tables of OpenAPI, RFC 6570 and RFC 7578, which judges
every request; and openapi-core, which judges those that it can read. The path has to be the
template, filled; every value has to read as the one that was meant; nothing else is sent; the body
has a media type that is declared, and fits its schema as `jsonschema-rs` sees it. Then the answer
has to decode, and to be dumped as the JSON that came."""

_HEAD = """| description | operations called | requests | openapi-core | the first reader alone | \
faults |
| --- | ---: | ---: | ---: | ---: | ---: |"""

_LIMITS = """openapi-core does not read Swagger 2.0, which three of the descriptions are. Where
else the first reader judged alone, openapi-core cannot read a part of the request or is wrong
about it, for one of these reasons, each with the place that shows it:"""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
