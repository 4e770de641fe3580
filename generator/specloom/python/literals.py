"""Values as Python literals, quoted as Black quotes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast


def literal(value: object) -> str:
    """Return the expression of a JSON value: text in double quotes where that is no worse."""
    match value:
        case str():
            return _text(value)
        case Mapping():
            pairs = cast(Mapping[object, object], value).items()
            return f"{{{', '.join(f'{literal(k)}: {literal(v)}' for k, v in pairs)}}}"
        case list():
            return f"[{', '.join(literal(v) for v in cast(list[object], value))}]"
        case tuple():
            items = [literal(v) for v in cast(tuple[object, ...], value)]
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        case _:
            return repr(value)


def raw(text: str) -> str:
    """Return the expression of text with its backslashes as they are, where Python allows that."""
    backslashes = len(text) - len(text.rstrip("\\"))
    if "\\" not in text or backslashes % 2 or not text.isprintable():
        return literal(text)
    if '"' not in text:
        return f'r"{text}"'
    return f"r'{text}'" if "'" not in text else literal(text)


def _text(value: str) -> str:
    """Return text quoted: Black prefers double quotes unless they cost more backslashes."""
    single, double = value.count("'"), value.count('"')
    if double > single:
        return repr(value)
    return f'"{inside(value)}"'


def inside(text: str) -> str:
    """Return text as it stands between double quotes."""
    body = repr(f'"{text}')[2:-1]  # the quote in front makes repr choose single quotes
    return body.replace("\\'", "'").replace('"', '\\"')
