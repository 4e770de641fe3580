"""What looks like pages is proposed, and what is proposed is taken when it is said."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from corpus.clients import entries
from specloom.description.load import load
from specloom.diagnostics import Report
from specloom.lower.api import lower
from specloom.proposals import MARK, proposals

from .make import Plain, document, lowered

TEXT: Plain = {"type": "string"}
NUMBER: Plain = {"type": "integer"}
PETS: Plain = {"type": "array", "items": {"type": "object", "properties": {"id": TEXT}}}


def answer(**properties: Plain) -> Plain:
    return {"type": "object", "properties": properties}


def listing(schema: Plain, headers: Plain | None = None, **query: Plain) -> Plain:
    """Return a description with one operation that lists something."""
    parameters = [{"name": name, "in": "query", "schema": type_} for name, type_ in query.items()]
    response = {"description": "ok", "content": {"application/json": {"schema": schema}}}
    get = {
        "operationId": "listPets",
        "parameters": parameters,
        "responses": {"200": {**response, "headers": headers or {}}},
    }
    return document({}, {"/pets": {"get": get}})


def proposed(described: Plain) -> dict[str, Any]:
    """Return the tables that are proposed for a description."""
    text = proposals(lowered(described).api)
    assert text.startswith(MARK)
    tables: dict[str, Any] = tomllib.loads(text).get("pagination", {})
    return tables


@pytest.mark.parametrize(
    ("described", "table"),
    [
        (
            listing(answer(data=PETS, next_cursor=TEXT), cursor=TEXT),
            {"items": "data", "cursor": "cursor", "next": "next_cursor"},
        ),
        (
            listing(answer(pets=PETS, meta=answer(nextPageToken=TEXT)), pageToken=TEXT),
            {"items": "pets", "cursor": "pageToken", "next": "meta.nextPageToken"},
        ),
        (
            listing(answer(items=PETS, tags=PETS, total_pages=NUMBER), page=NUMBER),
            {"items": "items", "page": "page", "last": "total_pages"},
        ),
        (
            listing(answer(items=PETS, pages=NUMBER), page={**NUMBER, "default": 0}),
            {"items": "items", "page": "page", "start": 0, "last": "pages"},
        ),
        (
            listing(answer(items=PETS, lastPage=NUMBER), page={**NUMBER, "minimum": 0}),
            {"items": "items", "page": "page", "start": 0},
        ),
        (listing(PETS, offset=NUMBER), {"items": "", "offset": "offset"}),
        (
            listing(answer(results=PETS, total=NUMBER), skip=NUMBER),
            {"items": "results", "offset": "skip", "total": "total"},
        ),
        (
            listing(answer(value=PETS, **{"@odata.nextLink": TEXT})),
            {"items": "value", "url": "@odata.nextLink"},
        ),
        (listing(PETS, {"Link": {"schema": TEXT}}), {"items": "", "link": True}),
    ],
)
def test_what_looks_like_pages_is_proposed(described: Plain, table: dict[str, Any]) -> None:
    assert proposed(described) == {"listPets": table}


@pytest.mark.parametrize(
    "described",
    [
        listing(PETS),
        listing(PETS, page=TEXT),
        listing(answer(id=TEXT, next_cursor=TEXT), cursor=TEXT),
        listing(answer(cats=PETS, dogs=PETS, next=TEXT), cursor=TEXT),
        listing(answer(data=PETS), limit=NUMBER),
    ],
)
def test_what_does_not_is_not(described: Plain) -> None:
    assert proposed(described) == {}
    assert "There are none." in proposals(lowered(described).api)


def test_what_is_said_already_is_not_proposed() -> None:
    described = json.loads(json.dumps(listing(PETS, page=NUMBER)))
    described["paths"]["/pets"]["get"]["x-specloom-pagination"] = {"items": "", "page": "page"}
    assert proposed(described) == {}


@pytest.mark.parametrize("name", ["museum", "qdrant", "meilisearch", "tgi"])
def test_what_is_proposed_is_taken(name: str, shared: Path) -> None:
    entry = next(one for one in entries(shared) if one.name == name)
    report = Report()
    description = load(entry.path, report)
    tables = tomllib.loads(proposals(lower([description], report))).get("pagination", {})
    before = len(report.diagnostics)
    api = lower([description], report, pagination=tables)
    assert len([o for o in api.operations if o.pagination is not None]) == len(tables)
    assert [d for d in report.diagnostics[before:] if "pagination" in d.code] == []
