"""Swagger 2.0: what each of its own ways becomes, and where it is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from openapi_spec_validator import OpenAPIV30SpecValidator

from specloom.description.load import Description, load
from specloom.description.values import is_mapping
from specloom.diagnostics import Origin, Report

from .desk import Desk

API = """\
swagger: '2.0'
info: {title: T, version: '1'}
host: api.example.com
basePath: /v1/
schemes: [https, http]
consumes: [application/json]
produces: [application/json, application/xml]
x-own: kept
paths:
  /pets/{id}:
    parameters:
      - {name: id, in: path, required: true, type: integer, format: int64, x-example: 3}
      - $ref: '#/parameters/Limit'
    get:
      operationId: getPet
      parameters:
        - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: multi}
        - {name: ids, in: query, type: array, items: {type: integer}}
        - {name: pipes, in: query, type: array, items: {type: string}, collectionFormat: pipes}
        - {name: X-List, in: header, type: array, items: {type: string}, collectionFormat: multi}
      responses:
        200:
          description: ok
          schema: {$ref: '#/definitions/Pet'}
          headers:
            X-Rate: {type: integer, description: left, x-nullable: true}
          examples: {application/json: {id: 1}}
        404: {$ref: '#/responses/Missing'}
    put:
      schemes: [http]
      consumes: [application/json, text/plain]
      parameters:
        - {name: b, in: body, description: a pet, required: true, schema: {$ref: '#/definitions/Pet'}}
      responses: {204: {description: done}}
    patch:
      parameters: [{$ref: '#/parameters/Body'}]
      responses: {204: {description: done}}
  /upload:
    post:
      consumes: [multipart/form-data]
      produces: [application/pdf]
      parameters:
        - {name: file, in: formData, type: file, required: true, description: the file}
        - {name: labels, in: formData, type: array, items: {type: string}, collectionFormat: multi}
      responses: {200: {description: ok, schema: {type: file}}}
  /form:
    parameters: [{name: shared, in: formData, type: string}]
    post:
      consumes: [application/x-www-form-urlencoded]
      parameters: [{name: own, in: formData, type: integer, default: 1}]
      responses: {200: {description: ok}}
parameters:
  Limit: {name: limit, in: query, type: integer, maximum: 10}
  Body: {name: body, in: body, schema: {$ref: '#/definitions/Pet'}}
responses:
  Missing: {description: no, schema: {type: string}}
definitions:
  Pet:
    type: object
    discriminator: kind
    required: [kind]
    properties:
      kind: {type: string}
      discriminator: {type: string}
      more: {type: array, items: {discriminator: z, type: object}}
      note: {type: string, x-nullable: true}
securityDefinitions:
  basic: {type: basic, description: b}
  key: {type: apiKey, in: header, name: X-Key}
  code: {type: oauth2, flow: accessCode, authorizationUrl: 'https://a', tokenUrl: 'https://t', scopes: {r: read}}
  app: {type: oauth2, flow: application, tokenUrl: 'https://t', scopes: {}}
security: [{key: []}]
"""  # noqa: E501


def part(description: Description, *path: str | int) -> object:
    """Return a part of the upgraded description."""
    origin = Origin(description.entry)
    for token in path:
        origin /= token
    return description.lookup(origin)


@pytest.fixture
def description(desk: Desk) -> Description:
    """The upgraded description."""
    loaded = desk.loads(API)
    assert desk.said(loaded) == []
    return loaded


def test_the_root(description: Description) -> None:
    assert description.version == "2.0"
    assert list(description.value) == [
        "openapi", "info", "x-own", "security", "servers", "paths", "components",
    ]  # fmt: skip
    assert description.value["servers"] == [
        {"url": "https://api.example.com/v1"},
        {"url": "http://api.example.com/v1"},
    ]


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("host: a.b", ["https://a.b"]),
        ("host: a.b\nbasePath: /", ["https://a.b"]),
        ("basePath: /v2", ["/v2"]),
        ("basePath: /", ["/"]),
        ("schemes: [https]", None),
    ],
)
def test_servers(desk: Desk, text: str, urls: list[str] | None) -> None:
    servers = desk.loads(f"swagger: 2.0\n{text}\npaths: {{}}\n").value.get("servers")
    assert servers == (None if urls is None else [{"url": url} for url in urls])


def test_parameters(description: Description) -> None:
    assert part(description, "paths", "/pets/{id}", "parameters") == [
        {
            "name": "id",
            "in": "path",
            "required": True,
            "x-example": 3,
            "schema": {"type": "integer", "format": "int64"},
        },
        {"$ref": "#/parameters/Limit"},
    ]
    parameters = ("paths", "/pets/{id}", "get", "parameters")
    assert part(description, *parameters, 0) == {
        "name": "tags",
        "in": "query",
        "schema": {"type": "array", "items": {"type": "string"}},
        "style": "form",
        "explode": True,
    }
    styles = [(part(description, *parameters, i, "style"), i) for i in range(1, 4)]
    assert styles == [("form", 1), ("pipeDelimited", 2), ("simple", 3)]
    assert part(description, *parameters, 1, "explode") is False


def test_bodies(desk: Desk, description: Description) -> None:
    schema = {"schema": {"$ref": "#/definitions/Pet"}}
    assert part(description, "paths", "/pets/{id}", "put", "requestBody") == {
        "description": "a pet",
        "required": True,
        "content": {"application/json": schema, "text/plain": schema},
    }
    assert part(description, "paths", "/pets/{id}", "put", "parameters") == []
    servers = part(description, "paths", "/pets/{id}", "put", "servers")
    assert servers == [{"url": "http://api.example.com/v1"}]
    reference = part(description, "paths", "/pets/{id}", "patch", "requestBody")
    assert reference == {"$ref": "#/parameters/Body"}
    target = desk.follow(description, "#/parameters/Body")
    assert target == Origin("api.yaml", "/components/requestBodies/Body")
    assert description.lookup(target) == {"content": {"application/json": schema}}


def test_forms(description: Description) -> None:
    assert part(description, "paths", "/upload", "post", "requestBody") == {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "file": {"type": "string", "format": "binary", "description": "the file"},
                        "labels": {"type": "array", "items": {"type": "string"}},
                    },
                    "required": ["file"],
                },
                "encoding": {"labels": {"style": "form", "explode": True}},
            }
        },
    }
    assert part(description, "paths", "/form", "post", "requestBody") == {
        "required": False,
        "content": {
            "application/x-www-form-urlencoded": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "shared": {"type": "string"},
                        "own": {"type": "integer", "default": 1},
                    },
                }
            }
        },
    }


def test_responses(desk: Desk, description: Description) -> None:
    assert part(description, "paths", "/pets/{id}", "get", "responses", 200) == {
        "description": "ok",
        "content": {
            "application/json": {"schema": {"$ref": "#/definitions/Pet"}, "example": {"id": 1}},
            "application/xml": {"schema": {"$ref": "#/definitions/Pet"}},
        },
        "headers": {
            "X-Rate": {"description": "left", "schema": {"type": "integer", "x-nullable": True}}
        },
    }
    assert part(description, "paths", "/upload", "post", "responses", 200, "content") == {
        "application/pdf": {"schema": {"type": "string", "format": "binary"}}
    }
    missing = desk.follow(description, "#/responses/Missing")
    assert missing == Origin("api.yaml", "/components/responses/Missing")
    content = description.lookup(missing / "content")
    assert content == {
        "application/json": {"schema": {"type": "string"}},
        "application/xml": {"schema": {"type": "string"}},
    }


def test_schemas(desk: Desk, description: Description) -> None:
    pet = desk.follow(description, "#/definitions/Pet")
    assert pet == Origin("api.yaml", "/components/schemas/Pet")
    assert pet == desk.follow(description, "#/components/schemas/Pet")
    assert description.lookup(pet / "discriminator") == {"propertyName": "kind"}
    properties = pet / "properties"
    assert description.lookup(properties / "discriminator") == {"type": "string"}
    nested = description.lookup(properties / "more" / "items" / "discriminator")
    assert nested == {"propertyName": "z"}
    kind = desk.follow(description, "#/definitions/Pet/properties/kind")
    assert kind == properties / "kind"


def test_security(description: Description) -> None:
    assert part(description, "components", "securitySchemes") == {
        "basic": {"type": "http", "scheme": "basic", "description": "b"},
        "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "code": {
            "type": "oauth2",
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": "https://a",
                    "tokenUrl": "https://t",
                    "scopes": {"r": "read"},
                }
            },
        },
        "app": {
            "type": "oauth2",
            "flows": {"clientCredentials": {"tokenUrl": "https://t", "scopes": {}}},
        },
    }


@pytest.mark.parametrize(
    ("pointer", "written"),
    [
        ("/servers/0/url", "host: api"),
        ("/components/schemas/Pet/properties/note", "note: {type"),
        ("/components/schemas/Pet/properties/more/items/discriminator", "discriminator: z"),
        ("/components/parameters/Limit/schema/maximum", "maximum: 10"),
        ("/components/requestBodies/Body", "Body: {name"),
        ("/components/responses/Missing/content/application~1xml", "schema: {type: string}}"),
        ("/components/securitySchemes/basic/scheme", "type: basic"),
        ("/components/securitySchemes/code/flows/authorizationCode/scopes/r", "r: read"),
        ("/paths/~1pets~1{id}/parameters/0/schema/format", "format: int64"),
        ("/paths/~1pets~1{id}/get/responses/200/content/application~1json/schema/$ref", "$ref: "),
        ("/paths/~1pets~1{id}/get/responses/200/headers/X-Rate/schema/type", "type: integer, desc"),
        ("/paths/~1pets~1{id}/put/requestBody/content/text~1plain/schema", "schema: {$ref"),
        ("/paths/~1upload/post/requestBody", "{name: file"),
    ],
)  # fmt: skip
def test_everything_is_written_where_its_author_wrote_it(
    description: Description, pointer: str, written: str
) -> None:
    position = description.position(Origin("api.yaml", pointer))
    line = API.splitlines()[position.line - 1]
    assert line[position.column - 1 :].startswith(written)


def test_overlays_speak_of_the_document_as_it_is_written(desk: Desk) -> None:
    action = "- {target: $.definitions, update: {New: {type: object}}}"
    desk.write({"patch.yaml": f"overlay: 1.0.0\nactions:\n{action}\n"})
    description = desk.loads(API, "patch.yaml")
    assert part(description, "components", "schemas", "New") == {"type": "object"}
    assert desk.where(description, "/components/schemas/New/type") == "patch.yaml:3:42"


def test_parts_in_other_files(desk: Desk) -> None:
    desk.write(
        {
            "api.yaml": "swagger: '2.0'\npaths:\n  /a: {$ref: 'paths/a.yaml'}\n"
            "  /b:\n    parameters: [{$ref: 'shared.yaml#/Key'}]\n"
            "    get: {responses: {200: {$ref: 'shared.yaml#/Ok'}}}\n",
            "paths/a.yaml": "post:\n  parameters: [{$ref: '../shared.yaml#/Body'}]\n"
            "  responses: {200: {description: ok, schema: {$ref: '../shared.yaml#/Thing'}}}\n",
            "shared.yaml": "Body: {name: b, in: body, schema: {$ref: '#/Thing'}}\n"
            "Key: {name: k, in: query, type: string}\n"
            "Ok: {description: ok, schema: {$ref: '#/Thing'}}\n"
            "Thing: {type: object}\n",
        }
    )
    description = desk.load()
    assert desk.said(description) == []
    media = {"application/json": {"schema": {"$ref": "shared.yaml#/Thing"}}}
    assert part(description, "paths", "/a", "post", "requestBody") == {"content": media}
    assert part(description, "paths", "/a", "post", "responses", 200, "content") == media
    assert part(description, "paths", "/b", "get", "responses", 200, "content") == media
    key = part(description, "paths", "/b", "parameters", 0)
    assert key == {"name": "k", "in": "query", "schema": {"type": "string"}}
    assert desk.where(description, "/paths/~1b/parameters/0/schema/type") == "shared.yaml:2:27"
    where = desk.where(description, "/paths/~1a/post/responses/200/content")
    assert where == "paths/a.yaml:3:38"


def test_two_bodies_are_reported(desk: Desk) -> None:
    bodies = "{name: a, in: body, schema: {}}, {name: b, in: body, schema: {}}"
    description = desk.loads(
        f"swagger: '2.0'\npaths: {{/a: {{post: {{parameters: [{bodies}], responses: {{}}}}}}}}\n"
    )
    (said,) = desk.said(description)
    assert said.splitlines()[0].endswith(
        "warning[second-body]: a request has one body, so this parameter is left out"
    )


def test_a_format_without_counterpart_is_reported(desk: Desk) -> None:
    parameter = "{name: a, in: query, type: array, items: {}, collectionFormat: xsv}"
    description = desk.loads(f"swagger: '2.0'\nparameters:\n  A: {parameter}\n")
    assert desk.said(description) == [
        "api.yaml:3:51: warning[collection-format]:"
        " the collectionFormat 'xsv' has no counterpart; commas are used"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "paths: 3",
        "paths: {/a: 3, /b: {get: 3}, /c: {parameters: 3, get: {parameters: {}, responses: 3}}}",
        "paths: {/a: {get: {parameters: [3, {$ref: '#/gone'}, {$ref: 3}], responses: {200: 3}}}}",
        "paths: {/a: {post: {parameters: [{in: body}, {in: formData}]}}}",
        "definitions: 3\nparameters: []\nresponses: x",
        "securityDefinitions: {a: 3, b: {type: oauth2}}",
        "parameters: {A: 3, B: {$ref: '#/parameters/B'}, C: {in: query}}",
        "paths: {/a: {$ref: '#/paths/~1a'}, /b: {$ref: '#/paths/~1c'}, /c: {$ref: '#/paths/~1b'}}",
        "host: 3\nbasePath: []\nschemes: {}\nconsumes: 3\nproduces: [3]",
        "responses: {A: {description: x, schema: 3, headers: 3, examples: 3}}",
    ],
)
def test_nonsense_is_no_crash(desk: Desk, text: str) -> None:
    desk.loads(f"swagger: '2.0'\n{text}\n")


@pytest.mark.parametrize("entry", ["weaviate/schema.json", "docker-engine/swagger.yaml"])
def test_a_real_description_becomes_a_valid_one(shared: Path, entry: str) -> None:
    report = Report()
    text = json.dumps(load(shared / "corpus" / entry, report).value)
    text = text.replace('"#/definitions/', '"#/components/schemas/')
    for section in ("parameters", "responses"):
        text = text.replace(f'"#/{section}/', f'"#/components/{section}/')
    rules = OpenAPIV30SpecValidator.schema_validator
    sections = {error.path[0] for error in rules.iter_errors(json.loads(text))}
    # What its authors have wrong in schemas stays wrong; all that was reshaped is right.
    assert sections <= {"components"}
    assert report.diagnostics == []


def test_an_operation_has_media_types_of_its_own(desk: Desk) -> None:
    desk.write({"more.yaml": "Far: {description: far, schema: {$ref: '#/Thing'}}\nThing: {}\n"})
    description = desk.loads(
        "swagger: '2.0'\nconsumes: [application/json]\nproduces: [application/json]\n"
        "paths:\n"
        "  /a:\n"
        "    parameters: [{$ref: '#/parameters/Body'}]\n"
        "    put: {responses: {200: {$ref: '#/responses/Ok'}}}\n"
        "    post:\n"
        "      consumes: [text/plain]\n"
        "      produces: [text/csv]\n"
        "      responses: {200: {$ref: '#/responses/Ok'}, 404: {$ref: '#/responses/Far'}}\n"
        "parameters: {Body: {name: b, in: body, schema: {type: string}}}\n"
        "responses:\n"
        "  Ok: {description: ok, schema: {type: string}}\n"
        "  Far: {$ref: 'more.yaml#/Far'}\n"
    )
    put, post = (part(description, "paths", "/a", method) for method in ("put", "post"))
    assert is_mapping(put) and is_mapping(post)
    assert put["requestBody"] == {"$ref": "#/parameters/Body"}
    assert put["responses"] == {"200": {"$ref": "#/responses/Ok"}}
    assert post["requestBody"] == {"content": {"text/plain": {"schema": {"type": "string"}}}}
    assert post["responses"] == {
        "200": {"description": "ok", "content": {"text/csv": {"schema": {"type": "string"}}}},
        "404": {
            "description": "far",
            "content": {"text/csv": {"schema": {"$ref": "more.yaml#/Thing"}}},
        },
    }
    where = desk.where(description, "/paths/~1a/post/responses/200/content/text~1csv")
    assert where == "api.yaml:14:25"


def test_the_server_with_encryption_comes_first(desk: Desk) -> None:
    description = desk.loads("swagger: '2.0'\nhost: h\nschemes: [http, wss, https]\npaths: {}\n")
    servers = description.value["servers"]
    assert servers == [{"url": "https://h"}, {"url": "http://h"}]
    (line,) = desk.said(description)
    assert "api.yaml:3:17: warning[unsupported-scheme]: clients speak http and https" in line
