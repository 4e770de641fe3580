"""Loading an entry document: what it may look like, and what a user is told when it is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from specloom.description.load import format_diagnostic, load
from specloom.diagnostics import Origin, Report, Stop

from .desk import Desk

MINIMAL = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\n"


def test_a_description(desk: Desk) -> None:
    description = desk.loads(MINIMAL)
    assert description.entry == "api.yaml"
    assert description.version == "3.0.3"
    assert description.value["info"] == {"title": "T", "version": "1"}
    assert desk.said() == []


@pytest.mark.parametrize("name", ["api.json", "api.yaml", "api", "api.txt"])
def test_json_by_any_name(desk: Desk, name: str) -> None:
    description = desk.loads('{"openapi": "3.1.0",\n\t"x": "\\ud83d\\ude00"}', entry=name)
    assert description.value["x"] == "😀"
    assert desk.where(description, "/x", name) == f"{name}:2:2"
    assert desk.said(description) == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("text", ["openapi: 3.1.0\nx: ä😀\n", '{"openapi": "3.1.0", "x": "ä😀"}'])
def test_encodings(desk: Desk, encoding: str, text: str) -> None:
    assert desk.loads(text.encode(encoding)).value["x"] == "ä😀"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("openapi: 3.0", "3.0"),
        ("openapi: 3.10", "3.10"),
        ("swagger: 2.0", "2.0"),
        ("swagger: '2.0'", "2.0"),
    ],
)
def test_an_unquoted_version_is_the_text_that_was_written(
    desk: Desk, text: str, version: str
) -> None:
    description = desk.loads(text)
    assert description.version == version


@pytest.mark.parametrize("section", ["paths", "webhooks", "components"])
def test_one_section_is_enough(desk: Desk, section: str) -> None:
    assert desk.loads(f"openapi: 3.1.0\n{section}: {{}}\n").value[section] == {}


def test_source_texts_and_positions(desk: Desk) -> None:
    description = desk.loads("openapi: 3.0.3\ninfo:\n  version: 1.10\n  x: [007, 'a']\n")
    assert description.text(Origin("api.yaml", "/info/version")) == "1.10"
    assert description.text(Origin("api.yaml", "/info/x/0")) == "007"
    assert description.text(Origin("api.yaml", "/info/x/1")) == "a"
    assert description.text(Origin("api.yaml", "/info/x")) is None
    assert description.text(Origin("api.yaml", "/info/gone")) is None
    assert desk.where(description, "/info/version") == "api.yaml:3:3"
    assert desk.where(description, "/info/x/0") == "api.yaml:4:7"
    assert desk.where(description, "/info/gone/below") == "api.yaml:2:1"
    assert desk.where(description, "") == "api.yaml:1:1"
    assert desk.where(description, "@7:9") == "api.yaml:7:9"


def test_lookup(desk: Desk) -> None:
    description = desk.loads("openapi: 3.0.3\nx: {a/b: [1, {~: 2}]}\n")
    origin = Origin("api.yaml") / "x" / "a/b"
    assert description.lookup(origin / 1) == {"~": 2}
    assert description.lookup(origin / 1 / "~") == 2
    for wrong in (origin / 2, origin / "01", origin / "-1", origin / 0 / "a", Origin("no.yaml")):
        with pytest.raises(LookupError):
            description.lookup(wrong)


KIND = "1:1: error[not-a-mapping]: a description is a mapping, and this document is"
NEITHER = "neither 'openapi' nor 'swagger', so it is no description"
VERSIONS = "is not supported; the versions are 2.0 and 3.0 to 3.2"
COLON = "mapping values are not allowed in this context; quote a text that contains ': '"
NOT_UTF_8 = "error[not-utf-8]: this is not UTF-8"
REFUSED: list[tuple[str | bytes, str]] = [
    ("", f"{KIND} empty"),
    ("# nothing", f"{KIND} empty"),
    ("- a", f"{KIND} a list"),
    ("text", f"{KIND} a single value"),
    ("a: b", f"1:1: error[no-version]: the document has {NEITHER}"),
    ("x: 1\nswagger: 1.2", f"2:1: error[unsupported-version]: Swagger 1.2 {VERSIONS}"),
    ("openapi: 3.0.3\ninfo:\n  title: a: b\n", f"3:11: error[invalid-yaml]: {COLON}"),
    (b"x: \xe4\xff\n", f"1:4: {NOT_UTF_8}: invalid continuation byte"),
    (b"openapi: 3.0.3\n# \xe4\xff\n", f"2:3: {NOT_UTF_8}: invalid continuation byte"),
    (b"openapi: 3.0.3\n...\n# \xff\n", f"3:3: {NOT_UTF_8}: invalid start byte"),
    (b"x: '\xed\xa0\x80'\n", f"1:5: {NOT_UTF_8}: invalid continuation byte"),
    (b'{"openapi": "3.0.3", "x": "\xc0\x80"}', f"1:28: {NOT_UTF_8}: invalid start byte"),
    (b'{"openapi": "3.0.3"} \xf8', f"1:22: {NOT_UTF_8}: invalid start byte"),
]


@pytest.mark.parametrize(("content", "said"), REFUSED)
def test_what_is_no_description_gets_one_diagnostic(
    desk: Desk, content: str | bytes, said: str
) -> None:
    assert desk.refuses(content) == f"api.yaml:{said}"


def test_a_syntax_error_cites_where_the_construct_began(desk: Desk) -> None:
    assert desk.refuses("openapi: 3.0.3\nx: [1,\n  2\ny: 3\n").splitlines() == [
        "api.yaml:4:2: error[invalid-yaml]: while parsing a flow sequence:"
        " did not find expected ',' or ']'",
        "api.yaml:2:4: note: see also here",
    ]


def test_broken_json(desk: Desk) -> None:
    said = desk.refuses('{"openapi": "3.0.3",\n "a": 1 "b": 2}', "api.json")
    assert said == "api.json:2:9: error[invalid-json]: expecting ',' delimiter"


def test_json_with_comments_is_understood(desk: Desk) -> None:
    description = desk.loads('{"openapi": "3.0.3", # so\n "a": 1,}', entry="api.json")
    assert description.value["a"] == 1
    assert desk.said(description) == [
        "api.json:1:22: warning[invalid-json]: this is not JSON"
        " (expecting property name enclosed in double quotes) and is read as YAML"
    ]


def test_duplicate_keys_do_not_stop_loading(desk: Desk) -> None:
    description = desk.loads("openapi: 3.0.3\npaths:\n  /a: 1\n  /b: 2\n  /a: 3\n")
    assert desk.said(description) == [
        "api.yaml:5:3: error[duplicate-key]: the key '/a' occurs twice in one mapping\n"
        "api.yaml:3:3: note: see also here"
    ]


def test_an_unknown_version_is_read_all_the_same(desk: Desk) -> None:
    description = desk.loads("openapi: 4.0.0\npaths: {}\n")
    assert desk.said(description) == [
        "api.yaml:1:1: warning[unknown-version]: OpenAPI 4.0.0 is not known"
        " and is read as if it were 3.2"
    ]


def test_a_null_type_before_version_3_1_is_reported(desk: Desk) -> None:
    text = "components:\n  schemas:\n    A: {anyOf: [{type: string}, {type: 'null'}]}\n"
    data = "    B: {example: {type: 'null'}, properties: {type: {type: string}}}\n"
    description = desk.loads("openapi: 3.0.0\n" + text + data)
    assert desk.said(description) == [
        "api.yaml:4:34: warning[null-type]: version 3.0.0 has no type 'null'"
        " ('nullable: true' stands for it); it is read as in version 3.1"
    ]
    desk.report = Report()
    desk.loads("openapi: 3.1.0\n" + text)
    assert desk.said() == []


def test_no_file(desk: Desk) -> None:
    said = desk.refuses(None)
    assert said == "api.yaml:1:1: error[missing-file]: the file 'api.yaml' does not exist"


def test_a_folder(desk: Desk) -> None:
    (desk.folder / "api.yaml").mkdir()
    assert desk.refuses(None) == "api.yaml:1:1: error[not-a-file]: 'api.yaml' is a folder"


def test_a_fifo_does_not_block(desk: Desk) -> None:
    os.mkfifo(desk.folder / "api.yaml")
    assert desk.refuses(None) == "api.yaml:1:1: error[not-a-file]: 'api.yaml' is no regular file"


def test_a_device(desk: Desk) -> None:
    (desk.folder / "api.yaml").symlink_to("/dev/zero")
    assert "error[not-a-file]" in desk.refuses(None)


def test_a_link_to_itself(desk: Desk) -> None:
    (desk.folder / "api.yaml").symlink_to("api.yaml")
    assert "error[unreadable-file]" in desk.refuses(None)


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    report = Report()
    for name in ("a\0b", "x" * 5000):
        with pytest.raises(Stop):
            load(tmp_path / name, report)
    assert [d.code for d in report.diagnostics] == ["unreadable-file", "unreadable-file"]


def test_an_unreadable_file(desk: Desk) -> None:
    desk.write({"api.yaml": MINIMAL})
    (desk.folder / "api.yaml").chmod(0)
    if os.access(desk.folder / "api.yaml", os.R_OK):
        pytest.skip("permissions do not bind this user")
    assert "cannot be read: permission denied" in desk.refuses(None)


def test_uris_are_relative_to_the_base(desk: Desk) -> None:
    desk.write({"deep/down/api.yaml": MINIMAL})
    description = load(desk.folder / "deep/down/api.yaml", desk.report, base=desk.folder)
    assert description.entry == "deep/down/api.yaml"
    assert str(description.position(Origin(description.entry, "/info"))).endswith("api.yaml:2:1")


def test_paths_are_printed_as_the_user_gave_them(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write({"sub/api.yaml": MINIMAL + "x: {$ref: '#/gone'}\n"})
    monkeypatch.chdir(desk.folder)
    description = load(Path("sub/api.yaml"), desk.report)
    description.target("#/gone", Origin("api.yaml", "/x/$ref"), desk.report)
    (diagnostic,) = desk.report.diagnostics
    expected = "sub/api.yaml:4:5: error[dangling-reference]: '#/gone' leads nowhere"
    assert description.format(diagnostic) == expected
    assert format_diagnostic(diagnostic, Path("sub")) == expected


def test_the_user_may_name_a_link(desk: Desk) -> None:
    desk.write({"real/api.yaml": MINIMAL + "x: {$ref: 'part.yaml'}\n", "part.yaml": "a: 1\n"})
    (desk.folder / "api.yaml").symlink_to("real/api.yaml")
    description = desk.load()
    assert description.entry == "api.yaml"
    assert description.resolve("part.yaml", Origin("api.yaml")) == Origin("part.yaml")
    assert description.resolve("real/api.yaml#/info", Origin("api.yaml")) == Origin(
        "api.yaml", "/info"
    )
