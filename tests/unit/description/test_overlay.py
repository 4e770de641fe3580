"""Overlays: what the actions do, and where the parts that they changed are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from specloom.description.load import load
from specloom.description.values import is_mapping
from specloom.diagnostics import Origin, Report, Stop

from .desk import Desk

API = """\
openapi: 3.0.3
info: {title: T, version: '1'}
tags: [a, b, c]
paths:
  /one:
    get:
      summary: old
      parameters:
        - {name: x, in: query}
        - {name: dummy, in: query}
        - {name: z, in: query}
  /two:
    get: {summary: two, x-internal: true}
components:
  schemas:
    A: &a {type: object, properties: {p: {type: string}}}
    B: *a
"""


def overlay(*actions: str, version: str = "1.1.0") -> str:
    """Write an overlay document, whose first action is on line 3."""
    return f"overlay: {version}\nactions:\n" + "".join(f"- {action}\n" for action in actions)


def patched(desk: Desk, pointer: str, *actions: str) -> object:
    """Return a part of the description after actions that nothing is wrong with."""
    desk.write({"patch.yaml": overlay(*actions)})
    description = desk.loads(API, "patch.yaml")
    assert desk.said(description) == []
    return description.lookup(Origin("api.yaml", pointer))


def test_update_merges_mappings(desk: Desk) -> None:
    action = "{target: $.info, update: {title: New, contact: {name: N}}}"
    value = patched(desk, "/info", action)
    assert value == {"title": "New", "version": "1", "contact": {"name": "N"}}


def test_update_merges_deeply(desk: Desk) -> None:
    action = "{target: $, update: {paths: {/one: {get: {summary: new}, put: {}}}, x: 1}}"
    assert patched(desk, "/paths/~1one/get/summary", action) == "new"
    assert patched(desk, "/paths/~1one/get/parameters/2/name", action) == "z"
    assert patched(desk, "/paths/~1one/put", action) == {}


def test_update_appends_to_lists(desk: Desk) -> None:
    assert patched(desk, "/tags", "{target: $.tags, update: d}") == ["a", "b", "c", "d"]
    assert patched(desk, "/tags", "{target: $.tags, update: [d, e]}") == ["a", "b", "c", "d", "e"]
    assert patched(desk, "/tags", "{target: $, update: {tags: [d]}}") == ["a", "b", "c", "d"]


def test_update_replaces_anything_else(desk: Desk) -> None:
    assert patched(desk, "/info/title", "{target: $.info.title, update: New}") == "New"
    assert patched(desk, "/tags/1", "{target: '$.tags[1]', update: {x: 1}}") == {"x": 1}
    assert patched(desk, "/info/title", "{target: $.info, update: {title: {x: 1}}}") == {"x": 1}


def test_update_of_many_targets(desk: Desk) -> None:
    action = "{target: $.paths.*.get, update: {x-safe: true}}"
    assert patched(desk, "/paths/~1one/get/x-safe", action) is True
    assert patched(desk, "/paths/~1two/get/x-safe", action) is True


def test_targets_are_what_the_actions_before_left(desk: Desk) -> None:
    actions = [
        "{target: $.info, update: {x: {y: 1}}}",
        "{target: $.info.x, update: {z: 2}}",
        "{target: $.info.x.y, remove: true}",
    ]
    assert patched(desk, "/info/x", *actions) == {"z": 2}


def test_a_value_that_was_put_in_twice_is_two_values(desk: Desk) -> None:
    actions = [
        "{target: $.paths.*.get, update: {x: {y: 1}}}",
        "{target: \"$.paths['/one'].get.x\", update: {y: 2}}",
    ]
    assert patched(desk, "/paths/~1two/get/x", *actions) == {"y": 1}


def test_an_alias_is_changed_in_one_place_only(desk: Desk) -> None:
    action = "{target: $.components.schemas.A.properties, update: {q: {type: integer}}}"
    assert patched(desk, "/components/schemas/B/properties", action) == {"p": {"type": "string"}}


def test_remove(desk: Desk) -> None:
    assert patched(desk, "/tags", "{target: '$.tags[0,2]', remove: true}") == ["b"]
    assert patched(desk, "/tags", "{target: \"$.tags[?@=='b']\", remove: true}") == ["a", "c"]
    action = "{target: '$.paths[?@.get.x-internal]', remove: true}"
    value = patched(desk, "/paths", action)
    assert is_mapping(value) and list(value) == ["/one"]
    action = "{target: $..get, remove: true, update: {x: 1}}"
    assert patched(desk, "/paths", action) == {"/one": {}, "/two": {}}
    assert patched(desk, "/tags", "{target: $.tags, remove: false}") == ["a", "b", "c"]


def test_remove_what_is_inside_of_what_is_removed(desk: Desk) -> None:
    action = "{target: '$.components..*', remove: true}"
    assert patched(desk, "/components", action) == {}


def test_copy(desk: Desk) -> None:
    action = "{target: \"$.paths['/two'].get\", copy: \"$.paths['/one'].get\"}"
    assert patched(desk, "/paths/~1two/get/summary", action) == "old"
    assert patched(desk, "/paths/~1two/get/x-internal", action) is True
    assert patched(desk, "/paths/~1two/get/parameters/1/name", action) == "dummy"


def test_copy_then_remove_moves(desk: Desk) -> None:
    actions = [
        "{target: $.paths, update: {/moved: {}}}",
        "{target: \"$.paths['/moved']\", copy: \"$.paths['/one']\"}",
        "{target: \"$.paths['/one']\", remove: true}",
    ]
    desk.write({"patch.yaml": overlay(*actions)})
    description = desk.loads(API, "patch.yaml")
    assert desk.said(description) == []
    moved = Origin("api.yaml") / "paths" / "/moved" / "get"
    assert description.lookup(moved / "summary") == "old"
    assert desk.where(description, (moved / "summary").pointer) == "api.yaml:7:7"
    assert desk.where(description, (moved / "parameters" / 2 / "in").pointer) == "api.yaml:11:21"


def test_the_file_keeps_its_own_value(desk: Desk) -> None:
    desk.write({"patch.yaml": overlay("{target: $.info, update: {title: New}}")})
    description = desk.loads(API + "x: {$ref: api.yaml#/info}\n", "patch.yaml")
    found = description.resolve("api.yaml#/info/title", Origin("api.yaml"))
    assert found is not None and description.lookup(found) == "New"
    assert "title: T" in (desk.folder / "api.yaml").read_text()


def test_what_is_put_in_is_written_in_the_overlay(desk: Desk) -> None:
    actions = ["{target: $.info, update: {title: New, x: [{v: 1.10}]}}"]
    actions += ["{target: $.tags, update: [d]}", "{target: $.tags, update: e}"]
    actions += ["{target: '$.tags[0]', update: q}"]
    desk.write({"patch.yaml": overlay(*actions)})
    description = desk.loads(API, "patch.yaml")
    assert desk.where(description, "/info/title") == "patch.yaml:3:29"
    assert desk.where(description, "/info/x/0/v") == "patch.yaml:3:46"
    assert description.text(Origin("api.yaml", "/info/x/0/v")) == "1.10"
    assert desk.where(description, "/info/x/gone") == "patch.yaml:3:41"
    assert desk.where(description, "/info/version") == "api.yaml:2:18"
    assert desk.where(description, "/info") == "api.yaml:2:1"
    assert desk.where(description, "/tags/1") == "api.yaml:3:11"
    assert desk.where(description, "/tags/3") == "patch.yaml:4:29"
    assert desk.where(description, "/tags/4") == "patch.yaml:5:20"
    assert desk.where(description, "/tags/0") == "patch.yaml:6:25"


def test_what_moves_up_keeps_its_place(desk: Desk) -> None:
    dummy = "{target: \"$.paths['/one'].get.parameters[?@.name=='dummy']\", remove: true}"
    first = "{target: \"$.paths['/one'].get.parameters[0]\", remove: true}"
    desk.write({"a.yaml": overlay(dummy), "b.yaml": overlay(first)})
    description = desk.loads(API, "a.yaml", "b.yaml")
    assert description.lookup(Origin("api.yaml", "/paths/~1one/get/parameters/0/name")) == "z"
    assert desk.where(description, "/paths/~1one/get/parameters/0/name") == "api.yaml:11:12"
    assert desk.said(description) == []


PATH = "is no JSONPath of RFC 9535"
SHAPE = "an action is a mapping with a 'target', which is a JSONPath"
ONE = "'copy' takes a JSONPath that selects one node"
WRONG = [
    (
        "{target: $.gone, update: {}}",
        "4: warning[overlay-without-match]: the target $.gone matches nothing",
    ),
    ("{target: paths, update: {}}", f"4: paths {PATH}: expected 'TOKEN_ROOT', found 'TOKEN_NAME'"),
    ("{target: '$.a[', update: {}}", f"4: $.a[ {PATH}: unexpected end of query"),
    ("{update: {}}", f"3: {SHAPE}"),
    ("{target: 3}", f"3: {SHAPE}"),
    ("text", f"3: {SHAPE}"),
    ("{target: $.info}", "3: an action has one of 'update', 'remove' and 'copy'"),
    ("{target: $, remove: true}", "4: the root cannot be removed"),
    ("{target: $.info, copy: $.tags.*}", f"20: {ONE}, and $.tags.* selects 3"),
    ("{target: $.info, copy: $.gone}", f"20: {ONE}, and $.gone selects 0"),
    ("{target: $.info, copy: info}", f"20: info {PATH}: expected 'TOKEN_ROOT', found 'TOKEN_NAME'"),
    ("{target: $.info, copy: 3}", f"20: 3 {PATH}: expected 'TOKEN_ROOT', found 'TOKEN_INT'"),
]


@pytest.mark.parametrize(("action", "said"), WRONG)
def test_what_is_wrong_with_an_action(desk: Desk, action: str, said: str) -> None:
    desk.write({"patch.yaml": overlay(action, "{target: $, update: {x-after: 1}}")})
    description = desk.loads(API, "patch.yaml")
    if "[overlay" not in said:
        said = said.replace(": ", ": error[invalid-overlay]: ", 1)
    assert desk.said(description) == [f"patch.yaml:3:{said}"]
    assert description.value["x-after"] == 1


def test_an_unknown_field_of_an_action_is_reported(desk: Desk) -> None:
    desk.write({"patch.yaml": overlay("{target: $.tags, updates: [], remove: false, x-why: 1}")})
    description = desk.loads(API, "patch.yaml")
    assert desk.said(description) == [
        "patch.yaml:3:20: warning[invalid-overlay]:"
        " an action has no field 'updates', so it does nothing"
    ]


def test_only_a_mapping_can_be_merged_into_a_mapping(desk: Desk) -> None:
    desk.write({"patch.yaml": overlay("{target: $.info, update: text}")})
    description = desk.loads(API, "patch.yaml")
    assert desk.said(description) == [
        "patch.yaml:3:3: error[invalid-overlay]:"
        " the target is a mapping, so only a mapping can be merged into it\n"
        "api.yaml:2:1: note: see also here"
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("- a", "1:1: error[invalid-overlay]: an overlay is a mapping"),
        ("overlay: 1.0.0", "1:1: error[invalid-overlay]: an overlay has a list of 'actions'"),
        ("overlay: 1.0.0\nactions: []", "2:1: error[invalid-overlay]: an overlay has a list"),
        (
            "overlay: 2.0.0\nactions: [{target: $, update: {}}]",
            "1:1: error[invalid-overlay]: an overlay states the version of its language",
        ),
        ("a: b: c", "1:5: error[invalid-yaml]: mapping values are not allowed"),
    ],
)
def test_what_is_no_overlay(desk: Desk, content: str, said: str) -> None:
    desk.write({"patch.yaml": content})
    description = desk.loads(API, "patch.yaml")
    (text,) = desk.said(description)
    assert text.startswith(f"patch.yaml:{said}")


def test_a_missing_overlay(desk: Desk) -> None:
    description = desk.loads(API, "gone.yaml")
    assert desk.said(description) == [
        "gone.yaml:1:1: error[missing-file]: the file 'gone.yaml' does not exist"
    ]


@pytest.mark.parametrize("version", ["1.0.0", "1.1.0"])
def test_an_overlay_may_lie_anywhere(tmp_path: Path, version: str) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/api.yaml").write_text(API)
    text = overlay("{target: $.info, update: {title: New}}", version=version)
    (tmp_path / "patch.yaml").write_text(text)
    report = Report()
    description = load(tmp_path / "specs/api.yaml", report, overlays=[tmp_path / "patch.yaml"])
    assert report.diagnostics == []
    position = description.position(Origin("api.yaml", "/info/title"))
    assert position.path == str(tmp_path / "patch.yaml")


def test_a_copy_is_a_value_of_its_own(desk: Desk) -> None:
    actions = [
        "{target: $.info, update: {a: {b: 1}, c: {}}}",
        "{target: $.info.c, copy: $.info.a}",
        "{target: $.info.c, update: {b: 2}}",
    ]
    assert patched(desk, "/info/a", *actions) == {"b": 1}
    assert patched(desk, "/info/c", *actions) == {"b": 2}


def test_what_is_copied_into_itself_is_what_it_was(desk: Desk) -> None:
    actions = ["{target: $.info, update: {a: {}}}", "{target: $.info.a, copy: $.info}"]
    value = patched(desk, "/info/a", *actions)
    assert value == {"title": "T", "version": "1", "a": {}}
    description = desk.load("patch.yaml")
    assert desk.where(description, "/info/a/title") == "api.yaml:2:8"


def test_copies_of_copies_end(desk: Desk) -> None:
    desk.write({"patch.yaml": overlay(*["{target: $.info, copy: $}"] * 60)})
    with pytest.raises(Stop):
        desk.loads(API, "patch.yaml")
    (said,) = desk.said()
    assert "error[overlay-bomb]: the copies of this overlay have more values" in said


def test_an_overlay_cannot_nest_without_an_end(desk: Desk) -> None:
    deep = "{x: " * 150 + "{}" + "}" * 150
    paths = ["$.info", f"$.info{'.x' * 150}"]
    desk.write({"patch.yaml": overlay(*(f"{{target: {at}, update: {deep}}}" for at in paths))})
    with pytest.raises(Stop):
        desk.loads(API, "patch.yaml")
    assert desk.said() == [
        "patch.yaml:1:1: error[nested-too-deep]:"
        " this overlay nests the description in more than 200 levels"
    ]


@pytest.mark.parametrize(
    ("target", "way", "ref"),
    [
        ("$.paths['/three'].get", "$['paths']['/three']", "three.yaml"),
        ("$.paths['/three'].get.summary", "$['paths']['/three']", "three.yaml"),
        ("$..links.l.operationId", "$..['links']['l']", "#/components/links/L"),
    ],
)
def test_a_target_behind_a_reference(desk: Desk, target: str, way: str, ref: str) -> None:
    api = API.replace(
        "components:",
        "  /three: {$ref: three.yaml}\n"
        "x: {links: {l: {$ref: '#/components/links/L'}}}\n"
        "components:\n  links: {L: {operationId: o}}",
    )
    desk.write({"patch.yaml": overlay(f'{{target: "{target}", update: {{}}}}')})
    description = desk.loads(api, "patch.yaml")
    (said,) = desk.said(description)
    assert said.endswith(
        f' matches nothing; {way} is a reference, so target what it leads to: "{ref}"'
    )


def extending(desk: Desk, extends: str, head: str = "") -> list[str]:
    """Return what is said of an overlay that extends a description."""
    action = "actions: [{target: $, update: {x-done: true}}]"
    desk.write({"sub/patch.yaml": f"overlay: 1.0.0\nextends: {extends}\n{action}\n"})
    (desk.folder / "link.yaml").symlink_to("api.yaml")
    description = desk.loads(head + API, "sub/patch.yaml")
    assert description.value["x-done"] is True or desk.report.failed
    return desk.said(description)


SELF = "$self: https://example.com/api.yaml\n"


@pytest.mark.parametrize(
    ("extends", "head"),
    [
        ("../api.yaml", ""),
        ("./../sub/../api.yaml", ""),
        ("../link.yaml", ""),
        ("https://example.com/any.yaml", ""),
        ("https://example.com/api.yaml", SELF),
        ("../api.yaml", SELF),
    ],
)
def test_an_overlay_of_this_description(desk: Desk, extends: str, head: str) -> None:
    assert extending(desk, extends, head) == []


@pytest.mark.parametrize(
    ("extends", "head"),
    [("api.yaml", ""), ("../other.yaml", ""), ("https://example.com/other.yaml", SELF)],
)
def test_an_overlay_of_another_description(desk: Desk, extends: str, head: str) -> None:
    assert extending(desk, extends, head) == [
        "sub/patch.yaml:2:1: warning[overlay-of-another]:"
        f" this overlay extends '{extends}' and is applied to 'api.yaml'"
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "overlay: 1.0.0\nextends: 3\nactions: [{target: $, update: {}}]",
            "2:1: error[invalid-overlay]: 'extends' is the URI of a description",
        ),
        (
            "overlay: 1.0.0\nextend: api.yaml\nactions: [{target: $, update: {}}]",
            "2:1: warning[invalid-overlay]: an overlay has no field 'extend', so it does nothing",
        ),
        (
            "overlay: 1.2.0\nactions: [{target: $, update: {}}]",
            "1:1: warning[unknown-version]: version 1.2.0 of overlays is not known and is read as"
            " if it were 1.1",
        ),
        (
            "overlay: 1.0.0\nactions: [{target: $.info, copy: $.components.schemas}]",
            "2:28: warning[invalid-overlay]: 'copy' is an action of version 1.1, and is understood"
            " all the same",
        ),
        (
            "overlay: 1.0.0\nactions: [{target: $.info, remove: yes}]",
            "2:28: error[invalid-overlay]: 'remove' is true or false",
        ),
        ("overlay: 1.0\nactions: [{target: $, update: {}}]", None),
        ('{"overlay": "1.0.0", "actions": [{"target": "$", "update": {}}]}', None),
        (
            '{"overlay": "1.0.0",\n "actions": [{"target": "$.gone", "update": {}}]}',
            "2:15: warning[overlay-without-match]: the target $.gone matches nothing",
        ),
    ],
)
def test_what_is_odd_about_an_overlay(desk: Desk, content: str, said: str | None) -> None:
    desk.write({"patch.yaml": content})
    description = desk.loads(API, "patch.yaml")
    assert desk.said(description) == ([] if said is None else [f"patch.yaml:{said}"])


@pytest.mark.parametrize(
    "target",
    [
        *("", "$[", "$.a[?foo(@)]", "$[99999999999999999999]", "$['\\\\u']", "$[?@.a == 1e999]"),
        *(f"${'[0]' * 5000}", f"$.a[?{'(' * 3000}@{')' * 3000}]", "$.tags ", "$.~a"),
    ],
)
def test_what_is_no_path_is_no_crash(desk: Desk, target: str) -> None:
    desk.write({"patch.yaml": overlay(f'{{target: "{target}", update: {{}}}}')})
    description = desk.loads(API, "patch.yaml")
    (said,) = desk.said(description)
    assert "is no JSONPath of RFC 9535" in said
