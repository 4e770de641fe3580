"""References: every way to spell one, and where they may not lead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specloom.description import refs
from specloom.diagnostics import Origin, Report

from .desk import Desk

ENTRY = Origin("api.yaml")
API = """\
openapi: 3.1.0
paths:
  /w/{id}:
    get: {responses: {200: {description: ok}}}
  /alias: {$ref: '#/components/pathItems/Shared'}
components:
  pathItems:
    Shared: {get: {operationId: shared}}
  schemas:
    Leaf: {type: object, properties: {a/b: {type: string}}}
    Page[Leaf]: {type: object}
    in/out: {type: object}
    til~de: {type: object}
    With Space: {type: object}
    Foo«Bar»: {type: object}
    Pct%25: {type: object}
    100%: {type: object}
    A: {$ref: '#/components/schemas/B'}
    B: {$ref: '#/components/schemas/A'}
    Self: {$ref: '#/components/schemas/Self'}
    List: {anyOf: [{type: string}, {type: object, title: second}]}
"""


@pytest.mark.parametrize(
    ("ref", "path"),
    [
        ("#", ""),
        ("", ""),
        ("#/components/schemas/Leaf", "/components/schemas/Leaf"),
        ("#/components/schemas/Page%5BLeaf%5D", "/components/schemas/Page[Leaf]"),
        ("#/components/schemas/Page[Leaf]", "/components/schemas/Page[Leaf]"),
        ("#/components/schemas/in~1out", "/components/schemas/in~1out"),
        ("#/components/schemas/in%7E1out", "/components/schemas/in~1out"),
        ("#/components/schemas/til~0de", "/components/schemas/til~0de"),
        ("#/components/schemas/With%20Space", "/components/schemas/With Space"),
        ("#/components/schemas/With Space", "/components/schemas/With Space"),
        ("#/components/schemas/Foo%C2%ABBar%C2%BB", "/components/schemas/Foo«Bar»"),
        ("#/components/schemas/Pct%2525", "/components/schemas/Pct%25"),
        ("#/components/schemas/Pct%25", "/components/schemas/Pct%25"),
        ("#/components/schemas/100%", "/components/schemas/100%"),
        ("#/components/schemas/100%25", "/components/schemas/100%"),
        ("#/components/schemas/List/anyOf/1", "/components/schemas/List/anyOf/1"),
        ("#/components/schemas/A", "/components/schemas/A"),
        ("api.yaml#/components/schemas/A", "/components/schemas/A"),
        ("./api.yaml#/components/schemas/A", "/components/schemas/A"),
        ("sub/../api.yaml#/components/schemas/A", "/components/schemas/A"),
        ("#/components/schemas/Leaf/properties/a~1b", "/components/schemas/Leaf/properties/a~1b"),
        ("#/paths/~1w~1%7Bid%7D/get/responses/200", "/paths/~1w~1{id}/get/responses/200"),
        ("#/paths/~1alias/get", "/components/pathItems/Shared/get"),
        ("#/paths/~1alias/get/operationId", "/components/pathItems/Shared/get/operationId"),
    ],
)
def test_one_target_is_one_origin(desk: Desk, ref: str, path: str) -> None:
    expected = Origin("api.yaml", path)
    description = desk.loads(API)
    assert description.resolve(ref, ENTRY / "x" / "$ref") == expected
    description.lookup(expected)


@pytest.mark.parametrize(
    ("ref", "message"),
    [
        ("#/components/schemas/Laef", "leads nowhere; did you mean 'Leaf'?"),
        ("#/components/schemas/Zzz", "leads nowhere"),
        ("#/gone/schemas/Leaf", "leads nowhere"),
        ("#/components/schemas/List/anyOf/2", "leads nowhere"),
        ("#/components/schemas/List/anyOf/01", "leads nowhere"),
        ("#/components/schemas/List/anyOf/-", "leads nowhere"),
        ("#/components/schemas/A/properties", "leads nowhere"),
        ("#/components/schemas/Self/properties", "leads nowhere"),
        ("#/openapi/x", "leads nowhere"),
        ("#components/schemas/Leaf", "leads nowhere"),
    ],
)
def test_a_reference_to_nowhere_is_reported_at_its_place(
    desk: Desk, ref: str, message: str
) -> None:
    description = desk.loads(API + f"x: {{$ref: '{ref}'}}\n")
    assert description.resolve(ref, ENTRY / "x") is None
    assert desk.said() == []
    assert description.target(ref, ENTRY / "x" / "$ref", desk.report) is None
    assert desk.said(description) == [
        f"api.yaml:22:5: error[dangling-reference]: '{ref}' {message}"
    ]


FILES = {
    "api.yaml": "openapi: 3.0.3\na: {$ref: 'schemas/pet.yaml#/Pet'}\n",
    "schemas/pet.yaml": "Pet: {$ref: '../common.json#/definitions/Base'}\nOwn: {$ref: '#/Pet'}\n",
    "common.json": '{"definitions": {\n "Base": {"$ref": "schemas/with space.yaml"}}}',
    "schemas/with space.yaml": "type: object\nback: {$ref: ../api.yaml}\n",
}


def test_references_across_files_and_folders(desk: Desk) -> None:
    desk.write(FILES)
    description = desk.load()

    def follow(ref: str, at: Origin) -> Origin:
        found = description.resolve(ref, at)
        assert found is not None
        return found

    pet = follow("schemas/pet.yaml#/Pet", ENTRY / "a" / "$ref")
    assert pet == Origin("schemas/pet.yaml", "/Pet")
    assert follow("#/Pet", Origin("schemas/pet.yaml", "/Own/$ref")) == pet
    base = follow("../common.json#/definitions/Base", pet / "$ref")
    assert base == Origin("common.json", "/definitions/Base")
    space = follow("schemas/with%20space.yaml", base / "$ref")
    assert space == follow("schemas/with space.yaml#", base / "$ref")
    assert space == Origin("schemas/with space.yaml")
    assert description.lookup(space / "type") == "object"
    assert follow("../api.yaml", space / "back" / "$ref") == ENTRY
    assert desk.where(description, "/definitions/Base", "common.json") == "common.json:2:2"
    absolute = f"{desk.folder}/common.json#/definitions/Base"
    assert follow(absolute, pet) == base
    assert follow(f"file://{absolute}", pet) == base


def test_windows_separators_are_understood(desk: Desk) -> None:
    desk.write(FILES)
    found = desk.load().resolve("schemas\\pet.yaml#/Pet", ENTRY)
    assert found == Origin("schemas/pet.yaml", "/Pet")


def test_a_missing_file_is_reported_where_it_is_referenced(desk: Desk) -> None:
    description = desk.loads("openapi: 3.0.3\na: {$ref: 'x/gone.yaml#/A'}\n")
    at = ENTRY / "a" / "$ref"
    assert description.target("x/gone.yaml#/A", at, desk.report) is None
    assert desk.said(description) == [
        "api.yaml:2:5: error[missing-file]: 'x/gone.yaml#/A' leads nowhere:"
        " the file 'x/gone.yaml' does not exist"
    ]


def test_a_broken_file_is_reported_once_at_the_break(desk: Desk) -> None:
    desk.write({"b.yaml": "a: b: c\n"})
    description = desk.loads("openapi: 3.0.3\na: {$ref: b.yaml}\nc: {$ref: 'b.yaml#/x'}\n")
    assert description.target("b.yaml", ENTRY / "a", desk.report) is None
    assert description.target("b.yaml#/x", ENTRY / "c", desk.report) is None
    assert desk.said(description) == [
        "b.yaml:1:5: error[invalid-yaml]: mapping values are not allowed in this context;"
        " quote a text that contains ': '"
    ]


def test_what_is_odd_in_another_file_is_reported_when_it_is_read(desk: Desk) -> None:
    desk.write({"b.yaml": "a: 1\na: 2\n"})
    description = desk.loads("openapi: 3.0.3\nx: {$ref: b.yaml}\n")
    assert desk.said() == []
    assert description.resolve("b.yaml", ENTRY / "x") == Origin("b.yaml")
    assert [d.code for d in desk.report.diagnostics] == ["duplicate-key"]


def test_no_reference_leaves_the_folder_unless_allowed(desk: Desk) -> None:
    desk.write({"in/api.yaml": "openapi: 3.0.3\n", "out.yaml": "a: 1\n"})
    (desk.folder / "in/link.yaml").symlink_to("../out.yaml")
    for ref in ("../out.yaml", "link.yaml", f"{desk.folder}/out.yaml"):
        description = desk.load(entry="in/api.yaml")
        assert description.target(ref, ENTRY, desk.report) is None
        (diagnostic,) = desk.report.diagnostics
        assert diagnostic.code == "outside-reference"
        desk.report = Report()
        description = desk.load(entry="in/api.yaml", outside=True)
        assert description.resolve(ref, ENTRY) == Origin("../out.yaml")


def test_remote_references_are_not_followed(desk: Desk) -> None:
    description = desk.loads("openapi: 3.0.3\n")
    assert description.target("https://example.com/a.yaml#/A", ENTRY, desk.report) is None
    assert [d.code for d in desk.report.diagnostics] == ["remote-reference"]


NAMES = st.text(alphabet="abé/~%01 «[", min_size=1, max_size=6)


@given(st.lists(NAMES, max_size=4))
def test_pointers_are_spelled_one_way(path: list[str]) -> None:
    pointer = refs.pointer(tuple(path))
    assert refs.tokens(pointer) == tuple(path)
    assert refs.pointer(refs.tokens(pointer)) == pointer


@given(st.text(alphabet="abc#/~%2F:.\\[]@?& éﬀ", max_size=20))
def test_no_reference_is_a_crash(ref: str) -> None:
    target = refs.target(ref, "sub/api.yaml")
    assert refs.pointers(target.fragment)
