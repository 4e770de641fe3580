"""Calls and values in Black's layout, made so at once: tests are full of both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from ..literals import literal

WIDTH = 88


@dataclass(frozen=True, slots=True)
class Group:
    """An expression with brackets: a call, a list, a dictionary, or a tuple."""

    opening: str
    """What stands before the items, the bracket included."""
    items: tuple[tuple[str, Expression], ...]
    """Each with what stands before it: ``"key": `` or ``name=``."""
    closing: str

    def __str__(self) -> str:
        """Return the expression in one line."""
        inside = ", ".join(f"{before}{item}" for before, item in self.items)
        comma = "," if self.closing == ")" and self.opening == "(" and len(self.items) == 1 else ""
        return f"{self.opening}{inside}{comma}{self.closing}"


Expression = str | Group


def value(plain: object) -> Expression:
    """Return a JSON value, or bytes, or a tuple of such, as an expression."""
    match plain:
        case Mapping():
            members = cast(Mapping[object, object], plain).items()
            return Group("{", tuple((f"{literal(k)}: ", value(v)) for k, v in members), "}")
        case list():
            return Group("[", tuple(("", value(v)) for v in cast(list[object], plain)), "]")
        case tuple():
            items = cast(tuple[object, ...], plain)
            return Group("(", tuple(("", value(v)) for v in items), ")")
        case bytes():
            return f"b{literal(plain.decode('ascii'))}"
        case _:
            return literal(plain)


def call(
    function: str, *positional: Expression, named: Iterable[tuple[str, Expression]] = ()
) -> Group:
    """Return a call; ``named`` are its keywords with their values."""
    items = [*(("", each) for each in positional), *((f"{k}=", v) for k, v in named)]
    return Group(f"{function}(", tuple(items), ")")


def lines(before: str, expression: Expression, indentation: int = 0, after: str = "") -> str:
    """Return a statement in its final layout, the first line without its indentation.

    ``before`` stands in front of the expression, and ends the line if this is too long.
    """
    return "\n".join(_lines(before, expression, after, indentation)).lstrip()


def _lines(before: str, expression: Expression, after: str, indentation: int) -> Iterator[str]:
    margin = " " * indentation
    whole = f"{margin}{before}{expression}{after}"
    if len(whole) <= WIDTH or isinstance(expression, str) or not expression.items:
        yield whole
        return
    yield f"{margin}{before}{expression.opening}"
    yield from _inside(expression, indentation + 4)
    yield f"{margin}{expression.closing}{after}"


def _inside(group: Group, indentation: int) -> Iterator[str]:
    """Yield the lines between brackets.

    The arguments of a call may share a line; the items of a list each have their own.
    """
    bare_tuple = group.opening == "("
    is_call = group.closing == ")" and not bare_tuple
    if len(group.items) == 1 and not bare_tuple:
        ((before, only),) = group.items
        yield from _lines(before, only, "", indentation)
        return
    together = _together(group.items)
    if is_call and indentation + len(together) <= WIDTH:
        yield " " * indentation + together
        return
    for before, item in group.items:
        yield from _lines(before, item, ",", indentation)


def _together(items: Sequence[tuple[str, Expression]]) -> str:
    return ", ".join(f"{before}{item}" for before, item in items)
