"""Templates loop, test presence and print. Everything else is decided before them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest
from jinja2 import nodes

from specloom.python import package
from specloom.render import TEMPLATES, environment

FOLDER = TEMPLATES / "package"
NAMES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.jinja"))

ALLOWED = (
    nodes.Template
    | nodes.Output
    | nodes.TemplateData
    | nodes.Name
    | nodes.Getattr
    | nodes.Const
    | nodes.Filter
    | nodes.For
    | nodes.If
    | nodes.Include
    | nodes.With
    | nodes.Block
)
"""Loops, presence, printing, and names for what is printed: no comparison, call or arithmetic."""

FILTERS = {"docstring", "literal", "quoted", "line", "code", "statement"}
"""The only ways for text to reach the output; numbers are their only arguments."""


def clever(source: str) -> Iterator[str]:
    """Yield what a template does besides looping, testing presence and printing."""
    template = environment().parse(source)
    for node in [template, *template.find_all(nodes.Node)]:
        unpacks = isinstance(node, nodes.Tuple) and node.ctx == "store"
        if not isinstance(node, ALLOWED) and not unpacks:
            yield f"line {node.lineno}: {type(node).__name__}"
        elif isinstance(node, nodes.Filter) and (node.name not in FILTERS or node.kwargs):
            yield f"line {node.lineno}: the filter {node.name}"


@pytest.mark.parametrize("name", NAMES)
def test_template_is_dumb(name: str) -> None:
    assert list(clever((FOLDER / name).read_text("utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        "{% if it.kind == 'a' %}x{% endif %}",
        "{% if it is none %}x{% endif %}",
        "{% if not it %}x{% endif %}",
        "{% set name = it.name %}",
        "{% set name %}x{% endset %}",
        "{{ it.name() }}",
        "{{ it.count + 1 }}",
        "{{ it.name ~ 'Param' }}",
        "{{ it.name | upper }}",
        "{{ it['name'] }}",
        "{{ (it.a, it.b) }}",
        "{{ it.a if it.b else it.c }}",
        "{% macro m() %}x{% endmacro %}",
        "{% for x in it.xs %}{{ loop.index * 2 }}{% endfor %}",
    ],
)
def test_cleverness_is_noticed(source: str) -> None:
    assert list(clever(source))


def included(name: str) -> set[str]:
    """Return the templates that one includes by name."""
    found: set[str] = set()
    for node in environment().parse((FOLDER / name).read_text("utf-8")).find_all(nodes.Include):
        if isinstance(node.template, nodes.Const):
            found.add(str(node.template.value))
    return found


def test_every_included_template_is_one_of_those_checked() -> None:
    by_statement = {statement.template for statement in get_args(package.Statement)}
    by_name = set[str]().union(*(included(name) for name in NAMES))
    assert by_statement | by_name <= set(NAMES)


def test_static_code_is_no_template() -> None:
    others = [p.name for p in FOLDER.rglob("*") if p.is_file() and p.suffix != ".jinja"]
    assert others == ["py.typed"]
    assert not list((TEMPLATES / "runtime").rglob("*.jinja"))
