"""The ``Link`` header."""

from __future__ import annotations

import pytest

from runtime._links import link_to


@pytest.mark.parametrize(
    ("header", "target"),
    [
        ('</a>; rel="next"', "/a"),
        ("</a>; rel=next", "/a"),
        ('</a>;rel="next prev"', "/a"),
        ('</a>; rel="prev  next"', "/a"),
        ("</a>; REL=Next", "/a"),
        ('</a>; rel = "NEXT"', "/a"),
        ('</a>; rel="next",', "/a"),
        (', ,</a>; rel="next" , ', "/a"),
        ('</p>; rel="prev", </a>; rel="next", </l>; rel="last"', "/a"),
        ('</p>; rel="prev" ,</a>;title="x";rel="next"', "/a"),
        ('</p>; title="; rel=next"; rel="prev", </a>; rel="next"', "/a"),
        ('</p>; title="<x>; rel=\\"next\\", "; rel=prev, </a>; rel="next"', "/a"),
        ("</a,b;c?d=e>; rel=next", "/a,b;c?d=e"),
        ("< /a >; rel=next", "/a"),
        ("</a>; crossorigin; rel=next", "/a"),
        ("</a>; rel=next; rel=prev", "/a"),
        ("</p>; rel=prev; rel=next", None),
        ("</a>; rel=nextish", None),
        ('</a>; title="rel=next"', None),
        ("</a>; xrel=next", None),
        ("</a>", None),
        ("rel=next", None),
        ("<; rel=next", None),
        ("", None),
    ],
)
def test_a_link_is_found(header: str, target: str | None) -> None:
    assert link_to("next", [header]) == target


def test_there_may_be_several_headers() -> None:
    assert link_to("next", ["</p>; rel=prev", "</a>; rel=next", "</b>; rel=next"]) == "/a"
    assert link_to("next", []) is None


@pytest.mark.parametrize("part", ["<", '<a>"', '<a>\\"', '<a>;"\\', "<a>;a=", "<a>;,"])
def test_a_hostile_header_takes_no_longer_than_it_is_long(part: str) -> None:
    assert link_to("next", [part * 200_000]) is None
