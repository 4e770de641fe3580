"""A reader of values as they are sent, written from the specifications alone.

It undoes the expansions of RFC 6570 (section 3.2) as OpenAPI's table of styles names them
("Style Values"), and holds what it reads against the value that was meant. Text does not say which
kind of value it stands for, so the kind of that value decides how it is read.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from urllib.parse import unquote, unquote_plus

from specloom.description.values import is_list, is_mapping

from .described import Style
from .draws import is_undefined, kept_of

Pair = tuple[str, str]
"""A name and a value, as they stand between the separators."""

_DELIMITERS = {"spaceDelimited": "%20", "pipeDelimited": "%7C", "tabDelimited": "%09"}
"""OpenAPI 3.1.1 and later, "Style Examples": the delimiters are percent-encoded."""


def says(text: str, value: object) -> bool:
    """Whether text stands for a value inside of another, or for one that is a scalar.

    What has no text of its own is JSON (OpenAPI leaves open what it is).
    """
    match value:
        case str():
            return text == value
        case bool():
            return text == ("true" if value else "false")
        case int() | float():
            return _number(text) == value
        case None:
            return text == ""
        case _:
            try:
                return exact(json.loads(text)) == exact(value)
            except ValueError:
                return False


def _number(text: str) -> float | None:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        found = float(text)
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def exact(value: object) -> str:
    """Return a JSON value as text that tells 1, 1.0 and true apart, whatever the order of keys."""
    return json.dumps(value, sort_keys=True)


def says_all(texts: Sequence[str], value: object) -> bool:
    """Whether texts are the items of an array, or names and values of an object in turn."""
    kept = kept_of(value)
    if is_list(kept):
        return len(texts) == len(kept) and all(map(says, texts, kept))
    if is_mapping(kept):
        if len(texts) % 2 or len(texts) != 2 * len(kept):
            return False
        read = dict(zip(texts[::2], texts[1::2], strict=True))
        return _says_members(read, kept)
    return len(texts) == 1 and says(texts[0], kept)


def _says_members(read: dict[str, str], value: dict[str, object]) -> bool:
    return read.keys() == value.keys() and all(says(read[key], value[key]) for key in value)


def is_segment(text: str, name: str, style: Style, value: object) -> bool:
    """Whether a part of a path is a value in a style: simple, label or matrix."""
    kept = kept_of(value)
    container = is_list(kept) or is_mapping(kept)
    match style.name:
        case "simple":
            return _is_separated(text, ",", style.explode, kept)
        case "label":
            apart = "." if style.explode else ","
            return text.startswith(".") and _is_separated(text[1:], apart, style.explode, kept)
        case "matrix" if style.explode and container:
            pairs = [_pair(part) for part in text[1:].split(";")]
            return text.startswith(";") and _is_exploded(pairs, name, kept)
        case "matrix":
            key, _, rest = text[1:].partition("=")
            same = text.startswith(";") and unquote(key) == name
            return same and _is_separated(rest, ",", False, kept)
        case _:
            return False


def _is_separated(text: str, separator: str, explode: bool, value: object) -> bool:
    """Whether percent-encoded text is a value whose parts a separator holds apart."""
    if is_mapping(value) and explode:
        pairs = [_pair(part) for part in text.split(separator)]
        return _says_members({unquote(key): unquote(one) for key, one in pairs}, value)
    if is_list(value) or is_mapping(value):
        return says_all([unquote(part) for part in text.split(separator)], value)
    return says(unquote(text), value)


def _is_exploded(pairs: Iterable[Pair], name: str, value: object) -> bool:
    """Whether pairs are the items of an array under its name, or the members of an object."""
    listed = list(pairs)
    if is_list(value):
        named = all(unquote(key) == name for key, _ in listed)
        return named and says_all([unquote(text) for _, text in listed], value)
    if is_mapping(value):
        read = {unquote(key): unquote(text) for key, text in listed}
        return len(read) == len(listed) and _says_members(read, value)
    return False


def is_header(text: str, style: Style, value: object) -> bool:
    """Whether the value of a header is a value in the style ``simple``, which escapes nothing."""
    kept = kept_of(value)
    if is_mapping(kept) and style.explode:
        pairs = [_pair(part.strip()) for part in text.split(",")]
        return _says_members(dict(pairs), kept)
    if is_list(kept) or is_mapping(kept):
        return says_all([part.strip() for part in text.split(",")], kept)
    return says(text, kept)


def _pair(text: str) -> Pair:
    key, _, value = text.partition("=")
    return key, value


def pairs_of(query: str, separator: str = "&") -> list[Pair]:
    """Return the pairs of a query, of a form or of cookies, as they stand there."""
    return [_pair(part) for part in query.split(separator)] if query else []


@dataclass
class Fields:
    """The pairs of a query, of a form or of cookies, of which each is read once.

    A plus stands for a space in a query and in a form (WHATWG URL, section 5.1).
    """

    pairs: list[Pair]
    plus: bool = True

    def take(self, name: str, style: Style, value: object) -> str | None:
        """Read a value, and take its pairs out; return what is wrong, if something is."""
        kept = kept_of(value)
        mine = list(self._mine(name, style, kept))
        self.pairs = [pair for pair in self.pairs if pair not in mine]
        if is_undefined(kept):
            return None if not mine else f"{name} is sent though it is undefined"
        if not mine:
            return f"{name} is not sent: {value!r}"
        return None if self._is(mine, name, style, kept) else f"{name} reads {mine}, not {value!r}"

    def items(self, name: str, value: list[object]) -> str | None:
        """Read the items of an array that have a pair each; return what is wrong."""
        mine = [self._text(text) for key, text in self.pairs if self._text(key) == name]
        self.pairs = [pair for pair in self.pairs if self._text(pair[0]) != name]
        wanted = [one for one in value if one is not None]
        if len(mine) == len(wanted) and all(map(says, mine, wanted)):
            return None
        return f"{name} reads {mine}, not {value!r}"

    def document(self, name: str, value: object) -> str | None:
        """Read a value that is a JSON document; return what is wrong, if something is."""
        mine = [pair for pair in self.pairs if self._text(pair[0]) == name]
        self.pairs = [pair for pair in self.pairs if pair not in mine]
        if len(mine) != 1:
            return f"{name} is sent {len(mine)} times"
        try:
            read = json.loads(self._text(mine[0][1]))
        except ValueError:
            return f"{name} is no JSON: {mine[0][1]!r}"
        return None if exact(read) == exact(value) else f"{name} reads {read!r}, not {value!r}"

    def _mine(self, name: str, style: Style, value: object) -> Iterator[Pair]:
        exploded = style.explode and style.name in ("form", "cookie")
        for pair in self.pairs:
            key = self._text(pair[0])
            if style.name == "deepObject":
                if key == name or key.startswith(f"{name}["):
                    yield pair
            elif is_mapping(value) and exploded:
                if key in value:
                    yield pair
            elif key == name:
                yield pair

    def _is(self, mine: list[Pair], name: str, style: Style, value: object) -> bool:
        container = is_list(value) or is_mapping(value)
        match style.name:
            case "deepObject" if container:
                read = [(self._text(key), self._text(text)) for key, text in mine]
                return is_deep(read, name, value)
            case "form" | "cookie" if container and style.explode:
                read = [(self._text(key), self._text(text)) for key, text in mine]
                if is_list(value):
                    return says_all([text for _, text in read], value)
                return len(dict(read)) == len(read) and _says_members(
                    dict(read), value if is_mapping(value) else {}
                )
            case _ if len(mine) != 1:
                return False
            case _ if container:
                separator = _DELIMITERS.get(style.name, ",")
                parts = re.split(re.escape(separator), mine[0][1], flags=re.IGNORECASE)
                return says_all([self._text(part) for part in parts], value)
            case _:
                return says(self._text(mine[0][1]), value)

    def _text(self, written: str) -> str:
        return unquote_plus(written) if self.plus else unquote(written)


_BRACKETS = re.compile(r"\[([^\[\]]*)\]")


def is_deep(pairs: Sequence[Pair], name: str, value: object) -> bool:
    """Whether pairs are a value as ``deepObject``, at any depth.

    OpenAPI defines ``name[key]=value`` and nothing below. Below, a key is another pair of
    brackets, and an item of an array has its index or nothing in them.
    """
    found: list[tuple[tuple[str, ...], str]] = []
    for key, text in pairs:
        inside = key[len(name) :]
        steps = tuple(_BRACKETS.findall(inside))
        if "".join(f"[{step}]" for step in steps) != inside:
            return _is_deep_as_it_was_written(pairs, name, value)
        found.append((steps, text))
    return _is_tree(found, value)


def _is_deep_as_it_was_written(pairs: Sequence[Pair], name: str, value: object) -> bool:
    """Whether pairs are a value with brackets in its own keys, which nothing tells apart."""
    return sorted(pairs) == sorted(_deep(name, value))


def _deep(name: str, value: object) -> Iterator[Pair]:
    kept = kept_of(value)
    if is_mapping(kept):
        for key, one in kept.items():
            yield from _deep(f"{name}[{key}]", one)
    elif is_list(kept):
        for index, one in enumerate(kept):
            nested = any(is_list(each) or is_mapping(each) for each in kept)
            yield from _deep(f"{name}[{index if nested else ''}]", one)
    else:
        yield name, kept if isinstance(kept, str) else json.dumps(kept)


def _is_tree(pairs: Sequence[tuple[tuple[str, ...], str]], value: object) -> bool:
    kept = kept_of(value)
    if not (is_list(kept) or is_mapping(kept)):
        return len(pairs) == 1 and pairs[0][0] == () and says(pairs[0][1], kept)
    groups: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for index, (steps, text) in enumerate(pairs):
        if not steps:
            return False
        head = steps[0] or f"#{index}"
        groups.setdefault(head, []).append((steps[1:], text))
    if is_list(kept):
        shown = [one for one in kept if not _is_nothing(one)]
        return len(groups) == len(shown) and all(map(_is_tree, groups.values(), shown))
    assert is_mapping(kept)
    members = {key: one for key, one in kept.items() if not _is_nothing(one)}
    named = {steps[0] for steps, _ in pairs}
    return named == members.keys() and all(
        _is_tree([(s[1:], text) for s, text in pairs if s[0] == key], one)
        for key, one in members.items()
    )


def _is_nothing(value: object) -> bool:
    """Whether nothing of a value is sent."""
    kept = kept_of(value)
    if is_list(kept):
        return all(map(_is_nothing, kept))
    if is_mapping(kept):
        return all(map(_is_nothing, kept.values()))
    return kept is None


@dataclass(frozen=True)
class Part:
    """One part of a multipart body."""

    name: str
    filename: str | None
    media_type: str | None
    content: bytes


def parts_of(content_type: str, body: bytes) -> list[Part]:
    """Return the parts of a body of ``multipart/form-data`` (RFC 7578)."""
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    message = message_from_bytes(head + body, EmailMessage, policy=policy.HTTP)
    found: list[Part] = []
    for one in message.iter_parts():
        disposition = one["Content-Disposition"].params
        content = one.get_payload(decode=True)
        assert isinstance(content, bytes)
        stated = one.get_content_type() if "Content-Type" in one else None
        name = unquote(disposition["name"])
        found.append(Part(name, disposition.get("filename"), stated, content))
    return found
