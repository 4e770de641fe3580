"""Prose of descriptions as docstrings: wrapped, with what the types alone do not say."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from .. import ir
from .literals import literal

_ENDINGS = (".", "!", "?", ":", ";", "\u3002", "`.", "...")
_BLOCK = re.compile(r"\n[ \t]*\n")
_VERBATIM = re.compile(r"^([ \t]*([-*+>|#]|\d+[.)])[ \t]|[ \t]{4}|```)", re.MULTILINE)


def wrap(text: str, width: int) -> str:
    """Return Markdown text with its paragraphs filled; lists, tables and code stay as they are."""
    blocks = _BLOCK.split(text.strip())
    return "\n\n".join(
        "\n".join(line.rstrip() for line in block.splitlines())
        if _VERBATIM.search(block)
        else textwrap.fill(
            " ".join(block.split()), width, break_long_words=False, break_on_hyphens=False
        )
        for block in blocks
        if block.strip()
    )


def paragraphs(*texts: str | None) -> str | None:
    """Return the texts that are there, a blank line between."""
    return "\n\n".join(t.strip() for t in texts if t and t.strip()) or None


def described(doc: str | None, note: str | None, width: int) -> str | None:
    """Return prose with a note at its end: in its last paragraph, or after a list or code."""
    text = wrap(doc or "", width)
    if not text or not note:
        return text or note
    *before, last = _BLOCK.split(text)
    if _VERBATIM.search(last):
        return f"{text}\n\n{wrap(note, width)}"
    ending = "" if last.endswith(_ENDINGS) else "."
    return "\n\n".join([*before, wrap(f"{last}{ending} {note}", width)])


def facts(type_: ir.Type, default: ir.Constant | None, deprecated: bool) -> str | None:
    """Return what a value must satisfy beyond its type, in a sentence each."""
    found = list(_limits(type_))
    if default is not None:
        found.append(f"Default: {_python(default)}.")
    if deprecated:
        found.append("Deprecated.")
    return " ".join(found) or None


def _limits(type_: ir.Type) -> Iterable[str]:
    match type_:
        case ir.Primitive(_, format_):
            yield from _described(_texts(type_.constraints))
            if format_ not in _SIZES:
                yield f"Format: {format_}."
        case ir.Array(item):
            yield from _described(_texts(type_.constraints))
            yield from (f"Each item: {_uncapitalised(text)}" for text in _limits(item))
        case ir.Map(value):
            yield from _described(_texts(type_.constraints))
            yield from (f"Each value: {_uncapitalised(text)}" for text in _limits(value))
        case ir.Union(members):
            bare = [m for m in members if m != ir.NULL]
            if len(bare) == 1:
                yield from _limits(bare[0])
        case ir.Literal(values) if any(isinstance(ir.value_of(v), float) for v in values):
            yield f"One of {', '.join(values)}."  # of numbers, Python has no literal types
        case _:
            return


_SIZES = (None, "int32", "int64", "float", "double")
"""No format, and those that say how a number is stored elsewhere: Python's have no size."""


def _texts(constraints: ir.Constraints) -> dict[str, str]:
    return {keyword: str(ir.value_of(value)) for keyword, value in constraints}


def _uncapitalised(text: str) -> str:
    return text[:1].lower() + text[1:]


_SENTENCES = (
    ("minimum", "", "At least {}."),
    ("exclusiveMinimum", "", "More than {}."),
    ("maximum", "", "At most {}."),
    ("exclusiveMaximum", "", "Less than {}."),
    ("multipleOf", "", "A multiple of {}."),
    ("minLength", "At least 1 character.", "At least {} characters."),
    ("maxLength", "At most 1 character.", "At most {} characters."),
    ("pattern", "", "Matches `{}`."),
    ("minItems", "At least 1 item.", "At least {} items."),
    ("maxItems", "At most 1 item.", "At most {} items."),
    ("minProperties", "At least 1 entry.", "At least {} entries."),
    ("maxProperties", "At most 1 entry.", "At most {} entries."),
)


def _described(limits: dict[str, str]) -> Iterable[str]:
    if "minimum" in limits and "maximum" in limits:
        yield f"Between {limits.pop('minimum')} and {limits.pop('maximum')}."
    for keyword, one, several in _SENTENCES:
        if keyword in limits:
            yield one if limits[keyword] == "1" and one else several.format(limits[keyword])
    if limits.get("uniqueItems") == "True":
        yield "No item twice."


def _python(value: ir.Constant) -> str:
    return literal(ir.value_of(value))
