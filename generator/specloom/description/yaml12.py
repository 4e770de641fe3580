"""YAML 1.2 by its core schema, over the events of libyaml.

Plain values are built straight from the events, without a node tree, which is several times
faster than ``yaml.load``. The schema is that of the YAML 1.2.2 specification, section 10.3:
``no``, ``on``, ``12:30:00`` and ``2020-01-01`` are strings, ``1e3`` and ``0o17`` are numbers.
Keys are always strings, spelled as their author spelled them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, cast

import yaml
from yaml.error import MarkedYAMLError
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)
from yaml.reader import ReaderError

from specloom.description.text import (
    MAX_ALIASED,
    MAX_DEPTH,
    Broken,
    Finding,
    Mark,
    TooDeep,
    check_depth,
    decoded,
    too_deep,
)
from specloom.description.values import is_list, is_mapping
from specloom.description.yaml_marks import mark, marks

_INTEGER: Final = re.compile(r"[-+]?[0-9]+")
_RADIX: Final = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT: Final = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_WORDS: Final[dict[str, bool | None]] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_NUMERIC: Final = frozenset("+-.0123456789")
"""What a number begins with, and no word."""
_TAG: Final = "tag:yaml.org,2002:"
# No YAML text can hold this key, so it never meets a key of the author's.
_MERGE: Final = "\0<<"
# What to do about the commonest mistakes, by libyaml's own words for them.
_HINTS: Final = {
    "mapping values are not allowed in this context": "quote a text that contains ': '",
    "found character that cannot start any token": "quote a text that begins like this",
    "could not find expected ':'": "a key ends with a colon",
    "did not find expected key": "check the indentation and the quotes above",
    "did not find expected '-' indicator": "check the indentation",
}


def parse(data: bytes, findings: list[Finding]) -> object:
    """Return the value of the first YAML document in ``data``, which is UTF-8.

    What an alias stands for is one object wherever it appears. What is wrong but does not hinder
    is added to ``findings``. Raises ``Broken`` for everything else.
    """
    try:
        builder = _Builder(data, findings)
        documents = builder.documents()
    except yaml.YAMLError as error:
        decoded(data)  # most of what libyaml says follows from that when it is no Unicode
        raise _broken(error, data) from None
    try:
        for document in documents if builder.aliased else ():
            check_depth(document)
    except TooDeep:
        raise too_deep(builder.last_alias) from None
    if builder.duplicates:
        for key, first, second in marks(data).duplicates:
            message = f"the key {key!r} occurs twice in one mapping"
            findings.append(Finding("error", "duplicate-key", message, second, (first,)))
    if any(document is not None for document in documents[1:]):
        message = "only the first of the YAML documents in this file is read"
        findings.append(Finding("warning", "several-documents", message, builder.starts[1]))
    return documents[0] if documents else None


def resolve(text: str) -> object:
    """Return what a plain scalar means by the core schema; what matches nothing is a string."""
    if text[:1] not in _NUMERIC:
        return _WORDS.get(text, text)
    if _INTEGER.fullmatch(text):
        return integer(text)
    if _RADIX.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text):
        # Python spells the infinities and NaN without the dot.
        return float(text.replace(".", "") if text[-1] in "fFnN" else text)
    return text


def integer(text: str) -> int | float:
    """Return a decimal integer, or a float when it has more digits than Python will convert."""
    try:
        return int(text)
    except ValueError:
        return float(text)


class _Scalars(dict[str, object]):
    """Remembers what each plain scalar means: a description repeats few of them very often."""

    def __missing__(self, text: str) -> object:
        value = self[text] = resolve(text)
        return value


class _Builder:
    """Builds the values of a stream's documents from its events.

    All the time of loading goes into ``_mapping`` and ``_sequence``, so the common cases stand
    there, and everything else is left to the other methods.
    """

    def __init__(self, data: bytes, findings: list[Finding]) -> None:
        self.findings = findings
        self.starts: list[Mark] = []
        self.last_alias = Mark(1, 1)
        self.aliased = 0
        self.duplicates = False
        self._get_event = cast("Callable[[], yaml.Event]", yaml.CSafeLoader(data).get_event)
        self._scalars = _Scalars()
        # The value of each anchor, how many values it amounts to, its text when it is a scalar.
        self._anchors: dict[str, tuple[object, int, str | None]] = {}
        self._open: set[str] = set()  # the anchors of containers that have not ended
        self._merging: dict[int, Mark] = {}
        self._built = 0

    def documents(self) -> list[object]:
        """Return the values of all documents."""
        documents: list[object] = []
        while type(event := self._get_event()) is not StreamEndEvent:
            if type(event) is DocumentStartEvent:
                self.starts.append(mark(event))
                documents.append(self._value(self._get_event(), 0))
        return documents

    def _mapping(self, depth: int) -> dict[str, object]:
        """Return the mapping that has begun and that ``depth`` containers are open for."""
        get_event, scalars = self._get_event, self._scalars
        mapping: dict[str, object] = {}
        while type(event := get_event()) is not MappingEndEvent:
            if type(event) is ScalarEvent and event.anchor is None and event.value != "<<":
                key = event.value
            else:
                key = self._key(event, mapping)
            if key in mapping:
                self.duplicates = True
            event = get_event()
            if type(event) is ScalarEvent and event.anchor is None:
                plain, quoted = event.implicit
                if plain:
                    mapping[key] = scalars[event.value]
                else:
                    mapping[key] = event.value if quoted else self._tagged(event)
            else:
                mapping[key] = self._value(event, depth)
        if _MERGE in mapping:
            self._merge(mapping)
        self._built += len(mapping)
        return mapping

    def _sequence(self, depth: int) -> list[object]:
        """Return the sequence that has begun and that ``depth`` containers are open for."""
        get_event = self._get_event
        sequence: list[object] = []
        while type(event := get_event()) is not SequenceEndEvent:
            sequence.append(self._value(event, depth))
        self._built += len(sequence)
        return sequence

    def _value(self, event: yaml.Event, depth: int) -> object:
        """Return the value that begins with an event, inside of ``depth`` containers."""
        if type(event) is ScalarEvent:
            plain, quoted = event.implicit
            text = event.value
            value = self._scalars[text] if plain else text if quoted else self._tagged(event)
            if event.anchor is not None:
                self._name(event.anchor, value, 1, text)
            return value
        if type(event) is MappingStartEvent or type(event) is SequenceStartEvent:
            if event.anchor is not None or event.tag is not None or depth == MAX_DEPTH:
                return self._container(event, depth)
            is_mapping = type(event) is MappingStartEvent
            return self._mapping(depth + 1) if is_mapping else self._sequence(depth + 1)
        assert type(event) is AliasEvent
        return self._alias(event)[0]

    def _container(self, event: MappingStartEvent | SequenceStartEvent, depth: int) -> object:
        """Return the container that begins with an event, inside of ``depth`` others."""
        if depth == MAX_DEPTH:
            raise too_deep(mark(event))
        if event.tag is not None and event.tag not in ("!", _TAG + "map", _TAG + "seq"):
            self._unknown_tag(event)
        anchor, before = event.anchor, self._built
        if anchor is not None:
            self._open.add(anchor)
        is_mapping = type(event) is MappingStartEvent
        value = self._mapping(depth + 1) if is_mapping else self._sequence(depth + 1)
        if anchor is not None:
            self._name(anchor, value, self._built - before, None)
        return value

    def _name(self, anchor: str, value: object, size: int, text: str | None) -> None:
        """Let an anchor stand for a value from now on."""
        self._open.discard(anchor)
        self._anchors[anchor] = (value, size, text)

    def _key(self, event: yaml.Event, mapping: dict[str, object]) -> str:
        """Return a key of ``mapping`` that is more than a text."""
        text: str | None = None
        if type(event) is AliasEvent:
            _, text = self._alias(event)
        elif type(event) is ScalarEvent:
            text = event.value
            if event.anchor is not None:
                self._name(event.anchor, text, 1, text)
            if text == "<<" and event.implicit[0]:  # quoted, it is an ordinary key
                self._merging[id(mapping)] = mark(event)
                return _MERGE
        if text is None:
            raise Broken("complex-key", "a key is a scalar, not a collection", mark(event))
        return text

    def _merge(self, mapping: dict[str, object]) -> None:
        """Put the members of the merged mappings first; the mapping's own members prevail."""
        merged = mapping.pop(_MERGE)
        place = self._merging.pop(id(mapping))
        own = dict(mapping)
        mapping.clear()
        for source in reversed(merged) if is_list(merged) else (merged,):
            if not is_mapping(source):
                message = "the merge key '<<' takes a mapping or a list of mappings"
                raise Broken("invalid-merge", message, place)
            mapping.update(source)
        mapping.update(own)
        self._spend(len(mapping) - len(own), place)

    def _alias(self, event: AliasEvent) -> tuple[object, str | None]:
        """Return the value that an alias stands for, and its text when it is a scalar."""
        name = event.anchor or ""
        if name in self._open:
            message = f"'*{name}' stands for a value that contains it"
            raise Broken("alias-cycle", message, mark(event))
        if name not in self._anchors:
            message = f"'*{name}' stands for nothing: no '&{name}' precedes it"
            raise Broken("unknown-alias", message, mark(event))
        value, size, text = self._anchors[name]
        self._built += size
        self.last_alias = mark(event)
        self._spend(size, self.last_alias)
        return value, text

    def _spend(self, size: int, place: Mark) -> None:
        """Refuse a document whose aliases stand for far more than it holds."""
        self.aliased += size
        if self.aliased > MAX_ALIASED:
            message = f"the aliases of this document stand for more than {MAX_ALIASED:,} values"
            raise Broken("alias-bomb", message, place)

    def _tagged(self, event: ScalarEvent) -> object:
        """Return the value of a scalar with an explicit tag."""
        tag, text = event.tag or "!", event.value
        if tag in ("!", _TAG + "str"):
            return text
        value = resolve(text)
        match tag.removeprefix(_TAG):
            case "int" if type(value) is int:
                return value
            case "float" if type(value) is int or type(value) is float:
                return float(value)
            case "bool" if type(value) is bool:
                return value
            case "null" if value is None:
                return value
            case _:
                self._unknown_tag(event)
                return text if event.style else value

    def _unknown_tag(self, event: ScalarEvent | MappingStartEvent | SequenceStartEvent) -> None:
        """Report a tag that the core schema does not have; the value is read as if untagged."""
        name = (event.tag or "!").replace(_TAG, "!!")
        message = f"the tag '{name}' means nothing for this value and is ignored"
        self.findings.append(Finding("warning", "unknown-tag", message, mark(event)))


def _broken(error: yaml.YAMLError, data: bytes) -> Broken:
    """Say in our own terms why libyaml cannot parse ``data``."""
    if isinstance(error, ReaderError):
        before = data[: error.position].decode(errors="replace")
        place = Mark(before.count("\n") + 1, len(before) - before.rfind("\n"))
        message = f"YAML does not allow the character U+{error.character:04X}; escape it in quotes"
        return Broken("invalid-yaml", message, place)
    if not isinstance(error, MarkedYAMLError) or error.problem_mark is None:
        return Broken("invalid-yaml", str(error))
    problem = error.problem or "this is not YAML"
    message = f"{error.context}: {problem}" if error.context else problem
    place = Mark(error.problem_mark.line + 1, error.problem_mark.column + 1)
    if problem == "exceeded maximum nesting depth":
        return too_deep(place)
    if _indented_by_tab(data, place):
        message += "; indent with spaces"
    elif problem in _HINTS:
        message += f"; {_HINTS[problem]}"
    context = error.context_mark
    related = () if context is None else (Mark(context.line + 1, context.column + 1),)
    return Broken("invalid-yaml", message, place, *(m for m in related if m != place))


def _indented_by_tab(data: bytes, place: Mark) -> bool:
    """Return whether the line of ``place`` is indented with a tab."""
    lines = data.splitlines()[place.line - 1 : place.line]
    return any(b"\t" in line[: len(line) - len(line.lstrip())] for line in lines)
