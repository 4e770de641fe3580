"""Names that were given out once stay, whatever is added to a description."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specloom.config import Config
from specloom.diagnostics import Report, Stop
from specloom.lock import EMPTY, FILE, Lock, printed, read_lock, renamings, write_lock
from specloom.python.plan import plan

from .make import Plain, document, lowered, operation, ref

WORDS = st.sampled_from(["pet", "Pet", "pet_s", "PetS", "list", "List", "item", "Item", "a-b"])
NAMES = st.lists(WORDS, min_size=1, max_size=2).map("".join)


def schema(name: str) -> Plain:
    """Return an object with inline types below it, some of them with a title that others have."""
    inner = {"type": "object", "title": "Item", "properties": {"x": {"type": "string"}}}
    return {"type": "object", "properties": {name: inner, "list": {"items": inner}}}


def names(schemas: dict[str, Plain], paths: Plain, lock: Lock) -> Lock:
    """Return the names that the client of a description gives out."""
    api = lowered(document(schemas, paths)).api
    return plan(api, Config(descriptions=["0.json"]), lock, Report()).names


def paths(schemas: dict[str, Plain], tags: list[str]) -> dict[str, Plain]:
    """Return operations that use schemas, one for each tag."""
    first = next(iter(schemas))
    return {
        f"/{index}": {
            "get": {**operation(received=ref(first)), "tags": [tag], "operationId": "list"},
            "post": {**operation(sent=ref(first)), "tags": [tag], "operationId": tag},
        }
        for index, tag in enumerate(tags)
    }


@settings(max_examples=20)
@given(
    before=st.lists(NAMES, min_size=1, max_size=8, unique=True),
    after=st.lists(NAMES, max_size=8, unique=True),
    tags=st.lists(NAMES, min_size=1, max_size=4),
    more=st.lists(NAMES, max_size=4),
)
def test_additions_before_and_after_rename_nothing(
    before: list[str], after: list[str], tags: list[str], more: list[str]
) -> None:
    old = {name: schema(name) for name in before}
    first = names(old, paths(old, tags), EMPTY)
    added = {name: schema(name) for name in after if name not in old}
    new_paths = {f"/new{key}": item for key, item in paths(old, more).items()} if more else {}
    second = names(added | old, new_paths | paths(old, tags), first)
    assert list(renamings(first, second)) == []
    assert first.models.items() <= second.models.items()
    assert first.params.items() <= second.params.items()
    assert first.methods.items() <= second.methods.items()
    assert len(set(second.models.values())) == len(second.models)
    assert len(set(second.methods.values())) == len(second.methods)


def test_a_thousand_schemas_rename_nothing() -> None:
    old = {name: schema(name) for name in ("pet", "Pet", "list", "Item", "PetItem")}
    first = names(old, paths(old, ["pet"]), EMPTY)
    added = {f"{kind}{number}": schema(kind) for number in range(250) for kind in old if number > 1}
    added = dict(list(added.items())[:992]) | {
        name: schema(name) for name in ("PET", "pEt", "item", "ITEM", "LIST", "petItem", "pet_item")
    }
    second = names(added | {"pe-t": schema("x")} | old, paths(old, ["pet"]), first)
    assert len(added) == 999
    assert first.models.items() <= second.models.items()
    assert first.params.items() <= second.params.items()


def test_names_of_equal_right_go_to_the_first_without_a_lock() -> None:
    old: dict[str, Plain] = {"pet_s": schema("a"), "PetS": schema("b")}
    turned: dict[str, Plain] = dict(reversed(old.items()))
    assert names(old, {}, EMPTY).models["0.json#/components/schemas/pet_s"] == "PetS"
    assert names(turned, {}, EMPTY).models["0.json#/components/schemas/pet_s"] == "PetS2"
    kept = names(turned, {}, names(old, {}, EMPTY))
    assert kept.models["0.json#/components/schemas/pet_s"] == "PetS"


def test_a_locked_name_that_cannot_be_used_is_chosen_anew() -> None:
    pet: dict[str, Plain] = {"Pet": schema("a")}
    id_ = "0.json#/components/schemas/Pet"
    for name in ("not a name", "class", "Literal", ""):
        assert names(pet, {}, Lock(models={id_: name})).models[id_] == "Pet"
    assert names(pet, {}, Lock(models={id_: "Animal"})).models[id_] == "Animal"


def test_methods_follow_their_configured_style() -> None:
    pet: dict[str, Plain] = {"Pet": schema("a")}
    place = "0.json#/paths/~10/get"
    locked = {place: "zoo.show"}
    kept = names(pet, paths(pet, ["pet"]), Lock(style="tags", methods=locked))
    new = names(pet, paths(pet, ["pet"]), Lock(style="paths", methods=locked))
    assert (kept.methods[place], new.methods[place]) == ("zoo.show", "pet.list")


def test_what_became_of_names_is_told() -> None:
    old = Lock(models={"a": "A", "b": "B", "c": "C"}, methods={"x": "pets.list"})
    new = Lock(models={"a": "A", "b": "Bee", "d": "C"}, methods={})
    said = [str(renaming) for renaming in renamings(old, new)]
    assert said == ["model B is now Bee", "method pets.list is gone"]


@given(st.dictionaries(st.text(), st.text()))
def test_a_lock_reads_back(tmp_path_factory: pytest.TempPathFactory, found: dict[str, str]) -> None:
    folder = tmp_path_factory.mktemp("lock")
    lock = Lock(style="tags", models=found, methods=found)
    write_lock(folder, lock, Report())
    assert read_lock(folder, Report()) == lock
    assert (folder / FILE).read_text("utf-8") == printed(lock)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("<<<<<<< HEAD\n", "@1:1"),
        ('style = "tags"\n[models]\n"a" = "A"\n=======\n', "@4:1"),
        ("[models]\na = 1\n", ""),
        ("[classes]\n", ""),
    ],
)
def test_a_broken_lock_is_one_diagnostic(tmp_path: Path, text: str, place: str) -> None:
    (tmp_path / FILE).write_text(text)
    report = Report()
    with pytest.raises(Stop):
        read_lock(tmp_path, report)
    (found,) = report.diagnostics
    assert (found.code, found.origin.uri, found.origin.pointer) == ("invalid-lock", FILE, place)


def test_a_target_that_cannot_be_entered_has_no_names(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    report = Report()
    assert read_lock(loop, report) == Lock()
    assert report.diagnostics == []
