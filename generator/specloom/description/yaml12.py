"""YAML 1.2 by its core schema, over the events of libyaml.

Plain values are built straight from the events, without a node tree, which is several times
faster than ``yaml.load``. The schema is that of the YAML 1.2.2 specification, section 10.3:
``no``, ``on``, ``12:30:00`` and ``2020-01-01`` are strings, ``1e3`` and ``0o17`` are numbers.
Keys are always strings, spelled as their author spelled them.
"""

from __future__ import annotations

import re
from typing import Final

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
    builder = _Builder(findings)
    try:
        documents = _build(yaml.CSafeLoader(data), builder)
    except yaml.YAMLError as error:
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
    if text in _WORDS:
        return _WORDS[text]
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


def _build(source: yaml.CSafeLoader, builder: _Builder) -> list[object]:
    """Return the values of all documents.

    A stack of open containers runs over the events. All the time of loading goes here, so the
    common cases stand in this one loop and the rare ones in the builder.
    """
    get_event, scalars, anchors = source.get_event, _Scalars(), builder.anchors
    documents: list[object] = []
    mapping: dict[str, object] | None = None  # the open container when it is a mapping
    sequence: list[object] = documents  # the open container when it is a sequence
    key: str | None = None  # of the member of the mapping whose value comes next
    anchor: str | None = None  # of the open container
    stack: list[tuple[dict[str, object] | None, list[object], str | None, str | None]] = []
    while True:
        event = get_event()
        if type(event) is ScalarEvent:
            text = event.value
            if mapping is not None and key is None:
                key = builder.merge_key(mapping, event) if text == "<<" else text
                if key in mapping:
                    builder.duplicates = True
                if event.anchor is not None:
                    anchors[event.anchor] = (text, 1, text)
                continue
            plain, quoted = event.implicit
            value = scalars[text] if plain else text if quoted else builder.tagged(event)
            if event.anchor is not None:
                anchors[event.anchor] = (value, 1, text)
        elif type(event) is MappingStartEvent or type(event) is SequenceStartEvent:
            if mapping is not None and key is None:
                raise Broken("complex-key", "a key is a scalar, not a collection", mark(event))
            stack.append((mapping, sequence, key, anchor))
            if len(stack) > MAX_DEPTH:
                raise too_deep(mark(event))
            builder.start(event)
            mapping, sequence = ({}, []) if type(event) is MappingStartEvent else (None, [])
            key, anchor = None, event.anchor
            continue
        elif type(event) is MappingEndEvent or type(event) is SequenceEndEvent:
            value = sequence if mapping is None else mapping
            builder.close(value, anchor)
            mapping, sequence, key, anchor = stack.pop()
        elif type(event) is AliasEvent:
            value, spelled = builder.alias(event)
            if mapping is not None and key is None:
                key = builder.alias_key(spelled, event)
                builder.duplicates |= key in mapping
                continue
        elif type(event) is StreamEndEvent:
            return documents
        else:
            if type(event) is DocumentStartEvent:
                builder.starts.append(mark(event))
            continue
        if mapping is None:
            sequence.append(value)
        elif key is not None:
            mapping[key] = value
            key = None


class _Builder:
    """The rare parts of building values, beside the loop of ``_build``."""

    def __init__(self, findings: list[Finding]) -> None:
        self.findings = findings
        # The value of each anchor, how many values it amounts to, its text when it is a scalar.
        self.anchors: dict[str, tuple[object, int, str | None]] = {}
        self.open: dict[str, int] = {}
        self.merging: dict[int, Mark] = {}
        self.starts: list[Mark] = []
        self.last_alias = Mark(1, 1)
        self.built = 0
        self.aliased = 0
        self.duplicates = False

    def start(self, event: MappingStartEvent | SequenceStartEvent) -> None:
        """Note the anchor and the tag of a container that begins."""
        if event.anchor is not None:
            self.open[event.anchor] = self.built
        if event.tag is not None and event.tag not in ("!", _TAG + "map", _TAG + "seq"):
            self.unknown_tag(event)

    def close(self, container: dict[str, object] | list[object], anchor: str | None) -> None:
        """Count a finished container, merge what its ``<<`` names, and make its anchor usable."""
        if type(container) is dict and _MERGE in container:
            self._merge(container)
        self.built += len(container)
        if anchor is not None:
            size = self.built - self.open.pop(anchor, 0)
            self.anchors[anchor] = (container, size, None)

    def _merge(self, mapping: dict[str, object]) -> None:
        """Put the members of the merged mappings first; the mapping's own members prevail."""
        merged = mapping.pop(_MERGE)
        place = self.merging.pop(id(mapping))
        own = dict(mapping)
        mapping.clear()
        for source in reversed(merged) if is_list(merged) else (merged,):
            if not is_mapping(source):
                message = "the merge key '<<' takes a mapping or a list of mappings"
                raise Broken("invalid-merge", message, place)
            mapping.update(source)
        mapping.update(own)
        self._spend(len(mapping) - len(own), place)

    def merge_key(self, mapping: dict[str, object], event: ScalarEvent) -> str:
        """Return the key to keep what ``<<`` names under until the mapping is complete."""
        if not event.implicit[0]:
            return "<<"  # quoted, so an ordinary key
        self.merging[id(mapping)] = mark(event)
        return _MERGE

    def alias(self, event: AliasEvent) -> tuple[object, str | None]:
        """Return the value that an alias stands for, and its text when it is a scalar."""
        name = event.anchor or ""
        if name in self.open:
            message = f"'*{name}' stands for a value that contains it"
            raise Broken("alias-cycle", message, mark(event))
        if name not in self.anchors:
            message = f"'*{name}' stands for nothing: no '&{name}' precedes it"
            raise Broken("unknown-alias", message, mark(event))
        value, size, text = self.anchors[name]
        self.built += size
        self.last_alias = mark(event)
        self._spend(size, self.last_alias)
        return value, text

    def alias_key(self, text: str | None, event: AliasEvent) -> str:
        """Return the key that an alias stands for."""
        if text is None:
            raise Broken("complex-key", "a key is a scalar, not a collection", mark(event))
        return text

    def _spend(self, size: int, place: Mark) -> None:
        """Refuse a document whose aliases stand for far more than it holds."""
        self.aliased += size
        if self.aliased > MAX_ALIASED:
            message = f"the aliases of this document stand for more than {MAX_ALIASED:,} values"
            raise Broken("alias-bomb", message, place)

    def tagged(self, event: ScalarEvent) -> object:
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
                self.unknown_tag(event)
                return text if event.style else value

    def unknown_tag(self, event: ScalarEvent | MappingStartEvent | SequenceStartEvent) -> None:
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
