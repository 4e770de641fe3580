"""Models in four styles: what they accept, and what is said of what a style cannot express."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, cast, get_args, get_type_hints

import pytest
from pydantic import ValidationError

from specloom.config import Config
from specloom.diagnostics import Report, Stop
from specloom.lock import EMPTY
from specloom.models import make
from specloom.models.styles import Style

from .make import Plain, document, lowered, operation, ref
from .models import STYLES, decoder, imported, made, used

each_style = pytest.mark.parametrize("style", STYLES)
READ: tuple[Style, ...] = ("pydantic", "msgspec")
each_reader = pytest.mark.parametrize("style", READ)

STRING: Plain = {"type": "string"}


def of(properties: Plain, *required: str) -> Plain:
    """Return an object with these properties."""
    return {"type": "object", "properties": properties, "required": list(required)}


def tagged(value: str, **properties: Plain) -> Plain:
    """Return an object with a constant that tells it apart."""
    return of({"kind": {"type": "string", "enum": [value]}, **properties}, "kind")


def accepts(schemas: Plain, style: Style, name: str, value: object) -> bool:
    """Whether the model of a component accepts a JSON value."""
    read = decoder(made(schemas, style).module(), name, style)
    try:
        read(json.dumps(value))
    except ValueError:
        return False
    return True


@each_reader
def test_null_is_accepted_where_the_description_says_so(style: Style) -> None:
    logprobs: Plain = {**of({"content": STRING}), "nullable": True}
    schemas = {"Choice": of({"logprobs": logprobs, "text": STRING}, "logprobs", "text")}
    assert accepts(schemas, style, "Choice", {"logprobs": None, "text": "a"})
    assert accepts(schemas, style, "Choice", {"logprobs": {"content": "b"}, "text": "a"})
    assert not accepts(schemas, style, "Choice", {"logprobs": None, "text": None})
    assert not accepts(schemas, style, "Choice", {"text": "a"})


@each_style
def test_every_construct(style: Style) -> None:
    schemas = {
        "Leaf": of({"a": STRING}),
        "All": of(
            {
                "literal": {"enum": ["a", 1, None, True]},
                "number": {"enum": [1.5, 2]},
                "constant": {"const": {"a": [1]}},
                "list": {"type": "array", "items": ref("Leaf"), "minItems": 1},
                "row": {"type": "array", "prefixItems": [STRING], "items": False, "minItems": 1},
                "map": {"type": "object", "additionalProperties": ref("Leaf")},
                "union": {"anyOf": [ref("Leaf"), STRING, {"type": "null"}]},
                "anything": {},
                "nothing": {"not": {}},
                "when": {"type": "string", "format": "date-time"},
                "kebab-case": STRING,
                "class": STRING,
                "model_config": STRING,
                "camelCase": STRING,
            },
            "literal",
            "kebab-case",
        ),
        "Tree": of({"children": {"type": "array", "items": ref("Tree")}}),
        "Json": {"anyOf": [STRING, {"type": "array", "items": ref("Json")}]},
        "Größe": {"type": "integer"},
        "Field": of({"Any": STRING}),
        "Literal": {"type": "string"},
        "Empty": of({}),
    }
    result = made(schemas, style)
    names = set(used(result.module(), style))
    assert {"Leaf", "All", "Tree"} <= names
    assert result.text.startswith(f"{make.HEADER}\n")
    assert made(schemas, style).text == result.text


@pytest.mark.parametrize(
    ("schema", "default"),
    [
        ({"type": "integer", "default": 3}, 3),
        ({"type": "boolean", "default": False}, False),
        ({"type": "number", "default": 1}, 1),
        ({"type": "string", "enum": ["a", "b"], "default": "b"}, "b"),
        ({"type": "array", "items": STRING, "default": []}, []),
        ({"$ref": "#/components/schemas/Word", "default": "b"}, "b"),
        ({"type": "integer", "default": "3"}, None),
        ({"type": "integer", "default": 1.0}, None),
        ({"type": "array", "items": STRING, "default": ["a"]}, None),
        ({"$ref": "#/components/schemas/Leaf", "default": "b"}, None),
        ({"$ref": "#/components/schemas/Leaf", "default": {"a": "b"}}, None),
        ({"type": "object", "additionalProperties": STRING, "default": {"a": "b"}}, None),
    ],
)
def test_defaults_that_can_be_written(schema: Plain, default: object) -> None:
    schemas = {"T": of({"a": schema}), "Leaf": of({"a": STRING}), "Word": {"enum": ["a", "b"]}}
    module = made(schemas, "dataclass").module()
    assert module.T().a == default


def test_a_default_that_cannot_be_written_is_in_the_prose() -> None:
    result = made(
        {"T": of({"a": {"type": "array", "items": STRING, "default": ["b"]}})}, "pydantic"
    )
    assert 'Default: ["b"].' in result.text


@each_style
def test_names_that_a_client_has_no_room_for(style: Style) -> None:
    schemas: Plain = {name: of({"a": STRING}) for name in ("Tag", "Open", "Maybe", "Iterable")}
    result = made(schemas, style)
    assert set(used(result.module(), style)) == set(schemas)
    assert result.codes == []


@each_style
def test_names_that_the_models_themselves_need(style: Style) -> None:
    names = ("UUID", "Literal", "Any", "ConfigDict", "Struct", "TypedDict")
    schemas: Plain = {
        **{name: of({"a": STRING}) for name in names},
        "T": of({"a": ref("UUID"), "b": {"type": "string", "format": "uuid"}}),
    }
    result = made(schemas, style)
    assert set(used(result.module(), style)) == {"T", *(f"{name}Model" for name in names)}
    assert result.codes == ["renamed"] * len(names)


@each_style
def test_a_type_keeps_its_name_beside_a_property_of_that_name(style: Style) -> None:
    short: Plain = {**STRING, "maxLength": 5}
    schemas = {
        "T": of(
            {
                "product": {"anyOf": [short, ref("Product"), {"type": "array", "items": short}]},
                "word": {"type": "array", "items": short},
            }
        ),
        "Product": of({"a": STRING}),
        "Word": of({"a": STRING}),
    }
    result = made(schemas, style)
    assert set(used(result.module(), style)) == set(schemas)
    assert result.codes == []


@each_style
def test_names_of_python_and_names_that_differ_in_case(style: Style) -> None:
    result = made({name: of({"a": STRING}) for name in ("None", "True", "Foo", "foo")}, style)
    assert len(set(used(result.module(), style))) == 4
    assert "renamed" in result.codes


@pytest.mark.filterwarnings("error")
def test_names_that_pydantic_keeps_for_itself() -> None:
    names = ("model_dump", "model_validate_x", "modelDump", "model_name", "copy", "json", "schema")
    module = made({"T": of(dict.fromkeys(names, STRING))}, "pydantic").module()
    value = dict.fromkeys(names, "a")
    assert module.T.model_validate(value).model_dump(by_alias=True) == value


@each_style
def test_limits_are_in_the_prose_and_checked_by_pydantic(style: Style) -> None:
    text = made({"T": of({"a": {"type": "integer", "minimum": 1, "maximum": 9}})}, style).text
    assert "Between 1 and 9." in text
    assert ("ge=1" in text) == (style == "pydantic")


@pytest.mark.parametrize(
    ("limits", "accepted", "refused"),
    [
        ({"minLength": 2}, "ab", "a"),
        ({"pattern": "^a+$"}, "aa", "b"),
        ({"pattern": "^(?!x)"}, "ab", "x"),
        ({"pattern": "["}, "anything", None),
        ({"pattern": r"^\p{L}$"}, "anything", None),
        ({"pattern": r"\cA"}, "anything", None),
        ({"minLength": -1}, "", None),
        ({"minimum": 3}, "a", None),
    ],
)
def test_limits_of_text(limits: Plain, accepted: str, refused: str | None) -> None:
    schemas = {"T": of({"a": {**STRING, **limits}, "b": {**STRING, "pattern": "(?<=a)b"}})}
    assert accepts(schemas, "pydantic", "T", {"a": accepted})
    assert refused is None or not accepts(schemas, "pydantic", "T", {"a": refused})
    pattern = limits.get("pattern")
    unchecked = isinstance(pattern, str) and refused is None
    assert made(schemas, "pydantic").codes == ["unchecked-pattern"] * unchecked


def test_a_bound_of_whole_numbers_may_be_written_with_a_point() -> None:
    schemas = {"T": of({"a": {"type": "integer", "exclusiveMinimum": 0.0}})}
    assert accepts(schemas, "pydantic", "T", {"a": 1})
    assert not accepts(schemas, "pydantic", "T", {"a": 0})


@pytest.mark.parametrize(
    "limits",
    [
        {"type": "integer", "minimum": 0.5},
        {"type": "integer", "minimum": 1e30},
        {"type": "number", "multipleOf": 0},
        {"type": "number", "minimum": "0"},
        {"type": "array", "items": STRING, "maxItems": 2.5},
        {"type": "boolean", "maximum": 3},
    ],
)
def test_limits_that_are_none(limits: Plain) -> None:
    assert set(used(made({"T": of({"a": limits})}, "pydantic").module(), "pydantic")) == {"T"}


def test_a_field_of_a_dataclass_hides_no_type() -> None:
    schemas = {"Driver": of({"a": STRING}), "Spec": of({"Driver": ref("Driver")})}
    result = made(schemas, "dataclass")
    module = result.module()
    assert result.codes == ["renamed"]
    assert get_type_hints(module.Spec)["Driver"] == module.DriverModel | None
    for style in READ:
        assert made(schemas, style).codes == []


def test_a_dataclass_says_which_properties_have_other_names() -> None:
    result = made({"T": of({"a-b": STRING, "class": STRING, "fine": STRING})}, "dataclass")
    assert result.codes == ["renamed", "renamed"]
    assert len(dataclasses.fields(result.module().T)) == 3


@pytest.mark.parametrize("style", STYLES[1:])
def test_types_of_undeclared_properties_are_missed(style: Style) -> None:
    schemas = {"T": {**of({"a": STRING}), "additionalProperties": {"type": "integer"}}}
    assert made(schemas, style).codes == ["untyped-properties"]
    assert made(schemas, "pydantic").codes == []
    assert accepts(schemas, "pydantic", "T", {"a": "a", "b": 3})
    assert not accepts(schemas, "pydantic", "T", {"a": "a", "b": "c"})


CATS: dict[str, Plain] = {
    "Cat": tagged("cat", name=STRING),
    "Dog": tagged("dog", name=STRING),
    "Plain": of({"name": STRING}),
    "Rows": {"type": "array", "items": {"type": "integer"}},
    "Text": STRING,
    "Moment": {"type": "string", "format": "date-time"},
}


@pytest.mark.parametrize(
    ("members", "wider", "value", "read"),
    [
        (["Cat", "Dog"], False, {"kind": "dog", "name": "a"}, "Dog"),
        (["Cat", "Plain"], True, {"kind": "cat"}, "dict"),
        (["Cat", "Dog", "Text"], True, {"kind": "dog"}, "dict"),
        (["Cat", "Text"], False, "a", "str"),
        (["Rows", {"type": "array", "items": STRING}], True, [1, "a"], "list"),
        (["Rows", {"type": "array", "items": ref("Rows")}], True, [[1]], "list"),
        (["Plain", {"type": "object", "additionalProperties": STRING}], True, {"b": "c"}, "dict"),
        (["Moment", "Text"], True, "not a moment", "str"),
        (["Moment", {"type": "integer"}], False, "2020-01-01T00:00:00Z", "datetime"),
        (["Text", {"type": "string", "enum": ["a"]}], False, "b", "str"),
    ],
)
def test_unions_that_msgspec_can_tell_apart(
    members: list[str | Plain], wider: bool, value: object, read: str
) -> None:
    listed = [ref(one) if isinstance(one, str) else one for one in members]
    schemas = {**CATS, "T": of({"a": {"anyOf": [*listed, {"type": "null"}]}})}
    result = made(schemas, "msgspec")
    assert result.codes == ["wider-union"] * wider
    decode = decoder(result.module(), "T", "msgspec")
    assert type(decode(json.dumps({"a": value})).a).__name__ == read
    assert decode('{"a": null}').a is None


@each_reader
def test_an_object_of_any_kind_is_a_dictionary(style: Style) -> None:
    schemas: Plain = {"Free": {"type": "object"}, "T": of({"a": ref("Free"), "b": STRING}, "a")}
    read = decoder(made(schemas, style).module(), "T", style)
    assert read('{"a": {"b": [1]}}').a == {"b": [1]}


def test_a_property_that_msgspec_has_no_field_for() -> None:
    result = made({"T": of({'a"b': STRING, "c": STRING})}, "msgspec")
    assert result.codes == ["no-field"]
    assert decoder(result.module(), "T", "msgspec")('{"a\\"b": "d", "c": "e"}').c == "e"


def test_properties_that_belong_together_make_one_struct() -> None:
    either: Plain = {"anyOf": [{"required": ["url"]}, {"required": ["id"]}]}
    result = made({"T": {**of({"url": STRING, "id": STRING}), **either}}, "msgspec")
    assert result.codes == []
    assert decoder(result.module(), "T", "msgspec")('{"id": "1"}').id == "1"


def test_a_struct_has_one_tag() -> None:
    other: Plain = of({"type": {"const": "other"}, "kind": {"const": "other"}}, "type", "kind")
    both: Plain = of({"type": {"const": "both"}, "kind": {"const": "both"}}, "type", "kind")
    schemas = {
        "Other": other,
        "Both": both,
        "First": {"oneOf": [ref("Other"), ref("Both")], "discriminator": {"propertyName": "type"}},
        "Second": {"oneOf": [ref("Other"), ref("Both")], "discriminator": {"propertyName": "kind"}},
        "T": of({"first": ref("First"), "second": ref("Second")}),
    }
    result = made(schemas, "msgspec")
    assert result.codes == ["wider-union", "wider-union"]
    assert decoder(result.module(), "T", "msgspec")('{"first": {"type": "?"}}').first == {
        "type": "?"
    }


def test_a_discriminator_with_a_fallback_is_decided_by_trial() -> None:
    discriminator = {"propertyName": "kind", "defaultMapping": "#/components/schemas/Plain"}
    union: Plain = {"oneOf": [ref("Cat"), ref("Plain")], "discriminator": discriminator}
    schemas = {**CATS, "T": of({"a": union}, "a")}
    value = {"a": {"kind": "unheard of", "name": "a"}}
    assert accepts(schemas, "pydantic", "T", value)
    result = made(schemas, "msgspec")
    assert result.codes == ["wider-union"]
    assert decoder(result.module(), "T", "msgspec")(json.dumps(value)).a == value["a"]


def test_what_only_travels_one_way_is_not_demanded_the_other_way() -> None:
    account = of({"id": {**STRING, "readOnly": True}, "key": {**STRING, "writeOnly": True}}, "id")
    body = ref("Account")
    paths: Plain = {"/a": {"post": operation(sent=body, received=body)}}
    module = made({"Account": account}, "pydantic", paths).module()
    assert module.Account.model_validate({"key": "k"}).id is None


@each_style
@pytest.mark.parametrize("title", ["1Password Connect", "3D API", "2024", "$", "Pet", "Model"])
def test_the_title_of_an_api_is_no_name_of_a_class(title: str, style: Style) -> None:
    schemas: Plain = {"Pet": of({"a": STRING}), "Model": of({"a": STRING})}
    described = {**document(schemas), "info": {"title": title, "version": "1"}}
    config, report = Config(descriptions=["0.json"]), Report()
    text = make.models(lowered(described).api, config, EMPTY, style, report)
    assert set(used(imported(text), style)) == {"Pet", "Model"}
    assert report.diagnostics == []


EITHER: Plain = {**of({"a": STRING, "b": STRING}), "anyOf": [{"required": [n]} for n in "ab"]}


@pytest.mark.parametrize("style", STYLES[:3])
def test_an_object_that_needs_one_of_several_properties_is_a_union(style: Style) -> None:
    schemas = {"Either": EITHER, "T": of({"e": ref("Either")}), "EitherWithA": of({"c": STRING})}
    result = made(schemas, style)
    names = {"EitherWithA", "EitherWithA2", "EitherWithB", "T"}
    assert set(used(result.module(), style)) - {"Either"} == names
    assert result.codes == []
    alias = result.module().Either
    members = get_args(getattr(alias, "__value__", alias))
    assert [getattr(m, "__forward_arg__", getattr(m, "__name__", "")) for m in members] == [
        "EitherWithA2",
        "EitherWithB",
    ]


def test_an_object_that_needs_one_of_several_properties_is_checked() -> None:
    assert accepts({"T": EITHER}, "pydantic", "T", {"b": "x"})
    assert not accepts({"T": EITHER}, "pydantic", "T", {})
    neither = {"not": {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}}
    free = {**EITHER, "anyOf": [*cast(list[object], EITHER["anyOf"]), neither]}
    assert accepts({"T": free}, "pydantic", "T", {})


def test_an_object_that_a_tag_selects_stays_one_class() -> None:
    cat: Plain = {**tagged("cat", a=STRING, b=STRING), "anyOf": EITHER["anyOf"]}
    union: Plain = {"oneOf": [ref("Cat"), ref("Dog")], "discriminator": {"propertyName": "kind"}}
    schemas = {"Cat": cat, "Dog": tagged("dog"), "Pet": union}
    result = made(schemas, "pydantic")
    assert set(used(result.module(), "pydantic")) == {"Cat", "Dog", "Pet"}
    assert accepts(schemas, "pydantic", "Pet", {"kind": "cat", "a": "x"})


def chosen(**mapping: str) -> Plain:
    """Return a union whose description maps tags to components."""
    members = [ref(name) for name in dict.fromkeys(mapping.values())]
    return {"oneOf": members, "discriminator": {"propertyName": "t", "mapping": mapping}}


def test_a_class_has_the_tags_of_all_unions_that_it_is_in() -> None:
    plain = of({"t": STRING}, "t")
    first, second = chosen(c="Cat", x="Dog"), chosen(d="Cat", x="Dog")
    schemas = {"Cat": plain, "Dog": plain, "A": first, "B": second}
    assert made(schemas, "pydantic").codes == ["wider-union", "wider-union"]
    for union, tag, kind in [("A", "c", "Cat"), ("B", "d", "Cat"), ("B", "x", "Dog")]:
        read = decoder(made(schemas, "pydantic").module(), union, "pydantic")
        assert type(read(json.dumps({"t": tag}))).__name__ == kind


def test_a_tag_that_selects_another_class_in_another_union_is_tried() -> None:
    plain = of({"t": STRING}, "t")
    schemas = {
        "Cat": plain,
        "Dog": plain,
        "A": chosen(c="Cat", x="Dog"),
        "B": chosen(x="Cat", c="Dog"),
    }
    assert made(schemas, "pydantic").codes == ["wider-union", "wider-union"]
    assert accepts(schemas, "pydantic", "A", {"t": "c"})
    assert accepts(schemas, "pydantic", "B", {"t": "c"})


def test_a_value_may_come_without_an_optional_tag() -> None:
    schemas = {
        "Cat": of({"t": {"const": "c"}, "lives": {"type": "integer"}}, "lives"),
        "Dog": of({"t": {"const": "d"}, "tricks": STRING}, "t", "tricks"),
        "A": chosen(c="Cat", d="Dog"),
    }
    assert made(schemas, "pydantic").codes == []
    assert accepts(schemas, "pydantic", "A", {"lives": 9})
    assert accepts(schemas, "pydantic", "A", {"t": "d", "tricks": "none"})
    assert not accepts(schemas, "pydantic", "A", {"tricks": "none"})
    assert not accepts(schemas, "pydantic", "A", {"t": "d", "lives": 9})


@pytest.mark.parametrize("style", ["pydantic", "msgspec", "dataclass"])
def test_names_that_python_reads_as_others(style: Style) -> None:
    schemas = {
        "One": of({"\u00b5m": {"type": "number"}}, "\u00b5m"),
        "Two": of({"\ufb01": STRING, "fi": {"type": "integer"}}),
    }
    result = made(schemas, style)
    module = result.module()
    assert [*module.Two.__annotations__] == ["fi_", "fi"]
    if style == "dataclass":
        assert result.codes == ["renamed", "renamed"]
    else:
        assert result.codes == []
        assert accepts(schemas, style, "One", {"\u00b5m": 1.5})
        read = decoder(module, "Two", style)('{"\ufb01": "a", "fi": 1}')
        assert (read.fi_, read.fi) == ("a", 1)


def test_a_typed_dictionary_has_no_name_that_python_reads_as_another() -> None:
    result = made({"T": of({"\ufb01": STRING, "fi": STRING})}, "typeddict")
    assert result.codes == ["no-field"]
    assert [*result.module().T.__annotations__] == ["fi"]


def test_pydantic_is_as_strict_as_it_is_asked_to_be() -> None:
    kinds = {"n": "integer", "f": "number", "b": "boolean"}
    date: Plain = {"type": "string", "format": "date"}
    properties: Plain = {name: {"type": kind} for name, kind in kinds.items()}
    schemas = {"T": of(properties), "D": of({"d": date})}
    module = made(schemas, "pydantic").module()
    for value in ({"n": "5"}, {"f": "1.5"}, {"b": "yes"}):
        assert module.T.model_validate_json(json.dumps(value))
        with pytest.raises(ValidationError):
            module.T.model_validate_json(json.dumps(value), strict=True)
    with pytest.raises(ValidationError):
        module.D.model_validate_json('{"d": 0}', strict=True)
    assert module.D.model_validate_json('{"d": "2020-01-01"}', strict=True)
    assert module.T.model_validate_json('{"n": 1, "f": 1, "b": true}', strict=True)


def test_a_description_without_types() -> None:
    with pytest.raises(Stop, match="names no type"):
        made({}, "pydantic")


def test_what_the_library_cannot_do_is_a_diagnostic(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> str:
        raise KeyError("no such\nthing")

    monkeypatch.setattr(make, "_generated", fail)
    with pytest.raises(Stop, match="makes no models of this: KeyError: 'no such"):
        made({"T": of({})}, "pydantic")


def test_output_that_is_no_python_is_a_diagnostic(monkeypatch: pytest.MonkeyPatch) -> None:
    def write(*_: Any) -> str:
        return "class :"

    monkeypatch.setattr(make, "_generated", write)
    with pytest.raises(Stop, match="makes no models of this: InvalidInput"):
        made({"T": of({})}, "pydantic")


def test_a_name_that_the_library_changes_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def write(*_: Any) -> str:
        return "class Other: ..."

    monkeypatch.setattr(make, "_generated", write)
    assert made({"T": of({"a": STRING})}, "pydantic").codes == ["renamed"]


HOSTILE = [
    '"""',
    "'''",
    "\\",
    '\\"""',
    "{{ 7 }}",
    "{% if %}",
    "\x00\x1b[31m",
    "\u202e",
    "\u2028",
    "a\r\nb\n\n  c",
    "%s{0}{}",
    '")\nimport os\nos.abort()\n("',
    "# type: ignore",
    "é😀",
]


@pytest.mark.parametrize("text", HOSTILE)
@each_style
def test_hostile_text_stays_text(style: Style, text: str) -> None:
    schemas = {
        "T": {
            **of({"a": {**STRING, "description": text, "default": text}, text: STRING}),
            "description": text,
            "title": text,
        },
        "E": {"type": "string", "enum": [text, "b"], "description": text},
        "U": of({"e": ref("E"), "p": {**STRING, "pattern": text}}),
    }
    module = made(schemas, style).module()
    assert set(used(module, style)) >= {"T", "U"}
    if style == "dataclass":
        assert module.T().a == text
    if style == "msgspec":
        assert decoder(module, "U", style)(json.dumps({"e": text})).e == text
        assert decoder(module, "T", style)(json.dumps({text: "v", "a": "w"})).a == "w"
