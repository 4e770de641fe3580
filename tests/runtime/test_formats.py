"""Text of a format is a Python object, and no character of it is lost."""

from __future__ import annotations

import copy
import datetime as dt
import json
import pickle
import warnings
from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from uuid import UUID

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime import _formats, _json
from runtime._decoder import Decoder, decoder_of
from runtime._formats import FORMATS, Written, text_of
from runtime._models import BaseModel
from runtime._open import Maybe
from runtime._parameters import query_string, segment

UTC = dt.UTC
HALF_PAST = dt.datetime(2024, 2, 29, 12, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


PLAIN: list[tuple[str, str, Written]] = [
    ("datetime", "2024-02-29T12:30:00Z", HALF_PAST),
    ("datetime", "2024-02-29T12:30:00.000001Z", HALF_PAST.replace(microsecond=1)),
    (
        "datetime",
        "2024-02-29T12:30:00+05:30",
        HALF_PAST.replace(tzinfo=dt.timezone(dt.timedelta(hours=5, minutes=30))),
    ),
    ("datetime", "2024-02-29T12:30:00", HALF_PAST.replace(tzinfo=None)),
    ("date", "2024-02-29", dt.date(2024, 2, 29)),
    ("time", "12:30:00Z", dt.time(12, 30, tzinfo=UTC)),
    ("time", "12:30:00", dt.time(12, 30)),
    ("uuid", "6f9619ff-8b86-d011-b42d-00c04fc964ff", UUID(int=0x6F9619FF8B86D011B42D00C04FC964FF)),
    ("decimal", "1.50", Decimal("1.50")),
    ("decimal", "-0", Decimal("-0")),
]

REMEMBERED: list[tuple[str, str, Written]] = [
    ("datetime", "2024-02-29T12:30:00.000Z", HALF_PAST),
    ("datetime", "2024-02-29T12:30:00.000000Z", HALF_PAST),
    ("datetime", "2024-02-29T12:30:00+00:00", HALF_PAST),
    ("datetime", "2024-02-29T12:30:00-00:00", HALF_PAST),
    ("datetime", "2024-02-29t12:30:00z", HALF_PAST),
    ("datetime", "2024-02-29 12:30Z", HALF_PAST),
    (
        "datetime",
        "2024-02-29T18:00:00+0530",
        HALF_PAST.astimezone(dt.timezone(dt.timedelta(hours=5, minutes=30))),
    ),
    ("datetime", "2024-02-29T12:30:00.000000999Z", HALF_PAST),
    ("datetime", "2024-02-29T12:30:00.5", dt.datetime(2024, 2, 29, 12, 30, 0, 500_000)),
    ("time", "12:30", dt.time(12, 30)),
    ("time", "12:30:00.000z", dt.time(12, 30, tzinfo=UTC)),
    ("uuid", "6F9619FF-8B86-D011-B42D-00C04FC964FF", UUID(int=0x6F9619FF8B86D011B42D00C04FC964FF)),
    ("decimal", "+1.5", Decimal("1.5")),
    ("decimal", "1e5", Decimal("1e5")),
    ("decimal", "007", Decimal(7)),
]

OTHER: list[tuple[str, str]] = [
    ("datetime", "2024-02-30T12:30:00Z"),
    ("datetime", "2024-02-29T24:00:00Z"),
    ("datetime", "2024-02-29"),
    ("datetime", "1700000000"),
    ("datetime", "2024-02-29T12:30:00+25:00"),
    ("datetime", "2024-02-29T12:30:00Z\n"),
    ("datetime", "\u0662\u0660\u0662\u0664-02-29T12:30:00Z"),
    ("datetime", "soon"),
    ("date", "2024-02-30"),
    ("date", "20240229"),
    ("date", "2024-W01-1"),
    ("time", "25:00:00Z"),
    ("time", "12"),
    ("uuid", "6f9619ff8b86d011b42d00c04fc964ff"),
    ("uuid", "{6f9619ff-8b86-d011-b42d-00c04fc964ff}"),
    ("decimal", "NaN"),
    ("decimal", "Infinity"),
    ("decimal", "1_000"),
    ("decimal", " 1"),
    ("decimal", "1e99999999999"),
    ("decimal", ""),
]


@pytest.mark.parametrize(("name", "text", "value"), PLAIN)
def test_canonical_text_is_a_plain_object(name: str, text: str, value: Written) -> None:
    found = FORMATS[name].read(text)
    assert found == value
    assert type(found) is type(value)
    assert text_of(value) == text


@pytest.mark.parametrize(("name", "text", "value"), REMEMBERED)
def test_other_text_is_remembered(name: str, text: str, value: Written) -> None:
    found = FORMATS[name].read(text)
    assert isinstance(found, type(value))
    assert found == value and value == found and hash(found) == hash(value)
    assert repr(found) == repr(value)
    for one in (found, copy.copy(found), copy.deepcopy(found), *pickled(found)):
        assert text_of(one) == text
        assert type(one) is type(found) and one == found


def pickled(value: Written) -> Iterator[Written]:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(value, protocol))


@pytest.mark.parametrize(("name", "text"), OTHER)
def test_text_that_is_not_of_the_form_stays_text(name: str, text: str) -> None:
    assert FORMATS[name].read(text) == text
    assert not FORMATS[name].conforms(text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("datetime", "2016-12-31T23:59:60Z"),
        ("datetime", "2017-01-01T05:29:60+05:30"),
        ("time", "23:59:60Z"),
        ("datetime", "0000-02-29T00:00:00Z"),
        ("date", "0000-02-29"),
    ],
)
def test_what_python_cannot_hold_stays_text_and_conforms(name: str, text: str) -> None:
    assert FORMATS[name].read(text) == text
    assert FORMATS[name].conforms(text)


def test_what_is_computed_is_plain() -> None:
    moment = _formats.read_datetime("2024-02-29T12:30:00.000Z")
    number = _formats.read_decimal("1e5")
    clock = _formats.read_time("12:30")
    assert isinstance(moment, dt.datetime) and isinstance(number, Decimal)
    assert isinstance(clock, dt.time)
    later = moment + dt.timedelta(hours=1)
    assert type(later) is dt.datetime and text_of(later) == "2024-02-29T13:30:00Z"
    elsewhere = moment.astimezone(dt.timezone(dt.timedelta(hours=1)))
    assert type(elsewhere) is dt.datetime and text_of(elsewhere) == "2024-02-29T13:30:00+01:00"
    assert type(number + 1) is Decimal and text_of(number + 1) == "100001"
    # Python before 3.13 keeps the class here, and nothing but the class.
    changed = moment.replace(hour=3)
    assert text_of(changed) == "2024-02-29T03:30:00Z"
    assert text_of(pickle.loads(pickle.dumps(changed))) == "2024-02-29T03:30:00Z"
    assert text_of(clock.replace(minute=1)) == "12:01:00"
    assert type(moment.date()) is dt.date and moment - HALF_PAST == dt.timedelta(0)


class Event(BaseModel):
    at: dt.datetime
    day: Maybe[dt.date] = None
    hour: Maybe[dt.time] = None
    id: UUID | None = None
    price: Maybe[Decimal] = None
    when: Maybe[dt.datetime | str] = None
    whenever: Maybe[str | dt.datetime | int] = None
    days: Maybe[list[dt.date]] = None
    by_name: Maybe[dict[str, dt.datetime | None]] = None
    inner: Maybe[dt.datetime | Event] = None
    mixed: Maybe[dt.date | dt.datetime | Event | list[Event]] = None
    pair: Maybe[tuple[dt.date, Decimal]] = None


TEXTS = [text for _, text, _ in PLAIN + REMEMBERED] + [text for _, text in OTHER]


@given(
    st.fixed_dictionaries(
        {},
        optional={
            name: st.sampled_from([*TEXTS, 1, 1.5, True, None, {"at": TEXTS[0]}, [TEXTS[4]], {}])
            for name in Event.__pydantic_fields__
        },
    )
)
def test_models_give_back_what_came(sent: dict[str, Any]) -> None:
    read = decoder_of(Event).decode(json.dumps(sent).encode())
    for one in (read, pickle.loads(pickle.dumps(read)), copy.deepcopy(read)):
        assert one.to_dict() == sent
        assert one == read
    assert json.loads(read.model_dump_json(exclude_unset=True)) == sent
    assert Event.model_validate(sent).to_dict() == sent


def test_unions_read_what_the_text_says() -> None:
    event = decoder_of(Event).decode(
        b'{"when":"2024-02-29T12:30:00.0Z","whenever":"2024-02-29T12:30:00Z","days":["2024-02-29",'
        b'"never"],"by_name":{"2024-02-29":"2024-02-29T12:30:00Z","b":null},"inner":{"at":"x"},'
        b'"mixed":"2024-02-29","pair":["2024-02-29","1.50"]}'
    )
    assert event.when == HALF_PAST and event.whenever == HALF_PAST
    assert event.days == [dt.date(2024, 2, 29), "never"]
    assert event.by_name == {"2024-02-29": HALF_PAST, "b": None}
    assert type(event.inner) is Event and event.inner.at == "x"
    assert type(event.mixed) is dt.date
    assert event.pair == (dt.date(2024, 2, 29), Decimal("1.50"))
    event = decoder_of(Event).decode(
        b'{"when":"tomorrow","whenever":5,"inner":"2024-02-29T12:30:00Z","mixed":[{"at":"x"}]}'
    )
    assert (event.when, event.whenever, event.inner) == ("tomorrow", 5, HALF_PAST)
    assert isinstance(event.mixed, list) and type(event.mixed[0]) is Event
    assert decoder_of(Event).decode(b'{"mixed":"2024-02-29T12:30:00Z"}').mixed == HALF_PAST


def test_models_made_by_hand_write_canonical_text() -> None:
    naive = HALF_PAST.replace(tzinfo=None)
    event = Event(at=HALF_PAST, when=naive, price=Decimal("1.10"), mixed=dt.date(2024, 2, 29))
    assert event.to_dict() == {
        "at": "2024-02-29T12:30:00Z",
        "when": "2024-02-29T12:30:00",
        "price": "1.10",
        "mixed": "2024-02-29",
    }
    assert event.model_dump(exclude_unset=True)["at"] is event.at
    event.at = HALF_PAST + dt.timedelta(seconds=1)
    assert event.to_dict()["at"] == "2024-02-29T12:30:01Z"


@pytest.mark.parametrize(("name", "text", "value"), PLAIN + REMEMBERED)
def test_values_are_written_everywhere_as_they_came(name: str, text: str, value: Written) -> None:
    found = FORMATS[name].read(text)
    assert json.loads(_json.encode({"a": [found, value]})) == {"a": [text, text_of(value)]}
    assert query_string({"a": found}) == query_string({"a": text})
    assert segment(found, "at") == segment(text, "at")


def test_annotations_are_read_too() -> None:
    decoder: Decoder[list[dt.datetime]] = Decoder(list[dt.datetime])
    assert decoder.decode(b'["2024-02-29T12:30:00.00Z","x"]') == [HALF_PAST, "x"]
    [one] = decoder.deviations(b'["2024-02-29T12:30:00.00Z","x"]')
    assert (one.path, one.message) == ("$[1]", "expected a date-time")


NAMES = {"datetime": "date-time", "date": "date", "time": "time", "uuid": "uuid"}
DIGITS = st.integers(0, 99).map("{:02}".format)
CLOCK = st.builds(
    "{}:{}{}{}".format,
    DIGITS,
    DIGITS,
    st.sampled_from(["", ":00", ":30", ":59", ":60", ":61", ":5", ":00.5", ":00.", ":60.1"]),
    st.sampled_from(["", "Z", "z", "+00:00", "-00:00", "+05:30", "+23:59", "+24:00", "+0530"]),
)
DAY = st.builds(
    "{}-{}-{}".format,
    st.sampled_from(["2023", "2024", "1900", "9999", "0001", "24", "02024"]),
    st.sampled_from(["01", "02", "06", "12", "13", "00", "1"]),
    st.sampled_from(["01", "28", "29", "30", "31", "32", "00", "1"]),
)


@given(DAY | CLOCK | st.builds("{}{}{}".format, DAY, st.sampled_from("Tt _"), CLOCK) | st.text())
def test_an_independent_judge_finds_the_same_text_to_be_of_a_format(text: str) -> None:
    for kind, name in NAMES.items():
        judge = jsonschema_rs.validator_for({"format": name}, validate_formats=True)
        assert FORMATS[kind].conforms(text) == judge.is_valid(text), (kind, text)
