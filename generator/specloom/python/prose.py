"""Prose of descriptions as docstrings: wrapped, with what the types alone do not say."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping

from .. import ir
from .demands import demands
from .limits import is_object
from .literals import literal

_ARGUMENT_WIDTH = 72  # 88 less the indentation of what continues a line about an argument
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


def arguments_doc(docs: Mapping[str, str]) -> str:
    """Return the part of a docstring about arguments: what is said of each, by their names.

    What is more than a paragraph stands below the name.
    """
    lines = ["Args:"]
    for name, doc in docs.items():
        text = wrap(doc, _ARGUMENT_WIDTH)
        if "\n\n" in text or _VERBATIM.search(text):
            lines += [f"    {name}:", *(f"        {line}".rstrip() for line in text.splitlines())]
        else:
            first, *rest = wrap(f"{name}: {doc}", _ARGUMENT_WIDTH).splitlines()
            lines += [f"    {first}", *(f"        {line}" for line in rest)]
    return "\n".join(lines)


def paragraphs(*texts: str | None) -> str | None:
    """Return the texts that are there, a blank line between."""
    return "\n\n".join(t.strip() for t in texts if t and t.strip()) or None


def described(doc: str | None, note: str | None, width: int) -> str | None:
    """Return prose with a note at its end: in its last paragraph, or after a list or code."""
    text = wrap(doc or "", width)
    if not text or not note:
        return text or (wrap(note, width) if note else None)
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


def limits(constraints: ir.Constraints) -> Iterable[str]:
    """Yield what limits say, in a sentence each."""
    yield from _described(_texts(constraints))
    yield from _further(constraints)


def _further(constraints: ir.Constraints) -> Iterable[str]:
    """Yield what limits demand besides those of numbers and texts, and second ones of these."""
    yield from demands(constraints)
    for each in ir.value_of(dict(constraints).get("allOf", ir.constant([]))):
        yield from _described(_texts(tuple((k, ir.constant(v)) for k, v in each.items())))


def _limits(type_: ir.Type) -> Iterable[str]:
    match type_:
        case ir.Primitive(_, format_):
            yield from limits(type_.constraints)
            if format_ not in _SIZES and not is_object(type_):
                yield f"Format: {format_}."
        case ir.Array(item):
            yield from limits(type_.constraints)
            yield from _inside("Each item", item)
        case ir.Tuple():
            yield from _row(type_)
        case ir.Map(value):
            yield from limits(type_.constraints)
            yield from _inside("Each value", value)
        case ir.Union(members):
            bare = [m for m in members if m != ir.NULL]
            if len(bare) == 1:
                yield from _limits(bare[0])
            else:
                found = (text for m in bare for text in _inside(f"As {_noun(m)}", m))
                yield from dict.fromkeys(found)
        case ir.Literal(values) if any(isinstance(ir.value_of(v), float) for v in values):
            yield f"One of {', '.join(values)}."  # of numbers, Python has no literal types
        case _:
            return


def _inside(place: str, type_: ir.Type) -> Iterable[str]:
    """Yield the limits of what is at a place inside a value, in one sentence."""
    found = [text[:1].lower() + text[1:].removesuffix(".") for text in _limits(type_)]
    if found:
        yield f"{place}: {', '.join(found)}."


def _row(row: ir.Tuple) -> Iterable[str]:
    """Yield what a tuple's annotation does not say: whether it may be shorter, and limits."""
    texts = _texts(row.constraints)
    places = str(len(row.places))
    if "minItems" not in texts:
        yield "May have fewer items."
    elif texts["minItems"] == places:
        texts.pop("minItems")
    if row.rest == ir.NEVER and texts.get("maxItems") == places:
        texts.pop("maxItems")
    yield from _described(texts)
    yield from _further(row.constraints)
    for index, place in enumerate(row.places, 1):
        yield from _inside(f"Item {index}", place)
    yield from _inside("Each further item", row.rest)


def _noun(type_: ir.Type) -> str:
    """Return a member of a union in words."""
    match type_:
        case ir.Primitive("integer"):
            return "an integer"
        case ir.Primitive(kind):
            return f"a {kind}"
        case ir.Array(ir.Primitive(kind)):
            return f"a list of {kind}s"
        case ir.Array(ir.Array() | ir.Tuple()):
            return "a list of lists"
        case ir.Array() | ir.Tuple():
            return "a list"
        case ir.Literal():
            return "a constant"
        case _:
            return "an object"


_SIZES = (None, "int32", "int64", "float", "double")
"""No format, and those that say how a number is stored elsewhere: Python's have no size."""


def _texts(constraints: ir.Constraints) -> dict[str, str]:
    return {keyword: str(ir.value_of(value)) for keyword, value in constraints}


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
    ("contentEncoding", "", "Encoded as {}."),
    ("contentMediaType", "", "Content: {}."),
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
