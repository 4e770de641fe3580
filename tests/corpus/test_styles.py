"""Parameters drawn at random: as the runtime writes them, openapi-core reads them back.

What is drawn leaves out what openapi-core cannot tell apart (see ``limits``): it decodes a list or
an object before it takes it apart, so that none of its separators can be in a text. Paths are
spelled for it as it wants the styles that are not simple: ``{;color*}``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime import Styled
from runtime._parameters import cookie_pairs, header_texts, query_string, segment
from runtime._styles import Style

from .core import Core, Reading, core

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
"""Any text, where nothing is taken apart."""

PLAIN = st.text(st.sampled_from("aZ09-_~é糸/?#&+%\"'@"), min_size=1, max_size=8).filter(
    lambda text: text not in (".", "..")
)
"""Text without what separates one item from another in some style."""

SEEN = st.text(st.sampled_from("aZ09-_~/?#&+%\"'@!()"), min_size=1, max_size=8)
"""Text that a header carries as it is."""

NUMBERS = st.integers(-(2**53), 2**53)
COLOURS = ("R", "G", "B")


@dataclass(frozen=True)
class Row:
    """One parameter: where it is, its style, and what kind of value it has."""

    place: str
    style: Style
    explode: bool
    kind: str

    @property
    def name(self) -> str:
        """What the parameter of this row is called; each has its own path."""
        return "color"

    @property
    def path(self) -> str:
        """The path of its operation, as openapi-core has to have it."""
        own = f"/{self.place}-{self.style}-{self.explode}-{self.kind}"
        if self.place != "path":
            return own
        first = {"matrix": ";", "label": "."}.get(self.style, "")
        return f"{own}/{{{first}{self.name}{'*' if first and self.explode else ''}}}"

    @property
    def parameter(self) -> dict[str, object]:
        """What the description says of it."""
        schemas: dict[str, object] = {
            "string": {"type": "string"},
            "integer": {"type": "integer"},
            "boolean": {"type": "boolean"},
            "array": {"type": "array", "items": {"type": "string"}},
            "object": {
                "type": "object",
                "properties": {name: {"type": "string"} for name in COLOURS},
            },
        }
        return {
            "name": self.name,
            "in": self.place,
            "required": True,
            "style": self.style,
            "explode": self.explode,
            "schema": schemas[self.kind],
        }

    def values(self) -> st.SearchStrategy[object]:
        """Draw values."""
        apart = self.place == "query" and self.style == "form" and self.explode
        text = SEEN if self.place == "header" else PLAIN
        whole = SEEN if self.place == "header" else TEXT if self.style != "matrix" else PLAIN
        match self.kind:
            case "string":
                return cast(
                    "st.SearchStrategy[object]",
                    whole.filter(lambda one: one not in (".", "..") and "\n" not in one),
                )
            case "integer":
                return cast("st.SearchStrategy[object]", NUMBERS)
            case "boolean":
                return cast("st.SearchStrategy[object]", st.booleans())
            case "array":
                items = TEXT if apart else text
                return cast("st.SearchStrategy[object]", st.lists(items, min_size=1, max_size=4))
            case _:
                keys = st.sampled_from(COLOURS)
                return cast(
                    "st.SearchStrategy[object]",
                    st.dictionaries(keys, text, min_size=1, max_size=3),
                )


def rows() -> Iterator[Row]:
    """Yield what both OpenAPI and openapi-core have a form for."""
    kinds = ("string", "integer", "boolean", "array", "object")
    for explode in (False, True):
        for kind in kinds:
            for style in get_args(Literal["simple", "label", "matrix"]):
                yield Row("path", style, explode, kind)
            yield Row("header", "simple", explode, kind)
            if not (explode and kind == "object"):  # it looks for the object under its own name
                yield Row("query", "form", explode, kind)
                yield Row("cookie", "form", explode, kind)
    yield Row("query", "pipeDelimited", False, "array")
    yield Row("query", "pipeDelimited", False, "object")
    yield Row("query", "deepObject", True, "object")


def written(row: Row, value: object) -> dict[str, object]:
    """Return a request with a value in it, as the runtime writes that."""
    styled = Styled(value, row.style, explode=row.explode)
    path, query, headers, cookies = row.path, "", list[tuple[str, str]](), ""
    match row.place:
        case "path":
            path = f"{path.rpartition('/')[0]}/{segment(styled, row.name)}"
        case "query":
            query = f"?{query_string({row.name: styled})}"
        case "header":
            texts = header_texts({row.name: styled}) or {}
            headers = [(name, str(text)) for name, text in texts.items()]
        case _:
            cookies = "; ".join(cookie_pairs({row.name: styled}).values())
    return {
        "method": "GET",
        "target": path + query,
        "headers": headers,
        "cookie": cookies,
        "content_type": None,
        "body": "",
    }


@pytest.fixture(name="reader", scope="module")
def _reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Core]:
    operation = {"responses": {"200": {"description": "Done."}}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Styles", "version": "1"},
        "paths": {
            row.path: {"get": {"parameters": [row.parameter], **operation}} for row in rows()
        },
    }
    with core(document, "3.1.0", tmp_path_factory.mktemp("styles")) as reader:
        yield reader


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: cast(Row, row).path)
@settings(max_examples=20)
@given(data=st.data())
def test_what_is_written_is_read_back(row: Row, reader: Core, data: st.DataObject) -> None:
    value = data.draw(row.values())
    sent = written(row, value)
    found = reader.ask(sent)
    assert found == Reading({}, {f"{row.place} {row.name}": value}, None), sent
