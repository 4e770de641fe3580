"""Partial use: operations by tag, path and id, and what they need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

import pytest

from specloom.description.load import Access, Description, load
from specloom.description.selection import Rule, Selection
from specloom.description.validate import validate
from specloom.diagnostics import Origin
from specloom.lower.api import lower

from .desk import Desk

OK = "responses: {200: {description: ok, content: {application/json: {schema: {$ref: '#/%s'}}}}}"
API = f"""\
openapi: 3.1.0
info: {{title: T, version: '1'}}
paths:
  /pets:
    get: {{operationId: listPets, tags: [pets], {OK % "components/schemas/Pets"}}}
    post: {{operationId: addPet, tags: [pets, write], {OK % "components/schemas/Pet"}}}
  /pets/{{id}}/toys:
    get: {{operationId: listToys, tags: [toys], {OK % "components/schemas/Toy"}}}
  /shops: {{$ref: 'shops.yaml'}}
  x-note: hello
webhooks:
  sold: {{post: {{operationId: sold, tags: [write], responses: {{200: {{description: ok}}}}}}}}
components:
  schemas:
    Pets: {{type: array, items: {{$ref: '#/components/schemas/Pet'}}}}
    Pet:
      type: object
      properties: {{kind: {{type: string}}, owner: {{$ref: 'shops.yaml#/x-owner'}}}}
      discriminator: {{propertyName: kind}}
    Cat: {{allOf: [{{$ref: '#/components/schemas/Pet'}}, {{type: object}}]}}
    Toy:
      oneOf: [{{$ref: '#/components/schemas/Ball'}}]
      discriminator: {{propertyName: k, mapping: {{ball: Ball, rope: '#/components/schemas/Rope'}}}}
    Ball: {{type: object, properties: {{k: {{type: string}}}}}}
    Rope: {{type: object, properties: {{k: {{type: string}}}}}}
    Owner: {{type: object}}
    Shop: {{type: object, default: wrong}}
    Loop: {{properties: {{loop: {{$ref: '#/components/schemas/Loop'}}}}}}
  parameters:
    Limit: {{name: limit, in: query, schema: {{$ref: '#/components/schemas/Owner'}}}}
  securitySchemes:
    key: {{type: http, scheme: bearer}}
"""
SHOPS = f"""\
get:
  operationId: listShops
  tags: [shops]
  {OK % "x-shop"}
put: {{operationId: setShop, tags: [shops, write], responses: {{200: {{description: ok}}}}}}
parameters:
- $ref: 'api.yaml#/components/parameters/Limit'
x-shop: {{$ref: 'api.yaml#/components/schemas/Shop'}}
x-owner: {{$ref: 'api.yaml#/components/schemas/Owner'}}
"""
Key = Literal["tags", "paths", "operations"]
Names = dict[Key, list[str]]


def rules(include: Names | None = None, exclude: Names | None = None) -> Selection:
    """Return a selection."""
    tables: dict[Literal["include", "exclude"], Names] = {
        "include": include or {},
        "exclude": exclude or {},
    }
    return Selection(
        tuple(
            Rule(table, key, index, value)
            for table, named in tables.items()
            for key, values in named.items()
            for index, value in enumerate(values)
        )
    )


def selected(desk: Desk, selection: Selection, text: str = API) -> Description:
    """Load a part of a description."""
    desk.write({"api.yaml": text, "shops.yaml": SHOPS})
    access = Access()
    return load(desk.folder / "api.yaml", desk.report, access=access, selection=selection)


def operations(desk: Desk, description: Description) -> set[str]:
    """Return the ids of the operations that there are, without any errors."""
    api = lower([description], desk.report)
    assert not desk.report.failed, desk.said(description)
    return {operation.id or "" for operation in api.operations}


def names(description: Description, *path: str) -> list[str]:
    """Return the keys of a mapping of a description."""
    value: object = description.value
    for token in path:
        value = cast(Mapping[str, object], value).get(token, {})
    return list(cast(Mapping[str, object], value))


ALL = {"listPets", "addPet", "listToys", "listShops", "setShop"}


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (rules({"tags": ["pets"]}), {"listPets", "addPet"}),
        (rules({"tags": ["pets"]}, {"tags": ["write"]}), {"listPets"}),
        (rules(None, {"tags": ["write"]}), {"listPets", "listToys", "listShops"}),
        (rules({"tags": ["shops"], "operations": ["listToys"]}), ALL - {"listPets", "addPet"}),
        (rules({"operations": ["setShop"]}), {"setShop"}),
        (rules({"paths": ["/pets"]}), {"listPets", "addPet"}),
        (rules({"paths": ["/pets/*"]}), set[str]()),
        (rules({"paths": ["/pets/*/toys"]}), {"listToys"}),
        (rules({"paths": ["/pets/{id}/toy?"]}), {"listToys"}),
        (rules({"paths": ["/pets**"]}), {"listPets", "addPet", "listToys"}),
        (rules(None, {"paths": ["**"]}), set[str]()),
        (rules({"paths": ["/p.*"]}), set[str]()),
    ],
)
def test_operations(desk: Desk, selection: Selection, expected: set[str]) -> None:
    assert operations(desk, selected(desk, selection)) == expected


def test_what_is_not_needed_is_left_out(desk: Desk) -> None:
    description = selected(desk, rules({"operations": ["listPets"]}))
    assert names(description, "paths") == ["/pets", "x-note"]
    assert names(description, "paths", "/pets") == ["get"]
    assert names(description, "webhooks") == []
    assert names(description, "components", "schemas") == ["Pets", "Pet", "Cat", "Owner"]
    assert names(description, "components", "parameters") == []
    assert names(description, "components", "securitySchemes") == ["key"]


def test_the_mapping_of_a_discriminator_is_needed(desk: Desk) -> None:
    description = selected(desk, rules({"tags": ["toys"]}))
    assert names(description, "components", "schemas") == ["Toy", "Ball", "Rope"]


def test_a_part_of_a_path_in_another_file(desk: Desk) -> None:
    description = selected(desk, rules({"operations": ["listShops"]}))
    assert operations(desk, description) == {"listShops"}
    assert names(description, "components", "schemas") == ["Owner", "Shop"]
    (operation,) = lower([description], desk.report).operations
    assert [parameter.name for parameter in operation.parameters] == ["limit"]
    assert desk.where(description, "/paths/~1shops/get") == "shops.yaml:1:1"


def test_webhooks_are_chosen_too(desk: Desk) -> None:
    description = selected(desk, rules({"tags": ["write"]}))
    assert names(description, "webhooks") == ["sold"]
    assert names(selected(desk, rules(None, {"tags": ["pets"]})), "webhooks") == ["sold"]


def test_what_is_left_out_is_not_judged(desk: Desk) -> None:
    cache = desk.folder / "cache"
    for selection, count in ((rules({"tags": ["shops"]}), 1), (rules({"tags": ["toys"]}), 0)):
        desk.report.diagnostics.clear()
        for _ in range(2):
            validate(selected(desk, selection), desk.report, cache)
        found = [d for d in desk.report.diagnostics if d.code == "invalid-default"]
        assert len(found) == count


def test_positions_are_those_of_the_file(desk: Desk) -> None:
    description = selected(desk, rules({"tags": ["toys"]}))
    assert desk.where(description, "/components/schemas/Rope") == "api.yaml:25:5"
    pointer = "/paths/~1pets~1{id}~1toys/get/operationId"
    assert desk.where(description, pointer) == "api.yaml:8:11"


def test_swagger(desk: Desk) -> None:
    text = (
        "swagger: '2.0'\ninfo: {title: T, version: '1'}\npaths:\n"
        "  /a:\n    parameters: [{$ref: '#/parameters/P'}]\n"
        "    get: {tags: [a], responses: {200: {$ref: '#/responses/R'}}}\n"
        "  /b: {get: {tags: [b], responses: {200: {description: ok}}}}\n"
        "definitions: {D: {type: object}, E: {type: object}}\n"
        "parameters:\n  P: {name: p, in: query, type: string}\n"
        "  Q: {name: q, in: query, type: string}\n"
        "responses: {R: {description: ok, schema: {$ref: '#/definitions/D'}}}\n"
    )
    description = selected(desk, rules({"tags": ["a"]}), text)
    assert names(description, "paths") == ["/a"]
    assert names(description, "components", "schemas") == ["D"]
    assert names(description, "components", "parameters") == ["P"]
    assert names(description, "components", "responses") == ["R"]


def test_rules_that_name_nothing_are_known(desk: Desk) -> None:
    selection = rules({"tags": ["pets", "pests"]}, {"operations": ["listPets"]})
    selected(desk, selection)
    assert [rule.value for rule in selection.rules if rule not in selection.used] == ["pests"]


@pytest.mark.parametrize(
    "text", ["paths: 3", "paths: {/a: 3, /b: {get: 3}, /c: {$ref: '#/gone'}}", "components: 3"]
)
def test_nonsense_is_no_crash(desk: Desk, text: str) -> None:
    head = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n"
    description = selected(desk, rules({"tags": ["a"]}), f"{head}{text}\n")
    assert description.lookup(Origin("api.yaml", "/info/title")) == "T"


BESIDE = """\
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /shops:
    $ref: 'shops.yaml'
    get: {operationId: nearShops, tags: [near], responses: {200: {description: ok}}}
    post: {operationId: addShop, tags: [near, write], responses: {200: {description: ok}}}
components:
  schemas: {Owner: {type: object}, Shop: {type: object}, Pet: {type: object}}
  parameters: {Limit: {name: limit, in: query, schema: {type: integer}}}
"""


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (rules(), {"nearShops", "addShop", "setShop"}),
        (rules({"tags": ["near"]}), {"nearShops", "addShop"}),
        (rules({"tags": ["write"]}), {"addShop", "setShop"}),
        (rules({"operations": ["setShop"]}), {"setShop"}),
        (rules({"operations": ["nearShops"]}), {"nearShops"}),
        (rules({"operations": ["listShops"]}), set[str]()),
        (rules(None, {"tags": ["write"]}), {"nearShops"}),
    ],
)
def test_operations_beside_a_reference(
    desk: Desk, selection: Selection, expected: set[str]
) -> None:
    assert operations(desk, selected(desk, selection, BESIDE)) == expected


def test_the_default_of_a_mapping_is_needed(desk: Desk) -> None:
    mapping = "mapping: {ball: Ball, rope: '#/components/schemas/Rope'}"
    text = API.replace(mapping, "defaultMapping: Rope")
    description = selected(desk, rules({"tags": ["toys"]}), text)
    assert names(description, "components", "schemas") == ["Toy", "Ball", "Rope"]
