"""What extensions of other tools say of pages, in the words of our own."""

from __future__ import annotations

from collections.abc import Mapping

from .nodes import Node, is_node, items, node

EXTENSIONS = (
    "x-specloom-pagination",
    "x-fern-pagination",
    "x-speakeasy-pagination",
    "x-ms-pageable",
)
"""The extensions of an operation that say how its answers lead on, the first one counting."""


class Unclear(Exception):
    """What is said does not fit; the text says why."""


def plain(extension: str, stated: object) -> Node | None:
    """Return what an extension says as ``x-specloom-pagination`` does; None if it says nothing.

    Raises ``Unclear`` where that cannot be told.
    """
    if stated is None or stated is False:
        return None
    if not is_node(stated):
        raise Unclear("the settings of pages are an object")
    match extension:
        case "x-fern-pagination":
            return _fern(node(stated))
        case "x-speakeasy-pagination":
            return _speakeasy(node(stated))
        case "x-ms-pageable":
            return _microsoft(node(stated))
        case _:
            return node(stated)


def _fern(stated: Node) -> Node:
    """Read ``{cursor: $request.after, next_cursor: $response.next, results: $response.data}``."""
    results = _property(stated.get("results"), "$response.")
    if "next_cursor" in stated:
        after = _property(stated.get("cursor"), "$request.")
        taken = _property(stated["next_cursor"], "$response.")
        return {"items": results, "cursor": after, "next": taken}
    if "offset" in stated:
        sent = _property(stated["offset"], "$request.")
        # Counts items where a step is given, and pages otherwise.
        return {"items": results, "offset" if "step" in stated else "page": sent}
    raise Unclear("'cursor' with 'next_cursor', or 'offset', says how pages lead on")


def _property(value: object, prefix: str) -> str:
    if not isinstance(value, str) or not value.startswith(prefix):
        raise Unclear(f"{value!r} is to begin with {prefix!r}")
    return value.removeprefix(prefix)


def _speakeasy(stated: Node) -> Node:
    """Read ``{type: cursor, inputs: [{name: after}], outputs: {results: $.data, ...}}``."""
    outputs = {key: _json_path(value) for key, value in node(stated.get("outputs")).items()}
    inputs: Mapping[object, object] = {
        node(one).get("type"): node(one).get("name") for one in items(stated.get("inputs"))
    }
    results = outputs.get("results", "")
    match stated.get("type"):
        case "cursor" if "nextCursor" in outputs:
            return {"items": results, "cursor": inputs.get("cursor"), "next": outputs["nextCursor"]}
        case "url" if "nextUrl" in outputs:
            return {"items": results, "url": outputs["nextUrl"]}
        case "offsetLimit" if "offset" in inputs:
            return {"items": results, "offset": inputs["offset"]}
        case "offsetLimit" if "page" in inputs:
            last = {"last": outputs["numPages"]} if "numPages" in outputs else {}
            return {"items": results, "page": inputs["page"], **last}
        case kind:
            raise Unclear(f"pages of the type {kind!r} with these inputs and outputs are not known")


def _json_path(value: object) -> str:
    """Return a path such as ``$.meta.next`` without its root."""
    text = value if isinstance(value, str) else ""
    if not text.startswith("$") or set("[]*?@") & set(text):
        raise Unclear(f"{value!r} is no plain path such as '$.meta.next'")
    return text.removeprefix("$").removeprefix(".")


def _microsoft(stated: Node) -> Node | None:
    """Read ``{nextLinkName: nextLink, itemName: value}``; without a link there is one page."""
    link = stated.get("nextLinkName")
    if link is None:
        return None
    return {"items": stated.get("itemName", "value"), "url": link}
