"""Python text as Black would lay it out.

The templates print Black's layout already, except where a line is too long. So only the statements
with such a line go through Black, one by one and each form once: a large client is thousands of
short statements that need no formatter, and hundreds of equal long ones.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from functools import lru_cache

import black
from black.mode import TargetVersion

WIDTH = 88
_BLANKS = re.compile(r"\n{3,}(?=[ )\]}])")
_MANY_BLANKS = re.compile(r"\n{4,}")
_AFTER_IMPORTS = re.compile(
    r"^((?:from|import) [^\n]*\n)\n\n(?=[^\n@])(?!class |def |async def )", re.MULTILINE
)
_OPENS_BLOCK = re.compile(r"(async def|def|class|if|for|with)\b")


def formatted(text: str) -> str:
    """Return a module of a generated client in its final layout."""
    text = _spaced(text)
    lines = text.split("\n")
    if all(len(line) <= WIDTH for line in lines):
        return text
    result: list[str] = []
    position = 0
    for first, last in _statements(text):
        result += lines[position:first]
        written = lines[first : last + 1]
        if any(len(line) > WIDTH for line in written):
            indentation = len(written[0]) - len(written[0].lstrip())
            bare = "\n".join(line[indentation:] for line in written)
            margin = " " * indentation
            laid_out = _laid_out(bare, WIDTH - indentation).split("\n")
            result += [margin + line if line else "" for line in laid_out]
        else:
            result += written
        position = last + 1
    return "\n".join([*result, *lines[position:]])


def laid_out(text: str, stub: bool = False) -> str:
    """Return a module, or a stub, that no template of ours printed as Black lays it out."""
    mode = black.Mode(line_length=WIDTH, target_versions={TargetVersion.PY311}, is_pyi=stub)
    return black.format_str(text, mode=mode)


def _spaced(text: str) -> str:
    """Return text with the blank lines that Black leaves: two at most, one inside blocks."""
    text = _MANY_BLANKS.sub("\n\n\n", text)
    text = _BLANKS.sub("\n\n", text)
    text = _AFTER_IMPORTS.sub(r"\1\n", text)
    return text.strip("\n") + "\n"


def _statements(text: str) -> Iterator[tuple[int, int]]:
    """Yield the first and last line, from 0, of each statement that is no docstring."""
    start: int | None = None
    only_text = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        match token.type:
            case tokenize.NEWLINE:
                if start is not None and not only_text:
                    yield start - 1, token.start[0] - 1
                start, only_text = None, True
            case (
                tokenize.NL
                | tokenize.COMMENT
                | tokenize.INDENT
                | tokenize.DEDENT
                | tokenize.ENDMARKER
            ):
                pass
            case kind:
                start = token.start[0] if start is None else start
                only_text = only_text and kind == tokenize.STRING


def statement(text: str, indentation: int) -> str:
    """Return one statement in its final layout, the lines after the first indented."""
    lines = _laid_out(text, WIDTH - indentation).split("\n")
    return ("\n" + " " * indentation).join(lines)


@lru_cache(maxsize=4096)
def _laid_out(text: str, width: int) -> str:
    """Return one statement without indentation as Black lays it out in so many columns."""
    mode = black.Mode(line_length=width, target_versions={TargetVersion.PY311})
    opens = _OPENS_BLOCK.match(text) and text.endswith(":")
    body = "\n    pass" if opens else ""
    return black.format_str(text + body, mode=mode).rstrip("\n").removesuffix(body)
