"""OpenAPI Overlay 1.0 and 1.1: changes to a description that lie in documents of their own.

An action selects nodes by JSONPath (RFC 9535). ``update`` merges: mappings member by member,
lists by appending, anything else by replacing. ``copy`` does the same with a node of the
description. ``remove`` removes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from typing import Final

from jsonpath import JSONPath, JSONPathEnvironment
from jsonpath.exceptions import JSONPathError

from specloom.description import refs
from specloom.description.document import Document
from specloom.description.sentences import shown
from specloom.description.text import MAX_DEPTH, TooDeep, check_depth
from specloom.description.tree import Path, TooLarge, Tree
from specloom.description.values import is_list, is_mapping
from specloom.diagnostics import Origin, Report

_FIELDS: Final = frozenset({"target", "description", "update", "remove", "copy"})
_ROOT_FIELDS: Final = frozenset({"overlay", "info", "extends", "actions"})
_VERSION: Final = re.compile(r"1\.(\d+)(\.\d+)?(-.*)?")
_PATHS: Final = JSONPathEnvironment(strict=True)
_MOST: Final = 200_000
"""How many nodes one JSONPath may select: more than any real description has to change."""


def apply(patch: Document, tree: Tree, canonical: Callable[[str], str], report: Report) -> None:
    """Apply the actions of an overlay document to ``tree``, in their order.

    ``canonical`` returns the one URI of a document that several may stand for.
    """
    overlay, origin = patch.value, Origin(patch.uri)
    if not is_mapping(overlay):
        report.error("invalid-overlay", "an overlay is a mapping", origin)
        return
    for unknown in [key for key in overlay if key not in _ROOT_FIELDS and key[:2] != "x-"]:
        message = f"an overlay has no field '{unknown}', so it does nothing"
        report.warning("invalid-overlay", message, origin / unknown)
    minor = _minor_version(patch, origin, report)
    _check_extends(overlay, origin, tree, canonical, report)
    actions = overlay.get("actions")
    if not is_list(actions) or not actions:
        message = "an overlay has a list of 'actions', at least one"
        report.error("invalid-overlay", message, origin / "actions")
        return
    copies = [i for i, action in enumerate(actions) if is_mapping(action) and "copy" in action]
    if minor == 0 and copies:
        message = "'copy' is an action of version 1.1, and is understood all the same"
        report.warning("invalid-overlay", message, origin / "actions" / copies[0] / "copy")
    for index, action in enumerate(actions):
        _act(action, origin / "actions" / index, tree, report)
    try:
        check_depth(tree.root)
    except TooDeep:
        message = f"this overlay nests the description in more than {MAX_DEPTH} levels"
        raise report.fatal("nested-too-deep", message, origin) from None


def _minor_version(patch: Document, origin: Origin, report: Report) -> int:
    """Return the second number of the version of an overlay, which is 1 when it has none."""
    version = patch.marks.text(("overlay",)) or ""
    match = _VERSION.fullmatch(version)
    if match is None:
        message = "an overlay states the version of its language, such as 'overlay: 1.0.0'"
        report.error("invalid-overlay", message, origin / "overlay")
        return 1
    if int(match[1]) > 1:
        message = f"version {version} of overlays is not known and is read as if it were 1.1"
        report.warning("unknown-version", message, origin / "overlay")
    return int(match[1])


def _check_extends(
    overlay: dict[str, object],
    origin: Origin,
    tree: Tree,
    canonical: Callable[[str], str],
    report: Report,
) -> None:
    """Report an overlay that says that it is for another description."""
    if "extends" not in overlay:
        return
    extends, at = overlay["extends"], origin / "extends"
    if not isinstance(extends, str):
        report.error("invalid-overlay", "'extends' is the URI of a description", at)
        return
    uri = refs.target(extends, origin.uri).uri
    own = tree.root.get("$self")
    known = [tree.origin.uri, own] if isinstance(own, str) else [tree.origin.uri]
    if refs.is_remote(uri) and len(known) == 1:
        return  # where the description is published, only it could say
    if canonical(uri) not in known:
        message = f"this overlay extends '{extends}' and is applied to '{tree.origin.uri}'"
        report.warning("overlay-of-another", message, at)


def _act(action: object, origin: Origin, tree: Tree, report: Report) -> None:
    """Apply one action to every node that it selects."""
    if not is_mapping(action) or not isinstance(target := action.get("target"), str):
        message = "an action is a mapping with a 'target', which is a JSONPath"
        report.error("invalid-overlay", message, origin)
        return
    for unknown in [key for key in action if key not in _FIELDS and not key.startswith("x-")]:
        message = f"an action has no field '{unknown}', so it does nothing"
        report.warning("invalid-overlay", message, origin / unknown)
    if not isinstance(action.get("remove", False), bool):
        report.error("invalid-overlay", "'remove' is true or false", origin / "remove")
        return
    paths = _select(target, origin / "target", tree, report)
    if paths is None:
        return
    if not paths:
        message = f"the target {target} matches nothing{_hint(target, tree)}"
        report.warning("overlay-without-match", message, origin / "target")
    elif action.get("remove") is True:
        if () in paths:
            report.error("invalid-overlay", "the root cannot be removed", origin / "target")
        tree.remove([path for path in paths if path])
    elif "update" in action:
        _merge(paths, action["update"], origin / "update", origin, tree, report)
    elif "copy" in action:
        _copy(paths, action["copy"], origin, tree, report)
    elif "remove" not in action:
        message = "an action has one of 'update', 'remove' and 'copy'"
        report.error("invalid-overlay", message, origin)


def _select(path: str, origin: Origin, tree: Tree, report: Report) -> list[Path] | None:
    """Return the paths of the nodes that a JSONPath selects; None, with a report, if it is none."""
    try:
        matches = list(islice(_PATHS.finditer(path, tree.root), _MOST + 1))
    except (JSONPathError, ArithmeticError, RecursionError, ValueError) as error:
        reason = str(error.args[0]) if error.args else type(error).__name__
        message = f"{path} is no JSONPath of RFC 9535: {reason}"
        report.error("invalid-overlay", message, origin)
        return None
    if len(matches) > _MOST:
        message = f"{path} selects more than {_MOST:,} nodes"
        report.error("invalid-overlay", message, origin)
        return None
    return list(dict.fromkeys(tuple(map(str, match.parts)) for match in matches))


def _hint(path: str, tree: Tree) -> str:
    """Return what to target instead where a reference lies on the way."""
    query = _PATHS.compile(path)
    if not isinstance(query, JSONPath):
        return ""
    for end in range(len(query.segments) - 1, 0, -1):
        way = JSONPath(env=_PATHS, segments=query.segments[:end])
        node = next((match.obj for match in way.finditer(tree.root)), None)
        if is_mapping(node) and "$ref" in node:
            return f"; {way} is a reference, so target what it leads to: {shown(node['$ref'])}"
        if node is not None:
            break
    return ""


def _copy(paths: list[Path], source: object, origin: Origin, tree: Tree, report: Report) -> None:
    """Merge the one node that the JSONPath ``source`` selects into each target."""
    selected = _select(str(source), origin / "copy", tree, report)
    if selected is None:
        return
    if len(selected) != 1:
        message = f"'copy' takes a JSONPath that selects one node, and {source} selects"
        report.error("invalid-overlay", f"{message} {len(selected)}", origin / "copy")
        return
    try:
        value, written = tree.copied(selected[0])
    except TooLarge:
        message = "the copies of this overlay have more values than a description can have"
        raise report.fatal("overlay-bomb", message, origin / "copy") from None
    _merge(paths, value, written, origin, tree, report)


def _merge(
    paths: list[Path], value: object, written: Origin, origin: Origin, tree: Tree, report: Report
) -> None:
    """Merge a value, which is written at ``written``, into each target."""
    for path in paths:
        node, place = tree.find(path)
        if is_mapping(node) and not is_mapping(value):
            message = "the target is a mapping, so only a mapping can be merged into it"
            report.error("invalid-overlay", message, origin, place)
        else:
            tree.merge(path, value, written)
