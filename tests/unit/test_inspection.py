"""The IR as JSON loses nothing, and its published schema is the one of what is written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, assert_never

import jsonschema_rs
import pytest

from specloom import inspection, ir
from specloom.config import read_config
from specloom.diagnostics import Origin, Stop
from specloom.inspection import Choice, Maybe, Node, Place, Row, Scalar, Shape, Table, Value
from specloom.lower.api import lower
from specloom.run import Run

from .make import document, lowered

ROOT = Path(__file__).resolve().parents[2]
CASES = sorted((ROOT / "tests" / "cases").glob("*/spec.yaml"))
TARGETS = [ROOT / "specs" / "openai", *CASES]
PUBLISHED = ROOT / "docs" / "inspect.schema.json"
CLASSES = {inspection.kind(cls): cls for cls in inspection.reached(ir.Api)}


def rebuilt(written: Any, form: Shape) -> Any:
    """Return the part of the IR that JSON stands for."""
    match form:
        case Scalar() | Choice():
            return written
        case Place():
            uri, _, pointer = written.partition("#")
            return Origin(uri, pointer)
        case Value():
            return ir.Constant(json.dumps(written, ensure_ascii=False))  # in whichever order
        case Maybe(inner):
            return rebuilt(written, inner)
        case Row(item, unordered):
            return (frozenset if unordered else tuple)(rebuilt(each, item) for each in written)
        case Table(inner, pairs):
            members = [(key, rebuilt(value, inner)) for key, value in written.items()]
            return tuple(members) if pairs else dict(members)
        case Node():
            cls = CLASSES[written["kind"]]
            parts = {
                name: rebuilt(written[key], inner) if key in written else None
                for name, (key, inner) in inspection.shapes(cls).items()
            }
            return cls(**parts)
        case _:
            assert_never(form)


def api_of(target: Path) -> ir.Api:
    """Return the API of a target, or skip the test if there is none."""
    run = Run(target)
    try:
        config = read_config(target, run.report)
        run.load(config)
        return lower(run.descriptions, run.report, config.names)
    except Stop:
        pytest.skip("nothing can be read from this description")


def closed(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema for nodes that have no key which it does not list."""
    nodes = {
        name: {**node, "additionalProperties": False} for name, node in schema["$defs"].items()
    }
    return {**schema, "$defs": nodes, "additionalProperties": False}


VALIDATOR = jsonschema_rs.validator_for(closed(inspection.schema()))


@pytest.mark.parametrize("target", TARGETS, ids=[t.parent.name for t in TARGETS])
def test_what_is_written_fits_the_schema_and_can_be_read_back(target: Path) -> None:
    api = api_of(target)
    text = inspection.printed(inspection.inspection(api))
    written = json.loads(text)
    assert [str(error) for error in VALIDATOR.iter_errors(written)] == []
    assert rebuilt(written, Node((ir.Api,))) == api
    assert inspection.printed(inspection.inspection(api_of(target))) == text


def test_every_kind_of_type_is_told_from_the_others() -> None:
    types: tuple[ir.Type, ...] = (
        ir.Primitive("string", "date", (("minLength", ir.constant(1)),)),
        ir.Literal((ir.constant("a"), ir.constant(1), ir.constant(1.0), ir.constant(None))),
        ir.Array(ir.UNKNOWN),
        ir.Tuple((ir.UNKNOWN, ir.NEVER), ir.NEVER),
        ir.Map(ir.NEVER),
        ir.Union((ir.UNKNOWN, ir.NULL), ir.Inferred("kind", (("a", ir.TypeId("t")),))),
        ir.Union((ir.NULL,), ir.Discriminated("kind", (), ir.TypeId("t"))),
        ir.Ref(ir.TypeId("t")),
        ir.UNKNOWN,
        ir.NEVER,
    )
    api = lowered(document({"T": {"type": "string"}})).api
    ((id_, alias),) = api.types.items()
    assert isinstance(alias, ir.Alias)
    for type_ in types:
        changed = replace(api, types={id_: replace(alias, type=type_)})
        written = json.loads(inspection.printed(inspection.inspection(changed)))
        assert VALIDATOR.is_valid(written)
        assert rebuilt(written, Node((ir.Api,))) == changed


def with_default(default: ir.Constant | None) -> ir.Api:
    """Return an API with one property that has a default."""
    api = lowered(document({"T": {"type": "object", "properties": {"a": {}}}})).api
    ((id_, model),) = api.types.items()
    assert isinstance(model, ir.Model)
    properties = (replace(model.properties[0], default=default),)
    return replace(api, types={id_: replace(model, properties=properties)})


@pytest.mark.parametrize("default", [None, ir.constant(None), ir.constant({"a": [1.0]})])
def test_a_default_of_null_is_not_none(default: ir.Constant | None) -> None:
    api = with_default(default)
    written = inspection.inspection(api)
    assert rebuilt(written, Node((ir.Api,))) == api


def test_numbers_that_json_does_not_have_are_text() -> None:
    text = inspection.printed(inspection.inspection(with_default(ir.constant(float("inf")))))
    assert '"default": "Infinity"' in text


def test_no_two_classes_are_of_one_kind() -> None:
    assert len(CLASSES) == len(inspection.reached(ir.Api))


def test_the_schema_itself_is_valid_and_knows_every_node() -> None:
    schema = inspection.schema()
    jsonschema_rs.meta.validate(schema)
    assert {*schema["$defs"], "api"} == set(CLASSES)
    assert not VALIDATOR.is_valid({"format": 1, "kind": "api"})


def test_the_published_schema_is_that_of_the_format(request: pytest.FixtureRequest) -> None:
    text = inspection.printed(inspection.schema())
    if request.config.getoption("--update"):
        PUBLISHED.write_text(text, "utf-8")
    assert PUBLISHED.read_text("utf-8") == text, "run 'make snapshots' if this is meant"


def test_the_documented_example_is_a_node_of_the_format() -> None:
    example = (ROOT / "docs" / "inspect.md").read_text("utf-8").partition("```json\n")[2]
    written = json.loads(example.partition("```")[0])
    schema = closed(inspection.schema())
    one = {"$ref": f"#/$defs/{written['kind']}", "$defs": schema["$defs"]}
    jsonschema_rs.validate(one, written)
