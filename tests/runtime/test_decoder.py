"""Decoders of every kind of annotation: tolerant, lossless, and silent about values."""

from __future__ import annotations

import datetime
import sys
import threading
from types import GenericAlias, ModuleType
from typing import Annotated, Any, Literal

import pytest

from runtime._decoder import BYTES, NOTHING, TEXT, Decoder, decoder_of, parse
from runtime._models import BaseModel
from runtime._tolerance import Tag


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str]


class Basket(BaseModel):
    inside: Basket | None = None


Pet = Annotated[Cat | Dog, Tag("kind", ("cat", "dog"))]
CAT = b'{"kind":"cat","lives":9}'


def test_a_model_class_has_one_decoder() -> None:
    decoder = decoder_of(Cat)
    assert decoder_of(Cat) is decoder
    assert decoder_of(decoder) is decoder
    dogs: object = decoder_of(Dog)
    assert dogs is not decoder
    assert decoder.decode(CAT) == Cat(kind="cat", lives=9)


def test_a_subclass_has_a_decoder_of_its_own() -> None:
    class Lion(Cat):
        mane: bool = True

    decoder_of(Cat).decode(CAT)
    assert type(decoder_of(Lion).decode(CAT)) is Lion


@pytest.mark.parametrize(
    ("annotation", "content", "expected"),
    [
        (list[Cat], b"[" + CAT + b",3,null]", [Cat(kind="cat", lives=9), 3, None]),
        (list[Cat], b'{"no":"list"}', {"no": "list"}),
        (dict[str, Pet], b'{"a":' + CAT + b"}", {"a": Cat(kind="cat", lives=9)}),
        (dict[str, Pet], b'{"a":{"kind":"cow"}}', {"a": {"kind": "cow"}}),
        (Pet, CAT, Cat(kind="cat", lives=9)),
        (Pet, b'{"kind":"cow"}', {"kind": "cow"}),
        (Cat | None, b"null", None),
        (Cat | None, CAT, Cat(kind="cat", lives=9)),
        (Cat | list[Cat], b"[" + CAT + b"]", [Cat(kind="cat", lives=9)]),
        (int, b'"5"', "5"),
        (float, b"5", 5),
        (None, b"{}", {}),
        (object, b'{"a":[1]}', {"a": [1]}),
        (Any, b"1.0", 1.0),
        (str | int, b"true", True),
        (Literal["a"], b'"b"', "b"),
        (list[datetime.date], b'["2024-02-29",1]', [datetime.date(2024, 2, 29), 1]),
    ],
)
def test_annotations_decode_tolerantly(
    annotation: object, content: bytes, expected: object
) -> None:
    decoder: Decoder[object] = Decoder(annotation)
    found = decoder.decode(content)
    assert found == expected
    assert type(found) is type(expected)
    assert decoder.decode_value(parse(content)) == expected


@pytest.mark.parametrize("content", [b"[1]", b'"text"', b"null", b"1", b"true"])
def test_a_value_that_is_no_object_stays_as_it_came(content: bytes) -> None:
    found: object = decoder_of(Cat).decode(content)
    assert found == parse(content)
    assert decoder_of(Cat).deviations(content)[0].path == "$"


@pytest.mark.parametrize(
    "content", [b"", b"{", b"<html>", b'{"a":}', b"\xff", b"nul", b"{} x", b"[" * 100_000]
)
@pytest.mark.parametrize("annotation", [Cat, list[Cat], Any])
def test_only_what_is_not_json_raises(content: bytes, annotation: object) -> None:
    decoder: Decoder[object] = Decoder(annotation)
    with pytest.raises(ValueError):
        decoder.decode(content)
    with pytest.raises(ValueError):
        decoder.deviations(content)


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + CAT,
        CAT.decode().encode("utf-16"),
        b'{"kind":"cat","lives":9,"name":"\\ud800"}',
        b'{"kind":"cat","lives":9,"deep":' + b"[" * 220 + b"]" * 220 + b"}",
    ],
)
def test_json_beyond_pydantic_s_parser_is_read(content: bytes) -> None:
    cat = decoder_of(Cat).decode(content)
    assert type(cat) is Cat
    assert cat.lives == 9
    assert cat.to_dict() == parse(content)


def test_a_model_nested_beyond_any_limit_is_kept() -> None:
    content = b'{"inside":' * 400 + b"{}" + b"}" * 400
    basket = decoder_of(Basket).decode(content)
    assert type(basket) is Basket
    assert type(basket.inside) is Basket
    assert decoder_of(Basket).deviations(content) is not None


def test_special_decoders() -> None:
    assert NOTHING.decode(b"whatever") is None
    assert BYTES.decode(b"\x00\xff") == b"\x00\xff"
    assert TEXT.decode("é".encode() + b"\xff") == "é�"
    for decoder in (NOTHING, BYTES, TEXT):
        assert decoder.deviations(b"\xff") == ()


def test_nothing_is_built_before_the_first_use() -> None:
    class Lazy(BaseModel):
        value: int

    decoder = decoder_of(Lazy)
    assert not Lazy.__pydantic_complete__
    assert decoder.decode(b'{"value":1}').value == 1
    assert Lazy.__pydantic_complete__


def levels(depth: int) -> ModuleType:
    """Make a module of classes ``L0``, ``L1`` and so on, each of which holds the next."""
    lines = ["from __future__ import annotations", "from runtime import BaseModel, Maybe"]
    for level in range(depth):
        lines += [f"class L{level}(BaseModel):", f"    inner: Maybe[L{level + 1}] = None"]
    lines += [f"class L{depth}(BaseModel):", "    top: Maybe[list[L0]] = None"]
    module = ModuleType(f"levels_{depth}")
    sys.modules[module.__name__] = module
    exec("\n".join(lines), module.__dict__)
    return module


def test_types_that_are_nested_too_deep_are_an_error_and_no_crash() -> None:
    before = sys.getrecursionlimit(), threading.stack_size()
    with pytest.raises(RecursionError):
        Decoder(levels(800).L0).decode(b"{}")
    assert (sys.getrecursionlimit(), threading.stack_size()) == before


@pytest.mark.parametrize("depth", [60, 300])
def test_types_may_be_nested_deeper_than_python_nests_its_calls(depth: int) -> None:
    module = levels(depth)
    sent = b'[{"inner":{"inner":{"inner":1}}}]'
    before = sys.getrecursionlimit()
    decoder: Decoder[Any] = Decoder(GenericAlias(list, (module.L0,)))
    assert type(decoder.decode(sent)[0].inner.inner) is module.L2
    assert [one.path for one in decoder.deviations(sent)] == ["$[0].inner.inner.inner"]
    assert sys.getrecursionlimit() == before
