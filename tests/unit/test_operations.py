"""Parameters, bodies and responses: what becomes of what a description says of them."""

from __future__ import annotations

import pytest

from specloom import ir

from .make import Lowered, Plain, document, lowered, ref

OK: Plain = {"responses": {"200": {"description": "ok"}}}
STRING: Plain = {"type": "string"}
TEXT = ir.Primitive("string")


def api(path: str, item: Plain, **components: object) -> Lowered:
    """Return the API of one path item."""
    whole = document({}, {path: item})
    return lowered({**whole, "components": components})


def only(found: Lowered) -> ir.Operation:
    """Return the one operation of an API."""
    (operation,) = found.api.operations
    return operation


def parameters(*stated: Plain, path: str = "/a") -> tuple[Lowered, tuple[ir.Parameter, ...]]:
    """Return what an operation with these parameters becomes, and its parameters."""
    found = api(path, {"get": {**OK, "parameters": [*stated]}})
    return found, only(found).parameters


class TestStyles:
    @pytest.mark.parametrize(
        ("location", "stated", "written"),
        [
            ("path", {}, ir.Styled("simple", False)),
            ("query", {}, ir.Styled("form", True)),
            ("header", {}, ir.Styled("simple", False)),
            ("cookie", {}, ir.Styled("form", True)),
            ("cookie", {"style": "cookie"}, ir.Styled("cookie", True)),
            ("query", {"explode": False}, ir.Styled("form", False)),
            ("query", {"style": "pipeDelimited"}, ir.Styled("pipeDelimited", False)),
            ("query", {"style": "deepObject", "explode": False}, ir.Styled("deepObject", True)),
            ("query", {"allowReserved": True}, ir.Styled("form", True, reserved=True)),
            ("header", {"allowReserved": True}, ir.Styled("simple", False)),
            ("path", {"style": "matrix", "explode": True}, ir.Styled("matrix", True)),
        ],
    )
    def test_have_the_defaults_of_their_place(
        self, location: str, stated: Plain, written: ir.Written
    ) -> None:
        parameter = {"name": "p", "in": location, "schema": STRING, **stated}
        _, (made,) = parameters(parameter, path="/a/{p}" if location == "path" else "/a")
        assert (made.location, made.written) == (location, written)

    @pytest.mark.parametrize(("location", "style"), [("query", "simple"), ("header", "form")])
    def test_belong_to_places(self, location: str, style: str) -> None:
        found, (made,) = parameters({"name": "p", "in": location, "style": style, "schema": STRING})
        assert found.codes == ["invalid-style"]
        assert isinstance(made.written, ir.Styled)
        assert made.written.style != style

    @pytest.mark.parametrize(
        ("schema", "stated", "nests"),
        [
            ({"type": "array", "items": STRING}, {}, False),
            ({"type": "array", "items": {"type": "array", "items": STRING}}, {}, True),
            ({"type": "object", "properties": {"a": STRING}}, {}, False),
            ({"type": "object", "properties": {"a": {"type": "array"}}}, {}, True),
            ({"type": "object", "additionalProperties": {"type": "object"}}, {}, True),
            ({"anyOf": [STRING, {"type": "array", "items": {"type": "object"}}]}, {}, True),
            ({"type": "array", "items": {"type": "object"}}, {"style": "deepObject"}, False),
        ],
    )
    def test_have_one_level(self, schema: Plain, stated: Plain, nests: bool) -> None:
        found, _ = parameters({"name": "p", "in": "query", "schema": schema, **stated})
        assert ("undefined-style" in found.codes) == nests


class TestParameters:
    def test_are_documents_by_content(self) -> None:
        content = {"application/json": {"schema": {"type": "integer"}}}
        found, (made,) = parameters({"name": "p", "in": "query", "content": content})
        assert (made.type, made.written) == (
            ir.Primitive("integer"),
            ir.Encoded("application/json"),
        )
        assert found.codes == []

    def test_have_one_media_type(self) -> None:
        content = {"application/json": {"schema": STRING}, "text/plain": {"schema": STRING}}
        found, (made,) = parameters({"name": "p", "in": "query", "content": content})
        assert made.written == ir.Encoded("application/json")
        assert "second-content" in found.codes

    @pytest.mark.parametrize("name", ["Accept", "content-type", "AUTHORIZATION"])
    def test_are_ignored_where_the_specification_says_so(self, name: str) -> None:
        found, made = parameters({"name": name, "in": "header", "schema": STRING})
        assert (made, found.codes) == ((), ["ignored-header"])

    def test_may_be_empty_where_that_is_allowed(self) -> None:
        flag = {"name": "p", "in": "query", "allowEmptyValue": True}
        _, (made,) = parameters({**flag, "schema": {"type": "integer"}})
        assert made.type == ir.Union((ir.Primitive("integer"), ir.Literal((ir.constant(""),))))
        _, (made,) = parameters({**flag, "schema": STRING})
        assert made.type == TEXT

    def test_of_an_operation_override_headers_in_any_case(self) -> None:
        shared = {"name": "X-A", "in": "header", "schema": STRING}
        own = {"name": "x-a", "in": "header", "schema": {"type": "integer"}}
        found = api("/a", {"parameters": [shared], "get": {**OK, "parameters": [own]}})
        assert [(p.name, p.type) for p in only(found).parameters] == [
            ("x-a", ir.Primitive("integer"))
        ]

    def test_of_a_query_in_the_key_are_parameters_of_the_query(self) -> None:
        declared = {"name": "term", "in": "path", "required": True, "schema": STRING}
        found, (made,) = parameters(declared, path="/a?q={term}&fixed=1")
        assert (made.name, made.location, made.required) == ("q", "query", True)
        assert only(found).path == "/a?fixed=1"
        assert "undeclared-path-parameter" not in found.codes

    def test_have_a_place(self) -> None:
        found, made = parameters({"name": "p", "in": "body", "schema": STRING})
        assert made == ()
        assert "invalid-location" in found.codes

    def test_in_the_querystring_have_fields(self) -> None:
        form = {"schema": {"type": "object", "properties": {"a": {"type": "object"}}}}
        content = {
            "application/x-www-form-urlencoded": {
                **form,
                "encoding": {"a": {"style": "deepObject"}},
            }
        }
        _, (made,) = parameters({"name": "p", "in": "querystring", "content": content})
        deep = ir.Field("a", ir.Styled("deepObject", True))
        assert made.written == ir.Encoded("application/x-www-form-urlencoded", (deep,))


def body(content: Plain, **stated: object) -> tuple[Lowered, ir.RequestBody | None]:
    """Return what an operation with this body becomes, and the body."""
    found = api("/a", {"post": {**OK, "requestBody": {"content": content, **stated}}})
    return found, only(found).body


def contents(content: Plain) -> list[ir.Content]:
    """Return the forms of a request body."""
    _, made = body(content, required=True)
    assert made is not None
    return list(made.contents)


class TestContents:
    @pytest.mark.parametrize(
        ("media_type", "schema", "form"),
        [
            ("application/json", STRING, ir.Json),
            ("application/json", None, ir.Json),
            ("text/plain", {"type": "object"}, ir.Text),
            ("text/csv", {"type": "string", "format": "binary"}, ir.Binary),
            ("application/x-unknown", STRING, ir.Text),
            ("application/x-unknown", {"type": "string", "format": "binary"}, ir.Binary),
            ("application/x-unknown", None, ir.Binary),
            ("image/png", {"contentMediaType": "image/png"}, ir.Binary),
            ("image/png", {"type": "string", "contentEncoding": "base64"}, ir.Text),
            ("*/*", {"type": "object", "properties": {"a": STRING}}, ir.Json),
            ("*/*", STRING, ir.Text),
            ("*/*", {"type": "string", "format": "binary"}, ir.Binary),
            ("*/*", None, ir.Binary),
            ("text/event-stream", STRING, ir.Text),
        ],
    )
    def test_follow_media_type_and_schema(
        self, media_type: str, schema: Plain | None, form: type[object]
    ) -> None:
        (made,) = contents({media_type: {} if schema is None else {"schema": schema}})
        assert type(made) is form

    def test_that_say_the_same_are_one(self) -> None:
        media = {"schema": {"type": "object", "properties": {"a": STRING}}}
        names = ["application/*+json", "text/json", "application/json; charset=utf-8"]
        (made,) = contents({**dict.fromkeys(names, media), "application/json": media})
        assert made.media_type == "application/json"
        assert len(contents({"text/plain": {}, "text/*": {}})) == 1
        assert len(contents({"image/png": {}, "image/jpeg": {}})) == 2
        other = {"schema": {"type": "integer"}}
        assert len(contents({"application/json": media, "text/json": other})) == 2

    def test_with_one_schema_have_one_type(self) -> None:
        media = {"schema": {"type": "object", "properties": {"a": STRING}}}
        json, form = contents({"application/json": media, "multipart/form-data": media})
        assert isinstance(json, ir.Json)
        assert isinstance(form, ir.Multipart)
        assert json.type == form.type

    @pytest.mark.parametrize("media_type", ["json", "undefined", "examples"])
    def test_have_media_types(self, media_type: str) -> None:
        found, made = body({media_type: {"schema": STRING}})
        assert made is None
        assert "invalid-media-type" in found.codes

    def test_whose_structure_is_lost_are_reported(self) -> None:
        thing = {"schema": {"type": "object", "properties": {"a": STRING}}}
        assert "untyped-body" in body({"application/xml": thing})[0].codes
        assert "untyped-body" in body({"application/cbor": thing})[0].codes
        both = {"application/xml": thing, "application/json": thing}
        assert "untyped-body" not in body(both)[0].codes
        assert "untyped-body" not in body({"application/xml": {"schema": STRING}})[0].codes


NEEDS: Plain = {
    "application/json": {
        "schema": {"type": "object", "required": ["a"], "properties": {"a": STRING}}
    }
}


class TestRequired:
    def test_is_assumed_where_properties_are(self) -> None:
        found, made = body(NEEDS)
        assert made is not None and made.required
        assert found.codes == ["optional-body"]

    def test_is_not_where_the_author_says_otherwise(self) -> None:
        found, made = body(NEEDS, required=False)
        assert made is not None and not made.required
        assert found.codes == []

    def test_is_not_where_nothing_is_needed(self) -> None:
        found, made = body({"application/json": {"schema": {"type": "array", "items": STRING}}})
        assert made is not None and not made.required
        assert found.codes == []

    def test_a_body_that_can_hold_nothing_is_none(self) -> None:
        empty = {"application/json": {"schema": {"type": "object", "additionalProperties": False}}}
        assert body(empty)[1] is None
        made = body(empty, required=True)[1]
        assert made is not None and made.required


class TestFields:
    def fields(self, properties: Plain, encoding: Plain, kind: str) -> dict[str, ir.Field]:
        media = {"schema": {"type": "object", "properties": properties}, "encoding": encoding}
        (made,) = contents({kind: media})
        assert isinstance(made, ir.Form | ir.Multipart)
        return {field.name: field for field in made.fields}

    @pytest.mark.parametrize(
        ("schema", "encoding", "is_file"),
        [
            ({"type": "string", "format": "binary"}, {}, True),
            ({"type": ["string", "null"], "format": "binary"}, {}, True),
            ({"type": "array", "items": {"type": "string", "format": "binary"}}, {}, True),
            ({"type": "string", "contentMediaType": "image/png"}, {}, True),
            ({"type": "string", "contentEncoding": "base64"}, {}, False),
            ({"type": "string"}, {"contentType": "image/png"}, True),
            ({"type": "string"}, {"contentType": "text/csv"}, False),
            ({}, {"contentType": "image/png, image/jpeg"}, True),
            ({}, {}, False),
            ({"type": "object"}, {"contentType": "application/octet-stream"}, False),
        ],
    )
    def test_that_are_files(self, schema: Plain, encoding: Plain, is_file: bool) -> None:
        made = self.fields({"a": schema}, {"a": encoding}, "multipart/form-data")
        assert ("a" in made and made["a"].file) == is_file

    def test_of_forms_without_files_are_none(self) -> None:
        schema = {"type": "string", "format": "binary"}
        assert self.fields({"a": schema}, {}, "application/x-www-form-urlencoded") == {}

    def test_have_a_style_only_where_one_is_stated(self) -> None:
        made = self.fields(
            {"a": STRING, "b": STRING, "c": STRING},
            {"a": {"explode": False}, "b": {"contentType": "application/json"}},
            "application/x-www-form-urlencoded",
        )
        assert made == {
            "a": ir.Field("a", ir.Styled("form", False)),
            "b": ir.Field("b", media_types=("application/json",)),
        }

    def test_have_headers_in_parts_alone(self) -> None:
        encoding = {"a": {"headers": {"X-A": {"schema": STRING}, "Content-Type": {}}}}
        made = self.fields({"a": STRING}, encoding, "multipart/form-data")
        assert [header.name for header in made["a"].headers] == ["X-A"]
        assert self.fields({"a": STRING}, encoding, "application/x-www-form-urlencoded") == {}

    def test_speak_of_properties(self) -> None:
        form = {"schema": {"type": "object", "properties": {"a": STRING}}}
        found, _ = body({"multipart/form-data": {**form, "encoding": {"b": {"style": "form"}}}})
        assert "unused-encoding" in found.codes


class TestResponses:
    def test_have_one_model_of_headers_for_equal_ones(self) -> None:
        def headers(*names: str) -> Plain:
            return {name: {"schema": {"type": "integer"}} for name in names}

        responses = {
            "200": {"description": "ok", "headers": headers("X-Rate-Left", "X-Rate-Reset")},
            "404": {"description": "no", "headers": headers("x-rate-reset", "x-rate-left")},
            "409": {"description": "no", "headers": headers("ETag")},
            "500": {"description": "no", "headers": {"Content-Type": {"schema": STRING}}},
        }
        found = api("/a", {"get": {"responses": responses}})
        first, second, third, fourth = (r.headers for r in only(found).responses)
        assert first == second
        assert first is not None and third is not None
        assert fourth is None
        model = found.api.types[first.target]
        assert model.place == ir.Component("rate headers")
        assert isinstance(found.api.types[third.target].place, ir.Inline)
        assert first.target in found.api.read

    def test_are_in_several_forms(self) -> None:
        content = {"text/plain": {}, "application/json": {"schema": STRING}, "image/*": {}}
        found = api("/a", {"get": {"responses": {"200": {"description": "", "content": content}}}})
        (response,) = only(found).responses
        assert [type(each) for each in response.contents] == [ir.Json, ir.Text, ir.Binary]

    def test_follow_references(self) -> None:
        responses = {"200": {"$ref": "#/components/responses/R"}}
        stated = {"description": "r", "content": {"application/json": {"schema": ref("S")}}}
        found = api(
            "/a",
            {"get": {"responses": responses}},
            responses={"R": stated},
            schemas={"S": {"type": "object", "properties": {"a": STRING}}},
        )
        (type_,) = ir.received(only(found))
        assert isinstance(type_, ir.Ref)
        assert found.component("S").id == type_.target


def test_a_parameter_in_no_place_is_left_out_and_named() -> None:
    nowhere: list[Plain] = [
        {"name": "a", "in": dict[str, str](), "schema": STRING},
        {"name": "b", "in": list[str](), "schema": STRING},
    ]
    found = lowered(document({}, {"/a": {"get": {**OK, "parameters": nowhere}}}))
    assert found.api.operations[0].parameters == ()
    assert len(found.codes) == 2
