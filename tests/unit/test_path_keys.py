"""Keys of paths: what is a path, what a query, what only a name."""

from __future__ import annotations

import pytest

from specloom import ir
from specloom.diagnostics import Origin
from specloom.lower.path_keys import PathKey
from specloom.python.routes import route


@pytest.mark.parametrize(
    ("key", "sent", "asked", "fragment"),
    [
        ("/a/{b}", "/a/{b}", (), None),
        ("/a?x=1", "/a?x=1", (), None),
        ("/a?x=1&y={z}&w", "/a?x=1&w", (("z", "y"),), None),
        ("/a?y={z}", "/a", (("z", "y"),), None),
        ("/a#b", "/a", (), "b"),
        ("/a?x=1#b", "/a?x=1", (), "b"),
        ("/a{?q,limit*}", "/a", (("q", "q"), ("limit", "limit")), None),
        ("/a?x=1{&q}", "/a?x=1", (("q", "q"),), None),
        ("/a#", "/a", (), None),
        ("a", "/a", (), None),
        ("/a/../b?x=1", "/b?x=1", (), None),
    ],
)
def test_taken_apart(
    key: str, sent: str, asked: tuple[tuple[str, str], ...], fragment: str | None
) -> None:
    made = PathKey.of(key)
    assert (made.sent, made.asked, made.fragment) == (sent, asked, fragment)


def routed(method: str, path: str, variant: str | None = None) -> str:
    """Return where an operation hangs by its path, as users write it."""
    operation = ir.Operation(None, method, path, Origin("a.yaml"), variant=variant)
    chain, name = route(operation, "paths", False)
    return ".".join((*chain, name))


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("GET", "/files/{id}", "files.retrieve"),
        ("GET", "/files/{id}.json", "files.retrieve"),
        ("GET", "/files.json", "files.list"),
        ("GET", "/files/thumbnail.{extension}", "files.thumbnail.retrieve"),
        ("GET", "/Users('{id}')", "users.retrieve"),
        ("POST", "/Users({id})/Items", "users.items.create"),
        ("POST", "/jobs/{id}:cancel", "jobs.cancel"),
        ("POST", "/v1/jobs:batchGet", "jobs.batch_get"),
        ("POST", "/messages?beta=true", "messages.create_beta"),
        ("GET", "/messages?version=2", "messages.list_version_2"),
        ("COPY", "/files/{id}", "files.copy"),
        ("M-SEARCH", "/files", "files.m_search"),
        ("GET", "/", "api.retrieve"),
    ],
)
def test_route_of_a_path(method: str, path: str, name: str) -> None:
    assert routed(method, path) == name


def test_route_of_a_fragment() -> None:
    assert routed("PUT", "/files/{id}", "add_shared-link") == "files.add_shared_link"
    assert routed("PUT", "/files/{id}", "!") == "files.update"
