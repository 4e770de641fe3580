"""OpenAPI Overlay 1.0 and 1.1: changes to a description that lie in documents of their own.

An action selects nodes by JSONPath (RFC 9535). ``update`` merges: mappings member by member,
lists by appending, anything else by replacing. ``copy`` does the same with a node of the
description. ``remove`` removes.
"""

from __future__ import annotations

import re
from typing import Final

from jsonpath import JSONPathEnvironment
from jsonpath.exceptions import JSONPathError

from specloom.description.tree import Path, Tree
from specloom.description.values import is_list, is_mapping
from specloom.diagnostics import Origin, Report

_FIELDS: Final = frozenset({"target", "description", "update", "remove", "copy"})
_VERSION: Final = re.compile(r"1\.\d+\.\d+(-.*)?")
_PATHS: Final = JSONPathEnvironment(strict=True)


def apply(overlay: object, origin: Origin, tree: Tree, report: Report) -> None:
    """Apply the actions of the overlay document at ``origin`` to ``tree``, in their order."""
    if not is_mapping(overlay):
        report.error("invalid-overlay", "an overlay is a mapping", origin)
        return
    version = overlay.get("overlay")
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        message = "an overlay states the version of its language, such as 'overlay: 1.0.0'"
        report.error("invalid-overlay", message, origin / "overlay")
    actions = overlay.get("actions")
    if not is_list(actions) or not actions:
        message = "an overlay has a list of 'actions', at least one"
        report.error("invalid-overlay", message, origin / "actions")
        return
    for index, action in enumerate(actions):
        _act(action, origin / "actions" / index, tree, report)


def _act(action: object, origin: Origin, tree: Tree, report: Report) -> None:
    """Apply one action to every node that it selects."""
    if not is_mapping(action) or not isinstance(target := action.get("target"), str):
        message = "an action is a mapping with a 'target', which is a JSONPath"
        report.error("invalid-overlay", message, origin)
        return
    for unknown in [key for key in action if key not in _FIELDS and not key.startswith("x-")]:
        message = f"an action has no field '{unknown}', so it does nothing"
        report.warning("invalid-overlay", message, origin / unknown)
    paths = _select(target, origin / "target", tree, report)
    if paths is None:
        return
    if not paths:
        message = f"the target {target} matches nothing"
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
        matches = list(_PATHS.finditer(path, tree.root))
    except JSONPathError as error:
        reason = str(error).partition("\n")[0]
        message = f"{path} is no JSONPath of RFC 9535: {reason}"
        report.error("invalid-overlay", message, origin)
        return None
    return list(dict.fromkeys(tuple(map(str, match.parts)) for match in matches))


def _copy(paths: list[Path], source: object, origin: Origin, tree: Tree, report: Report) -> None:
    """Merge the one node that the JSONPath ``source`` selects into each target."""
    selected = _select(str(source), origin / "copy", tree, report)
    if selected is None:
        return
    if len(selected) != 1:
        message = f"'copy' takes a JSONPath that selects one node, and {source} selects"
        report.error("invalid-overlay", f"{message} {len(selected)}", origin / "copy")
        return
    value, written = tree.find(selected[0])
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
