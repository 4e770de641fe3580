"""Names are valid whatever the description calls things, and never change afterwards."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specloom.python.names import (
    LONGEST,
    TYPE_NAMES,
    Scope,
    package_name,
    pascal,
    shortened,
    singular,
    snake,
    words,
)

TEXT = st.text() | st.text("aAzZ09_- .É名\u0301\u200d٣²", max_size=12)
"""Any text, and text made of what makes names difficult."""


def is_valid(name: str) -> bool:
    """Whether a name can be bound by a statement."""
    return name.isidentifier() and not keyword.iskeyword(name)


@given(TEXT)
def test_snake_is_an_identifier(text: str) -> None:
    name = snake(text)
    assert is_valid(name)
    assert name == name.lower()
    assert not name.startswith("_")


@given(TEXT)
def test_pascal_is_an_identifier(text: str) -> None:
    name = pascal(text)
    assert is_valid(name)
    assert not name.startswith("_")


@given(TEXT.filter(bool))
def test_a_shortened_name_is_the_end_of_it_and_valid(text: str) -> None:
    name = pascal(text) * 5 + "OfItsOwner"
    short = shortened(name)
    assert len(short) <= LONGEST
    assert is_valid(short)
    assert short == name or len(name) > LONGEST


def test_a_long_name_keeps_its_last_words() -> None:
    parts = ["PostCustomersRequest", "PaymentMethodOptions", "Customer" * 5, "BankTransfer"]
    assert shortened("".join(parts)) == "".join(["Request", *parts[1:]])
    assert shortened("x" * 100) == "x" * LONGEST


@given(TEXT)
def test_package_name_is_ascii(text: str) -> None:
    assert is_valid(package_name(text))
    assert package_name(text).isascii()


@given(st.sampled_from([*keyword.kwlist, *(word.upper() for word in keyword.kwlist)]))
def test_keywords_are_valid_too(word: str) -> None:
    assert is_valid(snake(word))
    assert is_valid(pascal(word))


@given(st.text("abcXYZ", min_size=LONGEST, max_size=3 * LONGEST))
def test_names_are_not_longer_than_people_type(text: str) -> None:
    assert len(pascal(text)) <= LONGEST + 1
    assert len(snake(text)) <= LONGEST + 1


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("fooBar", ["foo", "Bar"]),
        ("Date<", ["Date", "lt"]),
        ("Date>=", ["Date", "gte"]),
        ("+1", ["plus", "1"]),
        ("-1", ["minus", "1"]),
        ("List<Pet>", ["List", "Pet"]),
        ("FOOBar", ["FOO", "Bar"]),
        ("foo-bar.baz qux", ["foo", "bar", "baz", "qux"]),
        ("HTTPResponse2XX", ["HTTP", "Response2XX"]),
        ("__init__", ["init"]),
        ("größe", ["größe"]),
        ("123", ["123"]),
        ("", []),
    ],
)
def test_words(text: str, parts: list[str]) -> None:
    assert words(text) == parts


@pytest.mark.parametrize(
    ("text", "in_snake", "in_pascal"),
    [
        ("chat.completion", "chat_completion", "ChatCompletion"),
        ("top_logprobs", "top_logprobs", "TopLogprobs"),
        ("class", "class_", "Class"),
        ("None", "none", "None_"),
        ("1st", "v_1st", "V1st"),
        ("", "value", "Value"),
        ("!", "value", "Value"),
        ("宠物", "宠物", "宠物"),
    ],
)
def test_cases(text: str, in_snake: str, in_pascal: str) -> None:
    assert (snake(text), pascal(text)) == (in_snake, in_pascal)


@pytest.mark.parametrize(
    ("several", "one"),
    [
        ("choices", "choice"),
        ("categories", "category"),
        ("boxes", "box"),
        ("classes", "class"),
        ("status", "status"),
        ("data", "data"),
        ("metadata", "metadata"),
        ("address", "address"),
        ("s", ""),
    ],
)
def test_singular(several: str, one: str) -> None:
    assert singular(several) == one


WANTED = st.lists(st.sampled_from(["a", "A", "a_", "a_2", "a2", "b", "b_", "self"]), max_size=12)
SCOPES = st.tuples(st.sampled_from(["", "_"]), st.booleans())
"""The separator of a scope, and whether case makes no difference in it."""


def claimed(wanted: list[str], options: tuple[str, bool]) -> list[str]:
    """Return the names that a new scope gives, in order."""
    separator, folded = options
    scope = Scope(frozenset({"self", "b"}), separator=separator, folded=folded)
    return [scope.claim(name) for name in wanted]


@given(WANTED, SCOPES)
def test_no_name_is_given_twice(wanted: list[str], options: tuple[str, bool]) -> None:
    names = claimed(wanted, options)
    keys = [name.casefold() if options[1] else name for name in names]
    assert len(set(keys)) == len(keys)


@given(WANTED, SCOPES)
def test_no_reserved_name_is_given(wanted: list[str], options: tuple[str, bool]) -> None:
    assert not {"self", "b"} & set(claimed(wanted, options))


@given(WANTED, WANTED, SCOPES)
def test_what_is_added_renames_nothing(
    wanted: list[str], added: list[str], options: tuple[str, bool]
) -> None:
    names = claimed(wanted, options)
    assert claimed([*wanted, *added], options)[: len(names)] == names


@given(st.sampled_from(["a", "A", "a_", "a_2"]), SCOPES)
def test_the_first_has_the_plain_name(name: str, options: tuple[str, bool]) -> None:
    assert claimed([name], options) == [name]


CASES = Path(__file__).resolve().parents[1] / "cases"


def imported(module: Path) -> Iterator[str]:
    """Yield the names that a module of types imports from elsewhere than its neighbours."""
    for statement in ast.parse(module.read_text("utf-8")).body:
        if isinstance(statement, ast.ImportFrom) and statement.module != "__future__":
            if statement.level != 1 and not (statement.module or "").startswith("models."):
                yield from (alias.name for alias in statement.names)


def test_no_class_is_called_like_what_its_module_imports() -> None:
    modules = [p for p in CASES.glob("*/expected/src/*/*/*.py") if p.name != "__init__.py"]
    of_types = [p for p in modules if p.parent.name in ("models", "params")]
    used = {name for module in of_types for name in imported(module)}
    assert {"Literal", "TypedDict", "BaseModel"} <= used
    # Those two are imported under other names where a type of the description has theirs.
    assert used - {"UUID", "Decimal"} <= TYPE_NAMES
