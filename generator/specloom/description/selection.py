"""Partial use of a description: operations that are chosen, and what they need."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, cast
from urllib.parse import quote

from specloom.description import refs
from specloom.description.anatomy import METHODS, target
from specloom.description.description import Description
from specloom.description.tree import Path, Tree
from specloom.description.values import children, is_list, is_mapping
from specloom.diagnostics import Origin

_GLOB: Final = re.compile(r"\*\*|\*|\?")
_WILD: Final = {"**": ".*", "*": "[^/]*", "?": "[^/]"}
# Reusable parts that are left out when nothing refers to them. Security schemes are named instead.
_PRUNED: Final = (
    *(("components", name) for name in ("schemas", "parameters", "responses", "requestBodies")),
    *(("components", name) for name in ("headers", "examples", "links", "callbacks")),
    *(("components", name) for name in ("pathItems", "mediaTypes")),
    *((name,) for name in ("definitions", "parameters", "responses")),
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to name operations: ``table`` and ``key`` say where, ``index`` which in the list."""

    table: Literal["include", "exclude"]
    key: Literal["tags", "paths", "operations"]
    index: int
    value: str

    def matches(self, path: str | None, operation: dict[str, object]) -> bool:
        """Return whether an operation is named; ``path`` is None for a webhook."""
        match self.key:
            case "tags":
                tags = operation.get("tags")
                return is_list(tags) and self.value in tags
            case "paths":
                return path is not None and _glob(self.value).fullmatch(path) is not None
            case "operations":
                return operation.get("operationId") == self.value


@dataclass(slots=True)
class Selection:
    """Which operations of a description are used.

    Where there are rules to include operations, only those are used that one of them names; those
    that a rule to exclude names are not. ``used`` has the rules that have named anything, and
    ``is_empty`` says that they have left nothing.
    """

    rules: tuple[Rule, ...]
    used: set[Rule] = field(default_factory=set[Rule])
    is_empty: bool = True

    def __str__(self) -> str:
        return " ".join(f"{r.table}.{r.key}={r.value!r}" for r in self.rules)

    def takes(self, path: str | None, operation: dict[str, object]) -> bool:
        """Return whether an operation is used."""
        named = [rule for rule in self.rules if rule.matches(path, operation)]
        self.used.update(named)
        tables = {rule.table for rule in named}
        included = "include" in tables or all(rule.table != "include" for rule in self.rules)
        taken = included and "exclude" not in tables
        self.is_empty = self.is_empty and not taken
        return taken


def select(description: Description, tree: Tree, selection: Selection) -> None:
    """Remove from ``tree``, the root of the description, the operations that are not used."""
    reduced: list[_Reduction] = []
    for section in ("paths", "webhooks"):
        items = children(description.value.get(section), Origin(description.entry) / section)
        for name, written, origin in items:
            item, at = target(description, written, origin)
            if not is_mapping(item) or name.startswith("x-"):
                continue
            path = name if section == "paths" else None
            own = written if is_mapping(written) and at != origin else {}
            taken = list(_taken(item, at, path, description, selection))
            beside = list(_taken(own, origin, path, description, selection))
            reduced.append(_Reduction((section, name), item, at, taken, own, beside))
    for reduction in reduced:
        reduction.apply(description.entry, tree)


def prune(description: Description, tree: Tree) -> None:
    """Remove from ``tree``, the root of the description, the reusable parts that nothing needs."""
    needed = _Needed(description)
    sections = [(path, _at(description.value, path)) for path in _PRUNED]
    tree.remove(
        [(*path, name) for path, held in sections for name in held if (*path, name) not in needed]
    )


def _taken(
    item: dict[str, object],
    at: Origin,
    path: str | None,
    description: Description,
    selection: Selection,
) -> Iterator[Path]:
    """Yield where in a path item the operations are that are used."""
    for way in _operations(item):
        origin, value = at, cast(object, item)
        for token in way:
            origin, value = origin / token, value.get(token) if is_mapping(value) else None
        operation, _ = target(description, value, origin)
        if is_mapping(operation) and selection.takes(path, operation):
            yield way


def _operations(item: dict[str, object]) -> list[Path]:
    """Return where in a path item operations are."""
    more = item.get("additionalOperations")
    others = list(more) if is_mapping(more) else []
    named: list[Path] = [("additionalOperations", name) for name in others]
    return [*((method,) for method in METHODS if method in item), *named]


@dataclass(frozen=True, slots=True)
class _Reduction:
    """A path item of which only some operations stay.

    ``place`` is where it stands and ``item`` what it is, which is written at ``at``. Where it is
    a reference, ``own`` is what stands there, maybe with operations beside the reference.
    """

    place: Path
    item: dict[str, object]
    at: Origin
    taken: list[Path]
    own: dict[str, object]
    beside: list[Path]

    def apply(self, entry: str, tree: Tree) -> None:
        """Leave only the operations that were taken in the root of the description ``entry``."""
        nearer = _operations(self.own)
        taken = [way for way in self.taken if way not in nearer]
        if not taken and not self.beside:
            tree.remove([self.place])
            return
        tree.remove([(*self.place, *way) for way in nearer if way not in self.beside])
        dropped = [way for way in _operations(self.item) if way not in (*taken, *self.beside)]
        if not self.own:
            tree.remove([(*self.place, *way) for way in dropped])
        elif dropped:
            # What others refer to as well stays; this path refers to its parts.
            tree.remove([(*self.place, "$ref")])
            tree.merge(self.place, self._referring(taken, entry), self.at)

    def _referring(self, taken: list[Path], entry: str) -> dict[str, object]:
        """Return a path item that has operations and parameters of another by reference."""

        def refer(origin: Origin) -> dict[str, object]:
            return {"$ref": refs.respell(f"#{quote(origin.pointer)}", self.at.uri, entry)}

        kept: dict[str, object] = {}
        for key, value in self.item.items():
            at = self.at / key
            if (key,) in taken:
                kept[key] = refer(at)
            elif key == "parameters" and is_list(value):
                kept[key] = [refer(at / index) for index in range(len(value))]
            elif key == "additionalOperations" and is_mapping(value):
                kept[key] = {name: refer(at / name) for name in value if (key, name) in taken}
            elif key not in METHODS and key not in self.own:
                kept[key] = value
        return kept


class _Needed:
    """The reusable parts that the rest of a description refers to, directly or through others."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._entry = description.entry
        self._schemas = next(
            path
            for path in (("components", "schemas"), ("definitions",))
            if _at(description.value, path) or path == ("definitions",)
        )
        self._found: set[Path] = set()
        self._seen: set[Origin] = set()
        self._waiting: list[tuple[object, Origin]] = []
        self._heirs = self._find_heirs()
        self._scan_rest()
        while self._waiting:
            self._scan(*self._waiting.pop())

    def __contains__(self, part: Path) -> bool:
        return part in self._found

    def _scan_rest(self) -> None:
        """Begin with what is no reusable part."""
        sections = {path[0] for path in _PRUNED}
        root = Origin(self._entry)
        for key, value, origin in children(self._description.value, root):
            if key not in sections:
                self._waiting.append((value, origin))
        components = self._description.value.get("components")
        for key, value, origin in children(components, root / "components"):
            if ("components", key) not in _PRUNED:
                self._waiting.append((value, origin))

    def _find_heirs(self) -> dict[Origin, list[Path]]:
        """Return the schemas that extend a schema by ``allOf``: its discriminator leads to them."""
        heirs: dict[Origin, list[Path]] = {}
        schemas = _at(self._description.value, self._schemas)
        for name, value in schemas.items():
            branches = value.get("allOf") if is_mapping(value) else None
            at = Origin(self._entry, refs.pointer((*self._schemas, name))) / "allOf"
            for _, branch, origin in children(branches, at):
                ref = branch.get("$ref") if is_mapping(branch) else None
                found = self._description.resolve(ref, origin) if isinstance(ref, str) else None
                if found is not None:
                    heirs.setdefault(found, []).append((*self._schemas, name))
        return heirs

    def _scan(self, value: object, origin: Origin) -> None:
        """Follow the references in a value."""
        if is_mapping(value):
            for keyword in ("$ref", "$dynamicRef"):
                if isinstance(ref := value.get(keyword), str):
                    self._follow(self._description.resolve(ref, origin))
            if is_mapping(stated := value.get("discriminator")):
                for named in (*_values(stated.get("mapping")), stated.get("defaultMapping")):
                    if not isinstance(named, str):
                        continue
                    self._need((*self._schemas, named))
                    self._follow(self._description.resolve(named, origin))
                for heir in self._heirs.get(origin, ()):
                    self._need(heir)
        self._waiting += [(child, at) for _, child, at in children(value, origin)]

    def _follow(self, found: Origin | None) -> None:
        """Need what a reference leads to."""
        if found is None:
            return
        tokens = found.tokens
        for path in _PRUNED:
            if found.uri == self._entry and tokens[: len(path)] == path and len(tokens) > len(path):
                self._need(tokens[: len(path) + 1])
                return
        if found not in self._seen:
            self._seen.add(found)
            self._waiting.append((self._description.lookup(found), found))

    def _need(self, part: Path) -> None:
        """Need a reusable part, if there is one of that name."""
        held = _at(self._description.value, part[:-1])
        if part not in self._found and part[-1] in held:
            self._found.add(part)
            self._waiting.append((held[part[-1]], Origin(self._entry, refs.pointer(part))))


def _at(value: object, path: Path) -> dict[str, object]:
    """Return the mapping at a path, or an empty one."""
    for token in path:
        value = value.get(token) if is_mapping(value) else None
    return value if is_mapping(value) else {}


def _values(mapping: object) -> Iterator[str]:
    """Yield the values of a mapping that are texts."""
    if is_mapping(mapping):
        yield from (value for value in mapping.values() if isinstance(value, str))


def _glob(pattern: str) -> re.Pattern[str]:
    """Return a glob as a regular expression: ``*`` stays within a segment, ``**`` does not."""
    regex, at = "", 0
    for wild in _GLOB.finditer(pattern):
        regex += re.escape(pattern[at : wild.start()]) + _WILD[wild[0]]
        at = wild.end()
    return re.compile(regex + re.escape(pattern[at:]), re.DOTALL)
