"""Checks of our own: mistakes that the schemas of OpenAPI and its validators do not see."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from specloom.description.anatomy import METHODS, Part, target
from specloom.description.description import Description
from specloom.description.path_matches import Overlaps, same
from specloom.description.values import children, is_list, is_mapping
from specloom.diagnostics import Origin, Report

Found = tuple[str, str, Origin]
_VARIABLE: Final = re.compile(r"\{([^{}]*)\}")


def check(description: Description, parts: Sequence[Part]) -> Iterator[Found]:
    """Yield the code, the sentence and the place of every finding; ``parts`` are all objects."""
    yield from _ambiguous_paths(description)
    yield from _unused_path_parameters(description)
    yield from _undeclared_tags(description, parts)
    for part in parts:
        yield from _reference(part, description)
        if part.kind == "schema" and "discriminator" in part.value:
            yield from _discriminator(part, description)


def _reference(part: Part, description: Description) -> Iterator[Found]:
    """Find a reference that leads nowhere or in a circle, also in what no client has."""
    last, origin = target(description, part.value, part.origin)
    ref = last.get("$ref") if is_mapping(last) else None
    if isinstance(ref, str):
        report = Report()
        if description.target(ref, origin / "$ref", report) is not None:
            message = "this reference leads to references only, in a circle"
            report.warning("circular-reference", message, origin / "$ref")
        yield from ((found.code, found.message, found.origin) for found in report.diagnostics)


def _paths(description: Description) -> Iterator[tuple[str, Part, Origin]]:
    """Yield the paths, each with its item and the place of its key."""
    origin = Origin(description.entry) / "paths"
    for path, written, key in children(description.value.get("paths"), origin):
        item, at = target(description, written, key)
        if not path.startswith("x-") and is_mapping(item):
            yield path, Part("path item", item, at), key


def _ambiguous_paths(description: Description) -> Iterator[Found]:
    """Find paths that one request can fit (OpenAPI, Paths Object, path templating matching)."""
    overlaps = Overlaps()
    methods: dict[str, set[str]] = {}
    places: dict[str, Origin] = {}
    crossing: dict[str, dict[str, str]] = defaultdict(dict)  # two paths and a method of both
    for path, item, origin in _paths(description):
        methods[path] = {method for method in METHODS if method in item.value}
        places[path] = origin
        for other in overlaps.add(path):
            if same(path, other):
                message = f"the path differs from '{other}' in the names of its variables only"
                yield "ambiguous-path", message, origin
            elif shared := sorted(methods[path] & methods[other]):
                crossing[path][other] = crossing[other][path] = shared[0].upper()
    while pairs := {path: others for path, others in crossing.items() if others}:
        # Often one path is the reason for many pairs; it is named, and they are not.
        path = max(pairs, key=lambda one: len(pairs[one]))
        others = crossing.pop(path)
        for other in others:
            del crossing[other][path]
        other, method = next(iter(others.items()))
        more = f", or one of {len(others) - 1:,} more" if len(others) > 1 else ""
        message = f"a {method} request for this path can also fit '{other}'{more}"
        yield "ambiguous-path", message, places[path]


def _unused_path_parameters(description: Description) -> Iterator[Found]:
    """Find path parameters that stand in no path (OpenAPI, Parameter Object, ``in``)."""
    for path, item, _ in _paths(description):
        names = set(_VARIABLE.findall(path))
        holders: list[tuple[object, Origin]] = [(item.value, item.origin)]
        for method in METHODS:
            operation = item.value.get(method)
            holders.append(target(description, operation, item.origin / method))
        for holder, place in holders:
            listed = holder.get("parameters") if is_mapping(holder) else None
            for _, value, origin in children(listed, place / "parameters"):
                parameter, _ = target(description, value, origin)
                if not is_mapping(parameter) or parameter.get("in") != "path":
                    continue
                if isinstance(name := parameter.get("name"), str) and name not in names:
                    message = f"the path '{path}' has no {{{name}}} for this parameter to fill"
                    yield "unused-path-parameter", message, origin


def _undeclared_tags(description: Description, parts: Sequence[Part]) -> Iterator[Found]:
    """Find tags of operations that the list of tags, if there is one, does not have."""
    listed = description.value.get("tags")
    if not is_list(listed) or not listed:
        return
    declared = [tag.get("name") for tag in listed if is_mapping(tag)]
    places: dict[str, list[Origin]] = defaultdict(list)
    for part in parts:
        if part.kind == "operation":
            for _, tag, origin in children(part.value.get("tags"), part.origin / "tags"):
                if isinstance(tag, str) and tag not in declared:
                    places[tag].append(origin)
    for tag, origins in places.items():
        more = f" and {len(origins) - 1:,} more" if len(origins) > 1 else ""
        message = f"the tag '{tag}' of this operation{more} is not in the list of tags"
        yield "undeclared-tag", message, origins[0]


def _discriminator(part: Part, description: Description) -> Iterator[Found]:
    """Find a discriminator whose property none of the schemas has that it tells apart."""
    stated = part.value["discriminator"]
    name = stated.get("propertyName") if is_mapping(stated) else None
    if not isinstance(name, str):
        return
    properties: set[str] = set()
    seen: set[Origin] = set()
    waiting: list[tuple[object, Origin]] = [(part.value, part.origin)]
    while waiting:
        schema, origin = target(description, *waiting.pop())
        if not is_mapping(schema) or origin in seen:
            continue
        seen.add(origin)
        declared = schema.get("properties")
        properties |= set(declared) if is_mapping(declared) else set()
        for keyword in ("allOf", "anyOf", "oneOf"):
            if is_list(branches := schema.get(keyword)):
                waiting += [(b, at) for _, b, at in children(branches, origin / keyword)]
    if name not in properties:
        message = f"no schema that the discriminator tells apart has the property '{name}'"
        yield "discriminator-property", message, part.origin / "discriminator" / "propertyName"
