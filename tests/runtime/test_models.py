"""Models read whatever a server sends, lose nothing of it, and behave as values."""

from __future__ import annotations

import copy
import datetime
import json
import pickle
import subprocess
import sys
import threading
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field
from typing_extensions import TypeAliasType

from runtime._decoder import Decoder, decoder_of
from runtime._models import BaseModel, set_request_id
from runtime._open import Maybe, OpenTuple
from runtime._tolerance import Tag


class Toy(BaseModel):
    name: str
    price: float
    count: int
    ok: bool
    size: Literal["s", "m"] | str
    color: Literal["red", "blue"]
    note: str | None
    parts: list[str]
    extra_info: dict[str, Any]
    weight: int | float | None = None
    from_: str | None = Field(default=None, alias="from")


class Leaf(BaseModel):
    kind: Literal["leaf"]
    value: int


class Pair(BaseModel):
    kind: Literal["pair"]
    left: Node
    right: Node


class Many(BaseModel):
    kind: Literal["many", "several"]
    nodes: list[Node]
    named: Annotated[dict[str, Node] | None, Field(alias="by-name")] = None
    maybe: Node | None = None
    grid: list[list[Node]] | None = None


Node = Annotated[Leaf | Pair | Many, Tag("kind", ("leaf", "pair", ("many", "several")))]


class Cat(BaseModel):
    lives: int
    name: str


class Dog(BaseModel):
    tricks: list[str]
    name: str


class Fish(BaseModel):
    depth: float | None = None


class Home(BaseModel):
    pet: Cat | Dog | Fish | None = None
    text: str | list[Leaf] | None = None
    either: Cat | dict[str, Any] | None = None
    lists: list[Cat] | list[Dog] | None = None
    pets: list[Cat | Dog] | None = None
    inner: Home | Cat | None = None
    home_or_text: Home | str | None = None


class Dates(BaseModel):
    at: datetime.datetime
    day: datetime.date | None = None
    id: uuid.UUID | None = None


Json = TypeAliasType("Json", "dict[str, Json] | list[Json] | str | int | None")
Numbers = TypeAliasType("Numbers", "list[int]")
Tree = TypeAliasType("Tree", "Leaf | list[Tree]")


class Aliased(BaseModel):
    data: Json
    numbers: Numbers
    tree: Tree


class Typed(BaseModel):
    id: str
    __pydantic_extra__: dict[str, Leaf] = Field(init=False)


class Place(BaseModel):
    where: tuple[float, Leaf] | None = None


M = TypeVar("M", bound=BaseModel)


@pytest.fixture(autouse=True)
def _no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def unknown(model: BaseModel, name: str) -> object:
    """Read an attribute that the class does not declare."""
    found: object = getattr(model, name)
    return found


def request_id(model: BaseModel) -> object:
    """Read the id as users do; the underscore is part of its public name."""
    return unknown(model, "_request_id")


def same(one: object, other: object) -> bool:
    """Equality as JSON has it: 1, 1.0 and True are three different values."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def survives(model: type[M], sent: object) -> M:
    """Decode what was sent, check that every way of dumping gives it back."""
    read = decoder_of(model).decode(json.dumps(sent).encode())
    assert isinstance(read, model)
    assert same(read.to_dict(), sent)
    assert same(json.loads(read.to_json()), sent)
    assert same(json.loads(read.to_json(indent=None)), sent)
    assert same(read.model_dump(mode="json", by_alias=True, exclude_unset=True), sent)
    assert same(json.loads(read.model_dump_json(by_alias=True, exclude_unset=True)), sent)
    assert same(model.model_validate(sent).to_dict(), sent)
    for other in (pickle.loads(pickle.dumps(read)), copy.deepcopy(read), read.model_copy()):
        assert other == read
        assert type(other) is model
        assert same(other.to_dict(), sent)
    return read


GOOD = {
    "name": "bear",
    "price": 1.5,
    "count": 3,
    "ok": True,
    "size": "s",
    "color": "red",
    "note": None,
    "parts": ["nose"],
    "extra_info": {"a": [1, {"b": None}]},
}


def test_b17_a_good_answer_reads_as_declared() -> None:
    toy = survives(Toy, GOOD)
    assert (toy.name, toy.price, toy.count, toy.parts) == ("bear", 1.5, 3, ["nose"])
    assert toy.weight is None and toy.from_ is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("price", 1),
        ("price", 1.0),
        ("price", 2**60 + 1),
        ("price", 2**80),
        ("price", "1.5"),
        ("price", True),
        ("count", 1),
        ("count", 1.0),
        ("count", "5"),
        ("count", True),
        ("count", 2**53 - 1),
        ("count", None),
        ("ok", 1),
        ("ok", "true"),
        ("name", 5),
        ("name", {"first": "a"}),
        ("size", "xxl"),
        ("color", "green"),
        ("color", 1),
        ("note", ["a"]),
        ("parts", {"0": "a"}),
        ("parts", ["a", 1, None, 1.0]),
        ("parts", "nose"),
        ("extra_info", [1]),
        ("weight", 1.0),
        ("weight", 1),
        ("from", "Siberia"),
        ("model_dump", "not a method"),
        ("_private", 1),
        ("class", "x"),
    ],
)
def test_b21_any_value_is_kept_exactly(name: str, value: object) -> None:
    toy = survives(Toy, {**GOOD, name: value})
    if name in ("price", "count", "ok", "name", "size", "color", "note", "parts"):
        assert same(getattr(toy, name), value)


def test_b18_unknown_properties_are_attributes() -> None:
    toy = survives(Toy, {**GOOD, "shiny": {"very": 1}})
    assert unknown(toy, "shiny") == {"very": 1}
    with pytest.raises(AttributeError, match="matte"):
        unknown(toy, "matte")


def test_an_alias_and_an_unknown_property_of_the_attribute_s_name_do_not_mix() -> None:
    sent = {**GOOD, "from": "a", "from_": "b"}
    assert survives(Toy, sent).from_ == "a"
    assert decoder_of(Toy).decode(b'{"from_": "b"}').to_dict()["from_"] == "b"


def test_models_can_be_made_by_attribute_name() -> None:
    assert Toy.model_validate({"from_": "here"}).to_dict() == {"from": "here"}


@pytest.mark.parametrize("missing", list(GOOD))
def test_b20_a_missing_required_property_reads_as_none(missing: str) -> None:
    toy = survives(Toy, {name: value for name, value in GOOD.items() if name != missing})
    assert getattr(toy, missing) is None
    assert missing not in toy.model_fields_set


def test_b22_absent_and_null_differ() -> None:
    absent = survives(Toy, GOOD)
    null = survives(Toy, {**GOOD, "weight": None})
    assert "weight" not in absent.model_fields_set
    assert "weight" in null.model_fields_set


def test_b23_to_json_is_readable() -> None:
    toy = survives(Toy, {**GOOD, "name": "медведь 🐻"})
    assert "медведь 🐻" in toy.to_json()
    assert toy.to_json().startswith('{\n  "name": ')
    assert toy.to_json(indent=None).startswith('{"name":"')


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=5,
    ),
    st.sampled_from(
        ["name", "price", "parts", "size", "from", "kind", "nodes", "by-name", "maybe", "pet"]
    ),
    st.sampled_from([Toy, Many, Home, Cat]),
)
def test_nothing_raises_and_nothing_is_lost(
    value: object, name: str, model: type[BaseModel]
) -> None:
    for sent in ({name: value}, {"kind": "many", name: [{"kind": "leaf", "value": value}, value]}):
        read = decoder_of(model).decode(json.dumps(sent).encode())
        assert same(read.to_dict(), sent)
        assert pickle.loads(pickle.dumps(read)) == read


NODES = {
    "kind": "several",
    "nodes": [
        {"kind": "leaf", "value": 1},
        {"kind": "leaf"},
        {"kind": "leaf", "value": "one"},
        {"kind": "pair", "left": {"kind": "leaf", "value": 1}, "right": None},
        {"kind": "many", "nodes": [{"kind": "leaf", "value": 2}, 7]},
        {"kind": "from the future", "z": [1]},
        {"value": 1},
        {"kind": None},
        {"kind": 3},
        "text",
        None,
    ],
    "by-name": {"a": {"kind": "leaf", "value": 1}, "b": {"kind": "?"}, "c": 1},
    "maybe": {"kind": "leaf", "value": 3},
    "grid": [[{"kind": "leaf", "value": 1}, 5], "row", []],
}


def test_b24_b25_a_known_tag_gives_its_member_and_an_unknown_one_the_raw_value() -> None:
    many = survives(Many, NODES)
    assert [type(node) for node in many.nodes] == [
        *(Leaf, Leaf, Leaf, Pair, Many),
        *(dict, dict, dict, dict, str, type(None)),
    ]
    assert many.named is not None and isinstance(many.maybe, Leaf)
    assert [type(node) for node in many.named.values()] == [Leaf, dict, int]
    assert many.grid is not None and isinstance(many.grid[0][0], Leaf)
    assert isinstance(many.nodes[4], Many) and isinstance(many.nodes[4].nodes[0], Leaf)
    assert same(survives(Many, {**NODES, "maybe": {"kind": "x"}}).maybe, {"kind": "x"})
    assert survives(Many, {**NODES, "maybe": None}).maybe is None


def test_a_tagged_union_may_hold_another_one_and_null() -> None:
    Inner = Annotated[Cat | Dog, Tag("name", ("Tom", "Rex"))]
    Outer = Annotated[Leaf | Inner | None, Tag("kind", ("leaf", "animal"))]
    decoder: Decoder[Any] = Decoder(list[Outer])
    found = decoder.decode(
        b'[{"kind":"leaf"},{"kind":"animal","name":"Rex"},{"kind":"animal","name":"?"},null]'
    )
    assert [type(one) for one in found] == [Leaf, Dog, dict, type(None)]


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"lives": 9, "name": "Tom"}, Cat),
        ({"tricks": ["sit"], "name": "Rex"}, Dog),
        ({"tricks": ["sit"], "name": "Rex", "depth": 1, "unknown": 1}, Dog),
        ({"tricks": "none", "name": "Rex"}, Dog),  # resembles a dog
        ({"lives": "nine", "name": "Tom"}, Cat),
        ({"depth": 3}, Fish),
        ({"depth": None}, Fish),
        ({"name": "?"}, Fish),  # conforms, as a fish needs nothing
        ({}, Fish),
        ([1], list),
        ("Tom", str),
        (None, type(None)),
    ],
)
def test_untagged_objects_become_the_member_they_conform_to_or_resemble(
    sent: object, expected: type[object]
) -> None:
    assert type(survives(Home, {"pet": sent}).pet) is expected


def test_untagged_objects_that_resemble_no_member_stay_raw() -> None:
    home = survives(Home, {"pets": [{"name": "?"}, {"lives": 1, "name": "T"}, {}, 4]})
    assert home.pets is not None and [type(pet) for pet in home.pets] == [dict, Cat, dict, int]


def test_the_only_member_of_a_kind_takes_every_value_of_it() -> None:
    home = survives(Home, {"text": [{"kind": "leaf"}, 3]})
    assert isinstance(home.text, list) and isinstance(home.text[0], Leaf)
    assert survives(Home, {"text": "plain"}).text == "plain"
    assert isinstance(survives(Home, {"home_or_text": {"a": 1}}).home_or_text, Home)


def test_models_compete_with_plain_objects_and_lists_with_lists() -> None:
    assert type(survives(Home, {"either": {"lives": 9, "name": "T"}}).either) is Cat
    assert type(survives(Home, {"either": {"anything": 9}}).either) is dict
    lists = survives(Home, {"lists": [{"tricks": ["sit"], "name": "R"}]}).lists
    assert lists is not None and type(lists[0]) is Dog
    assert same(survives(Home, {"lists": [{"no": 1}]}).lists, [{"no": 1}])


def test_a_deep_answer_to_a_recursive_untagged_union_is_decoded_in_reasonable_time() -> None:
    sent: dict[str, object] = {"pet": 1}
    for _ in range(30):
        sent = {"inner": sent}
    home: object = survives(Home, sent)
    for _ in range(30):
        assert isinstance(home, Home)
        home = home.inner
    assert isinstance(home, Home)


def test_assigned_and_constructed_values_dump_too() -> None:
    home = Home(pet=Cat(lives=9, name="Tom"), pets=[Dog(tricks=[], name="Rex")])
    assert home.to_dict() == {
        "pet": {"lives": 9, "name": "Tom"},
        "pets": [{"tricks": [], "name": "Rex"}],
    }
    home.pet = Fish(depth=1)
    home.text = [Leaf(kind="leaf", value=1)]
    home.either = {"lives": 1, "name": "a dict"}
    assert home.to_dict()["pet"] == {"depth": 1}
    assert home.model_dump(by_alias=True)["text"] == [{"kind": "leaf", "value": 1}]
    assert home.model_dump(exclude_unset=True)["either"] == {"lives": 1, "name": "a dict"}


def test_values_of_a_format_are_objects_when_their_text_says_so() -> None:
    dates = survives(
        Dates,
        {
            "at": "2024-02-29T12:30:00Z",
            "day": "2024-02-29",
            "id": "6f9619ff-8b86-d011-b42d-00c04fc964ff",
        },
    )
    assert dates.at == datetime.datetime(2024, 2, 29, 12, 30, tzinfo=datetime.UTC)
    assert dates.day == datetime.date(2024, 2, 29)
    assert isinstance(dates.id, uuid.UUID)
    for odd in (1700000000, "1700000000", "soon", "2024-13-45T00:00:00Z", 1.5, None, True):
        assert same(survives(Dates, {"at": odd, "day": odd, "id": odd}).at, odd)


def test_aliases_are_tolerant_inside_even_when_recursive() -> None:
    sent = {
        "data": {"a": [1, "2", {"b": 1.0}], "c": True},
        "numbers": ["1", 2, 3.0],
        "tree": [{"kind": "leaf", "value": 1}, [{"kind": "leaf"}, 5]],
    }
    aliased = survives(Aliased, sent)
    assert isinstance(aliased.tree, list) and isinstance(aliased.tree[0], Leaf)
    assert isinstance(aliased.tree[1], list) and isinstance(aliased.tree[1][0], Leaf)


def test_typed_additional_properties_and_tuples() -> None:
    typed = survives(Typed, {"id": "x", "a": {"kind": "leaf", "value": 1}, "b": 2})
    assert isinstance(unknown(typed, "a"), Leaf) and unknown(typed, "b") == 2
    place = survives(Place, {"where": [1, {"kind": "leaf"}]})
    assert place.where is not None and isinstance(place.where[1], Leaf)
    assert same(survives(Place, {"where": [1]}).where, [1])


class Shut(BaseModel, closed=True):
    leaf: Leaf | None = None


class Wider(Shut):
    more: int = 1


def test_what_is_not_declared_is_kept_though_nothing_else_is_declared() -> None:
    shut = survives(Shut, {"leaf": {"kind": "leaf", "value": 1}, "other": [1]})
    assert unknown(shut, "other") == [1]
    assert type(survives(Wider, {"other": 1})) is Wider


class Rows(BaseModel):
    open: OpenTuple[tuple[str, Leaf, *tuple[Leaf | None, ...]]]
    unknown: Maybe[OpenTuple[tuple[str, *tuple[Any, ...]]]] = None
    limited: Maybe[tuple[int, str]] = Field(default=None, min_length=0)
    nested: Maybe[list[tuple[int, tuple[Leaf]]]] = None


def test_rows_are_tuples_where_their_places_are_filled() -> None:
    leaf = {"kind": "leaf", "value": 1}
    sent: dict[str, object] = {
        "open": ["a", leaf, leaf, None, 5],
        "unknown": ["a", 1, {"b": None}],
        "limited": [1, 5],
        "nested": [[1, [leaf]], [1, [1, 2]], "no row"],
    }
    rows = survives(Rows, sent)
    assert isinstance(rows.open, tuple)
    assert [type(one) for one in rows.open] == [str, Leaf, Leaf, type(None), int]
    assert rows.unknown == ("a", 1, {"b": None})
    assert same(rows.limited, [1, 5]) and isinstance(rows.limited, tuple)
    assert rows.nested is not None and isinstance(rows.nested[0][1][0], Leaf)
    for odd in (["a"], [], "text", None, {"0": "a"}):
        assert same(survives(Rows, {"open": odd}).open, odd)
    assert same(survives(Rows, {"open": ["a", leaf], "limited": [1]}).limited, [1])


def test_request_id_goes_with_the_object_but_is_no_part_of_its_value() -> None:
    toy = survives(Toy, GOOD)
    other = survives(Toy, GOOD)
    assert request_id(toy) is None
    set_request_id(toy, "req_1")
    assert request_id(toy) == "req_1"
    for dumped in (toy.to_dict(), toy.model_dump(), json.loads(toy.to_json()), dict(toy)):
        assert "_request_id" not in dumped
    assert "req_1" not in toy.model_dump_json() and "req_1" not in repr(toy)
    assert toy == other and other == toy
    for clone in (pickle.loads(pickle.dumps(toy)), copy.deepcopy(toy), toy.model_copy()):
        assert request_id(clone) == "req_1"
        assert clone == toy
    home = Home.model_construct(pet=toy)
    assert "_request_id" not in json.dumps(home.to_dict())
    set_request_id([toy], "req_2")
    assert request_id(toy) == "req_1"


def test_an_answer_with_a_property_called_request_id_keeps_it() -> None:
    toy = survives(Toy, {**GOOD, "_request_id": "theirs"})
    set_request_id(toy, "ours")
    assert toy.to_dict()["_request_id"] == "theirs"
    assert request_id(toy) == "ours"


def test_repr_reads_as_the_class_with_all_its_properties() -> None:
    leaf = decoder_of(Leaf).decode(b'{"kind": "leaf", "z": 1}')
    assert repr(leaf) == str(leaf) == "Leaf(kind='leaf', value=None, z=1)"
    null = decoder_of(Leaf).decode(b'{"kind": "leaf", "value": null}')
    assert repr(null) == "Leaf(kind='leaf', value=None)"
    many = decoder_of(Many).decode(b'{"kind": "many", "nodes": [{"kind": "leaf", "value": 1}]}')
    assert repr(many) == (
        "Many(kind='many', nodes=[Leaf(kind='leaf', value=1)], named=None, maybe=None, grid=None)"
    )


def test_models_of_different_content_differ() -> None:
    assert survives(Leaf, {"kind": "leaf"}) != survives(Leaf, {"kind": "leaf", "value": 1})
    assert survives(Leaf, {"z": 1}) != survives(Leaf, {"z": 2})


THREADS = """
import sys, threading
from typing import Annotated, Literal
from runtime._models import BaseModel
from runtime._tolerance import Tag
from runtime._decoder import decoder_of

class Part(BaseModel):
    kind: Literal["part"]
    value: int

class Group(BaseModel):
    kind: Literal["group"]
    parts: list["Piece"]
    either: "Part | Group | None" = None

Piece = Annotated[Part | Group, Tag("kind", ("part", "group"))]

class Whole(BaseModel):
    pieces: list[Piece]
    first: Part | None = None

sent = b'{"pieces":[{"kind":"group","parts":[{"kind":"part","value":1}],"either":{"kind":"part"}}]}'
barrier, failures = threading.Barrier(32), []

def use(number):
    barrier.wait()
    try:
        whole = decoder_of(Whole).decode(sent) if number % 2 else Whole.model_validate_json(sent)
        assert type(whole.pieces[0].parts[0]) is Part, whole
        assert whole.pieces[0].to_dict()["parts"] == [{"kind": "part", "value": 1}]
        assert not list(decoder_of(Whole).deviations(b'{"pieces":[]}'))
    except BaseException as error:
        failures.append(error)

sys.setswitchinterval(1e-6)
threads = [threading.Thread(target=use, args=(n,)) for n in range(32)]
[t.start() for t in threads]
[t.join() for t in threads]
if failures:
    raise failures[0]
"""


def test_b82_the_first_use_from_32_threads_at_once_works() -> None:
    templates = str(Path(__file__).parents[2] / "templates")
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", THREADS],
            env={"PYTHONPATH": templates},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_decoding_from_many_threads_gives_each_its_own() -> None:
    found: dict[int, object] = {}

    def use(number: int) -> None:
        for _ in range(100):
            sent = json.dumps({"kind": "leaf", "value": number}).encode()
            found[number] = decoder_of(Leaf).decode(sent).value

    threads = [threading.Thread(target=use, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: n for n in range(8)}
