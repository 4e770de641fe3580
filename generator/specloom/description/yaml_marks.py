"""Where the parts of a YAML document stand; worked out only when somebody asks."""

from __future__ import annotations

import yaml
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

from specloom.description.marks import Marks, Trail
from specloom.description.text import Mark


def mark(event: yaml.Event) -> Mark:
    """Return where an event starts."""
    start = event.start_mark
    return Mark(1, 1) if start is None else Mark(start.line + 1, start.column + 1)


def marks(data: bytes) -> Marks:
    """Return the marks of the first document in ``data``, which ``yaml12.parse`` has accepted."""
    trail = Trail()
    found = trail.marks
    anchors: dict[str, str] = {}  # the pointer of what each anchor names
    texts: dict[str, str] = {}  # of anchored scalars, which may be keys elsewhere
    documents = 0
    get_event = yaml.CSafeLoader(data).get_event
    while type(event := get_event()) is not StreamEndEvent:
        match event:
            case DocumentStartEvent():
                documents += 1
                if documents > 1:
                    break
            case MappingEndEvent() | SequenceEndEvent():
                trail.close()
            case ScalarEvent() if trail.takes_key:
                trail.key(event.value, mark(event))
                if event.anchor is not None:
                    texts[event.anchor] = event.value
            case AliasEvent() if trail.takes_key:
                trail.key(texts[event.anchor or ""], mark(event))
            case ScalarEvent():
                pointer = trail.value(mark(event))
                found.texts[pointer] = event.value
                if event.anchor is not None:
                    anchors[event.anchor] = pointer
                    texts[event.anchor] = event.value
            case AliasEvent():
                pointer = trail.value(mark(event))
                found.links[pointer] = anchors.get(event.anchor or "", pointer)
            case MappingStartEvent() | SequenceStartEvent():
                pointer = trail.value(mark(event))
                if event.anchor is not None:
                    anchors[event.anchor] = pointer
                trail.open(pointer, mapping=type(event) is MappingStartEvent)
            case _:
                pass
    return found
